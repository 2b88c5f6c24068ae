//! A folder that one process holds.

use super::error::FolderError;
use super::handle::Handle;
use super::kept::{self, Kept};
use super::names;
use super::read::{Entries, TreeFile};
use super::write::{state_text, write};
use crate::disk::{Change, Hold, Lock, Readers};
use crate::opening::{Opened, Refused};
use crate::step::{Batch, Changes, Keys, State, sign_all};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, Growth, HighWaterMark};
use dualseal::mldsa::StatementKey;
use dualseal::tree::prove_growth;
use dualseal::{Error, IdentityId, SystemRng, Timestamp, Verified};

/// The folder, held against everybody else for as long as this lives.
#[derive(Debug)]
pub struct Held<'a> {
    handle: &'a Handle,
    lock: Lock,
    opened: Opened,
    /// The text of the mark as it is on the disk.
    mark_text: Option<Vec<u8>>,
}

impl<'a> Held<'a> {
    pub(super) fn new(handle: &'a Handle, lock: Lock, (opened, mark_text): (Opened, Option<Vec<u8>>)) -> Self {
        Self { handle, lock, opened, mark_text }
    }

    /// What was loaded.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.opened.state
    }

    /// The lock on the folder, for what its caller keeps in it beside the log.
    #[must_use]
    pub fn lock(&self) -> &Lock {
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
        let opened = Opened { state, mark: opened.mark };
        handle.know(Some(Kept { text: state_text(changes).into_bytes(), lengths, mark_text, opened }));
        Ok(())
    }

    /// Signs a checkpoint over the state, by an identity of the ring. The mark is written first: whatever becomes of
    /// the rest, nothing is ever signed that does not go on from it.
    ///
    /// # Errors
    /// As [`State::mark`] and [`State::checkpoint_signer`]; as [`commit`](Self::commit).
    pub fn checkpoint(
        self,
        identity_id: &IdentityId,
        key: &dyn StatementKey,
        time: Timestamp,
        with: impl FnOnce(CheckpointSigner<'_>) -> CheckpointSigner<'_>,
    ) -> Result<Checkpoint, FolderError> {
        let state = self.state();
        let growth = self.opened.mark.as_ref().map(|mark| growth(&self.lock, state, mark)).transpose()?;
        let (mark, text) = state.mark(self.opened.mark.as_ref().zip(growth.as_ref()))?;
        let signer = with(state.checkpoint_signer(identity_id, key)?);
        self.write_mark(&text)?;
        let checkpoint = signer.sign(&mark, time, &mut SystemRng)?;
        let (state, changes) = state.clone().take(checkpoint.clone())?;
        let opened = Opened { mark: Some(mark), ..self.opened };
        let held = Self { opened, mark_text: Some(text.into_bytes()), ..self };
        held.commit(state, &changes, |_| Ok(()))?;
        Ok(checkpoint)
    }

    fn write_mark(&self, text: &str) -> Result<(), FolderError> {
        let handle = self.handle;
        // A second copy of the folder has the same mark, and went on otherwise.
        let found = handle.disk.read(&handle.place.mark, names::LONGEST_FILE)?;
        if found.as_deref().map(Vec::as_slice) != self.mark_text.as_deref() {
            return Err(FolderError::Refused(Refused::MarkMoved));
        }
        put_mark(handle, text)
    }
}

/// That the chain goes on from a mark, by the tree.
fn growth(lock: &Lock, state: &State, mark: &HighWaterMark) -> Result<Growth, FolderError> {
    let head = state.head();
    let mut tree = TreeFile::open(lock)?;
    let path = prove_growth(&mut tree, mark.tree_head().size, head.size())?.unwrap_or_default();
    Growth::by_proof(mark.tree_head(), head, &path).map_err(|error: Error| error.into())
}

/// Makes the mark anew from a checkpoint that somebody else has seen, where it was lost.
pub(super) fn renew_mark(handle: &Handle, seen: &Verified<Checkpoint>) -> Result<(), FolderError> {
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
    let growth = growth(&lock, &state, &mark)?;
    let (_, text) = state.mark(Some((&mark, &growth)))?;
    handle.know(None);
    put_mark(handle, &text)
}

fn put_mark(handle: &Handle, text: &str) -> Result<(), FolderError> {
    let wrote = handle.disk.replace(&handle.place.mark, Readers::Owner, |file| {
        file.write_all(text.as_bytes()).map_err(|error| crate::disk::Error::writing(&handle.place.mark, error))
    });
    wrote.map_err(|error| match error {
        crate::disk::FileError::Failed(error) => FolderError::Disk(error),
        crate::disk::FileError::NotForced { error, .. } => {
            FolderError::Disk(crate::disk::Error::writing(&handle.place.mark, error))
        }
    })
}
