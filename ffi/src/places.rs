//! What a chain proves of the places that are watched for.

use dualseal_core::checkpoint::{Checkpoint, PlaceProof};
use dualseal_core::{Error, Located, Verified};

/// What was proven of the places that were watched for.
pub(crate) struct Places {
    pub(crate) found: Vec<(PlaceProof, Located)>,
    /// That of the entry which made the ring what the checkpoint states.
    pub(crate) of_ring: Option<(PlaceProof, Located)>,
}

impl Places {
    pub(crate) fn new(
        proofs: Vec<PlaceProof>,
        of_ring: Option<PlaceProof>,
        checkpoint: &Verified<Checkpoint>,
    ) -> Result<Self, Error> {
        let located = |proof: PlaceProof| proof.verify(checkpoint).map(|located| (proof, located));
        let found = proofs.into_iter().map(located).collect::<Result<_, _>>()?;
        Ok(Self { found, of_ring: of_ring.map(located).transpose()? })
    }
}
