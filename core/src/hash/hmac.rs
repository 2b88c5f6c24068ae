//! HMAC over SHA3 (RFC 2104, FIPS 198-1) that wipes both padded keys.
//!
//! `hmac`'s implementation for these hashes keeps its outer padded key in memory that nobody wipes; it serves the
//! tests as the second opinion.

use super::{HashFunction, Sha3_256, Sha3_512};
use alloc::boxed::Box;
use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// HMAC-SHA3-256: 32 bytes.
pub type HmacSha3_256 = Hmac<Sha3_256>;

/// HMAC-SHA3-512: 64 bytes.
pub type HmacSha3_512 = Hmac<Sha3_512>;

/// Streaming HMAC. Both hash states have absorbed their padded key and are wiped when dropped; they live on the heap,
/// so that moving an `Hmac` leaves no copy.
///
/// ```
/// use dualseal::hash::HmacSha3_512;
///
/// let mut mac = HmacSha3_512::new(b"key");
/// mac.update(b"message");
/// let tag = mac.finish();
/// let mut again = HmacSha3_512::new(b"key");
/// again.update(b"message");
/// assert!(bool::from(again.verify(&tag)));
/// ```
pub struct Hmac<H> {
    inner: Box<H>,
    outer: Box<H>,
}

impl<H: HashFunction> Hmac<H> {
    /// Takes a key of any length; one longer than a block (136 bytes of SHA3-256, 72 of SHA3-512) is hashed first.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        let mut hashed = Zeroizing::new([0; 64]);
        let key = if key.len() > H::BLOCK {
            let mut hash = Box::<H>::default();
            hash.update(key);
            let digest = Zeroizing::new(hash.finish());
            let digest = digest.as_ref();
            let hashed = hashed.get_mut(..digest.len()).unwrap_or_default();
            hashed.copy_from_slice(digest);
            &*hashed
        } else {
            key
        };
        Self { inner: padded(key, 0x36), outer: padded(key, 0x5c) }
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    /// The tag of all parts.
    #[must_use]
    pub fn finish(mut self) -> H::Output {
        let digest = Zeroizing::new(self.inner.finish());
        self.outer.update(digest.as_ref());
        self.outer.finish()
    }

    /// Whether `tag` is the tag of all parts, compared in constant time.
    #[must_use]
    pub fn verify(self, tag: &[u8]) -> Choice {
        self.finish().as_ref().ct_eq(tag)
    }
}

/// A hash that has absorbed the key, zero-filled to a block, XORed with `pad`.
#[allow(clippy::unnecessary_box_returns, reason = "moving the state out would leave a copy of the padded key behind")]
fn padded<H: HashFunction>(key: &[u8], pad: u8) -> Box<H> {
    let mut block = Zeroizing::new([pad; 136]);
    for (byte, key) in block.iter_mut().zip(key) {
        *byte ^= key;
    }
    let mut hash = Box::<H>::default();
    hash.update(block.get(..H::BLOCK).unwrap_or_default());
    hash
}

impl<H> fmt::Debug for Hmac<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hmac([redacted])")
    }
}
