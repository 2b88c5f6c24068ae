//! The driver over a folder: one process after the other holds it, does its steps, and writes what they change by one
//! journalled change. Whenever the program ends or the power goes, a step has happened or it has not.
//!
//! | file | what it holds |
//! |---|---|
//! | `state.jsonl` | where chain and ledgers end and which checkpoint was last, under a MAC; what seals the ring |
//! | `ring/<identity_id>.json`, `decoys.jsonl` | the ring: a row for each identity, the decoys |
//! | `chain.jsonl` | the chain, one entry a line |
//! | `chain.index`, `chain.tree` | where each line begins, and that of the entry's record; the nodes of the log's tree |
//! | `checkpoint.json` | the last checkpoint |
//! | `records.jsonl` | every signed record and vault record, one a line, fragments included: for the owner alone |
//! | `secrets/` | secrets at rest, by the hash of their place |
//!
//! The signer's high-water mark is a file elsewhere, where no backup of the folder reaches.

mod error;
mod held;
mod names;
mod read;
mod store;

pub use error::FolderError;
pub use held::Held;
pub use read::{Entries, Reading};

use crate::disk::{Disk, Hold, Readers};
use crate::opening::Opened;
use crate::step::{Batch, Changes, State, Step, StepError, ToSign, sign_all};
use dualseal::key::CheckedRing;
use dualseal::mldsa::StatementKey;
use dualseal::store::StoredState;
use dualseal::{Domain, Head, IdentityId, RingKey, Timestamp};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::Kept;

/// A log in a folder.
#[derive(Debug)]
pub struct Folder {
    disk: Disk,
    path: PathBuf,
    mark: PathBuf,
    domain: Domain,
    origin: String,
    authority: RingKey,
    wait: Duration,
    /// What was opened last, with the text of its state: as long as that is in the folder nothing has changed.
    known: Mutex<Option<Kept>>,
}

/// Where a folder is, and what it is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder.
    pub path: PathBuf,
    /// The file of the signer's high-water mark: outside of the folder, and of its backups.
    pub mark: PathBuf,
    /// The domain of the log.
    pub domain: Domain,
    /// The name of the log.
    pub origin: String,
    /// How long to wait for other processes.
    pub wait: Duration,
}

impl Folder {
    /// Makes an empty log where there is none.
    ///
    /// # Errors
    /// [`FolderError::Exists`]; what the disk says.
    pub fn found(disk: Disk, place: Place, authority: RingKey) -> Result<Self, FolderError> {
        let folder = Self::new(disk, place, authority);
        folder.disk.make_folder(&folder.path, Readers::Owner)?;
        let lock = folder.disk.lock(&folder.path, Hold::Exclusive, folder.wait)?;
        let state = folder.path.join(names::STATE);
        if folder.disk.open(&state)?.is_some() {
            return Err(FolderError::Exists(folder.path));
        }
        let ring = CheckedRing::new(&folder.origin, &folder.authority)?;
        let empty = State::new(&folder.domain, ring, StoredState::new(Head::EMPTY))?;
        let (_, changes) = Batch::new(empty).place().0.finish([])?;
        store::write(&lock, &changes, |_| Ok(()))?;
        drop(lock);
        Ok(folder)
    }

    /// The log in a folder. Nothing is read yet.
    #[must_use]
    pub fn new(disk: Disk, place: Place, authority: RingKey) -> Self {
        let Place { path, mark, domain, origin, wait } = place;
        Self { disk, path, mark, domain, origin, authority, wait, known: Mutex::new(None) }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Holds the folder against everybody else, and what is in it against itself.
    ///
    /// # Errors
    /// [`FolderError::Refused`] names what does not belong together; what the disk says.
    pub fn hold(&self) -> Result<Held<'_>, FolderError> {
        let lock = self.disk.lock(&self.path, Hold::Exclusive, self.wait)?;
        let opened = self.opened()?;
        Ok(Held::new(self, lock, opened))
    }

    /// Reads the folder while nobody writes to it.
    ///
    /// # Errors
    /// As [`hold`](Self::hold).
    pub fn read(&self) -> Result<Reading, FolderError> {
        let lock = self.disk.lock(&self.path, Hold::Shared, self.wait)?;
        let (Opened { state, .. }, _) = self.opened()?;
        Ok(Reading::new(lock, state))
    }

    /// One step of its own: placed, signed with the keys that `keys` has, and written.
    ///
    /// # Errors
    /// What `work` says; as [`hold`](Self::hold) and [`Held::commit`]; [`FolderError::NoKey`].
    pub fn step<'k, T>(
        &self,
        time: Timestamp,
        keys: &(dyn Fn(&ToSign) -> Option<&'k dyn StatementKey> + Sync),
        work: impl FnOnce(&mut Step<'_>) -> Result<T, StepError>,
    ) -> Result<(T, Changes), FolderError> {
        let held = self.hold()?;
        let mut batch = Batch::new(held.state().clone());
        let done = batch.step(time, work)?;
        let changes = held.finish(batch, keys)?;
        Ok((done, changes))
    }

    fn opened(&self) -> Result<(Opened, Option<Vec<u8>>), FolderError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = store::open(self, known.take())?;
        let opened = Opened { state: kept.state.clone(), mark: kept.mark.clone() };
        let mark_text = kept.mark_text.clone();
        *known = Some(kept);
        Ok((opened, mark_text))
    }

    /// After a change of one's own, nothing is read again.
    fn know(&self, kept: Option<Kept>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}

/// Signs what a batch placed.
fn signed<'k>(
    to_sign: Vec<ToSign>,
    keys: &(dyn Fn(&ToSign) -> Option<&'k dyn StatementKey> + Sync),
) -> Result<Vec<crate::step::SignedRecord>, FolderError> {
    let missing = |one: &ToSign| -> Option<IdentityId> { keys(one).is_none().then(|| *one.identity_id()) };
    if let Some(identity_id) = to_sign.iter().find_map(missing) {
        return Err(FolderError::NoKey(identity_id));
    }
    Ok(sign_all(to_sign, keys)?)
}
