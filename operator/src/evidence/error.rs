//! What can be in the way of evidence.

use crate::chain::ChainError;
use crate::tiles::TilesError;
use dualseal::Error;
use dualseal::inspect::Kind;
use std::{fmt, io};

/// Why no evidence is made, or nothing is known of a log.
#[derive(Debug)]
#[non_exhaustive]
pub enum EvidenceError {
    /// What the library says.
    Library(Error),
    /// The chain is not read, or shows otherwise.
    Chain(ChainError),
    /// The log's folder is not read, or shows otherwise.
    Tiles(TilesError),
    /// The document cannot be read.
    Read(io::Error),
    /// A legacy seal has no signature to show.
    LegacySeal,
    /// It is no record that evidence can be about.
    NoRecord(Kind),
    /// The quorum did not sign.
    NotSigned,
    /// Nothing says which session the result is of.
    NoSession,
    /// Only the custodians of a session can be convinced of its results.
    OnlyCustodians(Error),
    /// The checkpoint states another ring than the operator has: keys changed since.
    OtherRing,
    /// The checkpoint does not cover the record's entry.
    Uncovered {
        /// How many entries it covers.
        size: u64,
    },
    /// The record has no entry in the chain.
    NoEntry,
    /// The entry that was named is another record's.
    OtherEntry {
        /// Its number.
        seq: u64,
    },
    /// The record is of somebody else than whom the caller named.
    OtherMaker,
    /// The ring has no key that could have made the record.
    UnknownKey,
    /// A stolen key of a trap made the record.
    Decoy(Error),
    /// Several keys could have made the record, and only the document tells which one did.
    Several,
    /// What was made does not hold over the document.
    OtherDocument(Error),
    /// The chain that agreed has no entry for the ring of its checkpoint, or the ring no key of its own: a defect.
    NoRing,
    /// The key file of a log does not say which log it is.
    NoOrigin,
    /// The key file of a log does not say whose key it is.
    NoIdentity,
    /// The checkpoint is not by a key of the own log.
    NotOwn,
    /// Nothing says whose checkpoint it must be.
    Unpinned,
    /// The fingerprint of its log is another one.
    OtherLog,
}

impl EvidenceError {
    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Library(_) => "ask for a whole copy of what was given",
            Self::Chain(error) => error.advice(),
            Self::Tiles(error) => error.advice(),
            Self::Read(_) => "check the document, and try again",
            Self::LegacySeal => "seal the document again",
            Self::NoRecord(_) => "give a signature record, a seal, a redacted vault record or a quorum's result",
            Self::NotSigned => "ask the custodians to sign again",
            Self::NoSession => "give the session of its founding",
            Self::OnlyCustodians(_) => "only its custodians can be convinced of a result of the kind hmac",
            Self::OtherRing | Self::Uncovered { .. } => "sign a checkpoint",
            Self::NoEntry => "give a record of this log; what was made without the chain has no entry",
            Self::OtherEntry { .. } => "give the number that was told when the record was made",
            Self::OtherMaker | Self::UnknownKey => "see the keys of the ring",
            Self::Decoy(_) => "keep the record: somebody signs with a stolen secret",
            Self::Several => "give the document, of a vault record the stored bytes",
            Self::OtherDocument(_) => "give the document as it was signed, of a vault record the stored bytes",
            Self::NoRing => "report this as a defect",
            Self::NoOrigin | Self::NoIdentity => "ask for the log's public key file with its first lines",
            Self::NotOwn => "give the public key file of its log",
            Self::Unpinned => "ask the log's operator for its public key file",
            Self::OtherLog => "compare the fingerprint with the log's operator; each key of a log has another one",
        }
    }
}

impl From<Error> for EvidenceError {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl From<ChainError> for EvidenceError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl From<TilesError> for EvidenceError {
    fn from(error: TilesError) -> Self {
        Self::Tiles(error)
    }
}

impl fmt::Display for EvidenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Library(error) | Self::OnlyCustodians(error) | Self::OtherDocument(error) => return error.fmt(f),
            Self::Chain(error) => return error.fmt(f),
            Self::Tiles(error) => return error.fmt(f),
            Self::Read(error) => return write!(f, "the document cannot be read: {error}"),
            Self::NoRecord(kind) => return write!(f, "it is no record that evidence can be about: {kind}"),
            Self::Uncovered { size } => {
                let covered = "no checkpoint covers the record's entry yet: the last one covers";
                return write!(f, "{covered} {size} entries");
            }
            Self::OtherEntry { seq } => return write!(f, "entry {seq} of the log is not the record's"),
            Self::LegacySeal => "it is a legacy seal, which has no signature to show",
            Self::NotSigned => "the quorum did not sign",
            Self::NoSession => "nothing says which session the result is of",
            Self::OtherRing => "the last checkpoint states another ring than the operator has: its keys changed since",
            Self::NoEntry => "the record has no entry in the log's chain",
            Self::OtherMaker => "the record is somebody else's than who was named",
            Self::UnknownKey => "the ring has no key that could have made the record",
            Self::Decoy(_) => "DECOY: a stolen honeypot key made the record; no evidence is made of it",
            Self::Several => "several keys could have made the record, and only the document tells which one did",
            Self::NoRing => "the ring of the checkpoint is not in the chain that agreed with it",
            Self::NoOrigin => "the log's key file does not say which log it is",
            Self::NoIdentity => "the log's key file does not say whose key it is",
            Self::NotOwn => "the checkpoint is not by a key of the own log",
            Self::Unpinned => "nothing says whose checkpoint it must be",
            Self::OtherLog => "the checkpoint is of another log than the one whose fingerprint was given",
        })
    }
}

impl std::error::Error for EvidenceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Library(error) | Self::OnlyCustodians(error) | Self::OtherDocument(error) | Self::Decoy(error) => {
                Some(error)
            }
            Self::Chain(error) => Some(error),
            Self::Tiles(error) => Some(error),
            Self::Read(error) => Some(error),
            _ => None,
        }
    }
}
