//! What the page is told, as JSON.

use std::collections::BTreeMap;

use dualseal::checkpoint::LogFingerprint;
use dualseal::encoding::json::Value;
use dualseal::error::{EvidenceFault, Rejected};
use dualseal::evidence::{EvidenceReport, OpenEvidence};
use dualseal::{Error, VerdictKind};

/// What was handed over, of which something can be wrong.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Evidence,
    Fingerprint,
    /// What only a page could have got wrong.
    Page,
    Signer,
    Witnesses,
}

/// Why there is no verdict.
pub(crate) struct Fault {
    part: &'static str,
    error: Option<Error>,
}

impl Fault {
    pub(crate) fn of(part: Part) -> impl Fn(Error) -> Self {
        let part = match part {
            Part::Evidence => "evidence",
            Part::Fingerprint => "fingerprint",
            Part::Page => "page",
            Part::Signer => "signer",
            Part::Witnesses => "witnesses",
        };
        move |error| Self { part, error: Some(error) }
    }

    /// The page called what it may not; a defect of the page.
    pub(crate) fn page() -> Self {
        Self { part: "page", error: None }
    }

    pub(crate) fn is(&self, error: &Error) -> bool {
        self.error.as_ref() == Some(error)
    }

    /// `invalid` is evidence that does not hold; `unreadable` is what has not the form of what it should be.
    fn outcome(&self) -> &'static str {
        if matches!(self.error, Some(Error::Rejected(_))) { "invalid" } else { "unreadable" }
    }

    fn told(&self) -> Value {
        let Some(error) = &self.error else { return Value::Null };
        let reason = match error {
            Error::Rejected(Rejected::NotShown(EvidenceFault::Record { reason })) => text(reason),
            _ => Value::Null,
        };
        let field = if let Error::Malformed(malformed) = error { text(malformed.field) } else { Value::Null };
        object([
            ("code", integer(error.code().into())),
            ("field", field),
            ("name", text(error.row().name)),
            ("reason", reason),
            ("text", text(&error.to_string())),
        ])
    }
}

/// An answer without a verdict, on evidence that says to be of this log, if it could be read.
pub(crate) fn fault(fault: &Fault, said: Option<LogFingerprint>) -> String {
    written([
        ("error", fault.told()),
        ("log", said.map_or(Value::Null, |log| text(&log.to_hex()))),
        ("outcome", text(fault.outcome())),
        ("part", text(fault.part)),
    ])
}

/// An answer with a verdict. `pinned`: the log is believed because of what came from elsewhere. Without that nothing is
/// `valid`: whoever made the evidence may have made the log as well.
pub(crate) fn verdict(report: &EvidenceReport, open: &OpenEvidence, pinned: bool) -> String {
    let as_of = &report.as_of;
    // The place lies where the key had been called back, or counts as compromised: a thief may have made the record.
    let is_doubtful = as_of.claimed || as_of.revoked_then.is_some();
    let outcome = match as_of.verdict.kind() {
        VerdictKind::Valid if is_doubtful => "doubtful",
        VerdictKind::Valid if pinned => "valid",
        VerdictKind::Valid => "consistent",
        VerdictKind::Revoked => "revoked",
        VerdictKind::Suspended => "suspended",
        VerdictKind::Decoy | VerdictKind::Invalid => "invalid",
    };
    written([
        ("entered", text(&open.place().entry().time().to_string())),
        ("outcome", text(outcome)),
        ("pinned", Value::Bool(pinned)),
        ("report", Value::parse(report.to_json().as_bytes()).unwrap_or(Value::Null)),
        ("stated", text(&report.checkpoint().time().to_string())),
        ("verdict", text(as_of.verdict.kind().as_str())),
    ])
}

fn written<const N: usize>(members: [(&str, Value); N]) -> String {
    // Names and numbers of the library's own are always within what it writes.
    object(members).to_canonical().unwrap_or_default()
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect::<BTreeMap<_, _>>())
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn integer(number: i64) -> Value {
    Value::Integer(number)
}
