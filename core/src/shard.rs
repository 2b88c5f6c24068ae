//! Vault shards: a vault secret among nodes, each share with an identifier that binds all of it and a seal of its own.
//!
//! Shards are pulled by the nodes that hold them. A node URL is a label; nothing here dials it. m shards rebuild the
//! secret anywhere: the gate before every operation is access control, not cryptography, and nodes check for themselves
//! before they let a shard go. Refreshing and changing the threshold protect only while fewer than m shards of every
//! earlier splitting survive.

mod gate;
mod in_force;
mod rebuild;
mod record;
mod split;

pub use crate::shamir::SplitId;
pub use gate::{Arguments, ArgumentsHash, Gate, Operation, Request, ShardId};
pub use in_force::{SplitCheck, SplitInForce};
pub use rebuild::{Rebuilding, RebuiltSecret, RepairedShard};
pub use record::{Shard, ShardAnchor, ShardKey, verify_shard_seal};
pub use split::{Dealer, Split};
