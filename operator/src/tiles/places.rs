//! Proofs from a log's folder, in a few reads whatever its size. What it gives leads to the root that a checkpoint
//! states, or is refused.

use super::error::TilesError;
use super::folder::{INDEX, LINES, LogFolder, SIGNED};
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::error::CheckpointFault;
use dualseal::krunica::TreeHead;
use dualseal::tree::{NodeReader, TileError, Tiles, TreeHash, prove_growth, prove_leaf, root_of};
use dualseal::{Entry, Error, Head};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

/// The index has the place of every so many lines.
pub(super) const STEP: u64 = 256;

/// What a line may have, in bytes, as in every chain file: a folder without line ends takes no more memory than that.
const LONGEST: u64 = 16 << 20;

impl LogFolder {
    /// The places of entries under a checkpoint, which may be no older than the folder.
    ///
    /// # Errors
    /// [`TilesError::Read`], [`TilesError::Malformed`], [`TilesError::NoTiles`] and [`TilesError::Unfit`] for what is
    /// wrong with the folder; [`TilesError::Beyond`] for an entry that the checkpoint does not cover.
    pub fn places(&self, checkpoint: &Checkpoint, seqs: &[u64]) -> Result<Vec<PlaceProof>, TilesError> {
        let head = checkpoint.tree_head();
        let mut tiles = Tiles::new(self.clone(), head.size);
        if root_of(&mut tiles, head.size).map_err(|error| self.unread(error))? != head.root {
            return Err(self.lies(CheckpointFault::TreeDisagrees { size: head.size }.into()));
        }
        seqs.iter().map(|seq| self.place(&mut tiles, checkpoint, *seq)).collect()
    }

    /// An entry below a checkpoint that may be an older one than the folder's, as its place proves it.
    ///
    /// # Errors
    /// As [`places`](Self::places).
    pub fn entry_below(&self, checkpoint: &Checkpoint, seq: u64) -> Result<Entry, TilesError> {
        Ok(self.place(&mut self.written()?, checkpoint, seq)?.entry().clone())
    }

    /// The proof that the tree of so many entries begins with the smaller one. Whether it does, the roots tell.
    ///
    /// # Errors
    /// As [`places`](Self::places); [`TilesError::Beyond`] where the first size is the larger one.
    pub fn growth(&self, before: u64, size: u64) -> Result<Vec<TreeHash>, TilesError> {
        let path = prove_growth(&mut Tiles::new(self.clone(), size), before, size);
        path.map_err(|error| self.unread(error))?.ok_or(TilesError::Beyond)
    }

    /// The head that a checkpoint signed, with the right edge of the tree: reading a chain may begin there.
    ///
    /// # Errors
    /// As [`places`](Self::places).
    pub fn head(&self, signed: &TreeHead) -> Result<Head, TilesError> {
        let (mut tiles, size) = (self.written()?, signed.size);
        let subtrees = (0..64_u8).rev().filter(|level| size >> level & 1 == 1);
        let frontier = subtrees.map(|level| tiles.node(level, size >> level ^ 1)).collect::<Result<Vec<_>, _>>();
        let frontier = frontier.map_err(|error| self.unread(error))?;
        let head = Head::from_parts(size, signed.top, &frontier).map_err(|error| self.lies(error))?;
        if head.root() != signed.root {
            return Err(self.lies(CheckpointFault::TreeDisagrees { size }.into()));
        }
        Ok(head)
    }

    fn place(&self, tiles: &mut Tiles<Self>, checkpoint: &Checkpoint, seq: u64) -> Result<PlaceProof, TilesError> {
        let path = prove_leaf(tiles, checkpoint.tree_head().size, seq).map_err(|error| self.unread(error))?;
        let path = path.ok_or(TilesError::Beyond)?;
        PlaceProof::new(checkpoint.clone(), self.entry(seq)?, path).map_err(|error| self.lies(error))
    }

    /// The tiles that there are: how wide they are, the folder says itself, and of another width there are none.
    fn written(&self) -> Result<Tiles<Self>, TilesError> {
        let written = Checkpoint::from_json(&self.file(SIGNED)?).map_err(|error| self.lies(error))?;
        Ok(Tiles::new(self.clone(), written.tree_head().size))
    }

    /// An entry, by the line that the index says. Whether it is the log's, its place tells.
    fn entry(&self, seq: u64) -> Result<Entry, TilesError> {
        let line = self.line(seq)?;
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        Entry::from_json_line(line, seq).map_err(|error| self.lies(error))
    }

    fn line(&self, seq: u64) -> Result<Vec<u8>, TilesError> {
        let (mut index, mut lines) = (self.open(INDEX)?, self.lines()?);
        let mut at = || {
            index.seek(SeekFrom::Start(seq / STEP * 8))?;
            let mut at = [0; 8];
            index.read_exact(&mut at)?;
            Ok(u64::from_be_bytes(at))
        };
        let at = at().map_err(|error| TilesError::reading(&self.path().join(INDEX), error))?;
        let line = || {
            lines.seek(SeekFrom::Start(at))?;
            let (mut reader, mut line) = (BufReader::new(lines), Vec::new());
            for _ in 0..=seq % STEP {
                line.clear();
                let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
                if read == 0 {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                if read as u64 == LONGEST && !line.ends_with(b"\n") {
                    return Err(io::Error::new(ErrorKind::InvalidData, "a line of more than 16 MiB"));
                }
            }
            Ok(line)
        };
        line().map_err(|error| TilesError::reading(&self.path().join(LINES), error))
    }

    fn unread(&self, error: TileError<TilesError>) -> TilesError {
        match error {
            TileError::Read(error) => error,
            TileError::Width(_) | TileError::None { .. } => TilesError::NoTiles(self.path().to_owned()),
        }
    }

    /// It is the folder that is wrong.
    fn lies(&self, error: Error) -> TilesError {
        let folder = self.path().to_owned();
        match error {
            Error::Rejected(_) => TilesError::Unfit { folder, error },
            _ => TilesError::Malformed { folder, error },
        }
    }
}
