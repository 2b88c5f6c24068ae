//! What can be wrong with threshold sessions and their results.

use core::fmt;

/// Evidence about a threshold session that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThresholdFault {
    /// No entry of this session stands in the chain below the checkpoint.
    NoSession,
    /// The record of a located session entry was not given.
    MissingRecord {
        /// The position of that entry.
        seq: u64,
    },
    /// The session in force differs from the first one in something that never changes.
    Changed {
        /// The member, by its name on the wire.
        member: &'static str,
    },
    /// The session's anchor is not the one that the caller pinned.
    OtherAnchor,
    /// The rebuilt secret is not the seed of the session's public key.
    OtherKey,
    /// The session is of the other kind: a quorum with a public key, or without.
    OtherKind,
    /// The result is not what this session made of this message.
    Signature,
    /// A share that was made again is not what was committed to for this custodian: it is another's, or the dealer
    /// committed to something else. The secret itself is the one that was dealt.
    NotCommitted {
        /// The number of the share.
        index: u8,
    },
}

impl ThresholdFault {
    pub(super) fn code(&self) -> u16 {
        match self {
            Self::NoSession => 230,
            Self::MissingRecord { .. } => 231,
            Self::Changed { .. } => 232,
            Self::OtherAnchor => 233,
            Self::OtherKey => 234,
            Self::OtherKind => 235,
            Self::Signature => 236,
            Self::NotCommitted { .. } => 237,
        }
    }
}

impl fmt::Display for ThresholdFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSession => f.write_str("no entry of this session stands in the chain below the checkpoint"),
            Self::MissingRecord { seq } => write!(f, "the session record of chain entry {seq} was not given"),
            Self::Changed { member } => write!(f, "a later record of the session has another {member}"),
            Self::OtherAnchor => f.write_str("the session's anchor is not the pinned one"),
            Self::OtherKey => f.write_str("the rebuilt secret is not the seed of the session's key"),
            Self::OtherKind => f.write_str("the session is of the other kind"),
            Self::Signature => f.write_str("the result is not what this session made of this message"),
            Self::NotCommitted { index } => write!(f, "share {index} was not committed to for this custodian"),
        }
    }
}

impl core::error::Error for ThresholdFault {}
