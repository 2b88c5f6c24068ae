//! The folder of somebody's log: its note, tiles and bundles of leaves.

use super::error::TilesError;
use dualseal::Error;
use dualseal::tree::{EntryBundle, Tile, TileReader, TreeHash};
use dualseal::witness::LogReader;
use std::fs::File;
use std::io::{self, Read};
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
        let path = self.0.join(CHECKPOINT);
        let bytes = read(&path).map_err(|error| TilesError::reading(&path, error))?;
        String::from_utf8(bytes).map_err(|_| TilesError::NotText(path))
    }

    /// The bytes of one of its files, which are no more than 16 MiB.
    pub(super) fn file(&self, name: &str) -> Result<Vec<u8>, TilesError> {
        let path = self.0.join(name);
        read(&path).map_err(|error| TilesError::reading(&path, error))
    }

    /// A file, or the whole one that has come in its place.
    fn either(&self, partial: &str, whole: &str) -> Result<(Vec<u8>, bool), TilesError> {
        let path = self.0.join(partial);
        match read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && partial != whole => {
                self.file(whole).map(|bytes| (bytes, true))
            }
            read => read.map(|bytes| (bytes, false)).map_err(|error| TilesError::reading(&path, error)),
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

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}
