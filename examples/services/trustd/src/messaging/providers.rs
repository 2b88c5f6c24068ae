//! The ways out: one small trait, and who is behind it.
//!
//! | file | what it is |
//! |---|---|
//! | `rest` | what answers over HTTP mean |
//! | `sms` | short messages, by a REST interface shaped as Twilio's |
//! | `smtp` | e-mail, by a mail server |
//! | `relay` | a messenger's relay, shaped as Telegram's |

mod relay;
mod rest;
mod sms;
mod smtp;

pub(crate) use rest::seconds;

use super::rules::Channel;
use futures::future::BoxFuture;
use platform::config::{Config, MessagingConfig};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use zeroize::Zeroizing;

/// How long a provider may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A message as a provider gets it.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// Its name, which it keeps in every attempt: the key of idempotency, where a provider keeps those.
    pub(crate) id: String,
    /// To whom.
    pub(crate) to: String,
    /// What about; short messages have no room for it.
    pub(crate) subject: String,
    /// What it says.
    pub(crate) body: String,
}

/// Why a provider has it not, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It is tried again, after so many seconds where the provider says.
    Later(Option<u64>, String),
    /// It will never take it.
    Never(String),
}

/// A way out.
pub(crate) trait Provider: fmt::Debug + Send + Sync {
    /// Hands a message over. What comes back names it there, for receipts.
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Option<String>, Refused>>;
}

/// Those that the settings name.
pub(crate) type Providers = BTreeMap<&'static str, Arc<dyn Provider>>;

/// Opens them.
///
/// # Errors
/// A file that is not read, or an address that is none, in words.
pub(crate) fn open(config: &Config) -> Result<Providers, String> {
    let messaging = &config.messaging;
    let mut providers = Providers::new();
    if let Some(sms) = sms::Sms::open(messaging, &config.base_url)? {
        providers.insert(Channel::Sms.as_str(), Arc::new(sms));
    }
    if let Some(smtp) = smtp::Smtp::open(messaging)? {
        providers.insert(Channel::Email.as_str(), Arc::new(smtp));
    }
    if let Some(relay) = relay::Relay::open(messaging)? {
        providers.insert(Channel::Relay.as_str(), Arc::new(relay));
    }
    Ok(providers)
}

/// A secret of one line.
pub(crate) fn secret(file: &Path) -> Result<Zeroizing<String>, String> {
    let text = Zeroizing::new(std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?);
    let line = text.trim();
    if line.is_empty() { Err(format!("{}: is empty", file.display())) } else { Ok(Zeroizing::new(line.to_owned())) }
}

/// The token with which the provider of short messages signs, where there is one.
pub(crate) fn sms_token(config: &MessagingConfig) -> Result<Option<Zeroizing<String>>, String> {
    config.sms_token_file.as_deref().map(secret).transpose()
}
