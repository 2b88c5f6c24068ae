//! Who follows a log: goes on from where he saw it last, looks at every entry and tile since, and cosigns the log's
//! note where it only grew.

#[cfg(test)]
mod tests;

use crate::ed25519::Ed25519SigningKey;
use crate::encoding::time::Timestamp;
use crate::error::{ChainFault, ChainProblem, Error, NoteFault};
use crate::krunica::{Checker, Entry, Head, Portion};
use crate::note::{Note, NoteKey, NoteName, NoteSignature};
use crate::tree::{EntryBundle, Tile, TileError, TileGrowth, TileReader, TreeHash};
use alloc::vec::Vec;
use core::fmt;

/// Where a log's tiles and the bundles of its leaves are read.
pub trait LogReader: TileReader {
    /// Reads the bytes of a bundle. A store that has a wider one gives as many leaves as this one has.
    ///
    /// # Errors
    /// The store's own.
    fn entries(&mut self, bundle: &EntryBundle) -> Result<Vec<u8>, Self::Error>;
}

/// What is wrong with a log that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowError<E> {
    /// Something of it cannot be read.
    Read(E),
    /// It is not what it was, or does not agree with itself: it is not cosigned.
    Log(Error),
}

impl<E, F: Into<Error>> From<F> for FollowError<E> {
    fn from(error: F) -> Self {
        Self::Log(error.into())
    }
}

impl<E: fmt::Display> fmt::Display for FollowError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Log(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for FollowError<E> {}

/// One reading of a log, from the head that a witness kept to the note that the log shows him now.
///
/// The head is the witness's own and trusted; the note, the entries and the tiles are the log's. The order is that of
/// the methods: [`begin`](Self::begin), [`push_json`](Self::push_json) for each entry from the head on,
/// [`finish`](Self::finish).
#[derive(Clone, Debug)]
pub struct Following<R> {
    reader: R,
    note: Note,
    from: u64,
    checker: Checker,
    growth: TileGrowth,
    /// After a fault nothing more is taken or shown: the tile at fault would not be asked for again.
    broken: bool,
}

impl<R: LogReader> Following<R> {
    /// Takes what a log shows to whoever saw it last at `head`; at [`Head::EMPTY`] for the first time.
    ///
    /// # Errors
    /// As [`Note::verify`]. [`NoteFault::Shrunk`]; [`NoteFault::Fork`] for another root at the same size, and where the
    /// tiles have another tree up to the head.
    pub fn begin(reader: R, head: &Head, note: Note, log: &NoteKey) -> Result<Self, FollowError<R::Error>> {
        let mut reader = reader;
        note.verify(log)?;
        let (seen, found) = (head.size(), note.body().size);
        if found < seen {
            return Err(NoteFault::Shrunk { seen, found }.into());
        }
        if found == seen && note.body().root != head.root() {
            return Err(NoteFault::Fork.into());
        }
        let growth = TileGrowth::resume(&mut reader, seen).map_err(of_tiles)?;
        if growth.frontier() != head.frontier() {
            return Err(NoteFault::Fork.into());
        }
        Ok(Self { reader, note, from: seen, checker: Checker::resume(head.clone()), growth, broken: false })
    }

    /// Looks at the next entry as JSON text, without `seq`, as it stands on a line. False for one beyond the note,
    /// which is not looked at.
    ///
    /// # Errors
    /// As [`Checker::push_json`], but [`NoteFault::Fork`] where the first one does not name the entry that was seen
    /// last; [`NoteFault::Tile`] where a tile or bundle is not what the entries make. After an error, and be it one of
    /// reading, [`NoteFault::Incomplete`]: whoever goes on begins anew.
    pub fn push_json(&mut self, text: &[u8]) -> Result<bool, FollowError<R::Error>> {
        self.goes_on()?;
        let pushed = self.next(text);
        self.remember(pushed)
    }

    /// As [`push_json`](Self::push_json) each of these, in their order. With the feature `simd` several are hashed in
    /// the time of one, where the processor can; so some are read before the first of them is looked at. False where
    /// one is beyond the note.
    ///
    /// # Errors
    /// As [`push_json`](Self::push_json), of the first that has a fault.
    pub fn push_json_all<'t>(
        &mut self,
        texts: impl IntoIterator<Item = &'t [u8]>,
    ) -> Result<bool, FollowError<R::Error>> {
        self.goes_on()?;
        let pushed = self.next_all(texts);
        self.remember(pushed)
    }

    /// What was seen, where it reaches the note and all agrees. The caller writes its head down before he cosigns.
    ///
    /// # Errors
    /// [`NoteFault::Incomplete`]; [`NoteFault::Chain`]; [`NoteFault::Tile`].
    pub fn finish(mut self) -> Result<Followed, FollowError<R::Error>> {
        self.goes_on()?;
        let (needed, found) = (self.note.body().size, self.growth.frontier().size());
        if found < needed {
            return Err(NoteFault::Incomplete { needed, found }.into());
        }
        let head = self.checker.head();
        if head.root() != self.note.body().root {
            return Err(NoteFault::Chain.into());
        }
        for (tile, hashes) in self.growth.partial() {
            hold(&mut self.reader, &tile, hashes)?;
        }
        Ok(Followed { head: head.clone(), note: self.note })
    }

    fn goes_on(&self) -> Result<(), FollowError<R::Error>> {
        let (needed, found) = (self.note.body().size, self.growth.frontier().size());
        if self.broken { Err(NoteFault::Incomplete { needed, found }.into()) } else { Ok(()) }
    }

    fn remember(&mut self, pushed: Result<bool, FollowError<R::Error>>) -> Result<bool, FollowError<R::Error>> {
        self.broken = pushed.is_err();
        pushed
    }

    fn next(&mut self, text: &[u8]) -> Result<bool, FollowError<R::Error>> {
        let size = self.growth.frontier().size();
        if size >= self.note.body().size {
            return Ok(false);
        }
        let entry = self.checker.push_json(text).map_err(|fault| self.fault(fault))?;
        self.follow(&entry)?;
        Ok(true)
    }

    fn next_all<'t>(&mut self, texts: impl IntoIterator<Item = &'t [u8]>) -> Result<bool, FollowError<R::Error>> {
        let mut portion = Portion::default();
        for text in texts {
            let size = self.growth.frontier().size();
            if size.saturating_add(portion.count()) >= self.note.body().size {
                self.follow_all(&mut portion)?;
                return Ok(false);
            }
            let is_read = portion.read(size, text);
            if !is_read || portion.is_full() {
                self.follow_all(&mut portion)?;
            }
            if !is_read {
                self.next(text)?;
            }
        }
        self.follow_all(&mut portion)?;
        Ok(true)
    }

    fn follow_all(&mut self, portion: &mut Portion) -> Result<(), FollowError<R::Error>> {
        for (entry, hash_holds) in portion.take() {
            self.checker.push_hashed(&entry, hash_holds).map_err(|fault| self.fault(fault))?;
            self.follow(&entry)?;
        }
        Ok(())
    }

    /// What is wrong with the next entry.
    fn fault(&self, fault: ChainFault) -> Error {
        let goes_on = self.from > 0 && self.growth.frontier().size() == self.from;
        if goes_on && fault.problem == ChainProblem::Prev { NoteFault::Fork.into() } else { fault.into() }
    }

    /// Holds what an entry completes against what the log shows.
    fn follow(&mut self, entry: &Entry) -> Result<(), FollowError<R::Error>> {
        let mut full = Vec::new();
        self.growth.push(entry.leaf_hash(), |tile, hashes| full.push((*tile, hashes.to_vec())));
        for (tile, hashes) in full {
            hold(&mut self.reader, &tile, &hashes)?;
        }
        Ok(())
    }
}

/// A log's note that goes on from what a witness saw, with what he has to keep of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    head: Head,
    note: Note,
}

impl Followed {
    /// Where the log ends now: what to go on from the next time.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The note as the log showed it.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// The cosignature. Whoever has not kept the [`head`](Self::head) by now cosigns a fork the next time.
    ///
    /// # Errors
    /// As [`NoteSignature::cosign`].
    pub fn cosign(&self, name: &NoteName, key: &Ed25519SigningKey, time: Timestamp) -> Result<NoteSignature, Error> {
        NoteSignature::cosign(self.note.body(), name, key, time)
    }
}

/// Holds a tile, and the bundle beside one of leaves, against the hashes that the entries make.
fn hold<R: LogReader>(reader: &mut R, tile: &Tile, hashes: &[TreeHash]) -> Result<(), FollowError<R::Error>> {
    if reader.tile(tile).map_err(FollowError::Read)? != hashes {
        return Err(NoteFault::Tile { path: tile.path() }.into());
    }
    let Some(bundle) = EntryBundle::of(tile) else { return Ok(()) };
    let bytes = reader.entries(&bundle).map_err(FollowError::Read)?;
    let leaves = bundle.decode(&bytes)?;
    if leaves.into_iter().map(TreeHash::of_leaf).eq(hashes.iter().copied()) {
        Ok(())
    } else {
        Err(NoteFault::Tile { path: bundle.path() }.into())
    }
}

fn of_tiles<E>(error: TileError<E>) -> FollowError<E> {
    match error {
        TileError::Read(error) => FollowError::Read(error),
        TileError::Width(tile) => NoteFault::Tile { path: tile.path() }.into(),
        TileError::None { .. } => NoteFault::Fork.into(),
    }
}
