//! What a quorum gives, and verifying it.

use crate::failure::{Raised, Returned, not_pickled};
use crate::json::{JsonText, record, to_object};
use crate::krunica::{Entry, Head};
use crate::sharing::numbers;
use crate::values::{Again, again, called, hashed};
use dualseal::threshold;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ThresholdResult>()?;
    module.add_class::<QuorumResult>()?;
    module.add_class::<QuorumSigned>()?;
    module.add_class::<AuthenticResult>()
}

/// A result as it stands on the wire: with a signature, or with the reason why there is none.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct ThresholdResult(threshold::ThresholdResult);

#[pymethods]
impl ThresholdResult {
    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, threshold::ThresholdResult::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, threshold::ThresholdResult::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// The result with a signature; None where there is none.
    #[getter]
    fn signed(&self) -> Option<QuorumResult> {
        match &self.0 {
            threshold::ThresholdResult::Signed(signed) => Some(QuorumResult(signed.clone())),
            threshold::ThresholdResult::Failed(_) => None,
        }
    }

    /// Why there is no signature (`razlog`); None where there is one.
    #[getter]
    fn reason(&self) -> Option<&str> {
        match &self.0 {
            threshold::ThresholdResult::Signed(_) => None,
            threshold::ThresholdResult::Failed(failed) => Some(&failed.reason),
        }
    }

    /// The numbers of the shares that did not hold, ascending.
    #[getter]
    fn culprits(&self) -> Vec<u64> {
        match &self.0 {
            threshold::ThresholdResult::Signed(signed) => numbers(signed.culprits()),
            threshold::ThresholdResult::Failed(failed) => numbers(&failed.culprits),
        }
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        match self.reason() {
            None => "ThresholdResult(ok=True)".to_owned(),
            Some(reason) => format!("ThresholdResult(ok=False, reason={reason:?})"),
        }
    }
}

/// A result with a signature. Holding one says nothing about its validity.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct QuorumResult(pub(crate) threshold::QuorumResult);

#[pymethods]
impl QuorumResult {
    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// Whoever asked for the signature (`weise3_hash`).
    #[getter]
    fn requester(&self) -> String {
        self.0.requester().to_hex()
    }

    /// The hash of the signing entry (`svjedok_hash`), 128 hexadecimal characters.
    #[getter]
    fn witness(&self) -> String {
        self.0.witness().to_hex()
    }

    /// The short handle of the signing entry, 64 hexadecimal characters.
    #[getter]
    fn krunica_hash(&self) -> String {
        self.0.krunica_hash().to_hex()
    }

    /// The time that the signer gave (`ts`). No evidence of time.
    #[getter]
    fn time(&self) -> String {
        self.0.time().to_string()
    }

    /// The numbers of the shares that did not hold, ascending.
    #[getter]
    fn culprits(&self) -> Vec<u64> {
        numbers(self.0.culprits())
    }

    /// The algorithm of the session that made it.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.algorithm().as_str()
    }

    /// The signature in hexadecimal (`potpis`): 128 characters, or 6618.
    #[getter]
    fn signature_hex(&self) -> String {
        self.0.signature_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        called(slf.py(), "quorum_result", (slf.get().0.to_json(),))
    }

    fn __repr__(&self) -> String {
        format!("QuorumResult(algorithm='{}', time='{}')", self.algorithm(), self.time())
    }
}

/// A result with its chain entry and the head after it: stored together, or none of them.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct QuorumSigned {
    /// The result.
    result: QuorumResult,
    /// Its entry in the chain.
    entry: Entry,
    /// The head after the entry.
    head: Head,
    /// The numbers of the shares that held and did not go with the others, ascending. The result does not name them:
    /// the dealer is to blame.
    misdealt: Vec<u64>,
    /// The split of the shares that signed.
    split_id: String,
    /// The entries of the session that count for nothing, as pairs of position and reason. They blame nobody.
    ignored: Vec<(u64, &'static str)>,
}

impl From<threshold::QuorumSigned> for QuorumSigned {
    fn from(signed: threshold::QuorumSigned) -> Self {
        let threshold::QuorumSigned { result, entry, head, misdealt, split_id, ignored } = signed;
        let (misdealt, split_id, ignored) = (numbers(&misdealt), split_id.to_hex(), listed(&ignored));
        Self { result: QuorumResult(result), entry: Entry(entry), head: Head(head), misdealt, split_id, ignored }
    }
}

#[pymethods]
impl QuorumSigned {
    fn __repr__(&self) -> String {
        format!("QuorumSigned(requester='{}', seq={})", self.result.0.requester(), self.entry.0.seq())
    }
}

/// Entries that count for nothing, as pairs of position and reason.
pub(super) fn listed(ignored: &dualseal::krunica::Ignored) -> Vec<(u64, &'static str)> {
    ignored.entries().iter().map(|entry| (entry.seq, entry.reason.as_str())).collect()
}

/// The exception for a refusal, with its record.
pub(super) fn refused(py: Python<'_>, refusal: threshold::QuorumRefusal) -> Returned<Raised> {
    let exception = PyErr::from(Raised::from(refusal.error));
    exception.value(py).setattr("refusal", to_object(py, &refusal.result.to_json())?)?;
    Ok(exception.into())
}

/// A result that k shares confirmed. It was made by somebody who had k shares, which may be the verifiers themselves.
/// Only SessionInForce.verify_with_shares gives one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct AuthenticResult(pub(super) threshold::AuthenticResult);

#[pymethods]
impl AuthenticResult {
    /// The result.
    #[getter]
    fn result(&self) -> QuorumResult {
        QuorumResult(self.0.result().clone())
    }

    /// The numbers of the shares given now that do not hold, ascending.
    #[getter]
    fn culprits(&self) -> Vec<u64> {
        numbers(self.0.culprits())
    }

    /// The numbers of the shares given now that hold and do not go with the others, ascending.
    #[getter]
    fn misdealt(&self) -> Vec<u64> {
        numbers(self.0.misdealt())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("AuthenticResult(requester='{}')", self.0.result().requester())
    }
}
