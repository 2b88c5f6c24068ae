//! What can be wrong with vault shards.

use alloc::vec::Vec;
use core::fmt;

/// Shards that give no secret, although they have the right form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardFault {
    /// A shard's seal does not hold for its identifier, vault and identity.
    Seal,
    /// A shard's members do not give its identifier.
    Identifier,
    /// Shards that hold are not all of one vault, splitting, identity, m, n and anchor, or not of the one asked for.
    Mixed {
        /// The numbers of the shards that differ from what was asked for, or from the splitting in force, or where no
        /// chain is at hand from the splitting that most of them are of; ascending.
        indices: Vec<u8>,
        /// The numbers of the shards that do not hold at all, ascending.
        culprits: Vec<u8>,
    },
    /// The splitting is not the last one of its vault in the chain.
    SupersededSplit {
        /// The numbers of the shards that do not hold at all, ascending.
        culprits: Vec<u8>,
    },
    /// No splitting of the vault stands in the chain below the checkpoint.
    NoSplit,
}

impl ShardFault {
    pub(super) fn code(&self) -> u16 {
        match self {
            Self::Seal => 240,
            Self::Identifier => 241,
            Self::Mixed { .. } => 242,
            Self::SupersededSplit { .. } => 243,
            Self::NoSplit => 244,
        }
    }
}

impl fmt::Display for ShardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seal => f.write_str("the seal of the shard does not hold"),
            Self::Identifier => f.write_str("the members of the shard do not give its identifier"),
            Self::Mixed { indices, .. } => {
                write!(f, "shards of another vault or splitting are among them: {indices:?}")
            }
            Self::SupersededSplit { .. } => f.write_str("the shards are of a splitting that was superseded"),
            Self::NoSplit => f.write_str("no splitting of the vault stands in the chain below the checkpoint"),
        }
    }
}

impl core::error::Error for ShardFault {}
