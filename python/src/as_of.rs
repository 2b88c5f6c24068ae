//! Verdicts with their dates.

use crate::failure::{Returned, not_pickled};
use crate::json::to_object;
use crate::verdict::Verdict;
use dualseal::verdict::{self, InvalidReason};
use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<AsOf>()
}

/// A verdict on a record at a proven place, as of a size of the chain.
///
/// The verdict follows the state that the key has as of that size: a revocation that came after the record revokes it
/// too. What else is here tells the two apart, and decides nothing. It is what the log's signer says. Its truth value
/// raises TypeError.
#[pyclass(frozen, generic, module = "dualseal")]
pub(crate) struct AsOf {
    verdict: Py<Verdict>,
    size: Option<u64>,
    failed: Option<&'static str>,
    place: Option<u64>,
    revoked_then: Option<u64>,
    revoked_now: Option<u64>,
    compromised_from: Option<u64>,
    claimed: bool,
    json: String,
    public_json: String,
}

impl AsOf {
    /// Of a verification, with the object that a valid record becomes.
    pub(crate) fn of<T, P>(py: Python<'_>, as_of: verdict::AsOf<T>, object: impl FnOnce(T) -> P) -> PyResult<Self>
    where
        P: PyClass + Into<PyClassInitializer<P>>,
    {
        let told = Self::told(py, &as_of, Verdict::told(&as_of.verdict, None))?;
        let verdict = Verdict::of(py, as_of.verdict, |verified| object(verified.into_record()))?;
        Ok(Self { verdict: Py::new(py, verdict)?, ..told })
    }

    /// With the verdict as Python has it.
    pub(crate) fn told<T>(py: Python<'_>, as_of: &verdict::AsOf<T>, verdict: Verdict) -> PyResult<Self> {
        Ok(Self {
            verdict: Py::new(py, verdict)?,
            size: as_of.size,
            failed: as_of.failed.map(InvalidReason::as_str),
            place: as_of.place,
            revoked_then: as_of.revoked_then,
            revoked_now: as_of.revoked_now,
            compromised_from: as_of.compromised_from,
            claimed: as_of.claimed,
            json: as_of.to_json(),
            public_json: as_of.to_public_json(),
        })
    }
}

#[pymethods]
impl AsOf {
    /// The verdict.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> Py<Verdict> {
        self.verdict.clone_ref(py)
    }

    /// The number of entries of the chain as of which the key is known. None with a pinned key, or a public ring that
    /// nothing attests: then nothing is known of revocations.
    #[getter]
    fn size(&self) -> Option<u64> {
        self.size
    }

    /// The first check that failed, whatever the state of the key: anybody may place an entry for a record that its
    /// signer never made. For the operator.
    #[getter]
    fn failed(&self) -> Option<&str> {
        self.failed
    }

    /// The position of the record's own entry; None where a check failed.
    #[getter]
    fn place(&self) -> Option<u64> {
        self.place
    }

    /// The entry that began the revoked interval in which the place lies, also where the key is valid again.
    #[getter]
    fn revoked_then(&self) -> Option<u64> {
        self.revoked_then
    }

    /// The entry since which the key is revoked.
    #[getter]
    fn revoked_now(&self) -> Option<u64> {
        self.revoked_now
    }

    /// From which position on the key counts as compromised (`opozvan_od`), whatever its state is now.
    #[getter]
    fn compromised_from(&self) -> Option<u64> {
        self.compromised_from
    }

    /// Whether the record stands at or after that position: it may be the thief's.
    #[getter]
    fn claimed(&self) -> bool {
        self.claimed
    }

    /// Canonical JSON, for the operator.
    fn to_json(&self) -> &str {
        &self.json
    }

    /// Canonical JSON for everybody else: a decoy equals a valid record, and every failed check reads `rejected`.
    fn to_public_json(&self) -> &str {
        &self.public_json
    }

    /// The members of to_json.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.json)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an AsOf is neither true nor false: compare the kind of its verdict"))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("AsOf({})", self.json)
    }
}
