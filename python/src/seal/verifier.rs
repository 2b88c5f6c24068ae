//! Checking seals under a policy that the verifier chooses.

use super::key::SealKey;
use super::report::SealReport;
use super::text::Seal;
use crate::as_of::AsOf;
use crate::batch::{self, Telling};
use crate::cache::KeyCache;
use crate::checkpoint::Located;
use crate::domain::Domain;
use crate::enums::SealPolicy;
use crate::failure::{Returned, not_pickled_but};
use crate::input::{BytesLike, text};
use crate::progress::{ending, lock, running};
use crate::ring::KeyRing;
use dualseal::IdentityId;
use dualseal::batch::{SealItem, verify_seals};
use dualseal::key::AnyRing;
use dualseal::key::PreparedKeyCache;
use dualseal::seal::{self, Legacy, Policy};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use self_cell::self_cell;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SealVerifier>()?;
    module.add_class::<SealCheck>()
}

/// Checks seals of one domain against a ring, of which it sees every change. Threads may share one.
///
/// Keys that were expanded for verification are kept: in a KeyCache that verifiers share, or up to `cache_bytes`, of
/// which None is 16 MiB.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealVerifier {
    domain: dualseal::Domain,
    ring: Py<KeyRing>,
    cache: KeyCache,
}

#[pymethods]
impl SealVerifier {
    #[new]
    #[pyo3(signature = (domain, ring, *, cache = None, cache_bytes = None))]
    fn new(domain: &Domain, ring: Py<KeyRing>, cache: Option<&KeyCache>, cache_bytes: Option<usize>) -> Returned<Self> {
        Ok(Self { domain: domain.0.clone(), ring, cache: KeyCache::given(cache, cache_bytes)? })
    }

    /// Checks a seal (a Seal or its text) over a payload, any bytes-like object, with the ring as it is when it begins.
    ///
    /// The policies `both` and `layer_a` need the identity's seal key, `layer_b` takes none. The seal names no key:
    /// layer B is tried on the identity's current key and its latest retired ones, 16 at most, and with `place` on the
    /// key in force there. A seal by a retired key is valid only at a proven `place` before the retirement, whose
    /// message is Seal.chain_message. `allow_legacy=True` lets a legacy seal count under `layer_a`, and under
    /// nothing else.
    #[pyo3(signature = (seal, payload, identity_id, *, policy, seal_key = None, allow_legacy = false, place = None))]
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
        place: Option<&Located>,
    ) -> Returned<SealReport> {
        let check = self.stream(seal, identity_id, policy, seal_key, allow_legacy, place)?;
        check.update(py, payload)?;
        check.finish(py)
    }

    /// The verdict as verify gives it at a proven `place`, under the policy `both` with a `seal_key` and `layer_b`
    /// without one, with what became of the deciding key before and after that place: an AsOf.
    #[pyo3(signature = (seal, payload, identity_id, *, place, seal_key = None))]
    fn verify_as_of(
        &self,
        py: Python<'_>,
        seal: &Bound<'_, PyAny>,
        payload: BytesLike<'_>,
        identity_id: &Bound<'_, PyString>,
        place: &Located,
        seal_key: Option<&SealKey>,
    ) -> Returned<AsOf> {
        let (seal, payload) = (Seal::read(seal)?, payload.contiguous()?);
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        let ring = self.ring.get().snapshot();
        let payload: &[u8] = &payload;
        let verify = || {
            let verifier = seal::SealVerifier::new(&self.domain, &ring, &**self.cache.keys());
            verifier.verify_as_of(&seal, payload, &identity_id, seal_key.map(|key| &*key.0), &place.0)
        };
        Ok(AsOf::of(py, py.detach(verify), |seal| Seal(seal.into()))?)
    }

    /// As verify, for a payload that comes in parts.
    #[pyo3(signature = (seal, identity_id, *, policy, seal_key = None, allow_legacy = false, place = None))]
    fn stream(
        &self,
        seal: &Bound<'_, PyAny>,
        identity_id: &Bound<'_, PyString>,
        policy: SealPolicy,
        seal_key: Option<&SealKey>,
        allow_legacy: bool,
        place: Option<&Located>,
    ) -> Returned<SealCheck> {
        let seal = Seal::read(seal)?;
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        let (policy, legacy) = (self::policy(policy, seal_key)?, legacy(allow_legacy));
        let ring = self.ring.get().snapshot();
        let begun = Begun { domain: self.domain.clone(), ring, cache: Arc::clone(self.cache.keys()) };
        Ok(SealCheck(Mutex::new(Progress::new(begun, |Begun { domain, ring, cache }| {
            let verifier = seal::SealVerifier::new(domain, ring, &**cache);
            Some(verifier.begin(&seal, &identity_id, policy, legacy, place.map(|located| &located.0)))
        }))))
    }

    /// Checks many seals under one policy without the interpreter lock: one outcome for each item, in order, none
    /// stopping the rest. It is a SealReport, or, of what is no seal at all or names no identity, the MalformedError
    /// that verify raises. An item is a seal (a Seal or its text), its payload, the identity_id, and `seal_key` and
    /// `place` as for verify, or None. The ring is as it is when the batch begins.
    ///
    /// `progress` is called now and then with the number of items that have an outcome, and of all. What it raises is
    /// raised when all have one. A seal key that the policy does not fit raises TypeError, before any is checked.
    ///
    /// It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
    /// the machine runs at once. `progress` is called on the calling thread, whichever these are.
    #[pyo3(signature = (items, *, policy, allow_legacy = false, progress = None, threads = None))]
    fn verify_many<'py>(
        &self,
        py: Python<'py>,
        items: Vec<Item<'py>>,
        policy: SealPolicy,
        allow_legacy: bool,
        progress: Option<Py<PyAny>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Vec<Bound<'py, PyAny>>> {
        for (.., key, _) in &items {
            self::policy(policy, key.as_ref().map(Py::get))?;
        }
        let (items, malformed) = batch::read(items.iter().map(|item| Read::new(item, policy)))?;
        let (legacy, ring) = (legacy(allow_legacy), self.ring.get().snapshot());
        let (threads, mut telling) = (batch::on(threads)?, Telling::beside(progress, &malformed));
        let reports = py.detach(|| {
            let items = items.iter().map(|item| SealItem {
                seal: &item.seal,
                payload: &item.payload,
                identity_id: &item.identity_id,
                policy: item.policy,
                legacy,
                place: item.place,
            });
            let verifier = seal::SealVerifier::new(&self.domain, &ring, &**self.cache.keys());
            let mut tell = |progress| telling.tell(progress);
            verify_seals(&verifier, items.collect(), threads, &mut tell)
        });
        telling.finish()?;
        self.cache.warn(py)?;
        let told = |report| Ok(Bound::new(py, SealReport(report))?.into_any());
        Ok(malformed.among(py, reports, told)?)
    }

    /// The ring.
    #[getter]
    fn ring(&self, py: Python<'_>) -> Py<KeyRing> {
        self.ring.clone_ref(py)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled_but::<Self>(py, "send the public() ring of its ring, and make one of that"))
    }

    fn __repr__(&self) -> String {
        format!("SealVerifier(domain={:?}, ring={})", self.domain, self.ring.get().describe())
    }
}

impl SealVerifier {
    /// The domain, the ring as it stands now, and the keys that were expanded.
    pub(crate) fn parts(&self) -> (&dualseal::Domain, Arc<AnyRing>, &KeyCache) {
        (&self.domain, self.ring.get().snapshot(), &self.cache)
    }
}

/// A seal, its payload, whose it should be, the seal key, and its proven place.
type Item<'py> = (Bound<'py, PyAny>, BytesLike<'py>, Bound<'py, PyString>, Option<Py<SealKey>>, Option<Py<Located>>);

/// An item that was read: nothing of it needs the interpreter any more.
struct Read<'a> {
    seal: seal::Seal,
    payload: Cow<'a, [u8]>,
    identity_id: IdentityId,
    policy: Policy<'a>,
    place: Option<&'a dualseal::Located>,
}

impl<'a> Read<'a> {
    fn new((seal, payload, identity_id, key, place): &'a Item<'_>, policy: SealPolicy) -> Returned<Self> {
        Ok(Self {
            seal: Seal::read(seal)?,
            payload: payload.contiguous()?,
            identity_id: text("identity_id", identity_id)?.parse()?,
            policy: self::policy(policy, key.as_ref().map(Py::get))?,
            place: place.as_ref().map(|place| &place.get().0),
        })
    }
}

/// The policy with the key that it needs.
pub(crate) fn policy(policy: SealPolicy, seal_key: Option<&SealKey>) -> PyResult<Policy<'_>> {
    match (policy, seal_key) {
        (SealPolicy::Both, Some(key)) => Ok(Policy::Both(&key.0)),
        (SealPolicy::LayerA, Some(key)) => Ok(Policy::LayerA(&key.0)),
        (SealPolicy::LayerB, None) => Ok(Policy::LayerB),
        (SealPolicy::Both | SealPolicy::LayerA, None) => Err(PyTypeError::new_err("this policy needs seal_key")),
        (SealPolicy::LayerB, Some(_)) => {
            Err(PyTypeError::new_err("the policy layer_b takes no seal_key: it does not look at it"))
        }
    }
}

pub(crate) fn legacy(allowed: bool) -> Legacy {
    if allowed { Legacy::Permitted } else { Legacy::Refused }
}

struct Begun {
    domain: dualseal::Domain,
    ring: Arc<AnyRing>,
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
    fn update(&self, py: Python<'_>, payload: BytesLike<'_>) -> Returned<()> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, check| {
            let check = running(check)?;
            Ok(payload.feed(py, |part| check.update(part))?)
        })
    }

    /// The report on all parts.
    fn finish(&self, py: Python<'_>) -> Returned<SealReport> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, check| {
            let check = ending(check)?;
            Ok(SealReport(py.detach(|| check.finish())))
        })
    }
}
