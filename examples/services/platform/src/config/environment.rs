//! What an environment may set, and in which form.

use toml::Value;

/// What an environment sets: each key with the form that its text is read in.
pub(super) const KEYS: &[(&str, Form)] = &[
    ("data", Form::Text),
    ("listen", Form::Text),
    ("metrics", Form::Text),
    ("base_url", Form::Text),
    ("domain", Form::Text),
    ("database", Form::Text),
    ("database_owner", Form::Text),
    ("database_owner_file", Form::Text),
    ("connections", Form::Number),
    ("objects", Form::Text),
    ("read_only", Form::Truth),
    ("hosts", Form::List),
    ("origins", Form::List),
    ("trusted_proxies", Form::List),
    ("log.origin", Form::Text),
    ("log.checkpoint_every", Form::Text),
    ("log.checkpoint_entries", Form::Number),
    ("log.batch", Form::Number),
    ("log.witnesses", Form::List),
    ("keys.master", Form::Text),
    ("keys.master_credential", Form::Text),
    ("keys.master_before", Form::Text),
    ("keys.apart", Form::Text),
    ("rate.enabled", Form::Truth),
    ("rate.per_second", Form::Number),
    ("rate.burst", Form::Number),
    ("limits.bytes_in_flight", Form::Number),
    ("limits.connections", Form::Number),
    ("limits.progress", Form::Text),
    ("limits.least_rate", Form::Number),
    ("limits.slot", Form::Number),
    ("limits.proofs_daily", Form::Number),
    ("limits.memories_daily", Form::Number),
    ("tokens.audience", Form::Text),
    ("tokens.native", Form::Text),
    ("tokens.noble", Form::Text),
    ("s3.endpoint", Form::Text),
    ("s3.region", Form::Text),
    ("s3.access_key_file", Form::Text),
    ("s3.secret_key_file", Form::Text),
    ("s3.allow_http", Form::Truth),
    ("trust.proofs", Form::Number),
    ("trust.enrolment_counts_after", Form::Text),
    ("trust.share_waits", Form::Text),
    ("trust.hmac_verification", Form::Truth),
    ("trust.tls_key", Form::Text),
    ("fleet.weeks", Form::Numbers),
    ("fleet.basis", Form::Text),
    ("integrity.files", Form::List),
    ("integrity.except", Form::List),
    ("integrity.manifest", Form::Text),
    ("integrity.key_file", Form::Text),
    ("integrity.every", Form::Text),
    ("lifecycle.types", Form::List),
    ("lifecycle.thresholds", Form::Numbers),
    ("lifecycle.zone", Form::Text),
    ("lifecycle.every", Form::Text),
    ("lifecycle.hours", Form::List),
    ("mesh.node", Form::Text),
    ("mesh.relay_to", Form::Text),
    ("mesh.mail_to", Form::Text),
    ("mesh.every", Form::Text),
    ("mesh.portal", Form::Text),
    ("mesh.peers", Form::List),
    ("mesh.clock", Form::Text),
    ("mesh.skew", Form::Text),
    ("mesh.certificate_days", Form::Number),
    ("mesh.ca_file", Form::Text),
    ("mesh.disk_free", Form::Number),
    ("mesh.outbox_age", Form::Text),
    ("mesh.sources", Form::Text),
    ("mesh.ping_url", Form::Text),
    ("mesh.docs_url", Form::Text),
    ("proof.printer", Form::Text),
    ("messaging.language", Form::Text),
    ("messaging.webhook_key_file", Form::Text),
    ("messaging.sms_url", Form::Text),
    ("messaging.sms_account", Form::Text),
    ("messaging.sms_token_file", Form::Text),
    ("messaging.sms_from", Form::Text),
    ("messaging.smtp_host", Form::Text),
    ("messaging.smtp_port", Form::Number),
    ("messaging.smtp_starttls", Form::Truth),
    ("messaging.smtp_ca_file", Form::Text),
    ("messaging.smtp_user", Form::Text),
    ("messaging.smtp_password_file", Form::Text),
    ("messaging.mail_from", Form::Text),
    ("messaging.relay_url", Form::Text),
    ("messaging.relay_token_file", Form::Text),
    ("messaging.dns", Form::Text),
    ("messaging.attempts", Form::Number),
    ("messaging.expires", Form::Text),
    ("messaging.kept", Form::Text),
    ("messaging.unverified_alarms", Form::Number),
    ("models.budget", Form::Number),
    ("models.budget_of_all", Form::Number),
    ("models.patience", Form::Text),
    ("models.wait", Form::Text),
    ("models.quota", Form::Text),
    ("models.advance_on_faults", Form::Truth),
    ("models.at_once", Form::Number),
    ("peers.from", Form::List),
    ("peers.logins", Form::Text),
    ("peers.every", Form::Text),
];

/// Variables of the program that are no settings.
pub(super) const OTHERS: &[&str] = &["TRUSTD_CONFIG", "TRUSTD_LOG"];

#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Text,
    Number,
    Truth,
    List,
    Numbers,
}

impl Form {
    pub(super) fn read(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Text => Ok(Value::String(text.to_owned())),
            Self::Number => text.parse().map(Value::Integer).map_err(|_| format!("{text:?} is no number")),
            Self::Truth => text.parse().map(Value::Boolean).map_err(|_| format!("{text:?} is neither true nor false")),
            Self::Numbers => {
                let number =
                    |part: &str| part.parse().map(Value::Integer).map_err(|_| format!("{part:?} is no number"));
                text.split_whitespace().map(number).collect::<Result<_, _>>().map(Value::Array)
            }
            Self::List => {
                Ok(Value::Array(text.split_whitespace().map(|part| Value::String(part.to_owned())).collect()))
            }
        }
    }
}
