//! What a node keeps of one vault, and what it checks before it deletes any of it.

use super::challenge::Nonce;
use super::statement::Statement;
use crate::domain::Domain;
use crate::ed25519::{Ed25519PublicKey, Ed25519Signature};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, Rejected, ShardFault};
use crate::shamir::SplitId;
use crate::shard::{KnownSplit, Shard, ShardId};
use core::fmt;

/// The shards of one vault at a node: the one that counts, and at most one that was prepared and does not count yet.
///
/// The node stores what is here after each call, as it stores the nonces that it saw: all of it or nothing.
#[derive(Default)]
pub struct NodeShards {
    current: Option<Shard>,
    prepared: Option<(Shard, Timestamp)>,
}

/// The operator's word to delete, as it came.
#[derive(Clone, Copy, Debug)]
pub struct DropOrder<'a> {
    /// The split that is in force, or 64 zeros where the vault was erased.
    pub split_id: &'a SplitId,
    /// The nonce that this node drew.
    pub nonce: &'a Nonce,
    /// When the order expires.
    pub expiry: Timestamp,
    /// The signature.
    pub signature: &'a Ed25519Signature,
}

impl NodeShards {
    /// A node that holds nothing of the vault, or this shard.
    #[must_use]
    pub fn new(current: Option<Shard>) -> Self {
        Self { current, prepared: None }
    }

    /// The shard that counts.
    #[must_use]
    pub fn current(&self) -> Option<&Shard> {
        self.current.as_ref()
    }

    /// The shard that was prepared, and until when it is kept.
    #[must_use]
    pub fn prepared(&self) -> Option<(&Shard, Timestamp)> {
        self.prepared.as_ref().map(|(shard, until)| (shard, *until))
    }

    /// Takes a shard that was prepared, and keeps the one that counts. Gives what the node acknowledges, over the
    /// channel that authenticates it: a shard whose members do not give its identifier is not acknowledged, since old
    /// shards are deleted once enough of the new ones are. The seal shows itself only to who has the operator's key.
    ///
    /// The same shard may come again, where the acknowledgement was lost, and is kept until the later of both times.
    /// Another one is refused as long as the node holds the one that it acknowledged: that one may have been committed.
    /// It goes when its time is over ([`expire`](Self::expire)) or on the operator's word ([`obey`](Self::obey)).
    /// `until` is later than the operator may still commit.
    ///
    /// # Errors
    /// [`Misuse::OtherVault`] for a shard of another vault or identity than the node holds, prepared or not;
    /// [`ShardFault::Identifier`]; [`ShardFault::AlreadyPrepared`].
    pub fn prepare(&mut self, domain: &Domain, shard: Shard, until: Timestamp) -> Result<ShardId, Error> {
        let same = |own: &Shard| (own.vault_id(), own.identity_id()) == (shard.vault_id(), shard.identity_id());
        if !self.held().is_none_or(same) {
            return Err(Misuse::OtherVault.into());
        }
        shard.check_identifier(domain)?;
        let shard_id = *shard.shard_id();
        let until = match &self.prepared {
            Some((held, before)) if *held.shard_id() == shard_id => until.max(*before),
            Some(_) => return Err(Error::Rejected(Rejected::Shard(ShardFault::AlreadyPrepared))),
            None => until,
        };
        self.prepared = Some((shard, until));
        Ok(shard_id)
    }

    /// Deletes a prepared shard whose time is over and which does not count. `split` is the splitting in force, as the
    /// operator told the node, who had read the log up to `told`: as long as that is before the end of its time, the
    /// shard stays, since it may have been committed later. One whose split is in force stays until the operator's word
    /// ([`obey`](Self::obey)) puts it in the place of the old one. Where there is no chain, `told` is now.
    pub fn expire(&mut self, split: KnownSplit, told: Timestamp) {
        let counts = |shard: &Shard| matches!(split, KnownSplit::InForce(in_force) if in_force == *shard.split_id());
        if self.prepared.as_ref().is_some_and(|(shard, until)| told >= *until && !counts(shard)) {
            self.prepared = None;
        }
    }

    /// Deletes on the operator's word alone: strict Ed25519 by the key that the node pinned, to this node by its name,
    /// for a nonce that the node drew. Where the order names the split of the prepared shard, that one counts from now
    /// on and the old one is wiped; where it says that the vault was erased, all of it is. What the chain says makes
    /// nobody delete: anybody may write there.
    ///
    /// # Errors
    /// [`Misuse::NoShards`] where the node holds nothing; as [`Statement::verify`];
    /// [`ShardFault::OtherRequest`] for a split of which the node holds no
    /// prepared shard, and then nothing is deleted and no nonce spent.
    pub fn obey(
        &mut self,
        domain: &Domain,
        audience: &str,
        order: DropOrder<'_>,
        operator: &Ed25519PublicKey,
        now: Timestamp,
        consume: &mut dyn FnMut(&Nonce) -> bool,
    ) -> Result<(), Error> {
        let DropOrder { split_id, nonce, expiry, signature } = order;
        let vault_id = self.held().ok_or(Misuse::NoShards)?.vault_id();
        let erased = *split_id.as_bytes() == [0; 32];
        if !erased && self.prepared.as_ref().is_none_or(|(shard, _)| shard.split_id() != split_id) {
            return Err(crate::shard::other_request("split_id"));
        }
        let statement = Statement::dropping(audience, vault_id, split_id)?;
        statement.verify(domain, nonce, expiry, operator, signature, now, consume)?;
        let prepared = self.prepared.take();
        self.current = prepared.filter(|_| !erased).map(|(shard, _)| shard);
        Ok(())
    }

    /// Any shard of the vault: all that are here are of one.
    fn held(&self) -> Option<&Shard> {
        self.current.as_ref().or(self.prepared.as_ref().map(|(shard, _)| shard))
    }
}

impl fmt::Debug for NodeShards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeShards").field("current", &self.current).field("prepared", &self.prepared).finish()
    }
}
