//! Why a secret at rest does not open.

use dualseal::Error;
use dualseal::error::{Rejected, StreamFault};
use dualseal::vault::KeyId;
use std::fmt;

/// Why a secret at rest is not made, or does not open. It never holds a byte of a secret.
///
/// What a stream says of its key is one commitment over key and place. So another key and another place are one and the
/// same to it: whoever compares the master's name first ([`Master::expect`](super::Master::expect)) knows that
/// [`OtherKey`](Self::OtherKey) is another place. In the same way a chunk that was cut is a chunk that was changed,
/// unless hardly anything is left.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretFault {
    /// The store was made under another master.
    OtherMaster {
        /// The name that the store keeps of its master.
        kept: KeyId,
        /// The name of the master that was given.
        given: KeyId,
    },
    /// It was made under another key or for another place, or its first 68 bytes were changed. Nothing was decrypted.
    OtherKey,
    /// A chunk was changed, moved or cut off.
    Damaged {
        /// Its position, from 0.
        chunk: u64,
    },
    /// So few bytes are there that something is missing for certain.
    Cut {
        /// The bytes that there are.
        found: usize,
    },
    /// A stream of a version that this program does not know.
    ForeignVersion {
        /// Its first four bytes.
        found: [u8; 4],
    },
    /// It does not begin as a secret at rest does.
    NoSecret,
    /// Both keys of a rotation are the same.
    SameKey,
    /// The key is of another domain than the master that it is to be stored under.
    OtherDomain,
    /// The row is to be erased, and so is not put under the new key.
    Erased,
    /// What the library says: a place of the wrong form, a secret of another length, a generator that failed.
    Library(Error),
}

impl SecretFault {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::OtherMaster { .. } => "give the master that the store was made under; nothing was opened",
            Self::OtherKey => {
                "give the master that it was made under, and restore the row from a backup where rows were moved"
            }
            Self::Damaged { .. } | Self::Cut { .. } | Self::NoSecret => "restore the row from a backup",
            Self::ForeignVersion { .. } => "open it with the newer program that wrote it",
            Self::SameKey => "draw a new key",
            Self::OtherDomain => "draw the key in the domain of its master",
            Self::Erased => "delete the row, and rotate again; the old key stays until then",
            Self::Library(Error::Randomness) => "try again on a machine whose random number generator works",
            Self::Library(_) => "mend the calling program",
        }
    }
}

impl From<Error> for SecretFault {
    fn from(error: Error) -> Self {
        match error {
            Error::Rejected(Rejected::Stream(StreamFault::OtherKey)) => Self::OtherKey,
            Error::Rejected(Rejected::Stream(StreamFault::Chunk { index })) => Self::Damaged { chunk: index },
            other => Self::Library(other),
        }
    }
}

impl fmt::Display for SecretFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherMaster { kept, given } => {
                write!(f, "the store was made under the master {kept}, and {given} was given")
            }
            Self::OtherKey => f.write_str("the secret was made under another key, or for another place"),
            Self::Damaged { chunk } => write!(f, "chunk {chunk} of the secret was changed, moved or cut off"),
            Self::Cut { found } => write!(f, "the secret was cut off: it has {found} bytes"),
            Self::ForeignVersion { found } => {
                write!(f, "the secret is of another version, {}", found.escape_ascii())
            }
            Self::NoSecret => f.write_str("it does not begin as a secret at rest does"),
            Self::SameKey => f.write_str("the new key is the old one"),
            Self::OtherDomain => f.write_str("the key is of another domain than its master"),
            Self::Erased => f.write_str("the row is to be erased, and is still there"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SecretFault {}
