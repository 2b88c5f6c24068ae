//! Messages: short messages and e-mail in, what they are for and what comes of them, and messages out.
//!
//! | file | what it is |
//! |---|---|
//! | `types`, `people` | requests and answers |
//! | `rules` | states, what carriers reserve, waiting |
//! | `store` | rows of what came in |
//! | `routes` | the addresses |
//! | `intents`, `words`, `forms`, `slips`, `reading` | what a text is for: words, also mistyped, how they are read |
//! | `patterns`, `pattern`, `denial`, `frames` | the table, what is denied, and what only has words of a cry |
//! | `danger`, `signs`, `lexicon` | cries that no pattern has: classes of words, weights, how words are compared |
//! | `corpus` | labelled phrases, and how well they are told |
//! | `addresses`, `countries` | numbers and e-mail addresses; which country was entered |
//! | `authentic` | whether a webhook is authentic |
//! | `email` | e-mail as it comes in |
//! | `handle`, `panic`, `confirm`, `filing` | what becomes of a message: at once, of a cry, of a code, of attachments |
//! | `replies` | what is answered, in three languages |
//! | `contacts`, `changes` | people that are written to, and the entries of their changes |
//! | `direct` | a text that goes out at once, beside the service |
//! | `outbox`, `sender`, `providers` | messages out: rows, sending, the ways |
//! | `unheard` | messages that ended before they reached anybody |
//! | `held` | cries that were held back, told together |
//! | `alarms` | the service's alarms to those on call |
//! | `log` | the log of messages |
//! | `reports` | crossings that were reported, for another module |
//! | `service` | what all of it works with |

mod addresses;
mod alarms;
pub(crate) mod authentic;
mod changes;
mod confirm;
mod contacts;
pub mod corpus;
mod countries;
mod danger;
mod denial;
pub(crate) mod direct;
mod email;
mod filing;
mod forms;
mod frames;
mod handle;
mod held;
pub mod intents;
mod lexicon;
mod log;
mod meant;
mod outbox;
mod panic;
mod pattern;
mod patterns;
mod people;
mod providers;
mod reading;
mod replies;
mod reports;
pub(crate) mod routes;
mod rules;
mod sender;
mod service;
mod signs;
mod slips;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod unheard;
mod waits;
mod words;

pub use intents::Language;
pub(crate) use log::replies;
pub use outbox::{Notice, Outbox};
pub(crate) use providers::{seconds, secret};
pub use reading::intent_of;
pub use reports::{Report, Reports};
pub(crate) use routes::addresses as documented;
pub use routes::router;
pub(crate) use rules::one_line;
pub use service::{Facts, Messaging};
#[cfg(test)]
pub(crate) use unheard::turn as ended;

use crate::App;
use platform::db::Statement;
use platform::problem::Problem;
use platform::values;
use std::sync::Arc;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] =
    &[contacts::ALL, outbox::ALL, log::ALL, store::ALL, held::ALL, reports::ALL, unheard::ALL];

/// The words of a text, folded, each once: what a search goes by.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let found = words::Words::of(text);
    found.all().map(str::to_owned).collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// Sends what waits, until it is dropped.
pub async fn run(app: App, messaging: Arc<Messaging>) {
    sender::run(app, messaging).await;
}

/// Takes an e-mail without HTTP; `spf` is the domain for which SPF passed.
///
/// # Errors
/// It is none; the database.
pub async fn hand_over(
    app: &App,
    messaging: &Arc<Messaging>,
    raw: &[u8],
    spf: Option<&str>,
) -> Result<String, Problem> {
    let received = routes::webhooks::taken_mail(app, messaging, raw, spf).await?;
    let what = if received.is_duplicate { "duplicate" } else { "received" };
    Ok(format!("{} {what}", received.id))
}

/// Removes what is kept for longer than the settings say, and codes and attachments of yesterday: a job of every day.
///
/// # Errors
/// The database.
pub async fn sweep(app: &App) -> Result<(), Problem> {
    let now = app.clock.millis();
    let (kept, yesterday) =
        (now.saturating_sub(app.config.messaging.kept.millis()), now.saturating_sub(24 * rules::HOUR));
    for (statement, before) in [
        (store::SWEEP_CONFIRMATIONS, yesterday),
        (store::SWEEP_ATTACHED, yesterday),
        (store::SWEEP_IN, kept),
        (store::SWEEP_REPORTS, kept),
        (outbox::SWEEP, kept),
    ] {
        app.db.execute(statement, values![before]).await?;
    }
    Ok(())
}
