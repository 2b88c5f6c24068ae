//! The end of requests: their time is over, they were used, or their vault is erased.

use super::super::{Line, name};
use super::{EXPIRE, KEYS, OF_VAULT, RequestRow, WIPE, find, key_place};
use crate::App;
use crate::qt::rules::check_open;
use platform::db::{DbError, Tx};
use platform::problem::Problem;
use platform::secrets::ErasureKeys;
use platform::values;
use uuid::Uuid;

/// Destroys what nodes released for a request: its key first of all.
pub(crate) async fn destroy(tx: &mut Tx, id: &Uuid) -> Result<(), Problem> {
    ErasureKeys::remove(tx, &key_place(id)?).await?;
    tx.execute(WIPE, values![id.to_string(), Vec::<u8>::new()]).await?;
    Ok(())
}

/// Ends the requests whose time is over, and destroys what nodes released for them, and for those that were used where
/// a crash came between; says how many. It looks at the requests that have a key, which are those that count.
///
/// # Errors
/// The database.
pub(crate) async fn sweep(app: &App) -> Result<usize, Problem> {
    if app.config.read_only {
        return Ok(0);
    }
    let (now, mut over) = (app.clock.millis(), Vec::new());
    for row in app.db.list(KEYS, values![]).await? {
        let id = Uuid::from_slice(&row.bytes("line")?).map_err(|_| DbError::Column("line"))?;
        let request = find(&app.db, &id).await?;
        let counts = |row: &RequestRow| check_open(row.state, row.expiry.as_millis(), now).is_ok();
        if !request.as_ref().is_some_and(counts) {
            over.push(id);
        }
    }
    if over.is_empty() {
        return Ok(0);
    }
    let mut tx = app.db.begin().await?;
    for id in &over {
        tx.execute(EXPIRE, values![id.to_string()]).await?;
        destroy(&mut tx, id).await?;
    }
    tx.commit().await?;
    Ok(over.len())
}

/// Ends the requests of a vault that is erased.
pub(crate) async fn end_of_vault(tx: &mut Tx, (vault_id, world): &Line) -> Result<(), Problem> {
    for row in tx.list(OF_VAULT, values![vault_id.to_hex(), world.number()]).await? {
        let id: Uuid = name(&row, "id")?;
        tx.execute(EXPIRE, values![id.to_string()]).await?;
        destroy(tx, &id).await?;
    }
    Ok(())
}
