//! ML-DSA-65 keys and signatures (FIPS 204) over the `ml-dsa` crate.
//!
//! No public function here signs bytes that a caller supplies: keys sign only the statements that this library builds,
//! and those cannot be taken for one another. The context string of FIPS 204 is empty.

mod expanded;
mod mu;
mod pkcs8;
mod public;

pub use expanded::ExpandedSigningKey;
pub(crate) use mu::Mu;
pub use public::{KeyHash, PreparedKey, PublicKey, Signature};

use crate::error::{Error, Misuse, Problem};
use crate::secret::Secret;
use alloc::boxed::Box;
use core::fmt;
use ml_dsa::{EncodedSignature, KeyExport, MlDsa65};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// Bytes of a seed, the private key.
pub const SEED_BYTES: usize = 32;
/// Bytes of a public key (3904 characters of hexadecimal).
pub const PUBLIC_KEY_BYTES: usize = 1952;
/// Bytes of an expanded signing key.
pub const EXPANDED_KEY_BYTES: usize = 4032;
/// Bytes of a signature (6618 characters of hexadecimal).
pub const SIGNATURE_BYTES: usize = 3309;

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
    inner: Box<ml_dsa::SigningKey<MlDsa65>>,
    public: PublicKey,
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
        let copy = Zeroizing::new(ml_dsa::Seed::from(*seed.expose()));
        let inner = Box::new(ml_dsa::SigningKey::from_seed(&copy));
        let verifying: &ml_dsa::VerifyingKey<MlDsa65> = (*inner).as_ref();
        let public = PublicKey::from_array(&verifying.to_bytes().into());
        Ok(Self { seed, inner, public })
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The seed: whoever has it can sign.
    #[must_use]
    pub fn seed(&self) -> &Secret<SEED_BYTES> {
        &self.seed
    }

    /// The 4032-byte form (FIPS 204, algorithm 24), for programs that read nothing else.
    #[must_use]
    pub fn expand(&self) -> ExpandedSigningKey {
        ExpandedSigningKey::from_seeded(&self.inner, self.public.clone())
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public_key", &self.public).finish_non_exhaustive()
    }
}

/// A key that can sign this library's statements: [`SigningKey`] or [`ExpandedSigningKey`].
///
/// It cannot be implemented outside this crate, and its signing function cannot be called from outside it.
pub trait StatementKey: sealed::Sign + Sync {
    /// The public half.
    fn public_key(&self) -> &PublicKey;
}

/// The 32 bytes of randomness that a signature mixes in.
pub(crate) struct Hedge(Zeroizing<[u8; 32]>);

impl Hedge {
    /// Hedged, the default of FIPS 204 (section 3.4): resists faults and side channels better.
    pub(crate) fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut fresh = Zeroizing::new([0; 32]);
        rng.try_fill_bytes(fresh.as_mut_slice()).map_err(|_| Error::Randomness)?;
        Ok(Self(fresh))
    }

    /// The optional deterministic variant: zeros.
    pub(crate) fn deterministic() -> Self {
        Self(Zeroizing::new([0; 32]))
    }
}

pub(crate) mod sealed {
    use super::{Error, Hedge, Mu, Signature};

    pub trait Sign {
        #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
        fn sign_mu(&self, mu: Mu, hedge: &Hedge) -> Result<Signature, Error>;
    }
}

impl sealed::Sign for SigningKey {
    #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
    fn sign_mu(&self, mu: Mu, hedge: &Hedge) -> Result<Signature, Error> {
        sign(self.inner.expanded_key(), &mu.finish(), hedge)
    }
}

impl StatementKey for SigningKey {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }
}

/// Gives 32 bytes that were drawn before, so that a failing generator and a failing key are told apart.
struct Drawn<'a>(&'a [u8; 32]);

impl rand_core::TryRng for Drawn<'_> {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for (to, from) in bytes.iter_mut().zip(self.0) {
            *to = *from;
        }
        Ok(())
    }
}

impl TryCryptoRng for Drawn<'_> {}

fn sign(key: &ml_dsa::ExpandedSigningKey<MlDsa65>, mu: &[u8; 64], hedge: &Hedge) -> Result<Signature, Error> {
    let signature = key.sign_mu_randomized(&(*mu).into(), &mut Drawn(&hedge.0));
    let bytes: EncodedSignature<MlDsa65> = signature.map_err(|_| Error::Misuse(Misuse::UnfitKey))?.encode();
    Ok(Signature::from_array(&bytes.into()))
}
