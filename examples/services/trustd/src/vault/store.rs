//! The rows of documents.

use super::rules::State;
use dualseal::encoding::hex;
use dualseal::krunica::KrunicaHash;
use dualseal::mldsa::KeyHash;
use dualseal::vault::VaultRecord;
use dualseal::{IdentityId, Timestamp, VaultId};
use platform::db::{Db, DbError, Row, Tx, Value, statements};
use platform::objects::{Object, Objects};
use platform::problem::{Problem, kinds};
use platform::values;
use std::str::FromStr;
use zeroize::Zeroizing;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM (SELECT vault_id FROM vault_records LIMIT 1) one";
    ADD = "INSERT INTO vault_records (vault_id, krunica, identity_id, kind, seq, state, world, created, object, \
           stored, decoy) VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $10)";
    FIND = "SELECT v.vault_id, v.identity_id, v.kind, v.seq, v.state, v.created, v.object, v.stored, r.json \
            FROM vault_records v JOIN records r ON r.krunica = v.krunica WHERE v.vault_id = $1";
    /// Its state, until the transaction ends.
    HOLD = locking "SELECT state FROM vault_records WHERE vault_id = $1";
    STATE = "UPDATE vault_records SET state = $2 WHERE vault_id = $1 AND state = $3";
    OF_DECOY = "SELECT vault_id FROM vault_records WHERE decoy = $1";
    LIST = "SELECT vault_id, identity_id, kind, seq, state, created FROM vault_records \
            WHERE (CAST($1 AS TEXT) IS NULL OR identity_id = CAST($1 AS TEXT)) \
            AND (CAST($2 AS TEXT) IS NULL OR kind = CAST($2 AS TEXT)) AND created >= $3 AND created < $4 \
            AND (created < $5 OR (created = $5 AND vault_id < $6)) ORDER BY created DESC, vault_id DESC LIMIT $7";
}

/// What a list says of a record.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) vault_id: VaultId,
    pub(crate) identity_id: IdentityId,
    pub(crate) kind: String,
    pub(crate) seq: u64,
    pub(crate) state: State,
    pub(crate) created: Timestamp,
}

/// What is stored of a document, or where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Here.
    Inline(Vec<u8>),
    /// In the store of objects, by its name there.
    Object([u8; 32]),
}

impl Content {
    /// As both columns have it.
    pub(crate) fn columns(&self) -> (Option<String>, Option<Vec<u8>>) {
        match self {
            Self::Inline(stored) => (None, Some(stored.clone())),
            Self::Object(hash) => (Some(hex::encode(hash)), None),
        }
    }

    /// Names the object for the row of a record, in the transaction that writes it.
    pub(crate) async fn name(
        &self,
        objects: &Objects,
        tx: &mut Tx,
        (table, vault_id): (&str, &VaultId),
        bytes: u64,
    ) -> Result<(), Problem> {
        let Self::Object(hash) = self else { return Ok(()) };
        Ok(objects.name(tx, &Object { hash: *hash, bytes }, table, vault_id.as_bytes()).await?)
    }
}

/// A record, with its fragment, and what is stored beside it.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) line: Line,
    pub(crate) content: Content,
    pub(crate) record: VaultRecord,
}

/// What a list is asked for, newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) identity_id: Option<IdentityId>,
    pub(crate) kind: Option<String>,
    pub(crate) from: Option<Timestamp>,
    pub(crate) to: Option<Timestamp>,
    /// Behind a record that was sealed then.
    pub(crate) after: Option<(i64, String)>,
    pub(crate) limit: u32,
}

impl Filter {
    /// The values of both lists.
    pub(crate) fn values(&self) -> Vec<Value> {
        let (created, after) = self.after.clone().unwrap_or((i64::MAX, String::new()));
        values![
            self.identity_id.map(|id| id.to_hex()),
            self.kind.clone(),
            self.from.map_or(i64::MIN, Timestamp::as_millis),
            self.to.map_or(i64::MAX, Timestamp::as_millis),
            created,
            after,
            self.limit,
        ]
    }
}

pub(crate) fn parsed<T: FromStr>(row: &Row, column: &'static str) -> Result<T, DbError> {
    row.text(column)?.parse().map_err(|_| DbError::Column(column))
}

impl Line {
    pub(crate) fn read(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            vault_id: parsed(row, "vault_id")?,
            identity_id: parsed(row, "identity_id")?,
            kind: row.text("kind")?,
            seq: row.size("seq")?,
            state: parsed(row, "state")?,
            created: Timestamp::from_millis(row.number("created")?).map_err(|_| DbError::Column("created"))?,
        })
    }
}

impl Kept {
    pub(crate) fn read(row: &Row) -> Result<Self, DbError> {
        let json = Zeroizing::new(row.text("json")?);
        let record = VaultRecord::from_json(json.as_bytes()).map_err(|_| DbError::Column("json"))?;
        let content = match (row.maybe_text("object")?, row.maybe_bytes("stored")?) {
            (Some(name), None) => Content::Object(hex::decode("object", &name).map_err(|_| DbError::Column("object"))?),
            (None, Some(stored)) => Content::Inline(stored),
            _ => return Err(DbError::Column("object")),
        };
        Ok(Self { line: Line::read(row)?, content, record })
    }
}

/// Writes the row of a record, beside the record.
pub(crate) async fn add(tx: &mut Tx, record: &VaultRecord, decoy: &KeyHash, content: &Content) -> Result<(), Problem> {
    let header = record.header();
    let krunica: &KrunicaHash = record.krunica_hash();
    let (object, stored) = content.columns();
    let row = values![
        header.vault_id.to_hex(),
        &krunica.as_bytes()[..],
        header.identity_id.to_hex(),
        &header.kind,
        header.seq,
        State::Sealed.as_str(),
        header.created_at.as_millis(),
        object,
        stored,
        &decoy.as_bytes()[..],
    ];
    Ok(tx.execute(ADD, row).await.map(drop)?)
}

/// The record of a name.
pub(crate) async fn find(db: &Db, vault_id: &VaultId) -> Result<Option<Kept>, Problem> {
    let row = db.find(FIND, values![vault_id.to_hex()]).await?;
    Ok(row.as_ref().map(Kept::read).transpose()?)
}

/// The state of a record, which nobody else changes until the transaction ends.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`].
pub(crate) async fn hold(tx: &mut Tx, vault_id: &VaultId) -> Result<State, Problem> {
    let row = tx.find(HOLD, values![vault_id.to_hex()]).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    Ok(parsed(&row, "state")?)
}

/// Changes the state of a record from one that the caller saw.
///
/// # Errors
/// [`kinds::CONFLICT`] where it is in another by now.
pub async fn set_state(tx: &mut Tx, vault_id: &VaultId, from: State, to: State) -> Result<(), Problem> {
    match tx.execute(STATE, values![vault_id.to_hex(), to.as_str(), from.as_str()]).await? {
        1 => Ok(()),
        _ => Err(Problem::new(&kinds::CONFLICT)),
    }
}

/// The record whose fragment has this key: where somebody signs with it, or shows it, that record leaked.
///
/// # Errors
/// The database.
pub async fn traced(db: &Db, key: &KeyHash) -> Result<Option<VaultId>, Problem> {
    let row = db.find(OF_DECOY, values![&key.as_bytes()[..]]).await?;
    Ok(row.map(|row| parsed(&row, "vault_id")).transpose()?)
}

/// A page of records.
pub(crate) async fn list(db: &Db, filter: &Filter) -> Result<Vec<Line>, Problem> {
    let rows = db.list(LIST, filter.values()).await?;
    Ok(rows.iter().map(Line::read).collect::<Result<_, _>>()?)
}
