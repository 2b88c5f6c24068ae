//! The secret of layer A.

use crate::domain::Domain;
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{BytesLike, text};
use dualseal::secret::Secret;
use dualseal::{IdentityId, seal};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SealKey>()
}

/// The key of layer A: 32 or 64 secret bytes, one key for each identity. Everybody who can check layer A can also make
/// it. The key is wiped when it is no longer used.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealKey(pub(super) Arc<seal::SealKey>);

#[pymethods]
impl SealKey {
    /// An identity's key from a master of 32 drawn bytes (HKDF-SHA3-256).
    #[staticmethod]
    fn derive(domain: &Domain, master: BytesLike<'_>, identity_id: &Bound<'_, PyString>) -> Returned<Self> {
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        let master = master.secret(|bytes| Secret::from_slice("master", bytes))?;
        Ok(Self(Arc::new(seal::SealKey::derive(&domain.0, &master, &identity_id))))
    }

    /// From 32 or 64 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(Arc::new(data.secret(seal::SealKey::from_slice)?)))
    }

    /// A key of another length, at least 16 bytes, that was issued elsewhere. It makes no seal, and verifies `SEAL-L5`
    /// alone.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn legacy(data: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(Arc::new(data.secret(seal::SealKey::legacy)?)))
    }

    /// The secret bytes, a copy that Python cannot wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.expose())
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
