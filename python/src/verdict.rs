//! Verdicts. One is never true or false: a decoy and a suspended key are neither.

use crate::enums::{key_state_object, verdict_kind_object};
use crate::failure::{Outcome, not_pickled, verdict_exception};
use crate::json::to_object;
use crate::record::SignatureRecord;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Verdict>()
}

/// What a verification concluded. Its truth value raises TypeError; use kind, or verified().
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Verdict(pub(crate) dualseal::Verdict<dualseal::SignatureRecord>);

#[pymethods]
impl Verdict {
    /// Which kind of verdict it is.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        verdict_kind_object(py, self.0.kind())
    }

    /// Why it is not VALID, for the operator; None when it is.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.0.internal().reason
    }

    /// The state of the key; None when the record's key is not one of its identity. For the operator.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.subject().state.map(|state| key_state_object(py, state)).transpose()
    }

    /// The identity that the record names.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.subject().identity_id.to_hex()
    }

    /// The time that the record gives, None where it has none. No evidence of time.
    #[getter]
    fn timestamp(&self) -> Option<String> {
        self.0.subject().timestamp.map(|time| time.to_string())
    }

    /// Which trap it was, where the verdict is DECOY: SHA3-256 over the decoy's public key. Otherwise None.
    #[getter]
    fn decoy_key_hash(&self) -> Option<String> {
        match &self.0 {
            dualseal::Verdict::Decoy(ticket) => Some(ticket.key_hash().to_hex()),
            _ => None,
        }
    }

    /// The record, when the verdict is VALID.
    ///
    /// Otherwise raises InvalidError, RevokedError, SuspendedError or DecoyError. Their messages are for the operator:
    /// an outsider must not learn from one that a key is a decoy.
    fn verified(&self, py: Python<'_>) -> Outcome<SignatureRecord> {
        if let dualseal::Verdict::Valid(verified) = &self.0 {
            return Ok(SignatureRecord(verified.record().clone()));
        }
        let reason = self.reason().unwrap_or_default();
        Err(verdict_exception(py, self.0.kind(), &self.kind(py)?, &reason)?.into())
    }

    /// The result as the operator is told it.
    fn internal<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        to_object(py, &self.0.internal().to_json())
    }

    /// The result as everybody else is told it: a decoy equals a valid record in every field. A courtesy, no evidence.
    fn public<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        to_object(py, &self.0.public().to_json())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a Verdict is neither true nor false: compare its kind, or call verified()"))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Verdict(kind='{}')", self.0.kind().as_str())
    }
}
