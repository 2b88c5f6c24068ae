//! What is public: keys, their hashes, signatures, and keys prepared for verification.

use super::mu::tr;
use super::{Mu, PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
use crate::encoding::hex;
use crate::error::{Error, Problem};
use crate::hash::Sha3_256;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa65, VerifyingKey};

/// A public key of 1952 bytes (3904 characters of hexadecimal), cheap to clone. Every 1952 bytes are one.
#[derive(Clone)]
pub struct PublicKey(Arc<Hashed>);

/// The key with what everything that is done with it begins with, so that a verification does not hash it anew.
struct Hashed {
    bytes: [u8; PUBLIC_KEY_BYTES],
    hash: KeyHash,
    tr: [u8; 64],
}

impl PublicKey {
    /// From 1952 bytes.
    ///
    /// # Errors
    /// [`Problem::Length`].
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let length = Problem::Length { expected: PUBLIC_KEY_BYTES, found: bytes.len() };
        let bytes = bytes.try_into().map_err(|_| Error::malformed("javni_kljuc", length))?;
        Ok(Self::from_array(bytes))
    }

    /// From 3904 lowercase hexadecimal characters.
    ///
    /// # Errors
    /// [`Problem::Length`] or [`Problem::Hex`].
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        Ok(Self::from_array(&*hex::decode_boxed("javni_kljuc", text)?))
    }

    pub(crate) fn from_array(bytes: &[u8; PUBLIC_KEY_BYTES]) -> Self {
        let hash = KeyHash::from_bytes(Sha3_256::digest(bytes));
        Self(Arc::new(Hashed { bytes: *bytes, hash, tr: tr(bytes) }))
    }

    /// The 1952 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; PUBLIC_KEY_BYTES] {
        &self.0.bytes
    }

    /// The 3904 hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.as_bytes())
    }

    /// SHA3-256 over the 1952 bytes.
    #[must_use]
    pub fn hash(&self) -> &KeyHash {
        &self.0.hash
    }

    /// `tr = SHAKE256(public key, 64)` (FIPS 204, algorithm 6).
    pub(super) fn tr(&self) -> &[u8; 64] {
        &self.0.tr
    }

    /// Expands the key for verification, the larger part of a single verification's work.
    #[must_use]
    pub fn prepare(&self) -> PreparedKey {
        PreparedKey {
            hash: *self.hash(),
            inner: VerifyingKey::decode(&EncodedVerifyingKey::<MlDsa65>::from(*self.as_bytes())),
        }
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey(sha3-256 {})", self.hash())
    }
}

crate::encoding::hex_newtype! {
    /// SHA3-256 over the 1952 bytes of a public key.
    KeyHash, 32, "javni_kljuc"
}

/// A public key expanded for verification (about 43 KB on the heap).
#[derive(Clone)]
pub struct PreparedKey {
    hash: KeyHash,
    inner: VerifyingKey<MlDsa65>,
}

impl PreparedKey {
    /// Bytes of memory that a prepared key takes, for the budget of a cache: the matrix of 6 x 5 polynomials, twelve
    /// more polynomials, of 256 coefficients of 4 bytes each, and the key itself.
    pub const BYTES: usize = (6 * 5 + 12) * 256 * 4 + PUBLIC_KEY_BYTES;

    /// SHA3-256 over the public key that this was prepared from.
    #[must_use]
    pub fn hash(&self) -> &KeyHash {
        &self.hash
    }

    /// `ML-DSA.Verify` with an empty context (FIPS 204, algorithm 3) of a statement made for this key. What it answers
    /// is no verdict: it knows nothing of the key's state.
    pub(crate) fn accepts(&self, mu: Mu, signature: &Signature) -> bool {
        let encoded = EncodedSignature::<MlDsa65>::from(*signature.as_bytes());
        ml_dsa::Signature::decode(&encoded).is_some_and(|s| self.inner.verify_mu(&mu.finish().into(), &s))
    }
}

impl fmt::Debug for PreparedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedKey(sha3-256 {})", self.hash)
    }
}

/// A signature of 3309 bytes (6618 characters of hexadecimal). Holding one says nothing about its validity.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature(Arc<[u8; SIGNATURE_BYTES]>);

impl Signature {
    /// From 3309 bytes.
    ///
    /// # Errors
    /// [`Problem::Length`].
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let length = Problem::Length { expected: SIGNATURE_BYTES, found: bytes.len() };
        let bytes = bytes.try_into().map_err(|_| Error::malformed("potpis", length))?;
        Ok(Self::from_array(bytes))
    }

    /// From 6618 lowercase hexadecimal characters.
    ///
    /// # Errors
    /// [`Problem::Length`] or [`Problem::Hex`].
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        Ok(Self::from_array(&*hex::decode_boxed("potpis", text)?))
    }

    pub(crate) fn from_array(bytes: &[u8; SIGNATURE_BYTES]) -> Self {
        Self(Arc::new(*bytes))
    }

    /// The 3309 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; SIGNATURE_BYTES] {
        &self.0
    }

    /// The 6618 hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.as_bytes())
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({}…)", hex::encode(self.0.first_chunk::<8>().unwrap_or(&[0; 8])))
    }
}
