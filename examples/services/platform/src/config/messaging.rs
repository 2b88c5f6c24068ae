//! Messages: how they come in, and which ways they have out.

use super::Seconds;
use crate::near::is_private;
use serde::Deserialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use url::Url;

/// Messages.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MessagingConfig {
    /// `hr`, `en` or `de`: what strangers are answered in whose language is not seen.
    pub language: String,
    /// The file of the key of the generic webhook: at least 32 bytes, which its sender has too.
    pub webhook_key_file: Option<PathBuf>,
    /// The address of the REST interface that SMS go to.
    pub sms_url: Url,
    /// The account there; without it no SMS leaves, and no webhook of this provider comes in.
    pub sms_account: Option<String>,
    /// The file of its token.
    pub sms_token_file: Option<PathBuf>,
    /// The number, E.164, that SMS come from.
    pub sms_from: Option<String>,
    /// The mail server; without it no e-mail leaves.
    pub smtp_host: Option<String>,
    /// Its port.
    pub smtp_port: u16,
    /// Whether it is spoken to by STARTTLS alone; only a server on this machine may be spoken to without.
    pub smtp_starttls: bool,
    /// The file of the certificate (PEM) that it is known by, where no public authority vouches for it.
    pub smtp_ca_file: Option<PathBuf>,
    /// The user there.
    pub smtp_user: Option<String>,
    /// The file of the user's password.
    pub smtp_password_file: Option<PathBuf>,
    /// The address that e-mail comes from.
    pub mail_from: Option<String>,
    /// The address of the messenger's relay, which is tried where the first way fails.
    pub relay_url: Option<Url>,
    /// The file of its token.
    pub relay_token_file: Option<PathBuf>,
    /// The name server that is asked for keys of DKIM; the machine's own without it.
    pub dns: Option<SocketAddr>,
    /// How often one way is tried before the next one.
    pub attempts: u32,
    /// After how long a message is not sent any more.
    pub expires: Seconds,
    /// How long messages are kept.
    pub kept: Seconds,
    /// How many alarms of unknown senders reach those on call within an hour.
    pub unverified_alarms: u32,
}

impl Default for MessagingConfig {
    fn default() -> Self {
        Self {
            language: "hr".into(),
            webhook_key_file: None,
            sms_url: Url::parse("https://api.twilio.com/").unwrap_or_else(|_| unreachable!("it is an address")),
            sms_account: None,
            sms_token_file: None,
            sms_from: None,
            smtp_host: None,
            smtp_port: 587,
            smtp_starttls: true,
            smtp_ca_file: None,
            smtp_user: None,
            smtp_password_file: None,
            mail_from: None,
            relay_url: None,
            relay_token_file: None,
            dns: None,
            attempts: 5,
            expires: Seconds(86_400),
            kept: Seconds(400 * 86_400),
            unverified_alarms: 12,
        }
    }
}

/// What is wrong with them.
pub(super) fn faults(config: &MessagingConfig) -> Vec<&'static str> {
    let is_local = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1");
    let number =
        |text: &String| text.strip_prefix('+').is_some_and(|rest| rest.bytes().all(|one| one.is_ascii_digit()));
    let rules = [
        (matches!(config.language.as_str(), "hr" | "en" | "de"), "messaging.language: is neither hr, en nor de"),
        (
            config.sms_account.is_some() == (config.sms_token_file.is_some() && config.sms_from.is_some()),
            "messaging.sms_account: needs sms_token_file and sms_from, and they need it",
        ),
        (config.sms_from.as_ref().is_none_or(number), "messaging.sms_from: is no number of the form +385…"),
        (is_private(&config.sms_url), "messaging.sms_url: is not https"),
        (
            config.smtp_host.is_some() == config.mail_from.is_some(),
            "messaging.smtp_host: needs mail_from, and mail_from needs it",
        ),
        (
            config.smtp_starttls || config.smtp_host.as_deref().is_none_or(is_local),
            "messaging.smtp_starttls: only a server on this machine is spoken to without",
        ),
        (
            config.smtp_user.is_some() == config.smtp_password_file.is_some(),
            "messaging.smtp_user: needs smtp_password_file, and that needs it",
        ),
        (
            config.relay_url.is_some() == config.relay_token_file.is_some(),
            "messaging.relay_url: needs relay_token_file, and that needs it",
        ),
        (config.relay_url.as_ref().is_none_or(is_private), "messaging.relay_url: is not https"),
        ((1..=100).contains(&config.attempts), "messaging.attempts: is not between 1 and 100"),
        (config.expires.0 >= 60, "messaging.expires: is less than a minute"),
        (config.kept.0 >= 86_400, "messaging.kept: is less than a day"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}
