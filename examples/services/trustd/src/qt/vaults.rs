//! What is needed of the vault: a document's record and stored bytes, the master, the secret that the service keeps.

use crate::App;
use dualseal::checkpoint::PlaceProof;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::key::Unprepared;
use dualseal::secret::Secret;
use dualseal::shard::ShardKey;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{
    Document, Operator, OperatorRecord, Standing, StoredHash, Tier, TierKeys, TierPolicy, VaultMaster, VaultRecord,
    VaultVerifier, unseal,
};
use dualseal::{IdentityId, VaultId, Verified};
use dualseal_operator::own::OwnCheckpoint;
use dualseal_operator::secrets::Place;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::Secrets;
use platform::values;

statements! {
    FIND = "SELECT v.state AS state, v.object AS object, v.stored AS stored, r.json AS json \
            FROM vault_records v JOIN records r ON r.krunica = v.krunica WHERE v.vault_id = $1 AND v.world = 0";
    BECOME = "UPDATE vault_records SET state = $2 WHERE vault_id = $1";
}

/// The states of a document that matter here.
pub(crate) const CUSTODY: &str = "in-custody";
/// Nodes are told to delete.
pub(crate) const ERASING: &str = "erasing";
/// Fewer shards remain than rebuild.
pub(crate) const ERASED: &str = "erased";

/// A document of the vault.
#[derive(Debug)]
pub(crate) struct Vault {
    pub(crate) record: VaultRecord,
    pub(crate) state: String,
    stored: Option<Vec<u8>>,
}

impl Vault {
    fn read(row: &Row) -> Result<Self, Problem> {
        let record = VaultRecord::from_json(row.text("json")?.as_bytes())?;
        Ok(Self { record, state: row.text("state")?, stored: row.maybe_bytes("stored")? })
    }

    /// Whether it is on its way out, or gone.
    pub(crate) fn is_ending(&self) -> bool {
        matches!(self.state.as_str(), ERASING | ERASED)
    }

    /// The key that seals the shards of its identity.
    pub(crate) fn key(&self, master: &VaultMaster) -> ShardKey {
        ShardKey::derive(master.domain(), master.secret(), &self.record.header().identity_id)
    }

    /// The bytes that are stored of it.
    pub(crate) fn stored(&self) -> Result<&[u8], Problem> {
        let stored = self.stored.as_deref();
        stored.ok_or_else(|| Problem::internal("qt", &"the stored bytes of a document are not at hand"))
    }
}

/// The document of this name.
pub(crate) async fn find(tx: &mut Tx, vault_id: &VaultId) -> Result<Option<Vault>, Problem> {
    tx.find(FIND, values![vault_id.to_hex()]).await?.as_ref().map(Vault::read).transpose()
}

/// The same outside of a transaction.
pub(crate) async fn find_in(db: &Db, vault_id: &VaultId) -> Result<Option<Vault>, Problem> {
    db.find(FIND, values![vault_id.to_hex()]).await?.as_ref().map(Vault::read).transpose()
}

/// Notes what became of a document.
pub(crate) async fn become_(tx: &mut Tx, vault_id: &VaultId, state: &str) -> Result<(), DbError> {
    tx.execute(BECOME, values![vault_id.to_hex(), state]).await.map(drop)
}

/// Where the secret of a document is, as long as the service keeps it.
pub(crate) fn secret_place(vault_id: &VaultId) -> Result<Place, dualseal::Error> {
    Place::new("vault", vault_id.as_bytes(), "secret")
}

/// The secret of a document; `None` where the nodes alone have it.
pub(crate) async fn secret(
    secrets: &Secrets,
    tx: &mut Tx,
    vault_id: &VaultId,
) -> Result<Option<Secret<32>>, Problem> {
    let found = secrets.find(tx, &secret_place(vault_id)?).await?;
    // A row that a step forgot is empty.
    let found = found.filter(|found| !found.is_empty());
    Ok(found.map(|found| Secret::from_slice("secret", &found)).transpose()?)
}

/// Where the master of the vault is.
pub(crate) fn master_place() -> Result<Place, dualseal::Error> {
    Place::new("vault", b"service", "master")
}

/// The master of the vault.
pub(crate) async fn master(app: &App) -> Result<VaultMaster, Problem> {
    let found = app.secrets.find_in(&app.db, &master_place()?).await?;
    let found = found.ok_or_else(|| Problem::internal("qt", &"the vault has no master"))?;
    Ok(VaultMaster::new(app.log.domain(), Secret::from_slice("master", &found)?)?)
}

/// The keys by which the service shows who had a document sealed (L4).
async fn tiers(app: &App, identity_id: &IdentityId) -> Result<TierKeys, Problem> {
    let mut keys = TierKeys::new();
    for (purpose, tier) in [("native", Tier::Native), ("noble", Tier::Noble)] {
        let place = Place::new("vault", b"service", purpose)?;
        if let Some(seed) = app.secrets.find_in(&app.db, &place).await? {
            keys.enrol(identity_id, tier, Ed25519SigningKey::from_seed(&seed)?.public_key())?;
        }
    }
    Ok(keys)
}

/// Verifies a document as its operator, its place in the log included.
pub(crate) async fn verified(
    app: &App,
    vault: Vault,
    master: &VaultMaster,
) -> Result<(Verified<OperatorRecord>, Vec<u8>), Problem> {
    let stored = vault.stored()?.to_vec();
    let (reader, record) = (app.log.reader(), vault.record);
    let found = reader.by_handle(record.krunica_hash()).await?;
    let found = found.ok_or_else(|| Problem::internal("qt", &"a document has no entry"))?;
    let not_covered = || Problem::new(&kinds::NOT_COVERED).retry_after(1);
    let (checkpoint, _) = reader.checkpoint(found.log).await?.ok_or_else(not_covered)?;
    let size = checkpoint.tree_head().size;
    if found.entry.seq() >= size {
        return Err(not_covered());
    }
    let path = reader.path(found.log, found.entry.seq(), size).await?.ok_or_else(not_covered)?;
    let state = app.log.state().await?;
    let own = OwnCheckpoint::judge(checkpoint.clone(), app.log.domain(), checkpoint.origin(), state.ring());
    let own = own.map_err(|unowned| Problem::internal("qt", &unowned.name()))?.into_signed();
    let located = PlaceProof::new(checkpoint, found.entry, path)?.verify(&own)?;
    let domain = app.log.domain();
    let identity_id = record.header().identity_id;
    let verifier = VaultVerifier::new(domain, state.ring(), &Unprepared);
    let keys = tiers(app, &identity_id).await?;
    let policy = Operator { master, tiers: TierPolicy::new(Some(&keys), Tier::Public)? };
    let standing = Standing { place: Some(&located), after: None };
    let report = verifier.verify(record, &StoredHash::of(domain, &stored), &identity_id, &policy, standing);
    let failed = report.failed();
    let verified = report.into_verdict().valid().ok_or_else(|| {
        Problem::internal("qt", &format_args!("a document does not hold: {failed:?}"))
    })?;
    Ok((verified, stored))
}

/// Opens a document that was verified: all of it, or nothing.
pub(crate) fn open(
    record: &Verified<OperatorRecord>,
    secret: &dyn KeyMaterial,
    stored: &[u8],
) -> Result<Document, Problem> {
    unseal(record, Some(secret), stored).map_err(|error| Problem::internal("qt", &error))
}
