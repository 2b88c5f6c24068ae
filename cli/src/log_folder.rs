//! A log as a folder: a note, tiles and bundles of leaves (C2SP `tlog-tiles`), the chain's lines and its checkpoint.

mod places;

pub(crate) use places::STEP;

use crate::failure::{Failure, READ};
use dualseal::tree::{EntryBundle, Tile, TileReader, TreeHash};
use dualseal::witness::LogReader;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The signed note.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// The chain's lines, as far as the note covers them.
pub(crate) const LINES: &str = "chain.jsonl";
/// Where every 256th line begins: 8 bytes each, the first byte the highest.
pub(crate) const INDEX: &str = "chain.index";
/// The checkpoint that the log's own key signed over the same head.
pub(crate) const SIGNED: &str = "checkpoint.json";
/// More than a bundle of the longest leaves has.
const MOST_BYTES: u64 = 256 * (2 + 0xffff);

/// The folder of somebody's log.
#[derive(Clone, Debug)]
pub(crate) struct LogFolder(PathBuf);

impl LogFolder {
    pub(crate) fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// A file, or the whole one that has come in its place.
    fn either(&self, partial: &str, whole: &str) -> Result<(Vec<u8>, bool), Failure> {
        match read(&self.0.join(partial)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && partial != whole => {
                let path = self.0.join(whole);
                read(&path).map(|bytes| (bytes, true)).map_err(|error| Failure::reading(&path, &error))
            }
            read => read.map(|bytes| (bytes, false)).map_err(|error| Failure::reading(&self.0.join(partial), &error)),
        }
    }
}

impl TileReader for LogFolder {
    type Error = Failure;

    fn tile(&mut self, tile: &Tile) -> Result<Vec<TreeHash>, Failure> {
        let whole = Tile { width: 256, ..*tile };
        let (bytes, is_whole) = self.either(&tile.path(), &whole.path())?;
        let mut hashes = if is_whole { whole } else { *tile }.decode(&bytes).map_err(|error| self.malformed(error))?;
        hashes.truncate(tile.width.into());
        Ok(hashes)
    }
}

impl LogReader for LogFolder {
    fn entries(&mut self, bundle: &EntryBundle) -> Result<Vec<u8>, Failure> {
        let whole = EntryBundle { width: 256, ..*bundle };
        let (bytes, is_whole) = self.either(&bundle.path(), &whole.path())?;
        if !is_whole {
            return Ok(bytes);
        }
        let leaves = whole.decode(&bytes).map_err(|error| self.malformed(error))?;
        Ok(EntryBundle::encode(&leaves[..usize::from(bundle.width)])?)
    }
}

impl LogFolder {
    fn malformed(&self, error: dualseal::Error) -> Failure {
        Failure::from(error).about(self.0.display())
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// The text of a note in the folder.
pub(crate) fn note(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(CHECKPOINT);
    let bytes = read(&path).map_err(|error| Failure::reading(&path, &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::new(READ, format!("{} is not text", path.display()), "ask the log"))
}

pub(crate) mod write {
    //! Each file is whole under its name or not there.

    use crate::failure::Failure;
    use crate::store::{Readers, Unpublished, disk};
    use std::path::Path;

    pub(crate) fn folder(path: &Path) -> Result<(), Failure> {
        Ok(disk().make_folder(path, Readers::All)?)
    }

    pub(crate) fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(parent) = path.parent() {
            folder(parent)?;
        }
        Unpublished::write(path, bytes, Readers::All, true)?.publish()
    }
}
