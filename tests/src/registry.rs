//! A ring, the chain of its changes and its authority, changed together as a service would.

use crate::minute;
use dualseal::key::KeyRing;
use dualseal::mldsa::KeyHash;
use dualseal::secret::Secret;
use dualseal::{Domain, IdentityId, KeyState, Krunica, PublicKey, RingKey, Timestamp};

/// Changes happen one minute apart.
#[derive(Debug)]
pub struct Registry {
    pub domain: Domain,
    pub ring: KeyRing,
    pub chain: Krunica,
    pub authority: RingKey,
}

impl Registry {
    pub fn new() -> Self {
        let domain = Domain::default();
        let authority = authority(&domain);
        Self { domain, ring: KeyRing::new("example.org/log").expect("an origin"), chain: Krunica::new(), authority }
    }

    pub fn add(&mut self, identity_id: &IdentityId, key: &PublicKey) {
        let Self { ring, chain, authority, .. } = self;
        let appended = ring.add(identity_id, key.clone(), chain.head(), now(chain), authority).expect("added");
        chain.push(appended.entry).expect("an entry at the head");
    }

    pub fn rotate(&mut self, identity_id: &IdentityId, key: &PublicKey) {
        let Self { ring, chain, authority, .. } = self;
        let appended = ring.rotate(identity_id, key.clone(), chain.head(), now(chain), authority).expect("rotated");
        chain.push(appended.entry).expect("an entry at the head");
    }

    pub fn set_state(&mut self, identity_id: &IdentityId, key: Option<&KeyHash>, state: KeyState) {
        let Self { ring, chain, authority, .. } = self;
        let appended = ring.set_state(identity_id, key, state, chain.head(), now(chain), authority).expect("set");
        chain.push(appended.entry).expect("an entry at the head");
    }

    pub fn add_decoy(&mut self, identity_id: &IdentityId, key: &PublicKey) {
        self.ring.add_decoy(identity_id, key, now(&self.chain)).expect("added");
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

/// A ring key of 32 bytes 09.
pub fn authority(domain: &Domain) -> RingKey {
    RingKey::new(domain, Secret::from_slice("ring key", &[9; 32]).expect("32 bytes"))
}

fn now(chain: &Krunica) -> Timestamp {
    minute(i64::try_from(chain.head().size()).expect("a short chain"))
}
