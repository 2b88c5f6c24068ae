//! A lock on a folder, which keeps two writers apart.

use super::error::{Error, Operation, Refused};
use super::journal::recover;
use super::machine::Disk;
use super::within::{JOURNAL, LOCK};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// How often somebody who waits for a lock looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Whom a lock keeps out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Writers: to read.
    Shared,
    /// Everybody else: to write.
    Exclusive,
}

/// A lock on a folder, for as long as it lives. The system lets go of it with the process.
#[derive(Debug)]
pub struct Lock {
    pub(super) disk: Disk,
    pub(super) folder: PathBuf,
    pub(super) hold: Hold,
    /// Whether a change of it has not ended.
    pub(super) changing: AtomicBool,
    /// `None` on a read-only copy of a folder that has no lock file: nobody can write there.
    _file: Option<File>,
}

/// A lock on one file, for as long as it lives.
#[derive(Debug)]
pub struct FileLock {
    _file: Option<File>,
}

impl Disk {
    /// Locks a folder, and finishes or clears what a crash left. Waits for others at most so long. A shared lock on a
    /// folder that was never locked before makes no file.
    ///
    /// # Errors
    /// [`Refused::Busy`] where others did not end in time; what the system says; and [`Refused`] where what is there is
    /// not as this module leaves it: nothing was done then.
    pub fn lock(&self, folder: &Path, hold: Hold, wait: Duration) -> Result<Lock, Error> {
        let until = Instant::now().checked_add(wait);
        loop {
            let lock = self.hold(folder, hold, until)?;
            if hold == Hold::Exclusive {
                recover(self, folder)?;
                return Ok(lock);
            }
            if self.look(&folder.join(JOURNAL))?.is_none() {
                return Ok(lock);
            }
            // To finish a change is to write.
            drop(lock);
            let lock = self.hold(folder, Hold::Exclusive, until)?;
            recover(self, folder)?;
            drop(lock);
        }
    }

    fn hold(&self, folder: &Path, hold: Hold, until: Option<Instant>) -> Result<Lock, Error> {
        let path = folder.join(LOCK);
        let file = self.lock_file(&path, hold == Hold::Exclusive)?;
        let lock = |file| {
            let (disk, folder) = (self.clone(), folder.to_owned());
            Lock { disk, folder, hold, changing: AtomicBool::new(false), _file: file }
        };
        let Some(file) = file else { return Ok(lock(None)) };
        wait_for(&file, hold, until, (folder, &path))?;
        Ok(lock(Some(file)))
    }

    /// Locks a file against others who replace it, by a file of its name and `.lock`, which stays. Waits for them at
    /// most so long.
    ///
    /// # Errors
    /// [`Refused::Busy`] where they did not end in time; what the system says.
    pub fn lock_beside(&self, path: &Path, wait: Duration) -> Result<FileLock, Error> {
        let name = path.file_name().ok_or_else(|| Error::refusing(Operation::Lock, path, Refused::NoName))?;
        let mut beside = name.to_owned();
        beside.push(".lock");
        let beside = path.with_file_name(beside);
        let file = self.lock_file(&beside, true)?;
        if let Some(file) = &file {
            wait_for(file, Hold::Exclusive, Instant::now().checked_add(wait), (path, &beside))?;
        }
        Ok(FileLock { _file: file })
    }
}

/// Waits for the lock on a file, which stands for what it is about.
fn wait_for(file: &File, hold: Hold, until: Option<Instant>, (about, path): (&Path, &Path)) -> Result<(), Error> {
    loop {
        let locked = match hold {
            Hold::Shared => fs4::FileExt::try_lock_shared(file),
            Hold::Exclusive => fs4::FileExt::try_lock(file),
        };
        match locked {
            Ok(()) => return Ok(()),
            Err(fs4::TryLockError::WouldBlock) if until.is_none_or(|until| Instant::now() < until) => {
                thread::sleep(PAUSE);
            }
            Err(fs4::TryLockError::WouldBlock) => {
                return Err(Error::refusing(Operation::Lock, about, Refused::Busy));
            }
            Err(fs4::TryLockError::Error(error)) => return Err(Error::new(Operation::Lock, path, error)),
        }
    }
}

impl Lock {
    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The disk that it is on.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Whom it keeps out.
    #[must_use]
    pub fn hold(&self) -> Hold {
        self.hold
    }
}
