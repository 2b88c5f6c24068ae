//! What a node keeps of one threshold session, and what it checks before it deletes any of it.

use super::challenge::Nonce;
use super::node::DropOrder;
use super::statement::Statement;
use crate::domain::Domain;
use crate::ed25519::Ed25519PublicKey;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, Rejected, ShardFault, ThresholdFault};
use crate::shamir::SplitId;
use crate::shard::KnownSplit;
use crate::threshold::{Acknowledgement, Session, SessionShare};
use core::fmt;

/// A custodian's share of one session at its node, with the record of its generation: the one that counts, and at most
/// one that was prepared and does not count yet.
///
/// The node stores what is here after each call, as it stores the nonces that it saw: all of it or nothing.
#[derive(Default)]
pub struct NodeShares {
    current: Option<(SessionShare, Session)>,
    prepared: Option<(SessionShare, Session, Timestamp)>,
}

impl NodeShares {
    /// A node that holds nothing of the session, or this share, which the record commits to.
    ///
    /// # Errors
    /// As [`SessionShare::acknowledge`].
    pub fn new(domain: &Domain, current: Option<(SessionShare, Session)>) -> Result<Self, Error> {
        if let Some((share, record)) = &current {
            share.acknowledge(domain, record)?;
        }
        Ok(Self { current, prepared: None })
    }

    /// The share that counts, and its record.
    #[must_use]
    pub fn current(&self) -> Option<(&SessionShare, &Session)> {
        self.current.as_ref().map(|(share, record)| (share, record))
    }

    /// The share that was prepared, its record without authority, and until when it is kept.
    #[must_use]
    pub fn prepared(&self) -> Option<(&SessionShare, &Session, Timestamp)> {
        self.prepared.as_ref().map(|(share, record, until)| (share, record, *until))
    }

    /// Takes a share that was prepared, with the record of its generation, and keeps the one that counts. Gives what
    /// the node acknowledges, over the channel that authenticates it. One that was repaired for a custodian who missed
    /// a generation comes in the same way, with the record that was committed: it need not continue what is here.
    ///
    /// The same share may come again, where the acknowledgement was lost, and is kept until the later of both times.
    /// Another one is refused as long as the node holds the one that it acknowledged: that one may have been committed.
    /// `until` is later than the coordinator may still commit.
    ///
    /// # Errors
    /// [`Misuse::OtherVault`] for a share of another session than the node holds, prepared or not;
    /// [`ThresholdFault::StaleGeneration`] for a founder's record, which replaces nothing (see [`new`](Self::new)), and
    /// for the split that counts here; [`ThresholdFault::Authority`] for a committed record of an ML-DSA session whose
    /// authority does not hold; [`ShardFault::AlreadyPrepared`]; as [`SessionShare::acknowledge`].
    pub fn prepare(
        &mut self,
        domain: &Domain,
        share: SessionShare,
        record: Session,
        until: Timestamp,
    ) -> Result<Acknowledgement, Error> {
        let same = |own: &Session| own.is_of_session(&record);
        if self.current.as_ref().is_some_and(|(_, own)| !same(own))
            || self.prepared.as_ref().is_some_and(|(_, own, _)| !same(own))
        {
            return Err(Misuse::OtherVault.into());
        }
        let counts = |(_, own): &(SessionShare, Session)| own.split_id() == record.split_id();
        if record.previous().is_none() || self.current.as_ref().is_some_and(counts) {
            return Err(refused(ThresholdFault::StaleGeneration));
        }
        if record.authority_hex().is_some() && !record.is_committed_as(domain, &record) {
            return Err(refused(ThresholdFault::Authority));
        }
        let said = share.acknowledge(domain, &record)?;
        let mut until = until;
        if let Some((held, before, time)) = &self.prepared {
            if !before.is_of_generation(&record) || held.index() != share.index() {
                return Err(Error::Rejected(Rejected::Shard(ShardFault::AlreadyPrepared)));
            }
            until = until.max(*time);
        }
        self.prepared = Some((share, record, until));
        Ok(said)
    }

    /// Deletes a prepared share whose time is over and which does not count. `split` is that of the generation in
    /// force, as the operator told the node, who had read the log up to `told`: as long as that is before the end of
    /// its time, the share stays, since it may have been committed later. One whose generation is in force stays until
    /// the operator's word ([`obey`](Self::obey)) puts it in the place of the old one. Where there is no chain, `told`
    /// is now.
    pub fn expire(&mut self, split: KnownSplit, told: Timestamp) {
        let counts = |split_id: &SplitId| matches!(split, KnownSplit::InForce(in_force) if in_force == *split_id);
        let over = |(share, _, until): &(SessionShare, Session, Timestamp)| told >= *until && !counts(share.split_id());
        if self.prepared.as_ref().is_some_and(over) {
            self.prepared = None;
        }
    }

    /// Deletes the old share on the operator's word alone, with the full record of the generation in force beside it:
    /// strict Ed25519 by the key that the node pinned, to this node by its name, for a nonce that the node drew. The
    /// order names the split of the prepared share, which counts from now on. What the chain says makes nobody delete:
    /// anybody may write there. The authority of an ML-DSA session's record is verified; that of an HMAC session only
    /// its secret tells.
    ///
    /// # Errors
    /// [`Misuse::NoShards`] where the node holds nothing; as [`Statement::verify`];
    /// [`ShardFault::OtherRequest`] for a split of which the node holds no prepared share;
    /// [`ThresholdFault::Authority`] for a record that is not the prepared one with a good authority. Then nothing is
    /// deleted and no nonce spent.
    #[allow(clippy::too_many_arguments, reason = "all of them are what is verified, and none belongs to another")]
    pub fn obey(
        &mut self,
        domain: &Domain,
        audience: &str,
        order: DropOrder<'_>,
        record: &Session,
        operator: &Ed25519PublicKey,
        now: Timestamp,
        consume: &mut dyn FnMut(&Nonce) -> bool,
    ) -> Result<(), Error> {
        let DropOrder { split_id, nonce, expiry, signature } = order;
        if self.current.is_none() && self.prepared.is_none() {
            return Err(Misuse::NoShards.into());
        }
        let Some((share, prepared, _)) = self.prepared.as_ref().filter(|(share, ..)| share.split_id() == split_id)
        else {
            return Err(crate::shard::other_request("split_id"));
        };
        if !prepared.is_committed_as(domain, record) {
            return Err(refused(ThresholdFault::Authority));
        }
        let statement = Statement::dropping_shares(audience, share.session_id(), split_id)?;
        statement.verify(domain, nonce, expiry, operator, signature, now, consume)?;
        self.current = self.prepared.take().map(|(share, ..)| (share, record.clone()));
        Ok(())
    }
}

fn refused(fault: ThresholdFault) -> Error {
    Error::Rejected(Rejected::Threshold(fault))
}

impl fmt::Debug for NodeShares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeShares").field("current", &self.current).field("prepared", &self.prepared).finish()
    }
}
