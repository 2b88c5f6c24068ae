//! Fixed-size secrets: wiped when dropped, never printed, never cloned, compared in constant time.

mod distinct;

pub(crate) use distinct::Distinct;

use crate::error::{Error, Problem};
use alloc::boxed::Box;
use core::fmt;
use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A secret of `N` bytes.
///
/// It lives on the heap, so that moving it leaves no copy behind, and is overwritten when it is dropped. It has no
/// `Clone` and no serialised form; its `Debug` shows no byte.
///
/// ```
/// use dualseal::secret::Secret;
///
/// let secret = Secret::<32>::from_slice("master", &[7; 32])?;
/// assert_eq!(format!("{secret:?}"), "Secret<32>([redacted])");
/// assert!(Secret::<32>::from_slice("master", &[7; 31]).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Secret<const N: usize>(Box<[u8; N]>);

impl<const N: usize> Secret<N> {
    /// Takes `N` bytes from a slice. The caller wipes its own copy.
    ///
    /// # Errors
    /// [`Problem::Length`] for `field` when the slice has another length.
    pub fn from_slice(field: &'static str, bytes: &[u8]) -> Result<Self, Error> {
        let mut secret = Self::zeroed();
        if bytes.len() != N {
            return Err(Error::malformed(field, Problem::Length { expected: N, found: bytes.len() }));
        }
        secret.0.copy_from_slice(bytes);
        Ok(secret)
    }

    /// Draws `N` bytes.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails, or gives nothing but one byte again and again.
    pub fn random<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut secret = Self::zeroed();
        rng.try_fill_bytes(secret.0.as_mut_slice()).map_err(|_| Error::Randomness)?;
        if bool::from(is_constant(secret.0.as_slice())) {
            return Err(Error::Randomness);
        }
        Ok(secret)
    }

    /// Lends the bytes. What the caller copies, the caller wipes.
    #[must_use]
    pub fn expose(&self) -> &[u8; N] {
        &self.0
    }

    pub(crate) fn zeroed() -> Self {
        Self(Box::new([0; N]))
    }

    pub(crate) fn expose_mut(&mut self) -> &mut [u8; N] {
        &mut self.0
    }

    /// Whether every byte is zero, in constant time.
    pub(crate) fn is_zero(&self) -> Choice {
        self.0.as_slice().ct_eq(&[0; N])
    }
}

/// Does something with a secret in frames of its own, which take at most so many bytes, and clears them. The bytes that
/// a value does not use, as those of an absent authority, are whatever was on the stack before, and go to the heap with
/// it.
pub(crate) fn apart<const BYTES: usize, T>(work: impl FnOnce() -> T) -> T {
    let done = in_own_frame(work);
    zeroize::zeroize_stack::<BYTES>();
    done
}

#[inline(never)]
fn in_own_frame<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Whether every byte is as the first one, in constant time: what a broken generator gives.
pub(crate) fn is_constant(bytes: &[u8]) -> Choice {
    bytes.split_first().map_or(Choice::from(1), |(_, rest)| {
        let others = bytes.get(..rest.len()).unwrap_or_default();
        is_same(rest, others)
    })
}

/// Whether two values are the same, in constant time. By `subtle`, as its comparison of slices does it, but eight bytes
/// at a time: it hides each outcome from the compiler, which takes longer than to compare.
pub(crate) fn is_same(left: &[u8], right: &[u8]) -> Choice {
    let ((left_words, left_end), (right_words, right_end)) = (left.as_chunks(), right.as_chunks());
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let words = left_words.iter().zip(right_words);
    let same = words.fold(left_end.ct_eq(right_end), |same, (left, right)| same & word(left).ct_eq(&word(right)));
    same & left.len().ct_eq(&right.len())
}

impl<const N: usize> ConstantTimeEq for Secret<N> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.as_slice().ct_eq(other.0.as_slice())
    }
}

impl<const N: usize> fmt::Debug for Secret<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret<{N}>([redacted])")
    }
}

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<const N: usize> ZeroizeOnDrop for Secret<N> {}

#[cfg(test)]
mod tests {
    use super::{is_constant, is_same};

    #[test]
    fn every_byte_counts() {
        let bytes: [u8; 30] = core::array::from_fn(|place| u8::try_from(place).unwrap());
        for length in 0..bytes.len() {
            let same = &bytes[..length];
            assert!(bool::from(is_same(same, same)), "{length}");
            assert!(!bool::from(is_same(same, &bytes[..=length])) && !bool::from(is_same(&bytes[..=length], same)));
            for place in 0..length {
                let (mut other, mut constant) = (bytes, [7; 30]);
                other[place] ^= 0x80;
                assert!(!bool::from(is_same(same, &other[..length])), "{length} {place}");
                assert!(bool::from(is_constant(&constant[..length])));
                constant[place] ^= 1;
                assert_eq!(bool::from(is_constant(&constant[..length])), length == 1, "{length} {place}");
            }
        }
        assert!(bool::from(is_constant(&[])));
    }
}
