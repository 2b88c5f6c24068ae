//! A cry for help: those on call are told at once, ahead of whatever waits. Of somebody unknown it is marked so, and
//! limited, since numbers cost nothing; whoever is not passed on hears that.

use super::contacts;
use super::denial::is_denied;
use super::handle::Here;
use super::held::HELD;
use super::intents::Intent;
use super::outbox::{Notice, tell_all};
use super::reading::intent_of;
use super::replies::{Reply, panic_told};
use super::rules::{CODE_MILLIS, HOUR, UNVERIFIED_APART, code};
use super::store::{self, Came};
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

/// What a short text says to the question whether somebody needs help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Yes {
    /// The number that the question names, alone.
    One,
    /// A word that answers other questions as well, with up to two behind it.
    Word,
}

fn yes(text: &str) -> Option<Yes> {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words[..] {
        ["1"] => Some(Yes::One),
        // In Croatian that is "I am", "I do not".
        ["ja", "sam" | "ne" | "nisam", ..] => None,
        ["1" | "yes" | "da" | "ja" | "y", ..] if words.len() <= 3 && code(&text).is_none() && !takes_back(&words) => {
            Some(Yes::Word)
        }
        _ => None,
    }
}

/// Whether the words behind a yes take it back: "da ne treba", "ja kein notfall". "Da, ne mogu" does not.
fn takes_back(words: &[&str]) -> bool {
    let clause: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let cries = |word: &str| intent_of(word).is_some_and(|found| found.intent == Intent::Panic);
    clause.iter().enumerate().any(|(at, word)| (at == 0 || cries(word)) && is_denied(&clause, at, at))
}

/// A contact who is not understood is asked whether he needs help. His yes is a cry, with what he wrote before; a word
/// alone is one where nothing else went to him since, which it may answer.
pub(super) async fn confirmed(tx: &mut Tx, here: &Here<'_>) -> Result<Option<(&'static str, Reply)>, Problem> {
    let (Some(contact), Some(yes)) = (here.contact, yes(&here.came.body)) else { return Ok(None) };
    let since = values![&here.came.sender, here.now - CODE_MILLIS, here.now];
    let Some(asked) = tx.find(store::ASKED_FOR_HELP, since).await? else { return Ok(None) };
    if yes == Yes::Word {
        let question = format!("reply:{}", asked.text("id")?);
        let last = tx.find(store::LAST_TO, values![&contact.id, here.now, &question]).await?;
        let last = last.map(|row| row.maybe_text("once")).transpose()?.flatten();
        if last != Some(question) {
            return Ok(None);
        }
    }
    let body = format!("{}\n{}", asked.text("body")?, here.came.body);
    raise(tx, &Here { came: &Came { body, ..here.came.clone() }, ..*here }).await.map(Some)
}

/// Whether it is the first cry of an address that is its sender's in ten minutes.
pub(super) async fn is_first(tx: &mut Tx, here: &Here<'_>) -> Result<bool, Problem> {
    let lately = values![&here.came.sender, here.now - UNVERIFIED_APART, here.now];
    Ok(store::count(tx, store::CRIES_OF, lately).await? == 0)
}

/// No table has every cry: who is known is asked, past the bound of answers once in ten minutes.
pub(super) async fn ask(tx: &mut Tx, here: &Here<'_>) -> Result<(&'static str, Option<Reply>), Problem> {
    let lately = values![&here.came.sender, here.now - UNVERIFIED_APART, here.now];
    if here.contact.is_none() {
        Ok(("not-understood", Some(Reply::NotUnderstood)))
    } else if here.answers || here.is_person && tx.find(store::ASKED_FOR_HELP, lately).await?.is_none() {
        Ok(("asked-for-help", Some(Reply::NeedsHelp)))
    } else {
        Ok(("not-understood", None))
    }
}

/// Tells those on call; what it is called, and what is answered.
pub(super) async fn raise(tx: &mut Tx, here: &Here<'_>) -> Result<(&'static str, Reply), Problem> {
    let (came, is_known) = (here.came, here.contact.is_some());
    let since = here.now - UNVERIFIED_APART;
    let (outcome, most) = if is_known { ("panic", KNOWN) } else { ("panic-unverified", 1) };
    let verified = i64::from(came.is_verified);
    let before = values![&came.sender, verified, outcome, since, here.now];
    if store::count(tx, store::OUTCOMES_OF, before).await? >= most {
        // One of them is with those on call, or on its way: whatever else is said would be untrue.
        let told = store::count(tx, store::CRIES_TOLD, values![&came.sender, verified, since, here.now]).await?;
        return Ok(("panic-limited", if told > 0 { Reply::PanicToldBefore } else { Reply::PanicHeld }));
    }
    if !is_known {
        let all = store::count(tx, store::OUTCOMES, values![outcome, verified, here.now - HOUR, here.now]).await?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_a_yes() {
        for (text, said) in [
            (" 1!", Some(Yes::One)),
            ("Da", Some(Yes::Word)),
            ("Ja bitte", Some(Yes::Word)),
            ("yes, I do", Some(Yes::Word)),
            ("1 please", Some(Yes::Word)),
            ("ja sam dobro", None),
            ("da ne treba", None),
            ("ja kein notfall", None),
            ("da, ne", None),
            ("yes, no emergency", None),
            ("da, ne mogu", Some(Yes::Word)),
            ("da 123456", None),
            ("yes we have no bananas", None),
            ("dalje", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(yes(text), said, "{text}");
        }
    }
}
