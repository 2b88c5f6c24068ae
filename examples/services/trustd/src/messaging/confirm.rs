//! What a code that came back confirms.

use super::contacts::{Change, Contact, Standing};
use super::countries::entered;
use super::handle::Here;
use super::intents::{Intent, Language};
use super::outbox::{Notice, put_to};
use super::replies::Reply;
use super::rules::Channel;
use super::service::Messaging;
use super::store::{self, Came, Waits};
use crate::App;
use crate::personal::Personal;
use dualseal::rand_core::TryRng as _;
use dualseal::{Entry, SystemRng};
use dualseal_operator::step::{Changes, State as LogState, Step};
use platform::access::World;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use uuid::Uuid;

/// Draws a code: six digits.
pub(super) fn draw() -> Result<String, Problem> {
    let mut bytes = [0; 8];
    SystemRng.try_fill_bytes(&mut bytes).map_err(|_| dualseal::Error::Randomness)?;
    Ok(format!("{:06}", u64::from_le_bytes(bytes) % 1_000_000))
}

/// What leaves no entry.
pub(super) async fn plain(
    tx: &mut Tx,
    here: &Here<'_>,
    waits: &Waits,
) -> Result<(&'static str, Option<Reply>), Problem> {
    let Some(contact) = here.contact else { return Ok(("unregistered", Some(Reply::Unregistered))) };
    if waits.intent == Intent::DocUpload {
        // It is filed behind the answer; then its sender is told.
        tx.execute(store::CONFIRM, values![&waits.id, "filing"]).await?;
        return Ok(("filing", None));
    }
    tx.execute(store::CONFIRM, values![&waits.id, "done"]).await?;
    let row = tx.find(store::FIND, values![&waits.message]).await?;
    let Some(row) = row else { return Ok(("wrong-code", Some(Reply::WrongCode))) };
    let (text, time) = (row.text("body")?, row.number("time")?);
    let (country, id) = (entered(&text), Uuid::now_v7().to_string());
    let identity_id = contact.identity_id.map(|id| id.to_hex());
    let values = values![id, &waits.message, &contact.id, identity_id, country, text, time];
    tx.execute(store::REPORT, values).await?;
    Ok(("reported", Some(Reply::Reported(country))))
}

/// Somebody comes or goes: the message, the change of the contact, its entry and the answer in one transaction. `None`
/// where another copy of the message came before. Who is not answered elsewhere is not answered here.
pub(super) async fn logged(
    app: &App,
    messaging: &Messaging,
    came: Came,
    contact: Option<Contact>,
    (waits, answers): (Waits, bool),
) -> Result<Option<&'static str>, Problem> {
    let leaving = contact.filter(|_| waits.intent == Intent::LeaveFleet);
    let (reply, outcome, contact, what) = if let Some(mut contact) = leaving {
        contact.leave();
        contact.version += 1;
        (Reply::Left, "left", contact, "left")
    } else {
        (Reply::Joined, "joined", applicant(&came, waits.language), "applied")
    };
    let text = answers.then(|| reply.text(waits.language));
    let now = app.clock.millis();
    let change = Change { contact, what, now, world: World::Real, idempotency: Idempotency::default() };
    match app.log.submit(Confirmed { came, waits, change, outcome, text, now }).await {
        Ok(()) => {
            messaging.wake.notify_one();
            Ok(Some(outcome))
        }
        Err(problem) if problem.kind() == &kinds::CONFLICT => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Whoever asked to join: his address is all that is known of him.
fn applicant(came: &Came, language: Language) -> Contact {
    let address = |is: bool| is.then(|| came.sender.clone());
    let is_email = came.channel == Channel::Email;
    Contact {
        id: Uuid::now_v7().to_string(),
        name: came.sender.clone(),
        identity_id: None,
        phone: address(!is_email),
        email: address(is_email),
        relay: None,
        language,
        on_call: false,
        state: Standing::Applied,
        version: 1,
    }
}

struct Confirmed {
    came: Came,
    waits: Waits,
    change: Change,
    outcome: &'static str,
    /// What is answered, where anything is.
    text: Option<String>,
    now: i64,
}

impl Work for Confirmed {
    type Read = Personal;
    type Made = (Personal, Entry);
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &LogState) -> Result<Personal, Problem> {
        self.change.personal()
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(Personal, Entry), Problem> {
        let entry = personal.append(step)?;
        Ok((personal, entry))
    }

    async fn rows(&self, tx: &mut Tx, (personal, entry): Self::Made, _: &Changes) -> Result<(), Problem> {
        let Self { came, waits, change, outcome, text, now } = self;
        let is_new = store::add(tx, came, Some(waits.intent), outcome).await?;
        if !is_new || tx.execute(store::CONFIRM, values![&waits.id, "done"]).await? != 1 {
            return Err(Problem::new(&kinds::CONFLICT));
        }
        change.row(tx).await?;
        personal.keep(tx, &entry, ("contacts", &change.contact.id)).await?;
        if let Some(text) = text {
            let (id, ways) = (&change.contact.id, [(came.channel, came.sender.clone())]);
            let notice = Notice::reply(format!("reply:{}", came.id), text, *now);
            put_to(tx, (id, Some(id)), &ways, &notice, *now, World::Real).await?;
        }
        Ok(())
    }
}
