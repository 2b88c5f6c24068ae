//! What records say of documents, computed from the documents.

use super::files::{Found, Sort};
use super::kinds::What;
use crate::input;
use dualseal::encoding::json::Value;
use dualseal::vault::{LayerHash, StoredHash, StoredHasher};
use dualseal::{ContentHash, Domain, IdentityId};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// JSON documents up to this size may have been signed in their canonical form.
const CANONICAL: u64 = 1 << 20;

/// The hashes of all files that a record could be of.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// By file: for each signer the hash of its bytes, and of its canonical form.
    contents: BTreeMap<usize, BTreeMap<IdentityId, Vec<ContentHash>>>,
    by_content: BTreeMap<ContentHash, usize>,
    by_baseline: BTreeMap<LayerHash, (usize, StoredHash)>,
    /// Those whose names say that they are stored bytes.
    by_name: BTreeMap<usize, StoredHash>,
}

/// Whose hashes are wanted.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) signers: BTreeSet<IdentityId>,
    pub(super) baselines: BTreeSet<LayerHash>,
    /// Files that are stored bytes by their names.
    pub(super) stored: BTreeSet<usize>,
}

impl Documents {
    /// Reads every file once. Those that cannot be read are handed to `failed`.
    pub(super) fn hash(
        domain: &Domain,
        wanted: &Wanted,
        files: &[Found],
        mut failed: impl FnMut(usize, &io::Error),
    ) -> Self {
        let mut documents = Self::default();
        if wanted.signers.is_empty() && wanted.baselines.is_empty() {
            return documents;
        }
        let length = |found: &Found| if let Sort::File(length) = found.sort { length } else { 0 };
        let bar = input::bar(files.iter().map(length).sum());
        for (index, found) in files.iter().enumerate() {
            if matches!(found.sort, Sort::File(_))
                && let Err(error) = documents.add(index, found, domain, wanted, &mut |read| bar.inc(read))
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
        found: &Found,
        domain: &Domain,
        wanted: &Wanted,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()> {
        let mut hashers: Vec<_> = wanted.signers.iter().map(|id| (id, domain.content_hasher(id))).collect();
        let mut stored = (!wanted.baselines.is_empty()).then(|| StoredHasher::new(domain));
        let mut small = Some(Vec::new());
        found.read(|part| {
            for (_, hasher) in &mut hashers {
                hasher.update(part);
            }
            if let Some(stored) = &mut stored {
                stored.update(part);
            }
            small = small.take().filter(|small| small.len() as u64 + part.len() as u64 <= CANONICAL);
            if let Some(small) = &mut small {
                small.extend_from_slice(part);
            }
            progress(part.len() as u64);
        })?;
        let mut contents = BTreeMap::new();
        let canonical = small.and_then(|json| Value::parse(&json).ok()?.to_canonical().ok());
        for (identity_id, hasher) in hashers {
            let mut hashes = vec![hasher.finish()];
            if let Some(canonical) = &canonical {
                let mut hasher = domain.content_hasher(identity_id);
                hasher.update(canonical.as_bytes());
                hashes.push(hasher.finish());
            }
            for hash in &hashes {
                self.by_content.entry(*hash).or_insert(index);
            }
            contents.insert(*identity_id, hashes);
        }
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

impl Wanted {
    /// What a file of this kind asks for.
    pub(super) fn add(&mut self, what: &What) {
        match what {
            What::Signature(record) => {
                self.signers.insert(*record.identity_id());
            }
            What::Record(record) => {
                self.baselines.insert(*record.baseline());
            }
            _ => {}
        }
    }
}
