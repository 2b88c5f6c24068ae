//! Where the chain in a folder ends, and how many entries are there where it does not.

use super::error::FolderError;
use super::files::{entry, length, needed, place};
use super::names::{self, CHAIN, INDEX, INDEX_BYTES, LONGEST_LINE, TREE};
use crate::disk::{Disk, Error, Readable};
use crate::opening::Refused;
use dualseal::Entry;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The last line of the chain, which begins where the index says and ends with the file.
pub(super) fn last_entry(disk: &Disk, path: &Path) -> Result<Option<Entry>, FolderError> {
    let (chain, index) = (path.join(CHAIN), path.join(INDEX));
    let Some(mut places) = disk.open(&index)? else { return Ok(None) };
    let Some(entries) = places.length().checked_div(INDEX_BYTES).filter(|entries| *entries > 0) else {
        return Ok(None);
    };
    let mut file = needed(disk, &chain)?;
    let begins = |places: &mut Readable, entry| Ok::<_, FolderError>(place(places, entry, &index)?.0);
    let begin = begins(&mut places, entries - 1)?;
    if file.length() <= begin {
        return Err(Refused::ChainCut {
            found: whole_lines(&mut places, entries, file.length(), begins)?,
            expected: entries,
        }
        .into());
    }
    let failed = |error| FolderError::Disk(Error::reading(&chain, error));
    file.seek(SeekFrom::Start(begin)).map_err(failed)?;
    let (mut line, mut part, mut lines) = (Vec::new(), vec![0; 1 << 16], 0_u64);
    loop {
        let read = file.read(&mut part).map_err(failed)?;
        let Some(part) = part.get(..read).filter(|part| !part.is_empty()) else { break };
        lines = lines.saturating_add((part.split(|byte| *byte == b'\n').count() - 1) as u64);
        // What is too long for an entry is counted, and not kept.
        if line.len() as u64 <= LONGEST_LINE {
            line.extend_from_slice(part);
        }
    }
    match lines {
        0 => Err(Refused::ChainCut { found: entries - 1, expected: entries }.into()),
        1 => entry(&line, entries - 1).map(Some).ok_or(FolderError::Broken(chain)),
        // The index alone may have been cut.
        _ if length(disk, &path.join(TREE))? != names::nodes(entries).saturating_mul(32) => {
            Err(FolderError::Broken(index))
        }
        _ => Err(Refused::ChainLonger { found: (entries - 1).saturating_add(lines), expected: entries }.into()),
    }
}

/// How many of the first entries are wholly in a chain of so many bytes.
fn whole_lines(
    places: &mut Readable,
    entries: u64,
    bytes: u64,
    begin: impl Fn(&mut Readable, u64) -> Result<u64, FolderError>,
) -> Result<u64, FolderError> {
    // The end of each is where the next one begins.
    let (mut whole, mut not) = (0, entries);
    while not - whole > 1 {
        let middle = whole + (not - whole) / 2;
        if begin(places, middle)? <= bytes { whole = middle } else { not = middle }
    }
    Ok(whole)
}
