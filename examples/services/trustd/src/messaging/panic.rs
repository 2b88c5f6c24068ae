//! A cry for help: those on call are told at once, ahead of whatever waits. Of somebody unknown it is marked so, and
//! limited, since numbers cost nothing.

use super::contacts;
use super::handle::Here;
use super::outbox::{Notice, tell_all};
use super::replies::{Reply, panic_told};
use super::rules::{HOUR, UNVERIFIED_APART};
use super::store;
use crate::alarms::{self, Alarm};
use platform::db::Tx;
use platform::problem::Problem;
use platform::values;

/// The same known sender is heard so often in ten minutes.
const KNOWN: u64 = 10;
/// How long an alarm is worth being told.
const TOLD: i64 = 6 * HOUR;

/// How the messages of a cry are called, to begin with.
pub(super) const ABOUT: &str = "panic:";

/// Tells those on call; what it is called, and what is answered.
pub(super) async fn raise(tx: &mut Tx, here: &Here<'_>) -> Result<(&'static str, Reply), Problem> {
    let (came, is_known) = (here.came, here.contact.is_some());
    let since = here.now - UNVERIFIED_APART;
    let outcome = if is_known { "panic" } else { "panic-unverified" };
    let of_sender = store::count(tx, store::OUTCOMES_OF, values![&came.sender, outcome, since]).await?;
    let is_limited = if is_known {
        of_sender >= KNOWN
    } else {
        let all = store::count(tx, store::OUTCOMES, values![outcome, here.now - HOUR]).await?;
        of_sender > 0 || all >= u64::from(here.app.config.messaging.unverified_alarms)
    };
    let on_call = contacts::on_call(tx).await?;
    if is_limited {
        return Ok(("panic-limited", Reply::PanicTold(on_call.len())));
    }
    let who = here.contact.map_or("", |contact| contact.name.as_str());
    let notice = |language| Notice {
        once: format!("{ABOUT}{}", came.id),
        subject: "PANIC".to_owned(),
        text: panic_told(who, &came.sender, is_known, &came.body, language),
        is_alarm: true,
        expires: here.now + TOLD,
    };
    tell_all(tx, &on_call, here.now, notice).await?;
    tracing::warn!(message = came.id, is_known, told = on_call.len(), "panic");
    if on_call.is_empty() {
        let detail = "somebody cried for help, and nobody is on call";
        alarms::write_in(here.app, tx, Alarm::Panic.as_str(), &came.id, detail).await?;
        return Ok((outcome, Reply::PanicUnheard));
    }
    Ok((outcome, Reply::PanicTold(on_call.len())))
}
