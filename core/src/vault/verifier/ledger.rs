//! The ledger: records in order, checked as a stream against the chain that vouches for them.

use super::policy::VaultPolicy;
use super::report::VaultReport;
use super::{Standing, VaultVerifier};
use crate::checkpoint::{ChainCheck, Checkpoint};
use crate::domain::{Domain, Row};
use crate::encoding::json::MAX_INTEGER;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Layer, VaultFault};
use crate::key::Role;
use crate::krunica::{ChainHash, Entry, Located};
use crate::vault::layers;
use crate::vault::record::{LedgerHead, LedgerId, VaultRecord};
use crate::vault::stored::StoredHash;
use crate::verdict::{VerdictKind, Verified};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

/// Streams a chain past a checkpoint and remembers where each record of a ledger stands: 80 bytes a record.
pub struct LedgerEntries<'a> {
    chain: ChainCheck<'a>,
    covered: u64,
    beginning: String,
    ending: String,
    places: Vec<(u64, Vouched)>,
    /// Remembered, so that a caller who goes on after an error is told nowhere.
    fault: Option<VaultFault>,
}

/// What the chain says of the record at a place of the ledger. `h` does not cover the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vouched {
    hash: ChainHash,
    time: Timestamp,
}

impl<'a> LedgerEntries<'a> {
    /// Begins at seq 0 of the chain.
    #[must_use]
    pub fn new(domain: &Domain, ledger: &LedgerId, checkpoint: &'a Verified<Checkpoint>) -> Self {
        Self {
            chain: ChainCheck::new(checkpoint),
            covered: checkpoint.record().head().size(),
            beginning: layers::entry_beginning(domain, ledger),
            ending: alloc::format!("::{}", domain.suffix(Row::Vault)),
            places: Vec::new(),
            fault: None,
        }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`]; [`VaultFault::LedgerEntry`] for an entry that begins as a record's of this ledger and
    /// has not its form.
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)?;
        self.note(entry)
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`push`](Self::push) and [`ChainCheck::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.chain.push_json(text)?;
        self.note(&entry)?;
        Ok(entry)
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// As [`ChainCheck::finish`]; what [`push`](Self::push) found before; [`VaultFault::LedgerFork`] when two entries
    /// are for one place of the ledger.
    pub fn finish(mut self) -> Result<LocatedLedger, Error> {
        let agreed = self.chain.finish()?;
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        self.places.sort_unstable_by_key(|(seq, _)| *seq);
        for pair in self.places.windows(2) {
            if let [(seq, _), (next, _)] = pair
                && seq == next
            {
                return Err(VaultFault::LedgerFork { seq: *seq }.into());
            }
        }
        Ok(LocatedLedger { origin: agreed.origin().to_string(), places: self.places })
    }

    fn note(&mut self, entry: &Entry) -> Result<(), Error> {
        // Beyond the checkpoint nothing is proven.
        let Some(tail) = entry.message().strip_prefix(&self.beginning).filter(|_| entry.seq() < self.covered) else {
            return Ok(());
        };
        let Some(seq) = self.place(tail) else {
            let fault = VaultFault::LedgerEntry { seq: entry.seq() };
            return Err((*self.fault.get_or_insert(fault)).into());
        };
        self.places.push((seq, Vouched { hash: *entry.hash(), time: entry.time() }));
        Ok(())
    }

    /// `<seq>::<64 hex>::S`, written in one way only.
    fn place(&self, tail: &str) -> Option<u64> {
        let (number, hash) = tail.strip_suffix(&self.ending)?.split_once("::")?;
        let seq: u64 = number.parse().ok()?;
        let plain = seq.to_string() == number && seq <= MAX_INTEGER.unsigned_abs();
        let hex = hash.len() == 64 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        (plain && hex).then_some(seq)
    }
}

/// Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Nothing else can make one.
#[derive(Clone, Debug)]
pub struct LocatedLedger {
    origin: String,
    /// By ascending place in the ledger.
    places: Vec<(u64, Vouched)>,
}

impl LocatedLedger {
    /// The number of records that the chain vouches for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it vouches for none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The proven place of a record's entry; `None` when the chain vouches for another one, or for none, at its place
    /// of the ledger.
    #[must_use]
    pub fn locate(&self, record: &VaultRecord) -> Option<Located> {
        let entry = record.entry();
        let vouched = self.at(record.header().seq)?;
        // An entry that gives this hash is the one in the chain, but for its time, which the hash does not cover.
        let same = vouched.hash == *entry.hash() && vouched.time == entry.time() && entry.hash_holds();
        same.then(|| Located::new(&self.origin, entry.clone()))
    }

    fn at(&self, seq: u64) -> Option<Vouched> {
        let place = self.places.binary_search_by_key(&seq, |(seq, _)| *seq).ok()?;
        self.places.get(place).map(|(_, vouched)| *vouched)
    }
}

/// What a whole ledger came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// Checks the records of a ledger one after another, and stops at the first that does not hold.
///
/// Under the [`Operator`](crate::vault::Operator)'s policy every record must be located, and the decoy key of its
/// fragment must stand in the ring: decoys are not chained, and without its decoy a leaked fragment is only a foreign
/// key.
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
        let summary = LedgerSummary { head: LedgerHead::new(ledger), valid: 0, revoked: 0, suspended: 0, decoys: 0 };
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
    pub fn push(&mut self, record: VaultRecord, stored: &StoredHash) -> Result<VaultReport<P::Record>, Error> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        self.next(record, stored).inspect_err(|fault| self.fault = Some(*fault)).map_err(Error::from)
    }

    /// Ends the ledger.
    ///
    /// # Errors
    /// [`VaultFault::LedgerTruncated`] when the chain vouches for a record that did not come; what was found before.
    pub fn finish(self) -> Result<LedgerSummary, Error> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        let size = self.summary.head.size();
        let missing = self.located.and_then(|located| located.places.iter().find(|(seq, _)| *seq >= size));
        match missing {
            Some((seq, _)) => Err(VaultFault::LedgerTruncated { seq: *seq }.into()),
            None => Ok(self.summary),
        }
    }

    fn next(&mut self, record: VaultRecord, stored: &StoredHash) -> Result<VaultReport<P::Record>, VaultFault> {
        let seq = self.summary.head.size();
        let misplaced = self.misplaced(&record);
        let vouched = self.is_vouched(seq);
        let place = self.located.and_then(|located| located.locate(&record));
        let head = record.ledger_head();
        let decoy = self.policy.master().map(|_| self.has_decoy(&record));
        let after = misplaced.is_none().then_some(&self.summary.head);
        let report = self.verifier.verify(record, stored, self.policy, Standing { place: place.as_ref(), after });
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
        self.located.is_some_and(|located| located.at(seq).is_some())
    }

    /// Whether the ring knows the decoy key of the record's fragment.
    fn has_decoy(&self, record: &VaultRecord) -> bool {
        let header = record.header();
        let Some(master) = self.policy.master() else { return false };
        let fragment = layers::fragment(master, &header.identity_id, &header.ledger, &header.vault_id);
        let found = fragment.decoy_key().map(|key| self.verifier.ring().find(&header.identity_id, &key));
        matches!(found, Ok(Ok(found)) if found.role == Role::Decoy)
    }
}

impl fmt::Debug for LedgerEntries<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LedgerEntries")
            .field("chain", &self.chain)
            .field("places", &self.places.len())
            .finish_non_exhaustive()
    }
}

impl<P> fmt::Debug for LedgerCheck<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LedgerCheck").field("summary", &self.summary).finish_non_exhaustive()
    }
}
