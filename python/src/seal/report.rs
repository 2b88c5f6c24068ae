//! What checking a seal gives. A report is never true or false.

use super::text::Seal;
use crate::enums::{layer_outcome_object, seal_format_object, seal_outcome_object};
use crate::failure::{not_pickled, not_pickled_but};
use crate::verdict::Verdict;
use dualseal::seal::{self, Conclusion};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SealReport>()?;
    module.add_class::<Authenticated>()
}

/// The outcome of each layer, and what they come to under the policy. Its truth value raises TypeError.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealReport(pub(super) seal::SealReport);

#[pymethods]
impl SealReport {
    /// HMAC-SHA3-512 with the seal key.
    #[getter]
    fn layer_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layer_outcome_object(py, self.0.layer_a)
    }

    /// ML-DSA-65 with a key of the identity.
    #[getter]
    fn layer_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layer_outcome_object(py, self.0.layer_b)
    }

    /// The verdict under the policies BOTH and LAYER_B; None under LAYER_A, which asks no key.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> PyResult<Option<Verdict>> {
        match &self.0.conclusion {
            Conclusion::Verdict(verdict) => {
                Verdict::of(py, verdict.clone(), |verified| Seal(verified.into_record().into())).map(Some)
            }
            Conclusion::Authenticated(_) | Conclusion::NotAuthenticated => Ok(None),
        }
    }

    /// Under the policy LAYER_A, what was authenticated; None when nothing was, and under the other policies.
    #[getter]
    fn authenticated(&self) -> Option<Authenticated> {
        match &self.0.conclusion {
            Conclusion::Authenticated(authenticated) => Some(Authenticated(authenticated.clone())),
            Conclusion::Verdict(_) | Conclusion::NotAuthenticated => None,
        }
    }

    /// What the operator is told: a SealOutcome.
    fn internal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seal_outcome_object(py, self.0.internal())
    }

    /// What everybody else is told: a decoy is OK.
    fn public<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seal_outcome_object(py, self.0.public())
    }

    /// The pair on the wire for the operator: `[true,"ok"]`, or false with `decoy`, `suspended` or `rejected`.
    fn to_json(&self) -> String {
        self.0.internal().to_json()
    }

    /// The pair on the wire for everybody else: a decoy reads as `[true,"ok"]`.
    fn to_public_json(&self) -> String {
        self.0.public().to_json()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a SealReport is neither true nor false: look at its verdict or authenticated"))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled_but::<Self>(py, "internal() says the same, and proves nothing"))
    }

    fn __repr__(&self) -> String {
        let (layer_a, layer_b) = (self.0.layer_a, self.0.layer_b);
        format!("SealReport(layer_a={layer_a:?}, layer_b={layer_b:?}, internal={:?})", self.0.internal().as_str())
    }
}

/// A payload whose layer A held. It was made by somebody who has the seal key, which may be the verifier; no key state
/// was consulted. Only a check makes one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Authenticated(seal::Authenticated);

#[pymethods]
impl Authenticated {
    /// Whose seal key it was, as the verifier says.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// The format of the seal.
    #[getter]
    fn format<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seal_format_object(py, self.0.format())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Authenticated(identity_id='{}', format='{}')", self.0.identity_id(), self.0.format().as_str())
    }
}
