//! What can be wrong with the notes of a log.

use dualseal::Error;
use std::fmt;

/// Why a log has no note, or a note is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotesError {
    /// The log's name cannot stand in a note.
    Nameless(Error),
    /// The checkpoint names no key of notes.
    NoKey,
    /// A note is malformed, not by the log, or one too many.
    Note {
        /// Which one, from 0.
        index: usize,
        /// What is wrong with it.
        error: Error,
    },
    /// A note is over another head than the checkpoint.
    OtherHead {
        /// Which one, from 0.
        index: usize,
    },
    /// A witness who was named did not cosign, or was named twice.
    Witnesses(Error),
}

impl NotesError {
    /// The name of what was refused, which lasts: the library's own, or one of the notes'.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nameless(error) | Self::Note { error, .. } | Self::Witnesses(error) => error.row().name,
            Self::NoKey => "no-note-key",
            Self::OtherHead { .. } => "other-head",
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Nameless(_) => {
                "a log whose name has white space or a `+` has no notes; nothing else of it is the worse for it"
            }
            Self::NoKey => "sign a checkpoint that names the key of the log's notes",
            Self::Note { .. } => "ask the witness for the whole note with his line",
            Self::OtherHead { .. } => "ask the witnesses for the newest one",
            Self::Witnesses(_) => {
                "ask each witness that you name, once, for the note with his line, or do not name him"
            }
        }
    }
}

impl fmt::Display for NotesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nameless(error) | Self::Witnesses(error) => error.fmt(f),
            Self::NoKey => f.write_str("the checkpoint names no note key"),
            Self::Note { index, error } => write!(f, "note {index}: {error}"),
            Self::OtherHead { index } => write!(f, "note {index} is not the note of the checkpoint"),
        }
    }
}

impl std::error::Error for NotesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Nameless(error) | Self::Note { error, .. } | Self::Witnesses(error) => Some(error),
            Self::NoKey | Self::OtherHead { .. } => None,
        }
    }
}
