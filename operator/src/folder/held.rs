//! A folder that one process holds.

use super::error::FolderError;
use super::files;
use super::handle::Handle;
use super::kept::Kept;
use super::mark;
use super::read::Entries;
use super::write::{state_text, write};
use crate::disk::{Change, Lock};
use crate::opening::Opened;
use crate::step::{Batch, Changes, Keys, RingRow, State, sign_all};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner};
use dualseal::mldsa::StatementKey;
use dualseal::{IdentityId, SystemRng, Timestamp};
use std::sync::Arc;

/// The folder, held against everybody else for as long as this lives.
#[derive(Debug)]
pub struct Held<'a> {
    handle: &'a Handle,
    lock: Arc<Lock>,
    opened: Opened,
    /// The text of the mark as it is on the disk.
    mark_text: Vec<u8>,
}

impl<'a> Held<'a> {
    pub(super) fn new(handle: &'a Handle, lock: Arc<Lock>, (opened, mark_text): (Opened, Vec<u8>)) -> Self {
        Self { handle, lock, opened, mark_text }
    }

    /// What was loaded.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.opened.state
    }

    /// The lock on the folder, for what its caller keeps in it beside the log.
    #[must_use]
    pub fn lock(&self) -> &Arc<Lock> {
        &self.lock
    }

    /// As [`Reading::entries`](super::Reading::entries), up to the end where the next step begins.
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Missing`].
    pub fn entries(&self, from: u64) -> Result<Entries, FolderError> {
        Entries::open(&self.lock, from, self.state().head().size())
    }

    /// Signs what a batch placed, and writes what it changes.
    ///
    /// # Errors
    /// [`StepError::NoKey`](crate::step::StepError::NoKey); as [`commit`](Self::commit).
    pub fn finish(self, batch: Batch, keys: &Keys<'_>) -> Result<Changes, FolderError> {
        let (placed, to_sign) = batch.place();
        let (state, changes) = placed.finish(sign_all(to_sign, keys)?)?;
        self.commit(state, &changes, |_| Ok(()))?;
        Ok(changes)
    }

    /// Writes the changes that lead to a state, with files of the caller's own: all of it, or nothing.
    ///
    /// # Errors
    /// [`FolderError::commit`] says what has become of it.
    pub fn commit(
        self,
        state: State,
        changes: &Changes,
        more: impl FnOnce(&mut Change<'_>) -> Result<(), FolderError>,
    ) -> Result<(), FolderError> {
        let Self { handle, lock, opened, mark_text } = self;
        if changes.before != opened.state.text() || changes.state != state.text() {
            return Err(FolderError::Step(dualseal::error::Misuse::StaleHead.into()));
        }
        handle.know(None);
        let lengths = write(&lock, changes, more)?;
        let (text, mut opened, mut mark_text) =
            (state_text(changes).into_bytes(), Opened { state, mark: opened.mark }, mark_text);
        if changes.ring.rows.iter().any(|row| matches!(row, RingRow::Identity(..))) {
            let raised = raise(handle, &lock, &mut opened, &mut mark_text);
            raised.map_err(|error| FolderError::NotRaised(Box::new(error)))?;
        }
        handle.know(Some(Kept { text, lengths, mark_text, opened }));
        Ok(())
    }

    /// Signs a checkpoint over the state, by an identity of the ring. The mark is written first: whatever becomes of
    /// the rest, nothing is ever signed that does not go on from it.
    ///
    /// # Errors
    /// [`Refused::NotGrown`](crate::opening::Refused::NotGrown) for a chain that does not go on from the last
    /// checkpoint; as [`State::next_mark`] and [`State::checkpoint_signer`]; as [`commit`](Self::commit).
    pub fn checkpoint(
        self,
        identity_id: &IdentityId,
        key: &dyn StatementKey,
        time: Timestamp,
        with: impl FnOnce(CheckpointSigner<'_>) -> CheckpointSigner<'_>,
    ) -> Result<Checkpoint, FolderError> {
        let state = self.state();
        let (mark, text) = mark::next(&self.lock, state, &self.opened.mark)?;
        // Whoever has the ring key can write a later mark, and not what was signed.
        if let Some(last) = files::checkpoint(&self.handle.disk, &self.handle.place.path)? {
            mark::growth(&self.lock, state, last.tree_head())?;
        }
        let signer = with(state.checkpoint_signer(identity_id, key)?);
        mark::replace(&self.handle.disk, &self.handle.place, &self.mark_text, &text)?;
        let checkpoint = signer.sign(&mark, time, &mut SystemRng)?;
        let (state, changes) = state.clone().take(checkpoint.clone())?;
        let opened = Opened { mark, ..self.opened };
        let held = Self { opened, mark_text: text.into_bytes(), ..self };
        held.commit(state, &changes, |_| Ok(()))?;
        Ok(checkpoint)
    }
}

/// A copy of the folder from before a change of its ring would take a key for valid that was called back since.
fn raise(handle: &Handle, lock: &Lock, opened: &mut Opened, mark_text: &mut Vec<u8>) -> Result<(), FolderError> {
    let (mark, text) = mark::next(lock, &opened.state, &opened.mark)?;
    mark::replace(&handle.disk, &handle.place, mark_text, &text)?;
    (opened.mark, *mark_text) = (mark, text.into_bytes());
    Ok(())
}
