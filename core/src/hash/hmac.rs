//! HMAC over SHA3 (RFC 2104, FIPS 198-1) that wipes both padded keys.
//!
//! `hmac`'s implementation for these hashes keeps its outer padded key in memory that nobody wipes; it serves the
//! tests as the second opinion.

use super::{HashFunction, Sha3_256, Sha3_512, Shake256, state};
use alloc::boxed::Box;
use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// HMAC-SHA3-256: 32 bytes.
pub type HmacSha3_256 = Hmac<Sha3_256>;

/// HMAC-SHA3-512: 64 bytes.
pub type HmacSha3_512 = Hmac<Sha3_512>;

/// A key of HMAC (RFC 2104) that serves for many messages: what both hash states have absorbed of it is made once. Both
/// live on the heap and are wiped when it is dropped; whoever has either can make every tag of the key.
///
/// ```
/// use dualseal::hash::{HmacKey, HmacSha3_512, Sha3_512};
///
/// let key = HmacKey::<Sha3_512>::new(b"key");
/// let [mut first, mut second] = [key.start(), key.start()];
/// first.update(b"message");
/// second.update(b"another");
/// let mut anew = HmacSha3_512::new(b"key");
/// anew.update(b"message");
/// assert_eq!(first.finish(), anew.finish());
/// # drop(second);
/// ```
pub struct HmacKey<H>(Box<Keyed<H>>);

/// Two hashes that have absorbed their padded key.
#[derive(Default)]
struct Keyed<H> {
    inner: H,
    outer: H,
}

impl<H: HashFunction> HmacKey<H> {
    /// Takes a key of any length; one longer than a block (136 bytes of SHA3-256, 72 of SHA3-512) is hashed first.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        // Moving a state would leave a copy of the padded key behind: each stays where it is made.
        let mut keyed = Box::<Keyed<H>>::default();
        let hashed;
        let key = if key.len() > H::BLOCK {
            keyed.inner.update(key);
            hashed = Zeroizing::new(keyed.inner.finish());
            hashed.as_ref()
        } else {
            key
        };
        absorb_padded(&mut keyed.inner, key, 0x36);
        absorb_padded(&mut keyed.outer, key, 0x5c);
        Self(keyed)
    }

    /// Begins a message.
    #[must_use]
    pub fn start(&self) -> Hmac<H> {
        // As in `new`: a clone of the box would make the states elsewhere and move them in, as `clone_from` of the
        // crate `sha3` still does, where the kernels are left out.
        let mut keyed = Box::<Keyed<H>>::default();
        keyed.inner.clone_from(&self.0.inner);
        keyed.outer.clone_from(&self.0.outer);
        Hmac(keyed)
    }
}

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
pub struct Hmac<H>(Box<Keyed<H>>);

impl<H: HashFunction> Hmac<H> {
    /// As [`HmacKey::new`], for one message.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        Self(HmacKey::new(key).0)
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.inner.update(bytes);
    }

    /// The tag of all parts.
    #[must_use]
    pub fn finish(mut self) -> H::Output {
        let digest = Zeroizing::new(self.0.inner.finish());
        self.0.outer.update(digest.as_ref());
        self.0.outer.finish()
    }

    /// Whether `tag` is the tag of all parts, compared in constant time.
    #[must_use]
    pub fn verify(self, tag: &[u8]) -> Choice {
        self.finish().as_ref().ct_eq(tag)
    }
}

/// Absorbs the key, zero-filled to a block, XORed with `pad`.
fn absorb_padded<H: HashFunction>(hash: &mut H, key: &[u8], pad: u8) {
    let mut block = Zeroizing::new([pad; 136]);
    for (byte, key) in block.iter_mut().zip(key) {
        *byte ^= key;
    }
    hash.update(block.get(..H::BLOCK).unwrap_or_default());
}

impl HmacSha3_512 {
    /// Absorbs the next part of the message, which is the next part of another hash's as well.
    pub(crate) fn update_with(&mut self, other: &mut Shake256, bytes: &[u8]) {
        state::absorb_both((&mut self.0.inner.0, bytes), (&mut other.0, bytes));
    }
}

impl<H> fmt::Debug for HmacKey<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HmacKey([redacted])")
    }
}

impl<H> fmt::Debug for Hmac<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hmac([redacted])")
    }
}
