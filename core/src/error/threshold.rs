//! What can be wrong with threshold sessions and their results.

use super::catalogue::{Family, Row, catalogued};
use core::fmt;

catalogued! {
    Rejected, "":
    /// Evidence about a threshold session that does not hold.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ThresholdFault {
        /// A record has no authority of the session where it must, or has one where it must not.
        Authority = 229, "session-authority", "the record does not have the authority that it must have";
        /// The founding that was pinned does not stand in the chain below the checkpoint.
        NoSession = 230, "session-absent", "the session's founding does not stand in the chain below the checkpoint";
        /// The record of the founding was not given.
        MissingRecord {
            /// The position of that entry.
            seq: u64,
        } = 231, "session-record", "the record of the founding was not given";
        /// The quorum's key was revoked, and authorises nothing that stands after that.
        RevokedKey = 232, "session-revoked", "the key of the session was revoked and authorises no generation";
        /// The ring that was given does not hold the session's key, so that nothing tells whether it was revoked.
        UnknownKey = 233, "session-key-unknown", "the ring does not hold the session's key";
        /// The rebuilt secret is not the seed of the session's public key.
        OtherKey = 234, "session-key", "the rebuilt secret is not the seed of the session's key";
        /// The session is of the other kind: a quorum with a public key, or without.
        OtherKind = 235, "session-kind", "the session is of the other kind";
        /// The result is not what this session made of this message.
        Signature = 236, "session-result", "the result is not what this session made of this message";
        /// A share that was made again is not what was committed to for this custodian: it is another's, or the dealer
        /// committed to something else. The secret itself is the one that was dealt.
        NotCommitted {
            /// The number of the share.
            index: u8,
        } = 237, "share-not-committed", "the share was not committed to for this custodian";
        /// Another generation of the session is in force by now than the one that this was prepared from.
        StaleGeneration = 238, "stale-generation", "another generation of the session is in force by now";
        /// Too few custodians said that their prepared shares have arrived.
        TooFewAcknowledgements {
            /// How many must.
            needed: u8,
            /// How many did.
            found: u8,
        } = 239, "too-few-acknowledgements", "too few custodians said that they have their new shares";
    }
}

impl fmt::Display for ThresholdFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingRecord { seq } => write!(f, "the session record of chain entry {seq} was not given"),
            Self::NotCommitted { index } => write!(f, "share {index} was not committed to for this custodian"),
            Self::TooFewAcknowledgements { needed, found } => {
                write!(f, "{found} custodians said that they have their new shares, {needed} must")
            }
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for ThresholdFault {}
