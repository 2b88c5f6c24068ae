//! Seals: made and checked.

mod key;
mod report;
mod sealer;
mod text;
mod verifier;

use pyo3::prelude::*;

pub(crate) use key::SealKey;
pub(crate) use sealer::UnplacedSeal;
pub(crate) use text::Seal;
pub(crate) use verifier::{SealVerifier, legacy, policy};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    key::add(module)?;
    text::add(module)?;
    sealer::add(module)?;
    report::add(module)?;
    verifier::add(module)
}
