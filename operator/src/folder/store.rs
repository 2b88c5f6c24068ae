//! Reading what is in the folder, and writing a change of it.

use super::error::FolderError;
use super::names::{
    self, CHAIN, CHECKPOINT, DECOYS, INDEX, INDEX_BYTES, LONGEST, LONGEST_LINE, NOTHING, RECORDS, RING, STATE, TREE,
};
use super::place::Place;
use crate::disk::{Change, Disk, Lock, Readers};
use crate::opening::{Opened, Refused, Stored, open as open_stored, open_without_mark};
use crate::step::{Changes, RingRow, SecretRow, State, StepError};
use dualseal::checkpoint::{Checkpoint, HighWaterMark};
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use dualseal::key::RingFile;
use dualseal::krunica::{JsonLines, KrunicaHash};
use dualseal::{Entry, RingKey};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// What was opened, by the texts that it was read from.
#[derive(Debug)]
pub(super) struct Kept {
    text: Vec<u8>,
    lengths: Lengths,
    pub(super) mark_text: Option<Vec<u8>>,
    pub(super) state: State,
    pub(super) mark: Option<HighWaterMark>,
}

/// How long the files are that are only appended to, and that no length of the log tells: behind what somebody else
/// wrote to one nothing is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    chain: u64,
    records: u64,
    decoys: u64,
}

impl Lengths {
    pub(super) fn found(disk: &Disk, path: &Path) -> Result<Self, FolderError> {
        let [chain, records, decoys] = [CHAIN, RECORDS, DECOYS].map(|name| length(disk, &path.join(name)));
        Ok(Self { chain: chain?, records: records?, decoys: decoys? })
    }
}

impl Kept {
    pub(super) fn new(
        text: &str,
        lengths: Lengths,
        mark_text: Option<Vec<u8>>,
        Opened { state, mark }: Opened,
    ) -> Self {
        Self { text: text.as_bytes().to_vec(), lengths, mark_text, state, mark }
    }
}

/// Opens what is there, unless it is what is known.
pub(super) fn open(disk: &Disk, within: &Place, authority: &RingKey, known: Option<Kept>) -> Result<Kept, FolderError> {
    let path = within.path.as_path();
    let text = needed(disk, &path.join(STATE))?;
    let mark_text = disk.read(&within.mark, LONGEST)?;
    if let Some(known) = known {
        let same_mark = known.mark_text.as_deref() == mark_text.as_deref().map(Vec::as_slice);
        let same = known.text == *text && known.lengths == Lengths::found(disk, path)?;
        if same && same_mark && lengths_hold(disk, path, known.state.head().size())? {
            return Ok(known);
        }
    }
    let lengths = Lengths::found(disk, path)?;
    let mark = mark_text.as_deref().map(Vec::as_slice);
    let Opened { state, mark } = opened(disk, within, &text, |stored| {
        let stored = Stored { mark, ..stored };
        open_stored(&within.domain, &within.origin, authority, stored)
    })?;
    let mark_text = mark_text.map(|text| text.to_vec());
    Ok(Kept { text: text.to_vec(), lengths, mark_text, state, mark })
}

/// What is there but for the mark.
pub(super) fn open_without(disk: &Disk, within: &Place, authority: &RingKey) -> Result<State, FolderError> {
    let text = needed(disk, &within.path.join(STATE))?;
    let open = |stored: Stored<'_>| {
        let state = open_without_mark(&within.domain, &within.origin, authority, stored)?;
        Ok(Opened { state, mark: None })
    };
    Ok(opened(disk, within, &text, open)?.state)
}

fn opened(
    disk: &Disk,
    within: &Place,
    text: &[u8],
    open: impl FnOnce(Stored<'_>) -> Result<Opened, Refused>,
) -> Result<Opened, FolderError> {
    let path = within.path.as_path();
    let (state, seal) = two_lines(text).ok_or_else(|| FolderError::Broken(path.join(STATE)))?;
    let ring = RingFile::from_rows(seal, rows(disk, path)?).map_err(Refused::RingUnreadable)?;
    let checkpoint = checkpoint(disk, path)?;
    let opened = open(Stored { state, ring, end: last_entry(disk, path)?, checkpoint, mark: None })?;
    if !lengths_hold(disk, path, opened.state.head().size())? {
        return Err(FolderError::Broken(path.join(TREE)));
    }
    Ok(opened)
}

/// The checkpoint that is there.
pub(super) fn checkpoint(disk: &Disk, path: &Path) -> Result<Option<Checkpoint>, FolderError> {
    let text = disk.read(&path.join(CHECKPOINT), LONGEST)?;
    let checkpoint = text.map(|text| Checkpoint::from_json(&text)).transpose();
    checkpoint.map_err(|_| FolderError::Broken(path.join(CHECKPOINT)))
}

/// The state, and what seals the ring.
pub(super) fn two_lines(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut lines = text.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
    let lines = (lines.next()?, lines.next()?, lines.next());
    lines.2.is_none().then_some((lines.0, lines.1))
}

/// Whether index and tree are of so many entries.
fn lengths_hold(disk: &Disk, path: &Path, entries: u64) -> Result<bool, FolderError> {
    let length = |name| Ok::<_, FolderError>(disk.open(&path.join(name))?.map_or(0, |file| file.length()));
    Ok(length(INDEX)? == entries.saturating_mul(INDEX_BYTES)
        && length(TREE)? == names::nodes(entries).saturating_mul(32))
}

/// The rows of the ring, decoys included.
pub(super) fn rows(disk: &Disk, path: &Path) -> Result<Vec<Vec<u8>>, FolderError> {
    let (folder, mut rows) = (path.join(RING), Vec::new());
    let unread = |error| FolderError::Disk(crate::disk::Error::reading(&folder, error));
    if folder.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        for row in std::fs::read_dir(&folder).map_err(unread)? {
            let row = row.map_err(unread)?.path();
            rows.push(needed(disk, &row)?.to_vec());
        }
    }
    let decoys = path.join(DECOYS);
    if let Some(mut file) = disk.open(&decoys)? {
        let broken = || FolderError::Broken(decoys.clone());
        let (mut lines, mut part) = (JsonLines::new(), vec![0; 1 << 16]);
        let mut push = |line: &[u8]| {
            rows.push(line.to_vec());
            Ok(())
        };
        loop {
            let read = file.read(&mut part).map_err(|error| crate::disk::Error::reading(&decoys, error))?;
            let Some(part) = part.get(..read).filter(|part| !part.is_empty()) else { break };
            lines.push(part, &mut push).map_err(|_| broken())?;
        }
        lines.finish().map_err(|_| broken())?;
    }
    Ok(rows)
}

/// The last line of the chain, which begins where the index says and ends with the file.
fn last_entry(disk: &Disk, path: &Path) -> Result<Option<Entry>, FolderError> {
    let (chain, index) = (path.join(CHAIN), path.join(INDEX));
    let Some(mut places) = disk.open(&index)? else { return Ok(None) };
    let Some(entries) = places.length().checked_div(INDEX_BYTES).filter(|entries| *entries > 0) else {
        return Ok(None);
    };
    let Some(mut file) = disk.open(&chain)? else { return Err(FolderError::Missing(chain)) };
    let (place, _) = place(&mut places, entries - 1, &index)?;
    let length = file.length().checked_sub(place).filter(|length| (1..=LONGEST_LINE).contains(length));
    let Some(length) = length else { return Err(Refused::ChainCut { found: entries - 1, expected: entries }.into()) };
    let mut line = vec![0; usize::try_from(length).map_err(|_| FolderError::Broken(chain.clone()))?];
    let read = file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut line));
    read.map_err(|error| crate::disk::Error::reading(&chain, error))?;
    entry(&line, entries - 1).map(Some).ok_or(FolderError::Broken(chain))
}

/// Where the line of an entry begins, and that of its record.
pub(super) fn place(places: &mut (impl Read + Seek), seq: u64, index: &Path) -> Result<(u64, u64), FolderError> {
    let (mut line, mut record) = ([0; 8], [0; 8]);
    let found = places.seek(SeekFrom::Start(seq.saturating_mul(INDEX_BYTES)));
    let read = found.and_then(|_| places.read_exact(&mut line)).and_then(|()| places.read_exact(&mut record));
    read.map_err(|error| crate::disk::Error::reading(index, error))?;
    Ok((u64::from_be_bytes(line), u64::from_be_bytes(record)))
}

/// One line, whole, as the entry at a position.
pub(super) fn entry(line: &[u8], seq: u64) -> Option<Entry> {
    let line = line.strip_suffix(b"\n").filter(|line| !line.contains(&b'\n'))?;
    Entry::from_json_line(line, seq).ok()
}

fn needed(disk: &Disk, path: &Path) -> Result<Zeroizing<Vec<u8>>, FolderError> {
    disk.read(path, LONGEST)?.ok_or_else(|| FolderError::Missing(path.to_owned()))
}

/// Writes a change, and what its caller adds to it, or nothing of it. Gives the lengths of what was appended to.
pub(super) fn write(
    lock: &Lock,
    changes: &Changes,
    more: impl FnOnce(&mut Change<'_>) -> Result<(), FolderError>,
) -> Result<Lengths, FolderError> {
    let (disk, path) = (lock.disk(), lock.folder());
    let mut change = lock.change()?;
    let records = records(changes, length(disk, &path.join(RECORDS))?);
    let mut at = length(disk, &path.join(CHAIN))?;
    let (mut lines, mut places, mut nodes) = (String::new(), Vec::new(), Vec::new());
    for entry in &changes.entries {
        let line = entry.to_json_line();
        places.extend_from_slice(&at.to_be_bytes());
        let record = records.places.get(&entry.krunica_hash()).copied().unwrap_or(NOTHING);
        places.extend_from_slice(&record.to_be_bytes());
        at = at.saturating_add(line.len() as u64);
        lines.push_str(&line);
    }
    let longest = lines.lines().chain(records.lines.lines()).map(str::len).max().unwrap_or(0);
    if longest as u64 >= LONGEST_LINE {
        return Err(FolderError::Step(StepError::Long));
    }
    changes.nodes.iter().for_each(|node| nodes.extend_from_slice(node.hash.as_bytes()));
    let before = changes.expected.size();
    if !changes.entries.is_empty() || before == 0 {
        change.append(CHAIN, at.saturating_sub(lines.len() as u64), lines.as_bytes())?;
        change.append(INDEX, before.saturating_mul(INDEX_BYTES), &places)?;
        change.append(TREE, names::nodes(before).saturating_mul(32), &nodes)?;
    }
    if !records.lines.is_empty() {
        change.append(RECORDS, records.at, records.lines.as_bytes())?;
    }
    let (mut decoys, decoys_at) = (String::new(), length(disk, &path.join(DECOYS))?);
    for row in &changes.ring.rows {
        match row {
            RingRow::Identity(id, row) => change.file(&names::row(id), Readers::Owner, row.as_bytes())?,
            RingRow::Decoy(_, row) => {
                decoys.push_str(row);
                decoys.push('\n');
            }
        }
    }
    if !decoys.is_empty() {
        change.append(DECOYS, decoys_at, decoys.as_bytes())?;
    }
    for secret in &changes.secrets {
        change.file(&secret_name(secret), Readers::Owner, &secret.stored)?;
    }
    if let Some(checkpoint) = &changes.checkpoint {
        change.file(CHECKPOINT, Readers::All, format!("{}\n", checkpoint.to_json()).as_bytes())?;
    }
    change.file(STATE, Readers::Owner, state_text(changes).as_bytes())?;
    more(&mut change)?;
    let more = |at: u64, lines: &str| at.saturating_add(lines.len() as u64);
    let lengths = Lengths { chain: at, records: more(records.at, &records.lines), decoys: more(decoys_at, &decoys) };
    change.commit()?;
    Ok(lengths)
}

/// The text of the state as it stands in the folder.
pub(super) fn state_text(changes: &Changes) -> String {
    format!("{}\n{}\n", changes.state, changes.ring.seal)
}

/// The lines of new records, and where each begins by the handle of its entry.
struct Records {
    at: u64,
    lines: Zeroizing<String>,
    places: BTreeMap<KrunicaHash, u64>,
}

fn records(changes: &Changes, at: u64) -> Records {
    let mut records = Records { at, lines: Zeroizing::new(String::new()), places: BTreeMap::new() };
    let mut add = |handle: &KrunicaHash, text: &str| {
        records.places.insert(*handle, at.saturating_add(records.lines.len() as u64));
        records.lines.push_str(text);
        records.lines.push('\n');
    };
    changes.records.iter().for_each(|record| add(record.krunica_hash(), &record.to_json()));
    changes.vault_records.iter().for_each(|record| add(record.krunica_hash(), &record.to_stored_json()));
    records
}

fn length(disk: &Disk, path: &Path) -> Result<u64, FolderError> {
    Ok(disk.open(path)?.map_or(0, |file| file.length()))
}

/// The file of a secret at rest.
fn secret_name(secret: &SecretRow) -> String {
    let mut named = Vec::new();
    for part in [&secret.table, &secret.row, &secret.purpose] {
        named.extend_from_slice(&(part.len() as u64).to_be_bytes());
        named.extend_from_slice(part.as_bytes());
    }
    format!("{}/{}", names::SECRETS, hex::encode(&Sha3_256::digest(&named)))
}
