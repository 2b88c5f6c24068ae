//! What steps have made, before it is signed.

use super::{SecretRow, StepError, TreeNode};
use dualseal::mldsa::KeyHash;
use dualseal::signature::Unsigned;
use dualseal::vault::VaultRecord;
use dualseal::{Entry, IdentityId};
use std::collections::BTreeSet;

/// What the steps so far have made.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) entries: Vec<Entry>,
    pub(super) nodes: Vec<TreeNode>,
    pub(super) unsigned: Vec<Unsigned>,
    pub(super) vault_records: Vec<VaultRecord>,
    pub(super) secrets: Vec<SecretRow>,
    pub(super) identities: BTreeSet<IdentityId>,
    pub(super) decoys: BTreeSet<KeyHash>,
    /// How many ledgers were begun.
    pub(super) ledgers: usize,
}

/// The place of a record among those that a batch signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub(super) usize);

impl Ticket {
    /// Its index in [`Changes::records`](super::Changes::records).
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

impl Made {
    /// How many records and vault records there are.
    pub(super) fn count(&self) -> (usize, usize) {
        (self.unsigned.len(), self.vault_records.len())
    }

    /// Refuses what would be stored over something else of the batch.
    pub(super) fn check_places(&self, new: &Self) -> Result<(), StepError> {
        let mut places: BTreeSet<_> = self.secrets.iter().map(SecretRow::place).collect();
        let free = new.secrets.iter().all(|secret| places.insert(secret.place()));
        if free { Ok(()) } else { Err(StepError::SamePlace) }
    }

    pub(super) fn add(&mut self, new: Self) {
        let Self { entries, nodes, unsigned, vault_records, secrets, identities, decoys, ledgers } = new;
        self.entries.extend(entries);
        self.nodes.extend(nodes);
        self.unsigned.extend(unsigned);
        self.vault_records.extend(vault_records);
        self.secrets.extend(secrets);
        self.identities.extend(identities);
        self.decoys.extend(decoys);
        self.ledgers += ledgers;
    }
}
