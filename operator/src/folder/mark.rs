//! The signer's mark, in its place outside of the folder: written before anything is signed, and raised when the ring
//! has changed, so that no old copy of the folder goes on in its stead.

use super::error::FolderError;
use super::kept;
use super::names::{FOUNDING, LONGEST_FILE};
use super::place::Place;
use super::read::TreeFile;
use crate::disk::{self, Disk, FileError, Hold, Lock, Readers};
use crate::opening::{Refused, check_growth};
use crate::step::State;
use dualseal::RingKey;
use dualseal::checkpoint::{Growth, HighWaterMark};
use dualseal::krunica::TreeHead;
use std::path::Path;

/// The mark of a state, whose chain goes on from the last one by the log's tree: nothing is written yet.
pub(super) fn next(lock: &Lock, state: &State, last: &HighWaterMark) -> Result<(HighWaterMark, String), FolderError> {
    let growth = growth(lock, state, last.tree_head())?;
    Ok(state.next_mark(last, &growth)?)
}

/// Replaces the mark, unless somebody else has: a second copy of the folder has the same one, and went on otherwise.
pub(super) fn replace(disk: &Disk, place: &Place, last: &[u8], text: &str) -> Result<(), FolderError> {
    let _lock = disk.lock_beside(&place.mark, place.wait)?;
    let found = disk.read(&place.mark, LONGEST_FILE)?;
    if found.as_deref().map(Vec::as_slice) != Some(last) {
        return Err(Refused::MarkMoved.into());
    }
    put(disk, &place.mark, text.as_bytes())
}

/// Writes the mark anew where it was lost. One that holds says more than what others have seen: of a folder that it is
/// ahead of it stays. One that this log's authority did not write may be another log's, and stays too, as one does that
/// could not be read.
pub(super) fn put_anew(disk: &Disk, place: &Place, authority: &RingKey, text: &str) -> Result<(), FolderError> {
    let lock = disk.lock_beside(&place.mark, place.wait)?;
    match kept::open(disk, place, authority, None) {
        // The one that is there is lost, or behind the last checkpoint.
        Ok(_) | Err(FolderError::Refused(Refused::MarkMissing | Refused::MarkOther { .. })) => {}
        Err(error) => return Err(error),
    }
    put(disk, &place.mark, text.as_bytes())?;
    drop(lock);
    Ok(())
}

/// Ends the founding of a log: its first mark is written down in the folder with everything else, and then put in its
/// place. A crash between the two leaves no log without a mark.
pub(super) fn end_founding(disk: &Disk, place: &Place, authority: &RingKey, lock: &Lock) -> Result<(), FolderError> {
    let path = place.path.join(FOUNDING);
    let Some(first) = disk.read(&path, LONGEST_FILE)? else { return Ok(()) };
    if lock.hold() == Hold::Shared {
        return Ok(());
    }
    let beside = disk.lock_beside(&place.mark, place.wait)?;
    if disk.open(&place.mark)?.is_none() {
        // Of a log that went on the first mark would take every old copy for new.
        if kept::open_without(disk, place, authority)?.head().size() > 0 {
            return Err(Refused::MarkMissing.into());
        }
        put(disk, &place.mark, &first)?;
    }
    drop(beside);
    disk.remove(&path).map(drop).map_err(|error| unforced(&path, error))
}

/// Whether the founding of the log has not ended.
pub(super) fn is_founding(disk: &Disk, place: &Place) -> Result<bool, FolderError> {
    Ok(disk.open(&place.path.join(FOUNDING))?.is_some())
}

fn put(disk: &Disk, path: &Path, text: &[u8]) -> Result<(), FolderError> {
    let wrote = disk
        .replace(path, Readers::Owner, |file| file.write_all(text).map_err(|error| disk::Error::writing(path, error)));
    wrote.map_err(|error| unforced(path, error))
}

fn unforced<T>(path: &Path, error: FileError<T>) -> FolderError {
    FolderError::Disk(match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(path, error),
    })
}

/// That the chain goes on from an earlier head, by the tree.
pub(super) fn growth(lock: &Lock, state: &State, from: &TreeHead) -> Result<Growth, FolderError> {
    check_growth(state, from, &mut TreeFile::open(lock.disk(), lock.folder())?)
}
