//! The signer's mark, in its place outside of the folder: written before anything is signed, and raised when the ring
//! has changed, so that no old copy of the folder goes on in its stead.

use super::error::FolderError;
use super::handle::Handle;
use super::kept;
use super::names::{FOUNDING, LONGEST_FILE};
use super::read::TreeFile;
use crate::disk::{self, FileError, Hold, Lock, Readers};
use crate::opening::Refused;
use crate::step::State;
use dualseal::checkpoint::{Checkpoint, Growth, HighWaterMark};
use dualseal::tree::prove_growth;
use dualseal::{Error, Verified};
use std::path::Path;

/// The mark of a state, whose chain goes on from the last one by the log's tree: nothing is written yet.
pub(super) fn next(lock: &Lock, state: &State, last: &HighWaterMark) -> Result<(HighWaterMark, String), FolderError> {
    let growth = growth(lock, state, last)?;
    Ok(state.mark(Some((last, &growth)))?)
}

/// Replaces the mark, unless somebody else has: a second copy of the folder has the same one, and went on otherwise.
pub(super) fn replace(handle: &Handle, last: Option<&[u8]>, text: &str) -> Result<(), FolderError> {
    let place = &handle.place;
    let _lock = handle.disk.lock_beside(&place.mark, place.wait)?;
    let found = handle.disk.read(&place.mark, LONGEST_FILE)?;
    if found.as_deref().map(Vec::as_slice) != last {
        return Err(Refused::MarkMoved.into());
    }
    put(handle, text.as_bytes())
}

/// Makes the mark anew from a checkpoint that somebody else has seen, where it was lost.
pub(super) fn renew(handle: &Handle, seen: &Verified<Checkpoint>) -> Result<(), FolderError> {
    let lock = handle.lock(Hold::Exclusive)?;
    let state = kept::open_without(&handle.disk, &handle.place, &handle.authority)?;
    let (mark, found) = (HighWaterMark::of(seen), state.head().size());
    let (signed, last) = (mark.tree_head().size, state.last().map_or(0, |last| last.size));
    if signed > found {
        return Err(Refused::Restored { signed, found }.into());
    }
    if signed < last {
        return Err(Refused::MarkOther { mark: signed, checkpoint: last }.into());
    }
    let (_, text) = next(&lock, &state, &mark)?;
    handle.know(None);
    let _lock = handle.disk.lock_beside(&handle.place.mark, handle.place.wait)?;
    put(handle, text.as_bytes())
}

/// Ends the founding of a log: its first mark is written down in the folder with everything else, and then put in its
/// place. A crash between the two leaves no log without a mark.
pub(super) fn end_founding(handle: &Handle, lock: &Lock) -> Result<(), FolderError> {
    let (disk, place) = (&handle.disk, &handle.place);
    let path = place.path.join(FOUNDING);
    let Some(first) = disk.read(&path, LONGEST_FILE)? else { return Ok(()) };
    if lock.hold() == Hold::Shared {
        return Ok(());
    }
    if disk.open(&place.mark)?.is_none() {
        put(handle, &first)?;
    }
    disk.remove(&path).map(drop).map_err(|error| unforced(&path, error))
}

/// Whether the founding of the log has not ended.
pub(super) fn is_founding(handle: &Handle) -> Result<bool, FolderError> {
    Ok(handle.disk.open(&handle.place.path.join(FOUNDING))?.is_some())
}

fn put(handle: &Handle, text: &[u8]) -> Result<(), FolderError> {
    let path = &handle.place.mark;
    let wrote = handle
        .disk
        .replace(path, Readers::Owner, |file| file.write_all(text).map_err(|error| disk::Error::writing(path, error)));
    wrote.map_err(|error| unforced(path, error))
}

fn unforced<T>(path: &Path, error: FileError<T>) -> FolderError {
    FolderError::Disk(match error {
        FileError::Failed(error) => error,
        FileError::NotForced { error, .. } => disk::Error::writing(path, error),
    })
}

/// That the chain goes on from a mark, by the tree.
fn growth(lock: &Lock, state: &State, mark: &HighWaterMark) -> Result<Growth, FolderError> {
    let head = state.head();
    let mut tree = TreeFile::open(lock)?;
    let path = prove_growth(&mut tree, mark.tree_head().size, head.size())?.unwrap_or_default();
    Growth::by_proof(mark.tree_head(), head, &path).map_err(|error: Error| error.into())
}
