//! E-mail, by a mail server that is spoken to by STARTTLS.

use super::{Letter, PATIENCE, Provider, Refused, secret};
use futures::future::BoxFuture;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use platform::config::MessagingConfig;
use std::fmt;

/// The server, and who writes.
pub(super) struct Smtp {
    server: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").field("from", &self.from).finish_non_exhaustive()
    }
}

/// Machines do not answer what says so (RFC 3834).
#[derive(Clone, Debug)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl Smtp {
    pub(super) fn open(config: &MessagingConfig) -> Result<Option<Self>, String> {
        let (Some(host), Some(from)) = (&config.smtp_host, &config.mail_from) else { return Ok(None) };
        let from: Mailbox = from.parse().map_err(|error| format!("messaging.mail_from: {error}"))?;
        let mut server = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host.clone());
        server = server.port(config.smtp_port).timeout(Some(PATIENCE));
        if config.smtp_starttls {
            let mut tls = TlsParameters::builder(host.clone());
            if let Some(file) = &config.smtp_ca_file {
                let pem = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
                let certificate =
                    Certificate::from_pem(&pem).map_err(|error| format!("{}: {error}", file.display()))?;
                tls = tls.add_root_certificate(certificate);
            }
            server = server.tls(Tls::Required(tls.build().map_err(|error| format!("messaging: TLS: {error}"))?));
        }
        if let (Some(user), Some(file)) = (&config.smtp_user, &config.smtp_password_file) {
            server = server.credentials(Credentials::new(user.clone(), secret(file)?.to_string()));
        }
        Ok(Some(Self { server: server.build(), from }))
    }

    fn message(&self, letter: &Letter) -> Result<Message, String> {
        let to: Mailbox = letter.to.parse().map_err(|_| "the address is none".to_owned())?;
        let id = format!("<{}@{}>", letter.id, self.from.email.domain());
        // A subject is one line, whoever wrote it.
        let subject: String = letter.subject.chars().map(|one| if one.is_control() { ' ' } else { one }).collect();
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            .message_id(Some(id))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN);
        message.body(letter.body.clone()).map_err(|error| error.to_string())
    }
}

impl Provider for Smtp {
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Option<String>, Refused>> {
        Box::pin(async move {
            let message = self.message(letter).map_err(Refused::Never)?;
            match self.server.send(message).await {
                Ok(_) => Ok(None),
                Err(error) => {
                    let code = error.status().map(|code| code.to_string());
                    let reason =
                        code.clone().map_or_else(|| "not reached".to_owned(), |code| format!("answered {code}"));
                    // What the server says of our login is no fault of the message.
                    let is_ours = code.is_some_and(|code| code.starts_with("53"));
                    let is_final = error.is_permanent() && !is_ours;
                    if !is_final {
                        tracing::warn!(%error, "an e-mail is tried again");
                    }
                    Err(if is_final { Refused::Never(reason) } else { Refused::Later(None, reason) })
                }
            }
        })
    }
}
