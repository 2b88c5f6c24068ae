//! SHA3-256 and SHA3-512 (FIPS 202), streaming, and over them HMAC (RFC 2104) and HKDF (RFC 5869).
//!
//! Every state is wiped when it is dropped. The permutation is the `sha3` crate's.

mod hkdf;
mod hmac;

pub use hkdf::hkdf_sha3_256;
pub use hmac::{Hmac, HmacSha3_256, HmacSha3_512};

use core::fmt;
use sha3::Digest;

/// A hash function that [`Hmac`] can be built on. It cannot be implemented outside this crate.
pub trait HashFunction: sealed::Sealed + Default {
    /// The digest: `[u8; 32]` or `[u8; 64]`.
    type Output: AsRef<[u8]> + AsMut<[u8]> + Copy + zeroize::Zeroize;

    /// Bytes absorbed a permutation: the block size that HMAC pads its key to.
    const BLOCK: usize;

    /// Absorbs the next part of the message.
    fn update(&mut self, bytes: &[u8]);

    /// The digest of all parts. The state is reset.
    fn finish(&mut self) -> Self::Output;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! sha3 {
    ($name:ident, $inner:ty, $bytes:literal, $block:literal, $section:literal) => {
        #[doc = concat!("Streaming ", stringify!($name), ": ", $bytes, " bytes (FIPS 202, section 6.1).")]
        ///
        /// ```
        /// use dualseal::hash::HashFunction;
        #[doc = concat!("use dualseal::hash::", stringify!($name), ";")]
        ///
        #[doc = concat!("let mut hash = ", stringify!($name), "::default();")]
        /// hash.update(b"ab");
        /// hash.update(b"c");
        #[doc = concat!("assert_eq!(hash.finish(), ", stringify!($name), "::digest(b\"abc\"));")]
        /// ```
        #[derive(Clone, Default)]
        pub struct $name($inner);

        impl $name {
            /// The digest of one message.
            #[must_use]
            pub fn digest(message: &[u8]) -> [u8; $bytes] {
                <$inner>::digest(message).into()
            }
        }

        impl sealed::Sealed for $name {}

        impl HashFunction for $name {
            type Output = [u8; $bytes];

            const BLOCK: usize = $block;

            fn update(&mut self, bytes: &[u8]) {
                Digest::update(&mut self.0, bytes);
            }

            fn finish(&mut self) -> Self::Output {
                self.0.finalize_reset().into()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "([redacted])"))
            }
        }
    };
}

sha3!(Sha3_256, sha3::Sha3_256, 32, 136, "6.1");
sha3!(Sha3_512, sha3::Sha3_512, 64, 72, "6.1");
