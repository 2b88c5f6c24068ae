//! Making signature records.

use crate::batch::{Telling, on};
use crate::domain::{Domain, HashedContent};
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, text};
use crate::json::document_value;
use crate::keys::{KeyHandle, PublicKey};
use crate::krunica::{Entry, Head};
use crate::record::SignatureRecord;
use crate::ring::KeyRing;
use crate::time::moment;
use dualseal::batch::sign_contents;
use dualseal::{IdentityId, SystemRng};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Signer>()?;
    module.add_class::<Signed>()
}

/// Signs for one identity in one domain. One signing key serves one domain. Whatever became of the key, it signs: an
/// operator makes the signers of his own identities by Signer.current.
///
/// Each method appends to the chain at `head` and returns the record with its entry and the new head: store all of
/// them or none. `deterministic=True` is for tests and known answers; without it, signatures are hedged with fresh
/// randomness and resist faults better.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Signer {
    domain: dualseal::Domain,
    identity_id: IdentityId,
    key: KeyHandle,
}

impl Signer {
    fn with<T>(&self, use_signer: impl FnOnce(&dualseal::Signer<'_>) -> T) -> T {
        use_signer(&dualseal::Signer::new(&self.domain, &self.identity_id, self.key.key()))
    }

    fn make(
        &self,
        py: Python<'_>,
        content: &dualseal::HashedContent,
        head: &Head,
        time: &Bound<'_, PyAny>,
        deterministic: bool,
    ) -> Returned<Signed> {
        let (head, time) = (&head.0, moment("time", time)?);
        let signed = py.detach(|| {
            self.with(|signer| {
                if deterministic {
                    signer.sign_deterministic(content, head, time)
                } else {
                    signer.sign(content, head, time, &mut SystemRng)
                }
            })
        })?;
        Ok(signed.into())
    }

    /// A content's hash for this identity; what was hashed already is taken as it is.
    fn hashed(&self, py: Python<'_>, content: &Bound<'_, PyAny>) -> Returned<dualseal::HashedContent> {
        if let Ok(hashed) = content.cast::<HashedContent>() {
            return Ok(hashed.get().0);
        }
        let mut hasher = self.domain.content_hasher(&self.identity_id);
        content.extract::<BytesLike<'_>>()?.feed(py, |part| hasher.update(part))?;
        Ok(hasher.finish())
    }
}

#[pymethods]
impl Signer {
    #[new]
    fn new(domain: &Domain, identity_id: &Bound<'_, PyString>, key: KeyHandle) -> Returned<Self> {
        Ok(Self { domain: domain.0.clone(), identity_id: text("identity_id", identity_id)?.parse()?, key })
    }

    /// A signer whose key is the identity's current one in a ring, and VALID: what another key signs, such as that of a
    /// process which did not hear of a rotation, is invalid for good. Raises as KeyRing.check_signer does.
    #[staticmethod]
    fn current(domain: &Domain, ring: &KeyRing, identity_id: &Bound<'_, PyString>, key: KeyHandle) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        dualseal::Signer::current(&domain.0, &ring.snapshot(), &identity_id, key.key())?;
        Ok(Self { domain: domain.0.clone(), identity_id, key })
    }

    /// Signs content, any bytes-like object.
    #[pyo3(signature = (content, *, head, time, deterministic = false))]
    fn sign(
        &self,
        py: Python<'_>,
        content: BytesLike<'_>,
        head: &Head,
        time: &Bound<'_, PyAny>,
        deterministic: bool,
    ) -> Returned<Signed> {
        let mut hasher = self.domain.content_hasher(&self.identity_id);
        content.feed(py, |part| hasher.update(part))?;
        self.make(py, &hasher.finish(), head, time, deterministic)
    }

    /// Signs content by its hash: Domain.content_hash or Domain.content_hasher, for this identity. Raises MisuseError
    /// for what was hashed for another.
    #[pyo3(signature = (content_hash, *, head, time, deterministic = false))]
    fn sign_hash(
        &self,
        py: Python<'_>,
        content_hash: &HashedContent,
        head: &Head,
        time: &Bound<'_, PyAny>,
        deterministic: bool,
    ) -> Returned<Signed> {
        self.make(py, &content_hash.0, head, time, deterministic)
    }

    /// Signs a JSON document (a dict, a list, or JSON text) over its canonical form, see canonical_json.
    ///
    /// Nothing marks the record as one over JSON: a signature over the same bytes as a file is the same signature.
    #[pyo3(signature = (document, *, head, time, deterministic = false))]
    fn sign_json(
        &self,
        py: Python<'_>,
        document: &Bound<'_, PyAny>,
        head: &Head,
        time: &Bound<'_, PyAny>,
        deterministic: bool,
    ) -> Returned<Signed> {
        let document = document_value(document)?;
        let content = py.detach(|| self.with(|signer| signer.content_hash_json(&document)))?;
        self.make(py, &content, head, time, deterministic)
    }

    /// Signs many contents without the interpreter lock, a Signed for each: their entries stand one behind the
    /// other from `head` on, and are stored together with the head of the last. A content is any bytes-like object, or
    /// what Domain.content_hash gave for this identity. Where one cannot be signed, it raises and none is.
    ///
    /// `progress` and `threads` are those of Verifier.verify_many.
    #[pyo3(signature = (contents, *, head, time, progress = None, threads = None))]
    fn sign_many(
        &self,
        py: Python<'_>,
        contents: Vec<Bound<'_, PyAny>>,
        head: &Head,
        time: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Vec<Signed>> {
        let contents = contents.iter().map(|content| self.hashed(py, content)).collect::<Returned<Vec<_>>>()?;
        let (head, time, threads) = (&head.0, moment("time", time)?, on(threads)?);
        let mut telling = Telling::new(progress);
        let signed = py.detach(|| {
            let mut tell = |progress| telling.tell(progress);
            self.with(|signer| sign_contents(signer, &contents, head, time, &mut SystemRng, threads, &mut tell))
        })?;
        telling.finish()?;
        Ok(signed.into_iter().map(Signed::from).collect())
    }

    /// Whose signatures these are.
    #[getter]
    fn identity_id(&self) -> String {
        self.identity_id.to_hex()
    }

    /// The public half of the key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.key.key().public_key().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        self.with(|signer| format!("{signer:?}"))
    }
}

/// A new record with its chain entry and the head after it: stored together, or none of them.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Signed {
    /// The record.
    record: SignatureRecord,
    /// Its entry in the chain.
    entry: Entry,
    /// The head after the entry.
    head: Head,
}

impl From<dualseal::signature::Signed> for Signed {
    fn from(signed: dualseal::signature::Signed) -> Self {
        Self { record: SignatureRecord(signed.record), entry: Entry(signed.entry), head: Head(signed.head) }
    }
}

#[pymethods]
impl Signed {
    fn __repr__(&self) -> String {
        format!("Signed(identity_id='{}', seq={})", self.record.0.identity_id(), self.entry.0.seq())
    }
}
