//! Secrets at rest, bound to their place in the store.

use super::changes::SecretRow;
use crate::domain::Domain;
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{BytesLike, text};
use dualseal::SystemRng;
use dualseal::secret::Secret;
use dualseal_operator::secrets::{self, Place, Vaulted};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Master>()
}

/// Where a secret stands.
pub(super) fn place(
    table: &Bound<'_, PyString>,
    row: &BytesLike<'_>,
    purpose: &Bound<'_, PyString>,
) -> Returned<Place> {
    let (table, purpose) = (text("table", table)?, text("purpose", purpose)?);
    Ok(Place::new(table, &row.contiguous()?, purpose)?)
}

/// The master of 32 drawn bytes under which a store's secrets are at rest, in one domain: each is bound to its table (a
/// label), its row (any bytes, but not none) and what it is for (a label), and opens nowhere else. It is wiped when it
/// is no longer used.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Master(secrets::Master);

#[pymethods]
impl Master {
    /// From 32 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot.
    #[new]
    #[pyo3(signature = (domain, secret, /))]
    fn new(domain: &Domain, secret: BytesLike<'_>) -> Returned<Self> {
        let secret = secret.secret(|bytes| Secret::from_slice("master", bytes))?;
        Ok(Self(secrets::Master::new(&domain.0, secret)?))
    }

    /// Encrypts a secret of any length for one place: what Step.keep stores. Each call gives other bytes.
    #[pyo3(signature = (secret, /, *, table, row, purpose))]
    fn seal(
        &self,
        secret: BytesLike<'_>,
        table: &Bound<'_, PyString>,
        row: BytesLike<'_>,
        purpose: &Bound<'_, PyString>,
    ) -> Returned<SecretRow> {
        let place = place(table, &row, purpose)?;
        let seal = |secret: &[u8]| Ok::<_, dualseal::Error>(Vaulted::seal(&self.0, place, secret, &mut SystemRng));
        Ok(SecretRow(secret.secret(seal)??.into()))
    }

    /// Opens what was stored in this place: a copy that Python cannot wipe. Raises SecretError where it was made under
    /// another master or for another place (`other-key`), was changed (`damaged`) or cut off (`cut`), or is none.
    #[pyo3(signature = (stored, /, *, table, row, purpose))]
    fn open<'py>(
        &self,
        py: Python<'py>,
        stored: BytesLike<'_>,
        table: &Bound<'_, PyString>,
        row: BytesLike<'_>,
        purpose: &Bound<'_, PyString>,
    ) -> Returned<Bound<'py, PyBytes>> {
        let read: Vaulted = Vaulted::read(place(table, &row, purpose)?, stored.contiguous()?.into_owned())?;
        Ok(PyBytes::new(py, &read.open(&self.0)?))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Err(not_hashed::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __repr__(&self) -> &'static str {
        "Master()"
    }
}
