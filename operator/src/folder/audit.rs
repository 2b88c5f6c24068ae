//! Reading everything that a folder has of its log, and holding all of it against each other.

use super::error::FolderError;
use super::files::{Kind, claims_any, is_record_of, length, needed, place, record_at, state_and_ring, whole};
use super::handle::Handle;
use super::kept::{self, Kept};
use super::names::{CHAIN, INDEX, NO_RECORD, RECORDS, STATE, TREE};
use super::read::{Entries, TreeFile};
use super::secrets::check_all;
use crate::disk::Lock;
use crate::opening::Refused;
use dualseal::reader::{ChainReader, FoundRing, TrustedHead};
use dualseal::tree::{Frontier, NodeReader};

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
    /// The secrets at rest.
    pub secrets: u64,
}

/// Every entry from the first on, against the end that is sealed; the ring against every entry; the tree's nodes and
/// the index against the chain; each record against its entry; each secret against the list.
pub(super) fn audit(handle: &Handle, lock: &Lock) -> Result<Audited, FolderError> {
    // Nothing is taken from what the handle remembers.
    let Kept { opened, .. } = kept::open(&handle.disk, &handle.place, &handle.authority, None)?;
    let (head, disk, path) = (opened.state.head(), &handle.disk, handle.place.path.as_path());
    let text = whole(disk, &path.join(STATE))?;
    let (_, file) = state_and_ring(disk, path, &text)?;
    let mut reader = ChainReader::new(&handle.place.domain, &TrustedHead::beginning()).up_to(head);
    // The ring is sealed at the end of the chain, so that no record comes after it.
    let ring = reader.ring(file, &handle.authority, |_| true).map_err(Refused::RingUnreadable)?;
    let (mut tree, mut frontier) = (TreeFile::open(disk, path)?, Frontier::new());
    let mut audited = Audited { entries: head.size(), records: 0, vault_records: 0, secrets: 0 };
    let index = path.join(INDEX);
    let mut places = needed(disk, &index)?;
    let (mut at, mut records_at) = (0_u64, 0_u64);
    let domain = &handle.place.domain;
    for entry in Entries::open(lock, 0, head.size())? {
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
        if record == NO_RECORD && !claims_any(domain, &entry) {
            continue;
        }
        // One behind the other, so that none was taken away and nothing stands between them.
        if record != records_at {
            return Err(FolderError::Broken(index));
        }
        let text = record_at(lock, record)?;
        records_at = records_at.saturating_add(text.len() as u64).saturating_add(1);
        match is_record_of(domain, &text, &entry) {
            Some(Kind::Signature) => audited.records += 1,
            Some(Kind::Vault) => audited.vault_records += 1,
            None => return Err(FolderError::Broken(path.join(RECORDS))),
        }
    }
    for (name, expected) in [(CHAIN, at), (RECORDS, records_at)] {
        if length(disk, &path.join(name))? != expected {
            return Err(FolderError::Broken(path.join(name)));
        }
    }
    let found = reader.finish().and_then(|mut proofs| proofs.take(ring)).map(FoundRing::into_ring);
    found.map_err(Refused::RingUnreadable)?;
    audited.secrets = check_all(disk, path, opened.state.stored().secrets())?;
    Ok(audited)
}
