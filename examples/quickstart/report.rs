//! What was tried, what came of it, and whether that was as expected.

use dualseal::key::{InvalidReason, Unprepared};
use dualseal::{ContentHash, Domain, Error, KeyRing, Located, SignatureRecord, Verdict, VerdictKind};
use dualseal::{VerificationResult, Verifier};
use std::time::{Duration, Instant};

/// One verification and both forms in which it is told.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) kind: VerdictKind,
    pub(crate) internal: VerificationResult,
    pub(crate) public: VerificationResult,
}

/// Collects and prints.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) cases: Vec<Case>,
    pub(crate) surprises: usize,
    took: Duration,
}

impl Report {
    /// How long the last verification took.
    pub(crate) fn last_took(&self) -> Duration {
        self.took
    }

    /// Verifies a record of which no place in the chain is known.
    #[allow(clippy::too_many_arguments, reason = "one call is one line of the story, with everything it depends on")]
    pub(crate) fn verify(
        &mut self,
        name: &'static str,
        domain: &Domain,
        ring: &KeyRing,
        content: &ContentHash,
        record: &SignatureRecord,
        expected: VerdictKind,
        reason: Option<InvalidReason>,
    ) {
        self.verify_at(name, domain, ring, content, record, None, expected, reason);
    }

    /// Verifies a record at a place in the chain.
    #[allow(clippy::too_many_arguments, reason = "as in `verify`")]
    pub(crate) fn verify_at(
        &mut self,
        name: &'static str,
        domain: &Domain,
        ring: &KeyRing,
        content: &ContentHash,
        record: &SignatureRecord,
        at: Option<&Located>,
        expected: VerdictKind,
        reason: Option<InvalidReason>,
    ) {
        let start = Instant::now();
        let verdict = Verifier::new(domain, ring, &Unprepared).verify(content, record.clone(), at);
        self.took = start.elapsed();
        self.verdict(name, &verdict, expected, reason);
        let (kind, internal, public) = (verdict.kind(), verdict.internal(), verdict.public());
        self.cases.push(Case { name, kind, internal, public });
    }

    /// Notes a verdict.
    pub(crate) fn verdict<T>(
        &mut self,
        name: &str,
        verdict: &Verdict<T>,
        expected: VerdictKind,
        reason: Option<InvalidReason>,
    ) {
        let seen = if let Verdict::Invalid(rejection) = verdict { Some(rejection.reason()) } else { None };
        let why = seen.map_or(String::new(), |reason| format!(" ({})", reason.as_str()));
        let kind = verdict.kind();
        self.line(name, &format!("{}{why}", kind.as_str().to_uppercase()), kind == expected && seen == reason);
    }

    /// Notes something that must be refused in these words.
    pub(crate) fn refused<T>(&mut self, name: &str, result: Result<T, Error>, expected: &str) {
        let seen = result.map_or_else(|error| error.to_string(), |_| "accepted".to_owned());
        self.line(name, &seen, seen == expected);
    }

    /// Notes something that must be accepted.
    pub(crate) fn accepted<T>(&mut self, name: &str, result: &Result<T, Error>) {
        let seen = result.as_ref().map_or_else(ToString::to_string, |_| "accepted".to_owned());
        self.line(name, &seen, result.is_ok());
    }

    fn line(&mut self, name: &str, seen: &str, as_expected: bool) {
        let mark = if as_expected { "as expected" } else { "SURPRISE" };
        println!("  {name:<44} {seen}  — {mark}");
        self.surprises += usize::from(!as_expected);
    }
}
