//! L7's fragment: a signing key that is left to be stolen.

use super::block::LayerHash;
use crate::encoding::hex;
use crate::encoding::record::text_form;
use crate::error::Error;
use crate::hash::Sha3_256;
use crate::mldsa::{PublicKey, SigningKey};
use crate::secret::Secret;
use core::fmt;
use subtle::{Choice, ConstantTimeEq};

/// A honeypot fragment: 32 bytes that are kept in the stored record and nowhere else. It is a working ML-DSA-65 seed,
/// whose public key stands in the operator's ring as a decoy.
///
/// ```
/// use dualseal::vault::Fragment;
///
/// let found = Fragment::from_hex(&"0f".repeat(32))?;
/// assert_eq!(format!("{found:?}"), "Fragment([redacted])");
/// assert_eq!(found.digest().to_string().len(), 64);
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Fragment(Secret<32>);

impl Fragment {
    /// From 32 bytes that somebody found.
    #[must_use]
    pub fn from_secret(bytes: Secret<32>) -> Self {
        Self(bytes)
    }

    /// From 64 characters of lowercase hexadecimal.
    ///
    /// # Errors
    /// [`Problem::Length`](crate::error::Problem::Length) or [`Problem::Hex`](crate::error::Problem::Hex) for
    /// `fragment`.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        hex::decode_secret("fragment", text).map(Self)
    }

    /// The 32 bytes.
    #[must_use]
    pub fn secret(&self) -> &Secret<32> {
        &self.0
    }

    /// SHA3-256 over the 32 bytes: what the record's block keeps of it.
    #[must_use]
    pub fn digest(&self) -> LayerHash {
        LayerHash::from_bytes(Sha3_256::digest(self.0.expose()))
    }

    /// The public key of whoever signs with it.
    ///
    /// # Errors
    /// [`Problem::AllZero`](crate::error::Problem::AllZero).
    pub fn decoy_key(&self) -> Result<PublicKey, Error> {
        Ok(SigningKey::from_seed(self.0.expose())?.public_key().clone())
    }

    /// Beside the first in memory, and wiped as that is.
    pub(in crate::vault) fn duplicate(&self) -> Self {
        let mut secret = Secret::zeroed();
        secret.expose_mut().copy_from_slice(self.0.expose());
        Self(secret)
    }

    /// Whether it is the fragment of a digest.
    pub(in crate::vault) fn is_of(&self, digest: &LayerHash) -> Choice {
        self.digest().as_bytes().as_slice().ct_eq(digest.as_bytes())
    }
}

text_form!(Fragment, Self::from_hex, |fragment: &Self| hex::encode_secret(&fragment.0));

impl ConstantTimeEq for Fragment {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl fmt::Debug for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fragment([redacted])")
    }
}
