//! Messages that ended before they reached anybody: the module that had somebody told hears of it, once, when no other
//! message of the same is under way or has got there. A cry for help is messaging's own.

use super::outbox::{Notice, put_to, ways};
use super::panic;
use super::reading::intent_of;
use super::replies::Reply;
use super::service::Messaging;
use super::store;
use crate::App;
use crate::alarms::{self, Alarm};
use platform::access::World;
use platform::db::{DbError, Row, statements};
use platform::problem::Problem;
use platform::values;

statements! {
    ENDED = "SELECT id, once FROM messages_out WHERE noted = 0 AND state IN ('failed', 'dead', 'expired') \
             AND world = 0 AND id > $1 ORDER BY id LIMIT 200";
    NOTE = "UPDATE messages_out SET noted = 1 WHERE id = $1 AND noted = 0";
    /// The same to another contact, or a way on which it goes on.
    ELSEWHERE = "SELECT 1 AS one FROM messages_out WHERE about = $1 AND once LIKE $2 \
                 AND state NOT IN ('failed', 'dead', 'expired') LIMIT 1";
}

const UNREACHED: &str = "somebody cried for help, and no message reached those on call";

/// What a name of `once` is about: its first two parts, by which all that was told of it is found.
pub(super) fn about(once: &str) -> &str {
    let second = once.match_indices(':').nth(1);
    second.and_then(|(at, _)| once.get(..at)).unwrap_or(once)
}

/// Tells the modules what ended unheard. One of which that fails keeps no other from it, and is tried again at the next
/// turn.
///
/// # Errors
/// The database.
pub(crate) async fn turn(app: &App, messaging: &Messaging) -> Result<(), Problem> {
    let mut after = String::new();
    loop {
        let rows = app.db.list(ENDED, values![&after]).await?;
        // A name that does not read is behind all that do: there is nothing to go on from.
        let Some(last) = rows.iter().rev().find_map(|row| row.text("id").ok()) else { return Ok(()) };
        after = last;
        for row in &rows {
            if let Err(problem) = one(app, messaging, row).await {
                tracing::error!(%problem, "what became of a message that reached nobody is not told yet");
            }
        }
    }
}

async fn one(app: &App, messaging: &Messaging, row: &Row) -> Result<(), Problem> {
    let (id, once) = (row.text("id")?, row.maybe_text("once")?.unwrap_or_default());
    let told = once.rsplit_once(':').map(|(told, _)| told);
    let elsewhere = told.map(|told| values![about(&once), format!("{told}:%")]);
    if let Some(cry) = told.and_then(|told| told.strip_prefix(panic::ABOUT))
        && let Some(elsewhere) = &elsewhere
        && app.db.find(ELSEWHERE, elsewhere.clone()).await?.is_none()
        && let Err(fault) = take_back(app, messaging, cry).await
    {
        // Natives hear of it all the same, and he does when the fault is over.
        if !matches!(fault, DbError::Column(_)) {
            alarms::write(app, Alarm::Panic.as_str(), cry, UNREACHED).await?;
            return Err(fault.into());
        }
        tracing::error!(%fault, cry, "who cried for help is not told that nobody was reached");
    }
    let mut tx = app.db.begin().await?;
    if tx.execute(NOTE, values![id]).await? == 1
        && let (Some(told), Some(elsewhere)) = (told, elsewhere)
        && tx.find(ELSEWHERE, elsewhere).await?.is_none()
    {
        if let Some(cry) = told.strip_prefix(panic::ABOUT) {
            alarms::write_in(app, &mut tx, Alarm::Panic.as_str(), cry, UNREACHED).await?;
        }
        for facts in &messaging.facts {
            facts.unheard(app, &mut tx, told).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// Whoever cried was answered that those on call are being told. None was: he hears that, too, by the same way.
async fn take_back(app: &App, messaging: &Messaging, cry: &str) -> Result<(), DbError> {
    let (mut tx, now) = (app.db.begin().await?, app.clock.millis());
    let Some(row) = tx.find(store::ANSWERED, values![cry]).await? else { return Ok(()) };
    let (recipient, contact) = (row.text("recipient")?, row.maybe_text("contact")?);
    let own = row.maybe_text("language")?.and_then(|text| text.parse().ok());
    let language = own.or_else(|| intent_of(&row.text("body").ok()?).map(|found| found.language));
    let text = Reply::PanicUnheard.text(language.unwrap_or(messaging.language));
    let notice = Notice { is_alarm: true, ..Notice::reply(format!("unheard:{cry}"), &text, now) };
    put_to(&mut tx, (&recipient, contact.as_deref()), &ways(&row)?.0, &notice, now, World::Real).await?;
    tx.commit().await
}
