//! What evidence shows, once it was verified.

use super::record::told;
use crate::as_of::AsOf;
use crate::checkpoint::Checkpoint;
use crate::enums::{evidence_kind_object, key_state_object};
use crate::failure::{Returned, not_pickled_but};
use crate::json::to_object;
use crate::note::seen;
use dualseal::evidence;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<EvidenceReport>()
}

/// Who made the record, by which key and in which state, since when and before which time, seen by which witnesses, as
/// of which size. What it says of the key is what the log's signer says; witnesses bound when he can have said it. Its
/// truth value raises TypeError: of a revoked key there is a report too.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct EvidenceReport {
    report: evidence::EvidenceReport,
    as_of: Py<AsOf>,
}

impl EvidenceReport {
    pub(super) fn of(py: Python<'_>, report: evidence::EvidenceReport) -> PyResult<Self> {
        let as_of = Py::new(py, told(py, &report.as_of)?)?;
        Ok(Self { report, as_of })
    }
}

#[pymethods]
impl EvidenceReport {
    /// The verdict on the record with its dates, as of the checkpoint's size: VALID, REVOKED or SUSPENDED.
    #[getter]
    fn as_of(&self, py: Python<'_>) -> Py<AsOf> {
        self.as_of.clone_ref(py)
    }

    /// What kind of record it is about.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        evidence_kind_object(py, self.report.kind)
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.report.origin()
    }

    /// The fingerprint that the log was known by, 64 hexadecimal characters.
    #[getter]
    fn log(&self) -> String {
        self.report.log.to_hex()
    }

    /// The checkpoint that all of this stands under.
    #[getter]
    fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.report.checkpoint().clone())
    }

    /// Whose record it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.report.identity_id.to_hex()
    }

    /// SHA3-256 over the key that made it, 64 hexadecimal characters.
    #[getter]
    fn key(&self) -> String {
        self.report.key.to_hex()
    }

    /// The state of the key as of the checkpoint's size.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        key_state_object(py, self.report.state)
    }

    /// The position of the entry since which the key is in that state.
    #[getter]
    fn since(&self) -> u64 {
        self.report.since
    }

    /// The time before which all of this was in the log: by then as many witnesses as were asked for had seen it. None
    /// where none was asked for.
    #[getter]
    fn before(&self) -> Option<String> {
        self.report.before().map(|time| time.to_string())
    }

    /// Who of the verifier's witnesses saw the log: by their public keys the earliest time that each gave.
    #[getter]
    fn witnessed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        seen(py, &self.report.witnessed)
    }

    /// The erased record, of an erasure.
    #[getter]
    fn vault_id(&self) -> Option<String> {
        self.report.vault_id.map(|vault_id| vault_id.to_hex())
    }

    /// What evidence of this kind does not show, for people to read.
    #[getter]
    fn not_shown(&self) -> Option<&'static str> {
        self.report.kind.not_shown()
    }

    /// Compares it with what evidence of the same key said as of another size: a history only grows, and the place of a
    /// compromise only falls.
    ///
    /// Raises EvidenceError (`evidence-retold`) where the log's signer took something back, dated it back, or signed
    /// two checkpoints that no log has: keep both files, they convict him. Also for evidence of another log or key,
    /// with which nothing can be compared.
    #[pyo3(signature = (other, /))]
    fn compare(&self, other: &Self) -> Returned<()> {
        Ok(self.report.compare(&other.report)?)
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.report.to_json()
    }

    /// The members of to_json.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.report.to_json())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an EvidenceReport is neither true nor false: compare the kind of its verdict"))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled_but::<Self>(py, "to_dict() says the same, and proves nothing"))
    }

    fn __repr__(&self) -> String {
        format!("EvidenceReport({})", self.report.to_json())
    }
}
