//! A generator within one operation: no two values that it gives there may be the same.

use super::Secret;
use alloc::vec::Vec;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use subtle::{Choice, ConstantTimeEq};

/// How many bytes of two values tell whether they are the same. The first byte is left out, since an element of a field
/// may have lost some of its bits: by chance two values are the same with a probability of 2^-120.
const BEGINNING: usize = 16;

/// Lends a generator to one operation and refuses a value that begins as another one does. Without it a generator that
/// is stuck, or that was restored with the machine, makes a public identifier of the bytes of a secret, or coefficients
/// that give the secret to whoever has one share.
pub(crate) struct Distinct<'a, R: ?Sized> {
    rng: &'a mut R,
    /// Each on the heap, so that a list that grows leaves no copy.
    seen: Vec<Secret<BEGINNING>>,
}

/// The generator failed or repeated itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotRandom;

impl fmt::Display for NotRandom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the generator failed or repeated itself")
    }
}

impl core::error::Error for NotRandom {}

impl<'a, R: TryCryptoRng + ?Sized> Distinct<'a, R> {
    pub(crate) fn new(rng: &'a mut R) -> Self {
        Self { rng, seen: Vec::new() }
    }

    /// With a secret that was drawn before: what is drawn now must not be it again.
    pub(crate) fn beside(rng: &'a mut R, secret: &[u8]) -> Self {
        let mut distinct = Self::new(rng);
        // Whether a secret that was drawn earlier is any good is not for this operation to say.
        let _ = distinct.repeats(secret);
        distinct
    }

    /// Whether the beginning was there before, and keeps it. Compared in constant time: only the answer is told.
    fn repeats(&mut self, value: &[u8]) -> bool {
        let Some(beginning) = value.first_chunk::<BEGINNING>() else {
            return false;
        };
        let mut kept = Secret::zeroed();
        kept.expose_mut().copy_from_slice(beginning);
        let mut found = Choice::from(0);
        for other in &self.seen {
            let other = other.expose().get(1..).unwrap_or_default();
            found |= beginning.get(1..).unwrap_or_default().ct_eq(other);
        }
        self.seen.push(kept);
        found.into()
    }
}

impl<R: TryCryptoRng + ?Sized> TryRng for Distinct<'_, R> {
    type Error = NotRandom;

    fn try_next_u32(&mut self) -> Result<u32, NotRandom> {
        self.rng.try_next_u32().map_err(|_| NotRandom)
    }

    fn try_next_u64(&mut self) -> Result<u64, NotRandom> {
        self.rng.try_next_u64().map_err(|_| NotRandom)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), NotRandom> {
        self.rng.try_fill_bytes(bytes).map_err(|_| NotRandom)?;
        if self.repeats(bytes) { Err(NotRandom) } else { Ok(()) }
    }
}

impl<R: TryCryptoRng + ?Sized> TryCryptoRng for Distinct<'_, R> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// Gives these bytes, one after another.
    struct Bytes<'a>(&'a [u8]);

    impl TryRng for Bytes<'_> {
        type Error = NotRandom;

        fn try_next_u32(&mut self) -> Result<u32, NotRandom> {
            Err(NotRandom)
        }

        fn try_next_u64(&mut self) -> Result<u64, NotRandom> {
            Err(NotRandom)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), NotRandom> {
            let (now, later) = self.0.split_at_checked(bytes.len()).ok_or(NotRandom)?;
            bytes.copy_from_slice(now);
            self.0 = later;
            Ok(())
        }
    }

    impl TryCryptoRng for Bytes<'_> {}

    fn drawn(source: &[u8], beside: &[u8], lengths: &[usize]) -> Result<(), NotRandom> {
        let mut source = Bytes(source);
        let mut rng = Distinct::beside(&mut source, beside);
        lengths.iter().try_for_each(|length| rng.try_fill_bytes(&mut vec![0; *length]))
    }

    #[test]
    fn values_that_begin_alike_are_refused() {
        let good: Vec<u8> = (0..200).collect();
        assert_eq!(drawn(&good, &[], &[32, 66, 32, 66]), Ok(()));
        for (first, second) in [(32, 32), (32, 66), (66, 32), (16, 16)] {
            let stuck = [&good[..first], &good[..second]].concat();
            assert_eq!(drawn(&stuck, &[], &[first, second]), Err(NotRandom), "{first} {second}");
            assert_eq!(drawn(&good[..second], &good[..first], &[second]), Err(NotRandom), "{first} {second}");
            let mut other = stuck;
            other[first + 15] ^= 1;
            assert_eq!(drawn(&other, &[], &[first, second]), Ok(()), "{first} {second}");
        }
    }

    #[test]
    fn a_failing_generator_fails() {
        assert_eq!(drawn(&[1, 2, 3], &[], &[32]), Err(NotRandom));
        let mut rng = Bytes(&[]);
        let mut rng = Distinct::new(&mut rng);
        assert_eq!((rng.try_next_u32(), rng.try_next_u64()), (Err(NotRandom), Err(NotRandom)));
    }
}
