//! The record that evidence is made for, by its path.

use crate::commands::verify::no_seal;
use crate::failure::{Failure, READ, USAGE};
use crate::input::{self, stripped};
use dualseal::Error;
use dualseal::inspect::Kind;
use dualseal::threshold::Session;
use dualseal_operator::evidence::{EvidenceError, Given};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};

/// How the names of records end, and what their documents' names have instead.
const NAMES: [(&str, &str); 4] = [(".sig.json", ""), (".seal", ""), (".quorum.json", ""), (".vault.json", ".stored")];

/// Reads a record, by what is in its file.
pub(super) fn read(path: &Path, session: Option<&Path>) -> Result<Given, Failure> {
    let bytes = input::small(path)?;
    let session = || session.map(session_of).transpose();
    Given::read(&bytes, session).map_err(|unread| unread.told(path, &bytes))
}

/// Why a record, or the session that it is of, is not read.
enum Unread {
    Record(EvidenceError),
    Session(Failure),
}

impl From<EvidenceError> for Unread {
    fn from(error: EvidenceError) -> Self {
        Self::Record(error)
    }
}

impl Unread {
    fn told(self, path: &Path, bytes: &[u8]) -> Failure {
        let about = |error: Error| Failure::from(error).about(path.shown());
        match self {
            Self::Session(failure) => failure,
            Self::Record(EvidenceError::Library(error)) => about(error),
            Self::Record(EvidenceError::LegacySeal) => {
                let message = format!("{} is a legacy seal, which has no signature to show", path.shown());
                Failure::new(USAGE, message, "seal the document again by `dualseal seal`")
            }
            Self::Record(EvidenceError::NoRecord(Kind::Unknown))
                if path.as_os_str().as_encoded_bytes().ends_with(b".seal") =>
            {
                about(no_seal(bytes))
            }
            Self::Record(ref error @ EvidenceError::NoRecord(kind)) => {
                let message = format!("{} is no record that evidence can be about: {kind}", path.shown());
                Failure::new(READ, message, error.advice())
            }
            Self::Record(error) => error.into(),
        }
    }
}

fn session_of(path: &Path) -> Result<Session, Unread> {
    let read = || {
        let session = Session::from_json(&input::small(path)?);
        session.map_err(|error| Failure::from(error).about(path.shown()))
    };
    read().map_err(Unread::Session)
}

/// The document that a record's name says it is of.
pub(super) fn document_of(record: &Path) -> Option<PathBuf> {
    let name = record.as_os_str().as_encoded_bytes();
    let (suffix, instead) = NAMES.into_iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes()))?;
    let mut document = stripped(record, suffix.len())?.into_os_string();
    document.push(instead);
    Some(document.into())
}

/// What the name of a record's evidence begins with.
pub(super) fn stem(record: &Path) -> PathBuf {
    let is_json = record.as_os_str().as_encoded_bytes().ends_with(b".json");
    let stem = if is_json { stripped(record, ".json".len()) } else { None };
    stem.unwrap_or_else(|| record.to_owned())
}
