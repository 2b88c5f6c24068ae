//! Rows of requests for shards, their proofs, and what nodes released.

mod ended;

pub(super) use ended::end_of_vault;
pub(crate) use ended::{destroy, sweep};

use super::{Line, name};
use crate::App;
use crate::qt::rules::RequestState;
use crate::qt::vaults;
use crate::vault::Vault;
use dualseal::presence::Nonce;
use dualseal::shamir::SplitId;
use dualseal::shard::{Arguments, Request, ShardId};
use dualseal::{IdentityId, SystemRng, Timestamp, VaultId};
use dualseal_operator::secrets::{ErasureKey, Place, RecordSecret};
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey, Secrets};
use platform::values;
use uuid::Uuid;
use zeroize::Zeroizing;

statements! {
    ADD = "INSERT INTO qt_requests (id, vault_id, identity_id, split_id, opener, request, arguments, nonce, expiry, \
           required, state, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    FIND = "SELECT r.*, p.world AS world FROM qt_requests r JOIN qt_splits p ON p.split_id = r.split_id \
            WHERE r.id = $1";
    /// Those for which nodes are asked.
    APPROVED = "SELECT r.*, p.world AS world FROM qt_requests r JOIN qt_splits p ON p.split_id = r.split_id \
                WHERE r.state = 'approved' AND r.expiry > $1 AND p.world = $2 ORDER BY r.created";
    KEYS = "SELECT line FROM secrets WHERE tbl = 'qt_requests' AND purpose = 'key'";
    OF_VAULT = "SELECT r.id AS id FROM qt_requests r JOIN qt_splits p ON p.split_id = r.split_id \
                WHERE r.state IN ('open', 'approved') AND r.vault_id = $1 AND p.world = $2";
    APPROVE = "UPDATE qt_requests SET state = 'approved' WHERE id = $1 AND state = 'open'";
    /// The nonce of the service itself: spent once, by whoever is first.
    USE = "UPDATE qt_requests SET state = 'used' WHERE id = $1 AND nonce = $2 AND state = 'approved' AND expiry > $3";
    EXPIRE = "UPDATE qt_requests SET state = 'expired' WHERE id = $1 AND state IN ('open', 'approved')";
    ADD_PROOF = "INSERT INTO qt_proofs (request_id, authenticator, proof) VALUES ($1, $2, $3) \
                 ON CONFLICT (request_id, authenticator) DO NOTHING";
    PROOFS = "SELECT authenticator, proof FROM qt_proofs WHERE request_id = $1 ORDER BY authenticator";
    GIVE = "INSERT INTO qt_given (request_id, shard_id, stored, holds) VALUES ($1, $2, $3, $4) \
            ON CONFLICT (request_id, shard_id) DO NOTHING";
    GIVEN = "SELECT g.shard_id AS shard_id, g.stored AS stored, g.holds AS holds, s.indeks AS indeks, s.node AS node \
             FROM qt_given g JOIN qt_shards s ON s.shard_id = g.shard_id WHERE g.request_id = $1 ORDER BY s.indeks";
    /// The bytes go, and who gave what stays.
    WIPE = "UPDATE qt_given SET stored = $2 WHERE request_id = $1";
    HAS_KEY = locking "SELECT stored FROM secrets WHERE tbl = $1 AND line = $2 AND purpose = $3";
}

/// A request for shards.
#[derive(Clone, Debug)]
pub(crate) struct RequestRow {
    pub(crate) id: Uuid,
    pub(crate) vault_id: VaultId,
    pub(crate) identity_id: IdentityId,
    pub(crate) split_id: SplitId,
    /// Who opened it, and alone gets what comes of it.
    pub(crate) opener: IdentityId,
    pub(crate) request: Request,
    pub(crate) arguments: Arguments,
    pub(crate) nonce: Nonce,
    pub(crate) expiry: Timestamp,
    pub(crate) required: u8,
    pub(crate) state: RequestState,
    pub(crate) created: i64,
    /// That of its split.
    pub(crate) world: World,
}

/// What a node released.
#[derive(Debug)]
pub(crate) struct GivenRow {
    pub(crate) shard_id: ShardId,
    pub(crate) index: u8,
    pub(crate) node: String,
    /// Whether the shard's seal holds.
    pub(crate) holds: bool,
    stored: Vec<u8>,
}

impl RequestRow {
    pub(super) fn read(row: &Row) -> Result<Self, Problem> {
        let expiry = Timestamp::from_millis(row.number("expiry")?).map_err(|_| DbError::Column("expiry"))?;
        let arguments: Option<StoredArguments> = serde_json::from_str(&row.text("arguments")?).ok();
        Ok(Self {
            id: name(row, "id")?,
            vault_id: name(row, "vault_id")?,
            identity_id: name(row, "identity_id")?,
            split_id: name(row, "split_id")?,
            opener: name(row, "opener")?,
            request: Request::from_json(row.text("request")?.as_bytes())?,
            arguments: arguments.ok_or(DbError::Column("arguments"))?.into(),
            nonce: name(row, "nonce")?,
            expiry,
            required: u8::try_from(row.number("required")?).map_err(|_| DbError::Column("required"))?,
            state: RequestState::of_row(&row.text("state")?)?,
            created: row.number("created")?,
            world: World::of_number(row.number("world")?),
        })
    }

    /// The vault, as its world has it.
    pub(crate) fn line(&self) -> Line {
        (self.vault_id, self.world)
    }

    /// What its key hangs on.
    pub(crate) fn owner(&self) -> IdentityId {
        vaults::owner(self.world, &self.identity_id)
    }

    /// Writes it down, with the key that what nodes release will be under. The key hangs on the owner's, so that no
    /// backup brings back what nodes released of a vault that was erased.
    pub(crate) async fn add(
        &self,
        tx: &mut Tx,
        secrets: &Secrets,
        (owners, owner): (&ErasureKeys, &OwnerKey),
    ) -> Result<(), Problem> {
        let arguments = serde_json::to_string(&StoredArguments::from(&self.arguments));
        let arguments = arguments.map_err(|error| Problem::internal("qt", &error))?;
        let values = values![
            self.id.to_string(),
            self.vault_id.to_hex(),
            self.identity_id.to_hex(),
            self.split_id.to_hex(),
            self.opener.to_hex(),
            self.request.to_json(),
            arguments,
            self.nonce.to_hex(),
            self.expiry.as_millis(),
            self.required,
            self.state.as_str(),
            self.created,
        ];
        tx.execute(ADD, values).await?;
        let key = ErasureKey::draw(secrets.domain(), &mut SystemRng)?;
        let place = key_place(&self.id)?;
        secrets.put(tx, &owner.wrap_key(place.clone(), &key)?.into()).await?;
        owners.own(tx, owner, &place).await
    }
}

/// As its row has them: the library's record of them is their hash.
#[derive(serde::Serialize, serde::Deserialize)]
struct StoredArguments {
    m: Option<u8>,
    n: Option<u8>,
    node_urls: Option<Vec<String>>,
}

impl From<&Arguments> for StoredArguments {
    fn from(arguments: &Arguments) -> Self {
        Self { m: arguments.m, n: arguments.n, node_urls: arguments.node_urls.clone() }
    }
}

impl From<StoredArguments> for Arguments {
    fn from(StoredArguments { m, n, node_urls }: StoredArguments) -> Self {
        Self { index: None, m, n, node_urls }
    }
}

fn key_place(id: &Uuid) -> Result<Place, dualseal::Error> {
    Place::new("qt_requests", id.as_bytes(), "key")
}

fn given_place(id: &Uuid, shard_id: &ShardId) -> Result<Place, dualseal::Error> {
    Place::new("qt_given", &[&id.as_bytes()[..], shard_id.as_bytes()].concat(), "shard")
}

/// The request of this name.
pub(crate) async fn find(db: &Db, id: &Uuid) -> Result<Option<RequestRow>, Problem> {
    db.find(FIND, values![id.to_string()]).await?.as_ref().map(RequestRow::read).transpose()
}

/// The requests for which nodes are asked now.
pub(crate) async fn approved(db: &Db, now: i64, world: World) -> Result<Vec<RequestRow>, Problem> {
    db.list(APPROVED, values![now, world.number()]).await?.iter().map(RequestRow::read).collect()
}

/// Adds a proof of an authenticator; where enough differ, nodes are asked from now on. Says whether it was not there.
pub(crate) async fn prove(tx: &mut Tx, row: &RequestRow, authenticator: &str, proof: &str) -> Result<bool, Problem> {
    let id = row.id.to_string();
    let is_new = tx.execute(ADD_PROOF, values![&id, authenticator, proof]).await? == 1;
    let found = tx.list(PROOFS, values![&id]).await?.len();
    if found >= usize::from(row.required) {
        tx.execute(APPROVE, values![id]).await?;
    }
    Ok(is_new)
}

/// The proofs of a request, as they came.
pub(crate) async fn proofs(db: &Db, id: &Uuid) -> Result<Vec<String>, Problem> {
    let rows = db.list(PROOFS, values![id.to_string()]).await?;
    Ok(rows.iter().map(|row| row.text("proof")).collect::<Result<_, _>>()?)
}

/// Keeps what a node released, under the key of the request.
pub(crate) async fn give(
    tx: &mut Tx,
    key: &ErasureKey,
    id: &Uuid,
    shard_id: &ShardId,
    shard: &[u8],
    holds: bool,
) -> Result<(), Problem> {
    let place = key_place(id)?;
    // It may have been destroyed since it was opened, and what nodes released with it.
    let is_there = tx.find(HAS_KEY, values![place.table(), place.row(), place.purpose()]).await?;
    is_there.ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))?;
    let sealed = RecordSecret::seal(key, given_place(id, shard_id)?, shard, &mut SystemRng)?;
    let values = values![id.to_string(), shard_id.to_hex(), sealed.into_stored(), holds];
    tx.execute(GIVE, values).await?;
    Ok(())
}

/// The key of a request.
///
/// # Errors
/// [`kinds::REQUEST_CLOSED`]: it is destroyed with the request.
pub(crate) async fn key(app: &App, vault: &Vault, row: &RequestRow) -> Result<ErasureKey, Problem> {
    let key = vault.owners.open_key(&app.db, &row.owner(), &key_place(&row.id)?).await?;
    key.ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))
}

/// What nodes released for a request, without their values.
pub(crate) async fn given_in(db: &Db, id: &Uuid) -> Result<Vec<GivenRow>, Problem> {
    db.list(GIVEN, values![id.to_string()]).await?.iter().map(GivenRow::read).collect()
}

impl GivenRow {
    fn read(row: &Row) -> Result<Self, Problem> {
        Ok(Self {
            shard_id: name(row, "shard_id")?,
            index: u8::try_from(row.number("indeks")?).map_err(|_| DbError::Column("indeks"))?,
            node: row.text("node")?,
            holds: row.truth("holds")?,
            stored: row.bytes("stored")?,
        })
    }
}

/// What nodes released for a request, opened.
pub(crate) async fn opened(
    app: &App,
    vault: &Vault,
    request: &RequestRow,
) -> Result<Vec<(GivenRow, Zeroizing<Vec<u8>>)>, Problem> {
    let (id, key) = (&request.id, key(app, vault, request).await?);
    let rows = app.db.list(GIVEN, values![id.to_string()]).await?;
    let open = |row: &Row| {
        let mut row = GivenRow::read(row)?;
        let stored = std::mem::take(&mut row.stored);
        // Whoever was a moment faster has the document, and this is wiped.
        if stored.is_empty() {
            return Err(Problem::new(&kinds::REQUEST_CLOSED));
        }
        let shard = RecordSecret::read(given_place(id, &row.shard_id)?, stored)?.open(&key)?;
        Ok((row, shard))
    };
    rows.iter().map(open).collect()
}

/// Spends the service's own nonce for a request: true for the one who is first, and only in time.
pub(crate) async fn spend(db: &Db, row: &RequestRow, now: i64) -> Result<bool, DbError> {
    Ok(db.execute(USE, values![row.id.to_string(), row.nonce.to_hex(), now]).await? == 1)
}
