//! Chain files: those of the operator's `chain`, by their paths.

pub(crate) use dualseal_operator::chain::under;

use crate::failure::Failure;
use crate::input;
use crate::store::{self, Spool};
use dualseal::checkpoint::{AgreedChain, Checkpoint};
use dualseal::krunica::{Ignored, IgnoredReason};
use dualseal::reader::{ChainReader, Proofs, StatedRing, Watched};
use dualseal::{Domain, Error, Verified};
use dualseal_operator::chain::{self, ChainError};
use dualseal_operator::paths::Show;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Hands the entries of a chain over, several at a time.
pub(crate) type Entries<'e> = &'e dyn Fn(&mut dyn FnMut(&[&[u8]]) -> Result<(), Error>) -> Result<(), Failure>;

/// Hands each entry of a chain file to `each`, as JSON text without `seq`.
pub(crate) fn entries(path: &Path, each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure> {
    chain::entries(input::reader(path)?, each).map_err(of(path))
}

/// As [`entries`], for the last of them in a file of lines, which is read from its end.
pub(crate) fn last_entries(
    path: &Path,
    count: u64,
    each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    entries_within(path, u64::MAX, Some(count), each)
}

/// As [`entries`], in the first bytes of a file of lines, whatever is appended to it: all of them, or the last ones.
pub(crate) fn entries_within(
    path: &Path,
    bytes: u64,
    last: Option<u64>,
    each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| Failure::reading(path, &error))?;
    chain::entries_within(file, bytes, last, each).map_err(of(path))
}

/// Reads a chain to its end, past whatever is watched for.
pub(crate) fn read(path: &Path, reader: ChainReader<'_>) -> Result<Proofs, Failure> {
    chain::read(input::reader(path)?, reader).map_err(of(path))
}

/// The same for one proof.
pub(crate) fn read_for<'a, T: 'static>(
    path: &Path,
    reader: ChainReader<'a>,
    watch: impl FnOnce(&mut ChainReader<'a>) -> Result<Watched<T>, Error>,
) -> Result<T, Failure> {
    chain::read_for(input::reader(path)?, reader, watch).map_err(of(path))
}

/// A chain that agrees with a checkpoint.
pub(crate) fn agree(domain: &Domain, path: &Path, checkpoint: &Verified<Checkpoint>) -> Result<AgreedChain, Failure> {
    chain::agree(domain, input::reader(path)?, checkpoint).map_err(of(path))
}

/// The same for a stranger, who has no ring key: some entry states the ring that the checkpoint states.
pub(crate) fn agree_stating(
    domain: &Domain,
    path: &Path,
    checkpoint: &Verified<Checkpoint>,
) -> Result<(AgreedChain, StatedRing), Failure> {
    chain::agree_stating(domain, input::reader(path)?, checkpoint).map_err(of(path))
}

/// The ring that a checkpoint states, where its chain has it.
pub(crate) fn stated(proofs: &mut Proofs, watched: Watched<StatedRing>) -> Result<StatedRing, Failure> {
    Ok(chain::stated(proofs, watched)?)
}

/// A chain that is read more than once: what a pipe gives once is kept for as long as that, in a file without a name.
pub(crate) struct Kept {
    path: PathBuf,
    spool: Option<Spool>,
}

impl Kept {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        if !input::is_stream(&path) {
            return Ok(Self { path, spool: None });
        }
        let folder = std::env::temp_dir();
        let mut spool = store::disk().spool(&folder)?;
        input::document(&path, |part| spool.write_all(part).map_err(|error| Failure::writing(&folder, &error)))?;
        Ok(Self { path, spool: Some(spool) })
    }

    /// Reads it from its beginning.
    pub(crate) fn read<T>(&mut self, read: impl FnOnce(&mut dyn Read) -> Result<T, ChainError>) -> Result<T, Failure> {
        let found = match &mut self.spool {
            Some(spool) => {
                spool.rewind().map_err(|error| Failure::reading(&self.path, &error))?;
                read(spool)
            }
            None => read(&mut *input::reader(&self.path)?),
        };
        found.map_err(of(&self.path))
    }
}

/// Says which file it is about.
pub(crate) fn of(path: &Path) -> impl Fn(ChainError) -> Failure {
    move |error| match error {
        ChainError::Read(error) => Failure::reading(path, &error),
        ChainError::Chain(error) => Failure::from(error).about(path.shown()),
        error => error.into(),
    }
}

/// What a stranger is told of entries that may be later changes of a ring.
pub(crate) fn unverified_changes(entries: &Ignored) -> Option<String> {
    let mut changes = entries.entries().iter().filter(|entry| entry.reason == IgnoredReason::Unverified);
    let first = changes.next()?.seq;
    let which = match changes.count() as u64 + entries.more() {
        0 => format!("entry {first} has"),
        more => format!("entry {first} and {more} more have"),
    };
    Some(format!(
        "unverified changes after the ring that the checkpoint states: {which} the form of one, and only the log's \
         operator can tell whether keys were changed there"
    ))
}
