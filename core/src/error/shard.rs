//! What can be wrong with vault shards.

use super::catalogue::{Family, Row, catalogued};
use alloc::vec::Vec;
use core::fmt;

catalogued! {
    Rejected, "":
    /// Shards that give no secret, although they have the right form.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ShardFault {
        /// A shard's seal does not hold for its identifier, vault and identity.
        Seal = 240, "shard-seal", "the seal of the shard does not hold";
        /// A shard's members do not give its identifier.
        Identifier = 241, "shard-identifier", "the members of the shard do not give its identifier";
        /// Too few shards are left without those that hold and are not all of one vault, splitting, identity, m, n and
        /// anchor, or not of the one asked for, or that the request does not name.
        Mixed {
            /// The numbers of the shards that differ from what was asked for, or from the splitting in force, or where
            /// no chain is at hand from the splitting that most of them are of; of a tie both sides. Ascending.
            foreign: Vec<u8>,
            /// The numbers of the shards that do not hold at all, ascending.
            culprits: Vec<u8>,
        } = 242, "mixed-shards", "shards of another vault or splitting are among them";
        /// The splitting is not the last one of its vault in the chain.
        SupersededSplit {
            /// The numbers of the shards that do not hold at all, ascending.
            culprits: Vec<u8>,
        } = 243, "superseded-split", "the shards are of a splitting that was superseded";
        /// No splitting of the vault stands in the chain below the checkpoint.
        NoSplit = 244, "no-split", "no splitting of the vault stands in the chain below the checkpoint";
        /// A request is not for this shard, this recipient or this operation.
        OtherRequest {
            /// The first member of the request that is another, by its name on the wire.
            member: &'static str,
        } = 245, "other-request", "the request is for something else";
        /// Another split was committed since this one was prepared.
        StaleSplit = 246, "stale-split", "another split was committed since this one was prepared";
        /// Fewer nodes confirmed that they hold a new shard than must.
        Unconfirmed {
            /// How many must.
            needed: u8,
            /// How many did.
            found: u8,
        } = 247, "unconfirmed", "too few nodes confirmed that they hold a new shard";
        /// The vault was erased: nothing continues its last split.
        ErasedVault = 248, "erased-vault", "the vault was erased";
        /// A node holds the shard of another preparation, which it acknowledged and which may be committed by now.
        AlreadyPrepared = 249, "already-prepared", "the node holds the shard of another preparation";
    }
}

impl fmt::Display for ShardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mixed { foreign, .. } => {
                write!(f, "shards of another vault or splitting are among them: {foreign:?}")
            }
            Self::OtherRequest { member } => write!(f, "the request is for another {member}"),
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for ShardFault {}
