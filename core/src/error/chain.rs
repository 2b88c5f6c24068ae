//! What can be wrong with a chain, and with a ring beside its chain.

use super::catalogue::{Family, Row, catalogued};
use alloc::string::String;
use core::fmt;

/// The first entry of a chain that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainFault {
    /// The position of the entry, from 0.
    pub seq: u64,
    /// What is wrong with it.
    pub problem: ChainProblem,
}

catalogued! {
    Rejected, "a chain entry ":
    /// What is wrong with an entry of a chain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ChainProblem {
        /// Not a JSON object with exactly the members of an entry.
        Members = 200, "chain-members", "does not have exactly the members of an entry";
        /// `prev` is not the hash of the entry before it.
        Prev = 201, "chain-prev", "does not name the entry before it";
        /// A member does not have its form, or a lone entry says another position.
        Format = 202, "chain-format", "has a member of the wrong form";
        /// `h` is not the hash of the entry.
        Hash = 203, "chain-hash", "was altered: its hash does not match";
    }
}

catalogued! {
    Rejected, "":
    /// How a chain disagrees with a checkpoint.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CheckpointFault {
        /// Entries at its end are missing.
        Truncated {
            /// The entries that the checkpoint covers.
            size: u64,
            /// The entries that are there.
            found: u64,
        } = 204, "chain-truncated", "the end of the chain is missing";
        /// It holds together, and is another chain.
        Rewritten {
            /// The entries that the checkpoint covers.
            size: u64,
        } = 205, "chain-rewritten", "the chain is another one than the checkpoint's";
        /// The links end where the checkpoint says, but its tree is another: times are altered, or whoever signed it
        /// showed different entries to those who read the tree.
        TreeDisagrees {
            /// The entries that the checkpoint covers.
            size: u64,
        } = 206, "tree-disagrees", "the tree over the entries is another one than the checkpoint's";
    }
}

catalogued! {
    Rejected, "":
    /// How a ring disagrees with its chain.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum RingFault {
        /// The chain holds a later change than the ring, or a later vault record: somebody restored an old ring.
        Rollback {
            /// The ring's revision.
            ring: u64,
            /// The greatest revision in the chain.
            chain: u64,
        } = 207, "ring-rollback", "the ring is an old one";
        /// The ring is not the one that its chain and its own MAC vouch for, and is not an older one either.
        Forged {
            /// The first identity, in order, whose keys differ (64 hexadecimal characters); `None` when the ring's MAC
            /// does not hold, or only its revision or place in the chain differs.
            identity_id: Option<String>,
        } = 208, "ring-forged", "the ring is not the one that its chain vouches for";
        /// A checkpoint states another ring than the last entry of one below its size.
        Misstated {
            /// The entries that the checkpoint covers.
            size: u64,
        } = 209, "ring-misstated", "the checkpoint states another ring than its chain does";
    }
}

impl fmt::Display for ChainFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chain entry {} {}", self.seq, self.problem.row().predicate())
    }
}

impl fmt::Display for CheckpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { size, found } => {
                write!(f, "the chain was cut off: the checkpoint covers {size} entries, {found} are there")
            }
            Self::Rewritten { size } => write!(f, "the chain is not the one whose {size} entries were signed"),
            Self::TreeDisagrees { size } => {
                write!(
                    f,
                    "the tree over the {size} entries that were signed is another: their times are altered, or worse"
                )
            }
        }
    }
}

impl fmt::Display for RingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rollback { ring, chain } if ring == chain => {
                f.write_str("the ring is an old one: a vault record was made after it was written")
            }
            Self::Rollback { ring, chain } => {
                write!(f, "the ring is an old one: it has revision {ring}, its chain {chain}")
            }
            Self::Forged { identity_id: Some(id) } => {
                write!(f, "the ring is not the one its chain vouches for: the keys of {id} differ")
            }
            Self::Misstated { size } => {
                write!(f, "the checkpoint of {size} entries states another ring than they do")
            }
            Self::Forged { identity_id: None } => {
                f.write_str("the ring is not the one its chain vouches for: its MAC, revision or place differs")
            }
        }
    }
}

impl core::error::Error for ChainFault {}
