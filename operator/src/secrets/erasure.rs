//! Erasure keys: what is destroyed where a secret is erased.

use super::fault::SecretFault;
use super::key::WrappingKey;
use super::key::sealed::Sealed;
use super::place::Place;
use super::vaulted::Vaulted;
use dualseal::rand_core::TryCryptoRng;
use dualseal::secret::Secret;
use dualseal::{Domain, Error};
use std::fmt;

/// The drawn key on which the secrets of one owner's records hang, or that of one record. Destroying it where it is
/// stored erases them, in every backup of them too.
///
/// It is stored under the master, in a store of its own that backups of the main store do not hold; how an owner's
/// other records survive is told at the top of [`secrets`](super).
///
/// ```
/// use dualseal::{Domain, SystemRng};
/// use dualseal_operator::secrets::{ErasureKey, Master, Place, RecordSecret};
///
/// let master = Master::draw(&Domain::default(), &mut SystemRng)?;
/// let key = ErasureKey::draw(&Domain::default(), &mut SystemRng)?;
/// let kept = key.seal(&master, Place::new("erasure-keys", b"ana", "key")?, &mut SystemRng)?;
/// let row = RecordSecret::seal(&key, Place::new("records", b"17", "secret")?, &[7; 32], &mut SystemRng)?;
/// drop(key);
///
/// let key = ErasureKey::open(&master, &kept)?;
/// assert_eq!(row.open(&key)?.as_slice(), [7; 32]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ErasureKey {
    domain: Domain,
    secret: Secret<32>,
}

impl ErasureKey {
    /// Draws a key, in the domain of the master that it will be stored under.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn draw<R: TryCryptoRng + ?Sized>(domain: &Domain, rng: &mut R) -> Result<Self, Error> {
        Ok(Self { domain: domain.clone(), secret: Secret::random(rng)? })
    }

    /// As it is stored in the key store, under the master. A key that serves one purpose of an owner's record hangs on
    /// the owner's in its turn, and goes with it.
    ///
    /// # Errors
    /// [`SecretFault::OtherDomain`] where the key is of another domain than the one it is put under: opened again it
    /// would be of that one's, and open nothing. As [`Vaulted::seal`].
    pub fn seal<K: WrappingKey, R: TryCryptoRng + ?Sized>(
        &self,
        under: &K,
        place: Place,
        rng: &mut R,
    ) -> Result<Vaulted<K>, SecretFault> {
        if self.domain != *under.domain() {
            return Err(SecretFault::OtherDomain);
        }
        Vaulted::seal(under, place, self.secret.expose(), rng)
    }

    /// From the key store, or from where it hangs on another.
    ///
    /// # Errors
    /// As [`Vaulted::open_secret`].
    pub fn open<K: WrappingKey>(under: &K, stored: &Vaulted<K>) -> Result<Self, SecretFault> {
        Ok(Self { domain: under.domain().clone(), secret: stored.open_secret(under)? })
    }
}

impl Sealed for ErasureKey {
    fn domain(&self) -> &Domain {
        &self.domain
    }

    fn secret(&self) -> &Secret<32> {
        &self.secret
    }
}

impl WrappingKey for ErasureKey {}

impl fmt::Debug for ErasureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasureKey([redacted])")
    }
}

/// A record's own secret, which hangs on an [`ErasureKey`].
pub type RecordSecret = Vaulted<ErasureKey>;
