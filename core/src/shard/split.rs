//! Splitting a vault secret into shards: prepared first, and committed when the nodes hold theirs.

use super::gate::ShardId;
use super::in_force::OwnSplits;
use super::message::NO_SPLIT;
use super::record::{Shard, ShardKey, anchor, fault, threshold};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, Problem, ShardFault};
use crate::field::Gf2_256;
use crate::id::{IdentityId, VaultId};
use crate::krunica::Appended;
use crate::secret::{Distinct, apart};
use crate::shamir::{DrawnSecret, Index, SplitId, Threshold};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

/// Deals the secret of one vault to nodes. It is made from the vault's record ([`Dealer::new`]), so that the key is
/// that of the record's own master: a split under another would be left out when the vault is erased.
#[derive(Clone)]
pub struct Dealer {
    pub(super) domain: Domain,
    pub(super) key: ShardKey,
    pub(super) vault_id: VaultId,
    /// The `w3` of the split entry.
    pub(super) identity_id: IdentityId,
    pub(super) m: u8,
    pub(super) node_urls: Vec<String>,
}

/// A new set of shards that does not count yet. Each shard is pulled by its node, which keeps the one that it had
/// beside it, and goes nowhere else.
#[derive(Debug)]
pub struct Prepared {
    /// The shards, in the order of their numbers.
    pub shards: Vec<Shard>,
    /// What is committed when the nodes hold them. It holds no secret but the key: [`Dealer::dealt`] makes it again.
    pub preparation: Preparation,
    /// The numbers of the shards that did not hold when an earlier split was rebuilt, ascending.
    pub culprits: Vec<Index>,
    /// As [`Reconstructed::misdealt`](crate::shamir::Reconstructed::misdealt), of the earlier splitting.
    pub misdealt: Vec<Index>,
}

/// A set of shards that was dealt and whose entry does not stand in the chain yet.
#[derive(Clone, Debug)]
pub struct Preparation {
    domain: Domain,
    key: ShardKey,
    vault_id: VaultId,
    identity_id: IdentityId,
    previous: SplitId,
    split_id: SplitId,
    threshold: Threshold,
    shard_ids: BTreeSet<ShardId>,
}

impl Dealer {
    /// For a secret that no vault record was sealed under: nothing says which key is the right one, and nothing is
    /// compared. Of a secret that a record has use [`Dealer::new`]. `m` shards, 2 to n, rebuild the secret; `node_urls`
    /// are the labels of the nodes, one for each shard, in shard order: n of them, 2 to 255.
    #[must_use]
    pub fn without_record(
        domain: &Domain,
        key: &ShardKey,
        vault_id: &VaultId,
        identity_id: &IdentityId,
        m: u8,
        node_urls: &[String],
    ) -> Self {
        Self {
            domain: domain.clone(),
            key: key.clone(),
            vault_id: *vault_id,
            identity_id: *identity_id,
            m,
            node_urls: node_urls.to_vec(),
        }
    }

    /// The vault.
    #[must_use]
    pub fn vault_id(&self) -> &VaultId {
        &self.vault_id
    }

    /// How many shards rebuild the secret.
    #[must_use]
    pub fn m(&self) -> u8 {
        self.m
    }

    /// The labels of the nodes, in shard order.
    #[must_use]
    pub fn node_urls(&self) -> &[String] {
        &self.node_urls
    }

    /// Prepares a split of a vault secret: the vault's first, or the one after `previous`, which is in force.
    ///
    /// # Errors
    /// [`Problem::Range`] for `n` or `m`; [`Error::Randomness`].
    pub fn prepare<R: TryCryptoRng + ?Sized>(
        &self,
        secret: &DrawnSecret<Gf2_256>,
        previous: Option<&SplitId>,
        rng: &mut R,
    ) -> Result<Prepared, Error> {
        let Self { domain, key, vault_id, identity_id, m, node_urls } = self;
        let threshold = threshold((*m).into(), u64::try_from(node_urls.len()).unwrap_or(u64::MAX))?;
        let rng = &mut apart::<8192, _>(|| Distinct::beside(rng, secret.to_bytes().as_ref()));
        let split_id = SplitId::draw(rng)?;
        let ids = (*vault_id, split_id, *identity_id);
        let anchor = apart::<8192, _>(|| anchor(domain, vault_id, secret.element()));
        let shares = secret.split(threshold, rng)?.into_iter().zip(node_urls);
        let make = |(share, url): (_, &String)| Shard::make(domain, key, ids, threshold, anchor, url.clone(), share);
        let shards: Vec<Shard> = shares.map(make).collect();
        let shard_ids: Vec<ShardId> = shards.iter().map(|shard| *shard.shard_id()).collect();
        let preparation = self.dealt(&split_id, previous, &shard_ids)?;
        Ok(Prepared { shards, preparation, culprits: Vec::new(), misdealt: Vec::new() })
    }

    /// What was prepared before, in another process perhaps, and waits for its nodes: by the identifiers of its split
    /// and of its shards, which the caller kept, and of the split before it, `None` where none is in force in the log
    /// that it will stand in.
    ///
    /// # Errors
    /// [`Problem::Range`] for `n` or `m`; [`Problem::Length`] unless there are n different shards.
    pub fn dealt(
        &self,
        split_id: &SplitId,
        previous: Option<&SplitId>,
        shard_ids: &[ShardId],
    ) -> Result<Preparation, Error> {
        let Self { domain, key, vault_id, identity_id, m, node_urls } = self;
        let threshold = threshold((*m).into(), u64::try_from(node_urls.len()).unwrap_or(u64::MAX))?;
        let shard_ids: BTreeSet<ShardId> = shard_ids.iter().copied().collect();
        let (expected, found) = (node_urls.len(), shard_ids.len());
        if found != expected {
            return Err(Error::malformed("shard_id", Problem::Length { expected, found }));
        }
        Ok(Preparation {
            domain: domain.clone(),
            key: key.clone(),
            vault_id: *vault_id,
            identity_id: *identity_id,
            previous: previous.copied().unwrap_or(NO_SPLIT),
            split_id: *split_id,
            threshold,
            shard_ids,
        })
    }
}

impl Preparation {
    /// The split that was prepared.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.split_id
    }

    /// Makes the entry by which the prepared split comes into force: before it is stored the old shards rebuild, after
    /// that the new ones do. `acknowledgements` are the shards of which a node, which the caller authenticated, said
    /// that it holds them: all n, or `least` of them, at least m. `splits` is the vault's splits from seq 0 up to the
    /// head that the entry is appended to, read in the transaction that appends: what was read from a later entry on
    /// may not show the split in force. The caller stores the entry and the head after it, both or neither.
    ///
    /// # Errors
    /// [`Problem::Range`] for `least`; [`Problem::UnknownValue`], with the position, for a shard that was not prepared;
    /// [`ShardFault::Unconfirmed`]; [`Misuse::OtherVault`] for the splits of another vault, or that were read
    /// with another key or domain, and so show nothing of this one; [`Misuse::UnreadChain`] for splits
    /// that were not read from seq 0 on; [`ShardFault::ErasedVault`]; [`ShardFault::StaleSplit`];
    /// [`Misuse::CounterExhausted`].
    pub fn commit(
        &self,
        acknowledgements: &[ShardId],
        least: Option<u8>,
        splits: &OwnSplits,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        let needed = least.unwrap_or(self.threshold.n());
        if !(self.threshold.k()..=self.threshold.n()).contains(&needed) {
            return Err(Error::malformed_at("least", needed.into(), Problem::Range));
        }
        let mut confirmed = BTreeSet::new();
        for (position, shard_id) in (0..).zip(acknowledgements) {
            if !self.shard_ids.contains(shard_id) {
                return Err(Error::malformed_at("shard_id", position, Problem::UnknownValue));
            }
            confirmed.insert(shard_id);
        }
        // There are at most 255 of them.
        let found = u8::try_from(confirmed.len()).unwrap_or(u8::MAX);
        if found < needed {
            return Err(fault(ShardFault::Unconfirmed { needed, found }));
        }
        if !splits.are_of(&self.domain, &self.key, &self.vault_id) {
            return Err(Misuse::OtherVault.into());
        }
        // What was dealt has no record that would tell since when there are splits of the vault.
        if splits.began() != 0 {
            return Err(Misuse::UnreadChain.into());
        }
        if splits.splits().erased_at().is_some() {
            return Err(fault(ShardFault::ErasedVault));
        }
        if splits.splits().last().copied().unwrap_or(NO_SPLIT) != self.previous {
            return Err(fault(ShardFault::StaleSplit));
        }
        splits.append(&self.identity_id, &self.previous, &self.split_id, time)
    }
}

impl fmt::Debug for Dealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dealer")
            .field("vault_id", &self.vault_id)
            .field("m", &self.m)
            .field("n", &self.node_urls.len())
            .finish_non_exhaustive()
    }
}
