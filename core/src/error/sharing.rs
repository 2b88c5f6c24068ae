//! What can be wrong with shares and with encrypted streams that have the right form.

use super::catalogue::{Family, Row, catalogued};
use alloc::vec::Vec;
use core::fmt;

/// Shares from which no secret was rebuilt, and who sent the bad ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharingFault {
    /// Why there is no secret.
    pub problem: SharingProblem,
    /// The indices of the shares that are not what the dealer committed to, ascending. Where there is no commitment to
    /// compare with, nobody is accused.
    pub culprits: Vec<u8>,
}

catalogued! {
    Rejected, "":
    /// Why no secret was rebuilt.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum SharingProblem {
        /// Too few shares, not counting those of the culprits.
        TooFewShares {
            /// The threshold.
            needed: u8,
            /// The shares that could be used.
            found: u8,
        } = 210, "too-few-shares", "too few of the shares are usable";
        /// Every share that was used is what the dealer committed to, and what they give is not: the dealer is at
        /// fault, or whoever changed the commitments.
        DealerFault = 211, "dealer-fault", "the shares hold, but the secret is not the dealer's";
        /// Without commitments: more of the shares are wrong than could be corrected.
        TooManyErrors {
            /// The number of wrong shares that could have been corrected.
            correctable: u8,
        } = 212, "too-many-errors", "more of the shares are wrong than can be corrected";
        /// Shares that hold belong to another set than the one asked for.
        Mixed {
            /// Their indices, ascending.
            foreign: Vec<u8>,
        } = 213, "mixed-shares", "shares of another set are among them";
    }
}

impl fmt::Display for SharingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            SharingProblem::TooFewShares { needed, found } => write!(f, "{found} usable shares, {needed} are needed"),
            SharingProblem::TooManyErrors { correctable } => {
                write!(f, "more than {correctable} of the shares are wrong, which cannot be corrected")
            }
            SharingProblem::Mixed { foreign } if !foreign.is_empty() => {
                write!(f, "{}: {foreign:?}", self.problem.row().text)
            }
            problem => f.write_str(problem.row().text),
        }?;
        for (place, index) in self.culprits.iter().enumerate() {
            write!(f, "{}{index}", if place == 0 { "; bad shares: " } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for SharingFault {}

catalogued! {
    Rejected, "":
    /// An encrypted stream that was not made by this key for this use, or was changed since.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum StreamFault {
        /// Another secret, identity or type than the one it was encrypted under. Nothing was decrypted.
        OtherKey = 216, "stream-key", "the stream was encrypted under another key, or for another use";
        /// A chunk was changed, moved, or is not the end of the stream although nothing follows it. Chunks before it
        /// hold.
        Chunk {
            /// Its position, from 0.
            index: u64,
        } = 217, "stream-chunk", "the stream was changed, moved or cut off";
    }
}

impl fmt::Display for StreamFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chunk { index } => write!(f, "chunk {index} of the stream was changed, moved or cut off"),
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for StreamFault {}
