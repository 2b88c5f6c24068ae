//! The operator's view of a ledger: every layer, with the secrets and the place in the chain.

use super::erasures::Erasures;
use super::keys::Keys;
use super::ledger::Ledger;
use crate::context::Context;
use crate::failure::{Failure, USAGE, status_of};
use crate::home::Home;
use dualseal::error::Layer;
use dualseal::key::{CheckedRing, KeyRing, Unprepared};
use dualseal::vault::{
    Erasable, LocatedLedger, Operator, OperatorRecord, Standing, Tier, TierKeys, TierPolicy, VaultOutcome, VaultRecord,
    VaultReport, VaultVerifier,
};
use dualseal::verdict::InvalidReason;
use dualseal::{Verdict, VerdictKind, Verified};

/// All that the operator's policy needs.
pub(super) struct Operators<'a> {
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) ring: CheckedRing,
    pub(super) located: LocatedLedger,
    pub(super) keys: Keys,
    tiers: TierKeys,
}

impl<'a> Operators<'a> {
    pub(super) fn new(ledger: &'a Ledger<'a>, context: &Context) -> Result<Self, Failure> {
        let ring = ledger.home.ring(context.passphrase())?;
        let Some(checkpoint) = ledger.home.last_checkpoint(&ring)? else {
            // Where the checkpoint does not count because its key was called back, that is what is wrong.
            if let Some(info) = ring.info(&ledger.identity_id) {
                Home::may_sign(&ring, &ledger.identity_id, &info.public_key)?;
            }
            let hint = "sign one by `dualseal checkpoint sign`, or ask for --policy public";
            return Err(Failure::new(USAGE, "the operator's checks need a checkpoint, and there is none", hint));
        };
        let keys = Keys::read(ledger, context)?;
        let located = ledger.located_under(&checkpoint, Some(&keys.master))?;
        let tiers = keys.tiers(ledger)?;
        Ok(Self { ledger, ring, located, keys, tiers })
    }

    pub(super) fn policy(&self) -> Result<Operator<'_>, Failure> {
        let tiers = TierPolicy::new(Some(&self.tiers), Tier::Public)?;
        Ok(Operator { master: &self.keys.master, tiers })
    }

    pub(super) fn verifier(&self) -> VaultVerifier<'_> {
        VaultVerifier::new(self.ledger.domain(), &self.ring, &Unprepared)
    }

    /// Verifies the record at a place, with all of its stored bytes.
    pub(super) fn verify(&self, seq: u64, record: VaultRecord) -> Result<VaultReport<OperatorRecord>, Failure> {
        self.verify_by(&self.verifier(), seq, record)
    }

    /// A record with the proof that every layer of it passed. A refusal says what it means otherwise.
    pub(super) fn verified(
        &self,
        seq: u64,
        record: VaultRecord,
        otherwise: &str,
    ) -> Result<Verified<OperatorRecord>, Failure> {
        let report = self.verify(seq, record)?;
        let refused = refusal(seq, &report, otherwise);
        report.into_verdict().valid().ok_or(refused)
    }

    /// The proof that erasing takes, which also a record has whose key was called back; and the record as whoever still
    /// trusted that key would verify it, to try its secret with.
    pub(super) fn erasable(
        &self,
        seq: u64,
        record: VaultRecord,
        otherwise: &str,
    ) -> Result<(Erasable, Verified<OperatorRecord>), Failure> {
        let report = self.verify(seq, record)?;
        let Some(erasable) = report.erasable().cloned() else { return Err(refusal(seq, &report, otherwise)) };
        if let Some(verified) = report.into_verdict().valid() {
            return Ok((erasable, verified));
        }
        for (key, _) in self.ring.keys(&self.ledger.identity_id) {
            let ring = KeyRing::pinned(&self.ledger.identity_id, key.clone());
            let verifier = VaultVerifier::new(self.ledger.domain(), &ring, &Unprepared);
            let report = self.verify_by(&verifier, seq, self.ledger.find(&seq.to_string())?.1)?;
            let is_it = |verified: &Verified<OperatorRecord>| {
                verified.record().record().header().vault_id == erasable.header().vault_id
            };
            if let Some(verified) = report.into_verdict().valid().filter(is_it) {
                return Ok((erasable, verified));
            }
        }
        Err(Failure::defect("a record that can be erased is by no key of its sealer"))
    }

    fn verify_by(
        &self,
        verifier: &VaultVerifier<'_>,
        seq: u64,
        record: VaultRecord,
    ) -> Result<VaultReport<OperatorRecord>, Failure> {
        let stored = self.ledger.stored_hash(seq)?;
        let (at, after) = (self.located.locate(&record), self.ledger.head_before(seq)?);
        let standing = Standing { place: at.as_ref(), after: after.as_ref() };
        Ok(verifier.verify(record, &stored, &self.ledger.identity_id, &self.policy()?, standing))
    }

    /// What the ledger says was erased.
    pub(super) fn erasures(&self) -> Result<Erasures, Failure> {
        Erasures::read(self.ledger, &self.ring, Some(&self.located))
    }
}

/// Why a record is not verified, and what that means otherwise.
fn refusal(seq: u64, report: &VaultReport<OperatorRecord>, otherwise: &str) -> Failure {
    let (mut status, reason) = (report.verdict().kind().code(), report.verdict().internal().reason.unwrap_or_default());
    let mut hint = format!("see every layer by `dualseal vault verify {seq}`; {otherwise}");
    let mut fault = String::new();
    if let Some(layer) = report.failed() {
        fault = format!(": {layer} {}", report.outcome(layer));
    } else if uncovered(report) {
        // Nothing is wrong with it; only nobody vouches for its place yet.
        status = VerdictKind::Suspended.code();
        fault = format!(": {}", report.outcome(Layer::L8));
        "sign a checkpoint that covers it by `dualseal checkpoint sign`".clone_into(&mut hint);
    }
    let message = format!("record {seq} is {}: {reason}{fault}", report.verdict().kind().as_str());
    Failure::new(status_of(status), message, hint)
}

/// Whether nothing is wrong with a record that does not pass; only nobody vouches for its place yet.
pub(super) fn uncovered<T>(report: &VaultReport<T>) -> bool {
    let Verdict::Invalid(rejection) = report.verdict() else { return false };
    matches!(rejection.reason(), InvalidReason::Layer(_))
        && report.failed().is_none()
        && matches!(report.outcome(Layer::L8), VaultOutcome::NotChecked(_))
}
