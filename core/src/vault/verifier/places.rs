//! The places of a ledger's records in the chain, found as a stream under a checkpoint.

use crate::checkpoint::{ChainCheck, Checkpoint};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, VaultFault};
use crate::krunica::{ChainHash, Entry, Ignored, IgnoredReason, Located};
use crate::vault::entry::{self, RecordEntry};
use crate::vault::keys::{KeyId, VaultMaster};
use crate::vault::record::{LedgerId, VaultRecord};
use crate::verdict::Verified;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use subtle::ConstantTimeEq;

/// Streams a chain past a checkpoint and remembers where each record of a ledger stands: 128 bytes a record.
///
/// Anybody who may write to the log can write entries that look like a record's. With the master only those count
/// whose tag holds at their place, and the others are listed as [`ignored`](LocatedLedger::ignored). Without it nobody
/// can tell them apart, and all are remembered as unverified.
pub struct LedgerEntries<'a> {
    chain: ChainCheck<'a>,
    covered: u64,
    domain: Domain,
    ledger: LedgerId,
    master: Option<&'a VaultMaster>,
    places: Vec<(u64, Vouched)>,
    ignored: Ignored,
}

/// What the chain says of the record at a place of the ledger. `h` does not cover the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vouched {
    /// Its position in the chain.
    seq: u64,
    seal: [u8; 32],
    hash: ChainHash,
    time: Timestamp,
}

impl<'a> LedgerEntries<'a> {
    /// Begins at seq 0 of the chain. Without the master, for whoever is not the operator.
    #[must_use]
    pub fn new(
        domain: &Domain,
        ledger: &LedgerId,
        master: Option<&'a VaultMaster>,
        checkpoint: &'a Verified<Checkpoint>,
    ) -> Self {
        Self {
            chain: ChainCheck::new(checkpoint),
            covered: checkpoint.record().tree_head().size,
            domain: domain.clone(),
            ledger: *ledger,
            master,
            places: Vec::new(),
            ignored: Ignored::default(),
        }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)?;
        self.note(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`push`](Self::push) and [`ChainCheck::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.chain.push_json(text)?;
        self.note(&entry);
        Ok(entry)
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// As [`ChainCheck::finish`]; with the master [`VaultFault::LedgerFork`] when two entries that it made are for one
    /// place of the ledger and different seals.
    pub fn finish(mut self) -> Result<LocatedLedger, Error> {
        let agreed = self.chain.finish()?;
        // Stable: of several for one place the first of the chain comes first.
        self.places.sort_by_key(|(place, _)| *place);
        let verified_by = self.master.map(|master| *master.key_id());
        if verified_by.is_some() {
            self.places = counted(self.places, &mut self.ignored)?;
        }
        let (origin, ledger) = (agreed.origin().to_string(), self.ledger);
        Ok(LocatedLedger { origin, ledger, places: self.places, ignored: self.ignored, verified_by })
    }

    fn note(&mut self, entry: &Entry) {
        // Beyond the checkpoint nothing is proven.
        if entry.seq() >= self.covered {
            return;
        }
        let Some(tail) = entry::tail(&self.domain, &self.ledger, entry.message()) else {
            return;
        };
        let Some((said, tag)) = RecordEntry::read(&self.ledger, &self.domain, tail) else {
            return self.ignored.push(entry.seq(), IgnoredReason::Form);
        };
        let expected = self.master.map(|master| said.tag(master, entry.identity_id(), entry.prev()));
        if expected.is_some_and(|expected| !bool::from(expected.ct_eq(&tag))) {
            return self.ignored.push(entry.seq(), IgnoredReason::Tag);
        }
        let vouched = Vouched { seq: entry.seq(), seal: said.seal, hash: *entry.hash(), time: entry.time() };
        self.places.push((said.seq, vouched));
    }
}

/// The first entry for each place; another for the same place and seal says the same.
fn counted(places: Vec<(u64, Vouched)>, ignored: &mut Ignored) -> Result<Vec<(u64, Vouched)>, Error> {
    let mut counted: Vec<(u64, Vouched)> = Vec::with_capacity(places.len());
    for (place, vouched) in places {
        match counted.last() {
            Some((last, first)) if *last == place => {
                if first.seal != vouched.seal {
                    return Err(VaultFault::LedgerFork { seq: place }.into());
                }
                ignored.push(vouched.seq, IgnoredReason::Repeated);
            }
            _ => counted.push((place, vouched)),
        }
    }
    Ok(counted)
}

/// Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Nothing else can make one.
#[derive(Clone, Debug)]
pub struct LocatedLedger {
    origin: String,
    ledger: LedgerId,
    /// By ascending place in the ledger.
    places: Vec<(u64, Vouched)>,
    ignored: Ignored,
    verified_by: Option<KeyId>,
}

impl LocatedLedger {
    /// The number of records that the chain vouches for; where nobody [verified](Self::is_verified) the tags, of
    /// entries that say so.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it vouches for none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether it was found with the master, so that every entry in it is the operator's.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        self.verified_by.is_some()
    }

    /// The entries that begin as a record's of this ledger and count for nothing.
    #[must_use]
    pub fn ignored(&self) -> &Ignored {
        &self.ignored
    }

    /// The proven place of a record's entry; `None` when the chain vouches for another one, or for none, at its place
    /// of the ledger.
    #[must_use]
    pub fn locate(&self, record: &VaultRecord) -> Option<Located> {
        let entry = record.entry();
        // An entry that gives this hash is the one in the chain, but for its time, which the hash does not cover.
        let same = |vouched: &Vouched| vouched.hash == *entry.hash() && vouched.time == entry.time();
        let found = self.at(record.header().seq).any(|vouched| same(&vouched)) && entry.hash_holds();
        found.then(|| Located::new(&self.origin, entry.clone()))
    }

    /// Whether a check of this ledger may go by it: the operator's by what was found with the same master.
    pub(super) fn check_fits(&self, ledger: &LedgerId, master: Option<&VaultMaster>) -> Result<(), Misuse> {
        if self.ledger != *ledger {
            return Err(Misuse::ForeignLedger);
        }
        if master.is_some_and(|master| self.verified_by != Some(*master.key_id())) {
            return Err(Misuse::UnverifiedPlaces);
        }
        Ok(())
    }

    /// Whether the operator made an entry for this place.
    pub(super) fn is_vouched(&self, place: u64) -> bool {
        self.is_verified() && self.at(place).next().is_some()
    }

    /// The first place from this one on for which the operator made an entry.
    pub(super) fn vouched_from(&self, place: u64) -> Option<u64> {
        self.places.iter().map(|(at, _)| *at).find(|at| self.is_verified() && *at >= place)
    }

    /// The positions in the chain of entries that nobody verified: for one place of the ledger, but for that of the
    /// record that stands there.
    pub(super) fn unverified_at(&self, place: u64, found: Option<&Located>) -> impl Iterator<Item = u64> {
        let found = found.map(|found| found.entry().seq());
        let all = if self.is_verified() { None } else { Some(self.at(place)) };
        all.into_iter().flatten().map(|vouched| vouched.seq).filter(move |seq| Some(*seq) != found)
    }

    /// The same, for all places from this one on.
    pub(super) fn unverified_from(&self, place: u64) -> impl Iterator<Item = u64> {
        let all = self.places.iter().filter(move |(at, _)| !self.is_verified() && *at >= place);
        all.map(|(_, vouched)| vouched.seq)
    }

    fn at(&self, place: u64) -> impl Iterator<Item = Vouched> {
        let first = self.places.partition_point(|(at, _)| *at < place);
        let from = self.places.get(first..).unwrap_or_default();
        from.iter().take_while(move |(at, _)| *at == place).map(|(_, vouched)| *vouched)
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
