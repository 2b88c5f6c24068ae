//! Verdicts. One is never true or false: a decoy and a suspended key are neither.

use crate::enums::{key_state_object, verdict_kind_object};
use crate::failure::{Returned, not_pickled_but, verdict_exception};
use crate::result::{PublicResult, VerificationResult};
use dualseal::vault::Layer;
use dualseal::verdict::{DecoyTicket, Subject};
use dualseal::{VerdictKind, Verified};
use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Verdict>()
}

/// What a verification of a record, a checkpoint, a seal, a quorum's result or a vault record concluded. Its truth
/// value raises TypeError; use kind, or verified().
#[pyclass(frozen, generic, module = "dualseal")]
pub(crate) struct Verdict {
    kind: VerdictKind,
    subject: Subject,
    internal: dualseal::VerificationResult,
    public: dualseal::PublicResult,
    decoy: Option<DecoyTicket>,
    /// Of a vault record: the first layer that failed.
    failed: Option<Layer>,
    /// What was found valid, as the class that `verified` names.
    verified: Option<Py<PyAny>>,
}

impl Verdict {
    /// Of a verification, with the object that what it found valid becomes.
    pub(crate) fn of<T, P>(
        py: Python<'_>,
        verdict: dualseal::Verdict<T>,
        object: impl FnOnce(Verified<T>) -> P,
    ) -> PyResult<Self>
    where
        P: PyClass + Into<PyClassInitializer<P>>,
    {
        let told = Self::told(&verdict, None);
        match verdict.valid() {
            Some(verified) => told.with_verified(py, object(verified)),
            None => Ok(told),
        }
    }

    /// All but what was verified; of a vault record with the first layer that failed.
    pub(crate) fn told<T>(verdict: &dualseal::Verdict<T>, failed: Option<Layer>) -> Self {
        Self {
            kind: verdict.kind(),
            subject: *verdict.subject(),
            internal: verdict.internal(),
            public: verdict.public(),
            decoy: match verdict {
                dualseal::Verdict::Decoy(ticket) => Some(ticket.clone()),
                _ => None,
            },
            failed,
            verified: None,
        }
    }

    pub(crate) fn with_verified<P>(self, py: Python<'_>, object: P) -> PyResult<Self>
    where
        P: PyClass + Into<PyClassInitializer<P>>,
    {
        Ok(Self { verified: Some(Py::new(py, object)?.into_any()), ..self })
    }

    /// What is left of a record that a decoy key signed.
    pub(crate) fn ticket(&self) -> Option<&DecoyTicket> {
        self.decoy.as_ref()
    }

    /// The exception for a verdict other than Valid.
    pub(crate) fn refusal(&self, py: Python<'_>) -> PyResult<PyErr> {
        let reason = self.internal.reason.as_deref().unwrap_or_default();
        let refusal = verdict_exception(py, self.kind, &verdict_kind_object(py, self.kind)?, reason)?;
        refusal.value(py).setattr("failed", self.failed.map(Layer::as_str))?;
        Ok(refusal)
    }
}

#[pymethods]
impl Verdict {
    /// Which kind of verdict it is.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        verdict_kind_object(py, self.kind)
    }

    /// Why it is not VALID, for the operator; None when it is.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.internal.reason.as_deref()
    }

    /// The state of the key; None when the key is not one of its identity. For the operator.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.subject.state.map(|state| key_state_object(py, state)).transpose()
    }

    /// The identity that the record, checkpoint or session names, or that the seal was checked for.
    #[getter]
    fn identity_id(&self) -> String {
        self.subject.identity_id.to_hex()
    }

    /// The time that the record, checkpoint or result gives; None for a seal. No evidence of time.
    #[getter]
    fn time(&self) -> Option<String> {
        self.subject.time.map(|time| time.to_string())
    }

    /// Which trap it was, where the verdict is DECOY: SHA3-256 over the decoy's public key. Otherwise None.
    #[getter]
    fn decoy_key_hash(&self) -> Option<String> {
        self.decoy.as_ref().map(|ticket| ticket.key_hash().to_hex())
    }

    /// The SignatureRecord, VerifiedCheckpoint, Seal, QuorumResult or VerifiedRecord, when the verdict is VALID.
    ///
    /// Otherwise raises InvalidError, RevokedError, SuspendedError or DecoyError. Their messages are for the operator:
    /// an outsider must not learn from one that a key is a decoy.
    fn verified<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        match &self.verified {
            Some(object) => Ok(object.bind(py).clone()),
            None => Err(self.refusal(py)?.into()),
        }
    }

    /// The result as the operator is told it.
    fn internal(&self) -> VerificationResult {
        VerificationResult(self.internal.clone())
    }

    /// The result as everybody else is told it: a decoy equals a valid record in every field. A courtesy, no evidence.
    fn public(&self) -> PublicResult {
        PublicResult(self.public.clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a Verdict is neither true nor false: compare its kind, or call verified()"))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled_but::<Self>(py, "internal() and public() say the same, and prove nothing"))
    }

    fn __repr__(&self) -> String {
        format!("Verdict(kind='{}')", self.kind.as_str())
    }
}
