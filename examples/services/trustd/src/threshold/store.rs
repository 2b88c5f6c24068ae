//! Rows of sessions, of the records and of who holds what.
//!
//! | file | what it is |
//! |---|---|
//! | `given` | requests, shares that were given back, results |

pub(crate) mod given;

use super::types::{SessionState, ShareState};
use dualseal::id::SessionId;
use dualseal::krunica::KrunicaHash;
use dualseal::shamir::Index;
use dualseal::threshold::{Session, SplitId};
use dualseal::{Head, IdentityId};
use dualseal_operator::secrets::Place;
use platform::authority::list_nodes;
use platform::db::{DbError, Row, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, RowTags};
use platform::values;
use std::str::FromStr;

statements! {
    TOUCH = "SELECT session_id FROM sessions LIMIT 1";
    CURRENT_LOG = "SELECT MAX(id) AS id FROM logs";
    FOUND = "INSERT INTO sessions (session_id, world, log, begins, founding, founder, state, split_id, created, keys) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    SESSION = "SELECT session_id, world, log, begins, founding, founder, state, split_id, keys FROM sessions \
               WHERE session_id = $1";
    HOLD_SESSION = locking "SELECT session_id, world, log, begins, founding, founder, state, split_id, keys \
                            FROM sessions WHERE session_id = $1";
    MOVE = "UPDATE sessions SET state = $2, split_id = $3 WHERE session_id = $1";
    NEXT_NUMBER = "SELECT COALESCE(MAX(number) + 1, 0) AS number FROM generations WHERE session_id = $1";
    PUT_RECORD = "INSERT INTO generations (split_id, session_id, number, record, krunica, until) \
                  VALUES ($1, $2, $3, $4, $5, $6)";
    COMMIT_RECORD = "UPDATE generations SET record = $2, krunica = $3, until = NULL WHERE split_id = $1";
    RECORDS = "SELECT split_id, record, krunica, until FROM generations WHERE session_id = $1 ORDER BY number";
    LAPSED = "SELECT session_id FROM generations WHERE until <= $1 ORDER BY until LIMIT 64";
    DROP_RECORD = "DELETE FROM generations WHERE split_id = $1 AND krunica IS NULL";
    PUT_HOLDING = "INSERT INTO holdings (split_id, n, session_id, node, owner, state) VALUES ($1, $2, $3, $4, $5, $6)";
    HOLDINGS = "SELECT split_id, n, session_id, node, owner, state, acknowledgement, held, invalid FROM holdings \
                WHERE split_id = $1 ORDER BY n";
    HOLDINGS_OF_NUMBER = "SELECT h.split_id, h.n, h.session_id, h.node, h.owner, h.state, h.acknowledgement, h.held, \
                          h.invalid FROM holdings h JOIN generations g ON g.split_id = h.split_id \
                          WHERE h.session_id = $1 AND h.n = $2 ORDER BY g.number DESC";
    WAITING = "SELECT h.split_id, h.n, h.session_id, h.node, h.owner, h.state, h.acknowledgement, h.held, h.invalid, \
               g.record, g.until FROM holdings h JOIN generations g ON g.split_id = h.split_id \
               JOIN sessions s ON s.session_id = h.session_id \
               WHERE h.node = $1 AND h.state <> 'acknowledged' AND s.world = $2 ORDER BY g.number, h.split_id, h.n \
               LIMIT 100";
    HELD_BY_NODE = "SELECT COUNT(*) AS held FROM holdings h JOIN sessions s ON s.session_id = h.session_id \
                    WHERE h.node = $1 AND s.world = 0 AND s.log = (SELECT MAX(id) FROM logs)";
    LOST_WITH_NODE = "UPDATE holdings SET held = NULL WHERE node = $1";
    DROP_HOLDINGS = "DELETE FROM holdings WHERE split_id = $1";
    SET_SHARE = "UPDATE holdings SET state = $3, acknowledgement = COALESCE(CAST($4 AS TEXT), acknowledgement), \
                 held = COALESCE(CAST($5 AS BIGINT), held) WHERE split_id = $1 AND n = $2";
    SAID = "UPDATE holdings SET held = $3 WHERE split_id = $1 AND n = $2";
    MISSED = "UPDATE holdings SET invalid = $3 WHERE split_id = $1 AND n = $2";
}

/// A node that was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) label: String,
    pub(crate) identity_id: IdentityId,
}

/// A session.
#[derive(Clone, Debug)]
pub(crate) struct SessionRow {
    pub(crate) session_id: SessionId,
    pub(crate) world: i64,
    pub(crate) log: i64,
    /// The head before its founding.
    pub(crate) begins: Head,
    pub(crate) founding: KrunicaHash,
    pub(crate) founder: IdentityId,
    pub(crate) state: SessionState,
    /// The splitting in force.
    pub(crate) split_id: SplitId,
    /// On whose erasure key its shares hang as long as they are here.
    pub(crate) keys: IdentityId,
}

/// A record of a session.
#[derive(Clone, Debug)]
pub(crate) struct RecordRow {
    pub(crate) record: Session,
    /// Whether it was founded or committed.
    pub(crate) counts: bool,
    /// Until when nodes keep it, of one that was prepared.
    pub(crate) until: Option<i64>,
}

/// Who holds a share.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub(crate) session_id: SessionId,
    pub(crate) split_id: SplitId,
    pub(crate) index: Index,
    pub(crate) node: String,
    pub(crate) owner: IdentityId,
    pub(crate) state: ShareState,
    pub(crate) acknowledgement: Option<String>,
    pub(crate) held: Option<i64>,
    pub(crate) invalid: Option<i64>,
}

/// What a column says, in the form that it must have.
pub(crate) fn parsed<T: FromStr>(row: &Row, column: &'static str) -> Result<T, DbError> {
    row.text(column)?.parse().map_err(|_| DbError::Column(column))
}

fn record(row: &Row) -> Result<Session, DbError> {
    Session::from_json(row.text("record")?.as_bytes()).map_err(|_| DbError::Column("record"))
}

impl SessionRow {
    fn read(row: &Row) -> Result<Self, DbError> {
        let founding = row.bytes("founding")?.try_into().map_err(|_| DbError::Column("founding"))?;
        let session_id: SessionId = parsed(row, "session_id")?;
        let keys = row.maybe_text("keys")?.map(|keys| keys.parse().map_err(|_| DbError::Column("keys"))).transpose()?;
        Ok(Self {
            session_id,
            world: row.number("world")?,
            log: row.number("log")?,
            begins: Head::from_json(row.text("begins")?.as_bytes()).map_err(|_| DbError::Column("begins"))?,
            founding: KrunicaHash::from_bytes(founding),
            founder: parsed(row, "founder")?,
            state: SessionState::of(&row.text("state")?).ok_or(DbError::Column("state"))?,
            split_id: parsed(row, "split_id")?,
            keys: keys.unwrap_or_else(|| IdentityId::from_bytes(*session_id.as_bytes())),
        })
    }

    /// Goes on to a state, with this splitting in force.
    pub(crate) async fn go(&self, tx: &mut Tx, state: SessionState, split_id: &SplitId) -> Result<(), Problem> {
        tx.execute(MOVE, values![self.session_id.to_hex(), state.as_str(), split_id.to_hex()]).await?;
        Ok(())
    }
}

impl Holding {
    fn read(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            session_id: parsed(row, "session_id")?,
            split_id: parsed(row, "split_id")?,
            index: Index::new(row.size("n")?).map_err(|_| DbError::Column("n"))?,
            node: row.text("node")?,
            owner: parsed(row, "owner")?,
            state: ShareState::of(&row.text("state")?).ok_or(DbError::Column("state"))?,
            acknowledgement: row.maybe_text("acknowledgement")?,
            held: row.maybe_number("held")?,
            invalid: row.maybe_number("invalid")?,
        })
    }

    /// Where the service's copy of the share is sealed.
    pub(crate) fn place(&self) -> Result<Place, Problem> {
        share_place(&self.split_id, self.index)
    }

    /// Its state from now on, with what its node said, and when.
    pub(crate) async fn set(&self, tx: &mut Tx, state: ShareState, said: Option<(&str, i64)>) -> Result<(), Problem> {
        let (text, at) = said.unzip();
        let values = values![self.split_id.to_hex(), self.index.get(), state.as_str(), text, at];
        tx.execute(SET_SHARE, values).await?;
        Ok(())
    }

    /// That its node had it, or gave back something else.
    pub(crate) async fn note(&self, tx: &mut Tx, holds: bool, now: i64) -> Result<(), Problem> {
        let statement = if holds { SAID } else { MISSED };
        tx.execute(statement, values![self.split_id.to_hex(), self.index.get(), now]).await?;
        Ok(())
    }
}

/// Where a share that waits for its node is sealed: a splitting is of one session.
pub(crate) fn share_place(split_id: &SplitId, index: Index) -> Result<Place, Problem> {
    let row = [&split_id.as_bytes()[..], &[index.get()]].concat();
    Ok(Place::new("holdings", &row, "share")?)
}

/// Notes that the service's copies of a splitting are erased: their key is to be destroyed.
pub(crate) async fn erase(
    tx: &mut Tx,
    owners: &ErasureKeys,
    session: &SessionRow,
    holdings: &[Holding],
) -> Result<(), Problem> {
    let places = holdings.iter().map(Holding::place).collect::<Result<Vec<_>, _>>()?;
    owners.erase(tx, &session.keys, &places).await
}

/// Where the record of what was prepared waits with its authority, by which it is committed.
pub(crate) fn authority_place(split_id: &SplitId) -> Result<Place, Problem> {
    Ok(Place::new("generations", split_id.as_bytes(), "authority")?)
}

/// The session of this name, of whichever world.
pub(crate) async fn session(tx: &mut Tx, session_id: &SessionId) -> Result<Option<SessionRow>, Problem> {
    let row = tx.find(SESSION, values![session_id.to_hex()]).await?;
    Ok(row.as_ref().map(SessionRow::read).transpose()?)
}

/// The session of this name in the world of whoever asks.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]: what is of another world is not there.
pub(crate) async fn session_in(tx: &mut Tx, session_id: &SessionId, world: i64) -> Result<SessionRow, Problem> {
    let found = session(tx, session_id).await?.filter(|found| found.world == world);
    found.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))
}

/// The same, until the transaction ends.
pub(crate) async fn hold_session(tx: &mut Tx, session_id: &SessionId) -> Result<SessionRow, Problem> {
    let row = tx.find(HOLD_SESSION, values![session_id.to_hex()]).await?;
    Ok(SessionRow::read(&row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?)?)
}

/// Whether the log that a session stands in is the one that is written to.
pub(crate) async fn is_current(tx: &mut Tx, session: &SessionRow) -> Result<bool, Problem> {
    Ok(current_log(tx).await? == session.log)
}

/// The number of the log that is written to.
pub(crate) async fn current_log(tx: &mut Tx) -> Result<i64, Problem> {
    let row = tx.find(CURRENT_LOG, values![]).await?.ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
    Ok(row.number("id")?)
}

/// The nodes, in the order in which they were registered.
pub(crate) async fn nodes(tx: &mut Tx, tags: &RowTags) -> Result<Vec<Node>, Problem> {
    let nodes = list_nodes(tx, tags).await?.into_iter();
    Ok(nodes.map(|node| Node { label: node.label, identity_id: node.identity_id }).collect())
}

/// The records of a session, in order.
pub(crate) async fn records(tx: &mut Tx, session_id: &SessionId) -> Result<Vec<RecordRow>, Problem> {
    let rows = tx.list(RECORDS, values![session_id.to_hex()]).await?;
    let read = |row: &Row| {
        let counts = row.maybe_bytes("krunica")?.is_some();
        Ok(RecordRow { record: record(row)?, counts, until: row.maybe_number("until")? })
    };
    Ok(rows.iter().map(read).collect::<Result<_, DbError>>()?)
}

/// The holdings of a splitting, by number.
pub(crate) async fn holdings(tx: &mut Tx, split_id: &SplitId) -> Result<Vec<Holding>, Problem> {
    let rows = tx.list(HOLDINGS, values![split_id.to_hex()]).await?;
    Ok(rows.iter().map(Holding::read).collect::<Result<_, _>>()?)
}

/// Who holds the shares of this number, of the newest splitting first.
pub(crate) async fn of_number(tx: &mut Tx, session_id: &SessionId, index: Index) -> Result<Vec<Holding>, Problem> {
    let rows = tx.list(HOLDINGS_OF_NUMBER, values![session_id.to_hex(), index.get()]).await?;
    Ok(rows.iter().map(Holding::read).collect::<Result<_, _>>()?)
}

/// Shares that a node has not acknowledged, with their records, and until when those that were prepared are kept.
pub(crate) async fn waiting(
    tx: &mut Tx,
    node: &str,
    world: i64,
) -> Result<Vec<(Holding, Session, Option<i64>)>, Problem> {
    let rows = tx.list(WAITING, values![node, world]).await?;
    let read = |row: &Row| Ok((Holding::read(row)?, record(row)?, row.maybe_number("until")?));
    Ok(rows.iter().map(read).collect::<Result<_, DbError>>()?)
}

/// Writes a record that was founded, or prepared until a time, and who will hold its shares.
pub(crate) async fn put(
    tx: &mut Tx,
    record: &Session,
    counts: Option<&KrunicaHash>,
    until: Option<i64>,
    holders: &[Node],
) -> Result<(), Problem> {
    let (split_id, session_id) = (record.split_id().to_hex(), record.session_id().to_hex());
    let krunica = counts.map(|krunica| krunica.as_bytes().to_vec());
    let next = tx.find(NEXT_NUMBER, values![&session_id]).await?.ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
    let number = next.size("number")?;
    tx.execute(PUT_RECORD, values![&split_id, &session_id, number, record.to_json(), krunica, until]).await?;
    for (n, node) in (1_u64..).zip(holders) {
        let (owner, state) = (node.identity_id.to_hex(), ShareState::Waiting.as_str());
        tx.execute(PUT_HOLDING, values![&split_id, n, &session_id, &node.label, owner, state]).await?;
    }
    Ok(())
}
