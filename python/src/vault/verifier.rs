//! Verifying vault records: one, or many with one call.

use super::hash::StoredHash;
use super::master::LedgerHead;
use super::policy::{Policy, VaultPolicy};
use super::record::VaultRecord;
use super::report::{Reported, VaultReport};
use crate::as_of::AsOf;
use crate::batch::{self, Telling};
use crate::cache::KeyCache;
use crate::checkpoint::Located;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled_but};
use crate::input::{BytesLike, text};
use crate::ring::KeyRing;
use dualseal::IdentityId;
use dualseal::batch::{RecordItem, verify_records};
use dualseal::vault::{self, Standing};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VaultVerifier>()
}

/// Verifies vault records of one domain against a ring, of which it sees every change. Threads may share one.
///
/// Keys that were expanded for verification are kept: in a KeyCache that verifiers share, or up to `cache_bytes`, of
/// which None is 16 MiB.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VaultVerifier {
    pub(super) domain: dualseal::Domain,
    pub(super) ring: Py<KeyRing>,
    pub(super) cache: KeyCache,
}

/// A record, the hash of its stored bytes, whose it is to be, its proven place, and the ledger before it.
type Item<'py> = (Bound<'py, PyAny>, Py<StoredHash>, Bound<'py, PyString>, Option<Py<Located>>, Option<Py<LedgerHead>>);

#[pymethods]
impl VaultVerifier {
    #[new]
    #[pyo3(signature = (domain, ring, *, cache = None, cache_bytes = None))]
    fn new(domain: &Domain, ring: Py<KeyRing>, cache: Option<&KeyCache>, cache_bytes: Option<usize>) -> Returned<Self> {
        Ok(Self { domain: domain.0.clone(), ring, cache: KeyCache::given(cache, cache_bytes)? })
    }

    /// Verifies a record of the identity `signer` against its stored bytes, or against their StoredHash, which the
    /// caller computed from the bytes at hand. Nothing is decrypted.
    ///
    /// `place` is the proven one of the record's chain entry, without which L6 and L8 are at best consistent; `after`
    /// is the head of the ledger before the record. The state of L5's key decides first, then the first layer that
    /// fails, then the first that was not checked and had to be.
    /// A bad record is a verdict; what is not a record at all raises MalformedError.
    #[pyo3(signature = (record, stored, *, signer, policy, place = None, after = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn verify(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        stored: &Bound<'_, PyAny>,
        signer: &Bound<'_, PyString>,
        policy: &VaultPolicy,
        place: Option<&Located>,
        after: Option<&LedgerHead>,
    ) -> Returned<VaultReport> {
        let signer = text("identity_id", signer)?.parse()?;
        self.judge(py, VaultRecord::read(record)?, stored, &signer, policy, place, after)
    }

    /// Verifies a record by whomever of the ring it names, and gives (who, report): for a caller who then decides by
    /// the identity. Each of them can seal any document, so that the report alone authorises nothing.
    #[pyo3(signature = (record, stored, *, policy, place = None, after = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn verify_any_signer(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        stored: &Bound<'_, PyAny>,
        policy: &VaultPolicy,
        place: Option<&Located>,
        after: Option<&LedgerHead>,
    ) -> Returned<(String, VaultReport)> {
        let record = VaultRecord::read(record)?;
        let who = record.header().identity_id;
        Ok((who.to_hex(), self.judge(py, record, stored, &who, policy, place, after)?))
    }

    /// The verdict as verify gives it at the proven `place` of the record's chain entry, with what became of L5's key
    /// before and after that place: an AsOf, whose verdict gives the VaultRecord.
    #[pyo3(signature = (record, stored, *, signer, policy, place))]
    fn verify_as_of(
        &self,
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        stored: &Bound<'_, PyAny>,
        signer: &Bound<'_, PyString>,
        policy: &VaultPolicy,
        place: &Located,
    ) -> Returned<AsOf> {
        let signer = text("identity_id", signer)?.parse()?;
        let (record, stored) = (VaultRecord::read(record)?, self.stored(stored)?);
        let ring = self.ring.get().snapshot();
        let verifier = vault::VaultVerifier::new(&self.domain, &ring, &**self.cache.keys());
        let (verifier, place) = (&verifier, &place.0);
        Ok(match policy.0.policy()? {
            Policy::Public(policy) => {
                let as_of = py.detach(|| verifier.verify_as_of(record, &stored, &signer, &policy, place));
                AsOf::of(py, as_of, VaultRecord)?
            }
            Policy::Operator(policy) => {
                let as_of = py.detach(|| verifier.verify_as_of(record, &stored, &signer, &policy, place));
                AsOf::of(py, as_of, |record| VaultRecord(record.record().duplicate()))?
            }
        })
    }

    /// Verifies many records, each by itself, without the interpreter lock: one outcome for each item, in order,
    /// none stopping the rest. It is a VaultReport, or, of what is no record at all or names no identity, the
    /// MalformedError that verify raises. An item is a record, its StoredHash, the identity that is expected, and
    /// `place` and `after` as for verify, or None.
    ///
    /// `progress` is called now and then with the number of items that have an outcome, and of all. What it raises is
    /// raised when all have one.
    ///
    /// It runs on `threads` threads, 1 to 1024, which have ended when it returns: 1 is the calling one, None as many as
    /// the machine runs at once. `progress` is called on the calling thread, whichever these are.
    #[pyo3(signature = (items, *, policy, progress = None, threads = None))]
    fn verify_many<'py>(
        &self,
        py: Python<'py>,
        items: Vec<Item<'py>>,
        policy: &VaultPolicy,
        progress: Option<Py<PyAny>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Vec<Bound<'py, PyAny>>> {
        let records = items.iter().map(|(record, stored, signer, place, after)| {
            Ok(RecordItem {
                record: VaultRecord::read(record)?,
                stored: &stored.get().0,
                identity_id: text("identity_id", signer)?.parse()?,
                standing: Standing {
                    place: place.as_ref().map(|place| &place.get().0),
                    after: after.as_ref().map(|after| &after.get().0),
                },
            })
        });
        let (items, malformed) = batch::read(records)?;
        let (ring, policy) = (self.ring.get().snapshot(), policy.0.policy()?);
        let (threads, mut telling) = (batch::on(threads)?, Telling::beside(progress, &malformed));
        let reports = py.detach(|| {
            let verifier = vault::VaultVerifier::new(&self.domain, &ring, &**self.cache.keys());
            let mut tell = |progress| telling.tell(progress);
            match policy {
                Policy::Public(policy) => {
                    let done = verify_records(&verifier, &policy, items, threads, &mut tell);
                    done.into_iter().map(Reported::Public).collect::<Vec<_>>()
                }
                Policy::Operator(policy) => {
                    let done = verify_records(&verifier, &policy, items, threads, &mut tell);
                    done.into_iter().map(Reported::Operator).collect()
                }
            }
        });
        telling.finish()?;
        self.cache.warn(py)?;
        let told = |report| Ok(Bound::new(py, VaultReport::from(report))?.into_any());
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
        format!("VaultVerifier(domain={:?}, ring={})", self.domain, self.ring.get().describe())
    }
}

impl VaultVerifier {
    #[allow(clippy::too_many_arguments, reason = "what Python's two calls share")]
    fn judge(
        &self,
        py: Python<'_>,
        record: vault::VaultRecord,
        stored: &Bound<'_, PyAny>,
        signer: &IdentityId,
        policy: &VaultPolicy,
        place: Option<&Located>,
        after: Option<&LedgerHead>,
    ) -> Returned<VaultReport> {
        let stored = self.stored(stored)?;
        // After the stored bytes were hashed, which may take long: a revocation meanwhile counts.
        let ring = self.ring.get().snapshot();
        let standing = Standing { place: place.map(|located| &located.0), after: after.map(|after| &after.0) };
        let policy = policy.0.policy()?;
        let reported = py.detach(|| {
            let verifier = vault::VaultVerifier::new(&self.domain, &ring, &**self.cache.keys());
            match policy {
                Policy::Public(policy) => Reported::Public(verifier.verify(record, &stored, signer, &policy, standing)),
                Policy::Operator(policy) => {
                    Reported::Operator(verifier.verify(record, &stored, signer, &policy, standing))
                }
            }
        });
        Ok(reported.into())
    }

    /// The hash of an argument `stored`.
    pub(super) fn stored(&self, stored: &Bound<'_, PyAny>) -> Returned<vault::StoredHash> {
        if let Ok(hash) = stored.cast::<StoredHash>() {
            return Ok(hash.get().0.clone());
        }
        let bytes: BytesLike<'_> = stored.extract()?;
        let mut hasher = vault::StoredHasher::new(&self.domain);
        bytes.feed(stored.py(), |part| hasher.update(part))?;
        Ok(hasher.finish())
    }
}
