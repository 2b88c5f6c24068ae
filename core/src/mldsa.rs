//! ML-DSA-65 keys and signatures (FIPS 204): made by `ml-dsa` or, with the feature `libcrux`, keys by the kernels and
//! signatures by `libcrux-ml-dsa`; verified by the kernels or by `ml-dsa`.
//!
//! No public function here signs bytes that a caller supplies: keys sign only the statements that this library builds,
//! and those cannot be taken for one another. The context string of FIPS 204 is empty.

mod expanded;
mod mu;
mod pkcs8;
mod prepared;
mod public;
mod sign;
mod signing;
mod statement;
#[cfg(feature = "hazmat-vectors")]
#[doc(hidden)]
pub mod vectors;
mod verifying;
#[cfg(all(test, feature = "std", feature = "getrandom"))]
pub(crate) mod work;

pub use expanded::ExpandedSigningKey;
pub(crate) use mu::Mu;
pub use prepared::PreparedKey;
pub(crate) use prepared::{Claim, all_hold};
pub use public::{KeyHash, PUBLIC_KEY_BYTES, PublicKey, SIGNATURE_BYTES, Signature};
pub use sign::StatementKey;
pub(crate) use sign::{Hedge, sealed};
pub use signing::{EXPANDED_KEY_BYTES, SEED_BYTES};
pub(crate) use statement::{Kept, Statement};

use crate::error::{Error, Problem};
use crate::secret::Secret;
use core::fmt;
use rand_core::TryCryptoRng;
use signing::Signing;

/// A signing key: its 32-byte seed, from which everything else is derived. The public half is never supplied.
///
/// ```
/// use dualseal::SigningKey;
///
/// let key = SigningKey::from_seed(&[7; 32])?;
/// assert_eq!(key.public_key().as_bytes().len(), 1952);
/// assert!(format!("{key:?}").starts_with("SigningKey { public_key: PublicKey(sha3-256 "));
/// assert!(SigningKey::from_seed(&[0; 32]).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct SigningKey {
    seed: Secret<SEED_BYTES>,
    signing: Signing,
}

impl SigningKey {
    /// From a seed of 32 bytes (`ML-DSA.KeyGen_internal`, FIPS 204, algorithm 6).
    ///
    /// # Errors
    /// [`Problem::AllZero`] for a seed of zeros, [`Problem::Length`] for another length.
    pub fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Self::from_secret(Secret::from_slice("seed", seed)?)
    }

    /// Draws a seed (`ML-DSA.KeyGen`, FIPS 204, algorithm 1).
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails.
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Self::from_secret(Secret::random(rng)?)
    }

    /// From a seed that is a secret already.
    ///
    /// # Errors
    /// [`Problem::AllZero`] for a seed of zeros.
    pub fn from_secret(seed: Secret<SEED_BYTES>) -> Result<Self, Error> {
        if bool::from(seed.is_zero()) {
            return Err(Error::malformed("seed", Problem::AllZero));
        }
        let signing = Signing::from_seed(&seed);
        Ok(Self { seed, signing })
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        self.signing.public_key()
    }

    /// The seed: whoever has it can sign.
    #[must_use]
    pub fn seed(&self) -> &Secret<SEED_BYTES> {
        &self.seed
    }

    /// The 4032-byte form (FIPS 204, algorithm 24), for programs that read nothing else.
    #[must_use]
    pub fn expand(&self) -> ExpandedSigningKey {
        ExpandedSigningKey::of(&self.signing)
    }
}

impl sealed::Sign for SigningKey {
    #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
    fn sign_statement(&self, statement: &Statement<'_>, hedge: &Hedge) -> Result<Signature, Error> {
        self.signing.sign(statement, hedge)
    }
}

impl StatementKey for SigningKey {
    fn public_key(&self) -> &PublicKey {
        self.signing.public_key()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public_key", self.public_key()).finish_non_exhaustive()
    }
}
