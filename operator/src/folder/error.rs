//! What can go wrong with a folder.

use crate::disk::{self, CommitError};
use crate::opening::Refused;
use crate::paths::Show;
use crate::step::{Commit, StepError};
use std::fmt;
use std::path::PathBuf;

/// Why a folder was not opened, read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// The disk, or what is on it in the place of what should be.
    Disk(disk::Error),
    /// A change was not committed as it should be: [`commit`](FolderError::commit) says what has become of it.
    Commit(CommitError),
    /// What is there does not belong together.
    Refused(Refused),
    /// The step, or the library, refused; nothing was written.
    Step(StepError),
    /// There is a store already.
    Exists(PathBuf),
    /// Where the first mark is to be put there is another one: that of an earlier log.
    MarkThere(PathBuf),
    /// The mark is within the folder, where a backup brings it back.
    MarkWithin(PathBuf),
    /// The lock that was given is not one on this folder, or not one to write.
    OtherLock(PathBuf),
    /// The change was written, and the mark was not raised after it.
    NotRaised(Box<Self>),
    /// A file is not there.
    Missing(PathBuf),
    /// A file is not as this program writes it.
    Broken(PathBuf),
}

impl FolderError {
    /// The name of what went wrong, which lasts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disk(_) => "disk",
            Self::Commit(_) => "commit",
            Self::Refused(refused) => refused.name(),
            Self::Step(error) => error.name(),
            Self::Exists(_) => "exists",
            Self::MarkThere(_) => "mark-there",
            Self::MarkWithin(_) => "mark-within",
            Self::OtherLock(_) => "other-lock",
            Self::NotRaised(_) => "not-raised",
            Self::Missing(_) => "missing",
            Self::Broken(_) => "broken",
        }
    }

    /// What has become of the change that was to be written.
    #[must_use]
    pub fn commit(&self) -> Commit {
        match self {
            Self::Commit(CommitError::Unfinished(_)) | Self::NotRaised(_) => Commit::Done,
            Self::Commit(CommitError::Unknown(_)) => Commit::Unknown,
            _ => Commit::Not,
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Disk(error) => error.next(),
            Self::Commit(error) => error.next(),
            Self::Refused(refused) => refused.advice(),
            Self::Step(error) => error.advice(),
            Self::Exists(_) => "open the store that is there, or name another folder",
            Self::MarkThere(_) => {
                "restore the log that it belongs to; if that is gone for good, move the mark away, or name another file"
            }
            Self::MarkWithin(_) => "name a file elsewhere for it, and leave it out of the folder's backups",
            Self::OtherLock(_) => "give the lock that was taken on the folder of the log, to write where it is written",
            Self::NotRaised(error) => error.advice(),
            Self::Missing(_) | Self::Broken(_) => {
                "restore the folder from a copy; an audit of the copy shows whether it is as new as the chain"
            }
        }
    }
}

impl From<disk::Error> for FolderError {
    fn from(error: disk::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<CommitError> for FolderError {
    fn from(error: CommitError) -> Self {
        Self::Commit(error)
    }
}

impl From<Refused> for FolderError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<StepError> for FolderError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl From<dualseal::Error> for FolderError {
    fn from(error: dualseal::Error) -> Self {
        Self::Step(error.into())
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(error) => error.fmt(f),
            Self::Commit(error) => error.fmt(f),
            Self::Refused(refused) => refused.fmt(f),
            Self::Step(error) => error.fmt(f),
            Self::Exists(path) => write!(f, "there is a store in {} already", path.shown()),
            Self::MarkThere(path) => write!(f, "the mark of an earlier log stands in {}", path.shown()),
            Self::MarkWithin(path) => write!(f, "the mark {} is within the folder of the log", path.shown()),
            Self::OtherLock(path) => write!(f, "the lock is not one on {}", path.shown()),
            Self::NotRaised(error) => {
                write!(f, "it is written, and the signer's mark was not raised after it: {error}")
            }
            Self::Missing(path) => write!(f, "{} is missing", path.shown()),
            Self::Broken(path) => write!(f, "{} is not as this program writes it", path.shown()),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Disk(error) => Some(error),
            Self::Commit(error) => Some(error),
            Self::Refused(refused) => Some(refused),
            Self::Step(error) => Some(error),
            Self::NotRaised(error) => Some(&**error),
            _ => None,
        }
    }
}
