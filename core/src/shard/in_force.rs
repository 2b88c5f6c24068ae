//! Which split of a vault counts: the last generation in the chain, under a checkpoint; and what the operator appends
//! to, up to the own head.

use super::message::{NO_SPLIT, SplitMessages};
use super::record::{ShardKey, fault};
use super::splits::{Splits, Walk};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, ShardFault};
use crate::id::{IdentityId, VaultId};
use crate::krunica::{Appended, Entry, Head};
use crate::reader::{ChainReader, Cursor, Ended, Watched, Watcher};
use crate::shamir::SplitId;
use core::fmt;

/// The split of a vault in force below a verified checkpoint. Only [`CoveredSplits`] give one.
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
#[derive(Clone)]
pub struct CoveredSplits {
    walk: Walk,
    covered: Head,
}

impl CoveredSplits {
    /// All of them.
    #[must_use]
    pub fn splits(&self) -> &Splits {
        self.walk.splits()
    }

    /// Where the checkpoint ends under which they were found, and reading goes on.
    #[must_use]
    pub fn covered(&self) -> &Head {
        &self.covered
    }

    /// The one in force.
    ///
    /// # Errors
    /// [`ShardFault::NoSplit`]; [`ShardFault::ErasedVault`].
    pub fn in_force(&self) -> Result<SplitInForce, Error> {
        let splits = self.walk.splits();
        match splits.in_force() {
            Some((split_id, seq)) => Ok(SplitInForce { vault_id: *splits.vault_id(), split_id, seq }),
            None if splits.erased_at().is_some() => Err(fault(ShardFault::ErasedVault)),
            None => Err(fault(ShardFault::NoSplit)),
        }
    }
}

/// Follows the splits of a vault below the checkpoint.
struct Covered {
    walk: Walk,
    covered: u64,
}

impl Watcher for Covered {
    type Proof = CoveredSplits;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        if entry.seq() < self.covered {
            self.walk.take(entry);
        }
    }

    fn finish(self, ended: &Ended<'_>) -> Result<CoveredSplits, Error> {
        let agreed = ended.agreed.ok_or(Misuse::NoEnd)?;
        Ok(CoveredSplits { walk: self.walk, covered: agreed.signed_head().clone() })
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

/// Follows the splits of a vault as far as reading goes.
struct Own {
    walk: Walk,
    began: u64,
    head: Head,
    domain: Domain,
    key: ShardKey,
}

impl Watcher for Own {
    type Proof = OwnSplits;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        self.walk.take(entry);
    }

    fn finish(self, _ended: &Ended<'_>) -> Result<OwnSplits, Error> {
        let Self { walk, began, head, domain, key } = self;
        Ok(OwnSplits { splits: walk.end(), began, head, domain, key })
    }
}

impl ChainReader<'_> {
    /// The splits of a vault below the checkpoint, from the chain's beginning. The key is the one that seals the shards
    /// of the vault's identity, of the master that the vault record's `key_id` names. A public reader, who holds no key
    /// for the tags, gives `None`: every split is then listed as
    /// [`Unverified`](crate::krunica::IgnoredReason::Unverified), and none counts.
    ///
    /// # Errors
    /// [`Misuse::NoEnd`] without a checkpoint; [`Misuse::LateStart`] when the reader begins after the chain's
    /// beginning.
    pub fn splits(&mut self, key: Option<&ShardKey>, vault_id: &VaultId) -> Result<Watched<CoveredSplits>, Error> {
        let covered = self.covered()?;
        if self.begun().size() != 0 {
            return Err(Misuse::LateStart.into());
        }
        let walk = Walk::new(self.domain(), key, vault_id);
        self.watch(Covered { walk, covered })
    }

    /// The same, where they were found before, with the key of then: the reader begins where the checkpoint ended.
    ///
    /// # Errors
    /// As [`splits`](Self::splits); [`Misuse::LateStart`] when it begins elsewhere.
    pub fn splits_since(&mut self, before: &CoveredSplits) -> Result<Watched<CoveredSplits>, Error> {
        let covered = self.covered()?;
        if !self.begun().is_at(&before.covered) {
            return Err(Misuse::LateStart.into());
        }
        self.watch(Covered { walk: before.walk.clone(), covered })
    }

    /// The splits of a vault up to the caller's own head: what committing and erasing go by, inside the transaction
    /// that appends. The key is that of [`splits`](Self::splits).
    ///
    /// For erasing the reader may begin late, at a head where the vault's record did not stand yet: no split of it is
    /// before that. The caller kept that head where nobody else writes, or appended the record in this transaction.
    /// Committing takes the whole chain.
    ///
    /// # Errors
    /// [`Misuse::NoEnd`] without a [head](Self::up_to) to end at; [`Misuse::LateStart`] after the first entry.
    pub fn own_splits(&mut self, key: &ShardKey, vault_id: &VaultId) -> Result<Watched<OwnSplits>, Error> {
        let (began, head, domain) = (self.begun().size(), self.own_head()?.clone(), self.domain().clone());
        self.watch(Own { walk: Walk::new(&domain, Some(key), vault_id), began, head, domain, key: key.clone() })
    }

    /// The same, where they were found under a checkpoint before, with this key: the reader begins where that
    /// checkpoint ended, and they count as read from the chain's beginning. So the whole chain is read before the
    /// transaction that appends begins, and inside it only what came since.
    ///
    /// # Errors
    /// As [`own_splits`](Self::own_splits); [`Misuse::LateStart`] when the reader begins elsewhere;
    /// [`Misuse::OtherVault`] for splits that were read with another key or domain, or with none.
    pub fn own_splits_since(&mut self, key: &ShardKey, before: &CoveredSplits) -> Result<Watched<OwnSplits>, Error> {
        let (head, domain, walk) = (self.own_head()?.clone(), self.domain().clone(), before.walk.clone());
        if !self.begun().is_at(&before.covered) {
            return Err(Misuse::LateStart.into());
        }
        if !walk.is_by(&domain, key) {
            return Err(Misuse::OtherVault.into());
        }
        // Nothing gives splits under a checkpoint but a reader that began at the chain's beginning.
        self.watch(Own { walk, began: 0, head, domain, key: key.clone() })
    }
}

impl PartialEq for CoveredSplits {
    fn eq(&self, other: &Self) -> bool {
        self.splits() == other.splits() && self.covered == other.covered
    }
}

impl Eq for CoveredSplits {}

impl fmt::Debug for CoveredSplits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoveredSplits").field("splits", self.splits()).finish_non_exhaustive()
    }
}

impl fmt::Debug for OwnSplits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnSplits").field("splits", &self.splits).field("head", &self.head).finish_non_exhaustive()
    }
}
