//! Checkpoints: signed heads of a chain, and what they prove.

mod agreed;
mod attested;
mod consistency;
mod high_water;
mod place;
mod record;
mod signer;
mod verifier;

pub(crate) use agreed::{AgreedChain, Located};
pub(crate) use consistency::Fork;
pub(crate) use high_water::{Growth, HighWaterMark};
pub(crate) use place::PlaceProof;
pub(crate) use record::Checkpoint;
pub(crate) use signer::{CheckpointSigner, note_key};
pub(crate) use verifier::VerifiedCheckpoint;

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    record::add(module)?;
    high_water::add(module)?;
    signer::add(module)?;
    verifier::add(module)?;
    agreed::add(module)?;
    place::add(module)?;
    attested::add(module)?;
    consistency::add(module)
}
