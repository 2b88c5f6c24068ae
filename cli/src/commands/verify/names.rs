//! How records are named, beside the documents that they are of.

use super::args::Args;
use crate::failure::{Failure, USAGE};
use crate::input::{self, stripped};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

/// How the names of records end.
pub(super) const RECORDS: [&str; 2] = [".sig.json", ".seal"];

/// How the names of evidence end, of a document or of its record.
const EVIDENCE: [&str; 3] = [".evidence.json", ".sig.evidence.json", ".seal.evidence.json"];

/// The document of the record that was named.
pub(super) fn document(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(document) = &args.document {
        if input::is_standard(document) && input::is_standard(&args.record) {
            let hint = "give one of them as a file";
            return Err(Failure::new(USAGE, "the record and the document cannot both be standard input", hint));
        }
        return Ok(document.clone());
    }
    // Bytes, because a name need not be UTF-8.
    let name = args.record.as_os_str().as_encoded_bytes();
    let stem = RECORDS.iter().find_map(|suffix| name.strip_suffix(suffix.as_bytes()));
    let none = || {
        let is_record = stem.is_some() || input::is_standard(&args.record);
        let message = if is_record {
            "the record's name does not say which document it is of".to_owned()
        } else {
            format!("{} is no record, and none lies beside it", args.record.shown())
        };
        Failure::new(USAGE, message, record_first(&args.record))
    };
    let document = stripped(&args.record, name.len() - stem.ok_or_else(none)?.len()).ok_or_else(none)?;
    Ok(without_signer(document))
}

/// Of a second signer's record the document, whose name comes before the signer's.
pub(super) fn without_signer(document: PathBuf) -> PathBuf {
    let is_signed = |document: &Path| beside(document).into_iter().any(|record| record.is_file());
    let mut without = document.clone();
    while !(without.exists() && (without == document || is_signed(&without))) {
        if without.extension().is_none() {
            return document;
        }
        without.set_extension("");
    }
    without
}

/// The names of a document's first record and seal.
fn beside(document: &Path) -> [PathBuf; 2] {
    RECORDS.map(|suffix| {
        let mut name = document.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// A file of evidence of a document, if one lies beside it.
fn evidence(document: &Path) -> Option<PathBuf> {
    EVIDENCE.iter().find_map(|suffix| {
        let mut name = document.as_os_str().to_owned();
        name.push(suffix);
        Some(PathBuf::from(name)).filter(|path| path.is_file())
    })
}

/// What to give instead of a document: its record beside it, if there is one.
pub(super) fn record_first(document: &Path) -> String {
    match beside(document).into_iter().find(|record| record.is_file()) {
        Some(record) => format!("give its record first: {}", record.shown()),
        None if evidence(document).is_some() => "evidence of it is here: give that with --evidence".to_owned(),
        None => "give the record first (.sig.json or .seal), then the document; `dualseal inspect` says what a file is"
            .to_owned(),
    }
}
