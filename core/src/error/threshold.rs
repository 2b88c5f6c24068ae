//! What can be wrong with threshold sessions and their results.

use super::catalogue::{Family, Row, catalogued};
use core::fmt;

catalogued! {
    Rejected, "":
    /// Evidence about a threshold session that does not hold.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ThresholdFault {
        /// No entry of this session stands in the chain below the checkpoint.
        NoSession = 230, "session-absent", "no entry of this session stands in the chain below the checkpoint";
        /// The record of a located session entry was not given.
        MissingRecord {
            /// The position of that entry.
            seq: u64,
        } = 231, "session-record", "a record of the session was not given";
        /// The session in force differs from the first one in something that never changes.
        Changed {
            /// The member, by its name on the wire.
            member: &'static str,
        } = 232, "session-changed", "a later record of the session has changed what never changes";
        /// The session's anchor is not the one that the caller pinned.
        OtherAnchor = 233, "session-anchor", "the session's anchor is not the pinned one";
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
    }
}

impl fmt::Display for ThresholdFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingRecord { seq } => write!(f, "the session record of chain entry {seq} was not given"),
            Self::Changed { member } => write!(f, "a later record of the session has another {member}"),
            Self::NotCommitted { index } => write!(f, "share {index} was not committed to for this custodian"),
            _ => f.write_str(self.row().text),
        }
    }
}

impl core::error::Error for ThresholdFault {}
