//! What is public: keys, their hashes, and signatures.

#[cfg(all(test, feature = "std", feature = "getrandom"))]
use super::work;
use crate::encoding::hex;
use crate::encoding::record::hex_form;
use crate::error::{Error, Problem};
use crate::hash::{Sha3_256, Shake256};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use once_cell::race::OnceBox;

/// Bytes of a public key (3904 characters of hexadecimal).
pub const PUBLIC_KEY_BYTES: usize = 1952;

/// Bytes of a signature (6618 characters of hexadecimal).
pub const SIGNATURE_BYTES: usize = 3309;

/// Every byte of the dummy key. Any 1952 bytes are a key, and nobody knows a private half of these.
const DUMMY: u8 = 0xd5;

/// Its hash.
const DUMMY_HASH: [u8; 32] = [
    0x19, 0x4e, 0xb7, 0x46, 0xa7, 0x01, 0x35, 0x3c, 0x0f, 0xba, 0xfb, 0x10, 0xd9, 0x4f, 0x2f, 0x26, 0xc1, 0xb8, 0xe4,
    0x9b, 0x0e, 0x0f, 0x07, 0xbb, 0x73, 0x0d, 0x4b, 0x23, 0x88, 0x78, 0xd9, 0x3b,
];

/// Its `tr`.
const DUMMY_TR: [u8; 64] = [
    0x9c, 0x5d, 0xf5, 0x0b, 0x2f, 0x1a, 0x1d, 0xb8, 0x64, 0x2b, 0x26, 0x52, 0xdd, 0x58, 0x91, 0xd7, 0xa9, 0x29, 0xd0,
    0x06, 0x50, 0x7c, 0x13, 0x97, 0x4f, 0x80, 0xf8, 0x08, 0xe7, 0x22, 0xf2, 0x92, 0x66, 0xa8, 0xd9, 0x97, 0x78, 0x7d,
    0x60, 0x67, 0x63, 0xe5, 0xe3, 0x4b, 0x46, 0x22, 0xd2, 0x9c, 0xc8, 0xb8, 0x9d, 0x82, 0x37, 0x89, 0xe6, 0xa1, 0x51,
    0xb5, 0x11, 0x73, 0xa6, 0xdc, 0x82, 0x2c,
];

/// A public key of 1952 bytes (3904 characters of hexadecimal), cheap to clone. Every 1952 bytes are one.
#[derive(Clone)]
pub struct PublicKey(Arc<Lazy>);

/// The key with its hashes, each made when it is first asked for: of a record that is read, mostly never, since the
/// ring has the same key.
struct Lazy {
    bytes: [u8; PUBLIC_KEY_BYTES],
    hash: OnceBox<KeyHash>,
    tr: OnceBox<[u8; 64]>,
}

impl Default for Lazy {
    fn default() -> Self {
        Self { bytes: [0; PUBLIC_KEY_BYTES], hash: OnceBox::new(), tr: OnceBox::new() }
    }
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
        let mut key = Arc::<Lazy>::default();
        // Decoded where it stays: nobody else has the new one.
        if let Some(key) = Arc::get_mut(&mut key) {
            hex::decode_public_into("javni_kljuc", text, &mut key.bytes)?;
        }
        Ok(Self(key))
    }

    /// The same key as [`from_array`](Self::from_array) gives for the dummy's bytes, hashed already: a key of a ring
    /// was hashed when it was put in, and looking up none must take no longer.
    pub(crate) fn dummy() -> Self {
        let (hash, tr) = (OnceBox::with_value(Box::new(KeyHash::from_bytes(DUMMY_HASH))), Box::new(DUMMY_TR));
        Self(Arc::new(Lazy { bytes: [DUMMY; PUBLIC_KEY_BYTES], hash, tr: OnceBox::with_value(tr) }))
    }

    pub(crate) fn from_array(bytes: &[u8; PUBLIC_KEY_BYTES]) -> Self {
        Self(Arc::new(Lazy { bytes: *bytes, ..Lazy::default() }))
    }

    /// The key with its hashes made, as a ring holds it: no verification is the first that waits for them, which would
    /// tell a key of the ring by its time.
    pub(crate) fn hashed(self) -> Self {
        let _ = (self.hash(), self.tr());
        self
    }

    /// The 1952 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; PUBLIC_KEY_BYTES] {
        &self.0.bytes
    }

    /// The 3904 hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode_public(self.as_bytes())
    }

    /// SHA3-256 over the 1952 bytes.
    #[must_use]
    pub fn hash(&self) -> &KeyHash {
        self.0.hash.get_or_init(|| {
            #[cfg(all(test, feature = "std", feature = "getrandom"))]
            work::count_hashed();
            Box::new(KeyHash::from_bytes(Sha3_256::digest(self.as_bytes())))
        })
    }

    /// `tr = SHAKE256(public key, 64)` (FIPS 204, algorithm 6).
    pub(super) fn tr(&self) -> &[u8; 64] {
        self.0.tr.get_or_init(|| {
            #[cfg(all(test, feature = "std", feature = "getrandom"))]
            work::count_hashed();
            let mut shake = Shake256::default();
            shake.update(self.as_bytes());
            Box::new(shake.finish())
        })
    }
}

hex_form!(PublicKey, Self::from_hex);

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_bytes() == other.as_bytes()
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
        Self::from_hex_of("potpis", text)
    }

    pub(crate) fn from_array(bytes: &[u8; SIGNATURE_BYTES]) -> Self {
        Self(Arc::new(*bytes))
    }

    /// As [`from_hex`](Self::from_hex), where it is called otherwise.
    pub(crate) fn from_hex_of(field: &'static str, text: &str) -> Result<Self, Error> {
        let mut signature = Arc::new([0; SIGNATURE_BYTES]);
        // Decoded where it stays: nobody else has the new one.
        if let Some(signature) = Arc::get_mut(&mut signature) {
            hex::decode_public_into(field, text, signature)?;
        }
        Ok(Self(signature))
    }

    /// The 3309 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; SIGNATURE_BYTES] {
        &self.0
    }

    /// The 6618 hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode_public(self.as_bytes())
    }
}

hex_form!(Signature, Self::from_hex);

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({}…)", hex::encode(self.0.first_chunk::<8>().unwrap_or(&[0; 8])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dummy_is_hashed_as_any_key() {
        let (dummy, hashed) = (PublicKey::dummy(), PublicKey::from_array(&[DUMMY; PUBLIC_KEY_BYTES]));
        assert!(dummy == hashed && dummy.hash() == hashed.hash() && dummy.tr() == hashed.tr());
    }
}
