//! A secret at rest: a stream that opens under one key, at one place.

use super::fault::SecretFault;
use super::key::{Master, WrappingKey};
use super::place::Place;
use dualseal::rand_core::TryCryptoRng;
use dualseal::secret::Secret;
use dualseal::stream::{self, HEADER_BYTES, MAGIC, TAG_BYTES};
use std::fmt;
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// A secret as it is stored, with the place where it stands. Under a [`Master`] unless it says otherwise.
///
/// The stored bytes are 84 more than the secret's, so 116 for a secret of 32, and 16 more for each 65,536 bytes after
/// the first ([`stream::stored_length`]). They are a stream (`docs/FORMAT.md`, section 15.7).
pub struct Vaulted<K = Master> {
    place: Place,
    stored: Vec<u8>,
    under: PhantomData<fn(&K)>,
}

impl<K: WrappingKey> Vaulted<K> {
    /// Encrypts a secret of any length for one place. Each call gives other bytes.
    ///
    /// # Errors
    /// [`Error::Randomness`](dualseal::Error::Randomness) within [`SecretFault::Library`].
    pub fn seal<R>(key: &K, place: Place, secret: &[u8], rng: &mut R) -> Result<Self, SecretFault>
    where
        R: TryCryptoRng + ?Sized,
    {
        let stored = stream::seal(key.secret(), &place.stream(key.domain())?, secret, rng)?;
        Ok(Self { place, stored, under: PhantomData })
    }

    /// From the bytes that stand at a place. Whether they open, [`open`](Self::open) tells.
    ///
    /// # Errors
    /// [`SecretFault::Cut`], [`SecretFault::ForeignVersion`] or [`SecretFault::NoSecret`], without any key.
    pub fn read(place: Place, stored: Vec<u8>) -> Result<Self, SecretFault> {
        // What all versions begin with, and their number.
        let (family, _) = MAGIC.split_at(3);
        match stored.first_chunk::<4>() {
            Some(found) if *found == MAGIC => {}
            Some(found) if found.starts_with(family) => return Err(SecretFault::ForeignVersion { found: *found }),
            None if MAGIC.starts_with(&stored) => {}
            _ => return Err(SecretFault::NoSecret),
        }
        if stored.len() < HEADER_BYTES + TAG_BYTES {
            return Err(SecretFault::Cut { found: stored.len() });
        }
        Ok(Self { place, stored, under: PhantomData })
    }

    /// Decrypts it: all of it or nothing. An older stream of the same place opens too.
    ///
    /// # Errors
    /// [`SecretFault::OtherKey`] or [`SecretFault::Damaged`].
    pub fn open(&self, key: &K) -> Result<Zeroizing<Vec<u8>>, SecretFault> {
        Ok(stream::open(key.secret(), &self.place.stream(key.domain())?, &self.stored)?)
    }

    /// The same, for a secret of `N` bytes.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Problem::Length`](dualseal::error::Problem::Length) for `secret` within
    /// [`SecretFault::Library`].
    pub fn open_secret<const N: usize>(&self, key: &K) -> Result<Secret<N>, SecretFault> {
        Ok(Secret::from_slice("secret", &self.open(key)?)?)
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The bytes to be stored there.
    #[must_use]
    pub fn stored(&self) -> &[u8] {
        &self.stored
    }

    /// The bytes to be stored there.
    #[must_use]
    pub fn into_stored(self) -> Vec<u8> {
        self.stored
    }
}

// Derived, they would ask the same of the key.
impl<K> Clone for Vaulted<K> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), stored: self.stored.clone(), under: PhantomData }
    }
}

impl<K> PartialEq for Vaulted<K> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place && self.stored == other.stored
    }
}

impl<K> Eq for Vaulted<K> {}

impl<K> fmt::Debug for Vaulted<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vaulted").field("place", &self.place).field("bytes", &self.stored.len()).finish_non_exhaustive()
    }
}
