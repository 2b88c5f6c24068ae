//! The end of the splits of a vault that is erased.

use super::{END_SHARDS, END_SPLITS, ShardRow, requests, shards, splits};
use crate::qt::rules::{ShardState, is_erased};
use dualseal::VaultId;
use dualseal::shamir::SplitId;
use dualseal_operator::secrets::Place;
use platform::access::World;
use platform::db::Tx;
use platform::problem::Problem;
use platform::values;

/// What an erasure of a vault needs to know of its splits, and does to them.
#[derive(Debug, Default)]
pub struct Ending {
    /// Those that were prepared and never committed, of which no chain tells.
    pub prepared: Vec<SplitId>,
    /// Where shards still wait for their nodes: its step forgets them.
    pub waiting: Vec<Place>,
    /// All that were dealt here.
    pub known: Vec<SplitId>,
    /// Whether nodes hold as many shards of one as rebuild.
    pub rebuilds: bool,
}

/// What an erasure of a vault needs to know of its splits.
///
/// # Errors
/// The database.
pub async fn ending(tx: &mut Tx, line: &(VaultId, World)) -> Result<Ending, Problem> {
    let mut ending = Ending::default();
    let mut remain = Vec::new();
    for split in splits(tx, line).await? {
        let shards = shards(tx, &split.split_id).await?;
        for shard in shards.iter().filter(|shard| shard.state.waits()) {
            ending.waiting.push(shard.place()?);
        }
        // What no node has fetched is forgotten here.
        let left = |shard: &ShardRow| if shard.state == ShardState::Dealt { ShardState::Deleted } else { shard.state };
        remain.push((split.m, shards.iter().map(left).collect()));
        if split.seq.is_none() {
            ending.prepared.push(split.split_id);
        }
        ending.known.push(split.split_id);
    }
    ending.rebuilds = !is_erased(&remain);
    Ok(ending)
}

/// Ends the splits of a vault, in the transaction that erases it.
///
/// # Errors
/// The database.
pub async fn end_of_splits(tx: &mut Tx, line: &(VaultId, World), now: i64) -> Result<(), Problem> {
    let (vault_id, world) = line;
    tx.execute(END_SPLITS, values![vault_id.to_hex(), world.number()]).await?;
    tx.execute(END_SHARDS, values![vault_id.to_hex(), now, world.number()]).await?;
    requests::end_of_vault(tx, line).await
}
