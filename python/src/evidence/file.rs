//! Files of evidence.

use super::open::OpenEvidence;
use super::record::read;
use crate::checkpoint::PlaceProof;
use crate::domain::Domain;
use crate::enums::evidence_kind_object;
use crate::failure::Returned;
use crate::input::{counter, malformed, text};
use crate::json::{JsonText, record, to_object};
use crate::key_proof::KeyProof;
use crate::keys::PublicKey;
use crate::note::{Note, Witnesses};
use crate::time::moment;
use crate::values::{Again, again};
use dualseal::error::Problem;
use dualseal::evidence::{self, EvidenceParts, EvidencePolicy, ExpectedSigner};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<EvidenceFile>()
}

/// A file of evidence (`.evidence.json`): a record, the key that made it, its place in the log, and who saw the log.
/// Holding one says nothing: open() begins its verification.
///
/// It is made of a record (a SignatureRecord, SealEvidence, VaultRecord or QuorumEvidence), the place of its own entry,
/// the place of the ring entry that made the ring what the checkpoint states, the proof of its key in that ring, and
/// the log's note with what witnesses added, all under one checkpoint. `public_key` is the key of a vault record, which
/// lacks it. `name` is what the domain was made of; with None, where constants were set by hand, the verifier has to
/// know the domain. A vault record is redacted.
///
/// What nobody could verify is not given out: raises as open() does from the note on, EvidenceError for places under
/// two checkpoints, and MalformedError for a name that is not the domain's.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct EvidenceFile(evidence::EvidenceFile);

#[pymethods]
impl EvidenceFile {
    #[new]
    #[pyo3(signature = (record, *, domain, name, place, ring, key, note = None, public_key = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        record: &Bound<'_, PyAny>,
        domain: &Domain,
        name: Option<&Bound<'_, PyString>>,
        place: &PlaceProof,
        ring: &PlaceProof,
        key: &KeyProof,
        note: Option<&Note>,
        public_key: Option<&PublicKey>,
    ) -> Returned<Self> {
        let record = read(record)?;
        let public_key = match (record.public_key(), public_key) {
            (Some(own), None) => own.clone(),
            (None, Some(given)) => given.0.clone(),
            (None, None) => return Err(malformed("javni_kljuc", Problem::MissingMember)),
            (Some(_), Some(_)) => {
                let message = "public_key is for a vault record alone: the others have their key";
                return Err(PyTypeError::new_err(message).into());
            }
        };
        let parts = EvidenceParts {
            domain: &domain.0,
            name: name.map(|name| text("domena", name)).transpose()?,
            record,
            public_key,
            place: place.0.clone(),
            ring: ring.0.clone(),
            key: key.0.clone(),
            note: note.map(|note| note.0.clone()),
        };
        Ok(Self(py.detach(|| evidence::EvidenceFile::new(parts))?))
    }

    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, evidence::EvidenceFile::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, evidence::EvidenceFile::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// What kind of record it is about (`vrsta`), and with it what the document is.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        evidence_kind_object(py, self.0.kind())
    }

    /// Verifies all that needs no document: the log's fingerprint, the checkpoint, the note, the places of the record's
    /// entry and of the ring's, the path of the key, and whose it is, in this order.
    ///
    /// `log` is the fingerprint of the log that is believed, 64 hexadecimal characters, known from elsewhere. Whose
    /// record it must be is said in one way of three: `signer`, an identity; `key`, SHA3-256 over a public key, which
    /// is the signer's fingerprint; or `any_signer=True`, for a caller who then decides by the report's identity_id,
    /// since every identity of a log's ring can sign any document.
    ///
    /// `domain` is needed where its constants were set by hand, and must not be another's. `least_size` keeps an old
    /// checkpoint from hiding a revocation. `log_until` is the position of the entry that retired or suspended the
    /// log's key, or from which it counts as compromised (KeyRing.counts_until), where the caller knows of one:
    /// somebody else may have it since, and a checkpoint of more entries is refused. Of `witnesses` as many must have
    /// seen the log as they say, the last of whom, of the earliest that suffice, at `witnessed_after` or later; both
    /// are judged with the document.
    ///
    /// Raises EvidenceError, RejectedError for a note that does not hold, MalformedError for a domain that is missing
    /// or another, and TypeError where whose record it must be is not said in one way.
    #[pyo3(signature = (
        *,
        log,
        signer = None,
        key = None,
        any_signer = false,
        domain = None,
        least_size = None,
        log_until = None,
        witnesses = None,
        witnessed_after = None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    #[pyo3(text_signature = "\
        ($self, *, log, signer=None, key=None, any_signer=False, domain=None, least_size=0, log_until=None, \
        witnesses=None, witnessed_after=None)")]
    fn open(
        &self,
        py: Python<'_>,
        log: &Bound<'_, PyString>,
        signer: Option<&Bound<'_, PyString>>,
        key: Option<&Bound<'_, PyString>>,
        any_signer: bool,
        domain: Option<&Domain>,
        least_size: Option<&Bound<'_, PyInt>>,
        log_until: Option<&Bound<'_, PyInt>>,
        witnesses: Option<&Witnesses>,
        witnessed_after: Option<&Bound<'_, PyAny>>,
    ) -> Returned<OpenEvidence> {
        let signer = match (signer, key, any_signer) {
            (Some(signer), None, false) => ExpectedSigner::Identity(text("identity_id", signer)?.parse()?),
            (None, Some(key), false) => ExpectedSigner::Key(text("javni_kljuc", key)?.parse()?),
            (None, None, true) => ExpectedSigner::Anybody,
            _ => return Err(PyTypeError::new_err("exactly one of signer, key and any_signer is needed").into()),
        };
        let mut policy = EvidencePolicy::of_log(text("log", log)?.parse()?);
        policy.signer = signer;
        policy.domain = domain.map(|domain| &domain.0);
        if let Some(size) = least_size {
            policy.least_size = counter("size", size)?;
        }
        policy.log_until = log_until.map(|until| counter("log_until", until)).transpose()?;
        if let Some(witnesses) = witnesses {
            policy.witnesses = witnesses.0.clone();
        }
        policy.witnessed_after = witnessed_after.map(|time| moment("witnessed_after", time)).transpose()?;
        Ok(OpenEvidence::of(py.detach(|| self.0.duplicate().open(&policy))?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("EvidenceFile(kind='{}')", self.0.kind().as_str())
    }
}
