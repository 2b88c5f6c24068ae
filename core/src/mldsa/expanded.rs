//! The 4032-byte expanded signing key (FIPS 204, algorithms 24 and 25), read with every check that can be made.

use super::sign::{Hedge, StatementKey, sealed, sign};
use super::{Mu, PublicKey, Signature};
use crate::error::{Error, Misuse, Problem};
use crate::secret::Secret;
use alloc::boxed::Box;
use core::fmt;
use ml_dsa::{KeyExport, MlDsa65};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// Bytes of an expanded signing key.
pub const EXPANDED_KEY_BYTES: usize = 4032;

// rho[32] ‖ K[32] ‖ tr[64] ‖ s1[640] ‖ s2[768] ‖ t0[2496]
const TR: core::ops::Range<usize> = 64..128;
const SHORT_VECTORS: core::ops::Range<usize> = 128..1536;

/// A signing key in the 4032-byte form. It has no seed, so it has no PKCS#8 and cannot be shared among custodians.
///
/// ```
/// use dualseal::{ExpandedSigningKey, SigningKey};
///
/// let key = SigningKey::from_seed(&[7; 32])?;
/// let expanded = ExpandedSigningKey::from_slice(key.expand().to_bytes().expose())?;
/// assert_eq!(expanded.public_key(), key.public_key());
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct ExpandedSigningKey {
    inner: Box<ml_dsa::ExpandedSigningKey<MlDsa65>>,
    public: PublicKey,
}

impl ExpandedSigningKey {
    /// Reads 4032 bytes. The public key is computed from them.
    ///
    /// `t0` cannot be recomputed from the rest, so every signature of such a key is verified before it is released.
    ///
    /// # Errors
    /// [`Problem::Length`]; [`Problem::KeyCoefficients`] when `s1` or `s2` holds a coefficient outside -4 to 4;
    /// [`Problem::KeyHash`] when `tr` is not the hash of the public key.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let field = "expanded key";
        let secret = Secret::<EXPANDED_KEY_BYTES>::from_slice(field, bytes)?;
        // The decoder of ml-dsa panics on a nibble above 8. All of them are looked at, whichever is bad.
        let short = secret.expose().get(SHORT_VECTORS).unwrap_or_default();
        let excess = short.iter().fold(0u8, |seen, byte| seen | above_eight(byte & 0x0f) | above_eight(byte >> 4));
        if excess != 0 {
            return Err(Error::malformed(field, Problem::KeyCoefficients));
        }
        let mut encoded = ml_dsa::ExpandedSigningKeyBytes::<MlDsa65>::from(*secret.expose());
        #[allow(deprecated, reason = "the only way to read this form; its panic is excluded by the check above")]
        let inner = Box::new(ml_dsa::ExpandedSigningKey::<MlDsa65>::from_expanded(&encoded));
        encoded.zeroize();
        let public = PublicKey::from_array(&inner.verifying_key().to_bytes().into());
        if !bool::from(public.tr().as_slice().ct_eq(secret.expose().get(TR).unwrap_or_default())) {
            return Err(Error::malformed(field, Problem::KeyHash));
        }
        Ok(Self { inner, public })
    }

    pub(super) fn from_seeded(key: &ml_dsa::SigningKey<MlDsa65>, public: PublicKey) -> Self {
        Self { inner: Box::new(key.expanded_key().clone()), public }
    }

    /// The 4032 bytes: whoever has them can sign.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<EXPANDED_KEY_BYTES> {
        #[allow(deprecated, reason = "the only way to write this form")]
        let mut encoded = self.inner.to_expanded();
        let mut secret = Secret::zeroed();
        secret.expose_mut().copy_from_slice(&encoded);
        encoded.zeroize();
        secret
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }
}

/// Non-zero for 9 to 15, without a comparison.
fn above_eight(nibble: u8) -> u8 {
    8u8.wrapping_sub(nibble) & 0x80
}

impl sealed::Sign for ExpandedSigningKey {
    #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
    fn sign_mu(&self, mu: Mu, hedge: &Hedge) -> Result<Signature, Error> {
        let signature = sign(&self.inner, &mu.clone().finish(), hedge)?;
        if self.public.prepare().accepts(mu, &signature) { Ok(signature) } else { Err(Misuse::UnfitKey.into()) }
    }
}

impl StatementKey for ExpandedSigningKey {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }
}

impl fmt::Debug for ExpandedSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedSigningKey").field("public_key", &self.public).finish_non_exhaustive()
    }
}
