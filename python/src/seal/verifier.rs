//! Checking seals under a policy that the verifier chooses.

use super::key::SealKey;
use super::report::SealReport;
use super::text::Seal;
use crate::checkpoint::Located;
use crate::domain::Domain;
use crate::enums::SealPolicy;
use crate::failure::Outcome;
use crate::input::{BytesLike, text};
use crate::progress::{ending, running};
use crate::ring::KeyRing;
use dualseal::IdentityId;
use dualseal::key::PreparedKeyCache;
use dualseal::seal::{self, Legacy, Policy};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyString;
use self_cell::self_cell;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SealVerifier>()?;
    module.add_class::<SealCheck>()
}

/// Checks seals of one domain against a ring, of which it sees every change. Threads may share one.
///
/// Keys that were expanded for verification are kept, about 45 KB each, up to `cache_bytes` in all.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealVerifier {
    domain: dualseal::Domain,
    ring: Py<KeyRing>,
    cache: Arc<PreparedKeyCache>,
}

#[pymethods]
impl SealVerifier {
    #[new]
    #[pyo3(signature = (domain, ring, *, cache_bytes = 16_777_216))]
    fn new(domain: &Domain, ring: Py<KeyRing>, cache_bytes: usize) -> Self {
        Self { domain: domain.0.clone(), ring, cache: Arc::new(PreparedKeyCache::new(cache_bytes)) }
    }

    /// Checks a seal (a Seal or its text) over a payload, any bytes-like object, with the ring as it is when it begins.
    ///
    /// The policies `both` and `layer_a` need the identity's seal key, `layer_b` takes none. The seal names no key:
    /// layer B is tried on the identity's current key and its latest retired ones, 16 at most, and with `at` on the key
    /// in force there. A seal by a retired key is valid only `at` a proven place before the retirement, whose message
    /// is Seal.chain_message. `allow_legacy=True` lets a legacy seal count under `layer_a`, and under nothing else.
    #[pyo3(signature = (seal, payload, identity_id, *, policy, seal_key = None, allow_legacy = false, at = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn verify(
        &self,
        py: Python<'_>,
        seal: &Bound<'_, PyAny>,
        payload: BytesLike<'_>,
        identity_id: &Bound<'_, PyString>,
        policy: SealPolicy,
        seal_key: Option<&SealKey>,
        allow_legacy: bool,
        at: Option<&Located>,
    ) -> Outcome<SealReport> {
        let check = self.stream(seal, identity_id, policy, seal_key, allow_legacy, at)?;
        check.update(py, payload)?;
        check.finish(py)
    }

    /// As verify, for a payload that comes in parts.
    #[pyo3(signature = (seal, identity_id, *, policy, seal_key = None, allow_legacy = false, at = None))]
    fn stream(
        &self,
        seal: &Bound<'_, PyAny>,
        identity_id: &Bound<'_, PyString>,
        policy: SealPolicy,
        seal_key: Option<&SealKey>,
        allow_legacy: bool,
        at: Option<&Located>,
    ) -> Outcome<SealCheck> {
        let seal = Seal::read(seal)?;
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        let policy = match (policy, seal_key) {
            (SealPolicy::Both, Some(key)) => Policy::Both(&key.0),
            (SealPolicy::LayerA, Some(key)) => Policy::LayerA(&key.0),
            (SealPolicy::LayerB, None) => Policy::LayerB,
            (SealPolicy::Both | SealPolicy::LayerA, None) => {
                return Err(PyTypeError::new_err("this policy needs seal_key").into());
            }
            (SealPolicy::LayerB, Some(_)) => {
                return Err(PyTypeError::new_err("the policy layer_b takes no seal_key: it does not look at it").into());
            }
        };
        let legacy = if allow_legacy { Legacy::Permitted } else { Legacy::Refused };
        let ring = self.ring.get().snapshot();
        let begun = Begun { domain: self.domain.clone(), ring, cache: Arc::clone(&self.cache) };
        Ok(SealCheck(Mutex::new(Progress::new(begun, |Begun { domain, ring, cache }| {
            let verifier = seal::SealVerifier::new(domain, ring, &**cache);
            Some(verifier.begin(&seal, &identity_id, policy, legacy, at.map(|located| &located.0)))
        }))))
    }

    /// The ring.
    #[getter]
    fn ring(&self, py: Python<'_>) -> Py<KeyRing> {
        self.ring.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("SealVerifier(domain={:?}, ring={})", self.domain, self.ring.get().describe())
    }
}

struct Begun {
    domain: dualseal::Domain,
    ring: Arc<dualseal::KeyRing>,
    cache: Arc<PreparedKeyCache>,
}

type Running<'a> = Option<seal::SealCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[covariant]
        dependent: Running,
    }
}

/// A seal check in progress. Threads may share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealCheck(Mutex<Progress>);

#[pymethods]
impl SealCheck {
    /// Takes the next part of the payload, any bytes-like object.
    #[pyo3(signature = (payload, /))]
    fn update(&self, py: Python<'_>, payload: BytesLike<'_>) -> Outcome<()> {
        let mut guard = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        guard.with_dependent_mut(|_, check| {
            let check = running(check)?;
            Ok(payload.feed(py, |part| check.update(part))?)
        })
    }

    /// The report on all parts.
    fn finish(&self, py: Python<'_>) -> Outcome<SealReport> {
        let mut guard = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        guard.with_dependent_mut(|_, check| {
            let check = ending(check)?;
            Ok(SealReport(py.detach(|| check.finish())))
        })
    }
}
