//! What secrets at rest are made under, and the one such key that a store begins with: its master.

use super::fault::SecretFault;
use super::pem::{PemFault, seed_to_pem};
use dualseal::rand_core::TryCryptoRng;
use dualseal::secret::Secret;
use dualseal::vault::{KeyId, VaultMaster};
use dualseal::{Domain, Error};
use std::fmt;
use zeroize::Zeroizing;

/// What a [`Vaulted`](super::Vaulted) is made under: a [`Master`] or an [`ErasureKey`](super::ErasureKey). It cannot be
/// implemented outside this crate.
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
