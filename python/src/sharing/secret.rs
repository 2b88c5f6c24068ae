//! The only secrets that are shared: those that the library drew.

use super::share::Share;
use super::{Over, over};
use crate::enums::{SharingField, sharing_field_object};
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{BytesLike, threshold};
use dualseal::error::{Malformed, Problem};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::secret::Secret;
use dualseal::shamir;
use dualseal::stream::KeyMaterial;
use dualseal::{Error, SystemRng};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DrawnSecret>()
}

pub(crate) type AnySecret = Over<shamir::DrawnSecret<Fp521>, shamir::DrawnSecret<Gf2_256>>;

/// The bytes of a secret, of which nobody here can say who chose them.
pub(crate) type AnyBytes = Over<Secret<66>, Secret<32>>;

/// A secret that this library drew: the only kind that is shared. Anything else, such as a password or a file, is
/// encrypted under one (see encrypt). It is wiped when it is no longer used.
///
/// One that from_bytes read opens and encrypts, and is not shared: of a value that somebody chose, what a dealer
/// publishes would let others try guesses.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct DrawnSecret(Held);

enum Held {
    Drawn(AnySecret),
    Read(AnyBytes),
}

impl From<shamir::DrawnSecret<Fp521>> for DrawnSecret {
    fn from(secret: shamir::DrawnSecret<Fp521>) -> Self {
        Self(Held::Drawn(Over::Prime(secret)))
    }
}

impl From<shamir::DrawnSecret<Gf2_256>> for DrawnSecret {
    fn from(secret: shamir::DrawnSecret<Gf2_256>) -> Self {
        Self(Held::Drawn(Over::Binary(secret)))
    }
}

/// What encrypts a stream, and threads may share.
pub(crate) type Material = dyn KeyMaterial + Send + Sync;

impl DrawnSecret {
    pub(crate) fn material(&self) -> &Material {
        match &self.0 {
            Held::Drawn(secret) => over!(secret, secret => secret),
            Held::Read(bytes) => over!(bytes, bytes => bytes),
        }
    }

    /// What may be shared. TypeError for what was read.
    pub(crate) fn shared(&self) -> Returned<&AnySecret> {
        match &self.0 {
            Held::Drawn(secret) => Ok(secret),
            Held::Read(_) => Err(PyTypeError::new_err(
                "a secret that was read from bytes is not shared: share one that was drawn, or rebuilt from its shares",
            )
            .into()),
        }
    }
}

/// Secret bytes of either length.
pub(crate) fn read(bytes: &[u8]) -> Result<AnyBytes, Error> {
    if bytes.len() == Fp521::BYTES {
        Ok(Over::Prime(Secret::from_slice("secret", bytes)?))
    } else {
        Ok(Over::Binary(Secret::from_slice("secret", bytes)?))
    }
}

/// A secret that encrypts or opens: one of the library's, or 32 or 66 bytes.
pub(crate) enum OneSecret {
    Drawn(Py<DrawnSecret>),
    Raw(Arc<AnyBytes>),
}

impl OneSecret {
    pub(crate) fn material(&self) -> &Material {
        match self {
            Self::Drawn(secret) => secret.get().material(),
            Self::Raw(bytes) => over!(&**bytes, bytes => bytes),
        }
    }
}

impl FromPyObject<'_, '_> for OneSecret {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(secret) = object.cast::<DrawnSecret>() {
            return Ok(Self::Drawn(secret.to_owned().unbind()));
        }
        Ok(Self::Raw(Arc::new(object.extract::<BytesLike<'_>>()?.secret(read)?)))
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

    /// One that was drawn before, by what to_bytes gave, 66 bytes (FP_521) or 32 (GF_2_256): it opens what it
    /// encrypted. It is not shared, for which TypeError is raised. Raises MalformedError for what no secret's bytes
    /// are.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: BytesLike<'_>) -> Returned<Self> {
        data.secret(|bytes| {
            let found = read(bytes)?;
            let is_element = match &found {
                Over::Prime(secret) => Fp521::from_bytes(secret.expose()).is_some(),
                Over::Binary(secret) => Gf2_256::from_bytes(secret.expose()).is_some(),
            };
            if !bool::from(is_element) {
                return Err(Error::from(Malformed::new("secret", None, Problem::Range)));
            }
            // No draw gives it: a buffer that nobody filled.
            if bytes.iter().fold(0, |all, byte| all | byte) == 0 {
                return Err(Error::from(Malformed::new("secret", None, Problem::AllZero)));
            }
            Ok(Self(Held::Read(found)))
        })
    }

    /// Deals n shares, of which any k give the secret, for other programs: nothing is kept to tell a bad share by
    /// later. Dealing.deal makes those that can be checked.
    #[pyo3(signature = (*, k, n))]
    fn split(&self, py: Python<'_>, k: &Bound<'_, PyInt>, n: &Bound<'_, PyInt>) -> Returned<Vec<Share>> {
        let threshold = threshold(k, n)?;
        over!(self.shared()?, secret => {
            Ok(py.detach(|| secret.split(threshold, &mut SystemRng))?.into_iter().map(Share::from).collect())
        })
    }

    /// The field.
    #[getter]
    fn field<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Held::Drawn(secret) => sharing_field_object(py, secret),
            Held::Read(bytes) => sharing_field_object(py, bytes),
        }
    }

    /// The secret bytes, big-endian, 66 (FP_521) or 32 (GF_2_256): a copy that Python cannot wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match &self.0 {
            Held::Drawn(secret) => over!(secret, secret => PyBytes::new(py, secret.to_bytes().as_slice())),
            Held::Read(bytes) => over!(bytes, bytes => PyBytes::new(py, bytes.expose())),
        }
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
        "DrawnSecret([redacted])"
    }
}
