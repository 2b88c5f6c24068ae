//! Making the signer's mark anew where it was lost.

use super::error::FolderError;
use super::handle::Handle;
use super::kept;
use super::mark;
use crate::disk::Lock;
use crate::opening::Refused;
use dualseal::Verified;
use dualseal::checkpoint::{Checkpoint, HighWaterMark};

/// Makes the mark anew from a checkpoint that somebody else has seen, where it was lost.
pub(super) fn renew(handle: &Handle, lock: &Lock, seen: &Verified<Checkpoint>) -> Result<(), FolderError> {
    let state = kept::open_without(&handle.disk, &handle.place, &handle.authority)?;
    let (seen_mark, found) = (HighWaterMark::of(seen), state.head().size());
    let (signed, last) = (seen_mark.tree_head().size, state.last().map_or(0, |last| last.size));
    if signed > found {
        return Err(Refused::Restored { signed, found }.into());
    }
    if signed < last {
        return Err(Refused::MarkOther { mark: signed, checkpoint: last }.into());
    }
    let (_, text) = mark::next(lock, &state, &seen_mark)?;
    handle.know(None);
    mark::put_anew(&handle.disk, &handle.place, &handle.authority, &text)
}

/// Makes the mark anew of a log that never signed a checkpoint.
pub(super) fn renew_unsigned(handle: &Handle) -> Result<(), FolderError> {
    let state = kept::open_without(&handle.disk, &handle.place, &handle.authority)?;
    if let Some(last) = state.last() {
        return Err(Refused::MarkOther { mark: 0, checkpoint: last.size }.into());
    }
    let (_, text) = state.unsigned_mark()?;
    handle.know(None);
    mark::put_anew(&handle.disk, &handle.place, &handle.authority, &text)
}
