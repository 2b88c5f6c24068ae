//! The proof that one key stands in a ring, in log2(n) hashes for n keys.

use super::leaf::KeyLeaf;
use super::trees::ring_root_of;
use super::{KeyState, RingHead};
use crate::encoding::record::{self, record};
use crate::error::Error;
use crate::id::IdentityId;
use crate::mldsa::KeyHash;
use crate::tree::{TreeHash, leaf_root};
use alloc::string::String;
use alloc::vec::Vec;

/// A key's public object, with the key's hash in the place of the key, and the path from there to the root of the
/// ring's tree: `{"leaf","path","seq","size"}`. Whose ring it is, the ring root tells, which a checkpoint states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyProof {
    pub(super) leaf: KeyLeaf,
    pub(super) path: Vec<TreeHash>,
    /// The index of the leaf.
    pub(super) seq: u64,
    /// The number of leaves.
    pub(super) size: u64,
}

record! {
    |proof: KeyProof| "key" {
        "leaf" leaf: KeyLeaf,
        "path" path: Vec<TreeHash>,
        "seq" seq: u64,
        "size" size: u64,
    }
}

impl KeyProof {
    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; a leaf that no public ring has is
    /// refused as [`PublicRing::from_json`](super::PublicRing::from_json) does.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// Whose key it says to be.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.leaf.identity_id
    }

    /// SHA3-256 over the key.
    #[must_use]
    pub fn key_hash(&self) -> &KeyHash {
        &self.leaf.key
    }

    /// The state that the leaf gives, `oboje` as `istina`.
    #[must_use]
    pub fn state(&self) -> KeyState {
        self.leaf.state
    }

    /// Whether the path leads from the leaf to the root of this ring.
    #[must_use]
    pub fn holds(&self, ring: &RingHead) -> bool {
        let tree = leaf_root(self.size, self.seq, &self.leaf.hash(), &self.path);
        tree.is_some_and(|tree| ring_root_of(self.size, &tree) == ring.root)
    }

    pub(crate) fn leaf(&self) -> &KeyLeaf {
        &self.leaf
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(KeyProof);
