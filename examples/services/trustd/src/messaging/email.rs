//! E-mail as it comes in: one sender, whom a signature of his own domain vouches for, or the mail server's word.
//!
//! DKIM (RFC 6376) counts where the signing domain is the sender's own, all of the body is signed, and so are From,
//! Date and Message-ID: a signature over less would vouch for what somebody added. SPF counts as the word of who hands
//! the message over.

use super::addresses::email;
use super::rules::MOST_TEXT_IN;
use mail_auth::hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};
use mail_auth::{AuthenticatedMessage, DkimResult, MessageAuthenticator, Parameters};
use mail_parser::{Message, MessageParser, MimeHeaders as _};
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

/// The most attachments that are kept of one.
const MOST_ATTACHED: usize = 10;
/// How long a name server may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// More signatures are nobody's that is honest, and each costs a question.
const MOST_SIGNATURES: usize = 8;

/// What stands in a message.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    /// Whom it says that it is from.
    pub(crate) from: String,
    /// Its name, as its sender's program gave it.
    pub(crate) message_id: Option<String>,
    /// Subject and text, without what it quotes.
    pub(crate) text: String,
    /// Name and bytes of each attachment.
    pub(crate) attached: Vec<(String, Vec<u8>)>,
    /// Whether a machine wrote it: it is not answered.
    pub(crate) is_automatic: bool,
}

/// Why a message is none that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoMail {
    /// It is not as RFC 5322 has it.
    Malformed,
    /// It says to be from nobody, or from several.
    Senders,
}

/// Reads a message.
pub(crate) fn read(raw: &[u8]) -> Result<Mail, NoMail> {
    let message = MessageParser::default().parse(raw).ok_or(NoMail::Malformed)?;
    let headers =
        |name: &str| message.headers().iter().filter(|header| header.name().eq_ignore_ascii_case(name)).count();
    let senders: Vec<_> = message.from().map(|from| from.iter().collect()).unwrap_or_default();
    let [sender] = senders[..] else { return Err(NoMail::Senders) };
    if headers("From") != 1 {
        return Err(NoMail::Senders);
    }
    let from = sender.address().and_then(email).ok_or(NoMail::Senders)?;
    let attached = message.attachments().take(MOST_ATTACHED).map(|part| {
        let name = part.attachment_name().unwrap_or("document");
        (name.chars().filter(|one| !one.is_control()).take(200).collect(), part.contents().to_vec())
    });
    Ok(Mail {
        from,
        message_id: message.message_id().filter(|_| headers("Message-ID") == 1).map(str::to_owned),
        text: text(&message),
        attached: attached.collect(),
        is_automatic: is_automatic(&message),
    })
}

/// Subject and what was written just now: an answer quotes what it answers, and that says nothing of who answers.
fn text(message: &Message<'_>) -> String {
    let body = message.body_text(0).unwrap_or_default();
    let is_quote = |line: &str| {
        let line = line.trim();
        line.starts_with('>') || line == "--" || line.starts_with("-----Original") || is_attribution(line)
    };
    let own: Vec<&str> = body.lines().take_while(|line| !is_quote(line)).collect();
    let subject = message.subject().unwrap_or_default();
    let is_answer =
        ["re:", "aw:", "odg:", "fwd:", "fw:", "wg:"].iter().any(|begin| subject.to_lowercase().starts_with(begin));
    let subject = if is_answer { "" } else { subject };
    let whole = if subject.is_empty() { own.join("\n") } else { format!("{subject}\n{}", own.join("\n")) };
    whole.chars().take(MOST_TEXT_IN).collect::<String>().trim().to_owned()
}

/// `On …, … wrote:`
fn is_attribution(line: &str) -> bool {
    let ends = ["wrote:", "schrieb:", "napisao:", "napisala:", "napisao/la:"];
    ends.iter().any(|end| line.to_lowercase().ends_with(end))
}

/// RFC 3834, and what lists and bounces say.
fn is_automatic(message: &Message<'_>) -> bool {
    let header = |name: &str| message.header_raw(name).map(|value| value.trim().to_lowercase());
    header("Auto-Submitted").is_some_and(|value| value != "no")
        || header("Precedence").is_some_and(|value| matches!(value.as_str(), "bulk" | "junk" | "list"))
        || header("List-Id").is_some()
        || header("X-Auto-Response-Suppress").is_some()
        || header("Return-Path").is_some_and(|value| value == "<>")
}

/// Who asks for keys of DKIM.
pub(crate) struct Dkim(MessageAuthenticator);

impl fmt::Debug for Dkim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dkim")
    }
}

impl Dkim {
    /// Asks this name server, or the machine's own.
    ///
    /// # Errors
    /// What the resolver says of the machine's settings.
    pub(crate) fn open(server: Option<SocketAddr>) -> Result<Self, String> {
        let mut options = ResolverOpts::default();
        options.timeout = PATIENCE;
        options.attempts = 1;
        let made = match server {
            None => MessageAuthenticator::new_system_conf(),
            Some(server) => {
                let mut one = NameServerConfig::udp_and_tcp(server.ip());
                for connection in &mut one.connections {
                    connection.port = server.port();
                }
                MessageAuthenticator::new(ResolverConfig::from_parts(None, Vec::new(), vec![one]), options)
            }
        };
        made.map(Self).map_err(|error| format!("messaging.dns: {error}"))
    }

    /// Whether a signature of the sender's own domain vouches for all that counts of a message.
    pub(crate) async fn vouches(&self, raw: &[u8], from: &str) -> bool {
        let Some(message) = AuthenticatedMessage::parse(raw) else { return false };
        if message.dkim_headers.len() > MOST_SIGNATURES {
            return false;
        }
        let domain = from.rsplit('@').next().unwrap_or_default();
        let found = self.0.verify_dkim(Parameters::new(&message)).await;
        found.iter().any(|output| {
            let signature = output.signature();
            *output.result() == DkimResult::Pass && signature.is_some_and(|signature| covers(signature, domain))
        })
    }
}

fn covers(signature: &mail_auth::dkim::Signature, domain: &str) -> bool {
    let signs = |name: &str| signature.h.iter().any(|header| header.eq_ignore_ascii_case(name));
    signature.d.eq_ignore_ascii_case(domain)
        && signature.l == 0
        && !matches!(signature.a, mail_auth::common::crypto::Algorithm::RsaSha1)
        && ["From", "Date", "Message-ID"].into_iter().all(signs)
}

/// Whether the mail server's word on SPF vouches for a sender: it passed, and for his own domain.
pub(crate) fn is_aligned(passed_for: Option<&str>, from: &str) -> bool {
    let domain = from.rsplit('@').next().unwrap_or_default();
    passed_for.is_some_and(|passed| passed.eq_ignore_ascii_case(domain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(headers: &str, body: &str) -> Result<Mail, NoMail> {
        read(format!("{headers}\r\n\r\n{body}").replace("\r\n", "\n").replace('\n', "\r\n").as_bytes())
    }

    #[test]
    fn one_sender_and_no_other() {
        assert_eq!(mail("From: Ana <ana@Acme.example>\r\nSubject: status", "").unwrap().from, "ana@acme.example");
        for headers in [
            "Subject: status",
            "From: ana@acme.example, bo@acme.example",
            "From: ana@acme.example\r\nFrom: bo@acme.example",
            "From: nobody",
        ] {
            assert_eq!(mail(headers, "").unwrap_err(), NoMail::Senders, "{headers}");
        }
    }

    /// What was quoted was said by somebody else: an answer to an alarm is none.
    #[test]
    fn quotes_are_not_read() {
        let read = |subject: &str, body: &str| {
            mail(&format!("From: ana@acme.example\r\nSubject: {subject}"), body).unwrap().text
        };
        assert_eq!(read("status", "and documents"), "status\nand documents");
        assert_eq!(read("Re: PANIC", "sve je u redu\n> PANIC"), "sve je u redu");
        assert_eq!(read("Re: x", "ok\n\nOn Monday Bo <bo@acme.example> wrote:\nPANIC"), "ok");
        assert_eq!(read("", "ok\n--\nPanik Transport GmbH"), "ok");
    }

    #[test]
    fn machines_are_seen() {
        for (header, is) in [
            ("Auto-Submitted: auto-replied", true),
            ("Auto-Submitted: no", false),
            ("Precedence: bulk", true),
            ("List-Id: <x>", true),
            ("Return-Path: <>", true),
            ("X-Other: 1", false),
        ] {
            assert_eq!(mail(&format!("From: a@b.example\r\n{header}"), "x").unwrap().is_automatic, is, "{header}");
        }
    }

    #[test]
    fn spf_counts_for_the_senders_own_domain() {
        assert!(is_aligned(Some("Acme.example"), "ana@acme.example"));
        for passed in [None, Some("example"), Some("evil.example"), Some("x.acme.example")] {
            assert!(!is_aligned(passed, "ana@acme.example"), "{passed:?}");
        }
    }
}
