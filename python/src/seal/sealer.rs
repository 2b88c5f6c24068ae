//! Making seals.

use super::key::SealKey;
use super::text::Seal;
use crate::batch::{Telling, on};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, text};
use crate::keys::{KeyHandle, PublicKey};
use crate::progress::{ending, lock, running};
use crate::ring::KeyRing;
use dualseal::batch::seal_payloads;
use dualseal::{IdentityId, SystemRng, seal};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Sealer>()?;
    module.add_class::<SealStream>()?;
    module.add_class::<UnplacedSeal>()
}

struct Hands {
    domain: dualseal::Domain,
    identity_id: IdentityId,
    key: Arc<seal::SealKey>,
    signing: KeyHandle,
}

impl Hands {
    fn sealer(&self) -> seal::Sealer<'_> {
        seal::Sealer::new(&self.domain, &self.identity_id, &self.key, self.signing.key())
    }
}

/// Seals for one identity in one domain: layer A with the seal key, layer B with the signing key.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Sealer(Arc<Hands>);

#[pymethods]
impl Sealer {
    #[new]
    fn new(
        domain: &Domain,
        identity_id: &Bound<'_, PyString>,
        seal_key: &SealKey,
        signing_key: KeyHandle,
    ) -> Returned<Self> {
        Ok(Self(Arc::new(Hands {
            domain: domain.0.clone(),
            identity_id: text("identity_id", identity_id)?.parse()?,
            key: Arc::clone(&seal_key.0),
            signing: signing_key,
        })))
    }

    /// A sealer whose signing key is the identity's current one in a ring, and VALID. Raises as KeyRing.check_signer
    /// does.
    #[staticmethod]
    fn current(
        domain: &Domain,
        ring: &KeyRing,
        identity_id: &Bound<'_, PyString>,
        seal_key: &SealKey,
        signing_key: KeyHandle,
    ) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        seal::Sealer::current(&domain.0, &ring.snapshot(), &identity_id, &seal_key.0, signing_key.key())?;
        let (domain, key) = (domain.0.clone(), Arc::clone(&seal_key.0));
        Ok(Self(Arc::new(Hands { domain, identity_id, key, signing: signing_key })))
    }

    /// Makes a dual seal over a payload, any bytes-like object.
    ///
    /// Raises MisuseError for a payload that begins with the vault or shard prefix and `::`, and for a legacy seal key.
    #[pyo3(signature = (payload, /))]
    fn seal(&self, py: Python<'_>, payload: BytesLike<'_>) -> Returned<Seal> {
        let stream = self.stream()?;
        stream.update(py, payload)?;
        stream.finish(py)
    }

    /// Makes a dual seal over each of many payloads without the interpreter lock. Where one cannot be sealed, it raises
    /// as seal does, and none is.
    ///
    /// `progress` and `threads` are those of SealVerifier.verify_many.
    #[pyo3(signature = (payloads, *, progress = None, threads = None))]
    fn seal_many(
        &self,
        py: Python<'_>,
        payloads: Vec<BytesLike<'_>>,
        progress: Option<Py<PyAny>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Vec<Seal>> {
        let payloads = payloads.iter().map(BytesLike::contiguous).collect::<PyResult<Vec<_>>>()?;
        let payloads: Vec<&[u8]> = payloads.iter().map(|payload| &**payload).collect();
        let (threads, mut telling) = (on(threads)?, Telling::new(progress));
        let seals = py.detach(|| {
            let mut tell = |progress| telling.tell(progress);
            seal_payloads(&self.0.sealer(), &payloads, &mut SystemRng, threads, &mut tell)
        })?;
        telling.finish()?;
        Ok(seals.into_iter().map(|seal| Seal(seal.into())).collect())
    }

    /// As seal, with whose seal it is: what a step of the operator takes (Step.seal).
    #[pyo3(signature = (payload, /))]
    fn seal_unplaced(&self, py: Python<'_>, payload: BytesLike<'_>) -> Returned<UnplacedSeal> {
        let stream = self.stream()?;
        stream.update(py, payload)?;
        stream.finish_unplaced(py)
    }

    /// As seal, for a payload that comes in parts.
    fn stream(&self) -> Returned<SealStream> {
        let progress = Progress::try_new(Arc::clone(&self.0), |hands| hands.sealer().begin().map(Some))?;
        Ok(SealStream(Mutex::new(progress)))
    }

    /// Makes a legacy seal, layer A alone, for those who read nothing else yet. Raises as seal does.
    #[pyo3(signature = (payload, /))]
    fn seal_legacy(&self, py: Python<'_>, payload: BytesLike<'_>) -> Returned<Seal> {
        let payload = payload.contiguous()?;
        Ok(Seal(py.detach(|| self.0.sealer().seal_legacy(&payload))?.into()))
    }

    /// Whose seals these are.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id.to_hex()
    }

    /// The public half of the signing key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.signing.key().public_key().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0.sealer())
    }
}

type Running<'a> = Option<seal::SealStream<'a>>;

self_cell! {
    struct Progress {
        owner: Arc<Hands>,
        #[covariant]
        dependent: Running,
    }
}

/// A seal in the making. Threads may share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealStream(Mutex<Progress>);

#[pymethods]
impl SealStream {
    /// Takes the next part of the payload, any bytes-like object.
    #[pyo3(signature = (payload, /))]
    fn update(&self, py: Python<'_>, payload: BytesLike<'_>) -> Returned<()> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, stream| {
            let stream = running(stream)?;
            Ok(payload.feed(py, |part| stream.update(part))?)
        })
    }

    /// The dual seal over all parts. Raises as Sealer.seal does.
    fn finish(&self, py: Python<'_>) -> Returned<Seal> {
        self.end(py, |stream| Ok(Seal(stream.finish(&mut SystemRng)?.into())))
    }

    /// The same, with whose seal it is: what a step of the operator takes (Step.seal).
    fn finish_unplaced(&self, py: Python<'_>) -> Returned<UnplacedSeal> {
        self.end(py, |stream| Ok(UnplacedSeal(stream.finish_unplaced(&mut SystemRng)?)))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

impl SealStream {
    fn end<T: Send>(
        &self,
        py: Python<'_>,
        finish: impl FnOnce(seal::SealStream<'_>) -> Result<T, dualseal::Error> + Send,
    ) -> Returned<T> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, stream| {
            let stream = ending(stream)?;
            Ok(py.detach(|| finish(stream))?)
        })
    }
}

/// A dual seal with whose it is, as its sealer made it, which has no place in the chain yet: Step.seal appends its
/// entry where its key is its identity's current one, and VALID.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct UnplacedSeal(pub(crate) seal::UnplacedSeal);

#[pymethods]
impl UnplacedSeal {
    /// The seal.
    #[getter]
    fn seal(&self) -> Seal {
        Seal(self.0.seal().clone().into())
    }

    /// Whose it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// The public half of the key that made it.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("UnplacedSeal(identity_id='{}')", self.0.identity_id())
    }
}
