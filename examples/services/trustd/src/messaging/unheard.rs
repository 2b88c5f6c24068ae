//! Messages that ended before they reached anybody: the module that had somebody told hears of it, once, when no other
//! message of the same is under way or has got there.

use super::service::Messaging;
use crate::App;
use platform::db::statements;
use platform::problem::Problem;
use platform::values;

statements! {
    ENDED = "SELECT id, once FROM messages_out WHERE noted = 0 AND state IN ('failed', 'dead', 'expired') \
             AND world = 0 ORDER BY id LIMIT 200";
    NOTE = "UPDATE messages_out SET noted = 1 WHERE id = $1 AND noted = 0";
    /// The same to another contact, or a way on which it goes on.
    ELSEWHERE = "SELECT 1 AS one FROM messages_out WHERE about = $1 AND once LIKE $2 \
                 AND state NOT IN ('failed', 'dead', 'expired') LIMIT 1";
}

/// What a name of `once` is about: its first two parts, by which all that was told of it is found.
pub(super) fn about(once: &str) -> &str {
    let second = once.match_indices(':').nth(1);
    second.and_then(|(at, _)| once.get(..at)).unwrap_or(once)
}

/// Tells the modules what ended unheard.
///
/// # Errors
/// The database.
pub(crate) async fn turn(app: &App, messaging: &Messaging) -> Result<(), Problem> {
    loop {
        let rows = app.db.list(ENDED, values![]).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            let (id, once) = (row.text("id")?, row.maybe_text("once")?.unwrap_or_default());
            let mut tx = app.db.begin().await?;
            if tx.execute(NOTE, values![id]).await? == 1
                && let Some((told, _)) = once.rsplit_once(':')
                && tx.find(ELSEWHERE, values![about(&once), format!("{told}:%")]).await?.is_none()
            {
                for facts in &messaging.facts {
                    facts.unheard(app, &mut tx, told).await?;
                }
            }
            tx.commit().await?;
        }
    }
}
