//! Public rings, and single keys of them, that a verified checkpoint states.

use super::record::Checkpoint;
use crate::error::{Error, EvidenceFault, RingFault};
use crate::key::{KeyProof, KeyRing, PublicRing, RingHead};
use crate::mldsa::PublicKey;
use crate::verdict::Verified;
use core::ops::Deref;

/// A public ring that is the one which a verified checkpoint of its log states, so that a stranger may rely on what it
/// says as of the checkpoint's size: it is what the log's signer says of every key, neither edited nor an older one. It
/// is a [`KeyRing`] to every verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttestedRing(PublicRing);

impl AttestedRing {
    /// Compares a public ring with a checkpoint.
    ///
    /// # Errors
    /// [`EvidenceFault::ForeignRing`] for the ring of another log, [`RingFault::Rollback`] for an older revision than
    /// the checkpoint states, [`EvidenceFault::RingMismatch`] for a newer one and for another ring of the same
    /// revision.
    pub fn new(ring: PublicRing, checkpoint: &Verified<Checkpoint>) -> Result<Self, Error> {
        let checkpoint = checkpoint.record();
        let (size, stated) = (checkpoint.tree_head().size, checkpoint.ring());
        if ring.origin() != Some(checkpoint.origin()) {
            return Err(EvidenceFault::ForeignRing.into());
        }
        let (revision, expected) = (ring.revision(), stated.map_or(0, |stated| stated.revision));
        if revision < expected {
            return Err(RingFault::Rollback { ring: revision, chain: expected }.into());
        }
        let is_stated = match stated {
            Some(stated) => *stated == RingHead { revision, root: ring.root() },
            // Before the first change there is only the empty ring.
            None => revision == 0,
        };
        // A change that is not below the size is none that the checkpoint can state.
        if !is_stated || ring.last_seq().is_some_and(|seq| seq >= size) {
            return Err(EvidenceFault::RingMismatch { ring: revision, stated: expected }.into());
        }
        Ok(Self(ring.attested(size)))
    }

    /// The ring, as it is given on.
    #[must_use]
    pub fn public(&self) -> &PublicRing {
        &self.0
    }
}

impl Deref for AttestedRing {
    type Target = KeyRing;

    fn deref(&self) -> &KeyRing {
        &self.0
    }
}

/// One key of the ring that a verified checkpoint states. To every verifier it is a [`KeyRing`] that holds nothing
/// else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttestedKey(KeyRing);

impl AttestedKey {
    /// Follows the path of a key to the ring of a checkpoint.
    ///
    /// # Errors
    /// [`EvidenceFault::KeyPath`] when it does not lead there, also where the checkpoint states no ring;
    /// [`EvidenceFault::OtherKey`] when the key is not the leaf's.
    pub fn new(proof: &KeyProof, public_key: PublicKey, checkpoint: &Verified<Checkpoint>) -> Result<Self, Error> {
        Self::of(proof, public_key, checkpoint.record())
    }

    pub(crate) fn of(proof: &KeyProof, public_key: PublicKey, checkpoint: &Checkpoint) -> Result<Self, Error> {
        let (size, leaf) = (checkpoint.tree_head().size, proof.leaf());
        let ring = checkpoint.ring().filter(|ring| proof.holds(ring) && leaf.last_seq() < size);
        let ring = ring.ok_or(EvidenceFault::KeyPath)?;
        if public_key.hash() != proof.key_hash() {
            return Err(EvidenceFault::OtherKey.into());
        }
        Ok(Self(leaf.ring(public_key, checkpoint.origin(), ring.revision, size)))
    }
}

impl Deref for AttestedKey {
    type Target = KeyRing;

    fn deref(&self) -> &KeyRing {
        &self.0
    }
}
