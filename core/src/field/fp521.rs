//! The integers modulo p = 2^521-1.
//!
//! Multiplication, reduction and encoding are fiat-crypto's, which are proven correct by machine (docs/adr/ says what
//! else was measured). Ours are the multiplication by a small number, which a dealer does k times for every share, and
//! how bytes are cut into limbs, which he does for every coefficient.
//!
//! An element has nine limbs: 58 bits each, the last 57.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "nine limbs with the bounds that are stated at each step; the suites build with overflow checks"
)]

use super::factors::Factors;
use super::sealed::Arithmetic;
use super::{Field, element};
use fiat_crypto::p521_64::{
    fiat_p521_add, fiat_p521_carry, fiat_p521_carry_mul, fiat_p521_loose_field_element as Loose, fiat_p521_relax,
    fiat_p521_sub, fiat_p521_tight_field_element as Tight, fiat_p521_to_bytes,
};
use subtle::{Choice, ConstantTimeEq, CtOption};
use zeroize::{Zeroize, Zeroizing};

const BYTES: usize = 66;
const LIMBS: usize = 9;
const LAST: usize = LIMBS - 1;
const LIMB_BITS: u32 = 58;
const LAST_BITS: u32 = 57;
/// All bits of a limb, but for the last.
const ONES: u64 = (1 << LIMB_BITS) - 1;

/// An element of F_p, p = 2^521-1.
///
/// ```
/// use dualseal::field::{Field, Fp521};
///
/// // 2^521 - 1 is zero here, and zero has one encoding only.
/// let mut p = [0xff; 66];
/// p[0] = 1;
/// assert!(bool::from(Fp521::from_bytes(&p).is_none()));
/// assert_eq!(*Fp521::zero().to_bytes(), [0; 66]);
/// ```
pub struct Fp521(Tight);

element!(Fp521);

impl Zeroize for Fp521 {
    fn zeroize(&mut self) {
        self.0.0.zeroize();
    }
}

impl Field for Fp521 {
    type Bytes = [u8; BYTES];

    const BYTES: usize = BYTES;
    const ALGORITHM: &'static str = "SHAMIR-2^521-1";

    fn zero() -> Self {
        Self(Tight([0; LIMBS]))
    }

    fn from_index(index: u8) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[0] = u64::from(index);
        Self(Tight(limbs))
    }

    fn from_bytes(bytes: &[u8; BYTES]) -> CtOption<Self> {
        let [high, ..] = bytes;
        let (element, is_below_p) = Self::from_low_bits(bytes);
        CtOption::new(element, is_below_p & (high >> 1).ct_eq(&0))
    }

    fn to_bytes(&self) -> Zeroizing<[u8; BYTES]> {
        let mut bytes = Zeroizing::new([0; BYTES]);
        fiat_p521_to_bytes(&mut bytes, &self.0);
        bytes.reverse();
        bytes
    }

    fn add_assign(&mut self, other: &Self) {
        let mut sum = Loose([0; LIMBS]);
        fiat_p521_add(&mut sum, &self.0, &other.0);
        fiat_p521_carry(&mut self.0, &sum);
    }

    fn sub_assign(&mut self, other: &Self) {
        let mut difference = Loose([0; LIMBS]);
        fiat_p521_sub(&mut difference, &self.0, &other.0);
        fiat_p521_carry(&mut self.0, &difference);
    }

    fn mul(&self, other: &Self) -> Self {
        let mut product = Self::zero();
        fiat_p521_carry_mul(&mut product.0, &self.loose(), &other.loose());
        product
    }
}

impl Arithmetic for Fp521 {
    const NAME: &'static str = "Fp521";
    const FACTORS: &'static Factors = &Factors::INTEGERS;
    const INVERTED: u64 = 1 << 56;

    fn duplicate(&self) -> Self {
        Self(self.0)
    }

    fn from_uniform(bytes: &[u8]) -> CtOption<Self> {
        let (element, is_below_p) = Self::from_low_bits(bytes);
        CtOption::new(element, is_below_p)
    }

    /// Carries are not passed on from step to step. With limbs below 2^59 + 2^10 (the last below 2^58 + 2^10), a limb
    /// times an index is a low part below 2^58 (2^57) and a high part below 2^10, and a coefficient's limb is at most
    /// 2^58 (2^57): the sums are below 2^59 + 2^10 (2^58 + 2^10) again. That is within fiat-crypto's loose bounds.
    fn evaluate(&mut self, coefficients: &[Self], index: u8) {
        let (leading, others) = coefficients.split_last().map_or(([0; LIMBS], coefficients), |(c, rest)| (c.0.0, rest));
        let mut value = leading;
        for coefficient in others.iter().rev() {
            let (low, high) = split_products(&value, u64::from(index));
            value[0] = low[0] + high[LAST] + coefficient.0.0[0];
            for limb in 1..LIMBS {
                value[limb] = low[limb] + high[limb - 1] + coefficient.0.0[limb];
            }
        }
        fiat_p521_carry(&mut self.0, &Loose(value));
    }

    /// A limb of at most 2^58 (the last 2^57) times a number below 2^56 is a low part below 2^58 (2^57) and a high part
    /// below 2^56 + 1: their sums are within the loose bounds.
    fn mul_small(&mut self, small: u64) {
        let (low, high) = split_products(&self.0.0, small);
        let mut sums = low;
        sums[0] += high[LAST];
        for limb in 1..LIMBS {
            sums[limb] += high[limb - 1];
        }
        fiat_p521_carry(&mut self.0, &Loose(sums));
    }

    /// The inverse of d modulo p is (1 + p t) / d for the t with p t = -1 modulo d. With t from 1 to d, that is 2^521 t
    /// / d rounded down: one long division of public numbers, where raising to the power p-2 would take 520 squarings.
    fn invert_small(small: u64) -> Self {
        let divisor = u128::from(small);
        let shifted = |remainder: u128, limb| remainder << if limb == LAST { LAST_BITS } else { LIMB_BITS };
        let power = (0..LIMBS).fold(1, |power, limb| shifted(power, limb) % divisor);
        let p = (power + divisor - 1) % divisor;
        let mut remainder = divisor - u128::from(inverse_modulo(p as u64, small));
        let mut quotient = [0; LIMBS];
        for limb in (0..LIMBS).rev() {
            let dividend = shifted(remainder, limb);
            quotient[limb] = (dividend / divisor) as u64;
            remainder = dividend % divisor;
        }
        Self(Tight(quotient))
    }

    fn small_product(left: u64, right: u8) -> u64 {
        left * u64::from(right)
    }

    fn difference(left: u8, right: u8) -> (u8, bool) {
        (left.abs_diff(right), left < right)
    }
}

impl Fp521 {
    /// From the lowest 521 bits of 66 bytes, and whether they are below p: of the 2^521 values only p itself has all of
    /// them set.
    ///
    /// A limb begins in the byte of its lowest bit, behind at most 6 others: with its 58 bits these are no more than
    /// the 64 of eight bytes.
    fn from_low_bits(bytes: &[u8]) -> (Self, Choice) {
        let mut element = Self::zero();
        let limbs = &mut element.0.0;
        for (place, limb) in limbs.iter_mut().enumerate() {
            let lowest = place * LIMB_BITS as usize;
            let end = BYTES - lowest / 8;
            let window = bytes[end - 8..end].iter().fold(0, |window, byte| window << 8 | u64::from(*byte));
            *limb = window >> (lowest % 8) & ONES;
        }
        limbs[LAST] &= ONES >> 1;
        let ones = limbs[..LAST].iter().fold(limbs[LAST] << 1 | 1, |ones, limb| ones & limb);
        (element, !ones.ct_eq(&ONES))
    }

    fn loose(&self) -> Loose {
        let mut loose = Loose([0; LIMBS]);
        fiat_p521_relax(&mut loose, &self.0);
        loose
    }
}

/// Every limb times a number below 2^56, cut where the limb ends: the part that stays and the part that is carried.
///
/// Shifting the factor to the left beforehand makes the cut fall between the two halves of the product. The last limb's
/// carry belongs to the first, since 2^521 is 1.
#[inline]
fn split_products(limbs: &[u64; LIMBS], small: u64) -> ([u64; LIMBS], [u64; LIMBS]) {
    let mut low = [0; LIMBS];
    let mut high = [0; LIMBS];
    for limb in 0..LIMBS {
        let spare = 64 - if limb == LAST { LAST_BITS } else { LIMB_BITS };
        let product = u128::from(limbs[limb]) * u128::from(small << spare);
        low[limb] = (product as u64) >> spare;
        high[limb] = (product >> 64) as u64;
    }
    (low, high)
}

/// The inverse of `number` modulo `modulus`, which are coprime and below 2^56, by Euclid. Both are public.
fn inverse_modulo(number: u64, modulus: u64) -> u64 {
    let (mut old, mut new) = (modulus as i64, number as i64);
    // What `number` is multiplied with to give `old` and `new` modulo the modulus; at most as large as it.
    let (mut old_factor, mut new_factor) = (0, 1);
    while new != 0 {
        let quotient = old / new;
        (old, new) = (new, old - quotient * new);
        (old_factor, new_factor) = (new_factor, old_factor - quotient * new_factor);
    }
    old_factor.rem_euclid(modulus as i64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::contract::Repeatable;
    use fiat_crypto::p521_64::fiat_p521_from_bytes;
    use rand_core::TryRng;

    /// Every single bit, every run of ones from either end, and 10,000 drawn values.
    #[test]
    fn bytes_are_cut_as_fiat_crypto_cuts_them() {
        let (mut rng, mut little) = (Repeatable(1), [0; BYTES]);
        for case in 0..10_000 {
            rng.try_fill_bytes(&mut little).unwrap();
            let bits = |is_set: &dyn Fn(usize) -> bool| {
                core::array::from_fn(|byte| (0..8).fold(0, |bits, bit| bits | u8::from(is_set(byte * 8 + bit)) << bit))
            };
            match case {
                0..521 => little = bits(&|bit| bit == case),
                521..1042 => little = bits(&|bit| bit < case - 521),
                1042..1563 => little = bits(&|bit| (case - 1042..521).contains(&bit)),
                _ => {}
            }
            little[BYTES - 1] &= 1;
            let mut expected = Tight([0; LIMBS]);
            fiat_p521_from_bytes(&mut expected, &little);
            let mut bytes = little;
            bytes.reverse();
            bytes[0] |= 0xfe;
            let (found, is_below_p) = Fp521::from_low_bits(&bytes);
            assert_eq!(found.0.0, expected.0, "{case}");
            assert_eq!(bool::from(is_below_p), case != 1042, "{case}");
        }
    }
}
