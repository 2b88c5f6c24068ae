//! Vault records, as data, and what traces back to them.

use super::master::{LedgerHead, VaultMaster};
use crate::enums::{encryption_object, tier_object};
use crate::failure::Returned;
use crate::input::text;
use crate::json::{JsonText, record, to_object};
use crate::krunica::Entry;
use crate::values::{Again, again};
use crate::verdict::Verdict;
use dualseal::vault::{self, Fragment};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VaultRecord>()?;
    module.add_function(wrap_pyfunction!(trace, module)?)?;
    module.add_function(wrap_pyfunction!(trace_decoy, module)?)
}

/// A vault record, without the stored bytes. Holding one says nothing about its validity.
///
/// The stored record holds the honeypot fragment, a secret. Whatever leaves the store is redacted.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VaultRecord(pub(crate) vault::VaultRecord);

impl VaultRecord {
    /// An argument that is a record, or the members or text of one.
    pub(super) fn read(object: &Bound<'_, PyAny>) -> Returned<vault::VaultRecord> {
        match object.cast::<Self>() {
            Ok(record) => Ok(record.get().0.duplicate()),
            Err(_) => record(object, vault::VaultRecord::from_json),
        }
    }
}

#[pymethods]
impl VaultRecord {
    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, vault::VaultRecord::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, vault::VaultRecord::from_json)?))
    }

    /// Canonical JSON without the fragment: what may leave the store.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Canonical JSON for the store: with the fragment, where the record has it, a secret that Python cannot wipe.
    fn to_stored_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_stored_json())
    }

    /// The members of to_json, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// The record without its fragment: what may leave the store. It verifies as well.
    fn redacted(&self) -> Self {
        Self(self.0.redacted())
    }

    /// Whether the record has no fragment.
    #[getter]
    fn is_redacted(&self) -> bool {
        self.0.fragment().is_none()
    }

    /// The identifier that it gives itself.
    #[getter]
    fn vault_id(&self) -> String {
        self.0.header().vault_id.to_hex()
    }

    /// Whose record it says that it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.header().identity_id.to_hex()
    }

    /// The type of the document (`type`).
    #[getter]
    fn kind(&self) -> &str {
        &self.0.header().kind
    }

    /// The time that the sealer gave. No evidence by itself.
    #[getter]
    fn created_at(&self) -> String {
        self.0.header().created_at.to_string()
    }

    /// Whether the stored bytes are encrypted.
    #[getter]
    fn encryption<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        encryption_object(py, self.0.header().encryption)
    }

    /// The tier that it claims (L4).
    #[getter]
    fn tier<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tier_object(py, self.0.tier())
    }

    /// The name of the master whose keys made it.
    #[getter]
    fn key_id(&self) -> String {
        self.0.header().key_id.to_hex()
    }

    /// The ledger.
    #[getter]
    fn ledger(&self) -> String {
        self.0.header().ledger.to_hex()
    }

    /// The position in the ledger, from 0.
    #[getter]
    fn seq(&self) -> u64 {
        self.0.header().seq
    }

    /// The number of stored bytes.
    #[getter]
    fn length(&self) -> u64 {
        self.0.header().length
    }

    /// What the perimeter reported (L1). It may hold control characters: whoever prints it escapes them.
    #[getter]
    fn note(&self) -> &str {
        self.0.note()
    }

    /// SHA3-256 over the stored bytes (L3).
    #[getter]
    fn baseline(&self) -> String {
        self.0.baseline().to_hex()
    }

    /// The identifier of its dual seal (L5).
    #[getter]
    fn seal_id(&self) -> String {
        self.0.seal_id().to_string()
    }

    /// Its entry in the chain (L8).
    #[getter]
    fn entry(&self) -> Entry {
        Entry(self.0.entry().clone())
    }

    /// The short handle of that entry, as the record gives it.
    #[getter]
    fn krunica_hash(&self) -> String {
        self.0.krunica_hash().to_hex()
    }

    /// The head of the ledger after it.
    #[getter]
    fn ledger_head(&self) -> LedgerHead {
        LedgerHead(self.0.ledger_head())
    }

    /// With its fragment, a secret, it stays where it is.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        if slf.get().is_redacted() {
            again(slf, "from_json", slf.get().0.to_json())
        } else {
            Err(PyTypeError::new_err(
                "cannot pickle or copy a stored VaultRecord, which holds a secret: take redacted()",
            ))
        }
    }

    fn __repr__(&self) -> String {
        let header = self.0.header();
        format!("VaultRecord(vault_id='{}', seq={}, kind={:?})", header.vault_id, header.seq, header.kind)
    }
}

/// Names the vault from which a fragment leaked (64 hexadecimal characters); None where it is of none of the records.
/// Redacted records do as well as stored ones.
#[pyfunction]
#[pyo3(signature = (fragment_hex, records, /))]
fn trace(
    py: Python<'_>,
    fragment_hex: &Bound<'_, PyString>,
    records: Vec<Py<VaultRecord>>,
) -> Returned<Option<String>> {
    let fragment = Fragment::from_hex(text("fragment", fragment_hex)?)?;
    let found = py.detach(|| vault::trace(&fragment, records.iter().map(|record| &record.get().0)));
    Ok(found.map(|vault_id| vault_id.to_hex()))
}

/// Names the vault whose fragment somebody signed with, by a verdict that is DECOY; None where it is of none of the
/// records. Raises ValueError for another verdict.
#[pyfunction]
#[pyo3(signature = (master, verdict, records, /))]
fn trace_decoy(
    py: Python<'_>,
    master: &VaultMaster,
    verdict: &Verdict,
    records: Vec<Py<VaultRecord>>,
) -> Returned<Option<String>> {
    let Some(ticket) = verdict.ticket() else {
        return Err(PyValueError::new_err("the verdict is not DECOY").into());
    };
    let found = py.detach(|| vault::trace_decoy(&master.0, ticket, records.iter().map(|record| &record.get().0)));
    Ok(found.map(|vault_id| vault_id.to_hex()))
}
