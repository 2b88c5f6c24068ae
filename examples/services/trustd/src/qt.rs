//! Vault secrets among nodes: dealt, pulled, held in custody, and rebuilt by people who show that they are there.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | states and their changes, what a split and a request must be |
//! | `store` | rows |
//! | `routes` | the addresses |
//! | `work` | what the log's writer does: splits, pulls, acknowledgements, refreshes |
//! | `covered` | which split is in force under the last checkpoint |
//! | `vaults` | what is needed of the vault: its record, its master, its document |
//! | `keys` | what nodes pin, and who receives shards |
//! | `rebuild` | rebuilding from what nodes released |

pub(crate) mod covered;
pub(crate) mod keys;
pub(crate) mod rebuild;
pub(crate) mod routes;
pub(crate) mod rules;
pub(crate) mod store;
pub(crate) mod types;
pub(crate) mod vaults;
pub(crate) mod work;

pub use keys::{Pins, pins};
pub(crate) use routes::addresses;
pub use routes::router;
pub(crate) use store::HELD_BY_NODE;
pub use store::{Ending, end_of_splits, ending};
pub(crate) use vaults::owner;
pub(crate) use work::own_splits;

use crate::App;
use crate::vault::Vault;
use covered::Covered;
use dualseal::VaultId;
use dualseal::shard::{CoveredSplits, ShardKey};
use platform::access::World;
use platform::problem::Problem;
use std::sync::Arc;

/// All statements of this module.
pub const STATEMENTS: &[&[platform::db::Statement]] =
    &[store::ALL, store::requests::ALL, store::waiting::ALL, work::ALL, work::lapse::ALL];

/// What one process knows beside the database.
#[derive(Debug)]
pub(crate) struct Known {
    /// The vault: its keys, and where large documents lie.
    pub(crate) vault: Arc<Vault>,
    /// Splits under the last checkpoint.
    pub(crate) covered: Covered,
}

/// The splits of a vault that is to be erased, under a checkpoint that covers nearly all of the log.
///
/// # Errors
/// What the log says.
pub(crate) async fn splits(app: &App, vault_id: &VaultId, key: &ShardKey) -> Result<CoveredSplits, Problem> {
    // It is erased once: nothing that is remembered of it would be asked for again.
    Covered::default().nearly_all(app, &(*vault_id, World::Real), key).await
}

/// Ends requests and preparations whose time is over, and destroys what waits here for them; says how many.
///
/// # Errors
/// The database; the log.
pub async fn sweep(app: &App, vault: &Vault) -> Result<usize, Problem> {
    if app.config.read_only {
        return Ok(0);
    }
    Ok(store::requests::sweep(app).await? + work::lapse::sweep(app, vault).await?)
}

#[cfg(test)]
mod tests;
