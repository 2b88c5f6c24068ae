//! Checkpoints: signed heads of a chain, and what they prove.

mod agreement;
mod consistency;
mod high_water;
mod record;
mod ring_check;
mod signer;
mod verifier;

pub(crate) use agreement::Located;
pub(crate) use verifier::VerifiedCheckpoint;

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    record::add(module)?;
    high_water::add(module)?;
    signer::add(module)?;
    verifier::add(module)?;
    agreement::add(module)?;
    ring_check::add(module)?;
    consistency::add(module)
}
