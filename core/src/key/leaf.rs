//! The leaf of a key in the ring's tree: its public object, with the key's hash in the place of the key.

use super::history::{Change, History};
use super::ring::{HeldKey, IdentityKeys};
use super::ring_json::{Item, ItemRole};
use super::{Algorithm, KeyRing, KeyState};
use crate::encoding::record::{self, Present, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use crate::mldsa::{KeyHash, PublicKey};
use crate::tree::TreeHash;
use alloc::string::ToString;
use alloc::vec::Vec;

/// What a ring says of one key to everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyLeaf {
    pub(crate) identity_id: IdentityId,
    pub(crate) key: KeyHash,
    pub(crate) state: KeyState,
    generated: Option<Timestamp>,
    pub(crate) history: History,
    retired: Option<u64>,
    salt: [u8; 32],
}

record! {
    |leaf: KeyLeaf| "leaf" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "bela_stanje" state: KeyState,
        "generirano" generated: Present<Timestamp>,
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" key: KeyHash,
        "opozvan_od" compromised_from: Option<u64> = leaf.history.compromised_from,
        "povijest" changes: Vec<Change> = leaf.history.changes,
        "retired" retired: Option<u64>,
        "role" role: ItemRole = leaf.role(),
        "salt" salt: [u8; 32],
    } => {
        state.check_public()?;
        let history = History::checked(changes, compromised_from, state)?;
        history.check_public()?;
        let leaf = Self { identity_id, key, state, generated, history, retired, salt };
        if role != leaf.role() || retired.is_some_and(|retired| retired <= leaf.history.first()) {
            return Err(Error::malformed("retired", Problem::Range));
        }
        Ok(leaf)
    }
}

impl KeyLeaf {
    /// Of a key as outsiders see it.
    pub(super) fn of(item: Item, salt: [u8; 32]) -> Self {
        let (key, retired) = (item.key.hash(), item.key.retired());
        let (identity_id, state, generated, history) = (item.identity_id, item.state, item.generated, item.history);
        Self { identity_id, key, state, generated, history, retired, salt }
    }

    /// The hash that stands in the tree.
    pub(super) fn hash(&self) -> TreeHash {
        TreeHash::of_leaf(record::to_json::<Self>(self).as_bytes())
    }

    /// The seq of its last entry, of its retirement included.
    pub(crate) fn last_seq(&self) -> u64 {
        let last = self.history.changes.last().map_or(0, |change| change.seq);
        last.max(self.retired.unwrap_or(0))
    }

    /// Whether what an earlier leaf of this key said, as of a size, still stands, and all that is new came after it.
    pub(crate) fn goes_on_from(&self, earlier: &Self, size: u64) -> bool {
        let (now, then) = (&self.history, &earlier.history);
        let lowered = match (now.compromised_from, then.compromised_from) {
            (_, None) => true,
            (now, then) => now.is_some() && now <= then,
        };
        let retired = match earlier.retired {
            Some(retired) => self.retired == Some(retired),
            None => self.retired.is_none_or(|retired| retired >= size),
        };
        let added = now.changes.get(then.changes.len()..).unwrap_or_default();
        let same = self.identity_id == earlier.identity_id && self.generated == earlier.generated;
        let is_later = added.iter().all(|change| change.seq >= size);
        same && retired && lowered && is_later && now.changes.starts_with(&then.changes)
    }

    /// A ring of this key alone, which hashes to the leaf's; of a log, at a revision, as of a size.
    pub(crate) fn ring(&self, public_key: PublicKey, origin: &str, revision: u64, size: u64) -> KeyRing {
        let mut ring = KeyRing { known_to: Some(size), ..KeyRing::empty(Some(origin.to_string()), revision) };
        ring.owners.insert(*public_key.hash(), self.identity_id);
        let history = self.history.clone();
        let held = HeldKey { public_key: public_key.hashed(), state: self.state, generated: self.generated, history };
        let mut keys = IdentityKeys::default();
        match self.retired {
            Some(retired) => keys.retired.push((held, retired)),
            None => keys.current = Some(held),
        }
        ring.keys.insert(self.identity_id, keys);
        ring
    }

    fn role(&self) -> ItemRole {
        if self.retired.is_some() { ItemRole::Retired } else { ItemRole::Current }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_goes_on_is_the_same_identitys_of_the_same_time() {
        let leaf = KeyLeaf {
            identity_id: IdentityId::from_bytes([1; 32]),
            key: *crate::key::prepared::dummy_key().hash(),
            state: KeyState::Valid,
            generated: Some("2026-11-21T09:00:00.000Z".parse().unwrap()),
            history: History::new(3, KeyState::Valid),
            retired: None,
            salt: [0; 32],
        };
        assert!(leaf.goes_on_from(&leaf, 5));
        let other_identity = KeyLeaf { identity_id: IdentityId::from_bytes([2; 32]), ..leaf.clone() };
        let other_time = KeyLeaf { generated: None, ..leaf.clone() };
        for other in [other_identity, other_time] {
            assert!(!other.goes_on_from(&leaf, 5) && !leaf.goes_on_from(&other, 5));
        }
        // Retired once, and not before what was said of it.
        let retired = |at| KeyLeaf { retired: Some(at), ..leaf.clone() };
        assert!(retired(5).goes_on_from(&leaf, 5) && !retired(4).goes_on_from(&leaf, 5));
        assert!(retired(4).goes_on_from(&retired(4), 5));
        assert!(!retired(6).goes_on_from(&retired(4), 5) && !leaf.goes_on_from(&retired(4), 5));
    }
}
