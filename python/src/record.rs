//! Signature records, as data.

use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::BytesLike;
use crate::json::{JsonText, record, to_object};
use crate::keys::PublicKey;
use crate::krunica::Entry;
use crate::values::{Again, again, hashed};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SignatureRecord>()
}

/// A signature record. Holding one says nothing about its validity.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct SignatureRecord(pub(crate) dualseal::SignatureRecord);

#[pymethods]
impl SignatureRecord {
    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, dualseal::SignatureRecord::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, dualseal::SignatureRecord::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// The binary form: 5371 bytes, or 3419 without the public key, for who has the keys beside.
    #[pyo3(signature = (*, with_key = true))]
    fn to_bytes<'py>(&self, py: Python<'py>, with_key: bool) -> Bound<'py, PyBytes> {
        let bytes = if with_key { self.0.to_bytes() } else { self.0.to_bytes_without_key() };
        PyBytes::new(py, &bytes)
    }

    /// Reads the binary form; one without a public key only where the key is given.
    #[staticmethod]
    #[pyo3(signature = (stored, /, *, public_key = None))]
    fn from_bytes(stored: BytesLike<'_>, public_key: Option<&PublicKey>) -> Returned<Self> {
        let stored = stored.contiguous()?;
        Ok(Self(match public_key {
            Some(key) => dualseal::SignatureRecord::from_bytes_with_key(&stored, &key.0)?,
            None => dualseal::SignatureRecord::from_bytes(&stored)?,
        }))
    }

    /// Whether an entry is the record's own, by all that the record says of it. Nothing of the signature is looked at.
    #[pyo3(signature = (domain, entry, /))]
    fn is_of(&self, domain: &Domain, entry: &Entry) -> bool {
        self.0.is_of(&domain.0, &entry.0)
    }

    /// Whose signature it claims to be.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// The key inside the record (`javni_kljuc`), which proves nothing: verification asks the ring.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    /// The signature (`potpis`), 3309 bytes.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.signature().as_bytes())
    }

    /// What was signed (`sadrzaj_hash`), 64 hexadecimal characters.
    #[getter]
    fn content_hash(&self) -> String {
        self.0.content_hash().to_hex()
    }

    /// The short handle of the record's chain entry, 64 hexadecimal characters.
    #[getter]
    fn krunica_hash(&self) -> String {
        self.0.krunica_hash().to_hex()
    }

    /// The time that the signer gave. No evidence of time.
    #[getter]
    fn time(&self) -> String {
        self.0.time().to_string()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.signature().as_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("SignatureRecord(identity_id='{}', time='{}')", self.0.identity_id(), self.0.time())
    }
}
