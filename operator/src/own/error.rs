//! What is not the log's own, or contradicts it.

use crate::chain::ChainError;
use dualseal::Error;
use dualseal::error::{Rejected, RingFault};
use dualseal::verdict::InvalidReason;
use std::fmt;

/// Why a checkpoint is not one of the own log, or counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unowned {
    /// A key signed it that the ring has for thieves alone, who stole it.
    Honeypot,
    /// It does not hold, or is another log's.
    Invalid(InvalidReason),
    /// Its signature does not hold.
    Signature,
    /// Its key was retired before the last entry that it covers.
    Late,
    /// Its key was called back, is suspended, or is for thieves.
    Discounted,
}

impl Unowned {
    /// The name of what was found, which lasts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Honeypot => "signed-by-honeypot",
            Self::Invalid(_) => "not-own",
            Self::Signature => "signature-invalid",
            Self::Late => "signed-late",
            Self::Discounted => "key-discounted",
        }
    }
}

impl fmt::Display for Unowned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Honeypot => "a honeypot key signed it",
            Self::Invalid(reason) => reason.as_str(),
            Self::Signature => "its signature does not hold",
            Self::Late => "its key was retired before the last entry that it covers",
            Self::Discounted => "its key was called back, is suspended, or is for thieves",
        })
    }
}

impl std::error::Error for Unowned {}

/// What is wrong with the own chain, or with a checkpoint that was held against it.
#[derive(Debug)]
#[non_exhaustive]
pub enum OwnError {
    /// The chain is not read, or is not the one that ended there.
    Chain(ChainError),
    /// The checkpoint and the chain contradict each other.
    Fork(Error),
    /// The checkpoint is over this chain, and states another ring than the log had there.
    FalseRing(Error),
    /// The checkpoint cannot be held against it.
    Library(Error),
}

impl OwnError {
    /// What a checkpoint is that the chain does not agree with.
    #[must_use]
    pub fn of(error: Error) -> Self {
        match error {
            // Cut off, rewritten, or with other times: seen from the checkpoint.
            Error::Rejected(Rejected::Checkpoint(_)) => Self::Fork(error),
            Error::Rejected(Rejected::Ring(RingFault::Misstated { .. })) => Self::FalseRing(error),
            error => Self::Library(error),
        }
    }

    /// The name of what was found, which lasts: the library's own, or one of these.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chain(error) => error.library().map_or("chain", |error| error.row().name),
            Self::Fork(_) => "fork",
            Self::FalseRing(_) => "false-ring",
            Self::Library(error) => error.row().name,
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Chain(error) => error.advice(),
            Self::Fork(_) => {
                "keep both; if this store is no old copy, somebody else signs with the log's key: mark it as revoked"
            }
            Self::FalseRing(_) => {
                "keep it: somebody else signs with the log's key, or with that of somebody in its ring: mark it as \
                 revoked"
            }
            Self::Library(_) => "give a checkpoint of this log, in its domain",
        }
    }
}

impl From<ChainError> for OwnError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl fmt::Display for OwnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(error) => error.fmt(f),
            Self::Fork(error) => {
                write!(f, "FORK: the checkpoint and the log's own chain contradict each other: {error}")
            }
            Self::FalseRing(error) => write!(f, "FALSE RING: the checkpoint is over the log's own chain: {error}"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OwnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Chain(error) => Some(error),
            Self::Fork(error) | Self::FalseRing(error) | Self::Library(error) => Some(error),
        }
    }
}
