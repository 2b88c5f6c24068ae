//! Which split of a vault counts: the last generation in the chain, under a checkpoint; and what the operator appends
//! to, up to the own head.

use super::message::{NO_SPLIT, SplitMessages};
use super::record::{ShardKey, fault};
use super::splits::{Splits, Walk};
use crate::checkpoint::{ChainCheck, Checkpoint};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{CheckpointFault, Error, ShardFault};
use crate::id::{IdentityId, VaultId};
use crate::krunica::{Appended, Checker, Entry, Head};
use crate::shamir::SplitId;
use crate::verdict::Verified;
use core::fmt;

/// The split of a vault in force below a verified checkpoint. Only a [`SplitCheck`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitInForce {
    vault_id: VaultId,
    split_id: SplitId,
    seq: u64,
}

impl SplitInForce {
    /// The vault.
    #[must_use]
    pub fn vault_id(&self) -> &VaultId {
        &self.vault_id
    }

    /// The split.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.split_id
    }

    /// The position of its chain entry.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub(super) fn is(&self, vault_id: &VaultId, split_id: &SplitId) -> bool {
        (vault_id, split_id) == (&self.vault_id, &self.split_id)
    }
}

/// The splits of a vault below a verified checkpoint: what rebuilding, releasing and deleting go by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredSplits(Splits);

impl CoveredSplits {
    /// All of them.
    #[must_use]
    pub fn splits(&self) -> &Splits {
        &self.0
    }

    /// The one in force.
    ///
    /// # Errors
    /// [`ShardFault::NoSplit`]; [`ShardFault::ErasedVault`].
    pub fn in_force(&self) -> Result<SplitInForce, Error> {
        let splits = &self.0;
        match splits.in_force() {
            Some((split_id, seq)) => Ok(SplitInForce { vault_id: *splits.vault_id(), split_id, seq }),
            None if splits.erased_at().is_some() => Err(fault(ShardFault::ErasedVault)),
            None => Err(fault(ShardFault::NoSplit)),
        }
    }
}

/// Streams a chain past a checkpoint and follows the splits of a vault.
pub struct SplitCheck<'a> {
    chain: ChainCheck<'a>,
    covered: u64,
    walk: Walk,
}

impl<'a> SplitCheck<'a> {
    /// Begins at seq 0. The key is the one that seals the shards of the vault's identity, of the master that the vault
    /// record's `key_id` names.
    #[must_use]
    pub fn new(domain: &Domain, key: &ShardKey, vault_id: &VaultId, checkpoint: &'a Verified<Checkpoint>) -> Self {
        Self::with(domain, Some(key), vault_id, checkpoint)
    }

    /// For a public reader, who holds no key for the tags: every split is listed as
    /// [`Unverified`](crate::krunica::IgnoredReason::Unverified), and none counts.
    #[must_use]
    pub fn unkeyed(domain: &Domain, vault_id: &VaultId, checkpoint: &'a Verified<Checkpoint>) -> Self {
        Self::with(domain, None, vault_id, checkpoint)
    }

    fn with(domain: &Domain, key: Option<&ShardKey>, vault_id: &VaultId, checkpoint: &'a Verified<Checkpoint>) -> Self {
        let covered = checkpoint.record().tree_head().size;
        Self { chain: ChainCheck::new(checkpoint), covered, walk: Walk::new(domain, key, vault_id) }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)?;
        self.after(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`ChainCheck::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.chain.push_json(text)?;
        self.after(&entry);
        Ok(entry)
    }

    /// Ends the chain. Entries beyond the checkpoint do not count.
    ///
    /// # Errors
    /// As [`ChainCheck::finish`].
    pub fn finish(self) -> Result<CoveredSplits, Error> {
        self.chain.finish()?;
        Ok(CoveredSplits(self.walk.end()))
    }

    fn after(&mut self, entry: &Entry) {
        if entry.seq() < self.covered {
            self.walk.take(entry);
        }
    }
}

/// The splits of a vault up to the operator's own head: what committing and erasing go by, in the transaction that
/// appends.
#[derive(Clone)]
pub struct OwnSplits {
    splits: Splits,
    began: u64,
    head: Head,
    domain: Domain,
    key: ShardKey,
}

impl OwnSplits {
    /// All of them.
    #[must_use]
    pub fn splits(&self) -> &Splits {
        &self.splits
    }

    /// The head up to which the chain was read, and which is appended to.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The entry by which a split comes into force after `previous`, about an identity.
    pub(super) fn append(
        &self,
        identity_id: &IdentityId,
        previous: &SplitId,
        split_id: &SplitId,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        let messages = SplitMessages::new(&self.domain, self.splits.vault_id());
        let message = messages.write(&self.key, previous, split_id, self.head.top());
        self.head.append_own(identity_id, &message, time)
    }

    /// The position from which the chain was read.
    pub(crate) fn began(&self) -> u64 {
        self.began
    }

    /// Whether the splits were read for this vault, with this key in this domain.
    pub(crate) fn are_of(&self, domain: &Domain, key: &ShardKey, vault_id: &VaultId) -> bool {
        self.domain == *domain && self.key.is(key) && self.splits.vault_id() == vault_id
    }

    /// The entry after which nothing continues the splits of a vault that is erased, at `head`: it stands after the one
    /// that says so in the ledger, in the transaction that appends both. There is one already where the vault was
    /// erased before.
    ///
    /// # Errors
    /// [`Misuse::CounterExhausted`](crate::error::Misuse::CounterExhausted).
    pub(crate) fn end(
        &self,
        identity_id: &IdentityId,
        head: &Head,
        time: Timestamp,
    ) -> Result<Option<Appended>, Error> {
        if self.splits.erased_at().is_some() {
            return Ok(None);
        }
        let previous = self.splits.last().copied().unwrap_or(NO_SPLIT);
        Self { head: head.clone(), ..self.clone() }.append(identity_id, &previous, &NO_SPLIT, time).map(Some)
    }
}

/// Streams the operator's own chain up to its head and follows the splits of a vault.
pub struct OwnSplitCheck {
    checker: Checker,
    began: u64,
    head: Head,
    domain: Domain,
    key: ShardKey,
    walk: Walk,
}

impl OwnSplitCheck {
    /// Begins at seq 0. The head is the one that the caller stored, and will append to; the key is that of
    /// [`SplitCheck::new`].
    #[must_use]
    pub fn new(domain: &Domain, key: &ShardKey, vault_id: &VaultId, head: &Head) -> Self {
        let walk = Walk::new(domain, Some(key), vault_id);
        Self { checker: Checker::new(), began: 0, head: head.clone(), domain: domain.clone(), key: key.clone(), walk }
    }

    /// Begins at a head where the vault's record did not stand yet, instead of seq 0: no split of it is before that.
    /// For erasing, which holds it against the record; committing takes the whole chain. The caller kept that head
    /// where nobody else writes, or appended the record in this transaction.
    #[must_use]
    pub fn beginning_at(self, sealed_after: &Head) -> Self {
        Self { checker: Checker::resume(sealed_after.clone()), began: sealed_after.size(), ..self }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`Checker::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.checker.push(entry)?;
        self.walk.take(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`Checker::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.checker.push_json(text)?;
        self.walk.take(&entry);
        Ok(entry)
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// [`CheckpointFault::Truncated`] for fewer entries than the head has, [`CheckpointFault::Rewritten`] for another
    /// chain, or a longer one.
    pub fn finish(self) -> Result<OwnSplits, Error> {
        let (size, found) = (self.head.size(), self.checker.head());
        if found.size() < size {
            return Err(CheckpointFault::Truncated { size, found: found.size() }.into());
        }
        if *found != self.head {
            return Err(CheckpointFault::Rewritten { size }.into());
        }
        let Self { began, head, domain, key, walk, .. } = self;
        Ok(OwnSplits { splits: walk.end(), began, head, domain, key })
    }
}

impl fmt::Debug for SplitCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitCheck").field("chain", &self.chain).finish_non_exhaustive()
    }
}

impl fmt::Debug for OwnSplitCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnSplitCheck").field("head", &self.checker.head()).finish_non_exhaustive()
    }
}

impl fmt::Debug for OwnSplits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnSplits").field("splits", &self.splits).field("head", &self.head).finish_non_exhaustive()
    }
}
