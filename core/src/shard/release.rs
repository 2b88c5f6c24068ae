//! What a node asks itself before it lets its shard go.

use super::gate::{Gate, Recipient, Request};
use super::record::{Shard, fault};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, ShardFault};
use crate::shamir::{SplitId, Threshold};

/// Which splitting of a vault counts, as far as a node knows: it holds no key for the tags of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownSplit {
    /// The splitting in force, as the operator told the node.
    InForce(SplitId),
    /// There is no chain, and so nobody can tell.
    NoChain,
}

impl Shard {
    /// Whether a node lets this shard go: the only call that it makes before it answers a request. `recipient` is who
    /// asks, by the key that the node pinned and the channel authenticated.
    ///
    /// The request must be for this shard's vault, splitting and identity, name this shard, m to n of them in all, and
    /// the recipient, and the splitting must be in force. Then the gate is asked, with the time `now`: once and last,
    /// so that a request which does not fit spends no nonce. A nonce is consumed by each node for itself.
    ///
    /// # Errors
    /// [`ShardFault::OtherRequest`] with the first member that does not fit; [`ShardFault::SupersededSplit`]; what the
    /// gate says.
    pub fn release(
        &self,
        domain: &Domain,
        request: &Request,
        recipient: &Recipient,
        split: KnownSplit,
        gate: &mut dyn Gate,
        now: Timestamp,
    ) -> Result<(), Error> {
        let ids = &request.shard_ids;
        for (member, fits) in [
            ("vault_id", request.vault_id == self.vault_id),
            ("split_id", request.split_id == self.split_id),
            ("identity_id", request.identity_id == self.identity_id),
            ("primatelj", request.recipient == *recipient),
            ("shard_ids", request.names_as_many_as(self.threshold) && ids.contains(&self.shard_id)),
        ] {
            if !fits {
                return Err(fault(ShardFault::OtherRequest { member }));
            }
        }
        if matches!(split, KnownSplit::InForce(in_force) if in_force != self.split_id) {
            return Err(fault(ShardFault::SupersededSplit { culprits: [].into() }));
        }
        gate.pass(domain, request, now)
    }
}

impl Request {
    /// Whether this shard of the splitting is named.
    pub(super) fn names(&self, shard: &Shard) -> bool {
        self.split_id == shard.split_id && self.shard_ids.contains(&shard.shard_id)
    }

    /// Whether m to n different shards are named, ascending.
    pub(super) fn names_as_many_as(&self, threshold: Threshold) -> bool {
        let ascending = self.shard_ids.is_sorted_by(|one, next| one < next);
        let (least, most) = (usize::from(threshold.k()), usize::from(threshold.n()));
        ascending && (least..=most).contains(&self.shard_ids.len())
    }
}
