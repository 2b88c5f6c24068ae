//! The splits of a vault as its chain tells them: a chain of generations, each of which names the one before it and is
//! authorised by the operator's key, and a list of what does not continue it.

use super::message::{NO_SPLIT, SplitMessages};
use super::record::ShardKey;
use crate::domain::Domain;
use crate::id::VaultId;
use crate::krunica::{Entry, Ignored, IgnoredReason};
use crate::shamir::SplitId;
use alloc::vec::Vec;

/// A split whose tag holds at its place in the chain: the operator made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundSplit {
    /// The position of its entry.
    pub seq: u64,
    /// The split.
    pub split_id: SplitId,
    /// Whether it continued what was in force, or was the vault's first. One that did not is among the ignored entries
    /// too; there may be shards of it all the same.
    pub counted: bool,
}

/// The splits of a vault in a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splits {
    vault_id: VaultId,
    found: Vec<FoundSplit>,
    in_force: Option<(SplitId, u64)>,
    erased: Option<u64>,
    ignored: Ignored,
}

impl Splits {
    /// The vault.
    #[must_use]
    pub fn vault_id(&self) -> &VaultId {
        &self.vault_id
    }

    /// Every split of the vault that the operator made, in chain order, whatever became of it and whomever its entry
    /// is about: the shards of each are to be destroyed when the vault is erased.
    #[must_use]
    pub fn found(&self) -> &[FoundSplit] {
        &self.found
    }

    /// The split in force.
    #[must_use]
    pub fn last(&self) -> Option<&SplitId> {
        self.in_force.as_ref().map(|(split_id, _)| split_id)
    }

    /// The position of the entry by which the vault was erased. Nothing continues it.
    #[must_use]
    pub fn erased_at(&self) -> Option<u64> {
        self.erased
    }

    /// The splits that the operator made after the vault was erased: their shards were not destroyed with the others.
    pub fn after_erasure(&self) -> impl Iterator<Item = &FoundSplit> {
        self.found.iter().filter(|split| self.erased.is_some_and(|erased| split.seq > erased))
    }

    /// The entries that begin as a split message of the vault and count for nothing. They blame nobody.
    #[must_use]
    pub fn ignored(&self) -> &Ignored {
        &self.ignored
    }

    pub(super) fn in_force(&self) -> Option<(SplitId, u64)> {
        self.in_force
    }
}

/// Follows the generations of a vault's splits, entry by entry.
#[derive(Clone)]
pub(super) struct Walk {
    messages: SplitMessages,
    key: Option<ShardKey>,
    splits: Splits,
}

impl Walk {
    pub(super) fn new(domain: &Domain, key: Option<&ShardKey>, vault_id: &VaultId) -> Self {
        let splits = Splits {
            vault_id: *vault_id,
            found: Vec::new(),
            in_force: None,
            erased: None,
            ignored: Ignored::default(),
        };
        Self { messages: SplitMessages::new(domain, vault_id), key: key.cloned(), splits }
    }

    pub(super) fn splits(&self) -> &Splits {
        &self.splits
    }

    /// Whether it judges by this key, in this domain.
    pub(super) fn is_by(&self, domain: &Domain, key: &ShardKey) -> bool {
        self.messages.is_in(domain) && self.key.as_ref().is_some_and(|own| own.is(key))
    }

    pub(super) fn take(&mut self, entry: &Entry) {
        if let Some(Err(reason)) = self.judge(entry) {
            self.splits.ignored.push(entry.seq(), reason);
        }
    }

    pub(super) fn end(self) -> Splits {
        self.splits
    }

    fn judge(&mut self, entry: &Entry) -> Option<Result<(), IgnoredReason>> {
        let message = match self.messages.read(entry)? {
            Ok(message) => message,
            Err(reason) => return Some(Err(reason)),
        };
        let Some(key) = &self.key else { return Some(Err(IgnoredReason::Unverified)) };
        if !self.messages.holds(key, &message, entry) {
            return Some(Err(IgnoredReason::Tag));
        }
        let (seq, split_id, splits) = (entry.seq(), message.split_id, &mut self.splits);
        let continues = splits.continued_by(&message.previous, &split_id);
        if split_id == NO_SPLIT {
            if continues.is_ok() {
                splits.in_force = None;
                splits.erased = Some(seq);
            }
        } else {
            let counted = continues.is_ok();
            if counted {
                splits.in_force = Some((split_id, seq));
            }
            splits.found.push(FoundSplit { seq, split_id, counted });
        }
        Some(continues)
    }
}

impl Splits {
    /// What is in force is named by the next generation, which has a name of its own.
    fn continued_by(&self, previous: &SplitId, split_id: &SplitId) -> Result<(), IgnoredReason> {
        let last = self.last().copied().unwrap_or(NO_SPLIT);
        if self.erased.is_some() || *previous != last {
            return Err(IgnoredReason::Predecessor);
        }
        if self.found.iter().any(|found| found.counted && found.split_id == *split_id) {
            return Err(IgnoredReason::Repeated);
        }
        Ok(())
    }
}
