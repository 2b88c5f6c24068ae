//! The signer's high-water mark, in a place that no backup of the database reaches.

use dualseal_operator::disk::{self, Disk, FileError, Readers};
use dualseal_operator::opening::Refused;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

const LONGEST: u64 = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the mark is kept, for every process of the service.
#[derive(Clone, Debug)]
pub enum MarkPlace {
    /// A file.
    File(PathBuf),
}

/// Why the mark is not read or written.
#[derive(Debug)]
pub enum MarkError {
    /// Somebody else wrote it meanwhile.
    Moved,
    /// The disk.
    Disk(disk::Error),
}

impl From<disk::Error> for MarkError {
    fn from(error: disk::Error) -> Self {
        Self::Disk(error)
    }
}

impl fmt::Display for MarkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved => Refused::MarkMoved.fmt(f),
            Self::Disk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MarkError {}

impl MarkPlace {
    /// Its text.
    ///
    /// # Errors
    /// [`MarkError::Disk`].
    pub fn read(&self) -> Result<Option<Vec<u8>>, MarkError> {
        let Self::File(path) = self;
        Ok(Disk::new().read(path, LONGEST)?.map(|text| text.to_vec()))
    }

    /// Puts the next mark in the place of the last one, and of no other.
    ///
    /// # Errors
    /// [`MarkError::Moved`].
    pub fn replace(&self, last: Option<&[u8]>, next: &str) -> Result<(), MarkError> {
        let Self::File(path) = self;
        let disk = Disk::new();
        let _lock = disk.lock_beside(path, PATIENCE)?;
        if disk.read(path, LONGEST)?.as_deref().map(Vec::as_slice) != last {
            return Err(MarkError::Moved);
        }
        let written = disk.replace(path, Readers::Owner, |file| {
            file.write_all(next.as_bytes()).map_err(|error| disk::Error::writing(path, error))
        });
        written.map_err(|error| match error {
            FileError::Failed(error) => MarkError::Disk(error),
            FileError::NotForced { error, .. } => MarkError::Disk(disk::Error::writing(path, error)),
        })
    }
}
