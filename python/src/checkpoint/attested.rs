//! Public rings, and single keys of them, that a verified checkpoint states.

use super::verifier::VerifiedCheckpoint;
use crate::failure::{Returned, not_pickled};
use crate::key_proof::KeyProof;
use crate::keys::PublicKey;
use crate::ring::{KeyRing, PublicRing};
use dualseal::checkpoint;
use dualseal::key::AnyRing;
use pyo3::prelude::*;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<AttestedRing>()?;
    module.add_class::<AttestedKey>()
}

/// A public ring that is the one which a verified checkpoint of its log states: neither edited nor an older one. A
/// stranger may rely on what it says as of the checkpoint's size, `known_to`, as the word of the log's signer.
///
/// Raises EvidenceError for another log's ring (`ring-foreign`) and for a newer or edited one (`ring-mismatch`), and
/// RejectedError for an older one (`ring-rollback`).
#[pyclass(frozen, extends = KeyRing, module = "dualseal")]
pub(crate) struct AttestedRing(checkpoint::AttestedRing);

#[pymethods]
impl AttestedRing {
    #[new]
    #[pyo3(signature = (ring, checkpoint, /))]
    fn new(ring: &PublicRing, checkpoint: &VerifiedCheckpoint) -> Returned<PyClassInitializer<Self>> {
        let attested = checkpoint::AttestedRing::new(ring.0.clone(), &checkpoint.0)?;
        let base = KeyRing::holding(AnyRing::Public(attested.public().clone()));
        Ok(PyClassInitializer::from(base).add_subclass(Self(attested)))
    }

    /// The ring, as it is given on.
    #[getter]
    fn public(&self, py: Python<'_>) -> PyResult<Py<PublicRing>> {
        PublicRing::of(py, self.0.public().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// One key of the ring that a verified checkpoint states, with its history: to every verifier a ring that holds nothing
/// else.
///
/// Raises EvidenceError where the proof does not lead to the checkpoint's ring (`key-path`), and for another key than
/// that of the proof (`key-other`).
#[pyclass(frozen, extends = KeyRing, module = "dualseal")]
pub(crate) struct AttestedKey;

#[pymethods]
impl AttestedKey {
    #[new]
    #[pyo3(signature = (proof, public_key, checkpoint, /))]
    fn new(
        proof: &KeyProof,
        public_key: &PublicKey,
        checkpoint: &VerifiedCheckpoint,
    ) -> Returned<PyClassInitializer<Self>> {
        let attested = checkpoint::AttestedKey::new(&proof.0, public_key.0.clone(), &checkpoint.0)?;
        let base = KeyRing::holding(AnyRing::Pinned((*attested).clone()));
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}
