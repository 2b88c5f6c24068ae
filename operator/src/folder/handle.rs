//! What a folder's handle knows: where it is, whose it is, and what was opened last.

use super::error::FolderError;
use super::kept::{self, Kept};
use super::mark;
use super::place::Place;
use crate::disk::{Disk, Hold, Lock};
use crate::opening::Opened;
use dualseal::RingKey;
use std::sync::{Arc, Mutex, PoisonError};

/// A log in a folder, as one of those who use it knows it.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) disk: Disk,
    pub(super) place: Place,
    pub(super) authority: RingKey,
    /// What was opened last, with the text of its state: as long as that is in the folder nothing has changed.
    known: Mutex<Option<Kept>>,
}

impl Handle {
    pub(super) fn new(disk: Disk, place: Place, authority: RingKey) -> Self {
        Self { disk, place, authority, known: Mutex::new(None) }
    }

    /// Locks the folder, and ends its founding.
    pub(super) fn lock(&self, hold: Hold) -> Result<Arc<Lock>, FolderError> {
        let lock = |hold| self.disk.lock(&self.place.path, hold, self.place.wait);
        let mut locked = lock(hold)?;
        self.place.check_mark()?;
        if mark::is_founding(&self.disk, &self.place)? {
            drop(locked);
            self.end_founding(&lock(Hold::Exclusive)?)?;
            locked = lock(hold)?;
        }
        Ok(Arc::new(locked))
    }

    /// Goes on under a lock that its caller has on the folder.
    pub(super) fn under(&self, lock: &Lock, hold: Hold) -> Result<(), FolderError> {
        let is_here = lock.folder() == self.place.path && (lock.hold() == Hold::Exclusive || hold == Hold::Shared);
        if !is_here {
            return Err(FolderError::OtherLock(self.place.path.clone()));
        }
        self.place.check_mark()?;
        lock.finish()?;
        self.end_founding(lock)
    }

    /// Puts the first mark in its place, where a crash has left it in the folder.
    pub(super) fn end_founding(&self, lock: &Lock) -> Result<(), FolderError> {
        mark::end_founding(&self.disk, &self.place, &self.authority, lock)
    }

    /// What is there, and the text of the mark; under a lock.
    pub(super) fn opened(&self) -> Result<(Opened, Vec<u8>), FolderError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept::open(&self.disk, &self.place, &self.authority, known.take())?;
        let kept = known.insert(kept);
        Ok((kept.opened.clone(), kept.mark_text.clone()))
    }

    /// After a change of one's own nothing is read again.
    pub(super) fn know(&self, kept: Option<Kept>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}
