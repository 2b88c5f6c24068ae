//! What a folder's handle knows: where it is, whose it is, and what was opened last.

use super::error::FolderError;
use super::place::Place;
use super::store::{self, Kept};
use crate::disk::{Disk, Hold, Lock};
use crate::opening::Opened;
use dualseal::RingKey;
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(super) struct Log {
    pub(super) disk: Disk,
    pub(super) place: Place,
    pub(super) authority: RingKey,
    /// What was opened last, with the text of its state: as long as that is in the folder nothing has changed.
    known: Mutex<Option<Kept>>,
}

impl Log {
    pub(super) fn new(disk: Disk, place: Place, authority: RingKey) -> Self {
        Self { disk, place, authority, known: Mutex::new(None) }
    }

    pub(super) fn lock(&self, hold: Hold) -> Result<Lock, FolderError> {
        Ok(self.disk.lock(&self.place.path, hold, self.place.wait)?)
    }

    /// What is there, and the text of the mark; under a lock.
    pub(super) fn opened(&self) -> Result<(Opened, Option<Vec<u8>>), FolderError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = store::open(&self.disk, &self.place, &self.authority, known.take())?;
        let opened = Opened { state: kept.state.clone(), mark: kept.mark.clone() };
        let mark_text = kept.mark_text.clone();
        *known = Some(kept);
        Ok((opened, mark_text))
    }

    /// After a change of one's own nothing is read again.
    pub(super) fn know(&self, kept: Option<Kept>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}
