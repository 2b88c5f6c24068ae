//! A generator within one operation: no two values that it gives there may be the same.

use alloc::vec::Vec;
use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// Lends a generator to one operation and refuses a value that begins as another one does. Without it a generator that
/// is stuck, or that was restored with the machine, makes a public identifier of the bytes of a secret, or coefficients
/// that give the secret to whoever has one share.
///
/// Sixteen bytes tell whether two values are the same, but for the first of them, since an element of a field may have
/// lost some of its bits: by chance they are with a probability of 2^-120.
pub(crate) struct Distinct<'a, R: ?Sized> {
    rng: &'a mut R,
    /// The beginnings as numbers, of which the lowest byte is the first.
    seen: Zeroizing<Vec<[u64; 2]>>,
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
        Self { rng, seen: Zeroizing::default() }
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
        let Some((first, rest)) = value.split_first_chunk() else {
            return false;
        };
        let Some(second) = rest.first_chunk() else {
            return false;
        };
        let beginning = [u64::from_le_bytes(*first), u64::from_le_bytes(*second)];
        let is_same = |[first, second]: &[u64; 2]| ((first ^ beginning[0]) >> 8 | second ^ beginning[1]).ct_eq(&0);
        let found = self.seen.iter().fold(Choice::from(0), |found, other| found | is_same(other));
        if self.seen.len() == self.seen.capacity() {
            // A list that grew by itself would leave what it had behind; this one is wiped.
            let mut longer = Zeroizing::new(Vec::with_capacity(self.seen.len().saturating_mul(2).max(4)));
            longer.extend_from_slice(&self.seen);
            self.seen = longer;
        }
        self.seen.push(beginning);
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
    fn a_value_is_remembered_however_many_follow() {
        let good: Vec<u8> = (0..=255).collect();
        for count in 1..16 {
            for place in 0..count {
                let repeated = [&good[..16 * count], &good[16 * place..16 * (place + 1)]].concat();
                assert_eq!(drawn(&repeated, &[], &vec![16; count]), Ok(()), "{count}");
                assert_eq!(drawn(&repeated, &[], &vec![16; count + 1]), Err(NotRandom), "{count} {place}");
            }
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
