//! One turn of a node.
//!
//! | file | what it is |
//! |---|---|
//! | `enrolled` | whose presence counts here |
//! | `shares` | what of it is about quorums |
//! | `rule` | the keeper's own rule |

mod enrolled;
mod rule;
mod shares;

use super::keeper::Keeper;
use super::{Node, NodeError};
use crate::presence::verify::Authenticators;
use crate::qt::types::{PollRequest, PollVault, Said};
use dualseal::id::SessionId;
use dualseal::presence::{DropOrder, NodeShards, Nonce, Presence};
use dualseal::shamir::SplitId;
use dualseal::shard::{KnownSplit, Shard, ShardId};
use dualseal::{SystemRng, VaultId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use uuid::Uuid;

/// What a turn did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Shards that were pulled, and are kept.
    pub pulled: Vec<ShardId>,
    /// Shards that were deleted.
    pub deleted: Vec<ShardId>,
    /// Shards that were let go, each for one request.
    pub released: Vec<ShardId>,
    /// Quorums' shares that were pulled, and are kept: session and number.
    pub shares: Vec<(SessionId, u8)>,
    /// Requests of quorums that shares were given back for.
    pub given: Vec<Uuid>,
    /// Why others were not, by the name of the library's error.
    pub refused: Vec<String>,
}

impl Turn {
    /// Whether there was nothing to do.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        *self == Self::default()
    }
}

impl Turn {
    /// What is wrong with one vault, share or request keeps nobody from another: it is left for the next turn.
    fn left(&mut self, done: Result<(), NodeError>, what: &'static str, of: &dyn fmt::Display) {
        if let Err(error) = done {
            tracing::warn!(what, %of, %error, "left for the next turn");
            self.refused.push(error.name());
        }
    }
}

impl Node {
    /// Asks the service what waits, and does it.
    ///
    /// # Errors
    /// [`NodeError`]: what was done until then is done.
    pub async fn turn(&mut self) -> Result<Turn, NodeError> {
        let (mut turn, told) = (Turn::default(), self.client.poll().await?);
        for vault in &told.vaults {
            let done = self.vault(vault, &mut turn).await;
            turn.left(done, "a vault", &vault.vault_id.0);
        }
        let splits: BTreeMap<VaultId, &PollVault> = told.vaults.iter().map(|one| (one.vault_id.0, one)).collect();
        // Noted at each turn: one counts from when this node met it.
        let authenticators = self.known(&told.authenticators).await?;
        for request in &told.requests {
            let in_force = splits.get(&request.request.vault_id.0).and_then(|one| one.split_id);
            let done = self.request(request, in_force.map(|split| split.0), &authenticators, &mut turn).await;
            turn.left(done, "a request for shards", &request.request_id);
        }
        self.shares(&mut turn).await?;
        Ok(turn)
    }

    async fn vault(&mut self, told: &PollVault, turn: &mut Turn) -> Result<(), NodeError> {
        let (vault_id, domain) = (told.vault_id.0, self.pinned.domain.clone());
        let mut shards = self.keeper.vault(&domain, &vault_id)?;
        let mut gone: BTreeSet<ShardId> = here(&shards).into_iter().chain(told.held.iter().map(|one| one.0)).collect();
        if let (Some(split_id), Some(at)) = (told.split_id, told.told) {
            shards = self.settle(&vault_id, split_id.0, at.0, shards).await?;
        }
        if told.waits {
            let (text, until) = self.client.pull(&vault_id).await?;
            let shard = Shard::from_json(&text)?;
            if *shard.vault_id() != vault_id || shard.node_url() != self.config.label {
                return Err(NodeError::Client(super::ClientError::Answer("shard of this vault and node")));
            }
            let shard_id = shards.prepare(&domain, shard, until)?;
            // It is acknowledged when it is on the disk: the service deletes its own then.
            self.keeper.keep(&vault_id, &shards)?;
            self.client.say(&vault_id, &shard_id, Said::Held).await?;
            turn.pulled.push(shard_id);
        }
        // Also what the service believes to be here and is not: it counts on it.
        let here = here(&shards);
        gone.retain(|shard_id| !here.contains(shard_id));
        for shard_id in gone {
            self.client.say(&vault_id, &shard_id, Said::Deleted).await?;
            turn.deleted.push(shard_id);
        }
        Ok(())
    }

    /// Lets go what does not count any more: what was prepared and never committed by itself, what was in force before
    /// on the operator's word alone.
    async fn settle(
        &mut self,
        vault_id: &VaultId,
        in_force: SplitId,
        at: dualseal::Timestamp,
        mut shards: NodeShards,
    ) -> Result<NodeShards, NodeError> {
        let domain = self.pinned.domain.clone();
        let before = here(&shards);
        let is_erased = *in_force.as_bytes() == [0; 32];
        shards.expire(KnownSplit::InForce(in_force), at);
        let counts = shards.prepared().is_some_and(|(shard, _)| *shard.split_id() == in_force);
        if counts || (is_erased && !here(&shards).is_empty()) {
            let nonce = Nonce::draw(&mut SystemRng)?;
            let order = self.client.order(vault_id, &nonce).await?;
            let signature = order.signature.parse()?;
            let (expiry, now) = (order.expiry.0, self.clock.now());
            let order = DropOrder { split_id: &order.split_id.0, nonce: &nonce, expiry, signature: &signature };
            let Self { keeper, pinned, config, .. } = self;
            let mut consume = |nonce: &Nonce| keeper.spend(nonce, expiry, now);
            shards.obey(&domain, &config.label, order, &pinned.operator, now, &mut consume)?;
        }
        if here(&shards) != before || counts {
            self.keeper.keep(vault_id, &shards)?;
        }
        Ok(shards)
    }

    /// Judges a request, and lets the shard go that it names.
    async fn request(
        &mut self,
        asked: &PollRequest,
        in_force: Option<SplitId>,
        authenticators: &Authenticators,
        turn: &mut Turn,
    ) -> Result<(), NodeError> {
        let Some(request) = asked.request.request() else {
            turn.refused.push("malformed".to_owned());
            return Ok(());
        };
        let Some(in_force) = in_force else { return Ok(()) };
        let shards = self.keeper.vault(&self.pinned.domain, &request.vault_id)?;
        let held = [shards.current(), shards.prepared().map(|(shard, _)| shard)];
        let Some(shard) = held.into_iter().flatten().find(|shard| *shard.split_id() == request.split_id) else {
            return Ok(());
        };
        let now = self.clock.now();
        let (nonce, expiry) = (asked.nonce.0, asked.expiry.0);
        let released = {
            let Self { keeper, pinned, config, .. } = self;
            let mut consume = |nonce: &Nonce| Keeper::spend(keeper, nonce, expiry, now);
            let mut gate = Presence {
                verifier: authenticators,
                proofs: &asked.proofs,
                nonce,
                expiry,
                required: config.proofs,
                consume: &mut consume,
            };
            let split = KnownSplit::InForce(in_force);
            shard.release(&pinned.domain, &request, &pinned.recipient, split, &mut gate, now)
        };
        match released {
            Ok(()) => {
                self.client.release(&asked.request_id, &shard.to_json()).await?;
                turn.released.push(*shard.shard_id());
            }
            Err(error) => {
                tracing::warn!(request = %asked.request_id, %error, "a shard is not let go");
                turn.refused.push(error.row().name.to_owned());
            }
        }
        Ok(())
    }
}

fn here(shards: &NodeShards) -> Vec<ShardId> {
    let held = [shards.current(), shards.prepared().map(|(shard, _)| shard)];
    held.into_iter().flatten().map(|shard| *shard.shard_id()).collect()
}
