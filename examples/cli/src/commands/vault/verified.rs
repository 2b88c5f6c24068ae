//! The operator's view of a ledger: every layer, with the secrets and the place in the chain.

use super::keys::Keys;
use super::ledger::{Ledger, stored};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::input;
use dualseal::Verdict;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::vault::{
    Erasure, Evidence, LocatedLedger, Operator, OperatorRecord, Tier, TierKeys, TierPolicy, VaultRecord, VaultReport,
    VaultVerifier,
};

/// All that the operator's policy needs.
pub(super) struct Operators<'a> {
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) ring: KeyRing,
    pub(super) located: LocatedLedger,
    pub(super) keys: Keys,
    tiers: TierKeys,
}

impl<'a> Operators<'a> {
    pub(super) fn new(ledger: &'a Ledger<'a>, context: &Context) -> Result<Self, Failure> {
        let located = ledger.located()?.ok_or_else(|| {
            let hint = "sign one by `dualseal checkpoint sign`, or ask for --policy public";
            Failure::new(USAGE, "the operator's checks need a checkpoint, and there is none", hint)
        })?;
        let keys = Keys::read(ledger, context)?;
        let tiers = keys.tiers(ledger)?;
        Ok(Self { ledger, ring: ledger.home.ring()?, located, keys, tiers })
    }

    pub(super) fn policy(&self) -> Result<Operator<'_>, Failure> {
        let tiers = TierPolicy::new(Some(&self.tiers), Tier::Public)?;
        Ok(Operator { master: &self.keys.master, tiers })
    }

    pub(super) fn verifier(&self) -> VaultVerifier<'_> {
        VaultVerifier::new(self.ledger.domain(), &self.ring, &Unprepared)
    }

    /// Verifies one record, with all of its stored bytes.
    pub(super) fn verify(&self, record: VaultRecord) -> Result<VaultReport<OperatorRecord>, Failure> {
        let stored = self.ledger.stored_hash(record.header().seq)?;
        let at = self.located.locate(&record);
        let evidence = Evidence { at: at.as_ref(), after: None };
        Ok(self.verifier().verify(record, &stored, &self.policy()?, evidence))
    }

    /// The place of the record that says that this one was erased. Only one that verifies itself counts.
    pub(super) fn erasure(&self, erased: &VaultRecord) -> Result<Option<u64>, Failure> {
        let mut found = None;
        self.ledger.each(|record| {
            let seq = record.header().seq;
            if record.header().kind != "ERASURE" {
                return Ok(());
            }
            if let Verdict::Valid(verified) = self.verify(record)?.into_verdict() {
                let erasure = Erasure::read(&verified, &input::small(&self.ledger.path(&stored(seq)))?)?;
                if erasure.covers(erased) {
                    found = found.or(Some(seq));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }
}
