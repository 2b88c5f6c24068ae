//! What a page tells of a file of evidence. Its form is the library's (`docs/FORMAT.md`), which verifies it; here is
//! read what is printed.

use crate::faulty::Faulty;
use crate::moment::Moment;
use serde::Deserialize;

/// Of a file of evidence of a signature record.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Evidence {
    pub(crate) vrsta: String,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) entry: Entry,
    pub(crate) key: Key,
    pub(crate) record: Record,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) origin: String,
    pub(crate) root: String,
    pub(crate) size: u64,
    pub(crate) time: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Entry {
    pub(crate) seq: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Key {
    pub(crate) leaf: Leaf,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Leaf {
    pub(crate) identity_id: String,
    /// Its fingerprint.
    pub(crate) javni_kljuc: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Record {
    pub(crate) algoritam: String,
    pub(crate) identity_id: String,
    pub(crate) krunica_hash: String,
    pub(crate) sadrzaj_hash: String,
    pub(crate) timestamp: String,
}

impl Evidence {
    /// Reads it, of a signature record in the log of this name.
    pub(crate) fn read(text: &str, origin: &str) -> Result<Self, Faulty> {
        let evidence: Self = serde_json::from_str(text).map_err(|_| Faulty::NoEvidence)?;
        let is_whole = evidence.vrsta == "potpis"
            && evidence.checkpoint.origin == origin
            && evidence.entry.seq < evidence.checkpoint.size
            && evidence.record.identity_id == evidence.key.leaf.identity_id;
        if is_whole { Ok(evidence) } else { Err(Faulty::OtherEvidence) }
    }

    /// When the checkpoint was signed.
    pub(crate) fn covered(&self) -> Result<Moment, Faulty> {
        moment("checkpoint.time", &self.checkpoint.time)
    }
}

/// A moment of a member.
pub(crate) fn moment(member: &'static str, text: &str) -> Result<Moment, Faulty> {
    Moment::parse(text).ok_or(Faulty::Member(member))
}
