//! Services whose peers are not read: nobody looks at a line of the log each ten minutes.

use crate::App;
use crate::alarms::{self, Alarm};
use platform::db::statements;
use platform::problem::Problem;
use platform::values;

statements! {
    /// Whichever process asks.
    FAILED = "INSERT INTO peer_sources (source, failed, told) VALUES ($1, 1, 0) \
              ON CONFLICT (source) DO UPDATE SET failed = peer_sources.failed + 1";
    STANDS = "SELECT failed, told FROM peer_sources WHERE source = $1";
    TOLD = "UPDATE peer_sources SET told = 1 WHERE source = $1";
    READ = "DELETE FROM peer_sources WHERE source = $1";
}

/// What fails twice may be a restart.
const TURNS: i64 = 3;

/// One was not read: three turns in a row are an alarm, once until it is read again.
pub(super) async fn unread(app: &App, source: &str, reason: &str) -> Result<(), Problem> {
    let mut tx = app.db.begin().await?;
    tx.execute(FAILED, values![source]).await?;
    if let Some(row) = tx.find(STANDS, values![source]).await?
        && row.number("failed")? >= TURNS
        && row.number("told")? == 0
    {
        let detail = format!("its peers were not read in {TURNS} turns: {reason}");
        // One that comes too soon after another is told by a later turn.
        if alarms::write_in(&mut tx, app.clock.millis(), Alarm::Peers.as_str(), source, &detail).await? {
            tx.execute(TOLD, values![source]).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// One was read.
pub(super) async fn read(app: &App, source: &str) -> Result<(), Problem> {
    app.db.execute(READ, values![source]).await?;
    Ok(())
}
