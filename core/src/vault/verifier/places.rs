//! The places of a ledger's records in the chain, found as a stream under a checkpoint.

use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, VaultFault};
use crate::krunica::{ChainHash, Entry, Head, Ignored, IgnoredReason, Located};
use crate::reader::{ChainReader, Cursor, Ended, Watched, Watcher};
use crate::vault::entry::{self, RecordEntry};
use crate::vault::keys::{KeyId, VaultMaster};
use crate::vault::record::{LedgerId, VaultRecord};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use subtle::ConstantTimeEq;

/// What the chain says of the record at a place of the ledger. `h` does not cover the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vouched {
    /// Its position in the chain.
    seq: u64,
    seal: [u8; 32],
    hash: ChainHash,
    time: Timestamp,
}

/// Remembers where each record of a ledger stands: 128 bytes a record.
struct LedgerEntries {
    covered: u64,
    domain: Domain,
    master: Option<VaultMaster>,
    found: LocatedLedger,
}

impl Watcher for LedgerEntries {
    type Proof = LocatedLedger;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        // Beyond the checkpoint nothing is proven.
        if entry.seq() >= self.covered {
            return;
        }
        let Self { domain, master, found, .. } = self;
        let Some(tail) = entry::tail(domain, &found.ledger, entry.message()) else {
            return;
        };
        let Some((said, tag)) = RecordEntry::read(&found.ledger, domain, tail) else {
            return found.ignored.push(entry.seq(), IgnoredReason::Form);
        };
        let expected = master.as_ref().map(|master| said.tag(master, entry.identity_id(), entry.prev()));
        if expected.is_some_and(|expected| !bool::from(expected.ct_eq(&tag))) {
            return found.ignored.push(entry.seq(), IgnoredReason::Tag);
        }
        let vouched = Vouched { seq: entry.seq(), seal: said.seal, hash: *entry.hash(), time: entry.time() };
        found.places.push((said.seq, vouched));
    }

    fn finish(self, ended: &Ended<'_>) -> Result<LocatedLedger, Error> {
        let agreed = ended.agreed.ok_or(Misuse::NoEnd)?;
        let LocatedLedger { mut places, mut ignored, .. } = self.found;
        // Stable: of several for one place the first of the chain comes first.
        places.sort_by_key(|(place, _)| *place);
        if self.found.verified_by.is_some() {
            places = counted(places, &mut ignored)?;
        }
        let origin = agreed.origin().to_string();
        Ok(LocatedLedger { origin, covered: agreed.signed_head().clone(), places, ignored, ..self.found })
    }
}

impl ChainReader<'_> {
    /// The places of a ledger's records below the checkpoint, from the chain's beginning; without the master, for
    /// whoever is not the operator.
    ///
    /// Anybody who may write to the log can write entries that look like a record's. With the master only those count
    /// whose tag holds at their place, and the others are listed as [`ignored`](LocatedLedger::ignored). Without it
    /// nobody can tell them apart, and all are remembered as unverified.
    ///
    /// Its fault is, with the master, [`VaultFault::LedgerFork`] when two entries that it made are for one place of the
    /// ledger and different seals.
    ///
    /// # Errors
    /// [`Misuse::NoEnd`] without a checkpoint; [`Misuse::LateStart`] when the reader begins after the chain's
    /// beginning.
    pub fn ledger(&mut self, ledger: &LedgerId, master: Option<&VaultMaster>) -> Result<Watched<LocatedLedger>, Error> {
        if self.begun().size() != 0 {
            return Err(Misuse::LateStart.into());
        }
        let found = LocatedLedger {
            origin: String::new(),
            ledger: *ledger,
            places: Vec::new(),
            ignored: Ignored::default(),
            verified_by: master.map(|master| *master.key_id()),
            covered: Head::EMPTY,
        };
        self.ledger_entries(master, found)
    }

    /// The same, where they were located before: the reader begins where the checkpoint ended then.
    ///
    /// # Errors
    /// As [`ledger`](Self::ledger); [`Misuse::LateStart`] when it begins elsewhere, [`Misuse::OtherOrigin`] under a
    /// checkpoint of another log, [`Misuse::UnverifiedPlaces`] when the places before were found with another master,
    /// or without one.
    pub fn ledger_since(
        &mut self,
        before: &LocatedLedger,
        master: Option<&VaultMaster>,
    ) -> Result<Watched<LocatedLedger>, Error> {
        if !self.begun().is_at(&before.covered) {
            return Err(Misuse::LateStart.into());
        }
        if self.origin().is_some_and(|origin| origin != before.origin) {
            return Err(Misuse::OtherOrigin.into());
        }
        if before.verified_by != master.map(|master| *master.key_id()) {
            return Err(Misuse::UnverifiedPlaces.into());
        }
        self.ledger_entries(master, before.clone())
    }

    fn ledger_entries(
        &mut self,
        master: Option<&VaultMaster>,
        found: LocatedLedger,
    ) -> Result<Watched<LocatedLedger>, Error> {
        let (covered, domain) = (self.covered()?, self.domain().clone());
        self.watch(LedgerEntries { covered, domain, master: master.map(VaultMaster::shared), found })
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
    /// Where the checkpoint ends.
    covered: Head,
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
