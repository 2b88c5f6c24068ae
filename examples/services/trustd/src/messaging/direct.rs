//! A text that goes out at once, by one way: of whoever runs beside the service, which may be dead.

use super::providers::{self, Letter, Refused};
use super::rules::Channel;
use platform::config::Config;
use uuid::Uuid;

/// By which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The messenger's relay.
    Relay,
    /// E-mail.
    Email,
}

/// Sends a text.
///
/// # Errors
/// The way is not set, or does not take it: in words, without any secret.
pub(crate) async fn send(config: &Config, by: By, to: &str, (subject, body): (&str, &str)) -> Result<(), String> {
    let channel = match by {
        By::Relay => Channel::Relay,
        By::Email => Channel::Email,
    };
    let ways = providers::open(config)?;
    let way = ways.get(channel.as_str()).ok_or_else(|| format!("messaging has no {}", channel.as_str()))?;
    let (id, to) = (Uuid::now_v7().to_string(), to.to_owned());
    let letter = Letter { id, to, subject: subject.to_owned(), body: body.to_owned() };
    match way.send(&letter).await {
        Ok(_) => Ok(()),
        Err(Refused::Later(_, reason) | Refused::Never(reason)) => Err(reason),
    }
}
