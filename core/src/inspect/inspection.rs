//! What is found out about a text.

use crate::error::Error;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// So many findings are told; the rest are counted.
pub const MOST_FINDINGS: usize = 500;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A signature record.
    SignatureRecord,
    /// A chain entry that travels alone.
    Entry,
    /// A chain as a JSON array.
    Chain,
    /// A chain as JSON lines.
    ChainLines,
    /// A checkpoint.
    Checkpoint,
    /// What a signer of checkpoints signed last.
    HighWaterMark,
    /// A proof of an entry's place.
    PlaceProof,
    /// A proof of a key of a ring.
    KeyProof,
    /// Evidence in one file.
    Evidence,
    /// A ring file, which its operator keeps.
    RingFile,
    /// A ring as it is given out.
    PublicRing,
    /// Key pair info.
    KeyPairInfo,
    /// A verification result.
    VerificationResult,
    /// A dual seal.
    DualSeal,
    /// A legacy seal.
    LegacySeal,
    /// A vault record.
    VaultRecord,
    /// A vault shard. It holds a secret.
    Shard,
    /// What proofs of presence are asked for.
    PresenceRequest,
    /// A proof of presence.
    PresenceProof,
    /// The record of a threshold session.
    ThresholdSession,
    /// A share of one. It holds a secret.
    SessionShare,
    /// The result of one.
    ThresholdResult,
    /// Nothing that is known here.
    Unknown,
}

impl Kind {
    /// A name for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignatureRecord => "signature record",
            Self::Entry => "chain entry",
            Self::Chain => "chain",
            Self::ChainLines => "chain (JSON lines)",
            Self::Checkpoint => "checkpoint",
            Self::HighWaterMark => "high-water mark",
            Self::PlaceProof => "place proof",
            Self::KeyProof => "key proof",
            Self::Evidence => "evidence",
            Self::RingFile => "ring file",
            Self::PublicRing => "key ring",
            Self::KeyPairInfo => "key pair info",
            Self::VerificationResult => "verification result",
            Self::DualSeal => "dual seal",
            Self::LegacySeal => "legacy seal",
            Self::VaultRecord => "vault record",
            Self::Shard => "vault shard",
            Self::PresenceRequest => "presence request",
            Self::PresenceProof => "presence proof",
            Self::ThresholdSession => "threshold session",
            Self::SessionShare => "session share",
            Self::ThresholdResult => "threshold result",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What was found out about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// What it is, as far as its shape tells.
    pub kind: Kind,
    /// The version that it gives, where it gives one.
    pub version: Option<String>,
    /// The number of entries or keys that it holds, where it holds several.
    pub count: Option<u64>,
    /// What is wrong with its form, up to [`MOST_FINDINGS`]. Empty exactly when the reader of this kind accepts it.
    pub findings: Vec<Error>,
    /// How much more is wrong with it.
    pub omitted: u64,
}

impl Inspection {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, version: None, count: None, findings: Vec::new(), omitted: 0 }
    }

    pub(super) fn with(mut self, finding: Error) -> Self {
        self.add(finding);
        self
    }

    pub(super) fn add(&mut self, finding: Error) {
        self.unless_full(|| finding);
    }

    pub(super) fn unless_full(&mut self, finding: impl FnOnce() -> Error) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding());
        } else {
            self.omitted = self.omitted.saturating_add(1);
        }
    }
}
