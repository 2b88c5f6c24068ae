//! What was opened, and how a handle knows that nothing has changed since.

use super::end::last_entry;
use super::error::FolderError;
use super::files::{checkpoint, length, needed, state_and_ring, whole};
use super::names::{self, CHAIN, DECOYS, INDEX, INDEX_BYTES, LIST, LIST_BYTES, LONGEST_FILE, RECORDS, STATE, TREE};
use super::place::Place;
use super::read::TreeFile;
use super::secrets::check_recent;
use crate::disk::Disk;
use crate::opening::{Opened, Refused, Stored, check_growth, open as open_stored, open_without_mark};
use crate::step::State;
use dualseal::RingKey;
use std::path::Path;

/// What was opened, by the texts that it was read from.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) text: Vec<u8>,
    pub(super) lengths: Lengths,
    pub(super) mark_text: Vec<u8>,
    pub(super) opened: Opened,
}

/// How long the files are that are only appended to, and that no length of the log tells: behind what somebody else
/// wrote to one nothing is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    pub(super) chain: u64,
    pub(super) records: u64,
    pub(super) decoys: u64,
}

impl Lengths {
    fn found(disk: &Disk, path: &Path) -> Result<Self, FolderError> {
        // One that was lost would be made anew as others make their files, for everybody to read.
        let [chain, records, decoys] =
            [CHAIN, RECORDS, DECOYS].map(|name| needed(disk, &path.join(name)).map(|file| file.length()));
        Ok(Self { chain: chain?, records: records?, decoys: decoys? })
    }
}

/// Opens what is there, unless it is what is known.
pub(super) fn open(disk: &Disk, within: &Place, authority: &RingKey, known: Option<Kept>) -> Result<Kept, FolderError> {
    let path = within.path.as_path();
    let (text, lengths) = (whole(disk, &path.join(STATE))?, Lengths::found(disk, path)?);
    let mark_text = disk.read(&within.mark, LONGEST_FILE)?.ok_or(Refused::MarkMissing)?.to_vec();
    if let Some(known) = known {
        let same = known.text == *text && known.lengths == lengths && known.mark_text == mark_text;
        if same && other_length(disk, path, &known.opened.state)?.is_none() {
            return Ok(known);
        }
    }
    let stored = Stored { mark: Some(&mark_text), ..stored(disk, path, &text)? };
    let opened = open_stored(&within.domain, &within.origin, authority, stored)?;
    check_files(disk, path, &opened.state)?;
    check_growth::<_, FolderError>(&opened.state, opened.mark.tree_head(), &mut TreeFile::open(disk, path)?)?;
    Ok(Kept { text: text.to_vec(), lengths, mark_text, opened })
}

/// What is there but for the mark.
pub(super) fn open_without(disk: &Disk, within: &Place, authority: &RingKey) -> Result<State, FolderError> {
    let text = whole(disk, &within.path.join(STATE))?;
    let stored = stored(disk, &within.path, &text)?;
    let state = open_without_mark(&within.domain, &within.origin, authority, stored)?;
    check_files(disk, &within.path, &state)?;
    Ok(state)
}

fn stored<'t>(disk: &Disk, path: &Path, text: &'t [u8]) -> Result<Stored<'t>, FolderError> {
    let (state, ring) = state_and_ring(disk, path, text)?;
    let (end, checkpoint) = (last_entry(disk, path)?, checkpoint(disk, path)?);
    Ok(Stored { state, ring, end, checkpoint, mark: None })
}

/// Index and tree are of as many entries as the chain, and the secrets that were kept last are there.
fn check_files(disk: &Disk, path: &Path, state: &State) -> Result<(), FolderError> {
    match other_length(disk, path, state)? {
        Some(name) => Err(FolderError::Broken(path.join(name))),
        None => check_recent(disk, path, state.stored().secrets()),
    }
}

/// The first of the files that has not the length that the state tells.
fn other_length(disk: &Disk, path: &Path, state: &State) -> Result<Option<&'static str>, FolderError> {
    let (entries, secrets) = (state.head().size(), state.stored().secrets().size);
    let lengths = [
        (INDEX, entries.saturating_mul(INDEX_BYTES)),
        (TREE, names::nodes(entries).saturating_mul(32)),
        (LIST, secrets.saturating_mul(LIST_BYTES)),
    ];
    for (name, expected) in lengths {
        if length(disk, &path.join(name))? != expected {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
