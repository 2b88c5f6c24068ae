//! Rows of requests, of the shares that were given back for them, and of what quorums signed.

use super::parsed;
use crate::threshold::types::Purpose;
use dualseal::IdentityId;
use dualseal::id::{MessageHash, SessionId};
use dualseal::shamir::Index;
use dualseal::threshold::{QuorumSigned, SessionShare, SplitId};
use dualseal_operator::secrets::Place;
use platform::db::{DbError, Row, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey};
use platform::values;
use uuid::Uuid;

statements! {
    OPEN = "INSERT INTO quorum_requests (request_id, session_id, purpose, requester, message, state, opened, expires) \
            VALUES ($1, $2, $3, $4, $5, 'open', $6, $7)";
    OPEN_OF = "SELECT COUNT(*) AS open FROM quorum_requests WHERE session_id = $1 AND state = 'open' AND expires > $2";
    REQUEST = "SELECT request_id, session_id, purpose, requester, message, state, expires FROM quorum_requests \
               WHERE request_id = $1";
    HOLD_REQUEST = locking "SELECT request_id, session_id, purpose, requester, message, state, expires \
                            FROM quorum_requests WHERE request_id = $1";
    CLOSE = "UPDATE quorum_requests SET state = $2, message = NULL WHERE request_id = $1 AND state = 'open'";
    OVER = "SELECT request_id, session_id, purpose, requester, message, state, expires FROM quorum_requests \
            WHERE state = 'open' AND expires <= $1 ORDER BY expires LIMIT 256";
    OLD = "DELETE FROM quorum_requests WHERE state <> 'open' AND expires <= $1";
    FOR_NODE = "SELECT q.request_id, q.session_id, q.purpose, q.requester, q.message, q.state, q.expires, h.split_id, \
                h.n FROM holdings h JOIN sessions s ON s.session_id = h.session_id AND s.split_id = h.split_id \
                JOIN quorum_requests q ON q.session_id = h.session_id \
                LEFT JOIN given_shares g ON g.request_id = q.request_id AND g.split_id = h.split_id AND g.n = h.n \
                WHERE h.node = $1 AND h.state <> 'waiting' AND s.world = $2 AND q.state = 'open' AND q.expires > $3 \
                AND g.n IS NULL ORDER BY q.expires, q.request_id, h.n LIMIT 32";
    GIVE = "INSERT INTO given_shares (request_id, split_id, n, given) VALUES ($1, $2, $3, $4) \
            ON CONFLICT (request_id, split_id, n) DO UPDATE SET given = excluded.given";
    GIVEN = "SELECT split_id, n FROM given_shares WHERE request_id = $1 ORDER BY split_id, n";
    WIPED = "DELETE FROM given_shares WHERE request_id = $1";
    RESULT = "INSERT INTO quorum_results (krunica, session_id, split_id, requester, message_hash, time, json) \
              VALUES ($1, $2, $3, $4, $5, $6, $7)";
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct RequestRow {
    pub(crate) request_id: Uuid,
    pub(crate) session_id: SessionId,
    pub(crate) purpose: Purpose,
    pub(crate) requester: IdentityId,
    pub(crate) message: Option<Vec<u8>>,
    pub(crate) state: String,
    pub(crate) expires: i64,
}

impl RequestRow {
    fn read(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            request_id: parsed(row, "request_id")?,
            session_id: parsed(row, "session_id")?,
            purpose: Purpose::of(&row.text("purpose")?).ok_or(DbError::Column("purpose"))?,
            requester: parsed(row, "requester")?,
            message: row.maybe_bytes("message")?,
            state: row.text("state")?,
            expires: row.number("expires")?,
        })
    }
}

fn place(request_id: Uuid, split_id: &SplitId, index: Index) -> Result<Place, Problem> {
    let row = [&request_id.as_bytes()[..], split_id.as_bytes(), &[index.get()]].concat();
    Ok(Place::new("given_shares", &row, "share")?)
}

/// Opens a request.
pub(crate) async fn open(tx: &mut Tx, request: &RequestRow, now: i64) -> Result<(), Problem> {
    let RequestRow { request_id, session_id, purpose, requester, message, expires, .. } = request;
    let (session_id, requester) = (session_id.to_hex(), requester.to_hex());
    let values =
        values![request_id.to_string(), session_id, purpose.as_str(), requester, message.clone(), now, *expires];
    tx.execute(OPEN, values).await?;
    Ok(())
}

/// How many requests of a session wait.
pub(crate) async fn count_open(tx: &mut Tx, session_id: &SessionId, now: i64) -> Result<u64, Problem> {
    let row = tx.find(OPEN_OF, values![session_id.to_hex(), now]).await?;
    Ok(row.map(|row| row.size("open")).transpose()?.unwrap_or_default())
}

/// A request.
pub(crate) async fn request(tx: &mut Tx, request_id: Uuid) -> Result<Option<RequestRow>, Problem> {
    let row = tx.find(REQUEST, values![request_id.to_string()]).await?;
    Ok(row.as_ref().map(RequestRow::read).transpose()?)
}

/// The same, until the transaction ends.
pub(crate) async fn hold_request(tx: &mut Tx, request_id: Uuid) -> Result<RequestRow, Problem> {
    let row = tx.find(HOLD_REQUEST, values![request_id.to_string()]).await?;
    Ok(RequestRow::read(&row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?)?)
}

/// Requests whose time is over.
pub(crate) async fn over(tx: &mut Tx, now: i64) -> Result<Vec<RequestRow>, Problem> {
    let rows = tx.list(OVER, values![now]).await?;
    Ok(rows.iter().map(RequestRow::read).collect::<Result<_, _>>()?)
}

/// Removes requests that ended before a time.
pub(crate) async fn forget(tx: &mut Tx, before: i64) -> Result<(), Problem> {
    tx.execute(OLD, values![before]).await?;
    Ok(())
}

/// Requests that wait for shares of a node which it has not given for them, each with one of those.
pub(crate) async fn for_node(
    tx: &mut Tx,
    node: &str,
    world: i64,
    now: i64,
) -> Result<Vec<(RequestRow, SplitId, Index)>, Problem> {
    let rows = tx.list(FOR_NODE, values![node, world, now]).await?;
    let read = |row: &Row| {
        let index = Index::new(row.size("n")?).map_err(|_| DbError::Column("n"))?;
        Ok((RequestRow::read(row)?, parsed(row, "split_id")?, index))
    };
    Ok(rows.iter().map(read).collect::<Result<_, DbError>>()?)
}

/// Seals a share that was given back, under its session's key; one that was given before is replaced.
pub(crate) async fn give(
    tx: &mut Tx,
    (owners, key): (&ErasureKeys, &OwnerKey),
    request_id: Uuid,
    share: &SessionShare,
    now: i64,
) -> Result<(), Problem> {
    let (split_id, index) = (share.split_id(), share.index());
    let place = place(request_id, split_id, index)?;
    owners.secrets().put(tx, &key.wrap(place.clone(), share.to_json().as_bytes())?.into()).await?;
    owners.own(tx, key, &place).await?;
    tx.execute(GIVE, values![request_id.to_string(), split_id.to_hex(), index.get(), now]).await?;
    Ok(())
}

/// Ends a request, and wipes what was given back for it: its session's key is to be destroyed. False where it was not
/// open.
pub(crate) async fn close(
    tx: &mut Tx,
    owners: &ErasureKeys,
    keys: &IdentityId,
    request_id: Uuid,
    state: &str,
) -> Result<bool, Problem> {
    let closed = tx.execute(CLOSE, values![request_id.to_string(), state]).await? == 1;
    let places = listed(tx, request_id).await?;
    for place in &places {
        owners.secrets().remove(tx, place).await?;
    }
    if !places.is_empty() {
        owners.erase(tx, keys, &places).await?;
    }
    tx.execute(WIPED, values![request_id.to_string()]).await?;
    Ok(closed)
}

/// Where the shares stand that were given back for a request.
pub(crate) async fn listed(tx: &mut Tx, request_id: Uuid) -> Result<Vec<Place>, Problem> {
    let mut places = Vec::new();
    for row in tx.list(GIVEN, values![request_id.to_string()]).await? {
        let index = Index::new(row.size("n")?).map_err(|_| DbError::Column("n"))?;
        places.push(place(request_id, &parsed(&row, "split_id")?, index)?);
    }
    Ok(places)
}

/// Keeps what a quorum signed, beside its entry.
pub(crate) async fn keep_result(
    tx: &mut Tx,
    session_id: &SessionId,
    message: &MessageHash,
    signed: &QuorumSigned,
) -> Result<(), Problem> {
    let result = &signed.result;
    let values = values![
        &result.krunica_hash().as_bytes()[..],
        session_id.to_hex(),
        signed.split_id.to_hex(),
        result.requester().to_hex(),
        message.to_hex(),
        result.time().as_millis(),
        result.to_json(),
    ];
    tx.execute(RESULT, values).await?;
    Ok(())
}
