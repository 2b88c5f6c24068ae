//! The operator's word to a node that older shares go: what the chain says makes nobody delete, since anybody may write
//! there.

use super::in_force::Sessions;
use super::store;
use super::types::{OrderAsk, OrderInfo};
use crate::App;
use crate::orders::operator_key;
use dualseal::Timestamp;
use dualseal::id::SessionId;
use dualseal::presence::Statement;
use dualseal::threshold::SessionInForce;
use platform::access::Caller;
use platform::problem::{Problem, kinds};
use platform::web::Name;

/// As long, in milliseconds, a word is good: the most that the library takes.
const LIFE: i64 = 300_000;

/// Gives a node the word that the splitting of the share which was prepared for it is in force.
pub(super) async fn order(
    app: &App,
    sessions: &Sessions,
    caller: &Caller,
    session_id: &SessionId,
    ask: &OrderAsk,
) -> Result<OrderInfo, Problem> {
    let (node, split_id) = (caller.node()?.to_owned(), ask.split_id.0);
    let mut tx = app.db.snapshot().await?;
    let session = store::session_in(&mut tx, session_id, caller.world.number()).await?;
    let records = store::records(&mut tx, session_id).await?;
    let row = records.into_iter().find(|row| *row.record.split_id() == split_id);
    let row = row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let holdings = store::holdings(&mut tx, &split_id).await?;
    if holdings.iter().all(|holding| holding.node != node) {
        return Err(Problem::new(&kinds::NOT_NODE));
    }
    let not_told = || Problem::new(&kinds::CONFLICT).detail("nothing tells that this splitting counts");
    if !row.counts {
        return Err(not_told());
    }
    tx.roll_back().await?;
    let found = sessions.in_force(app, &session).await?;
    // The refresh was committed here, which tells of an HMAC session what else k shares would: nobody's are looked at,
    // whatever request they wait for.
    let in_force = SessionInForce::clone(&found.session).settled(&row.record).map_err(|_| not_told())?;
    let (told, _) = in_force.session().ok_or_else(not_told)?;
    if *told.split_id() != split_id {
        return Err(not_told());
    }
    let stated = Statement::drop_older_shares(&node, &in_force, &[])?;
    let expiry = Timestamp::from_millis(app.clock.millis().saturating_add(LIFE))?;
    let key = operator_key(app).await?;
    let signature = stated.sign(app.log.domain(), &ask.nonce.0, expiry, &key);
    let zapis = row.record;
    Ok(OrderInfo { split_id: Name(split_id), expiry: Name(expiry), signature: signature.to_string(), zapis })
}
