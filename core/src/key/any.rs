//! A ring of any kind, for bindings whose languages have one type for all.

use super::{CheckedRing, KeyRing, PublicRing};
use crate::error::{Error, Misuse};
use alloc::string::String;
use core::ops::Deref;

/// A ring of any kind, which is a [`KeyRing`] to every verifier; only a checked one can be changed.
#[derive(Clone, Debug)]
pub enum AnyRing {
    /// An operator's own.
    Checked(CheckedRing),
    /// One that was given out.
    Public(PublicRing),
    /// One key that a stranger trusts.
    Pinned(KeyRing),
}

impl AnyRing {
    /// The operator's own ring.
    ///
    /// # Errors
    /// [`Misuse::PinnedRing`] for the others.
    pub fn checked(&self) -> Result<&CheckedRing, Error> {
        match self {
            Self::Checked(ring) => Ok(ring),
            Self::Public(_) | Self::Pinned(_) => Err(Misuse::PinnedRing.into()),
        }
    }

    /// The operator's own ring, to be changed.
    ///
    /// # Errors
    /// As [`checked`](Self::checked).
    pub fn checked_mut(&mut self) -> Result<&mut CheckedRing, Error> {
        match self {
            Self::Checked(ring) => Ok(ring),
            Self::Public(_) | Self::Pinned(_) => Err(Misuse::PinnedRing.into()),
        }
    }

    /// The JSON of the public form.
    ///
    /// # Errors
    /// [`Misuse::PinnedRing`]: a pinned key has none.
    pub fn to_public_json(&self) -> Result<String, Error> {
        match self {
            Self::Public(ring) => Ok(ring.to_json()),
            Self::Checked(_) | Self::Pinned(_) => self.checked().map(|ring| ring.public().to_json()),
        }
    }
}

impl Deref for AnyRing {
    type Target = KeyRing;

    fn deref(&self) -> &KeyRing {
        match self {
            Self::Checked(ring) => ring,
            Self::Public(ring) => ring,
            Self::Pinned(ring) => ring,
        }
    }
}
