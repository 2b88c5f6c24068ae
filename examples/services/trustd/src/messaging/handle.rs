//! What becomes of a message that came in: it is written down once, and what it causes with it, in one transaction.

use super::contacts::{self, Contact, Standing};
use super::intents::{Found, Intent, Language};
use super::outbox::{Notice, put_to};
use super::reading::intent_of;
use super::replies::Reply;
use super::rules::{self, CODE_MILLIS, CODE_TRIES, CODES_AN_HOUR, Channel, HOUR, Reserved};
use super::service::Messaging;
use super::store::{self, Came, Waits};
use super::{confirm, panic};
use crate::App;
use crate::alarms::{self, Alarm};
use dualseal_operator::secrets::Place;
use platform::access::World;
use platform::db::Tx;
use platform::problem::Problem;
use platform::values;
use std::sync::Arc;
use uuid::Uuid;

/// Strangers are answered so often in an hour, and no more: their messages cost nothing, and answers do.
const ANSWERS: u64 = 5;
/// The same of those who are known.
const ANSWERS_KNOWN: u64 = 60;

/// A message whose webhook was authentic.
#[derive(Clone, Debug)]
pub(crate) struct Inbound {
    pub(crate) channel: Channel,
    pub(crate) provider_id: String,
    pub(crate) sender: String,
    /// Whether the sender is who it says: of e-mail, whether his domain vouches for it.
    pub(crate) is_verified: bool,
    pub(crate) text: String,
    pub(crate) attached: Vec<(String, Vec<u8>)>,
    /// Whether a machine wrote it: it is not answered.
    pub(crate) is_automatic: bool,
}

/// What became of it.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) id: String,
    pub(crate) is_duplicate: bool,
    pub(crate) intent: Option<Intent>,
}

/// What a message is handled with.
pub(super) struct Here<'a> {
    pub(super) app: &'a App,
    pub(super) messaging: &'a Messaging,
    pub(super) came: &'a Came,
    pub(super) contact: Option<&'a Contact>,
    /// Whether the address is somebody's who is not active yet.
    pub(super) has_applied: bool,
    pub(super) language: Language,
    pub(super) now: i64,
    /// Whether he is who he says, and no machine: nobody else is answered.
    pub(super) is_person: bool,
    /// Whether he is answered whatever he wrote.
    pub(super) answers: bool,
}

/// Takes a message.
///
/// # Errors
/// The database, the log.
pub(crate) async fn receive(app: &App, messaging: &Arc<Messaging>, inbound: Inbound) -> Result<Received, Problem> {
    let now = app.clock.millis();
    let mut came = Came {
        id: Uuid::now_v7().to_string(),
        channel: inbound.channel,
        provider_id: inbound.provider_id.clone(),
        sender: inbound.sender.clone(),
        contact: None,
        is_verified: inbound.is_verified,
        time: now,
        body: rules::plain(&inbound.text),
    };
    let mut tx = app.db.begin().await?;
    let contact =
        if inbound.is_verified { contacts::writing(&mut tx, inbound.channel, &inbound.sender).await? } else { None };
    let has_applied = contact.as_ref().is_some_and(|contact| contact.state == Standing::Applied);
    let contact = contact.filter(|contact| contact.state == Standing::Active);
    came.contact = contact.as_ref().map(|contact| contact.id.clone());
    let found = intent_of(&came.body);
    if !store::add(&mut tx, &came, found.map(|found| found.intent), "received").await? {
        tx.roll_back().await?;
        let channel = came.channel.as_str();
        metrics::counter!("trustd_messages_received_total", "channel" => channel, "outcome" => "duplicate")
            .increment(1);
        let (id, intent) = store::same(&app.db, &came).await?.unwrap_or((came.id, None));
        return Ok(Received { id, is_duplicate: true, intent });
    }
    let lately = values![&came.sender, i64::from(came.is_verified), now - HOUR, now];
    let before = store::count(&mut tx, store::OF_SENDER, lately).await?;
    let is_person = inbound.is_verified && !inbound.is_automatic;
    let most = if contact.is_some() { ANSWERS_KNOWN } else { ANSWERS };
    let own = contact.as_ref().map(|contact| contact.language);
    let here = Here {
        app,
        messaging,
        came: &came,
        contact: contact.as_ref(),
        has_applied,
        language: own.or(found.map(|found| found.language)).unwrap_or(messaging.language),
        now,
        is_person,
        answers: is_person && before <= most,
    };
    let decided = decide(&mut tx, &here, found, &inbound).await?;
    let outcome = match decided {
        Decided::Done(outcome, reply) => {
            if let Some(reply) = reply {
                answer(&mut tx, &here, &reply).await?;
            }
            store::became(&mut tx, &came.id, found.map(|found| found.intent), outcome).await?;
            tx.commit().await?;
            outcome
        }
        // Its change is an entry: all of it is written there, this message among it.
        Decided::Logged(waits) => {
            tx.roll_back().await?;
            let waits = (waits, here.answers);
            let outcome = confirm::logged(app, messaging, came.clone(), contact.clone(), waits).await?;
            if outcome.is_none() {
                let (id, intent) = store::same(&app.db, &came).await?.unwrap_or((came.id, None));
                return Ok(Received { id, is_duplicate: true, intent });
            }
            outcome.unwrap_or_default()
        }
    };
    let channel = came.channel.as_str();
    metrics::counter!("trustd_messages_received_total", "channel" => channel, "outcome" => outcome).increment(1);
    messaging.wake.notify_one();
    Ok(Received { id: came.id, is_duplicate: false, intent: found.map(|found| found.intent) })
}

/// What is done with a message.
enum Decided {
    /// It is done, with what it is called, and what is answered.
    Done(&'static str, Option<Reply>),
    /// A code for what is written into the log.
    Logged(Waits),
}

async fn decide(tx: &mut Tx, here: &Here<'_>, found: Option<Found>, inbound: &Inbound) -> Result<Decided, Problem> {
    let (came, done) = (here.came, |outcome, reply| Ok(Decided::Done(outcome, Some(reply))));
    let is_panic = found.is_some_and(|found| found.intent == Intent::Panic);
    if !came.is_verified {
        // Its sender is anybody: those on call hear of a cry, and nothing else comes of it.
        let outcome = if is_panic { panic::raise(tx, here).await?.0 } else { "not-verified" };
        return Ok(Decided::Done(outcome, None));
    }
    let has_stopped = tx.find(store::STOPPED, values![&came.sender]).await?.is_some();
    match rules::reserved(&came.body, has_stopped) {
        Some(Reserved::Stop) => {
            let is_new = tx.execute(store::STOP, values![&came.sender, here.now]).await? == 1;
            if let Some(contact) = here.contact.filter(|contact| is_new && contact.on_call) {
                let detail =
                    format!("who is on call said STOP by {}, and is told nothing there", came.channel.as_str());
                alarms::write_in(here.app, tx, Alarm::OnCall.as_str(), &contact.id, &detail).await?;
            }
            return Ok(Decided::Done("stopped", None));
        }
        Some(Reserved::Start) => {
            tx.execute(store::START, values![&came.sender]).await?;
            return done("started", Reply::Started);
        }
        // Who is known, and says the commonest cry there is, is heard, too. In North America carriers have the word.
        Some(Reserved::Help) if is_panic && here.contact.is_some() && !has_carriers_words(came) => {
            answer_as(tx, here, "list", &Reply::Help).await?;
        }
        Some(Reserved::Help) => return done("helped", Reply::Help),
        None => {}
    }
    // A cry comes first: who cries confirms nothing, whatever numbers stand in it.
    if is_panic {
        return panic::raise(tx, here).await.map(|(outcome, reply)| Decided::Done(outcome, Some(reply)));
    }
    if let Some((outcome, reply)) = panic::confirmed(tx, here).await? {
        return done(outcome, reply);
    }
    if let Some(code) = rules::code(&came.body) {
        let rows = tx.list(store::OPEN, values![&came.sender, here.now, CODE_TRIES]).await?;
        let waits = store::waits(&rows)?;
        if !waits.is_empty() {
            return match waits.into_iter().find(|waits| waits.code == code) {
                None => {
                    tx.execute(store::MISSED, values![&came.sender]).await?;
                    done("wrong-code", Reply::WrongCode)
                }
                Some(waits) if matches!(waits.intent, Intent::JoinFleet | Intent::LeaveFleet) => {
                    Ok(Decided::Logged(waits))
                }
                Some(waits) => {
                    confirm::plain(tx, here, &waits).await.map(|(outcome, reply)| Decided::Done(outcome, reply))
                }
            };
        }
    }
    let Some(Found { intent, .. }) = found else {
        let (outcome, reply) = panic::ask(tx, here).await?;
        return Ok(Decided::Done(outcome, reply));
    };
    match intent {
        Intent::JoinFleet if here.contact.is_some() || here.has_applied => done("known-already", Reply::KnownAlready),
        Intent::JoinFleet => ask(tx, here, intent).await,
        _ if here.contact.is_none() => done("unregistered", Reply::Unregistered),
        Intent::LeaveFleet | Intent::ReportTrip => ask(tx, here, intent).await,
        Intent::DocUpload if inbound.attached.is_empty() => done("nothing-attached", Reply::NothingAttached),
        Intent::DocUpload => {
            keep(tx, here, &inbound.attached).await?;
            ask(tx, here, intent).await
        }
        Intent::Panic | Intent::QueryStatus => {
            let reply = status(tx, here).await?;
            done("answered", reply)
        }
    }
}

/// Whether carriers answer HELP themselves where a message came from.
fn has_carriers_words(came: &Came) -> bool {
    came.channel == Channel::Sms && came.sender.starts_with("+1")
}

/// Sends a code to the address: whoever wrote may have said to be somebody else.
async fn ask(tx: &mut Tx, here: &Here<'_>, intent: Intent) -> Result<Decided, Problem> {
    let asked = store::count(tx, store::ASKED, values![&here.came.sender, here.now - HOUR, here.now]).await?;
    if asked >= CODES_AN_HOUR {
        return Ok(Decided::Done("too-many-codes", (asked == CODES_AN_HOUR).then_some(Reply::TooManyCodes)));
    }
    let code = confirm::draw()?;
    tx.execute(store::LAPSE, values![&here.came.sender, intent.as_str()]).await?;
    let (id, expires) = (Uuid::now_v7().to_string(), here.now + CODE_MILLIS);
    let values = values![
        id,
        &here.came.sender,
        &here.came.id,
        intent.as_str(),
        here.language.as_str(),
        &code,
        here.now,
        expires
    ];
    tx.execute(store::ASK, values).await?;
    Ok(Decided::Done("asked", Some(Reply::Code(intent, code))))
}

/// Keeps attachments under the master, until they are filed.
async fn keep(tx: &mut Tx, here: &Here<'_>, attached: &[(String, Vec<u8>)]) -> Result<(), Problem> {
    for (number, (name, bytes)) in attached.iter().enumerate() {
        let sealed = here.app.secrets.seal(place(&here.came.id, number)?, bytes)?;
        tx.execute(store::ATTACH, values![&here.came.id, number, name, sealed.stored()]).await?;
    }
    Ok(())
}

/// Where an attachment stands: in another row it does not open.
pub(super) fn place(message: &str, number: usize) -> Result<Place, dualseal::Error> {
    Place::new("messages_attached", format!("{message}/{number}").as_bytes(), "document")
}

async fn status(tx: &mut Tx, here: &Here<'_>) -> Result<Reply, Problem> {
    let Some(identity_id) = here.contact.and_then(|contact| contact.identity_id) else {
        return Ok(Reply::StatusUnknown);
    };
    let mut lines = Vec::new();
    for facts in &here.messaging.facts {
        lines.extend(facts.of(here.app, tx, &identity_id, here.language).await?);
    }
    Ok(if lines.is_empty() { Reply::StatusUnknown } else { Reply::Status(lines) })
}

/// Answers whoever wrote, by the way on which he did.
pub(super) async fn answer(tx: &mut Tx, here: &Here<'_>, reply: &Reply) -> Result<(), Problem> {
    answer_as(tx, here, "reply", reply).await
}

async fn answer_as(tx: &mut Tx, here: &Here<'_>, name: &str, reply: &Reply) -> Result<(), Problem> {
    // Who cries, or may, is answered past the bound, too.
    let answers = here.answers
        || *reply == Reply::NeedsHelp
        || here.is_person && reply.is_of_panic() && panic::is_first(tx, here).await?;
    if !answers {
        return Ok(());
    }
    let mut notice = Notice::reply(format!("{name}:{}", here.came.id), &reply.text(here.language), here.now);
    notice.is_alarm = reply.overtakes();
    let ways = [(here.came.channel, here.came.sender.clone())];
    let recipient = here.contact.map_or(here.came.sender.as_str(), |contact| contact.id.as_str());
    let contact = here.contact.map(|contact| contact.id.as_str());
    put_to(tx, (recipient, contact), &ways, &notice, here.now, World::Real).await?;
    Ok(())
}
