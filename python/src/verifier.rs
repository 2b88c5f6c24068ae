//! Verifying signature records.

use crate::as_of::AsOf;
use crate::batch::{self, Telling};
use crate::cache::KeyCache;
use crate::checkpoint::Located;
use crate::domain::{Domain, HashedContent};
use crate::failure::{Returned, not_pickled_but};
use crate::input::{BytesLike, text};
use crate::json;
use crate::record::SignatureRecord;
use crate::ring::KeyRing;
use crate::verdict::Verdict;
use dualseal::IdentityId;
use dualseal::batch::{SignatureItem, verify_signatures};
use dualseal::error::Misuse;
use dualseal::key::AnyRing;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::Arc;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Verifier>()
}

/// Verifies records of one domain against a ring, of which it sees every change. Threads may share one.
///
/// Keys that were expanded for verification are kept: in a KeyCache that verifiers share, or up to `cache_bytes`, of
/// which None is 16 MiB.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Verifier {
    domain: dualseal::Domain,
    ring: Py<KeyRing>,
    cache: KeyCache,
}

/// A record, its content as hashed for whoever is expected to have signed it, and its proven place.
type Item<'py> = (Bound<'py, PyAny>, Py<HashedContent>, Option<Py<Located>>);

#[pymethods]
impl Verifier {
    #[new]
    #[pyo3(signature = (domain, ring, *, cache = None, cache_bytes = None))]
    fn new(domain: &Domain, ring: Py<KeyRing>, cache: Option<&KeyCache>, cache_bytes: Option<usize>) -> Returned<Self> {
        Ok(Self { domain: domain.0.clone(), ring, cache: KeyCache::given(cache, cache_bytes)? })
    }

    /// Verifies a record by `signer`, the identity that is expected, over `content` (any bytes-like object), or over
    /// `content_hash`, what Domain.content_hash gave for that identity and the content at hand. Exactly one of the two
    /// is given. Anybody else's record is INVALID, whoever in the ring signed it; content that was hashed for anybody
    /// else raises MisuseError.
    ///
    /// The key is looked up in the ring by the record's identity. The same ML-DSA work is done in every state of the
    /// key. A record by a retired key is valid only at a proven `place` in the chain before the retirement. A bad
    /// record is a verdict; what is not a record at all raises MalformedError.
    #[pyo3(signature = (*, record, signer, content = None, content_hash = None, place = None))]
    fn verify(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        signer: &Bound<'_, PyString>,
        content: Option<BytesLike<'_>>,
        content_hash: Option<&HashedContent>,
        place: Option<&Located>,
    ) -> Returned<Verdict> {
        let record = Self::read(record)?;
        let content = self.content(py, signer, content, content_hash)?;
        self.conclude(py, &content, record, place)
    }

    /// The verdict as verify gives it at a proven `place`, with what became of the key before and after that place: an
    /// AsOf. Its ring should know the chain's end: a CheckedRing, an AttestedRing or an AttestedKey.
    #[pyo3(signature = (*, record, signer, place, content = None, content_hash = None))]
    fn verify_as_of(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        signer: &Bound<'_, PyString>,
        place: &Located,
        content: Option<BytesLike<'_>>,
        content_hash: Option<&HashedContent>,
    ) -> Returned<AsOf> {
        let record = Self::read(record)?;
        let content = self.content(py, signer, content, content_hash)?;
        let ring = self.ring.get().snapshot();
        let verify = || {
            let verifier = dualseal::Verifier::new(&self.domain, &ring, &**self.cache.keys());
            verifier.verify_as_of(&content, record, &place.0)
        };
        Ok(AsOf::of(py, py.detach(verify), SignatureRecord)?)
    }

    /// Verifies a record by whomever of the ring it names, and gives (who, verdict): for a caller who then decides by
    /// the identity. Each of them can sign any content, so that the verdict alone authorises nothing.
    #[pyo3(signature = (*, record, content, place = None))]
    fn verify_any_signer(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        content: BytesLike<'_>,
        place: Option<&Located>,
    ) -> Returned<(String, Verdict)> {
        let record = Self::read(record)?;
        let who = record.identity_id().to_hex();
        let mut hasher = self.domain.content_hasher(record.identity_id());
        content.feed(py, |part| hasher.update(part))?;
        Ok((who, self.conclude(py, &hasher.finish(), record, place)?))
    }

    /// Verifies many records without the interpreter lock: one outcome for each item, in order, none stopping the rest.
    /// It is a Verdict, or, of what is no record at all, the MalformedError that verify raises. An item is a record,
    /// what Domain.content_hash gave for the identity that is expected and the content at hand, and `place` as for
    /// verify, or None.
    ///
    /// `progress` is called now and then with the number of items that have an outcome, and of all. What it raises is
    /// raised when all have one.
    ///
    /// It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
    /// the machine runs at once. `progress` is called on the calling thread, whichever these are.
    #[pyo3(signature = (items, *, progress = None, threads = None))]
    fn verify_many<'py>(
        &self,
        py: Python<'py>,
        items: Vec<Item<'py>>,
        progress: Option<Py<PyAny>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Vec<Bound<'py, PyAny>>> {
        let records = items.iter().map(|(record, content, place)| {
            let place = place.as_ref().map(|place| &place.get().0);
            Ok(SignatureItem { content: content.get().0, record: Self::read(record)?, place })
        });
        let (items, malformed) = batch::read(records)?;
        let (ring, threads) = (self.ring.get().snapshot(), batch::on(threads)?);
        let mut telling = Telling::beside(progress, &malformed);
        let verdicts = py.detach(|| {
            let verifier = dualseal::Verifier::new(&self.domain, &ring, &**self.cache.keys());
            let mut tell = |progress| telling.tell(progress);
            verify_signatures(&verifier, items, threads, &mut tell)
        });
        telling.finish()?;
        self.cache.warn(py)?;
        let told = |verdict| {
            let verdict = Verdict::of(py, verdict, |verified| SignatureRecord(verified.into_record()))?;
            Ok(Bound::new(py, verdict)?.into_any())
        };
        Ok(malformed.among(py, verdicts, told)?)
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
        format!("Verifier(domain={:?}, ring={})", self.domain, self.ring.get().describe())
    }
}

impl Verifier {
    /// The domain, the ring as it stands now, and the keys that were expanded.
    pub(crate) fn parts(&self) -> (&dualseal::Domain, Arc<AnyRing>, &KeyCache) {
        (&self.domain, self.ring.get().snapshot(), &self.cache)
    }

    /// The content at hand, for the identity that is expected.
    fn content(
        &self,
        py: Python<'_>,
        signer: &Bound<'_, PyString>,
        content: Option<BytesLike<'_>>,
        content_hash: Option<&HashedContent>,
    ) -> Returned<dualseal::HashedContent> {
        let signer: IdentityId = text("identity_id", signer)?.parse()?;
        match (content, content_hash) {
            (Some(content), None) => {
                let mut hasher = self.domain.content_hasher(&signer);
                content.feed(py, |part| hasher.update(part))?;
                Ok(hasher.finish())
            }
            (None, Some(hashed)) if *hashed.0.identity_id() == signer => Ok(hashed.0),
            (None, Some(_)) => Err(dualseal::Error::from(Misuse::OtherSigner).into()),
            _ => Err(PyTypeError::new_err("exactly one of content and content_hash is needed").into()),
        }
    }

    fn conclude(
        &self,
        py: Python<'_>,
        content: &dualseal::HashedContent,
        record: dualseal::SignatureRecord,
        place: Option<&Located>,
    ) -> Returned<Verdict> {
        // After the content was hashed, which may take long: a revocation meanwhile counts.
        let ring = self.ring.get().snapshot();
        let place = place.map(|located| &located.0);
        let verify =
            || dualseal::Verifier::new(&self.domain, &ring, &**self.cache.keys()).verify(content, record, place);
        Ok(Verdict::of(py, py.detach(verify), |verified| SignatureRecord(verified.into_record()))?)
    }

    /// A record, or the members or text of one.
    fn read(object: &Bound<'_, PyAny>) -> Returned<dualseal::SignatureRecord> {
        match object.cast::<SignatureRecord>() {
            Ok(record) => Ok(record.get().0.clone()),
            Err(_) => json::record(object, dualseal::SignatureRecord::from_json),
        }
    }
}
