//! Reading a folder's chain and tree: any entry and any proof in a few reads.

use super::error::FolderError;
use super::files::{self, claims_any, entry, is_record_of, needed, place, record_at};
use super::names::{self, CHAIN, INDEX, LONGEST_LINE, NO_RECORD, TREE};
use super::secrets::FromEnd;
use crate::disk::{Disk, Error, Lock, Readable};
use crate::opening::{Refused, check_checkpoint};
use crate::own::{OwnChain, OwnCheckpoint};
use crate::secrets::Place;
use crate::step::State;
use dualseal::Entry;
use dualseal::checkpoint::Checkpoint;
use dualseal::tree::{NodeReader, TreeHash, prove_growth, prove_leaf};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// A folder that nobody writes to as long as this lives.
#[derive(Debug)]
pub struct Reading {
    lock: Arc<Lock>,
    state: State,
    secrets: Mutex<FromEnd>,
}

impl Reading {
    pub(super) fn new(lock: Arc<Lock>, state: State) -> Self {
        let secrets = Mutex::new(FromEnd::new(state.stored().secrets()));
        Self { lock, state, secrets }
    }

    /// What was loaded.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The lock on the folder, for what its caller keeps in it beside the log.
    #[must_use]
    pub fn lock(&self) -> &Arc<Lock> {
        &self.lock
    }

    /// The checkpoint that was signed last.
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Refused`] for another one.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, FolderError> {
        let found = files::checkpoint(self.lock.disk(), self.lock.folder())?;
        check_checkpoint(self.state.last(), found.as_ref())?;
        Ok(found)
    }

    /// The same by the log's ring, with whether it is evidence still.
    ///
    /// # Errors
    /// As [`checkpoint`](Self::checkpoint); [`Refused::CheckpointNotOwn`].
    pub fn own_checkpoint(&self) -> Result<Option<OwnCheckpoint>, FolderError> {
        let Some(checkpoint) = self.checkpoint()? else { return Ok(None) };
        let own = OwnCheckpoint::judge(checkpoint, self.state.domain(), self.state.origin(), self.state.ring());
        Ok(Some(own.map_err(Refused::CheckpointNotOwn)?))
    }

    /// The chain as it ends now, for whoever reads it when this is gone, and others write.
    ///
    /// # Errors
    /// As [`own_checkpoint`](Self::own_checkpoint).
    pub fn own_chain(&self) -> Result<OwnChain, FolderError> {
        let last = self.own_checkpoint()?.and_then(|own| own.as_evidence().ok());
        let (path, state) = (self.lock.folder().join(CHAIN), &self.state);
        let chain = OwnChain::ended((state.domain(), state.origin()), &path, state.head(), last);
        Ok(chain.map_err(|error| Error::reading(&path, error))?)
    }

    /// The entries from a position on. They are as they stand in the file: whoever shows something by them reads them
    /// with a [`ChainReader`](dualseal::reader::ChainReader).
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Missing`].
    pub fn entries(&self, from: u64) -> Result<Entries, FolderError> {
        Entries::open(&self.lock, from, self.state.head().size())
    }

    /// The record that an entry is of, signed or of a vault, as canonical JSON with its fragment; `None` for an entry
    /// of another kind, and for one that there is not.
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Missing`] and [`FolderError::Broken`].
    pub fn record(&self, seq: u64) -> Result<Option<Zeroizing<Vec<u8>>>, FolderError> {
        if seq >= self.state.head().size() {
            return Ok(None);
        }
        let (disk, folder) = (self.lock.disk(), self.lock.folder());
        let index = folder.join(INDEX);
        let (_, place) = place(&mut needed(disk, &index)?, seq, &index)?;
        let (entry, domain) = (self.entries(seq)?.next(), self.state.domain());
        let entry = entry.ok_or_else(|| FolderError::Broken(folder.join(CHAIN)))??;
        if place == NO_RECORD {
            return if claims_any(domain, &entry) { Err(FolderError::Broken(index)) } else { Ok(None) };
        }
        let text = record_at(&self.lock, place)?;
        match is_record_of(domain, &text, &entry) {
            Some(_) => Ok(Some(text)),
            None => Err(FolderError::Broken(index)),
        }
    }

    /// A secret at rest, as it was kept in this place: [`Vaulted::read`](crate::secrets::Vaulted::read) takes it.
    /// `None` where none was kept, or it was forgotten. It is held against the list of all that were kept, of which the
    /// state has the end, from there back to its place; what was read of the list is not read again. All of 100 000
    /// rows, for the one that was kept first or for one that never was, take a tenth of a second and 10 MB.
    ///
    /// # Errors
    /// What the disk says; [`FolderError::Refused`] and [`FolderError::Broken`], as at opening.
    pub fn secret(&self, place: &Place) -> Result<Option<Vec<u8>>, FolderError> {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = secrets.secret(self.lock.disk(), self.lock.folder(), &place.hash())?;
        Ok(stored.filter(|stored| !stored.is_empty()).map(|stored| stored.to_vec()))
    }

    /// The path of an entry in the log's tree at a size; `None` where there is no such entry, or size.
    ///
    /// # Errors
    /// What the disk says.
    pub fn prove_entry(&self, size: u64, seq: u64) -> Result<Option<Vec<TreeHash>>, FolderError> {
        if size > self.state.head().size() {
            return Ok(None);
        }
        prove_leaf(&mut TreeFile::open(self.lock.disk(), self.lock.folder())?, size, seq)
    }

    /// The proof that the log of one size goes on from that of another; `None` where it has not that size.
    ///
    /// # Errors
    /// What the disk says.
    pub fn prove_growth(&self, before: u64, size: u64) -> Result<Option<Vec<TreeHash>>, FolderError> {
        if size > self.state.head().size() {
            return Ok(None);
        }
        prove_growth(&mut TreeFile::open(self.lock.disk(), self.lock.folder())?, before, size)
    }
}

/// The entries of a folder's chain, in order.
#[derive(Debug)]
pub struct Entries {
    lines: BufReader<Readable>,
    path: PathBuf,
    next: u64,
    end: u64,
}

impl Entries {
    pub(super) fn open(lock: &Lock, from: u64, end: u64) -> Result<Self, FolderError> {
        let (disk, path, index) = (lock.disk(), lock.folder().join(CHAIN), lock.folder().join(INDEX));
        let mut file = needed(disk, &path)?;
        if from < end {
            let (place, _) = place(&mut needed(disk, &index)?, from, &index)?;
            file.seek(SeekFrom::Start(place)).map_err(|error| Error::reading(&path, error))?;
        }
        Ok(Self { lines: BufReader::with_capacity(1 << 16, file), path, next: from, end })
    }

    fn read(&mut self) -> Result<Entry, FolderError> {
        let mut line = Vec::new();
        let read = (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut line);
        read.map_err(|error| Error::reading(&self.path, error))?;
        entry(&line, self.next).ok_or_else(|| FolderError::Broken(self.path.clone()))
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let read = self.read();
        // After a fault there is nothing more.
        self.next = if read.is_ok() { self.next + 1 } else { self.end };
        Some(read)
    }
}

/// The nodes of the log's tree.
pub(super) struct TreeFile {
    file: Readable,
    path: PathBuf,
}

impl TreeFile {
    pub(super) fn open(disk: &Disk, folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(TREE);
        Ok(Self { file: needed(disk, &path)?, path })
    }
}

impl NodeReader for TreeFile {
    type Error = FolderError;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, FolderError> {
        let place = names::node(level, index).and_then(|place| place.checked_mul(32));
        let place = place.ok_or_else(|| FolderError::Broken(self.path.clone()))?;
        let mut node = [0; 32];
        let read = self.file.seek(SeekFrom::Start(place)).and_then(|_| self.file.read_exact(&mut node));
        read.map_err(|error| Error::reading(&self.path, error))?;
        Ok(TreeHash::from_bytes(node))
    }
}
