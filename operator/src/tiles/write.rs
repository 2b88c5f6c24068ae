//! Writing the folder of a log. Each file is whole under its name or not there, and the note changes last.

use super::error::TilesError;
use super::folder::{CHECKPOINT, INDEX, LINES, LogFolder, SIGNED};
use super::places::STEP;
use crate::chain::{ChainError, agreed, entries, under};
use crate::disk::{self, Disk, Existing, FileError, Readers};
use dualseal::checkpoint::Checkpoint;
use dualseal::error::EvidenceFault;
use dualseal::note::{Note, NoteBody, NoteKey};
use dualseal::reader::ChainReader;
use dualseal::tree::{EntryBundle, Tile, TileGrowth, TreeHash};
use dualseal::{Domain, Error, Verified};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// What a folder shows of a log.
#[derive(Clone, Copy, Debug)]
pub struct ToShow<'a> {
    /// The domain of the log.
    pub domain: &'a Domain,
    /// The checkpoint up to which it is shown.
    pub checkpoint: &'a Verified<Checkpoint>,
    /// The note over the same head.
    pub note: &'a Note,
    /// The key of the note.
    pub key: &'a NoteKey,
}

impl LogFolder {
    /// Writes what a checkpoint covers of a chain, and goes on from what is there: a folder that shows another log, or
    /// more of this one than the note does, is left as it is. A folder that is not there is made, and a tile that was
    /// changed or taken away since is written again. Gives the number of tiles that were written.
    ///
    /// # Errors
    /// [`TilesError::OtherLog`] and [`TilesError::Fork`] for what the folder shows, [`TilesError::Chain`] for a chain
    /// that is not the checkpoint's and for a note that is not over its head; what the disk says. The note that is
    /// there stays then; tiles that no note covers nobody looks at.
    pub fn write(&self, disk: &Disk, shown: &ToShow<'_>, chain: impl Read) -> Result<u64, TilesError> {
        let body = shown.note.body();
        over_the_head(shown).map_err(ChainError::Asked)?;
        let old = self.shown(shown)?;
        disk.make_folder(self.path(), Readers::All).map_err(TilesError::Write)?;
        let lines = self.path().join(LINES);
        let out = disk.new_file(&lines, Readers::All, Existing::Replaced).map_err(TilesError::Write)?;
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let mut writing = Writing::new(disk, self, body, old.as_ref());
        let mut reader = under(shown.domain, shown.checkpoint).map_err(ChainError::Asked)?;
        let mut failed = Ok(());
        entries(chain, |json| {
            if failed.is_ok() {
                failed = writing.push(&mut reader, json, &mut out);
            }
            Ok(())
        })?;
        failed?;
        // Tiles are written before it shows that the chain is the checkpoint's: nobody looks at what no note covers.
        agreed(&reader.finish().map_err(ChainError::Chain)?)?;
        writing.finish()?;
        let Writing { written, index, .. } = writing;
        let out = out.into_inner().map_err(|error| unwritten(&lines, error.into_error()))?;
        published(&lines, out.publish())?;
        put(disk, self.path(), INDEX, &index)?;
        let checkpoint = format!("{}\n", shown.checkpoint.record().to_json());
        put(disk, self.path(), SIGNED, checkpoint.as_bytes())?;
        // One of the same size may have cosignatures.
        if old.as_ref().is_none_or(|old| old != body) {
            put(disk, self.path(), CHECKPOINT, shown.note.to_text().as_bytes())?;
        }
        Ok(written)
    }

    /// What the folder shows now.
    fn shown(&self, to_show: &ToShow<'_>) -> Result<Option<NoteBody>, TilesError> {
        let text = match self.file(CHECKPOINT) {
            Err(error) if error.is_missing() => return Ok(None),
            text => text?,
        };
        let path = || self.path().join(CHECKPOINT);
        let read = || -> Result<NoteBody, Error> {
            let note = Note::from_text(&String::from_utf8_lossy(&text))?;
            note.verify(to_show.key)?;
            Ok(note.body().clone())
        };
        let body = read().map_err(|error| TilesError::OtherLog { note: path(), error })?;
        let ours = to_show.note.body();
        if body.size > ours.size || (body.size == ours.size && body != *ours) {
            return Err(TilesError::Fork(path()));
        }
        Ok(Some(body))
    }
}

/// The note is the log's, and over the same head as the checkpoint.
fn over_the_head(shown: &ToShow<'_>) -> Result<(), Error> {
    let (body, checkpoint) = (shown.note.body(), shown.checkpoint.record());
    let head = checkpoint.tree_head();
    if body.origin.as_str() != checkpoint.origin() || (body.size, body.root) != (head.size, head.root) {
        return Err(EvidenceFault::Note.into());
    }
    shown.note.verify(shown.key)
}

/// The folder's files, as far as they are not there yet.
struct Writing<'a> {
    disk: &'a Disk,
    folder: &'a LogFolder,
    body: &'a NoteBody,
    old: Option<&'a NoteBody>,
    growth: TileGrowth,
    /// The leaves of the last bundle.
    leaves: Vec<String>,
    /// The bytes of the lines so far, and of how many of them each step of them begins behind.
    length: u64,
    index: Vec<u8>,
    written: u64,
}

impl<'a> Writing<'a> {
    fn new(disk: &'a Disk, folder: &'a LogFolder, body: &'a NoteBody, old: Option<&'a NoteBody>) -> Self {
        let (growth, leaves, index) = (TileGrowth::new(), Vec::new(), Vec::new());
        Self { disk, folder, body, old, growth, leaves, length: 0, index, written: 0 }
    }

    fn push(&mut self, reader: &mut ChainReader<'_>, json: &[u8], out: &mut dyn Write) -> Result<(), TilesError> {
        let entry = reader.push_json(json).map_err(ChainError::Chain)?;
        if self.growth.frontier().size() == self.body.size {
            return Ok(());
        }
        let line = entry.to_json_line();
        out.write_all(line.as_bytes()).map_err(|error| unwritten(&self.folder.path().join(LINES), error))?;
        if entry.seq().is_multiple_of(STEP) {
            self.index.extend_from_slice(&self.length.to_be_bytes());
        }
        self.length += line.len() as u64;
        self.leaves.push(entry.leaf());
        let mut full = Vec::new();
        self.growth.push(entry.leaf_hash(), |tile, hashes| full.push((*tile, hashes.to_vec())));
        for (tile, hashes) in full {
            self.put(&tile, &hashes)?;
            if tile.level == 0 {
                self.leaves.clear();
            }
        }
        self.still()
    }

    /// The old note is of this log, as it was then.
    fn still(&self) -> Result<(), TilesError> {
        let frontier = self.growth.frontier();
        match self.old.filter(|old| old.size == frontier.size()) {
            Some(old) if old.root != frontier.root() => Err(TilesError::Fork(self.folder.path().join(CHECKPOINT))),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), TilesError> {
        self.still()?;
        let partial: Vec<(Tile, Vec<TreeHash>)> =
            self.growth.partial().map(|(tile, hashes)| (tile, hashes.to_vec())).collect();
        partial.iter().try_for_each(|(tile, hashes)| self.put(tile, hashes))
    }

    fn put(&mut self, tile: &Tile, hashes: &[TreeHash]) -> Result<(), TilesError> {
        // What an earlier note covers was forced to the disk before that note was.
        let count = self.old.map_or(0, |old| old.size.checked_shr(8 * u32::from(tile.level)).unwrap_or_default());
        let end = tile.index * 256 + u64::from(tile.width);
        let is_forced = end <= count && (tile.width == 256 || end == count);
        let folder = self.folder.path();
        let mut files = vec![(tile.path(), Tile::encode(hashes))];
        if let Some(bundle) = EntryBundle::of(tile) {
            let malformed = |error| TilesError::Malformed { folder: folder.to_owned(), error };
            files.push((bundle.path(), EntryBundle::encode(&self.leaves).map_err(malformed)?));
        }
        let is_there = |(name, bytes): &(String, Vec<u8>)| self.folder.file(name).is_ok_and(|found| found == *bytes);
        if is_forced && files.iter().all(is_there) {
            return Ok(());
        }
        self.written += 1;
        files.iter().try_for_each(|(name, bytes)| put(self.disk, folder, name, bytes))
    }
}

fn put(disk: &Disk, folder: &Path, name: &str, bytes: &[u8]) -> Result<(), TilesError> {
    let path = &folder.join(name);
    // A link to a folder would lead out of this one.
    for within in path.ancestors().skip(1).take_while(|outer| *outer != folder) {
        disk.is_folder(within).map_err(TilesError::Write)?;
    }
    if let Some(parent) = path.parent() {
        disk.make_folder(parent, Readers::All).map_err(TilesError::Write)?;
    }
    published(
        path,
        disk.replace(path, Readers::All, |out| out.write_all(bytes).map_err(|error| disk::Error::writing(path, error))),
    )
}

fn published(path: &Path, done: Result<(), FileError<()>>) -> Result<(), TilesError> {
    done.map_err(|error| match error {
        FileError::Failed(error) => TilesError::Write(error),
        FileError::NotForced { error, .. } => TilesError::NotForced { path: path.to_owned(), error },
    })
}

fn unwritten(path: &Path, error: io::Error) -> TilesError {
    TilesError::Write(disk::Error::writing(path, error))
}
