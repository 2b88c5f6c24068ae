//! Verifying signature records.

use crate::checkpoint::Located;
use crate::domain::Domain;
use crate::failure::Outcome;
use crate::input::{BytesLike, text};
use crate::json;
use crate::record::SignatureRecord;
use crate::ring::KeyRing;
use crate::verdict::Verdict;
use dualseal::key::PreparedKeyCache;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Verifier>()
}

/// Verifies records of one domain against a ring, of which it sees every change. Threads may share one.
///
/// Keys that were expanded for verification are kept, about 45 KB each, up to `cache_bytes` in all.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Verifier {
    domain: dualseal::Domain,
    ring: Py<KeyRing>,
    cache: PreparedKeyCache,
}

#[pymethods]
impl Verifier {
    #[new]
    #[pyo3(signature = (domain, ring, *, cache_bytes = 16_777_216))]
    fn new(domain: &Domain, ring: Py<KeyRing>, cache_bytes: usize) -> Self {
        Self { domain: domain.0.clone(), ring, cache: PreparedKeyCache::new(cache_bytes) }
    }

    /// Verifies a record over `content` (any bytes-like object), or over the content with `content_hash`, which the
    /// caller computed from the content at hand. Exactly one of the two is given.
    ///
    /// The key is looked up in the ring by the record's identity. The same ML-DSA work is done in every state of the
    /// key. A record by a retired key is valid only `at` a proven place in the chain before the retirement. A bad
    /// record is a verdict; what is not a record at all raises MalformedError.
    #[pyo3(signature = (*, record, content = None, content_hash = None, at = None))]
    fn verify(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        content: Option<BytesLike<'_>>,
        content_hash: Option<&Bound<'_, PyString>>,
        at: Option<&Located>,
    ) -> Outcome<Verdict> {
        let record = match record.cast::<SignatureRecord>() {
            Ok(record) => record.get().0.clone(),
            Err(_) => json::record(record, dualseal::SignatureRecord::from_json)?,
        };
        let content = match (content, content_hash) {
            (Some(content), None) => {
                let mut hasher = self.domain.content_hasher(record.identity_id());
                content.feed(py, |part| hasher.update(part))?;
                hasher.finish()
            }
            (None, Some(hash)) => text("sadrzaj_hash", hash)?.parse()?,
            _ => return Err(PyTypeError::new_err("exactly one of content and content_hash is needed").into()),
        };
        // After the content was hashed, which may take long: a revocation meanwhile counts.
        let ring = self.ring.get().snapshot();
        let at = at.map(|located| &located.0);
        let verify = || dualseal::Verifier::new(&self.domain, &ring, &self.cache).verify(&content, record, at);
        Ok(py.detach(verify).into())
    }

    /// The ring.
    #[getter]
    fn ring(&self, py: Python<'_>) -> Py<KeyRing> {
        self.ring.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("Verifier(domain={:?}, ring={})", self.domain, self.ring.get().describe())
    }
}
