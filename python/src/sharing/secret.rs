//! The only secrets that are shared: those that the library drew.

use super::share::Share;
use super::{Over, over};
use crate::enums::{SharingField, sharing_field_object};
use crate::failure::{Returned, not_pickled};
use crate::input::threshold;
use dualseal::SystemRng;
use dualseal::field::{Fp521, Gf2_256};
use dualseal::shamir;
use dualseal::stream::KeyMaterial;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DrawnSecret>()
}

pub(crate) type AnySecret = Over<shamir::DrawnSecret<Fp521>, shamir::DrawnSecret<Gf2_256>>;

/// A secret that this library drew: the only kind that is shared. Anything else, such as a password or a file, is
/// encrypted under one (see encrypt). It is wiped when it is no longer used.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct DrawnSecret(pub(crate) Arc<AnySecret>);

impl From<shamir::DrawnSecret<Fp521>> for DrawnSecret {
    fn from(secret: shamir::DrawnSecret<Fp521>) -> Self {
        Self(Arc::new(Over::Prime(secret)))
    }
}

impl From<shamir::DrawnSecret<Gf2_256>> for DrawnSecret {
    fn from(secret: shamir::DrawnSecret<Gf2_256>) -> Self {
        Self(Arc::new(Over::Binary(secret)))
    }
}

/// What encrypts a stream, and threads may share.
pub(crate) type Material = dyn KeyMaterial + Send + Sync;

impl AnySecret {
    pub(crate) fn material(&self) -> &Material {
        over!(self, secret => secret)
    }
}

#[pymethods]
impl DrawnSecret {
    /// Draws a secret, uniformly over the field.
    #[staticmethod]
    #[pyo3(signature = (field, /))]
    fn draw(field: SharingField) -> Returned<Self> {
        Ok(match field {
            SharingField::Fp521 => shamir::DrawnSecret::<Fp521>::draw(&mut SystemRng)?.into(),
            SharingField::Gf2_256 => shamir::DrawnSecret::<Gf2_256>::draw(&mut SystemRng)?.into(),
        })
    }

    /// Deals n shares, of which any k give the secret, for other programs: nothing is kept to tell a bad share by
    /// later. Dealing.deal makes those that can be checked.
    #[pyo3(signature = (*, k, n))]
    fn split(&self, py: Python<'_>, k: &Bound<'_, PyInt>, n: &Bound<'_, PyInt>) -> Returned<Vec<Share>> {
        let threshold = threshold(k, n)?;
        over!(&*self.0, secret => {
            Ok(py.detach(|| secret.split(threshold, &mut SystemRng))?.into_iter().map(Share::from).collect())
        })
    }

    /// The field.
    #[getter]
    fn field<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        sharing_field_object(py, &self.0)
    }

    /// The secret bytes, big-endian, 66 (FP_521) or 32 (GF_2_256): a copy that Python cannot wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        over!(&*self.0, secret => PyBytes::new(py, secret.to_bytes().as_slice()))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        over!(&*self.0, secret => format!("{secret:?}"))
    }
}
