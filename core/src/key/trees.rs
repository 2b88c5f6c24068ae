//! The trees that bind a ring by one hash each: over its public objects, and over all that its file holds. Each is in
//! the order in which its keys came, so that a new key is a new last leaf.

use super::public_item::PublicItem;
use super::ring::IdentityKeys;
use super::ring_json::Item;
use super::{KeyRing, RingKey};
use crate::encoding::record;
use crate::id::IdentityId;
use crate::mldsa::KeyHash;
use crate::tree::{Tree, TreeHash, hashed};
use alloc::vec::Vec;

/// A change costs the hashes of its identity's keys, and twice log2(n) more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trees {
    /// The first seq of each key but decoys, ascending: the place of its leaf in both trees.
    firsts: Vec<u64>,
    public: Tree,
    stored: Tree,
    /// The seq of each decoy, ascending.
    decoy_seqs: Vec<u64>,
    decoys: Tree,
}

impl Trees {
    /// Those of a ring as it was read.
    pub(crate) fn of(ring: &KeyRing, authority: &RingKey) -> Self {
        let mut leaves: Vec<_> = ring.keys.iter().flat_map(|(id, keys)| identity_leaves(id, keys, authority)).collect();
        leaves.sort_unstable_by_key(|leaf| leaf.first);
        let mut decoys: Vec<(u64, TreeHash)> =
            ring.decoy_items().map(|item| (item.first(), stored_leaf(&item))).collect();
        decoys.sort_unstable_by_key(|(seq, _)| *seq);
        Self {
            firsts: leaves.iter().map(|leaf| leaf.first).collect(),
            public: leaves.iter().map(|leaf| leaf.public).collect(),
            stored: leaves.iter().map(|leaf| leaf.stored).collect(),
            decoy_seqs: decoys.iter().map(|(seq, _)| *seq).collect(),
            decoys: decoys.into_iter().map(|(_, leaf)| leaf).collect(),
        }
    }

    /// The keys of an identity after a change.
    pub(super) fn set(&mut self, identity_id: &IdentityId, keys: &IdentityKeys, authority: &RingKey) {
        // The oldest first: a new key is the last of all.
        let mut leaves: Vec<_> = identity_leaves(identity_id, keys, authority).collect();
        leaves.sort_unstable_by_key(|leaf| leaf.first);
        for leaf in leaves {
            if let Ok(index) = self.firsts.binary_search(&leaf.first) {
                self.public.set(index, leaf.public);
                self.stored.set(index, leaf.stored);
            } else {
                self.firsts.push(leaf.first);
                self.public.push(leaf.public);
                self.stored.push(leaf.stored);
            }
        }
    }

    /// The place of the public leaf of the key that came at this seq, the number of leaves, and the path to their root.
    pub(super) fn public_path(&self, first: u64) -> Option<(u64, u64, Vec<TreeHash>)> {
        let index = self.firsts.binary_search(&first).ok()?;
        let number = |number: usize| u64::try_from(number).ok();
        Some((number(index)?, number(self.public.len())?, self.public.path(index)?))
    }

    /// Whether a decoy stands at this seq.
    pub(super) fn has_decoy(&self, seq: u64) -> bool {
        self.decoy_seqs.binary_search(&seq).is_ok()
    }

    /// A decoy that is in the ring by now. Mostly it is the last; else its tree is built anew.
    pub(super) fn add_decoy(&mut self, ring: &KeyRing, key: &KeyHash, seq: u64, authority: &RingKey) {
        if self.decoy_seqs.last().is_some_and(|last| *last >= seq) {
            *self = Self::of(ring, authority);
        } else if let Some(item) = ring.decoy_item(key) {
            self.decoy_seqs.push(seq);
            self.decoys.push(stored_leaf(&item));
        }
    }

    /// `SHA-256(02 ‖ number of leaves ‖ tree root)` over the public objects: the ring root of every ring entry.
    pub(crate) fn ring_root(&self) -> TreeHash {
        ring_root(&self.public)
    }

    /// `SHA-256(03 ‖ number of keys ‖ tree root ‖ number of decoys ‖ tree root)` over what the ring file holds.
    pub(crate) fn state_root(&self) -> TreeHash {
        let (keys, decoys) = (&self.stored, &self.decoys);
        let (key_root, decoy_root) = (keys.root(), decoys.root());
        hashed(&[&[3], &count(keys), key_root.as_bytes(), &count(decoys), decoy_root.as_bytes()])
    }
}

/// The root of a ring whose public objects are the leaves of a tree.
pub(super) fn ring_root(public: &Tree) -> TreeHash {
    ring_root_of(u64::try_from(public.len()).unwrap_or(u64::MAX), &public.root())
}

/// The same by the number of the leaves and the root of their tree.
pub(super) fn ring_root_of(leaves: u64, root: &TreeHash) -> TreeHash {
    hashed(&[&[2], &leaves.to_be_bytes(), root.as_bytes()])
}

fn count(tree: &Tree) -> [u8; 8] {
    u64::try_from(tree.len()).unwrap_or(u64::MAX).to_be_bytes()
}

struct Leaves {
    first: u64,
    public: TreeHash,
    stored: TreeHash,
}

fn identity_leaves(identity_id: &IdentityId, keys: &IdentityKeys, authority: &RingKey) -> impl Iterator<Item = Leaves> {
    let revision = keys.revision;
    keys.items(identity_id).map(move |item| {
        let (first, stored) = (item.first(), stored_leaf(&item));
        let salt = authority.salt(revision, &item.key.hash());
        Leaves { first, stored, public: PublicItem::new(item, salt).leaf().hash() }
    })
}

fn stored_leaf(item: &Item) -> TreeHash {
    TreeHash::of_leaf(record::to_json::<Item>(item).as_bytes())
}
