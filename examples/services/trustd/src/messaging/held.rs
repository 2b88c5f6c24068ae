//! Cries of strangers past the bound over all of them: natives and those on call hear of them together, once an hour.

use super::rules::HOUR;
use crate::App;
use crate::alarms::{self, Alarm};
use platform::db::statements;
use platform::problem::Problem;
use platform::values;

/// What a cry is called that was held back, until it is told of.
pub(super) const HELD: &str = "panic-held";
/// The subject of the alarm.
const SUBJECT: &str = "held";

statements! {
    WAITS = "SELECT 1 AS one FROM messages_in WHERE outcome = 'panic-held' AND time > $1 LIMIT 1";
    TELL = "UPDATE messages_in SET outcome = 'panic-held-told' WHERE outcome = 'panic-held' AND time > $1";
}

/// Raises the alarm of an hour, where a cry waits for it.
///
/// # Errors
/// The database.
pub(crate) async fn turn(app: &App, now: i64) -> Result<(), Problem> {
    let since = now - 24 * HOUR;
    if app.db.find(WAITS, values![since]).await?.is_none() || alarms::is_told(app, Alarm::Panic, SUBJECT).await? {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    let held = tx.execute(TELL, values![since]).await?;
    let most = app.config.messaging.unverified_alarms;
    let detail = format!(
        "cries of strangers that were held back, beyond {most} in an hour: {held}; they were told to call 112, and \
         GET /api/v1/messaging/log has what they say"
    );
    // Of two processes one told them.
    if held == 0 || !alarms::write_in(app, &mut tx, Alarm::Panic.as_str(), SUBJECT, &detail).await? {
        return Ok(tx.roll_back().await?);
    }
    Ok(tx.commit().await?)
}
