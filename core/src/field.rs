//! The two fields that secrets are shared over, and nothing of sharing itself.
//!
//! | type | field | element on the wire |
//! |---|---|---|
//! | [`Fp521`] | integers modulo the prime 2^521-1 | 66 bytes big-endian, a value of p or more is refused |
//! | [`Gf2_256`] | GF(2) polynomials modulo x^256+x^10+x^5+x^2+1 | 32 bytes big-endian, bit i the coefficient of x^i |
//!
//! Arithmetic takes the same time for every value of an element. Indices of shares, and the small numbers that are
//! computed from them, are public: time may depend on those. Elements are wiped when they are dropped.

#[cfg(test)]
pub(crate) mod contract;
mod factors;
mod fp521;
mod gf2_256;
#[cfg(test)]
pub(crate) mod tiny;

pub use fp521::Fp521;
pub use gf2_256::Gf2_256;

pub(crate) use factors::{Factors, MOST_PRIMES};

use crate::error::Error;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq, CtOption};
use zeroize::{Zeroize, Zeroizing};

/// An element of a field in which the integers 1 to 255 name 255 different elements, so that each can be the index of a
/// share. It cannot be implemented outside this crate.
///
/// ```
/// use dualseal::field::{Field, Fp521, Gf2_256};
///
/// // 255 + 1 as integers, and as polynomials over GF(2).
/// let mut sum = Fp521::from_index(255);
/// sum.add_assign(&Fp521::from_index(1));
/// assert_eq!(sum.to_bytes()[64..], [1, 0]);
/// let mut sum = Gf2_256::from_index(255);
/// sum.add_assign(&Gf2_256::from_index(1));
/// assert_eq!(sum.to_bytes()[30..], [0, 254]);
/// ```
pub trait Field: sealed::Arithmetic + ConstantTimeEq + Zeroize + fmt::Debug + Send + Sync + 'static {
    /// An element's bytes: `[u8; 66]` or `[u8; 32]`.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + for<'a> TryFrom<&'a [u8]> + Copy + Zeroize;

    /// The number of bytes of an element.
    const BYTES: usize;

    /// What records call sharing over this field (`algoritam`).
    const ALGORITHM: &'static str;

    /// The neutral element of addition.
    fn zero() -> Self;

    /// The element that a share's index stands for. 0 gives zero.
    fn from_index(index: u8) -> Self;

    /// Reads an element; `None` for bytes that are not the ones [`to_bytes`](Self::to_bytes) gives for any element.
    fn from_bytes(bytes: &Self::Bytes) -> CtOption<Self>;

    /// The element's only encoding, big-endian.
    fn to_bytes(&self) -> Zeroizing<Self::Bytes>;

    /// Adds another element.
    fn add_assign(&mut self, other: &Self);

    /// Subtracts another element.
    fn sub_assign(&mut self, other: &Self);

    /// The product of two elements.
    #[must_use]
    fn mul(&self, other: &Self) -> Self;
}

pub(crate) mod sealed {
    use super::{CtOption, Factors};

    /// What sharing needs beside the field's operations. A *small* element is the image of an integer below 2^56, or of
    /// a polynomial of degree below 56, in either case written as a `u64`; it is never secret.
    pub trait Arithmetic: Sized {
        /// The field's name, for `Debug`.
        const NAME: &'static str;

        /// How the numbers 1 to 255 factor as small elements.
        const FACTORS: &'static Factors;

        /// A copy. Not `Clone`, so that nothing outside copies secrets by accident.
        fn duplicate(&self) -> Self;

        /// An element from as many uniform bytes as its encoding has: `None` for bytes that must be drawn again.
        fn from_uniform(bytes: &[u8]) -> CtOption<Self>;

        /// Becomes c_0 + c_1 i + c_2 i^2 + … by Horner's rule, where it stands. What it computes with stays on the
        /// stack, which a caller with secrets clears.
        fn evaluate(&mut self, coefficients: &[Self], index: u8);

        /// Multiplies by a small element.
        fn mul_small(&mut self, small: u64);

        /// Below this, and at most 2^56, small elements have an inverse by [`invert_small`](Self::invert_small).
        const INVERTED: u64;

        /// The inverse of a small element other than 0.
        fn invert_small(small: u64) -> Self;

        /// The product of two small elements, as a polynomial or an integer that may be no small element any more.
        fn small_product(left: u64, right: u8) -> u64;

        /// `left - right` as a small element and whether it is to be negated.
        fn difference(left: u8, right: u8) -> (u8, bool);
    }
}

/// As many tries as an honest generator never needs: even where every second value is drawn again, all of them fail
/// with a probability of 2^-128. A generator that gives the same unfit bytes for ever is found out.
const TRIES: usize = 128;

/// Draws elements to the end of a list, uniformly and independently over the whole field. The list has the room for
/// them or is empty: one that moved would leave its elements behind.
///
/// # Errors
/// [`Error::Randomness`] when the generator fails, gives nothing but zeros, or only bytes that fit no element.
pub(crate) fn draw<F: Field, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
    mut elements: Vec<F>,
) -> Result<Vec<F>, Error> {
    // One request for all: a generator that asks the operating system is slow to ask.
    let mut bytes = Zeroizing::new(alloc::vec![0; F::BYTES.saturating_mul(count)]);
    rng.try_fill_bytes(&mut bytes).map_err(|_| Error::Randomness)?;
    if bool::from(is_zero(&bytes)) {
        return Err(Error::Randomness);
    }
    elements.reserve_exact(count);
    for chunk in bytes.chunks_exact_mut(F::BYTES) {
        let mut tries = 0..TRIES;
        let element = loop {
            if let Some(element) = F::from_uniform(chunk).into_option() {
                break element;
            }
            tries.next().ok_or(Error::Randomness)?;
            rng.try_fill_bytes(chunk).map_err(|_| Error::Randomness)?;
        };
        elements.push(element);
    }
    Ok(elements)
}

/// Whether there is a byte, and every byte is zero.
fn is_zero(bytes: &[u8]) -> Choice {
    let any = bytes.iter().fold(0, |any, byte| any | byte);
    any.ct_eq(&0) & Choice::from(u8::from(!bytes.is_empty()))
}

/// What every element has in common: it is wiped when dropped, shows nothing, and compares in constant time.
macro_rules! element {
    ($element:ty $(, const $parameter:ident: $number:ty)?) => {
        impl$(<const $parameter: $number>)? Drop for $element {
            fn drop(&mut self) {
                zeroize::Zeroize::zeroize(self);
            }
        }

        impl$(<const $parameter: $number>)? zeroize::ZeroizeOnDrop for $element {}

        impl$(<const $parameter: $number>)? core::fmt::Debug for $element {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}([redacted])", <Self as $crate::field::sealed::Arithmetic>::NAME)
            }
        }

        impl$(<const $parameter: $number>)? subtle::ConstantTimeEq for $element {
            fn ct_eq(&self, other: &Self) -> subtle::Choice {
                use $crate::field::Field;
                $crate::secret::is_same(self.to_bytes().as_slice(), other.to_bytes().as_slice())
            }
        }
    };
}
use element;
