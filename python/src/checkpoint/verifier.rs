//! Verifying checkpoints against what the verifier pinned.

use super::record::Checkpoint;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled, not_pickled_but};
use crate::input::{counter, text};
use crate::json;
use crate::ring::KeyRing;
use crate::verdict::Verdict;
use dualseal::key::PreparedKeyCache;
use dualseal::mldsa::PreparedKey;
use dualseal::{Verified, checkpoint};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Pins>()?;
    module.add_class::<CheckpointVerifier>()?;
    module.add_class::<VerifiedCheckpoint>()
}

/// What a verifier knows of a log beforehand: its name, the identity of its signer, SHA3-256 over the signer's public
/// key, and the least size that is accepted, which is that of the last checkpoint seen. Otherwise an old one passes.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Pins(checkpoint::Pins);

#[pymethods]
impl Pins {
    #[new]
    #[pyo3(signature = (*, origin, identity_id, key_hash, least_size))]
    fn new(
        origin: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        key_hash: &Bound<'_, PyString>,
        least_size: &Bound<'_, PyInt>,
    ) -> Returned<Self> {
        Ok(Self(checkpoint::Pins {
            origin: text("origin", origin)?.to_owned(),
            identity_id: text("identity_id", identity_id)?.parse()?,
            key_hash: text("javni_kljuc", key_hash)?.parse()?,
            least_size: counter("size", least_size)?,
        }))
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        &self.0.origin
    }

    /// The identity of its signer.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id.to_hex()
    }

    /// SHA3-256 over its signer's public key, 64 hexadecimal characters.
    #[getter]
    fn key_hash(&self) -> String {
        self.0.key_hash.to_hex()
    }

    /// The least size that is accepted.
    #[getter]
    fn least_size(&self) -> u64 {
        self.0.least_size
    }

    fn __repr__(&self) -> String {
        format!("Pins(origin={:?}, least_size={})", self.0.origin, self.0.least_size)
    }
}

/// Verifies the checkpoints of one log. The pins say which key it must be; a ring, where there is one, adds that key's
/// state and nothing else. Threads may share one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct CheckpointVerifier {
    domain: dualseal::Domain,
    pins: Pins,
    ring: Option<Py<KeyRing>>,
    /// Holds the pinned key: no other reaches the signature's check.
    cache: PreparedKeyCache,
}

#[pymethods]
impl CheckpointVerifier {
    #[new]
    #[pyo3(signature = (domain, pins, ring = None))]
    fn new(domain: &Domain, pins: &Pins, ring: Option<Py<KeyRing>>) -> Self {
        let cache = PreparedKeyCache::new(PreparedKey::BYTES);
        Self { domain: domain.0.clone(), pins: pins.clone(), ring, cache }
    }

    /// Verifies a checkpoint (a Checkpoint, its members or its JSON): pins, size, signature, then the state of the key,
    /// and the first that fails decides. A checkpoint by a retired key is INVALID.
    fn verify(&self, py: Python<'_>, checkpoint: &Bound<'_, PyAny>) -> Returned<Verdict> {
        let checkpoint = match checkpoint.cast::<Checkpoint>() {
            Ok(checkpoint) => checkpoint.get().0.clone(),
            Err(_) => json::record(checkpoint, checkpoint::Checkpoint::from_json)?,
        };
        let ring = self.ring.as_ref().map(|ring| ring.get().snapshot());
        let (domain, pins) = (&self.domain, &self.pins.0);
        let verdict = py.detach(|| {
            checkpoint::CheckpointVerifier::new(domain, pins, ring.as_deref().map(|ring| &**ring), &self.cache)
                .verify(checkpoint)
        });
        Ok(Verdict::of(py, verdict, VerifiedCheckpoint)?)
    }

    /// What is known of the log.
    #[getter]
    fn pins(&self) -> Pins {
        self.pins.clone()
    }

    /// The ring, if there is one.
    #[getter]
    fn ring(&self, py: Python<'_>) -> Option<Py<KeyRing>> {
        self.ring.as_ref().map(|ring| ring.clone_ref(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled_but::<Self>(py, "send the public() ring of its ring, and make one of that"))
    }

    fn __repr__(&self) -> String {
        format!("CheckpointVerifier(pins={})", self.pins.__repr__())
    }
}

/// A checkpoint whose verification was VALID. Only Verdict.verified() gives one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VerifiedCheckpoint(pub(crate) Verified<checkpoint::Checkpoint>);

#[pymethods]
impl VerifiedCheckpoint {
    /// The checkpoint, without its proof.
    #[getter]
    fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.0.record().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let checkpoint = self.0.record();
        format!("VerifiedCheckpoint(origin={:?}, size={})", checkpoint.origin(), checkpoint.tree_head().size)
    }
}
