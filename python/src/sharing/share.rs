//! Shares.

use super::{Over, over};
use crate::enums::{SharingField, sharing_field_object};
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{self, BytesLike, counter, text, threshold};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{self, ssss};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Share>()
}

pub(super) type AnyShare = Over<shamir::Share<Fp521>, shamir::Share<Gf2_256>>;

/// One share: an index (1 to 255) and a secret value. It is wiped when it is no longer used, and shows its index alone.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Share(AnyShare);

impl From<shamir::Share<Fp521>> for Share {
    fn from(share: shamir::Share<Fp521>) -> Self {
        Self(Over::Prime(share))
    }
}

impl From<shamir::Share<Gf2_256>> for Share {
    fn from(share: shamir::Share<Gf2_256>) -> Self {
        Self(Over::Binary(share))
    }
}

impl Share {
    pub(super) fn is_prime(&self) -> bool {
        matches!(self.0, Over::Prime(_))
    }

    /// A copy in the field that is asked for. One of the other field does not have its length.
    fn copy<F: Field>(&self) -> Returned<shamir::Share<F>> {
        Ok(over!(&self.0, share => shamir::Share::from_bytes(share.index(), share.to_bytes().as_slice()))?)
    }
}

/// Copies for the library, which wipes them.
pub(super) fn copies<F: Field>(shares: &[Py<Share>]) -> Returned<Vec<shamir::Share<F>>> {
    shares.iter().map(|share| share.get().copy()).collect()
}

#[pymethods]
impl Share {
    /// From the value's 66 (FP_521) or 32 (GF_2_256) bytes, big-endian. A bytearray can be overwritten by the caller
    /// afterwards, bytes cannot.
    #[staticmethod]
    #[pyo3(signature = (field, index, value, /))]
    fn from_bytes(field: SharingField, index: &Bound<'_, PyInt>, value: BytesLike<'_>) -> Returned<Self> {
        let index = input::index(index)?;
        Ok(match field {
            SharingField::Fp521 => value.secret(|value| shamir::Share::<Fp521>::from_bytes(index, value))?.into(),
            SharingField::Gf2_256 => value.secret(|value| shamir::Share::<Gf2_256>::from_bytes(index, value))?.into(),
        })
    }

    /// From the value in lowercase hexadecimal (`vrijednost_hex`): 132 (FP_521) or 64 (GF_2_256) characters.
    #[staticmethod]
    #[pyo3(signature = (field, index, value_hex, /))]
    fn from_hex(field: SharingField, index: &Bound<'_, PyInt>, value_hex: &Bound<'_, PyString>) -> Returned<Self> {
        let (index, value) = (input::index(index)?, text("vrijednost_hex", value_hex)?);
        Ok(match field {
            SharingField::Fp521 => shamir::Share::<Fp521>::from_hex(index, value)?.into(),
            SharingField::Gf2_256 => shamir::Share::<Gf2_256>::from_hex(index, value)?.into(),
        })
    }

    /// Reads a share that `ssss-split -s 256 -x -D` wrote for the threshold k.
    #[staticmethod]
    #[pyo3(signature = (line, /, *, k))]
    fn from_ssss(line: &Bound<'_, PyString>, k: &Bound<'_, PyInt>) -> Returned<Self> {
        Ok(ssss::from_text(text("indeks", line)?, counter("k", k)?)?.into())
    }

    /// Writes a share of GF_2_256 as `ssss-split -s 256 -x -D` does. Secret.
    #[pyo3(signature = (*, k, n))]
    fn to_ssss<'py>(
        &self,
        py: Python<'py>,
        k: &Bound<'_, PyInt>,
        n: &Bound<'_, PyInt>,
    ) -> Returned<Bound<'py, PyString>> {
        Ok(PyString::new(py, &ssss::to_text(&self.copy()?, threshold(k, n)?)))
    }

    /// Which share it is.
    #[getter]
    fn index(&self) -> u8 {
        over!(&self.0, share => share.index().get())
    }

    /// The field.
    #[getter]
    fn field<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        sharing_field_object(py, &self.0)
    }

    /// The value's bytes, big-endian: a copy that Python cannot wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        over!(&self.0, share => PyBytes::new(py, share.to_bytes().as_slice()))
    }

    /// The value in lowercase hexadecimal (`vrijednost_hex`): a copy that Python cannot wipe.
    fn to_hex<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        over!(&self.0, share => PyString::new(py, &share.to_hex()))
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
        over!(&self.0, share => format!("{share:?}"))
    }
}
