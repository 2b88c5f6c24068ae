//! Rows of proofs and of challenges.

use crate::App;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::values;
use proof_pdf::text::Kind;
use uuid::Uuid;

statements! {
    TOUCH = "SELECT (SELECT COUNT(*) FROM proofs WHERE dokaz_id = '') + (SELECT COUNT(*) FROM proof_challenges \
             WHERE id = '') AS found";
    FIND = "SELECT dokaz_id, identity_id, vrsta, created, content, evidence, record, krunica, seq, seal, seal_krunica, \
            seal_seq FROM proofs WHERE dokaz_id = $1 AND world = $2";
    ADD = "INSERT INTO proofs (dokaz_id, identity_id, world, vrsta, created, content, record, krunica, seq, seal, \
           seal_krunica, seal_seq) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    LIST = "SELECT dokaz_id, identity_id, vrsta, created, krunica, seq FROM proofs WHERE world = $1 \
            AND (CAST($2 AS TEXT) IS NULL OR vrsta = CAST($2 AS TEXT)) \
            AND (created < $3 OR (created = $3 AND dokaz_id < $4)) ORDER BY created DESC, dokaz_id DESC LIMIT $5";
    LIST_OF = "SELECT dokaz_id, identity_id, vrsta, created, krunica, seq FROM proofs WHERE world = $1 \
               AND (CAST($2 AS TEXT) IS NULL OR vrsta = CAST($2 AS TEXT)) \
               AND (created < $3 OR (created = $3 AND dokaz_id < $4)) AND identity_id = $6 \
               ORDER BY created DESC, dokaz_id DESC LIMIT $5";
    /// What was shown once stays.
    COVER = "UPDATE proofs SET evidence = $2 WHERE dokaz_id = $1 AND evidence IS NULL";
    OF = "SELECT dokaz_id FROM proofs WHERE identity_id = $1 AND world = $2 AND vrsta = $3 LIMIT $4";
    DROP = "DELETE FROM proofs WHERE dokaz_id = $1";
    ASK = "INSERT INTO proof_challenges (id, identity_id, world, nonce, drawn, expires) \
           VALUES ($1, $2, $3, $4, $5, $6)";
    ASKED = "SELECT identity_id, nonce, drawn, expires FROM proof_challenges WHERE id = $1 AND world = $2 \
             AND used IS NULL AND expires > $3";
    IS_OPEN = "SELECT 1 AS one FROM proof_challenges WHERE id = $1 AND used IS NULL AND expires > $2";
    SPEND = "UPDATE proof_challenges SET used = $2 WHERE id = $1 AND used IS NULL AND expires > $2";
    SWEEP = "DELETE FROM proof_challenges WHERE expires <= $1";
}

/// A proof.
#[derive(Clone, Debug)]
pub(super) struct ProofRow {
    pub(super) dokaz_id: Uuid,
    pub(super) identity_id: IdentityId,
    pub(super) kind: Kind,
    pub(super) created: i64,
    /// The text, encrypted.
    pub(super) content: Vec<u8>,
    /// The evidence, encrypted; none until a checkpoint covered it.
    pub(super) evidence: Option<Vec<u8>>,
    pub(super) record: String,
    pub(super) krunica: String,
    pub(super) seq: u64,
    pub(super) seal: String,
    pub(super) seal_krunica: String,
    pub(super) seal_seq: u64,
}

/// What a list says of a proof.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    pub(super) dokaz_id: Uuid,
    pub(super) identity_id: IdentityId,
    pub(super) kind: Kind,
    pub(super) created: i64,
    pub(super) krunica: String,
    pub(super) seq: u64,
}

/// A challenge that can be answered.
#[derive(Clone, Debug)]
pub(super) struct ChallengeRow {
    pub(super) id: Uuid,
    pub(super) identity_id: IdentityId,
    pub(super) world: World,
    pub(super) nonce: Nonce,
    pub(super) drawn: i64,
    pub(super) expires: i64,
}

fn name<T: std::str::FromStr>(row: &Row, column: &'static str) -> Result<T, DbError> {
    row.text(column)?.parse().map_err(|_| DbError::Column(column))
}

fn kind(row: &Row) -> Result<Kind, DbError> {
    let kind = row.text("vrsta")?;
    Kind::ALL.into_iter().find(|one| one.as_str() == kind).ok_or(DbError::Column("vrsta"))
}

impl Listing {
    fn of(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            dokaz_id: name(row, "dokaz_id")?,
            identity_id: name(row, "identity_id")?,
            kind: kind(row)?,
            created: row.number("created")?,
            krunica: row.text("krunica")?,
            seq: row.size("seq")?,
        })
    }
}

impl ProofRow {
    fn of(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            dokaz_id: name(row, "dokaz_id")?,
            identity_id: name(row, "identity_id")?,
            kind: kind(row)?,
            created: row.number("created")?,
            content: row.bytes("content")?,
            evidence: row.maybe_bytes("evidence")?,
            record: row.text("record")?,
            krunica: row.text("krunica")?,
            seq: row.size("seq")?,
            seal: row.text("seal")?,
            seal_krunica: row.text("seal_krunica")?,
            seal_seq: row.size("seal_seq")?,
        })
    }

    /// Writes it, without its evidence, in the real world: the other has none.
    pub(super) async fn add(&self, tx: &mut Tx) -> Result<(), DbError> {
        let mut values = values![self.dokaz_id.to_string(), self.identity_id.to_hex(), World::Real.number()];
        values.extend(values![self.kind.as_str(), self.created, &self.content[..], &self.record, &self.krunica]);
        values.extend(values![self.seq, &self.seal, &self.seal_krunica, self.seal_seq]);
        tx.execute(ADD, values).await.map(drop)
    }

    /// Keeps the evidence that is shown from now on, unless some is; the row as it is then.
    pub(super) async fn cover(db: &Db, dokaz_id: &Uuid, evidence: Vec<u8>) -> Result<Option<Self>, DbError> {
        db.execute(COVER, values![dokaz_id.to_string(), evidence]).await?;
        find(db, dokaz_id, World::Real).await
    }
}

/// A page of proofs, the newest first: of an identity's or of everybody's, of one kind or of all.
pub(super) async fn list(
    db: &Db,
    (identity_id, world): (Option<IdentityId>, World),
    kind: Option<Kind>,
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<Listing>, DbError> {
    let (created, dokaz_id) = after.unwrap_or((i64::MAX, String::new()));
    let mut values = values![world.number(), kind.map(Kind::as_str), created, dokaz_id, most];
    let statement = match identity_id {
        None => LIST,
        Some(identity_id) => {
            values.extend(values![identity_id.to_hex()]);
            LIST_OF
        }
    };
    db.list(statement, values).await?.iter().map(Listing::of).collect()
}

/// The names of some of an identity's proofs of a kind.
pub(super) async fn of_kind(
    tx: &mut Tx,
    (identity_id, world): (&IdentityId, World),
    kind: Kind,
    most: u32,
) -> Result<Vec<Uuid>, DbError> {
    let rows = tx.list(OF, values![identity_id.to_hex(), world.number(), kind.as_str(), most]).await?;
    rows.iter().map(|row| name(row, "dokaz_id")).collect()
}

/// Whether there is one.
pub(super) async fn is_there(tx: &mut Tx, dokaz_id: &Uuid) -> Result<bool, DbError> {
    Ok(tx.find(FIND, values![dokaz_id.to_string(), World::Real.number()]).await?.is_some())
}

/// Takes a proof away.
pub(super) async fn drop_one(tx: &mut Tx, dokaz_id: &Uuid) -> Result<(), DbError> {
    tx.execute(DROP, values![dokaz_id.to_string()]).await.map(drop)
}

/// A proof by its name.
pub(super) async fn find(db: &Db, dokaz_id: &Uuid, world: World) -> Result<Option<ProofRow>, DbError> {
    db.find(FIND, values![dokaz_id.to_string(), world.number()]).await?.as_ref().map(ProofRow::of).transpose()
}

/// Writes a challenge down.
pub(super) async fn ask(db: &Db, row: &ChallengeRow) -> Result<(), DbError> {
    let ChallengeRow { id, identity_id, world, nonce, drawn, expires } = row;
    let values = values![id.to_string(), identity_id.to_hex(), world.number(), nonce.to_hex(), *drawn, *expires];
    db.execute(ASK, values).await.map(drop)
}

/// A challenge that can be answered still.
pub(super) async fn asked(db: &Db, id: &Uuid, world: World, now: i64) -> Result<Option<ChallengeRow>, DbError> {
    let Some(row) = db.find(ASKED, values![id.to_string(), world.number(), now]).await? else { return Ok(None) };
    Ok(Some(ChallengeRow {
        id: *id,
        identity_id: name(&row, "identity_id")?,
        world,
        nonce: name(&row, "nonce")?,
        drawn: row.number("drawn")?,
        expires: row.number("expires")?,
    }))
}

/// Whether a challenge can be answered still.
pub(super) async fn is_open(tx: &mut Tx, id: &Uuid, now: i64) -> Result<bool, DbError> {
    Ok(tx.find(IS_OPEN, values![id.to_string(), now]).await?.is_some())
}

/// Writes that it was answered; false where somebody was faster.
pub(super) async fn spend(tx: &mut Tx, id: &Uuid, now: i64) -> Result<bool, DbError> {
    Ok(tx.execute(SPEND, values![id.to_string(), now]).await? == 1)
}

/// A moment, as texts have it.
pub(super) fn moment(millis: i64) -> String {
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string()
}

/// Takes away challenges that are over.
///
/// # Errors
/// The database.
pub async fn sweep(app: &App) -> Result<u64, DbError> {
    app.db.execute(SWEEP, values![app.clock.millis()]).await
}
