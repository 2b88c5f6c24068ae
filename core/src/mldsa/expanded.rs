//! The 4032-byte expanded signing key (FIPS 204, algorithms 24 and 25), read with every check that can be made.

use super::sign::{Hedge, StatementKey, sealed};
use super::signing::{EXPANDED_KEY_BYTES, Signing};
use super::{PublicKey, Signature, Statement};
use crate::error::{Error, Problem};
use crate::secret::Secret;
use core::fmt;
use subtle::ConstantTimeEq;

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
pub struct ExpandedSigningKey(Signing);

impl ExpandedSigningKey {
    /// Reads 4032 bytes. The public key is computed from them.
    ///
    /// `t0` follows from the rest too, and is not compared with it: where it is another key's, no signature holds, and
    /// none is given out.
    ///
    /// # Errors
    /// [`Problem::Length`]; [`Problem::KeyCoefficients`] when `s1` or `s2` holds a coefficient outside -4 to 4;
    /// [`Problem::KeyHash`] when `tr` is not the hash of the public key.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let field = "expanded key";
        let secret = Secret::<EXPANDED_KEY_BYTES>::from_slice(field, bytes)?;
        // Decoders of this form take it for checked, and one panics. All of it is looked at, whatever is bad.
        let short = secret.expose().get(SHORT_VECTORS).unwrap_or_default();
        let excess = short.iter().fold(0u8, |seen, byte| seen | above_eight(byte & 0x0f) | above_eight(byte >> 4));
        if excess != 0 {
            return Err(Error::malformed(field, Problem::KeyCoefficients));
        }
        let signing = Signing::from_bytes(secret.expose());
        if !bool::from(signing.public_key().tr().as_slice().ct_eq(secret.expose().get(TR).unwrap_or_default())) {
            return Err(Error::malformed(field, Problem::KeyHash));
        }
        Ok(Self(signing))
    }

    pub(super) fn of(signing: &Signing) -> Self {
        Self(signing.duplicate())
    }

    /// The 4032 bytes: whoever has them can sign.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<EXPANDED_KEY_BYTES> {
        self.0.to_bytes()
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }
}

/// Non-zero for 9 to 15, without a comparison.
fn above_eight(nibble: u8) -> u8 {
    8u8.wrapping_sub(nibble) & 0x80
}

impl sealed::Sign for ExpandedSigningKey {
    #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
    fn sign_statement(&self, statement: &Statement<'_>, hedge: &Hedge) -> Result<Signature, Error> {
        self.0.sign(statement, hedge)
    }
}

impl StatementKey for ExpandedSigningKey {
    fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }
}

impl fmt::Debug for ExpandedSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedSigningKey").field("public_key", self.public_key()).finish_non_exhaustive()
    }
}
