//! What can be wrong with vault records that have the right form, beyond what a report on a single one tells.

use super::catalogue::{Family, Row, catalogued};
use core::fmt;

/// A layer of a vault record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The hash chain of the ledger.
    L0,
    /// What the network's perimeter reported: recorded, never checked.
    L1,
    /// HMAC-SHA256 with a session tag.
    L2,
    /// The baseline hash of the stored bytes.
    L3,
    /// Ed25519 of the tier.
    L4,
    /// The dual seal over the block.
    L5,
    /// The short handle of the chain entry.
    L6,
    /// The honeypot fragment.
    L7,
    /// The entry in the append-only chain.
    L8,
}

impl Layer {
    /// All layers, in order.
    pub const ALL: [Self; 9] =
        [Self::L0, Self::L1, Self::L2, Self::L3, Self::L4, Self::L5, Self::L6, Self::L7, Self::L8];

    /// The name on the wire: `L0` to `L8`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::L0 => "L0",
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L3 => "L3",
            Self::L4 => "L4",
            Self::L5 => "L5",
            Self::L6 => "L6",
            Self::L7 => "L7",
            Self::L8 => "L8",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

catalogued! {
    Rejected, "":
    /// Evidence about a vault that does not hold.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum VaultFault {
        /// The stored bytes are not those that were verified.
        StoredChanged = 250, "stored-changed", "the stored bytes are not those that were verified";
        /// The chain has an entry for this place of the ledger, and the record there is missing or is another one.
        LedgerTruncated {
            /// The place in the ledger.
            seq: u64,
        } = 251, "ledger-truncated",
            "a record of the ledger, which the chain vouches for, is missing or is another one";
        /// One place of the ledger was given to two records.
        LedgerFork {
            /// Where the second of them came in the stream; of two chain entries, their place in the ledger.
            seq: u64,
        } = 252, "ledger-fork", "two records share a place of the ledger";
        /// A record of the ledger does not hold, or does not stand at its place.
        LedgerRecord {
            /// The place in the ledger.
            seq: u64,
            /// The layer that caught it.
            layer: Layer,
        } = 253, "ledger-record", "a record of the ledger does not hold";
        /// A record of another ledger.
        OtherLedger {
            /// The place in the ledger where it stood.
            seq: u64,
        } = 254, "other-ledger", "a record of another ledger stands in the ledger";
        /// The ring does not hold the decoy key of a record: whoever signs with its fragment would not be caught.
        MissingDecoy {
            /// The record's place in the ledger.
            seq: u64,
        } = 255, "missing-decoy", "the ring does not hold the decoy key of a record";
        /// The proven place is that of another entry.
        OtherPlace = 256, "other-place", "the proven place in the chain is that of another entry";
    }
}

impl fmt::Display for VaultFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LedgerTruncated { seq } => {
                write!(f, "record {seq} of the ledger, which the chain vouches for, is missing or is another one")
            }
            Self::LedgerFork { seq } => write!(f, "two records share a place of the ledger, found at {seq}"),
            Self::LedgerRecord { seq, layer } => write!(f, "record {seq} of the ledger does not hold: {layer}"),
            Self::OtherLedger { seq } => write!(f, "a record of another ledger stands at place {seq}"),
            Self::MissingDecoy { seq } => write!(f, "the ring does not hold the decoy key of record {seq}"),
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for VaultFault {}
