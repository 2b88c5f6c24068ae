//! SHA3-256 and SHA3-512 (FIPS 202), streaming, and over them HMAC (RFC 2104) and HKDF (RFC 5869).
//!
//! Every state is wiped when it is dropped. What the permutation leaves of one in registers and on the stack while it
//! runs is not, whosever it is: the kernels' with the feature `simd`, and without it that of the crates `sha3` and
//! `shake`.

mod hkdf;
mod hmac;
#[cfg(not(feature = "simd"))]
mod plain;
#[cfg(feature = "simd")]
mod vectors;

pub use hkdf::hkdf_sha3_256;
pub use hmac::{Hmac, HmacKey, HmacSha3_256, HmacSha3_512};

use core::fmt;
#[cfg(not(feature = "simd"))]
use plain as state;
#[cfg(feature = "simd")]
use vectors as state;

/// A hash function that [`Hmac`] can be built on. It cannot be implemented outside this crate.
pub trait HashFunction: sealed::Sealed + Clone + Default {
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
    ($name:ident, $bytes:literal, $block:literal) => {
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
        #[derive(Default)]
        pub struct $name(state::$name);

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }

            fn clone_from(&mut self, source: &Self) {
                self.0.clone_from(&source.0);
            }
        }

        impl $name {
            /// The digest of one message.
            #[must_use]
            pub fn digest(message: &[u8]) -> [u8; $bytes] {
                let mut hash = Self::default();
                hash.update(message);
                hash.finish()
            }

            /// The digests of many messages, each in parts. `each` is told a message's place and its digest, in
            /// whatever order they are done.
            pub(crate) fn digest_many<'a, M: Iterator<Item = &'a [u8]>>(
                messages: impl IntoIterator<Item = M>,
                each: impl FnMut(usize, [u8; $bytes]),
            ) {
                state::digest_many::<_, $bytes, M>(state::$name::default, messages, each);
            }
        }

        impl sealed::Sealed for $name {}

        impl HashFunction for $name {
            type Output = [u8; $bytes];

            const BLOCK: usize = $block;

            fn update(&mut self, bytes: &[u8]) {
                state::absorb(&mut self.0, bytes);
            }

            fn finish(&mut self) -> Self::Output {
                state::finish_sha3(&mut self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "([redacted])"))
            }
        }
    };
}

sha3!(Sha3_256, 32, 136);
sha3!(Sha3_512, 64, 72);

impl Sha3_256 {
    /// Absorbs the next part of each of two messages.
    pub(crate) fn update_both((first, of_first): (&mut Self, &[u8]), (second, of_second): (&mut Self, &[u8])) {
        state::absorb_both((&mut first.0, of_first), (&mut second.0, of_second));
    }
}

/// Streaming SHAKE256 (FIPS 202, section 6.2).
#[derive(Clone, Default)]
pub(crate) struct Shake256(state::Shake256);

impl Shake256 {
    /// Absorbs the next part of the message.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        state::absorb(&mut self.0, bytes);
    }

    /// Absorbs the next part of each of two messages.
    pub(crate) fn update_both((first, of_first): (&mut Self, &[u8]), (second, of_second): (&mut Self, &[u8])) {
        state::absorb_both((&mut first.0, of_first), (&mut second.0, of_second));
    }

    /// The first bytes of the output.
    pub(crate) fn finish<const N: usize>(mut self) -> [u8; N] {
        state::finish_shake(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{HashFunction, HmacKey, HmacSha3_512, Sha3_256, Sha3_512, Shake256};
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use sha3::Digest;
    use shake::{ExtendableOutput, Update, XofReader};

    fn shake256(message: &[u8]) -> [u8; 64] {
        let mut output = [0; 64];
        shake::Shake256::default().chain(message).finalize_xof().read(&mut output);
        output
    }

    proptest! {
        #[test]
        fn both_messages_are_hashed(pieces in vec((vec(any::<u8>(), 0..700), vec(any::<u8>(), 0..700)), 0..5)) {
            let (mut hash, mut other) = (Sha3_256::default(), Sha3_256::default());
            let (mut shake, mut another) = (Shake256::default(), Shake256::default());
            for (first, second) in &pieces {
                Sha3_256::update_both((&mut hash, first), (&mut other, second));
                Shake256::update_both((&mut shake, first), (&mut another, second));
            }
            let (first, second): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
            let (first, second) = (first.concat(), second.concat());
            prop_assert_eq!(hash.finish(), <[u8; 32]>::from(sha3::Sha3_256::digest(&first)));
            prop_assert_eq!(other.finish(), <[u8; 32]>::from(sha3::Sha3_256::digest(&second)));
            prop_assert_eq!(shake.finish(), shake256(&first));
            prop_assert_eq!(another.finish(), shake256(&second));
        }

        #[test]
        fn mac_and_output_of_one_message(
            key in vec(any::<u8>(), 0..100),
            head in vec(any::<u8>(), 0..150),
            parts in vec(vec(any::<u8>(), 0..2500), 0..4),
        ) {
            let (mut mac, mut shake) = (HmacSha3_512::new(&key), Shake256::default());
            shake.update(&head);
            for part in &parts {
                mac.update_with(&mut shake, part);
            }
            let message = parts.concat();
            let mut alone = HmacSha3_512::new(&key);
            alone.update(&message);
            prop_assert_eq!(mac.finish(), alone.finish());
            prop_assert_eq!(shake.finish(), shake256(&[head, message].concat()));
        }

        #[test]
        fn many_digests_are_those_of_each(messages in vec(vec(vec(any::<u8>(), 0..300), 0..4), 0..40)) {
            let parts = || messages.iter().map(|parts| parts.iter().map(Vec::as_slice));
            let mut short = vec![None; messages.len()];
            Sha3_256::digest_many(parts(), |index, digest| short[index] = Some(digest));
            let mut long = vec![None; messages.len()];
            Sha3_512::digest_many(parts(), |index, digest| long[index] = Some(digest));
            for ((parts, short), long) in messages.iter().zip(short).zip(long) {
                prop_assert_eq!(short, Some(sha3::Sha3_256::digest(parts.concat()).into()));
                prop_assert_eq!(long, Some(sha3::Sha3_512::digest(parts.concat()).into()));
            }
        }

        #[test]
        fn one_key_serves_many_messages(
            key in vec(any::<u8>(), 0..200),
            messages in vec(vec(any::<u8>(), 0..300), 0..5),
        ) {
            let kept = HmacKey::<Sha3_512>::new(&key);
            let mut begun: Vec<_> = messages.iter().map(|_| kept.start()).collect();
            for (mac, message) in begun.iter_mut().zip(&messages) {
                mac.update(message);
            }
            for (mac, message) in begun.into_iter().zip(&messages) {
                let mut alone = HmacSha3_512::new(&key);
                alone.update(message);
                prop_assert_eq!(mac.finish(), alone.finish());
            }
        }
    }
}
