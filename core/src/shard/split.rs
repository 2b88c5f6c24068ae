//! Splitting a vault secret into shards.

use super::record::{Shard, ShardKey, anchor, threshold};
use crate::domain::{Domain, Label, Row};
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::field::Gf2_256;
use crate::id::{IdentityId, VaultId};
use crate::krunica::{Appended, Entry, Head};
use crate::shamir::{DrawnSecret, Index, SplitId};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

/// Deals the secret of one vault to nodes.
#[derive(Clone, Copy)]
pub struct Dealer<'a> {
    /// The domain.
    pub domain: &'a Domain,
    /// The key that seals the identity's shards.
    pub key: &'a ShardKey,
    /// The vault.
    pub vault_id: &'a VaultId,
    /// The identity whose vault it is: the `w3` of the split entry.
    pub identity_id: &'a IdentityId,
    /// How many shards rebuild the secret: 2 to n.
    pub m: u8,
    /// The labels of the nodes, one for each shard, in shard order: n of them, 2 to 255.
    pub node_urls: &'a [String],
    /// The head of the chain.
    pub head: &'a Head,
    /// The time of the entry.
    pub time: Timestamp,
}

/// A new set of shards with its chain entry and the head after it: stored together, or none of them. Each shard is
/// pulled by its node, and goes nowhere else.
#[derive(Debug)]
pub struct Split {
    /// The shards, in the order of their numbers.
    pub shards: Vec<Shard>,
    /// The entry: `poruka` names the vault and the splitting.
    pub entry: Entry,
    /// The head after the entry.
    pub head: Head,
    /// The numbers of the shards that did not hold when an earlier splitting was rebuilt, ascending.
    pub culprits: Vec<Index>,
    /// As [`Reconstructed::misdealt`](crate::shamir::Reconstructed::misdealt), of the earlier splitting.
    pub misdealt: Vec<Index>,
}

impl Dealer<'_> {
    /// Splits a vault secret.
    ///
    /// # Errors
    /// [`Problem::Range`](crate::error::Problem::Range) for `n` or `m`; [`Error::Randomness`];
    /// [`Misuse::CounterExhausted`](crate::error::Misuse::CounterExhausted).
    pub fn split<R: TryCryptoRng + ?Sized>(&self, secret: &DrawnSecret<Gf2_256>, rng: &mut R) -> Result<Split, Error> {
        let Self { domain, key, vault_id, identity_id, m, node_urls, head, time } = *self;
        let threshold = threshold(m.into(), u64::try_from(node_urls.len()).unwrap_or(u64::MAX))?;
        let split_id = SplitId::draw(rng)?;
        let ids = (*vault_id, split_id, *identity_id);
        let anchor = anchor(domain, vault_id, secret.element());
        let shares = secret.split(threshold, rng)?.into_iter().zip(node_urls);
        let make = |(share, url): (_, &String)| Shard::make(domain, key, ids, threshold, anchor, url.clone(), share);
        let shards = shares.map(make).collect();
        let message = message(domain, vault_id, &split_id);
        let Appended { entry, head } = head.append_own(identity_id, &message, time)?;
        Ok(Split { shards, entry, head, culprits: Vec::new(), misdealt: Vec::new() })
    }
}

/// `P::<SPLIT>::<vault_id>::<split_id>::S`.
pub(super) fn message(domain: &Domain, vault_id: &VaultId, split_id: &SplitId) -> String {
    domain.join(Row::Shard, &[domain.label(Label::ShardSplit), &vault_id.to_string(), &split_id.to_string()])
}

/// What the messages of a vault's split entries begin with.
pub(super) fn beginning(domain: &Domain, vault_id: &VaultId) -> String {
    alloc::format!("{}::{}::{vault_id}::", domain.prefix(Row::Shard), domain.label(Label::ShardSplit))
}

impl fmt::Debug for Dealer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dealer")
            .field("vault_id", self.vault_id)
            .field("m", &self.m)
            .field("n", &self.node_urls.len())
            .finish_non_exhaustive()
    }
}
