//! The driver over a folder: one process after the other holds it, does its steps, and writes what they change by one
//! journalled change. Whenever the program ends or the power goes, a step has happened or it has not.
//!
//! | file | what it holds |
//! |---|---|
//! | `state.jsonl` | where chain and ledgers end and which checkpoint was last, under a MAC; what seals the ring |
//! | `ring/<identity_id>.json`, `decoys.jsonl` | the ring: a row for each identity, the decoys |
//! | `chain.jsonl` | the chain, one entry a line |
//! | `chain.index`, `chain.tree` | where each line begins, and its record's; the nodes of the log's tree |
//! | `checkpoint.json` | the last checkpoint |
//! | `records.jsonl` | every signed record and vault record, one a line, fragments included: for the owner alone |
//! | `secrets/`, `secrets.list` | secrets at rest, by the hash of their place; what was kept where, in order |
//! | `founding.json` | the first mark, until it is in its place |
//!
//! The signer's high-water mark is a file elsewhere, where no backup of the folder reaches: written when the log is
//! founded, before each checkpoint, and after each change of the ring, so that an old copy of the folder neither signs
//! a fork nor takes a key for valid that was called back.

mod audit;
mod end;
mod error;
mod files;
mod handle;
mod held;
mod kept;
mod mark;
mod names;
mod place;
mod read;
mod renew;
mod secrets;
mod write;

pub use audit::Audited;
pub use error::FolderError;
pub use held::Held;
pub use place::Place;
pub use read::{Entries, Reading};

use crate::disk::{Change, Disk, Hold, Lock, Readers};
use crate::opening::Opened;
use crate::step::{Batch, Changes, Keys, State, Step, StepError};
use dualseal::checkpoint::Checkpoint;
use dualseal::key::{CheckedRing, RingFile};
use dualseal::store::StoredState;
use dualseal::{Head, RingKey, Timestamp, Verified};
use handle::Handle;
use std::path::Path;
use std::sync::Arc;

/// A log in a folder.
#[derive(Debug)]
pub struct Folder(Handle);

impl Folder {
    /// Makes an empty log where there is none, and its first mark.
    ///
    /// # Errors
    /// [`FolderError::Exists`], [`FolderError::MarkThere`]; what the disk says; [`FolderError::NotRaised`] where the
    /// log is there, and its mark is put in its place by whoever opens it next.
    pub fn found(disk: Disk, place: Place, authority: RingKey) -> Result<Self, FolderError> {
        let folder = Self::new(disk, place, authority);
        let Handle { disk, place, .. } = &folder.0;
        disk.make_folder(&place.path, Readers::Owner)?;
        let lock = disk.lock(&place.path, Hold::Exclusive, place.wait)?;
        folder.begin(&lock, |_| Ok(()))
    }

    /// As [`found`](Self::found), under a lock that its caller has on the folder, and with files of his own, all of
    /// which are there or nothing of it.
    ///
    /// # Errors
    /// As [`found`](Self::found); [`FolderError::OtherLock`].
    pub fn found_under(
        lock: &Lock,
        place: Place,
        authority: RingKey,
        more: impl FnOnce(&mut Change<'_>) -> Result<(), FolderError>,
    ) -> Result<Self, FolderError> {
        Self::new(lock.disk().clone(), place, authority).begin(lock, more)
    }

    fn begin(
        self,
        lock: &Lock,
        more: impl FnOnce(&mut Change<'_>) -> Result<(), FolderError>,
    ) -> Result<Self, FolderError> {
        self.0.under(lock, Hold::Exclusive)?;
        let Handle { disk, place, authority, .. } = &self.0;
        // A mark that is there is another log's: over it this one could not be opened.
        if disk.open(&place.path.join(names::STATE))?.is_some() {
            return Err(FolderError::Exists(place.path.clone()));
        }
        if disk.open(&place.mark)?.is_some() {
            return Err(FolderError::MarkThere(place.mark.clone()));
        }
        let ring = CheckedRing::new(&place.origin, authority)?;
        let state = State::new(&place.domain, ring, StoredState::new(Head::EMPTY))?;
        let (changes, (_, first)) = (state.begin()?, state.first_mark()?);
        // What is appended to them later is for the owner alone, whoever may enter the folder.
        write::write(lock, &changes, |change| {
            change.file(names::RECORDS, Readers::Owner, &[])?;
            change.file(names::DECOYS, Readers::Owner, &[])?;
            change.file(names::LIST, Readers::Owner, &[])?;
            change.file(names::FOUNDING, Readers::Owner, first.as_bytes())?;
            more(change)
        })?;
        self.0.end_founding(lock).map_err(|error| FolderError::NotRaised(Box::new(error)))?;
        Ok(self)
    }

    /// The log in a folder. Nothing is read yet.
    #[must_use]
    pub fn new(disk: Disk, place: Place, authority: RingKey) -> Self {
        Self(Handle::new(disk, place, authority))
    }

    /// The ring as the rows in a locked folder have it: nobody vouches for it, and no ring key is asked for.
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Missing`] and [`FolderError::Broken`].
    pub fn ring_file(lock: &Lock) -> Result<RingFile, FolderError> {
        let (disk, path) = (lock.disk(), lock.folder());
        let text = files::whole(disk, &path.join(names::STATE))?;
        Ok(files::state_and_ring(disk, path, &text)?.1)
    }

    /// Where the chain and the ledgers in a locked folder end, as it says: nobody vouches for it, and no ring key is
    /// asked for.
    ///
    /// # Errors
    /// As [`ring_file`](Self::ring_file).
    pub fn unchecked_state(lock: &Lock) -> Result<StoredState, FolderError> {
        let path = lock.folder().join(names::STATE);
        let text = files::whole(lock.disk(), &path)?;
        let state = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        StoredState::unchecked(state).map_err(|_| FolderError::Broken(path))
    }

    /// The checkpoint in a locked folder: nobody vouches for it, and no ring key is asked for.
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Broken`].
    pub fn unchecked_checkpoint(lock: &Lock) -> Result<Option<Checkpoint>, FolderError> {
        files::checkpoint(lock.disk(), lock.folder())
    }

    /// The authority over the log's ring.
    #[must_use]
    pub fn authority(&self) -> &RingKey {
        &self.0.authority
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.place.path
    }

    /// Holds the folder against everybody else, and what is in it against itself.
    ///
    /// # Errors
    /// [`FolderError::Refused`] names what does not belong together; what the disk says.
    pub fn hold(&self) -> Result<Held<'_>, FolderError> {
        let lock = self.0.lock(Hold::Exclusive)?;
        let opened = self.0.opened()?;
        Ok(Held::new(&self.0, lock, opened))
    }

    /// As [`hold`](Self::hold), under a lock that its caller has on the folder.
    ///
    /// # Errors
    /// As [`hold`](Self::hold); [`FolderError::OtherLock`] for a lock on another folder, or one to read.
    pub fn hold_under(&self, lock: &Arc<Lock>) -> Result<Held<'_>, FolderError> {
        self.0.under(lock, Hold::Exclusive)?;
        Ok(Held::new(&self.0, Arc::clone(lock), self.0.opened()?))
    }

    /// Reads the folder while nobody writes to it.
    ///
    /// # Errors
    /// As [`hold`](Self::hold).
    pub fn read(&self) -> Result<Reading, FolderError> {
        let lock = self.0.lock(Hold::Shared)?;
        let (Opened { state, .. }, _) = self.0.opened()?;
        Ok(Reading::new(lock, state))
    }

    /// As [`read`](Self::read), under a lock that its caller has on the folder.
    ///
    /// # Errors
    /// As [`read`](Self::read); [`FolderError::OtherLock`] for a lock on another folder.
    pub fn read_under(&self, lock: &Arc<Lock>) -> Result<Reading, FolderError> {
        self.0.under(lock, Hold::Shared)?;
        let (Opened { state, .. }, _) = self.0.opened()?;
        Ok(Reading::new(Arc::clone(lock), state))
    }

    /// Makes the signer's mark anew where it was lost: from the last checkpoint that somebody else has, a witness
    /// before all, which the chain must go on from, and which is none before the folder's own last. Of an older one it
    /// would let a restored folder sign a fork; a mark that holds and is ahead of the folder is not replaced by any.
    ///
    /// # Errors
    /// [`Refused::Restored`](crate::opening::Refused::Restored) for a folder that is older than what was signed;
    /// it and [`Refused::RingRestored`](crate::opening::Refused::RingRestored) for one that is older than the mark;
    /// [`Refused::MarkOther`](crate::opening::Refused::MarkOther) for a checkpoint that is older than the folder's; as
    /// [`hold`](Self::hold).
    pub fn renew_mark(&self, seen: &Verified<Checkpoint>) -> Result<(), FolderError> {
        renew::renew(&self.0, &*self.0.lock(Hold::Exclusive)?, seen)
    }

    /// As [`renew_mark`](Self::renew_mark), under a lock that its caller has on the folder.
    ///
    /// # Errors
    /// As [`renew_mark`](Self::renew_mark); [`FolderError::OtherLock`].
    pub fn renew_mark_under(&self, lock: &Lock, seen: &Verified<Checkpoint>) -> Result<(), FolderError> {
        self.0.under(lock, Hold::Exclusive)?;
        renew::renew(&self.0, lock, seen)
    }

    /// Makes the signer's mark anew where it was lost before any checkpoint was signed. Whoever calls this vouches for
    /// that, and for the folder being the newest there is: nothing else tells. An old copy would sign a fork from then
    /// on, and take keys for valid that were called back since.
    ///
    /// # Errors
    /// [`Refused::MarkOther`](crate::opening::Refused::MarkOther) for a folder whose last checkpoint is known; as
    /// [`renew_mark`](Self::renew_mark).
    pub fn renew_unsigned_mark(&self) -> Result<(), FolderError> {
        let _lock = self.0.lock(Hold::Exclusive)?;
        renew::renew_unsigned(&self.0)
    }

    /// As [`renew_unsigned_mark`](Self::renew_unsigned_mark), under a lock that its caller has on the folder.
    ///
    /// # Errors
    /// As [`renew_unsigned_mark`](Self::renew_unsigned_mark); [`FolderError::OtherLock`].
    pub fn renew_unsigned_mark_under(&self, lock: &Lock) -> Result<(), FolderError> {
        self.0.under(lock, Hold::Exclusive)?;
        renew::renew_unsigned(&self.0)
    }

    /// Reads everything: each entry from the first on, the ring against all of them, the tree, the index, the records,
    /// and the secrets against their list. Whether a record's signature holds, and a secret opens, is for who has the
    /// keys.
    ///
    /// # Errors
    /// [`FolderError::Refused`] and [`FolderError::Broken`] name what does not belong together;
    /// [`ChainFault`](dualseal::error::ChainFault) for the first entry that does not hold.
    pub fn audit(&self) -> Result<Audited, FolderError> {
        audit::audit(&self.0, &*self.0.lock(Hold::Shared)?)
    }

    /// As [`audit`](Self::audit), under a lock that its caller has on the folder.
    ///
    /// # Errors
    /// As [`audit`](Self::audit); [`FolderError::OtherLock`].
    pub fn audit_under(&self, lock: &Lock) -> Result<Audited, FolderError> {
        self.0.under(lock, Hold::Shared)?;
        audit::audit(&self.0, lock)
    }

    /// One step of its own: placed, signed with the keys that `keys` has, and written.
    ///
    /// # Errors
    /// What `work` says; as [`hold`](Self::hold) and [`Held::commit`]; [`StepError::NoKey`].
    pub fn step<T>(
        &self,
        time: Timestamp,
        keys: &Keys<'_>,
        work: impl FnOnce(&mut Step<'_>) -> Result<T, StepError>,
    ) -> Result<(T, Changes), FolderError> {
        let held = self.hold()?;
        let mut batch = Batch::new(held.state().clone());
        let done = batch.step(time, work)?;
        let changes = held.finish(batch, keys)?;
        Ok((done, changes))
    }
}
