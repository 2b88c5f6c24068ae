//! What is public: keys, their hashes, and signatures.

use crate::encoding::hex;
use crate::encoding::record::text_form;
use crate::error::{Error, Problem};
use crate::hash::Sha3_256;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// Bytes of a public key (3904 characters of hexadecimal).
pub const PUBLIC_KEY_BYTES: usize = 1952;

/// Bytes of a signature (6618 characters of hexadecimal).
pub const SIGNATURE_BYTES: usize = 3309;

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
}

text_form!(PublicKey, Self::from_hex, Self::to_hex);

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

text_form!(Signature, Self::from_hex, Self::to_hex);

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({}…)", hex::encode(self.0.first_chunk::<8>().unwrap_or(&[0; 8])))
    }
}

/// `tr = SHAKE256(public key, 64)` (FIPS 204, algorithm 6).
fn tr(key: &[u8; PUBLIC_KEY_BYTES]) -> [u8; 64] {
    let mut tr = [0; 64];
    Shake256::default().chain(key).finalize_xof().read(&mut tr);
    tr
}
