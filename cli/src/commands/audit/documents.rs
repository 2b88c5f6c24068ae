//! What records say of documents, computed from the documents.

use super::files::{Listed, Sort};
use crate::input::{self, SMALL};
use dualseal::encoding::json::Value;
use dualseal::vault::{LayerHash, StoredHash, StoredHasher};
use dualseal::{ContentHash, Domain, IdentityId};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The hashes of the files that records here are of.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// By file: for each signer the hash of its bytes, and of its canonical form.
    contents: BTreeMap<usize, BTreeMap<IdentityId, Vec<ContentHash>>>,
    by_content: BTreeMap<ContentHash, usize>,
    by_baseline: BTreeMap<LayerHash, (usize, StoredHash)>,
    /// Those whose names say that they are stored bytes.
    by_name: BTreeMap<usize, StoredHash>,
    /// What all of it cost: every byte, as often as it was hashed.
    hashed: u64,
}

/// Whose hashes are wanted. Every signer here made a record that holds but for its document: a hash for whomever a
/// record only claims to be by would be work without bound.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// The signers of records whose names say which document they are of.
    pub(super) named: BTreeMap<usize, BTreeSet<IdentityId>>,
    /// The signers of other records, which may be of any file.
    pub(super) anywhere: BTreeSet<IdentityId>,
    pub(super) baselines: BTreeSet<LayerHash>,
    /// Whether JSON counts in its canonical form as well.
    pub(super) canonical: bool,
    /// Files that are stored bytes by their names.
    pub(super) stored: BTreeSet<usize>,
}

impl Documents {
    /// Reads every file once that something is wanted of. Those that cannot be read are handed to `failed`.
    pub(super) fn hash(
        domain: &Domain,
        wanted: &Wanted,
        files: &[Listed],
        mut failed: impl FnMut(usize, &io::Error),
    ) -> Self {
        let mut documents = Self::default();
        let bar = input::bar(files.iter().map(Listed::length).sum());
        for (index, found) in files.iter().enumerate() {
            let signers = wanted.signers(index);
            let stored = !wanted.baselines.is_empty();
            if matches!(found.sort, Sort::File(_))
                && (stored || !signers.is_empty())
                && let Err(error) = documents.add(index, found, domain, wanted, &signers, &mut |read| bar.inc(read))
            {
                failed(index, &error);
            }
        }
        bar.finish_and_clear();
        documents
    }

    fn add(
        &mut self,
        index: usize,
        found: &Listed,
        domain: &Domain,
        wanted: &Wanted,
        signers: &BTreeSet<IdentityId>,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()> {
        let mut hashers: Vec<_> = signers.iter().map(|id| (id, domain.content_hasher(id))).collect();
        let mut stored = (!wanted.baselines.is_empty()).then(|| StoredHasher::new(domain));
        let each = hashers.len() as u64 + u64::from(stored.is_some());
        let mut small = (wanted.canonical && !hashers.is_empty()).then(Vec::new);
        let mut hashed = 0;
        found.read(|part| {
            for (_, hasher) in &mut hashers {
                hasher.update(part);
            }
            if let Some(stored) = &mut stored {
                stored.update(part);
            }
            if let Some(json) = &mut small {
                json.extend_from_slice(part);
            }
            // What cannot be JSON is not kept: it may be of any size.
            small = small.take().filter(|json| json.len() as u64 <= SMALL && may_be_json(json));
            hashed += each * part.len() as u64;
            progress(part.len() as u64);
        })?;
        let mut contents = BTreeMap::new();
        let canonical = small.and_then(|json| Value::parse(&json).ok()?.to_canonical().ok());
        for (identity_id, hasher) in hashers {
            let mut hashes = vec![*hasher.finish().hash()];
            if let Some(canonical) = &canonical {
                let mut hasher = domain.content_hasher(identity_id);
                hasher.update(canonical.as_bytes());
                hashes.push(*hasher.finish().hash());
                hashed += canonical.len() as u64;
            }
            for hash in &hashes {
                self.by_content.entry(*hash).or_insert(index);
            }
            contents.insert(*identity_id, hashes);
        }
        self.hashed += hashed;
        self.contents.insert(index, contents);
        let stored = stored.map(StoredHasher::finish);
        if let Some(stored) = stored.as_ref().filter(|_| wanted.stored.contains(&index)) {
            self.by_name.insert(index, stored.clone());
        }
        if let Some(stored) = stored.filter(|stored| wanted.baselines.contains(stored.baseline())) {
            self.by_baseline.entry(*stored.baseline()).or_insert((index, stored));
        }
        Ok(())
    }

    /// Every byte, as often as it was hashed.
    pub(super) fn hashed(&self) -> u64 {
        self.hashed
    }

    /// The file with this content.
    pub(super) fn of_content(&self, hash: &ContentHash) -> Option<usize> {
        self.by_content.get(hash).copied()
    }

    /// What a signer would have signed of a file: `wanted`, where it is one of its forms.
    pub(super) fn content(&self, index: usize, signer: &IdentityId, wanted: &ContentHash) -> Option<ContentHash> {
        let hashes = self.contents.get(&index)?.get(signer)?;
        hashes.iter().find(|hash| *hash == wanted).or(hashes.first()).copied()
    }

    /// The stored bytes of this name, which may have been changed, else those with this baseline.
    pub(super) fn stored(&self, named: Option<usize>, baseline: &LayerHash) -> Option<(usize, &StoredHash)> {
        let by_name = named.and_then(|index| Some((index, self.by_name.get(&index)?)));
        by_name.or_else(|| self.of_baseline(baseline))
    }

    fn of_baseline(&self, baseline: &LayerHash) -> Option<(usize, &StoredHash)> {
        self.by_baseline.get(baseline).map(|(index, stored)| (*index, stored))
    }
}

/// Whether a beginning may be that of JSON.
fn may_be_json(beginning: &[u8]) -> bool {
    let first = beginning.trim_ascii_start().first();
    first.is_none_or(|byte| matches!(byte, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
}

impl Wanted {
    fn signers(&self, index: usize) -> BTreeSet<IdentityId> {
        let named = self.named.get(&index).into_iter().flatten();
        named.chain(&self.anywhere).copied().collect()
    }
}
