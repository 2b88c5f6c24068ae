//! The log's rows: what a step changes is written, and what stands there is loaded and held against itself.

use super::mark::Standing;
use super::nodes::{SizedNodes, place};
use crate::apart::ApartError;
use crate::db::{DbError, Row, Tx, statements};
use crate::problem::Problem;
use crate::values;
use dualseal::checkpoint::{Checkpoint, Growth};
use dualseal::key::RingFile;
use dualseal::krunica::TreeHead;
use dualseal::tree::{holds_leaf, prove_leaf};
use dualseal::{Domain, Entry, RingKey, Timestamp};
use dualseal_operator::opening::{Opened, Refused, Stored, check_growth, open, open_without_mark};
use dualseal_operator::step::{Changes, RingRow, State, StepError};
use std::fmt;

statements! {
    /// The log that is written to, until the transaction ends.
    HOLD = locking "SELECT id, origin, state, ring_seal, checkpoint, note FROM logs \
                    WHERE id = (SELECT MAX(id) FROM logs)";
    /// The same to read it.
    CURRENT = "SELECT id, origin, state, ring_seal, checkpoint, note FROM logs WHERE id = (SELECT MAX(id) FROM logs)";
    /// All logs, the first one first.
    LOGS = "SELECT id, origin, state, ring_seal, checkpoint, note FROM logs ORDER BY id";
    RING = "SELECT json FROM ring WHERE log = $1";
    END = "SELECT json FROM entries WHERE log = $1 ORDER BY seq DESC LIMIT 1";
    FOUND = "INSERT INTO logs (id, origin, state, ring_seal) VALUES ($1, $2, $3, $4)";
    STATE = "UPDATE logs SET state = $2, ring_seal = $3 WHERE id = $1 AND state = $4";
    CHECKPOINT = "UPDATE logs SET checkpoint = $2, note = $3 WHERE id = $1";
    KEEP_CHECKPOINT = "INSERT INTO checkpoints (log, size, time, json, note) VALUES ($1, $2, $3, $4, $5) \
                       ON CONFLICT (log, size) DO UPDATE SET time = excluded.time, json = excluded.json, \
                       note = excluded.note";
    ENTRY = "INSERT INTO entries (log, seq, krunica, prev, json) VALUES ($1, $2, $3, $4, $5)";
    NODE = "INSERT INTO tree (log, place, hash) VALUES ($1, $2, $3)";
    RING_ROW = "INSERT INTO ring (log, name, json) VALUES ($1, $2, $3) \
                ON CONFLICT (log, name) DO UPDATE SET json = excluded.json";
    RECORD = "INSERT INTO records (krunica, kind, identity_id, time, json) VALUES ($1, $2, $3, $4, $5)";
    SECRET = "INSERT INTO secrets (tbl, line, purpose, stored) VALUES ($1, $2, $3, $4) \
              ON CONFLICT (tbl, line, purpose) DO UPDATE SET stored = excluded.stored";
    LISTED = "INSERT INTO secret_list (log, number, place, listed) VALUES ($1, $2, $3, $4)";
}

/// Why the log is not worked with.
#[derive(Debug)]
pub enum LogFault {
    /// The store is not what it should be; [`Refused::advice`] says what to do.
    Refused(Refused),
    /// The database.
    Db(DbError),
    /// The mark.
    Mark(ApartError),
    /// A row that is not of its form.
    Row(dualseal::Error),
    /// No log was founded yet.
    NoLog,
    /// No log stands in the database, and the mark of one is there.
    Lost,
    /// Somebody else wrote between reading and writing: nothing was written.
    Moved,
}

macro_rules! faults {
    ($($from:ty => $variant:ident;)+) => {
        $(impl From<$from> for LogFault {
            fn from(error: $from) -> Self {
                Self::$variant(error)
            }
        })+
    };
}

faults! {
    Refused => Refused;
    DbError => Db;
    ApartError => Mark;
    dualseal::Error => Row;
}

impl From<StepError> for LogFault {
    fn from(error: StepError) -> Self {
        Self::Refused(Refused::Step(error))
    }
}

impl fmt::Display for LogFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "{refused} ({}): {}", refused.name(), refused.advice()),
            Self::Db(error) => error.fmt(f),
            Self::Mark(error) => error.fmt(f),
            Self::Row(error) => error.fmt(f),
            Self::NoLog => f.write_str("no log was founded yet: `trustd init` founds one"),
            Self::Lost => f.write_str(
                "the database has no log, and the signer's mark is there: the database was lost, and is restored",
            ),
            Self::Moved => f.write_str("somebody else wrote to the log meanwhile"),
        }
    }
}

impl std::error::Error for LogFault {}

impl From<LogFault> for Problem {
    fn from(fault: LogFault) -> Self {
        match fault {
            LogFault::Db(error) if error.is_busy() => error.into(),
            fault => Self::internal("log", &fault),
        }
    }
}

/// The row of the log.
#[derive(Debug)]
pub(super) struct LogRow {
    pub(super) id: i64,
    pub(super) origin: String,
    pub(super) state: String,
    ring_seal: String,
    checkpoint: Option<String>,
}

impl LogRow {
    pub(super) fn read(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            id: row.number("id")?,
            origin: row.text("origin")?,
            state: row.text("state")?,
            ring_seal: row.text("ring_seal")?,
            checkpoint: row.maybe_text("checkpoint")?,
        })
    }

    /// Takes the lock on the log, until the transaction ends.
    pub(super) async fn hold(tx: &mut Tx) -> Result<Self, LogFault> {
        let row = tx.find(HOLD, values![]).await?.ok_or(LogFault::NoLog)?;
        Ok(Self::read(&row)?)
    }

    /// The last checkpoint.
    pub(super) fn checkpoint(&self) -> Result<Option<Checkpoint>, dualseal::Error> {
        self.checkpoint.as_ref().map(|text| Checkpoint::from_json(text.as_bytes())).transpose()
    }
}

/// The checkpoint that was signed last.
pub(super) async fn last_checkpoint(tx: &mut Tx) -> Result<Option<Checkpoint>, LogFault> {
    let row = tx.find(CURRENT, values![]).await?.ok_or(LogFault::NoLog)?;
    Ok(LogRow::read(&row)?.checkpoint()?)
}

/// Loads what stands there, and holds it against itself and against the mark.
pub(super) async fn load(
    tx: &mut Tx,
    row: &LogRow,
    domain: &Domain,
    authority: &RingKey,
    mark: &Standing,
) -> Result<Opened, LogFault> {
    let stored = Stored { mark: mark.of(&row.origin, authority), ..stored(tx, row).await? };
    let opened = open(domain, &row.origin, authority, stored)?;
    growth(tx, row.id, &opened.state, opened.mark.tree_head()).await?;
    Ok(opened)
}

/// The same of a log that is not written to any more, or whose mark is made anew.
pub(super) async fn load_without_mark(
    tx: &mut Tx,
    row: &LogRow,
    domain: &Domain,
    authority: &RingKey,
) -> Result<State, LogFault> {
    Ok(open_without_mark(domain, &row.origin, authority, stored(tx, row).await?)?)
}

/// The time of the entry that the log ends with. Its hash does not cover that, and the tree does.
pub(super) async fn last_time(tx: &mut Tx, log: i64, state: &State) -> Result<Timestamp, LogFault> {
    let (size, edited) = (state.head().size(), LogFault::Refused(Refused::TreeEdited));
    let Some(seq) = size.checked_sub(1) else { return Ok(Timestamp::MIN) };
    let row = tx.find(END, values![log]).await?.ok_or(LogFault::Moved)?;
    let end = Entry::from_json(row.text("json")?.as_bytes())?;
    let path = prove_leaf(&mut SizedNodes::of_leaf(tx, log, size, seq).await?, size, seq)?;
    let root = state.head().frontier().root();
    let is_under = path.is_some_and(|path| holds_leaf(&root, size, seq, &end.leaf_hash(), &path));
    if is_under { Ok(end.time()) } else { Err(edited) }
}

/// That the chain goes on from an earlier end.
pub(super) async fn growth(tx: &mut Tx, log: i64, state: &State, from: &TreeHead) -> Result<Growth, LogFault> {
    let mut nodes = SizedNodes::of_growth(tx, log, from.size, state.head().size()).await?;
    check_growth(state, from, &mut nodes)
}

async fn stored<'a>(tx: &mut Tx, row: &'a LogRow) -> Result<Stored<'a>, LogFault> {
    let end = tx.find(END, values![row.id]).await?.map(|row| row.text("json")).transpose()?;
    let end = end.map(|json| Entry::from_json(json.as_bytes())).transpose()?;
    let ring = ring_file(tx, row).await?;
    Ok(Stored { state: row.state.as_bytes(), ring, end, checkpoint: row.checkpoint()?, mark: None })
}

/// The ring as it is stored.
pub(super) async fn ring_file(tx: &mut Tx, row: &LogRow) -> Result<RingFile, LogFault> {
    let rows = tx.list(RING, values![row.id]).await?;
    let rows = rows.iter().map(|row| row.text("json")).collect::<Result<Vec<_>, _>>()?;
    Ok(RingFile::from_rows(row.ring_seal.as_bytes(), rows)?)
}

/// Founds a log: its empty state.
pub(super) async fn found(tx: &mut Tx, id: i64, origin: &str, changes: &Changes) -> Result<(), DbError> {
    tx.execute(FOUND, values![id, origin, &changes.state, &changes.ring.seal]).await.map(drop)
}

/// Writes all of the changes, where the state is still the one that they go on from.
pub(super) async fn write(tx: &mut Tx, log: i64, changes: &Changes) -> Result<(), LogFault> {
    let state = values![log, &changes.state, &changes.ring.seal, &changes.before];
    if tx.execute(STATE, state).await? != 1 {
        return Err(LogFault::Moved);
    }
    for entry in &changes.entries {
        let (krunica, prev) = (entry.krunica_hash(), entry.prev());
        let values = values![log, entry.seq(), &krunica.as_bytes()[..], &prev.as_bytes()[..], entry.to_json()];
        tx.execute(ENTRY, values).await?;
    }
    for node in &changes.nodes {
        tx.execute(NODE, values![log, place(node.level, node.index), &node.hash.as_bytes()[..]]).await?;
    }
    for row in &changes.ring.rows {
        let (RingRow::Identity(_, json) | RingRow::Decoy(_, json)) = row;
        tx.execute(RING_ROW, values![log, row.name(), json]).await?;
    }
    for record in &changes.records {
        let (krunica, time) = (record.krunica_hash(), record.time().as_millis());
        let values = values![&krunica.as_bytes()[..], "potpis", record.identity_id().to_hex(), time, record.to_json()];
        tx.execute(RECORD, values).await?;
    }
    for record in &changes.vault_records {
        let (krunica, header) = (record.krunica_hash(), record.header());
        let json = record.to_stored_json();
        let (identity_id, time) = (header.identity_id.to_hex(), header.created_at.as_millis());
        tx.execute(RECORD, values![&krunica.as_bytes()[..], "trezor", identity_id, time, json.as_str()]).await?;
    }
    let mut end = changes.secrets_before;
    for secret in &changes.secrets {
        let place = secret.place();
        tx.execute(SECRET, values![place.table(), place.row(), place.purpose(), secret.stored()]).await?;
        let listed = dualseal_operator::step::SecretRow::listed(secret.stored());
        tx.execute(LISTED, values![log, end.size, &place.hash()[..], &listed[..]]).await?;
        end = secret.after(&end);
    }
    Ok(())
}

/// Puts a checkpoint and its note in the place of the last ones.
pub(super) async fn keep(tx: &mut Tx, log: i64, checkpoint: &Checkpoint, note: &str) -> Result<(), DbError> {
    let (json, size) = (checkpoint.to_json(), checkpoint.tree_head().size);
    tx.execute(CHECKPOINT, values![log, &json, note]).await?;
    tx.execute(KEEP_CHECKPOINT, values![log, size, checkpoint.time().as_millis(), json, note]).await.map(drop)
}
