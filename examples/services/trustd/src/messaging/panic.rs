//! A cry for help: those on call are told at once, ahead of whatever waits. Of somebody unknown it is marked so, and
//! limited, since numbers cost nothing; whoever is not passed on hears that.

use super::contacts;
use super::handle::Here;
use super::held::HELD;
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
    let (outcome, most) = if is_known { ("panic", KNOWN) } else { ("panic-unverified", 1) };
    if store::count(tx, store::OUTCOMES_OF, values![&came.sender, outcome, since]).await? >= most {
        // One of them is with those on call, or on its way: whatever else is said would be untrue.
        let told = store::count(tx, store::CRIES_TOLD, values![&came.sender, since]).await?;
        return Ok(("panic-limited", if told > 0 { Reply::PanicToldBefore } else { Reply::PanicHeld }));
    }
    if !is_known {
        let all = store::count(tx, store::OUTCOMES, values![outcome, here.now - HOUR]).await?;
        if all >= u64::from(here.app.config.messaging.unverified_alarms) {
            return Ok((HELD, Reply::PanicHeld));
        }
    }
    let on_call = here.messaging.reachable(contacts::on_call(tx).await?);
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
        let detail = "somebody cried for help, and nobody is on call whom a way leads to";
        alarms::write_in(here.app, tx, Alarm::Panic.as_str(), &came.id, detail).await?;
        return Ok((outcome, Reply::PanicUnheard));
    }
    Ok((outcome, Reply::PanicTold(on_call.len())))
}
