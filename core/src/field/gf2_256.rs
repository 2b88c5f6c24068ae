//! GF(2^256) = GF(2)[x] / (x^256 + x^10 + x^5 + x^2 + 1), the field of the program `ssss`.
//!
//! Portable, and without table look-ups: the product of polynomials is built from integer multiplications of words with
//! holes in them, so that carries end in the holes. This assumes what the whole crate's dependencies do, that the
//! processor multiplies words in a time that does not depend on their values.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "four words, and shifts by less than a word; the suites build with overflow checks"
)]

use super::factors::Factors;
use super::sealed::Arithmetic;
use super::{Field, element};
use subtle::{Choice, CtOption};
use zeroize::{Zeroize, Zeroizing};

const BYTES: usize = 32;
const WORDS: usize = 4;

/// An element of GF(2^256); word 0 has the coefficients of x^0 to x^63.
///
/// ```
/// use dualseal::field::{Field, Gf2_256};
///
/// // x^255 times x is x^10 + x^5 + x^2 + 1.
/// let mut bytes = [0; 32];
/// bytes[0] = 0x80;
/// let product = Gf2_256::from_bytes(&bytes).unwrap().mul(&Gf2_256::from_index(2));
/// assert_eq!(product.to_bytes()[30..], [0x04, 0x25]);
/// ```
pub struct Gf2_256([u64; WORDS]);

element!(Gf2_256);

impl Zeroize for Gf2_256 {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Field for Gf2_256 {
    type Bytes = [u8; BYTES];

    const BYTES: usize = BYTES;
    const ALGORITHM: &'static str = "SHAMIR-GF(2^256)";

    fn zero() -> Self {
        Self([0; WORDS])
    }

    fn from_index(index: u8) -> Self {
        Self([u64::from(index), 0, 0, 0])
    }

    /// Every value is an element.
    fn from_bytes(bytes: &[u8; BYTES]) -> CtOption<Self> {
        Self::from_uniform(bytes)
    }

    fn to_bytes(&self) -> Zeroizing<[u8; BYTES]> {
        let mut bytes = Zeroizing::new([0; BYTES]);
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0.iter().rev()) {
            chunk.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }

    fn add_assign(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word ^= other;
        }
    }

    /// The same as addition.
    fn sub_assign(&mut self, other: &Self) {
        self.add_assign(other);
    }

    fn mul(&self, other: &Self) -> Self {
        let halves = |words: [u64; WORDS]| ([words[0], words[1]], [words[2], words[3]]);
        let sum = |(low, high): ([u64; 2], [u64; 2])| [low[0] ^ high[0], low[1] ^ high[1]];
        let (left, right) = (halves(self.0), halves(other.0));
        let low = multiply_two(left.0, right.0);
        let high = multiply_two(left.1, right.1);
        let sums = multiply_two(sum(left), sum(right));
        let middle: [u64; WORDS] = core::array::from_fn(|place| sums[place] ^ low[place] ^ high[place]);
        let words = [low[0], low[1], low[2] ^ middle[0], low[3] ^ middle[1]];
        let above = [high[0] ^ middle[2], high[1] ^ middle[3], high[2], high[3]];
        Self(reduce(words, above))
    }
}

impl Arithmetic for Gf2_256 {
    const NAME: &'static str = "Gf2_256";
    const FACTORS: &'static Factors = &Factors::POLYNOMIALS;
    const INVERTED: u64 = 256;

    fn duplicate(&self) -> Self {
        Self(self.0)
    }

    fn from_uniform(bytes: &[u8]) -> CtOption<Self> {
        let mut words = [0; WORDS];
        for (word, chunk) in words.iter_mut().rev().zip(bytes.chunks_exact(8)) {
            *word = chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        CtOption::new(Self(words), Choice::from(1))
    }

    /// One shifted copy for every bit that is set in the index, which is public: a third of the work of a
    /// multiplication that hides it.
    fn evaluate(&mut self, coefficients: &[Self], index: u8) {
        let (leading, others) = coefficients.split_last().map_or(([0; WORDS], coefficients), |(c, rest)| (c.0, rest));
        let mut value = leading;
        for coefficient in others.iter().rev() {
            let mut sum = coefficient.0;
            let mut above = [0; WORDS];
            if index & 1 == 1 {
                add_shifted::<0>(&mut sum, &mut above, &value);
            }
            if index & 2 != 0 {
                add_shifted::<1>(&mut sum, &mut above, &value);
            }
            if index & 4 != 0 {
                add_shifted::<2>(&mut sum, &mut above, &value);
            }
            if index & 8 != 0 {
                add_shifted::<3>(&mut sum, &mut above, &value);
            }
            if index & 16 != 0 {
                add_shifted::<4>(&mut sum, &mut above, &value);
            }
            if index & 32 != 0 {
                add_shifted::<5>(&mut sum, &mut above, &value);
            }
            if index & 64 != 0 {
                add_shifted::<6>(&mut sum, &mut above, &value);
            }
            if index & 128 != 0 {
                add_shifted::<7>(&mut sum, &mut above, &value);
            }
            value = fold_words(sum, above);
        }
        self.0 = value;
    }

    fn mul_small(&mut self, small: u64) {
        let small = with_holes(small);
        let mut low = [0; WORDS];
        let mut above = [0; WORDS];
        for place in 0..WORDS {
            (low[place], above[place]) = multiply(&with_holes(self.0[place]), &small);
        }
        self.0 = fold_words(low, above);
    }

    /// From a table of public numbers, at a public place.
    fn invert_small(small: u64) -> Self {
        Self(INVERSES[small as usize])
    }

    fn small_product(left: u64, right: u8) -> u64 {
        shifted_sum(left, right.into())
    }

    fn difference(left: u8, right: u8) -> (u8, bool) {
        (left ^ right, false)
    }
}

/// x^10 + x^5 + x^2 + 1, which x^256 equals.
const FIELD_TAIL: u64 = 0b100_0010_0101;

/// Adds `value` times x^SHIFT: what stays in each word to `low`, what leaves it to `above`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the innermost loop of a dealer: twice as slow when it is called")]
fn add_shifted<const SHIFT: u32>(low: &mut [u64; WORDS], above: &mut [u64; WORDS], value: &[u64; WORDS]) {
    for word in 0..WORDS {
        low[word] ^= value[word] << SHIFT;
        if SHIFT > 0 {
            above[word] ^= value[word] >> (64 - SHIFT);
        }
    }
}

/// Moves what left each word into the next one, and reduces what left the last, of degree below 56.
#[inline]
fn fold_words(low: [u64; WORDS], above: [u64; WORDS]) -> [u64; WORDS] {
    let [first, second, third, fourth] = low;
    let [to_second, to_third, to_fourth, over] = above;
    let (folded, over) = fold(over);
    [first ^ folded, second ^ to_second ^ over, third ^ to_third, fourth ^ to_fourth]
}

/// Reduces a product of degree below 512; `above` are its coefficients from x^256 on.
fn reduce(low: [u64; WORDS], above: [u64; WORDS]) -> [u64; WORDS] {
    let mut sum = low;
    let mut carried = 0;
    for place in 0..WORDS {
        let (folded, over) = fold(above[place]);
        sum[place] ^= folded ^ carried;
        carried = over;
    }
    // What leaves the last word has degree below 10.
    sum[0] ^= fold(carried).0;
    sum
}

/// A word times x^10 + x^5 + x^2 + 1: the lower and the upper word.
#[inline]
fn fold(word: u64) -> (u64, u64) {
    (word ^ word << 2 ^ word << 5 ^ word << 10, word >> 62 ^ word >> 59 ^ word >> 54)
}

/// Every fifth bit.
const FIFTH: u64 = 0x1084_2108_4210_8421;

/// A word as five words with holes: each has every fifth bit of it.
///
/// The integer product of two such words adds at most 13 ones at each place where they can meet. That is below 2^5, so
/// the carries end before the next place, and the lowest bit there is the sum modulo 2.
#[inline]
fn with_holes(word: u64) -> [u64; 5] {
    [word & FIFTH, word & FIFTH << 1, word & FIFTH << 2, word & FIFTH << 3, word & FIFTH << 4]
}

/// The product of two words as polynomials over GF(2): the lower and the upper word.
#[inline]
fn multiply(left: &[u64; 5], right: &[u64; 5]) -> (u64, u64) {
    let mut product = 0;
    for sum in 0..5 {
        // Pairs whose places add up to `sum` modulo 5 meet at the same places of the product.
        let mut meeting = 0;
        for place in 0..5 {
            meeting ^= u128::from(left[place]) * u128::from(right[(5 + sum - place) % 5]);
        }
        product |= meeting & PLACES << sum;
    }
    (product as u64, (product >> 64) as u64)
}

/// Every fifth bit of 128.
const PLACES: u128 = {
    let mut places = 0;
    let mut bit = 0;
    while bit < 128 {
        places |= 1 << bit;
        bit += 5;
    }
    places
};

/// The product of two times two words by Karatsuba's rule, with three products of words where there were four.
#[inline]
fn multiply_two(left: [u64; 2], right: [u64; 2]) -> [u64; WORDS] {
    let low = multiply(&with_holes(left[0]), &with_holes(right[0]));
    let high = multiply(&with_holes(left[1]), &with_holes(right[1]));
    let sums = multiply(&with_holes(left[0] ^ left[1]), &with_holes(right[0] ^ right[1]));
    let middle = (sums.0 ^ low.0 ^ high.0, sums.1 ^ low.1 ^ high.1);
    [low.0, low.1 ^ middle.0, high.0 ^ middle.1, high.1]
}

/// The inverses of the polynomials of degree below 8, each at the place of its number; at 0 is none.
#[allow(long_running_const_eval, reason = "255 divisions, bit by bit, while the crate is compiled")]
static INVERSES: [[u64; WORDS]; 256] = {
    let mut inverses = [[0; WORDS]; 256];
    let mut small = 1;
    while small < 256 {
        inverses[small] = inverse(small as u64);
        small += 1;
    }
    inverses
};

/// The inverse of d, of degree below 8, is (1 + f t) / d for the field's polynomial f and the t with f t = 1 modulo d.
const fn inverse(small: u64) -> [u64; WORDS] {
    let (_, remainder) = divide([FIELD_TAIL, 0, 0, 0, 1], small);
    let t = inverse_modulo(remainder, small);
    // f = x^256 + its tail
    let (quotient, _) = divide([shifted_sum(FIELD_TAIL, t) ^ 1, 0, 0, 0, t], small);
    let [inverse @ .., _] = quotient;
    inverse
}

/// The product of polynomials, the second of degree below 8 and the first of a degree that leaves room for it.
const fn shifted_sum(left: u64, right: u64) -> u64 {
    let (mut product, mut bit) = (0, 0);
    while bit < 8 {
        product ^= left << bit & 0_u64.wrapping_sub(right >> bit & 1);
        bit += 1;
    }
    product
}

/// Quotient and remainder of polynomials.
const fn divide(dividend: [u64; WORDS + 1], divisor: u64) -> ([u64; WORDS + 1], u64) {
    let degree = divisor.ilog2();
    let (mut quotient, mut remainder) = ([0; WORDS + 1], 0);
    let mut bit = 64 * (WORDS + 1);
    while bit > 0 {
        bit -= 1;
        remainder = remainder << 1 | dividend[bit / 64] >> (bit % 64) & 1;
        if remainder >> degree == 1 {
            remainder ^= divisor;
            quotient[bit / 64] |= 1 << (bit % 64);
        }
    }
    (quotient, remainder)
}

/// The inverse of a polynomial modulo another, to which it is coprime, by Euclid.
const fn inverse_modulo(polynomial: u64, modulus: u64) -> u64 {
    let (mut old, mut new) = (modulus, polynomial);
    let (mut old_factor, mut new_factor) = (0_u64, 1_u64);
    while new != 0 {
        while old != 0 && old.ilog2() >= new.ilog2() {
            let shift = old.ilog2() - new.ilog2();
            old ^= new << shift;
            old_factor ^= new_factor << shift;
        }
        (old, new) = (new, old);
        (old_factor, new_factor) = (new_factor, old_factor);
    }
    old_factor
}
