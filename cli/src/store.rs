//! Writing that nothing interrupts by half: the operator's disk in the words of this program, which ends at signals
//! only when nothing unfinished is left, and writes into pipes and devices that somebody names.

#[cfg(unix)]
mod signals;
mod unpublished;

pub(crate) use dualseal_operator::disk::{Doomed, Lock, NewFolder, Readers, Spool, is_unfinished};
pub(crate) use unpublished::Unpublished;

use crate::failure::{BUSY, Failure, WRITE};
use dualseal_operator::disk::{self, CommitError, Disk, FileError, Hold, Refused};
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that a change appends to.
pub(crate) const CHAIN: &str = "chain.jsonl";

/// The disk of this machine, for what is written.
pub(crate) fn disk() -> Disk {
    #[cfg(unix)]
    disk::when_unfinished(signals::watch);
    Disk::new()
}

/// Until the value is dropped, what a signal would interrupt is ended first: an entry in the log and the file that
/// shows it, or neither.
#[cfg(unix)]
pub(crate) fn whole() -> impl Sized {
    signals::whole()
}

/// Elsewhere nothing is heard of signals.
#[cfg(not(unix))]
pub(crate) fn whole() -> impl Sized {}

/// Locks a folder against writers, and for writing against readers as well, and finishes or clears what a crash left.
/// Waits for others at most so long.
pub(crate) fn lock(folder: &Path, to_write: bool, wait: Duration) -> Result<Lock, Failure> {
    let (disk, hold) = if to_write { (disk(), Hold::Exclusive) } else { (Disk::new(), Hold::Shared) };
    Ok(disk.lock(folder, hold, wait)?)
}

/// Begins a folder, for the owner alone. It must not exist yet: shares of two sets in one place are a trap.
pub(crate) fn new_folder(path: &Path) -> Result<NewFolder, Failure> {
    disk().new_folder(path).map_err(|error| match error.refused() {
        Some(Refused::Exists) => Failure::from(error).hint("name a folder that does not exist yet, with --out FOLDER"),
        _ => error.into(),
    })
}

/// Gives a folder its name.
pub(crate) fn publish(folder: NewFolder) -> Result<PathBuf, Failure> {
    let path = folder.path().to_owned();
    folder.publish().map_err(|error| unwritten(&path, error))
}

/// What became of a file or folder that was not written as it should be.
pub(crate) fn unwritten<T, E: Into<Failure>>(path: &Path, error: FileError<T, E>) -> Failure {
    match error {
        FileError::Failed(error) => error.into(),
        FileError::NotForced { error, .. } => Failure::writing(path, &error)
            .hint("it is written; see whether the disk is sound, for a loss of power may take it back"),
    }
}

impl From<disk::Error> for Failure {
    fn from(error: disk::Error) -> Self {
        let path = error.path();
        match error.refused() {
            // What is there may be replaced, if it is asked for.
            None | Some(Refused::Exists) => Self::writing(path, error.io()),
            Some(Refused::Busy) => {
                let message = format!("another process is writing to {}", path.shown());
                Self::new(BUSY, message, "wait until it is done, or give a longer --lock-wait")
            }
            Some(refused) => Self::new(WRITE, format!("cannot write {}: {refused}", path.shown()), error.next()),
        }
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        let next = error.next();
        match error {
            CommitError::Not(error) => error.into(),
            CommitError::Unfinished(error) | CommitError::Unknown(error) => Self::from(error).hint(next),
        }
    }
}

#[cfg(test)]
mod tests;
