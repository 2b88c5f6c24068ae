//! The seal strings.

use crate::domain::Domain;
use crate::enums::seal_format_object;
use crate::failure::Returned;
use crate::input::{self, BytesLike};
use crate::json::to_object;
use crate::krunica::{Entry, Head, pair};
use crate::time::moment;
use crate::values::{Again, again, hashed};
use dualseal::error::Problem;
use dualseal::seal::{self, DualSeal};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Seal>()
}

/// A seal of either format; `str()` gives its text. Holding one says nothing about its validity.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Seal(pub(crate) seal::Seal);

impl Seal {
    pub(crate) fn dual(&self) -> Option<&DualSeal> {
        match &self.0 {
            seal::Seal::Dual(dual) => Some(dual),
            seal::Seal::Legacy(_) => None,
        }
    }

    /// A Seal, or the text of one.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> Returned<seal::Seal> {
        match value.cast::<Self>() {
            Ok(seal) => Ok(seal.get().0.clone()),
            Err(_) => Self::parse(value.cast::<PyString>().map_err(PyErr::from)?).map(|seal| seal.0),
        }
    }
}

#[pymethods]
impl Seal {
    /// Reads a seal string: `SEAL-DUAL::<128 hex>::<6618 hex>` or the legacy `SEAL-L5::<128 hex>`.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn parse(text: &Bound<'_, PyString>) -> Returned<Self> {
        Ok(Self(input::text("seal", text)?.parse()?))
    }

    /// The binary form: 3379 bytes of a dual seal, 70 of a legacy one.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// Reads the binary form.
    #[staticmethod]
    #[pyo3(signature = (stored, /))]
    fn from_bytes(stored: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(seal::Seal::from_bytes(&stored.contiguous()?)?))
    }

    /// Which format it is.
    #[getter]
    fn format<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seal_format_object(py, self.0.format())
    }

    /// The identifier of a dual seal: `SEAL-DUAL::` and SHA3-256 over the seal string. None for a legacy seal.
    #[getter]
    fn seal_id(&self) -> Option<String> {
        self.dual().map(|dual| dual.seal_id().to_string())
    }

    /// The message of a dual seal's entry in the chain, to find it by. None for a legacy seal.
    fn chain_message(&self, domain: &Domain) -> Option<String> {
        self.dual().map(|dual| dual.chain_message(&domain.0))
    }

    /// The chain entry of whoever wants a dual seal to outlive its key, and the new head, to be stored together or not
    /// at all. No plain message stands for it. A legacy seal is refused.
    #[pyo3(signature = (head, domain, identity_id, time))]
    fn append_to(
        &self,
        head: &Head,
        domain: &Domain,
        identity_id: &Bound<'_, PyString>,
        time: &Bound<'_, PyAny>,
    ) -> Returned<(Entry, Head)> {
        let identity_id = input::text("identity_id", identity_id)?.parse()?;
        let dual = self.dual().ok_or_else(|| input::malformed("seal", Problem::UnknownValue))?;
        Ok(pair(dual.append_to(&head.0, &domain.0, &identity_id, moment("time", time)?)?))
    }

    /// A description for people and interfaces: `format`, `hmac_hex`, `seal_id` and `signature_hex`.
    fn info<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.info().to_json())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_bytes", PyBytes::new(slf.py(), &slf.get().0.to_bytes()))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}
