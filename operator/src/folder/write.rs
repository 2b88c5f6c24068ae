//! Writing a change of the folder.

use super::error::FolderError;
use super::files::length;
use super::kept::Lengths;
use super::names::{
    self, CHAIN, CHECKPOINT, DECOYS, INDEX, INDEX_BYTES, LIST, LIST_BYTES, LONGEST_FILE, LONGEST_LINE, NO_RECORD,
    RECORDS, STATE, TREE,
};
use super::secrets::file_of;
use crate::disk::{Change, Lock, Readers};
use crate::step::{Changes, RingRow, SecretRow, StepError};
use dualseal::Entry;
use dualseal::error::Misuse;
use dualseal::krunica::KrunicaHash;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// Writes a change, and what its caller adds to it, or nothing of it. Gives the lengths of what was appended to.
pub(super) fn write(
    lock: &Lock,
    changes: &Changes,
    more: impl FnOnce(&mut Change<'_>) -> Result<(), FolderError>,
) -> Result<Lengths, FolderError> {
    let (disk, path) = (lock.disk(), lock.folder());
    let mut change = lock.change()?;
    // Under one lock several may have opened what was there.
    let there = disk.read(&path.join(STATE), LONGEST_FILE)?;
    if there.is_some_and(|there| !there.starts_with(changes.before.as_bytes())) {
        return Err(FolderError::Step(Misuse::StaleHead.into()));
    }
    let records = records(changes, length(disk, &path.join(RECORDS))?);
    let mut at = length(disk, &path.join(CHAIN))?;
    let (mut lines, mut places, mut nodes) = (String::new(), Vec::new(), Vec::new());
    for entry in &changes.entries {
        let line = entry.to_json_line();
        places.extend_from_slice(&at.to_be_bytes());
        let record = records.places.get(&entry.krunica_hash()).copied().unwrap_or(NO_RECORD);
        places.extend_from_slice(&record.to_be_bytes());
        at = at.saturating_add(line.len() as u64);
        lines.push_str(&line);
    }
    let longest = lines.lines().chain(records.lines.lines()).map(str::len).max().unwrap_or(0);
    if longest as u64 >= LONGEST_LINE {
        return Err(FolderError::Step(StepError::TooLong));
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
            RingRow::Identity(id, row) => change.put(&names::row(id), Readers::Owner, row.as_bytes())?,
            RingRow::Decoy(_, row) => {
                decoys.push_str(row);
                decoys.push('\n');
            }
        }
    }
    if !decoys.is_empty() {
        change.append(DECOYS, decoys_at, decoys.as_bytes())?;
    }
    let (mut listed, mut doomed, mut end) = (Vec::new(), Vec::new(), changes.secrets_before);
    let listed_at = end.size.saturating_mul(LIST_BYTES);
    for secret in &changes.secrets {
        end = secret.after(&end);
        for part in [secret.place().hash(), SecretRow::listed(secret.stored()), end.top] {
            listed.extend_from_slice(&part);
        }
        if secret.stored().len() as u64 > LONGEST_FILE {
            return Err(FolderError::Step(StepError::TooLong));
        }
        let name = file_of(&secret.place().hash());
        doomed.extend(disk.doomed_alone(&path.join(&name))?);
        change.file(&name, Readers::Owner, secret.stored())?;
    }
    if !listed.is_empty() {
        change.append(LIST, listed_at, &listed)?;
    }
    if let Some(checkpoint) = &changes.checkpoint {
        change.put(CHECKPOINT, Readers::All, format!("{}\n", checkpoint.to_json()).as_bytes())?;
    }
    let state = state_text(changes);
    if state.len() as u64 > LONGEST_FILE {
        return Err(FolderError::Step(StepError::TooLong));
    }
    change.put(STATE, Readers::Owner, state.as_bytes())?;
    more(&mut change)?;
    let more = |at: u64, lines: &str| at.saturating_add(lines.len() as u64);
    let lengths = Lengths { chain: at, records: more(records.at, &records.lines), decoys: more(decoys_at, &decoys) };
    change.commit()?;
    // It has happened, whatever the disk makes of this.
    for was in doomed {
        let _ = was.wipe();
    }
    Ok(lengths)
}

/// The text of the state as it stands in the folder.
pub(super) fn state_text(changes: &Changes) -> String {
    format!("{}\n{}\n", changes.state, changes.ring.seal)
}

/// The lines of new records, in the order of their entries, and where each begins.
struct Records {
    at: u64,
    lines: Zeroizing<String>,
    places: BTreeMap<KrunicaHash, u64>,
}

fn records(changes: &Changes, at: u64) -> Records {
    let signed = changes.records.iter().map(|record| (*record.krunica_hash(), Zeroizing::new(record.to_json())));
    let vaulted = changes.vault_records.iter().map(|record| (*record.krunica_hash(), record.to_stored_json()));
    let texts: BTreeMap<KrunicaHash, Zeroizing<String>> = signed.chain(vaulted).collect();
    // Room for all of them, so that no fragment moves and stays behind.
    let room = texts.values().map(|text| text.len().saturating_add(1)).sum();
    let (mut lines, mut places) = (Zeroizing::new(String::with_capacity(room)), BTreeMap::new());
    for handle in changes.entries.iter().map(Entry::krunica_hash) {
        if let Some(text) = texts.get(&handle) {
            places.insert(handle, at.saturating_add(lines.len() as u64));
            lines.push_str(text);
            lines.push('\n');
        }
    }
    Records { at, lines, places }
}
