//! Reading everything that a folder has of its log, and holding all of it against each other.

use super::error::FolderError;
use super::log::Log;
use super::names::{CHAIN, INDEX, LONGEST, NOTHING, RECORDS, STATE, TREE};
use super::read::{Entries, TreeFile, record_at};
use super::store::{place, rows, two_lines};
use crate::disk::Hold;
use crate::opening::Refused;
use dualseal::SignatureRecord;
use dualseal::key::RingFile;
use dualseal::reader::{ChainReader, FoundRing, TrustedHead};
use dualseal::tree::{Frontier, NodeReader};
use dualseal::vault::VaultRecord;

/// What an audit has read, all of which holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Audited {
    /// The entries of the chain.
    pub entries: u64,
    /// The signed records.
    pub records: u64,
    /// The vault records.
    pub vault_records: u64,
}

/// Every entry from the first on, against the end that is sealed; the ring against every entry; the tree's nodes and
/// the index against the chain; each record against its entry.
pub(super) fn audit(log: &Log) -> Result<Audited, FolderError> {
    let lock = log.lock(Hold::Shared)?;
    let (opened, _) = log.opened()?;
    let (head, disk, path) = (opened.state.head(), &log.disk, log.place.path.as_path());
    let text = disk.read(&path.join(STATE), LONGEST)?.unwrap_or_default();
    let (_, seal) = two_lines(&text).ok_or_else(|| FolderError::Broken(path.join(STATE)))?;
    let file = RingFile::from_rows(seal, rows(disk, path)?).map_err(Refused::RingUnreadable)?;
    let mut reader = ChainReader::new(&log.place.domain, &TrustedHead::beginning()).up_to(head);
    // The ring is sealed at the end of the chain, so that no record comes after it.
    let ring = reader.ring(file, &log.authority, |_| true).map_err(Refused::RingUnreadable)?;
    let (mut tree, mut frontier) = (TreeFile::open(&lock)?, Frontier::new());
    let mut audited = Audited { entries: head.size(), records: 0, vault_records: 0 };
    let index = path.join(INDEX);
    let mut places = disk.open(&index)?.ok_or_else(|| FolderError::Missing(index.clone()))?;
    let mut at = 0_u64;
    for entry in Entries::open(&lock, 0, head.size())? {
        let entry = entry?;
        reader.push(&entry)?;
        let (line, record) = place(&mut places, entry.seq(), &index)?;
        if line != at {
            return Err(FolderError::Broken(index));
        }
        at = at.saturating_add(entry.to_json_line().len() as u64);
        let mut made = Vec::new();
        frontier.push_noting(entry.leaf_hash(), |level, index, hash| made.push((level, index, *hash)));
        for (level, index, hash) in made {
            if tree.node(level, index)? != hash {
                return Err(FolderError::Broken(path.join(TREE)));
            }
        }
        if record != NOTHING {
            let text = record_at(&lock, record)?;
            let handle = entry.krunica_hash();
            if SignatureRecord::from_json(&text).is_ok_and(|record| *record.krunica_hash() == handle) {
                audited.records += 1;
            } else if VaultRecord::from_json(&text).is_ok_and(|record| *record.krunica_hash() == handle) {
                audited.vault_records += 1;
            } else {
                return Err(FolderError::Broken(path.join(RECORDS)));
            }
        }
    }
    if disk.open(&path.join(CHAIN))?.map_or(0, |file| file.length()) != at {
        return Err(FolderError::Broken(path.join(CHAIN)));
    }
    let found = reader.finish().and_then(|mut proofs| proofs.take(ring)).map(FoundRing::into_ring);
    found.map_err(Refused::RingUnreadable)?;
    Ok(audited)
}
