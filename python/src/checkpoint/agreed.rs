//! A chain that agrees with a verified checkpoint, and the places of entries that this proves.

use super::high_water::Growth;
use crate::failure::not_pickled;
use crate::krunica::{Entry, Head};
use dualseal::checkpoint;
use pyo3::prelude::*;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<AgreedChain>()?;
    module.add_class::<Located>()
}

/// A chain that was shown to agree with a verified checkpoint of its log. Only Proofs give one.
#[pyclass(frozen, module = "dualseal")]
#[derive(Clone)]
pub(crate) struct AgreedChain(pub(crate) checkpoint::AgreedChain);

#[pymethods]
impl AgreedChain {
    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The number of entries that the checkpoint covers.
    #[getter]
    fn covered(&self) -> u64 {
        self.0.covered()
    }

    /// The head of the whole chain, entries beyond the checkpoint included.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    /// The head that the checkpoint signed: what a later ChainReader begins with.
    #[getter]
    fn signed_head(&self) -> Head {
        Head(self.0.signed_head().clone())
    }

    /// That the whole chain goes on from what the checkpoint signed.
    #[getter]
    fn growth(&self) -> Growth {
        Growth(self.0.growth())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let (origin, size) = (self.0.origin(), self.0.head().size());
        format!("AgreedChain(origin={origin:?}, covered={}, size={size})", self.0.covered())
    }
}

/// Proof that an entry stands at its place in the chain of an origin, below the size of a verified checkpoint that the
/// chain agrees with. Only a ChainReader's Proofs give one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Located(pub(crate) dualseal::Located);

#[pymethods]
impl Located {
    /// The origin of the checkpoint.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The entry, with its position.
    #[getter]
    fn entry(&self) -> Entry {
        Entry(self.0.entry().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Located(origin={:?}, seq={})", self.0.origin(), self.0.entry().seq())
    }
}
