//! What secrets at rest are made under: the master of a store, and erasure keys.

use super::fault::SecretFault;
use super::pem::{PemFault, seed_to_pem};
use super::place::Place;
use super::vaulted::Vaulted;
use dualseal::rand_core::TryCryptoRng;
use dualseal::secret::Secret;
use dualseal::vault::{KeyId, VaultMaster};
use dualseal::{Domain, Error};
use std::fmt;
use zeroize::Zeroizing;

/// What a [`Vaulted`] is made under: a [`Master`] or an [`ErasureKey`]. It cannot be implemented outside this crate.
pub trait WrappingKey: sealed::Sealed + Send + Sync {}

pub(super) mod sealed {
    use dualseal::Domain;
    use dualseal::secret::Secret;

    pub trait Sealed {
        fn domain(&self) -> &Domain;
        fn secret(&self) -> &Secret<32>;
    }
}

/// The master of a store, 32 drawn bytes in one domain: all secrets of the store are under it, or under keys that are.
///
/// Its name tells it from another master before anything is opened:
///
/// ```
/// use dualseal::{Domain, SystemRng};
/// use dualseal_operator::secrets::Master;
///
/// let master = Master::draw(&Domain::default(), &mut SystemRng)?;
/// let kept = *master.key_id();
/// master.expect(&kept)?;
/// assert!(Master::draw(&Domain::default(), &mut SystemRng)?.expect(&kept).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Master(VaultMaster);

impl Master {
    /// From 32 bytes that were drawn before.
    ///
    /// # Errors
    /// [`Problem::AllZero`](dualseal::error::Problem::AllZero) for `master`.
    pub fn new(domain: &Domain, secret: Secret<32>) -> Result<Self, Error> {
        VaultMaster::new(domain, secret).map(Self)
    }

    /// Draws a master.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn draw<R: TryCryptoRng + ?Sized>(domain: &Domain, rng: &mut R) -> Result<Self, Error> {
        VaultMaster::generate(domain, rng).map(Self)
    }

    /// Its name, which shows nothing of it: the store keeps it.
    #[must_use]
    pub fn key_id(&self) -> &KeyId {
        self.0.key_id()
    }

    /// The domain of what is under it.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        self.0.domain()
    }

    /// Compares it with the name that the store keeps.
    ///
    /// # Errors
    /// [`SecretFault::OtherMaster`].
    pub fn expect(&self, kept: &KeyId) -> Result<(), SecretFault> {
        if self.key_id() == kept {
            return Ok(());
        }
        Err(SecretFault::OtherMaster { kept: *kept, given: *self.key_id() })
    }

    /// The content of its file, from which [`MasterSource`](super::MasterSource) takes it again.
    ///
    /// # Errors
    /// As [`seed_to_pem`].
    pub fn to_pem<R: TryCryptoRng>(
        &self,
        passphrase: Option<&str>,
        rng: &mut R,
    ) -> Result<Zeroizing<String>, PemFault> {
        seed_to_pem(self.0.secret(), passphrase, rng)
    }
}

impl sealed::Sealed for Master {
    fn domain(&self) -> &Domain {
        self.0.domain()
    }

    fn secret(&self) -> &Secret<32> {
        self.0.secret()
    }
}

impl WrappingKey for Master {}

impl fmt::Debug for Master {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Master").field("key_id", self.key_id()).finish_non_exhaustive()
    }
}

/// The drawn key on which the secrets of one owner's records hang, or that of one record. Destroying it where it is
/// stored erases them, in every backup of them too.
///
/// It is stored under the master, in a store of its own that backups of the main store do not hold; how an owner's other
/// records survive is told at the top of [`secrets`](super).
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
    /// Draws a key.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn draw<R: TryCryptoRng + ?Sized>(domain: &Domain, rng: &mut R) -> Result<Self, Error> {
        Ok(Self { domain: domain.clone(), secret: Secret::random(rng)? })
    }

    /// As it is stored in the key store.
    ///
    /// # Errors
    /// As [`Vaulted::seal`].
    pub fn seal<R: TryCryptoRng + ?Sized>(
        &self,
        master: &Master,
        place: Place,
        rng: &mut R,
    ) -> Result<Vaulted<Master>, SecretFault> {
        Vaulted::seal(master, place, self.secret.expose(), rng)
    }

    /// From the key store.
    ///
    /// # Errors
    /// As [`Vaulted::open_secret`].
    pub fn open(master: &Master, stored: &Vaulted<Master>) -> Result<Self, SecretFault> {
        Ok(Self { domain: master.domain().clone(), secret: stored.open_secret(master)? })
    }
}

impl sealed::Sealed for ErasureKey {
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
