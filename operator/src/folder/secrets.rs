//! Secrets at rest against their list, whose end the state has.

use super::error::FolderError;
use super::files::needed;
use super::names::{LIST, LIST_BYTES, LONGEST_FILE, SECRETS};
use crate::disk::{Disk, Error};
use crate::opening::Refused;
use crate::step::SecretRow;
use dualseal::encoding::hex;
use dualseal::store::SecretsEnd;
use std::collections::BTreeMap;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// So many rows from the end are looked at whenever the folder is opened, and read at once where a secret is: what that
/// costs does not grow with the number of secrets. An audit looks at all of them.
const RECENT: u64 = 64;

/// Of each place, by its hash, what the list has of the bytes that were kept there last.
type Listed = BTreeMap<[u8; 32], [u8; 32]>;

/// The stored bytes of a secret.
type Bytes = Zeroizing<Vec<u8>>;

/// The file of a secret at rest, by the hash of its place.
pub(super) fn file_of(place: &[u8; 32]) -> String {
    format!("{SECRETS}/{}", hex::encode(place))
}

/// The secrets that were kept last are there, as they were kept.
pub(super) fn check_recent(disk: &Disk, path: &Path, end: &SecretsEnd) -> Result<(), FolderError> {
    check_from(disk, path, end, end.size.saturating_sub(RECENT)).map(drop)
}

/// All of them are, and no others; gives how many there are.
pub(super) fn check_all(disk: &Disk, path: &Path, end: &SecretsEnd) -> Result<u64, FolderError> {
    let all = check_from(disk, path, end, 0)?;
    let folder = path.join(SECRETS);
    let there = if disk.is_folder(&folder)? { disk.names(&folder)? } else { Vec::new() };
    for file in there {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if hex::decode(SECRETS, &name).is_ok_and(|place| !all.contains_key(&place)) {
            return Err(Refused::SecretOther { name: format!("{SECRETS}/{name}") }.into());
        }
    }
    Ok(all.values().filter(|listed| **listed != [0; 32]).count() as u64)
}

/// The list from its end on backwards, as far as it was read: each row comes of the top of the one before it, and the
/// state has the top of the last. Whoever asks for all secrets reads the list once.
#[derive(Debug)]
pub(super) struct FromEnd {
    /// Where what was not read ends.
    rest: SecretsEnd,
    listed: Listed,
}

impl FromEnd {
    pub(super) fn new(end: &SecretsEnd) -> Self {
        Self { rest: *end, listed: Listed::new() }
    }

    /// What stands in a place, if it is what was kept there last: nothing, where nothing was.
    pub(super) fn secret(&mut self, disk: &Disk, path: &Path, place: &[u8; 32]) -> Result<Option<Bytes>, FolderError> {
        while !self.listed.contains_key(place) && self.rest.size > 0 {
            self.read_on(disk, &path.join(LIST))?;
        }
        let listed = self.listed.get(place).copied().unwrap_or(SecretRow::listed(&[]));
        stored(disk, path, place, Some(&listed))
    }

    fn read_on(&mut self, disk: &Disk, path: &Path) -> Result<(), FolderError> {
        let first = self.rest.size.saturating_sub(RECENT);
        // With the row before them, whose top they go on from: zeros before the first of all.
        let mut rows: Vec<_> = (first..=self.rest.size).map(|_| [[0; 32]; 3]).collect();
        let (from, into) = match first.checked_sub(1) {
            Some(before) => (before, rows.as_mut_slice()),
            None => (0, &mut rows[1..]),
        };
        let mut list = needed(disk, path)?;
        list.seek(SeekFrom::Start(from.saturating_mul(LIST_BYTES)))
            .and_then(|_| list.read_exact(into.as_flattened_mut().as_flattened_mut()))
            .map_err(|error| FolderError::Disk(Error::reading(path, error)))?;
        for ([.., before], [place, stored, top]) in rows.iter().zip(&rows[1..]).rev() {
            let before = SecretsEnd { size: self.rest.size - 1, top: *before };
            if *top != self.rest.top || before.after(place, stored) != self.rest {
                return Err(FolderError::Broken(path.to_owned()));
            }
            self.listed.entry(*place).or_insert(*stored);
            self.rest = before;
        }
        Ok(())
    }
}

fn check_from(disk: &Disk, path: &Path, end: &SecretsEnd, from: u64) -> Result<Listed, FolderError> {
    let all = listed(disk, path, end, from)?;
    for (place, listed) in &all {
        stored(disk, path, place, Some(listed))?;
    }
    Ok(all)
}

fn stored(disk: &Disk, path: &Path, place: &[u8; 32], listed: Option<&[u8; 32]>) -> Result<Option<Bytes>, FolderError> {
    let name = file_of(place);
    let stored = disk.read(&path.join(&name), LONGEST_FILE)?;
    let found = SecretRow::listed(stored.as_deref().map_or(&[], Vec::as_slice));
    if listed.is_some_and(|listed| *listed != found) {
        let is_gone = stored.is_none();
        return Err(if is_gone { Refused::SecretMissing { name } } else { Refused::SecretOther { name } }.into());
    }
    Ok(stored)
}

/// What the list has of each place from a row on. Each row leads to the next one's top, and the last to that of the
/// state: none of them was edited.
fn listed(disk: &Disk, path: &Path, end: &SecretsEnd, from: u64) -> Result<Listed, FolderError> {
    let (path, mut places) = (path.join(LIST), BTreeMap::new());
    let mut list = BufReader::new(needed(disk, &path)?);
    let failed = |error| FolderError::Disk(Error::reading(&path, error));
    let mut next = SecretsEnd::default();
    if let Some(before) = from.checked_sub(1) {
        let top = before.saturating_mul(LIST_BYTES).saturating_add(64);
        list.seek(SeekFrom::Start(top)).and_then(|_| list.read_exact(&mut next.top)).map_err(failed)?;
        next.size = from;
    }
    while next.size < end.size {
        let mut row = [[0; 32]; 3];
        list.read_exact(row.as_flattened_mut()).map_err(failed)?;
        let [place, stored, top] = row;
        next = next.after(&place, &stored);
        if next.top != top {
            return Err(FolderError::Broken(path));
        }
        places.insert(place, stored);
    }
    if next == *end { Ok(places) } else { Err(FolderError::Broken(path)) }
}
