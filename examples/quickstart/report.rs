//! The verifications of the story, kept in both of the forms in which they are told.

use dualseal::key::Unprepared;
use dualseal::verdict::InvalidReason;
use dualseal::{
    Domain, HashedContent, KeyRing, Located, PublicResult, SignatureRecord, VerdictKind, VerificationResult, Verifier,
};
use dualseal_examples::{report, timed};
use std::time::Duration;

/// One verification and both forms in which it is told.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) kind: VerdictKind,
    pub(crate) internal: VerificationResult,
    pub(crate) public: PublicResult,
}

/// Collects and prints.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) cases: Vec<Case>,
    pub(crate) told: report::Report,
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
        content: &HashedContent,
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
        content: &HashedContent,
        record: &SignatureRecord,
        place: Option<&Located>,
        expected: VerdictKind,
        reason: Option<InvalidReason>,
    ) {
        let verifier = Verifier::new(domain, ring, &Unprepared);
        let (verdict, took) = timed(|| verifier.verify(content, record.clone(), place));
        self.took = took;
        self.told.verdict(name, &verdict, expected, reason);
        let (kind, internal, public) = (verdict.kind(), verdict.internal(), verdict.public());
        self.cases.push(Case { name, kind, internal, public });
    }
}
