//! The folder of somebody's log: its note, tiles and bundles of leaves.

use super::error::TilesError;
use crate::disk::{Disk, Readable};
use dualseal::Error;
use dualseal::tree::{EntryBundle, Tile, TileReader, TreeHash};
use dualseal::witness::LogReader;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The signed note.
pub const CHECKPOINT: &str = "checkpoint";
/// The chain's lines, as far as the note covers them.
pub const LINES: &str = "chain.jsonl";
/// Where every 256th line begins: 8 bytes each, the first byte the highest.
pub const INDEX: &str = "chain.index";
/// The checkpoint that the log's own key signed over the same head.
pub const SIGNED: &str = "checkpoint.json";
/// More than a bundle of the longest leaves has.
const MOST_BYTES: u64 = 256 * (2 + 0xffff);

/// The folder of somebody's log. Nothing in it is believed.
#[derive(Clone, Debug)]
pub struct LogFolder(PathBuf);

impl LogFolder {
    /// The folder, which is not looked at yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The text of its note.
    ///
    /// # Errors
    /// [`TilesError::Read`] and [`TilesError::NotText`].
    pub fn note(&self) -> Result<String, TilesError> {
        String::from_utf8(self.file(CHECKPOINT)?).map_err(|_| TilesError::NotText(self.0.join(CHECKPOINT)))
    }

    /// The lines of its chain.
    ///
    /// # Errors
    /// [`TilesError::Read`].
    pub fn lines(&self) -> Result<Readable, TilesError> {
        self.open(LINES)
    }

    /// One of its files, in folders of its own: no link, which would lead out of the folder, and no pipe, at which one
    /// would wait.
    pub(super) fn open(&self, name: &str) -> Result<Readable, TilesError> {
        let opened = Disk::new().open_within(&self.0, name).map_err(TilesError::Read)?;
        opened.ok_or_else(|| TilesError::reading(&self.0.join(name), ErrorKind::NotFound.into()))
    }

    /// The bytes of one of its files, which are no more than 16 MiB.
    pub(super) fn file(&self, name: &str) -> Result<Vec<u8>, TilesError> {
        let (file, mut bytes) = (self.open(name)?, Vec::new());
        let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        let long = || Err(ErrorKind::FileTooLarge.into());
        let read = read.and_then(|_| if bytes.len() as u64 > MOST_BYTES { long() } else { Ok(()) });
        read.map_err(|error| TilesError::reading(&self.0.join(name), error))?;
        Ok(bytes)
    }

    /// A file, or the whole one that has come in its place.
    fn either(&self, partial: &str, whole: &str) -> Result<(Vec<u8>, bool), TilesError> {
        match self.file(partial) {
            Err(error) if error.is_missing() && partial != whole => self.file(whole).map(|bytes| (bytes, true)),
            read => read.map(|bytes| (bytes, false)),
        }
    }

    fn malformed(&self, error: Error) -> TilesError {
        TilesError::Malformed { folder: self.0.clone(), error }
    }
}

impl TileReader for LogFolder {
    type Error = TilesError;

    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, TilesError> {
        let whole = Tile { width: 256, ..*tile };
        let (bytes, is_whole) = self.either(&tile.path(), &whole.path())?;
        let mut hashes = if is_whole { whole } else { *tile }.decode(&bytes).map_err(|error| self.malformed(error))?;
        hashes.truncate(tile.width.into());
        Ok(hashes)
    }
}

impl LogReader for LogFolder {
    fn entries(&mut self, bundle: &EntryBundle) -> Result<Vec<u8>, TilesError> {
        let whole = EntryBundle { width: 256, ..*bundle };
        let (bytes, is_whole) = self.either(&bundle.path(), &whole.path())?;
        if !is_whole {
            return Ok(bytes);
        }
        let leaves = whole.decode(&bytes).map_err(|error| self.malformed(error))?;
        let leaves = leaves.get(..usize::from(bundle.width)).unwrap_or(&leaves);
        EntryBundle::encode(leaves).map_err(|error| self.malformed(error))
    }
}
