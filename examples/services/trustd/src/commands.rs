//! The command line's verbs, over an opened platform: each prints what it did, and nothing that it did not do. Whoever
//! runs one has the master, so he is as good as a native.
//!
//! | file | what it is |
//! |---|---|
//! | `token`, `invite`, `node` | who may call the service |
//! | `backup` | copies of all of it |
//! | `restore` | taking one back |
//! | `rotate` | the next master |
//! | `chain` | reading everything, and holding it against each other |
//! | `export` | the log's checkpoint, for somebody outside |
//! | `gate` | whether a release runs here |
//! | `health` | asking a running service |
//! | `corpus` | how well phrases are told |
//! | `demo` | a day of a small fleet |
//! | `integrity` | what the deployer signed, and what differs |
//! | `peers` | a login at another service |
//! | `drawn` | the key of a login that is not answered yet |
//! | `mail` | an e-mail from a mail server's pipe |
//! | `serve` | the service |
//! | `stored` | what most of them open |

pub mod backup;
pub mod chain;
pub mod corpus;
pub mod demo;
mod drawn;
pub mod export;
pub mod gate;
pub mod health;
pub mod integrity;
pub mod invite;
pub mod mail;
pub mod node;
pub mod peers;
pub mod restore;
pub mod rotate;
pub mod serve;
mod stored;
pub mod token;

pub use stored::{Fault, Stored};

use crate::App;
use platform::Platform;
use platform::clock::Clock;
use platform::config::Config;
use platform::problem::Problem;
use std::fmt;
use std::io;

/// Why a command did not do what it says.
#[derive(Debug)]
pub enum Failed {
    /// What was asked for, or the store.
    Problem(Problem),
    /// Nobody reads what is printed.
    Output(io::Error),
}

impl<E: Into<Problem>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::Problem(error.into())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(problem) => problem.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failed {}

/// Prints a line.
fn say(out: &mut dyn io::Write, line: fmt::Arguments<'_>) -> Result<(), Failed> {
    writeln!(out, "{line}").map_err(Failed::Output)
}

/// A time of a row, as text.
fn time(millis: i64) -> String {
    dualseal::Timestamp::from_millis(millis).map_or_else(|_| millis.to_string(), |time| time.to_string())
}

/// The platform over a store that was founded, for a command beside the running service.
///
/// # Errors
/// [`Fault`].
pub async fn opened(config: Config, clock: Clock) -> Result<App, Fault> {
    let stored = Stored::open(&config, &clock).await?;
    let log = stored.log(&config).await?;
    let owners = stored.keys();
    Ok(Platform::open(config, clock, stored.db, log, owners).await?)
}

/// Prints what a node pins of this service, as the file of its settings has it.
///
/// # Errors
/// [`Fault`].
pub async fn pins(app: &App, out: &mut dyn io::Write) -> Result<(), Fault> {
    let crate::qt::Pins { domain, service_key, operator, log, page } = crate::qt::pins(app).await?;
    writeln!(out, "domain = {domain:?}\nservice_key = \"{service_key}\"\noperator = \"{operator}\"")?;
    writeln!(out, "log = {:?}\npage = \"{page}\"", log.to_text())?;
    Ok(())
}
