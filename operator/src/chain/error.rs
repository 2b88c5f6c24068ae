//! What can go wrong with a chain that is read.

use dualseal::Error;
use std::{fmt, io};

/// Why a chain is not read, or does not show what was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChainError {
    /// Its text cannot be read.
    Read(io::Error),
    /// It does not hold, or not under its checkpoint.
    Chain(Error),
    /// This is asked of no chain: whoever asks is mistaken.
    Asked(Error),
    /// No entry states the ring that the checkpoint states.
    FalseRing(Error),
    /// It was read under no checkpoint.
    NoCheckpoint,
}

impl ChainError {
    /// What the library says.
    #[must_use]
    pub fn library(&self) -> Option<&Error> {
        match self {
            Self::Chain(error) | Self::Asked(error) | Self::FalseRing(error) => Some(error),
            Self::Read(_) | Self::NoCheckpoint => None,
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Read(_) => "check the file, and try again",
            Self::Chain(_) => "do not rely on it; keep it with the checkpoint as they are, for they are evidence",
            Self::Asked(_) => "give the chain and the checkpoint of one log, and ask for what can be under it",
            Self::FalseRing(_) => {
                "keep it, for it is evidence against the log: its signer, or a thief of his key, made up a ring; ask \
                 the log's operator over another channel"
            }
            Self::NoCheckpoint => "read it under a checkpoint",
        }
    }
}

impl From<io::Error> for ChainError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<Error> for ChainError {
    fn from(error: Error) -> Self {
        Self::Chain(error)
    }
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the chain cannot be read: {error}"),
            Self::Chain(error) | Self::Asked(error) => error.fmt(f),
            Self::FalseRing(error) => write!(f, "FALSE RING: {error}"),
            Self::NoCheckpoint => f.write_str("a chain was read under no checkpoint"),
        }
    }
}

impl std::error::Error for ChainError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Chain(error) | Self::Asked(error) | Self::FalseRing(error) => Some(error),
            Self::NoCheckpoint => None,
        }
    }
}
