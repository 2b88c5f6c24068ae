//! Sending what waits: on lease, so that another process takes over from one that died; several recipients at once, and
//! each in its order.

use super::outbox::{self, ALARM, Leased};
use super::providers::{Letter, Refused};
use super::rules::next_attempt;
use super::{Messaging, held, store, unheard};
use crate::App;
use dualseal::SystemRng;
use dualseal::rand_core::TryRng as _;
use futures::future::join_all;
use platform::access::World;
use platform::db::DbError;
use platform::problem::Problem;
use platform::values;
use std::sync::Arc;
use std::time::Duration;

/// A provider has twenty seconds; whoever has a message longer than this has died.
const LEASE: i64 = 60_000;
/// How many are sent at once.
const AT_ONCE: u32 = 16;
/// How long it rests where nothing waits.
const REST: Duration = Duration::from_secs(1);
/// An alarm goes on to the next way after so many attempts.
const ALARM_ATTEMPTS: i64 = 2;
/// On the last way; at most every quarter of an hour that is longer than a message lives.
const MOST_ATTEMPTS: i64 = 1000;

/// Sends what is due at this time, until nothing is; says how many attempts that were.
///
/// # Errors
/// The database.
pub(crate) async fn turn(app: &App, messaging: &Arc<Messaging>, now: i64) -> Result<usize, Problem> {
    let mut tried = 0;
    loop {
        let leased = outbox::lease(&app.db, now, now.saturating_add(LEASE), AT_ONCE).await?;
        if leased.is_empty() {
            return Ok(tried);
        }
        tried += leased.len();
        let sent = join_all(leased.iter().map(|message| send(app, messaging, message, now))).await;
        sent.into_iter().collect::<Result<Vec<()>, _>>()?;
    }
}

/// Sends again and again, and beside it finds out what there is to tell, until it is dropped. None of it waits for
/// another: where one fails, or a table is held by somebody, the others go on.
pub(crate) async fn run(app: App, messaging: Arc<Messaging>) {
    let (app, messaging) = (&app, &messaging);
    tokio::join!(
        Box::pin(sends(app, messaging)),
        Box::pin(again("cries that were held back are not told", || held::turn(app, app.clock.millis()))),
        Box::pin(again("alarms are not told", || super::alarms::alarms(app, messaging, app.clock.millis()))),
        Box::pin(again("attachments are not filed", || super::filing::turn(app, messaging))),
        Box::pin(again("what reached nobody is not told", || unheard::turn(app, messaging))),
    );
}

async fn sends(app: &App, messaging: &Arc<Messaging>) {
    loop {
        if let Err(problem) = round(app, messaging).await {
            tracing::error!(%problem, "messages are not sent");
        }
        tokio::select! {
            () = tokio::time::sleep(REST) => {}
            () = messaging.wake.notified() => {}
        }
    }
}

async fn again<F: Future<Output = Result<(), Problem>>>(what: &str, step: impl Fn() -> F) {
    loop {
        if let Err(problem) = step().await {
            tracing::error!(%problem, "{what}");
        }
        tokio::time::sleep(REST).await;
    }
}

async fn round(app: &App, messaging: &Arc<Messaging>) -> Result<(), Problem> {
    let now = app.clock.millis();
    turn(app, messaging, now).await?;
    if let Some(row) = app.db.find(outbox::WAITING, values![]).await? {
        let (found, oldest) = (row.number("found")?, row.maybe_number("oldest")?);
        #[allow(clippy::cast_precision_loss, reason = "measures are numbers with a fraction")]
        let (found, age) = (found as f64, oldest.map_or(0.0, |oldest| (now - oldest).max(0) as f64 / 1000.0));
        metrics::gauge!("trustd_messages_waiting").set(found);
        metrics::gauge!("trustd_messages_oldest_seconds").set(age);
    }
    Ok(())
}

async fn send(app: &App, messaging: &Messaging, message: &Leased, now: i64) -> Result<(), DbError> {
    let Some((channel, address)) = message.ways.get(message.way) else {
        return end(app, message, now, true, "there is no way to this recipient").await;
    };
    let channel = channel.as_str();
    // Whoever said STOP at one address did not say it at another.
    let has_stopped = app.db.find(store::STOPPED, values![address]).await?.is_some();
    let sent = match messaging.providers.get(channel) {
        _ if has_stopped => Err(Refused::Never("the recipient said STOP".to_owned())),
        None => Err(Refused::Never("no provider is set for this way".to_owned())),
        Some(_) if message.world == World::Decoy => Ok(None),
        Some(provider) => {
            let Leased { id, subject, body, .. } = message.clone();
            provider.send(&Letter { id, to: address.clone(), subject, body }).await
        }
    };
    let outcome = match &sent {
        Ok(_) => "sent",
        Err(Refused::Later(..)) => "later",
        Err(Refused::Never(_)) => "refused",
    };
    metrics::counter!("trustd_messages_sent_total", "channel" => channel, "outcome" => outcome).increment(1);
    let has_next = message.way + 1 < message.ways.len();
    let most = if message.rank == ALARM { ALARM_ATTEMPTS } else { i64::from(app.config.messaging.attempts) };
    let (id, attempts) = (&message.id, message.attempts);
    match sent {
        Ok(provider_id) => {
            app.db.execute(outbox::SENT, values![id, attempts, provider_id, now, message.way]).await?;
        }
        Err(Refused::Never(why)) if has_next => {
            app.db.execute(outbox::NEXT_WAY, values![id, attempts, why, now]).await?;
        }
        Err(Refused::Later(_, why)) if has_next && attempts >= most => {
            app.db.execute(outbox::NEXT_WAY, values![id, attempts, why, now]).await?;
        }
        Err(Refused::Never(why)) => end(app, message, now, true, &why).await?,
        // The last way is tried as long as the message is worth anything.
        Err(Refused::Later(_, why)) if attempts >= MOST_ATTEMPTS => end(app, message, now, false, &why).await?,
        Err(Refused::Later(after, why)) => {
            let at = next_attempt(now, attempts, after, drawn());
            app.db.execute(outbox::AGAIN, values![id, attempts, why, at, now]).await?;
        }
    }
    Ok(())
}

async fn end(app: &App, message: &Leased, now: i64, is_final: bool, why: &str) -> Result<(), DbError> {
    tracing::warn!(id = message.id, why, "a message was given up");
    let state = outbox::given_up(is_final);
    app.db.execute(outbox::GIVEN_UP, values![&message.id, message.attempts, state, why, now]).await?;
    Ok(())
}

fn drawn() -> u64 {
    let mut bytes = [0; 8];
    // Without randomness all wait alike, which is worse and works.
    SystemRng.try_fill_bytes(&mut bytes).unwrap_or_default();
    u64::from_le_bytes(bytes)
}
