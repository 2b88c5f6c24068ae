//! A ring, the chain of its changes and its authority, changed together as a service would.

use crate::log::ORIGIN;
use crate::minute;
use crate::prelude::*;
use crate::reading::resumed;
use dualseal::key::{CheckedRing, RingFile, SetState};
use dualseal::krunica::Appended;
use dualseal::mldsa::KeyHash;
use dualseal::secret::Secret;
use dualseal::{Domain, Entry, Error, Head, IdentityId, Krunica, PublicKey, RingKey, Timestamp};

/// Changes happen one minute apart.
#[derive(Debug)]
pub struct Registry {
    pub domain: Domain,
    pub ring: CheckedRing,
    pub chain: Krunica,
    pub authority: RingKey,
}

impl Registry {
    pub fn new() -> Self {
        let domain = Domain::default();
        let authority = authority(&domain);
        let ring = CheckedRing::new(ORIGIN, &authority).expect("an origin");
        Self { domain, ring, chain: Krunica::new(), authority }
    }

    pub fn add(&mut self, identity_id: &IdentityId, key: &PublicKey) {
        self.change(|ring, head, now| ring.add(identity_id, key.clone(), head, now));
    }

    pub fn rotate(&mut self, identity_id: &IdentityId, key: &PublicKey) {
        self.change(|ring, head, now| ring.rotate(identity_id, key.clone(), head, now));
    }

    pub fn set_state(&mut self, identity_id: &IdentityId, key: Option<&KeyHash>, set: impl Into<SetState>) {
        self.change(|ring, head, now| ring.set_state(identity_id, key, set, head, now));
    }

    /// A decoy, with an entry that stands for its vault record's.
    pub fn add_decoy(&mut self, identity_id: &IdentityId, key: &PublicKey) {
        self.follow();
        let entry = self.chain.append(&self.domain, identity_id, "sealed", now(&self.chain)).expect("not reserved");
        self.ring.add_decoy(key, &entry).expect("added");
    }

    /// Takes the ring past what was appended to the chain beside it.
    pub fn follow(&mut self) {
        self.ring = followed(&self.ring, self.chain.entries());
    }

    /// What the operator's store holds.
    pub fn file(&self) -> String {
        followed(&self.ring, self.chain.entries()).to_stored_json(self.chain.head()).expect("written at the head")
    }

    /// A ring file, held against the chain from where the file was written on.
    pub fn resume(&self, file: &str) -> Result<CheckedRing, Error> {
        let file = RingFile::from_json(file.as_bytes())?;
        let from = usize::try_from(file.size()).expect("a short chain");
        let is_record = |entry: &Entry| entry.message() == "sealed";
        let later = self.chain.entries().get(from..).unwrap_or_default();
        resumed(file, &self.authority, self.chain.head(), later, is_record)
    }

    fn change(&mut self, change: impl FnOnce(&mut CheckedRing, &Head, Timestamp) -> Result<Appended, Error>) {
        self.follow();
        let appended = change(&mut self.ring, self.chain.head(), now(&self.chain)).expect("a change at the head");
        self.chain.push(appended.entry).expect("an entry at the head");
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

/// The ring, past the entries that it has not looked at.
pub fn followed(ring: &CheckedRing, entries: &[Entry]) -> CheckedRing {
    let (mut ring, seen) = (ring.clone(), ring.known_to().expect("known to its end"));
    let unseen = entries.iter().filter(|entry| entry.seq() >= seen);
    unseen.for_each(|entry| ring.follow(entry, |_| false).expect("no change of this ring"));
    ring
}

/// A ring key of 32 bytes 09.
pub fn authority(domain: &Domain) -> RingKey {
    RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"))
}

fn now(chain: &Krunica) -> Timestamp {
    minute(i64::try_from(chain.head().size()).expect("a short chain"))
}
