//! What a verification says of a vault record. A report is never true or false.

use super::record::VaultRecord;
use crate::enums::vault_outcome_object;
use crate::failure::{Raised, Returned, not_pickled, not_pickled_but};
use crate::json::to_object;
use crate::verdict::Verdict;
use dualseal::Verified;
use dualseal::vault::{self, Erasable, Layer, OperatorRecord};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VaultReport>()?;
    module.add_class::<VerifiedRecord>()
}

/// A report under either policy.
pub(crate) enum Reported {
    Public(vault::VaultReport<vault::VaultRecord>),
    Operator(vault::VaultReport<OperatorRecord>),
}

/// Does the same with a report under either policy.
macro_rules! on_report {
    ($report:expr, $name:pat => $body:expr) => {
        match $report {
            Reported::Public($name) => $body,
            Reported::Operator($name) => $body,
        }
    };
}

/// What a verification says of a vault record: each layer with its outcome, and one verdict. Its truth value raises
/// TypeError; str() gives ten lines for people.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VaultReport(Arc<Reported>);

impl From<Reported> for VaultReport {
    fn from(reported: Reported) -> Self {
        Self(Arc::new(reported))
    }
}

impl VaultReport {
    /// The proof that erasing needs, which a revoked key does not take away.
    pub(super) fn erasable(&self, py: Python<'_>) -> Returned<&Erasable> {
        match &*self.0 {
            Reported::Operator(report) => match report.erasable() {
                Some(erasable) => Ok(erasable),
                None => Err(self.verdict(py)?.refusal(py)?.into()),
            },
            Reported::Public(_) => Err(PyTypeError::new_err("only what the operator's policy judged is erased").into()),
        }
    }
}

#[pymethods]
impl VaultReport {
    /// The outcome and the reason of each layer, `L0` to `L8`; None where there is no reason.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let layers = PyDict::new(py);
        for layer in Layer::ALL {
            let outcome = on_report!(&*self.0, report => report.outcome(layer));
            layers.set_item(layer.as_str(), (vault_outcome_object(py, outcome)?, outcome.reason()))?;
        }
        Ok(layers)
    }

    /// The first layer that failed, in the order L0, L2 to L8; None when none did.
    #[getter]
    fn failed(&self) -> Option<&'static str> {
        on_report!(&*self.0, report => report.failed()).map(Layer::as_str)
    }

    /// The record that it is about, by the identifier that the record gives.
    #[getter]
    fn vault_id(&self) -> String {
        on_report!(&*self.0, report => report.vault_id().to_hex())
    }

    /// The verdict.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> PyResult<Verdict> {
        let told = on_report!(&*self.0, report => Verdict::told(report.verdict(), report.failed()));
        if self.0.record().is_some() { told.with_verified(py, VerifiedRecord(Arc::clone(&self.0))) } else { Ok(told) }
    }

    /// What was verified. Raises as Verdict.verified does, with the layer in `failed`.
    fn verified(&self, py: Python<'_>) -> Returned<VerifiedRecord> {
        let record = VerifiedRecord(Arc::clone(&self.0));
        match record.0.record() {
            Some(_) => Ok(record),
            None => Err(self.verdict(py)?.refusal(py)?.into()),
        }
    }

    /// The report for the operator, as canonical JSON: `{layers, result, seq, type, vault_id}`.
    fn to_json(&self) -> String {
        on_report!(&*self.0, report => report.to_json())
    }

    /// The report for everybody else: a decoy equals a valid record, and a refusal shows neither layers nor reason.
    fn to_public_json(&self) -> String {
        on_report!(&*self.0, report => report.to_public_json())
    }

    /// The members of the report for the operator.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.to_json())
    }

    /// The members of the report for everybody else.
    fn to_public_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.to_public_json())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a VaultReport is neither true nor false: look at its verdict"))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled_but::<Self>(py, "to_dict() says the same, and proves nothing"))
    }

    fn __str__(&self) -> String {
        on_report!(&*self.0, report => report.to_string())
    }

    fn __repr__(&self) -> String {
        let kind = on_report!(&*self.0, report => report.verdict().kind());
        format!("VaultReport(vault_id='{}', verdict='{}')", self.vault_id(), kind.as_str())
    }
}

impl Reported {
    /// The record, where the verdict is Valid.
    fn record(&self) -> Option<&vault::VaultRecord> {
        on_report!(self, report => report.record())
    }

    /// The proof that unsealing needs.
    pub(super) fn operator(&self) -> Returned<&Verified<OperatorRecord>> {
        match self {
            Self::Operator(report) => valid(report.verdict()),
            Self::Public(_) => {
                Err(PyTypeError::new_err("only what the operator's policy verified is taken out").into())
            }
        }
    }
}

/// What is Valid, as every VerifiedRecord is.
pub(super) fn valid<T>(verdict: &dualseal::Verdict<T>) -> Returned<&Verified<T>> {
    match verdict {
        dualseal::Verdict::Valid(verified) => Ok(verified),
        _ => Err(Raised::from(PyRuntimeError::new_err("a VerifiedRecord whose report is not valid"))),
    }
}

/// A vault record that was verified. Only a report gives one. Under the operator's policy it opens the document.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VerifiedRecord(pub(crate) Arc<Reported>);

#[pymethods]
impl VerifiedRecord {
    /// The record, with its fragment where the one that was verified had it.
    #[getter]
    fn record(&self) -> Returned<VaultRecord> {
        let record = on_report!(&*self.0, report => valid(report.verdict())?.record().as_ref().duplicate());
        Ok(VaultRecord(record))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("VerifiedRecord(vault_id='{}')", on_report!(&*self.0, report => report.vault_id()))
    }
}
