//! Ed25519 keys, which prove presence and show the tier of whoever seals.

use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::BytesLike;
use dualseal::{SystemRng, ed25519};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ed25519SigningKey>()
}

/// An Ed25519 signing key: a seed of 32 bytes, from which the public half is derived. It is wiped when it is no longer
/// used.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Ed25519SigningKey(pub(crate) Arc<ed25519::Ed25519SigningKey>);

#[pymethods]
impl Ed25519SigningKey {
    /// Draws a seed from the operating system.
    #[staticmethod]
    fn generate() -> Returned<Self> {
        Ok(Self(Arc::new(ed25519::Ed25519SigningKey::generate(&mut SystemRng)?)))
    }

    /// From a seed of 32 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot.
    #[staticmethod]
    #[pyo3(signature = (seed, /))]
    fn from_seed(seed: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(Arc::new(seed.secret(ed25519::Ed25519SigningKey::from_seed)?)))
    }

    /// The seed, 32 bytes: whoever has it can sign.
    fn seed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.seed().expose())
    }

    /// The public half, 64 hexadecimal characters.
    #[getter]
    fn public_key(&self) -> String {
        self.0.public_key().to_hex()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Err(not_hashed::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}
