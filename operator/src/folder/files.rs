//! The folder's files, each as it stands: nothing is held against anything here.

use super::error::FolderError;
use super::names::{CHECKPOINT, DECOYS, INDEX_BYTES, LONGEST_FILE, LONGEST_LINE, RECORDS, RING, STATE};
use crate::disk::{Disk, Error, Lock, Readable};
use crate::opening::Refused;
use dualseal::checkpoint::Checkpoint;
use dualseal::key::RingFile;
use dualseal::krunica::JsonLines;
use dualseal::signature::claims_signature;
use dualseal::vault::{VaultRecord, claims_record};
use dualseal::{Domain, Entry, SignatureRecord};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// A file that must be there, to be read in parts.
pub(super) fn needed(disk: &Disk, path: &Path) -> Result<Readable, FolderError> {
    disk.open(path)?.ok_or_else(|| FolderError::Missing(path.to_owned()))
}

/// The bytes of a small one.
pub(super) fn whole(disk: &Disk, path: &Path) -> Result<Zeroizing<Vec<u8>>, FolderError> {
    disk.read(path, LONGEST_FILE)?.ok_or_else(|| FolderError::Missing(path.to_owned()))
}

/// How long a file is; 0 where there is none.
pub(super) fn length(disk: &Disk, path: &Path) -> Result<u64, FolderError> {
    Ok(disk.open(path)?.map_or(0, |file| file.length()))
}

/// The state out of the text of both, and the ring that is sealed with it.
pub(super) fn state_and_ring<'t>(
    disk: &Disk,
    path: &Path,
    text: &'t [u8],
) -> Result<(&'t [u8], RingFile), FolderError> {
    let (state, seal) = two_lines(text).ok_or_else(|| FolderError::Broken(path.join(STATE)))?;
    let ring = RingFile::from_rows(seal, rows(disk, path)?).map_err(Refused::RingUnreadable)?;
    Ok((state, ring))
}

fn two_lines(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut lines = text.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
    let lines = (lines.next()?, lines.next()?, lines.next());
    lines.2.is_none().then_some((lines.0, lines.1))
}

/// The rows of the ring, decoys included.
fn rows(disk: &Disk, path: &Path) -> Result<Vec<Vec<u8>>, FolderError> {
    let (folder, mut rows) = (path.join(RING), Vec::new());
    if disk.is_folder(&folder)? {
        for row in disk.names(&folder)? {
            rows.push(whole(disk, &row)?.to_vec());
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
            let read = file.read(&mut part).map_err(|error| Error::reading(&decoys, error))?;
            let Some(part) = part.get(..read).filter(|part| !part.is_empty()) else { break };
            lines.push(part, &mut push).map_err(|_| broken())?;
        }
        lines.finish().map_err(|_| broken())?;
    }
    Ok(rows)
}

/// The checkpoint that is there.
pub(super) fn checkpoint(disk: &Disk, path: &Path) -> Result<Option<Checkpoint>, FolderError> {
    let text = disk.read(&path.join(CHECKPOINT), LONGEST_FILE)?;
    let checkpoint = text.map(|text| Checkpoint::from_json(&text)).transpose();
    checkpoint.map_err(|_| FolderError::Broken(path.join(CHECKPOINT)))
}

/// Where the line of an entry begins, and that of its record.
pub(super) fn place(places: &mut (impl Read + Seek), seq: u64, index: &Path) -> Result<(u64, u64), FolderError> {
    let (mut line, mut record) = ([0; 8], [0; 8]);
    let found = places.seek(SeekFrom::Start(seq.saturating_mul(INDEX_BYTES)));
    let read = found.and_then(|_| places.read_exact(&mut line)).and_then(|()| places.read_exact(&mut record));
    read.map_err(|error| Error::reading(index, error))?;
    Ok((u64::from_be_bytes(line), u64::from_be_bytes(record)))
}

/// One line, whole, as the entry at a position.
pub(super) fn entry(line: &[u8], seq: u64) -> Option<Entry> {
    let line = line.strip_suffix(b"\n").filter(|line| !line.contains(&b'\n'))?;
    Entry::from_json_line(line, seq).ok()
}

/// The record whose line begins here, without its line feed: it is measured first, and its buffers are wiped, since
/// that of a vault has a fragment.
pub(super) fn record_at(lock: &Lock, place: u64) -> Result<Zeroizing<Vec<u8>>, FolderError> {
    let path = lock.folder().join(RECORDS);
    let mut file = needed(lock.disk(), &path)?;
    let failed = |error| FolderError::Disk(Error::reading(&path, error));
    let (mut part, mut length) = (Zeroizing::new([0; 4096]), 0_usize);
    file.seek(SeekFrom::Start(place)).map_err(failed)?;
    loop {
        let read = file.read(part.as_mut_slice()).map_err(failed)?;
        let part = part.get(..read).unwrap_or_default();
        let end = part.iter().position(|byte| *byte == b'\n');
        length = length.saturating_add(end.unwrap_or(read));
        if end.is_some() {
            break;
        }
        if read == 0 || length as u64 > LONGEST_LINE {
            return Err(FolderError::Broken(path));
        }
    }
    let mut line = Zeroizing::new(vec![0; length]);
    file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut line)).map_err(failed)?;
    Ok(line)
}

/// Whether the text of a record is that of an entry.
pub(super) fn is_record_of(domain: &Domain, text: &[u8], entry: &Entry) -> Option<Kind> {
    if SignatureRecord::from_json(text).is_ok_and(|record| record.is_of(domain, entry)) {
        return Some(Kind::Signature);
    }
    let vaulted = VaultRecord::from_json(text).is_ok_and(|record| record.entry() == entry);
    vaulted.then_some(Kind::Vault)
}

/// Whether an entry must have a record.
pub(super) fn claims_any(domain: &Domain, entry: &Entry) -> bool {
    claims_signature(domain, entry) || claims_record(domain, entry)
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Signature,
    Vault,
}
