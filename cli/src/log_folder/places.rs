//! Proofs from a log's folder, in a few reads whatever its size. Nothing in it is believed: what it gives leads to the
//! root that a checkpoint states, or is refused.

use super::{INDEX, LINES, LogFolder, SIGNED};
use crate::failure::{Failure, READ};
use crate::input::small;
use crate::output::{canonical, integer};
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::encoding::json::Value;
use dualseal::error::{CheckpointFault, Malformed, Problem, Rejected};
use dualseal::krunica::TreeHead;
use dualseal::tree::{NodeReader, TileError, Tiles, TreeHash, prove_growth, prove_leaf, root_of};
use dualseal::{Entry, Error, Head};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

/// The index has the place of every so many lines.
pub(crate) const STEP: u64 = 256;

/// What a line may have, as in every chain file: a folder without line ends takes no more memory than that.
const LONGEST: u64 = 16 << 20;

const AGAIN: &str = "write the folder again by `dualseal chain export --tiles`, or leave --tiles out: the chain itself \
                     is read then";

impl LogFolder {
    /// The places of entries under a checkpoint.
    pub(crate) fn places(&self, checkpoint: &Checkpoint, seqs: &[u64]) -> Result<Vec<PlaceProof>, Failure> {
        let head = checkpoint.tree_head();
        let mut tiles = Tiles::new(self.clone(), head.size);
        if root_of(&mut tiles, head.size).map_err(|error| self.unread(error))? != head.root {
            return Err(self.lies(CheckpointFault::TreeDisagrees { size: head.size }.into()));
        }
        seqs.iter().map(|seq| self.place(&mut tiles, checkpoint, *seq)).collect()
    }

    /// An entry below a checkpoint that may be an older one than the folder's, as its place proves it.
    pub(crate) fn entry_below(&self, checkpoint: &Checkpoint, seq: u64) -> Result<Entry, Failure> {
        Ok(self.place(&mut self.written()?, checkpoint, seq)?.entry().clone())
    }

    fn place(&self, tiles: &mut Tiles<Self>, checkpoint: &Checkpoint, seq: u64) -> Result<PlaceProof, Failure> {
        let path = prove_leaf(tiles, checkpoint.tree_head().size, seq).map_err(|error| self.unread(error))?;
        let path = path.ok_or_else(|| Failure::defect("an entry beyond the checkpoint is asked for"))?;
        PlaceProof::new(checkpoint.clone(), self.entry(seq)?, path).map_err(|error| self.lies(error))
    }

    /// The tiles that there are: how wide they are, the folder says itself, and of another width there are none.
    fn written(&self) -> Result<Tiles<Self>, Failure> {
        let written = Checkpoint::from_json(&small(&self.0.join(SIGNED)).map_err(|failure| failure.hint(AGAIN))?);
        Ok(Tiles::new(self.clone(), written.map_err(|error| self.lies(error))?.tree_head().size))
    }

    /// The proof that the tree of so many entries begins with the smaller one. Whether it does, the roots tell.
    pub(crate) fn growth(&self, before: u64, size: u64) -> Result<Vec<TreeHash>, Failure> {
        let path = prove_growth(&mut Tiles::new(self.clone(), size), before, size);
        path.map_err(|error| self.unread(error))?.ok_or_else(|| Failure::defect("a tree does not shrink"))
    }

    /// The head that a checkpoint signed, with the right edge of the tree.
    pub(crate) fn head(&self, signed: &TreeHead) -> Result<Head, Failure> {
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

    /// An entry, by the line that the index says. Whether it is the log's, its place tells.
    fn entry(&self, seq: u64) -> Result<Entry, Failure> {
        let line = self.line(seq)?;
        let read = || -> Result<Entry, Error> {
            let Value::Object(mut members) = Value::parse(&line)? else {
                return Err(Malformed::new("krunica", None, Problem::WrongType).into());
            };
            members.insert("seq".to_owned(), integer(seq));
            Entry::from_json(canonical(&Value::Object(members)).as_bytes())
        };
        read().map_err(|error| self.lies(error))
    }

    fn line(&self, seq: u64) -> Result<Vec<u8>, Failure> {
        let (index, lines) = (self.0.join(INDEX), self.0.join(LINES));
        let at = || {
            let mut file = File::open(&index)?;
            file.seek(SeekFrom::Start(seq / STEP * 8))?;
            let mut at = [0; 8];
            file.read_exact(&mut at)?;
            Ok(u64::from_be_bytes(at))
        };
        let at = at().map_err(|error| Failure::reading(&index, &error).hint(AGAIN))?;
        let line = || {
            let mut file = File::open(&lines)?;
            file.seek(SeekFrom::Start(at))?;
            let (mut reader, mut line) = (BufReader::new(file), Vec::new());
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
        line().map_err(|error| Failure::reading(&lines, &error).hint(AGAIN))
    }

    fn unread(&self, error: TileError<Failure>) -> Failure {
        match error {
            TileError::Read(failure) => failure.hint(AGAIN),
            TileError::Width(_) | TileError::None { .. } => {
                Failure::new(READ, format!("{} has not the tiles of such a tree", self.0.display()), AGAIN)
            }
        }
    }

    /// It is the folder that is wrong, be the checkpoint and the chain as good as ever.
    fn lies(&self, error: Error) -> Failure {
        let folder = self.0.display();
        let why = match &error {
            Error::Rejected(Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size })) => {
                format!("its tiles give another tree than the one over {size} entries that was signed")
            }
            Error::Rejected(_) => error.to_string(),
            _ => return Failure::from(error).about(folder).hint(AGAIN),
        };
        Failure::from(error).saying(format!("the folder {folder} does not fit the checkpoint: {why}")).hint(AGAIN)
    }
}
