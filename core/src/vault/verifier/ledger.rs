//! The ledger: records in order, checked as a stream against the chain that vouches for them.

use super::places::LocatedLedger;
use super::policy::VaultPolicy;
use super::report::VaultReport;
use super::{Standing, VaultVerifier};
use crate::error::{Error, Layer, VaultFault};
use crate::key::Role;
use crate::krunica::{Ignored, IgnoredReason};
use crate::vault::layers;
use crate::vault::record::{LedgerHead, LedgerId, VaultRecord};
use crate::vault::stored::StoredHash;
use crate::verdict::VerdictKind;
use core::cmp::Ordering;
use core::fmt;

/// What a whole ledger came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerSummary {
    /// The head after the last record.
    pub head: LedgerHead,
    /// Records that are Valid.
    pub valid: u64,
    /// Records whose key is revoked. Their layers hold.
    pub revoked: u64,
    /// Records whose key is suspended. Their layers hold.
    pub suspended: u64,
    /// Records whose key is a decoy.
    pub decoys: u64,
    /// Entries of the chain that name this ledger, and are of no record that came: without the master nobody can tell
    /// whether a record is missing, or somebody who may write to the log made them up.
    pub unverified: Ignored,
}

/// Checks the records of a ledger one after another, and stops at the first that does not hold.
///
/// Under the [`Operator`](crate::vault::Operator)'s policy every record must be located, by the entries whose tags the
/// master verified, and the decoy key of its fragment must stand in the ring: decoys are not chained, and without its
/// decoy a leaked fragment is only a foreign key.
pub struct LedgerCheck<'a, P> {
    verifier: &'a VaultVerifier<'a>,
    policy: &'a P,
    located: Option<&'a LocatedLedger>,
    summary: LedgerSummary,
    /// Remembered, so that a caller who goes on after an error is given no summary.
    fault: Option<VaultFault>,
}

impl<'a, P: VaultPolicy> LedgerCheck<'a, P> {
    /// Begins before the first record. Without a located ledger, nothing tells of records that are missing at the end.
    #[must_use]
    pub fn new(
        verifier: &'a VaultVerifier<'a>,
        ledger: &LedgerId,
        policy: &'a P,
        located: Option<&'a LocatedLedger>,
    ) -> Self {
        let head = LedgerHead::new(ledger);
        let summary =
            LedgerSummary { head, valid: 0, revoked: 0, suspended: 0, decoys: 0, unverified: Ignored::default() };
        Self { verifier, policy, located, summary, fault: None }
    }

    /// Takes the next record with the hash of its stored bytes.
    ///
    /// # Errors
    /// Names the position in the stream, the first from 0, and the first that applies, in every state of the key:
    /// - [`VaultFault::LedgerRecord`] with the first layer that fails; L0 knows the record before, where the record is
    ///   one of this ledger and for this place;
    /// - [`VaultFault::OtherLedger`]; [`VaultFault::LedgerFork`] for a place that came before; for a later place,
    ///   [`VaultFault::LedgerTruncated`] where the chain vouches for a record here, and else `LedgerRecord` with L0;
    /// - [`VaultFault::LedgerTruncated`] where the chain vouches for another record at this place;
    /// - [`VaultFault::LedgerRecord`] with the first layer that was not checked and had to be;
    /// - [`VaultFault::MissingDecoy`].
    ///
    /// Entries that nobody verified are no evidence: they make no `LedgerTruncated`. Before all of them
    /// [`Misuse::ForeignLedger`](crate::error::Misuse::ForeignLedger) with the places of another ledger, and
    /// [`Misuse::UnverifiedPlaces`](crate::error::Misuse::UnverifiedPlaces) under the operator's policy with places
    /// that were found without its master.
    pub fn push(&mut self, record: VaultRecord, stored: &StoredHash) -> Result<VaultReport<P::Record>, Error> {
        self.goes_on()?;
        self.next(record, stored).inspect_err(|fault| self.fault = Some(*fault)).map_err(Error::from)
    }

    /// Ends the ledger.
    ///
    /// # Errors
    /// [`VaultFault::LedgerTruncated`] when the chain vouches for a record that did not come; what was found before;
    /// what [`push`](Self::push) says of places that do not fit.
    pub fn finish(mut self) -> Result<LedgerSummary, Error> {
        self.goes_on()?;
        let size = self.summary.head.size();
        if let Some(located) = self.located {
            if let Some(seq) = located.vouched_from(size) {
                return Err(VaultFault::LedgerTruncated { seq }.into());
            }
            self.unverified(located.unverified_from(size));
        }
        Ok(self.summary)
    }

    /// What was found before, or how the check was called.
    fn goes_on(&self) -> Result<(), Error> {
        if let Some(located) = self.located {
            located.check_fits(self.summary.head.ledger(), self.policy.master())?;
        }
        self.fault.map_or(Ok(()), |fault| Err(fault.into()))
    }

    fn unverified(&mut self, entries: impl Iterator<Item = u64>) {
        entries.for_each(|seq| self.summary.unverified.push(seq, IgnoredReason::Unverified));
    }

    fn next(&mut self, record: VaultRecord, stored: &StoredHash) -> Result<VaultReport<P::Record>, VaultFault> {
        let seq = self.summary.head.size();
        let misplaced = self.misplaced(&record);
        let vouched = self.is_vouched(seq);
        let place = self.located.and_then(|located| located.locate(&record));
        let head = record.ledger_head();
        let decoy = self.policy.master().map(|_| self.has_decoy(&record));
        let after = misplaced.is_none().then_some(&self.summary.head);
        // A ledger is of one operator, and of any number of identities: each report says whose the record is.
        let standing = Standing { place: place.as_ref(), after };
        let (_, report) = self.verifier.verify_any_signer(record, stored, self.policy, standing);
        // Before its place: a header that was tampered with must not speak for another record.
        if let Some(layer) = report.failed() {
            return Err(VaultFault::LedgerRecord { seq, layer });
        }
        if let Some(fault) = misplaced {
            return Err(fault);
        }
        if vouched && place.is_none() {
            return Err(VaultFault::LedgerTruncated { seq });
        }
        if let Some(layer) = report.fault(|layer| self.policy.tolerates(layer)) {
            return Err(VaultFault::LedgerRecord { seq, layer });
        }
        if decoy == Some(false) {
            return Err(VaultFault::MissingDecoy { seq });
        }
        let count = match report.verdict().kind() {
            VerdictKind::Valid => &mut self.summary.valid,
            VerdictKind::Revoked => &mut self.summary.revoked,
            VerdictKind::Suspended => &mut self.summary.suspended,
            VerdictKind::Decoy => &mut self.summary.decoys,
            // No layer failed, so this is a key that the ring does not know.
            VerdictKind::Invalid => return Err(VaultFault::LedgerRecord { seq, layer: Layer::L5 }),
        };
        *count = count.saturating_add(1);
        if let Some(located) = self.located {
            self.unverified(located.unverified_at(seq, place.as_ref()));
        }
        self.summary.head = head;
        Ok(report)
    }

    /// What is wrong with a record that holds by itself, and says that it is not for the place that is next.
    fn misplaced(&self, record: &VaultRecord) -> Option<VaultFault> {
        let (header, head) = (record.header(), &self.summary.head);
        let seq = head.size();
        if header.ledger != *head.ledger() {
            return Some(VaultFault::OtherLedger { seq });
        }
        match header.seq.cmp(&seq) {
            Ordering::Less => Some(VaultFault::LedgerFork { seq }),
            Ordering::Equal => None,
            Ordering::Greater if self.is_vouched(seq) => Some(VaultFault::LedgerTruncated { seq }),
            Ordering::Greater => Some(VaultFault::LedgerRecord { seq, layer: Layer::L0 }),
        }
    }

    fn is_vouched(&self, seq: u64) -> bool {
        self.located.is_some_and(|located| located.is_vouched(seq))
    }

    /// Whether the ring knows the decoy key of the record's fragment.
    fn has_decoy(&self, record: &VaultRecord) -> bool {
        let header = record.header();
        let Some(master) = self.policy.master() else { return false };
        let fragment = layers::fragment(master, &header.identity_id, &header.ledger, &header.vault_id);
        let found = fragment.decoy_key().map(|key| self.verifier.ring().find(&header.identity_id, &key).0);
        matches!(found, Ok(Ok(found)) if found.role == Role::Decoy)
    }
}

impl<P> fmt::Debug for LedgerCheck<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LedgerCheck").field("summary", &self.summary).finish_non_exhaustive()
    }
}
