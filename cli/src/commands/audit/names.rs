//! What the name of a file says that it is.

use super::kinds::Named;
use crate::input::stripped;
use crate::store;
use dualseal::inspect::Kind;
use std::path::{Path, PathBuf};

/// Names that say what a file is of.
const RECORDS: [(&str, Kind); 3] =
    [(".sig.json", Kind::SignatureRecord), (".seal", Kind::DualSeal), (".quorum.json", Kind::ThresholdResult)];
/// How the name of a file of evidence ends, and before that that of its record.
const EVIDENCE: &str = ".evidence.json";
const OF: [(&str, &str); 4] = [(".sig", ""), (".seal", ""), (".quorum", ""), (".vault", ".stored")];
/// How the name of a vault record ends; that of its stored bytes ends in `.stored`.
pub(super) const VAULT: &str = ".vault.json";

/// What a file's name says that it is. Whoever damages a file leaves its name.
pub(super) fn named(shown: &Path) -> Named {
    let name = shown.file_name().unwrap_or_default().as_encoded_bytes();
    if let Some((_, kind)) = RECORDS.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes())) {
        Named::Record(kind)
    } else if name.ends_with(EVIDENCE.as_bytes()) {
        Named::Record(Kind::Evidence)
    } else if name.ends_with(VAULT.as_bytes()) {
        Named::Record(Kind::VaultRecord)
    } else if name.starts_with(b"checkpoint") && name.ends_with(b".json") {
        Named::Record(Kind::Checkpoint)
    } else if name.ends_with(b".jsonl") {
        Named::Lines
    } else {
        Named::Anything
    }
}

/// Whether its name, or that of a folder that it is in, is one that is given for as long as something is written.
pub(super) fn is_unfinished(shown: &Path) -> bool {
    shown.iter().any(store::is_unfinished)
}

/// The document of a record with this name.
pub(super) fn document_of(record: &Path) -> Option<PathBuf> {
    let name = record.as_os_str().as_encoded_bytes();
    if name.ends_with(EVIDENCE.as_bytes()) {
        return document_of_evidence(record);
    }
    let (suffix, _) = RECORDS.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes()))?;
    stripped(record, suffix.len()).filter(|document| document.file_name().is_some() && !document.ends_with(".."))
}

/// Whether a document has a first signer's record or seal, so that there are names for those of others.
pub(super) fn is_signed(document: &Path, is_there: impl Fn(&Path) -> bool) -> bool {
    RECORDS.iter().any(|(suffix, _)| {
        let mut record = document.as_os_str().to_owned();
        record.push(suffix);
        is_there(Path::new(&record))
    })
}

/// That of a file of evidence, whose name begins as its record's or as its document's does.
fn document_of_evidence(evidence: &Path) -> Option<PathBuf> {
    let stem = stripped(evidence, EVIDENCE.len())?;
    let name = stem.as_os_str().as_encoded_bytes();
    let Some((suffix, instead)) = OF.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes())) else {
        return Some(stem);
    };
    let mut document = stripped(&stem, suffix.len())?.into_os_string();
    document.push(instead);
    Some(document.into())
}
