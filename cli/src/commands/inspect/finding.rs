//! What was found out about a file.

use dualseal::error::{Error, Malformed, Problem};

/// What a file that is none of this program's is called.
pub(super) const UNKNOWN: &str = "unknown";

/// A file, as what it was found to be.
pub(super) struct Inspected {
    pub(super) kind: String,
    pub(super) version: Option<String>,
    pub(super) count: Option<u64>,
    /// With the library's numbers, where they are the library's.
    pub(super) findings: Vec<(Option<u16>, String)>,
    /// How many more there are.
    pub(super) omitted: u64,
    /// What other programs call it.
    pub(super) foreign: Option<&'static str>,
}

impl Inspected {
    pub(super) fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), version: None, count: None, findings: Vec::new(), omitted: 0, foreign: None }
    }

    pub(super) fn with(mut self, error: &Error) -> Self {
        self.findings.push((Some(error.code()), error.to_string()));
        self
    }

    /// Neither a record nor anything else of this program's.
    pub(super) fn foreign(what: Option<&'static str>) -> Self {
        let unknown = Error::from(Malformed::new("file", None, Problem::UnknownValue));
        let finding = "it begins as none of this program's files do".to_owned();
        Self { foreign: what, findings: vec![(Some(unknown.code()), finding)], ..Self::new(UNKNOWN) }
    }
}
