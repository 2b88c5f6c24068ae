//! Evidence in one file: a record, the key that made it, its place in the log, and who saw the log, in some 30 kB
//! whatever the size of the log. It verifies offline, with the document and the log's fingerprint.
//!
//! ```text
//! document ── record ── key ── leaf ── ring root ── ring entry ┐
//!                 └──── entry ───────────────────── log's root ┴── checkpoint ── note ── witnesses
//! ```

mod open;
mod policy;
mod record;
mod report;

pub use open::{EvidenceCheck, OpenEvidence};
pub use policy::{EvidencePolicy, ExpectedSigner};
pub use record::{EvidenceKind, EvidenceRecord, QuorumEvidence, SealEvidence};
pub use report::EvidenceReport;

use crate::checkpoint::{Checkpoint, LogFingerprint, PlaceProof};
use crate::domain::Domain;
use crate::encoding::record::{self as json, record, text_form};
use crate::error::{Error, EvidenceFault, Problem};
use crate::key::KeyProof;
use crate::krunica::Entry;
use crate::mldsa::PublicKey;
use crate::note::Note;
use crate::tree::TreeHash;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The version of the file.
const VERSION: &str = "1";

/// What a file of evidence is made of, by whoever has the log.
#[derive(Debug)]
pub struct EvidenceParts<'a> {
    /// The domain of the log.
    pub domain: &'a Domain,
    /// The name that [`Domain::new`] was given; `None` where constants were set by hand, which the verifier then has to
    /// know.
    pub name: Option<&'a str>,
    /// The record.
    pub record: EvidenceRecord,
    /// The public key that made it.
    pub public_key: PublicKey,
    /// The place of the record's entry, under the checkpoint that the rest is under.
    pub place: PlaceProof,
    /// The place of the ring entry that made the ring what the checkpoint states.
    pub ring: PlaceProof,
    /// The proof that the key stands in that ring.
    pub key: KeyProof,
    /// The log's note with the cosignatures of witnesses, where it signs notes.
    pub note: Option<Note>,
}

/// A file of evidence (`.evidence.json`): `{"checkpoint","domena","entry","javni_kljuc","key","note","path","record",
/// "ring","verzija","vrsta"}`. Holding one says nothing: [`open`](Self::open) begins its verification.
#[derive(Debug)]
pub struct EvidenceFile {
    checkpoint: Checkpoint,
    name: Option<String>,
    entry: Entry,
    /// Of a record that lacks its key.
    public_key: Option<PublicKey>,
    key: KeyProof,
    note: Option<Note>,
    path: Vec<TreeHash>,
    record: EvidenceRecord,
    ring: Option<RingPlace>,
}

/// The ring entry's place under the same root: `{"entry","path"}`.
#[derive(Clone, Debug)]
struct RingPlace {
    entry: Entry,
    path: Vec<TreeHash>,
}

record! {
    |ring: RingPlace| "ring" {
        "entry" entry: Entry,
        "path" path: Vec<TreeHash>,
    }
}

text_form! { Note, Note::from_text, Note::to_text }

record! {
    |file: EvidenceFile| "evidence" {
        "checkpoint" checkpoint: Checkpoint,
        "domena" name: Option<String>,
        "entry" entry: Entry,
        "javni_kljuc" public_key: Option<PublicKey>,
        "key" key: KeyProof,
        "note" note: Option<Note>,
        "path" path: Vec<TreeHash>,
        "record" record: EvidenceRecord,
        "ring" ring: Option<RingPlace>,
        "verzija" = VERSION,
        "vrsta" kind: EvidenceKind = file.record.kind(),
    } => {
        if kind != record.kind() {
            return Err(Error::malformed("vrsta", Problem::UnknownValue));
        }
        if public_key.is_some() != record.public_key().is_none() {
            return Err(Error::malformed("javni_kljuc", Problem::WrongType));
        }
        if ring.is_some() != checkpoint.ring().is_some() {
            return Err(Error::malformed("ring", Problem::WrongType));
        }
        Ok(Self { checkpoint, name, entry, public_key, key, note, path, record, ring })
    }
}

impl EvidenceFile {
    /// Puts the parts together, and looks whether they belong together: what nobody could verify is not given out.
    /// Whether the record and the signatures hold, the verifier says.
    ///
    /// # Errors
    /// As [`open`](Self::open) from the note on; [`EvidenceFault::RingPlace`] for places under two checkpoints;
    /// [`Problem::Constant`] for `domena` that is not the domain's name.
    pub fn new(parts: EvidenceParts<'_>) -> Result<Self, Error> {
        let EvidenceParts { domain, name, record, public_key, place, ring, key, note } = parts;
        record.check_kind()?;
        if let Some(name) = name
            && Domain::new(name)? != *domain
        {
            return Err(Error::malformed("domena", Problem::Constant));
        }
        if ring.checkpoint() != place.checkpoint() {
            return Err(EvidenceFault::RingPlace.into());
        }
        let ring = RingPlace { entry: ring.entry().clone(), path: ring.path().to_vec() };
        let file = Self {
            checkpoint: place.checkpoint().clone(),
            name: name.map(ToString::to_string),
            entry: place.entry().clone(),
            public_key: record.public_key().is_none().then(|| public_key.clone()),
            key,
            note,
            path: place.path().to_vec(),
            record: record.duplicate(),
            ring: Some(ring),
        };
        file.check_parts(domain)?;
        Ok(file)
    }

    /// The fingerprint of the log that it says to be of, by the domain that it names, or by this one where it names
    /// none. Nobody vouches for it: whoever made the file may have made a log for it. Opened by it, all else is
    /// verified, and the file is found to agree with itself; whose log it is, only a fingerprint from elsewhere says.
    ///
    /// # Errors
    /// [`Error::Malformed`] for `domena` as [`open`](Self::open) says.
    pub fn fingerprint(&self, domain: Option<&Domain>) -> Result<LogFingerprint, Error> {
        Ok(self.checkpoint.fingerprint(&self.domain(domain)?))
    }

    /// What kind of record it is about.
    #[must_use]
    pub fn kind(&self) -> EvidenceKind {
        self.record.kind()
    }

    /// The same file once more, as to open it under another policy. It holds no secret: a vault record in it has no
    /// fragment.
    #[must_use]
    pub fn duplicate(&self) -> Self {
        let Self { checkpoint, name, entry, public_key, key, note, path, record, ring } = self;
        Self {
            checkpoint: checkpoint.clone(),
            name: name.clone(),
            entry: entry.clone(),
            public_key: public_key.clone(),
            key: key.clone(),
            note: note.clone(),
            path: path.clone(),
            record: record.duplicate(),
            ring: ring.clone(),
        }
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; [`Problem::UnknownValue`] for `vrsta`
    /// of another kind of record, and for a vault record that is not redacted; [`Problem::WrongType`] for `javni_kljuc`
    /// beside a record that has its key, or missing beside one that lacks it.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        json::from_json::<Self>(text)
    }
}
