//! What can be wrong with a signed note and its cosignatures.

use super::catalogue::{Family, Row, catalogued};
use alloc::string::String;
use core::fmt;

catalogued! {
    Rejected, "":
    /// A signed note, or its witnesses, that do not hold.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum NoteFault {
        /// No line is by the log's key, or it is another log's note.
        Unsigned = 260, "note-unsigned", "the note is not signed by this log's key";
        /// A line says to be by the log's key, and its signature does not hold.
        Signature = 261, "note-signature", "the log's signature on the note does not hold";
        /// A line says to be by a witness, and its signature does not hold, or its time is none.
        Witness {
            /// The name on the line.
            name: String,
        } = 262, "witness-signature", "the cosignature of a witness does not hold";
        /// Fewer witnesses saw it than must.
        TooFewWitnesses {
            /// How many must.
            needed: usize,
            /// How many did.
            found: usize,
        } = 263, "too-few-witnesses", "too few witnesses saw the note";
        /// The path does not lead from the leaf, at its index, to the root of the note.
        NoPlace = 264, "note-no-place", "the proof does not lead from the leaf to the note's root";
        /// The note, the entries or the tiles are not those that a witness saw, or do not go on from them.
        Fork = 265, "note-fork", "the log does not go on from what was seen of it: a fork";
        /// The note covers fewer entries than a witness saw.
        Shrunk {
            /// How many were seen.
            seen: u64,
            /// How many it covers.
            found: u64,
        } = 266, "note-shrunk", "the note covers fewer entries than were seen of the log";
        /// The root is not that of the entries.
        Chain = 267, "note-chain", "the note's root is not that of the chain's entries";
        /// A tile, or a bundle of leaves, is not what the entries make.
        Tile {
            /// Its path from the log's folder.
            path: String,
        } = 268, "note-tile", "a tile or bundle of the log is not what its entries make";
        /// The entries end before the note.
        Incomplete {
            /// How many the note covers.
            needed: u64,
            /// How many there are.
            found: u64,
        } = 269, "note-incomplete", "there are fewer entries than the note covers";
    }
}

impl fmt::Display for NoteFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Witness { name } => write!(f, "the cosignature of the witness {name:?} does not hold"),
            Self::TooFewWitnesses { needed, found } => write!(f, "{found} witnesses saw the note, {needed} must"),
            Self::Shrunk { seen, found } => write!(f, "the note covers {found} entries, and {seen} were seen"),
            Self::Tile { path } => write!(f, "{path:?} is not what the log's entries make"),
            Self::Incomplete { needed, found } => write!(f, "there are {found} entries, and the note covers {needed}"),
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for NoteFault {}
