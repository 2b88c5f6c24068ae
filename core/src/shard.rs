//! Vault shards: a vault secret among nodes, each share with a seal of its own.

mod gate;

pub use gate::{Arguments, ArgumentsHash, Gate, Operation, Request, ShardId, SplitId};
