//! What a chain proves of the places that are watched for.

use dualseal_core::checkpoint::{Checkpoint, PlaceProof};
use dualseal_core::{Domain, Error, Located, Verified};

/// What was proven of the places that were watched for.
pub(crate) struct Places {
    pub(crate) found: Vec<(PlaceProof, Located)>,
    /// Which of them made the ring what the checkpoint states.
    pub(crate) of_ring: Option<usize>,
}

impl Places {
    pub(crate) fn new(
        proofs: Vec<PlaceProof>,
        domain: &Domain,
        checkpoint: &Verified<Checkpoint>,
    ) -> Result<Self, Error> {
        // Of one revision and root all say the same.
        let of_ring = proofs.iter().rposition(|proof| checkpoint.record().is_ring_of(domain, proof.entry()));
        let located = |proof: PlaceProof| proof.verify(checkpoint).map(|located| (proof, located));
        Ok(Self { found: proofs.into_iter().map(located).collect::<Result<_, _>>()?, of_ring })
    }
}
