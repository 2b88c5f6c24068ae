//! What can go wrong with the folder of a log.

use crate::chain::ChainError;
use crate::disk;
use crate::paths::Show;
use dualseal::Error;
use dualseal::error::{CheckpointFault, Rejected};
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why the folder of a log is not read or written, or does not show what was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum TilesError {
    /// A file of it cannot be read.
    Read(disk::Error),
    /// A file of it cannot be written. The note that was there before is there.
    Write(disk::Error),
    /// A file of it is written, and only forcing its folder to the disk failed.
    NotForced {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The note is not text.
    NotText(PathBuf),
    /// A file is not of its form.
    Malformed {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        error: Error,
    },
    /// It has not the tiles of such a tree.
    NoTiles(PathBuf),
    /// It does not fit the checkpoint, be the checkpoint and the chain as good as ever.
    Unfit {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        error: Error,
    },
    /// It shows another log.
    OtherLog {
        /// Its note.
        note: PathBuf,
        /// What is wrong with the note, for this log.
        error: Error,
    },
    /// It shows what does not lead to what is to be shown: another log's beginning, or more than was signed.
    Fork(PathBuf),
    /// What is asked for is beyond the checkpoint.
    Beyond,
    /// The chain that is to be shown is not read, or is not the checkpoint's.
    Chain(ChainError),
}

impl TilesError {
    pub(super) fn reading(path: &Path, error: io::Error) -> Self {
        Self::Read(disk::Error::reading(path, error))
    }

    /// Whether it is a file that is not there.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Read(error) if error.io().kind() == io::ErrorKind::NotFound)
    }

    /// What the library says.
    #[must_use]
    pub fn library(&self) -> Option<&Error> {
        match self {
            Self::Malformed { error, .. } | Self::Unfit { error, .. } | Self::OtherLog { error, .. } => Some(error),
            Self::Chain(error) => error.library(),
            _ => None,
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Read(_) | Self::NotText(_) | Self::Malformed { .. } | Self::NoTiles(_) | Self::Unfit { .. } => {
                "write the folder again, or have it fetched again; the chain itself shows the same"
            }
            Self::Write(error) => error.next(),
            Self::NotForced { .. } => "see whether the disk is sound, for a loss of power may take it back",
            Self::OtherLog { .. } => "name another folder: this one shows another log",
            Self::Fork(_) => "keep both; restore the log from a copy that is as new as the folder, or name another one",
            Self::Beyond => "ask for what the checkpoint covers",
            Self::Chain(error) => error.advice(),
        }
    }
}

impl From<ChainError> for TilesError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl fmt::Display for TilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) | Self::Write(error) => error.fmt(f),
            Self::NotForced { path, error } => {
                write!(f, "{} is written, but its folder not forced to the disk: {error}", path.shown())
            }
            Self::NotText(path) => write!(f, "{} is not text", path.shown()),
            Self::Malformed { folder, error } => write!(f, "{}: {error}", folder.shown()),
            Self::NoTiles(folder) => write!(f, "{} has not the tiles of such a tree", folder.shown()),
            Self::Unfit { folder, error } => {
                write!(f, "the folder {} does not fit the checkpoint: ", folder.shown())?;
                match error {
                    Error::Rejected(Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size })) => {
                        write!(f, "its tiles give another tree than the one over {size} entries that was signed")
                    }
                    error => error.fmt(f),
                }
            }
            Self::OtherLog { note, error } => write!(f, "{}: {error}", note.shown()),
            Self::Fork(note) => write!(f, "FORK: {} does not lead to what the log has signed", note.shown()),
            Self::Beyond => f.write_str("what is asked for is beyond the checkpoint"),
            Self::Chain(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TilesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
            Self::NotForced { error, .. } => Some(error),
            Self::Malformed { error, .. } | Self::Unfit { error, .. } | Self::OtherLog { error, .. } => Some(error),
            Self::Chain(error) => Some(error),
            Self::NotText(_) | Self::NoTiles(_) | Self::Fork(_) | Self::Beyond => None,
        }
    }
}
