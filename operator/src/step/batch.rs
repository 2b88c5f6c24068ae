//! Several callers' work, placed one after the other.

use super::one::{Settled, follow};
use super::placed::Placed;
use super::{SecretRow, State, Step, StepError, ToSign, TreeNode};
use dualseal::mldsa::KeyHash;
use dualseal::signature::Unsigned;
use dualseal::store::StoredState;
use dualseal::vault::VaultRecord;
use dualseal::{Entry, Head, IdentityId, Timestamp};
use std::collections::BTreeSet;

/// The work of one transaction, in steps of which each happens or does not: the one that fails leaves the batch as it
/// was, and takes nobody else's work with it.
#[derive(Debug)]
pub struct Batch {
    state: State,
    expected: Head,
    made: Made,
}

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

impl Batch {
    /// Begins where the state is.
    #[must_use]
    pub fn new(state: State) -> Self {
        Self { expected: state.head().clone(), state, made: Made::default() }
    }

    /// The state with all steps so far.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether no step has made anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.made.entries.is_empty()
    }

    /// One caller's work at one time: all of it is in the batch, or, on an error, nothing.
    ///
    /// # Errors
    /// What `work` says.
    pub fn step<T, E: From<StepError>>(
        &mut self,
        time: Timestamp,
        work: impl FnOnce(&mut Step<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let Self { state, made, .. } = self;
        let mut step = Step::new(state, time, (made.unsigned.len(), made.vault_records.len()));
        let done = work(&mut step)?;
        let Settled { ring, head, ledgers, made: new } = step.settle()?;
        match ring {
            Some(ring) => state.ring = ring,
            None => follow(&mut state.ring, &new.entries)?,
        }
        let stored = ledgers.into_values().fold(state.stored.clone(), StoredState::with_ledger);
        state.stored = stored.at(head);
        made.add(new);
        Ok(done)
    }

    /// Ends the placing, and gives out what is to be signed: outside of any lock, and beside each other.
    #[must_use]
    pub fn place(self) -> (Placed, Vec<ToSign>) {
        Placed::new(self.state, self.expected, self.made)
    }
}

impl Made {
    fn add(&mut self, new: Self) {
        let Self { entries, nodes, unsigned, vault_records, secrets, identities, decoys } = new;
        self.entries.extend(entries);
        self.nodes.extend(nodes);
        self.unsigned.extend(unsigned);
        self.vault_records.extend(vault_records);
        self.secrets.extend(secrets);
        self.identities.extend(identities);
        self.decoys.extend(decoys);
    }
}
