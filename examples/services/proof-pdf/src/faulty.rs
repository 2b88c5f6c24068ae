//! Why two files are no proof.

use std::fmt;

/// Why two files are no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faulty {
    /// The text is not of its form.
    NoText,
    /// The evidence is not of its form.
    NoEvidence,
    /// Evidence is of another log, or of another kind of record.
    OtherEvidence,
    /// A member has no such value.
    Member(&'static str),
    /// The records are of another driver, of two vehicles, out of order, twice, or say of no border.
    Journey,
    /// A witness is named twice, or who did not sign a line of the note then; none is; or the note is of another state.
    Witnesses,
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoText => "the text is no proof's",
            Self::NoEvidence => "the evidence is not of its form",
            Self::OtherEvidence => "evidence is of another log or record",
            Self::Member(member) => return write!(f, "{member} has no such value"),
            Self::Journey => "the records are no journey of one driver with one vehicle over a border",
            Self::Witnesses => "a witness is named twice, did not sign, or saw another state, or none is named",
        })
    }
}

impl std::error::Error for Faulty {}
