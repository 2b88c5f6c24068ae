//! What every field must do. One generic test, which each of them passes.

use super::tiny::Tiny;
use super::{Field, Fp521, Gf2_256, draw};
use crate::error::Error;
use alloc::vec::Vec;
use rand_core::{TryCryptoRng, TryRng};

/// A deterministic generator (splitmix64), so that a failure repeats.
pub(crate) struct Repeatable(pub(crate) u64);

impl TryRng for Repeatable {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(word ^ word >> 31)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Repeatable {}

/// Gives one byte for ever.
pub(crate) struct Stuck(pub(crate) u8);

impl TryRng for Stuck {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(u32::from_le_bytes([self.0; 4]))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(u64::from_le_bytes([self.0; 8]))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}

fn same<F: Field>(left: &F, right: &F) -> bool {
    assert_eq!(bool::from(left.ct_eq(right)), left.to_bytes().as_ref() == right.to_bytes().as_ref());
    bool::from(left.ct_eq(right))
}

fn plus<F: Field>(left: &F, right: &F) -> F {
    let mut sum = left.duplicate();
    sum.add_assign(right);
    sum
}

fn minus<F: Field>(left: &F, right: &F) -> F {
    let mut difference = left.duplicate();
    difference.sub_assign(right);
    difference
}

/// By doubling and adding, which uses nothing but the addition.
fn small<F: Field>(value: u64) -> F {
    let mut element = F::zero();
    // In a binary field doubling gives zero: there the bits are powers of the element 2.
    let binary = same(&plus(&F::from_index(1), &F::from_index(1)), &F::zero());
    for bit in (0..64).rev() {
        element = if binary { element.mul(&F::from_index(2)) } else { plus(&element, &element) };
        if value >> bit & 1 == 1 {
            element.add_assign(&F::from_index(1));
        }
    }
    element
}

fn contract<F: Field>(modulus: u64) {
    let mut rng = Repeatable(1);
    let (zero, one) = (F::zero(), F::from_index(1));
    assert_eq!(F::zero().to_bytes().as_ref().len(), F::BYTES);
    let mut elements = draw::<F, _>(&mut rng, 40, Vec::new()).unwrap();
    elements.extend([F::zero(), F::from_index(1), minus(&zero, &one), F::from_index(255)]);

    for [a, b, c] in triples(&elements) {
        assert!(same(&plus(a, b), &plus(b, a)));
        assert!(same(&plus(&plus(a, b), c), &plus(a, &plus(b, c))));
        assert!(same(&minus(&plus(a, b), b), a));
        assert!(same(&a.mul(b), &b.mul(a)));
        assert!(same(&a.mul(b).mul(c), &a.mul(&b.mul(c))));
        assert!(same(&a.mul(&plus(b, c)), &plus(&a.mul(b), &a.mul(c))));
        assert!(same(&plus(a, &zero), a));
        assert!(same(&a.mul(&one), a));
        assert!(same(&a.mul(&zero), &zero));
        assert!(same(&F::from_bytes(&a.to_bytes()).unwrap(), a));
        assert!(same(&F::from_uniform(a.to_bytes().as_ref()).unwrap(), a));
    }

    for (element, factor) in elements.iter().cycle().zip(smalls(&mut rng, modulus)) {
        let mut product = element.duplicate();
        product.mul_small(factor);
        assert!(same(&product, &element.mul(&small(factor))), "{factor}");
        if factor < F::INVERTED {
            let inverse = F::invert_small(factor);
            assert!(same(&inverse.mul(&small(factor)), &one), "{factor}");
        }
    }

    for (index, other) in (1..=255).zip((1..=255).rev()).filter(|(a, b)| u64::from(*a.max(b)) < modulus) {
        let powers = elements.iter().rev().fold(F::zero(), |sum, c| plus(&sum.mul(&F::from_index(index)), c));
        assert!(same(&evaluated(&elements, index), &powers));
        assert!(same(&small(u64::from(index)), &F::from_index(index)));
        assert!(!same(&F::from_index(index), &zero));
        assert!(index == other || !same(&F::from_index(index), &F::from_index(other)));
        let (difference, negative) = F::difference(index, other);
        let difference = F::from_index(difference);
        let difference = if negative { minus(&zero, &difference) } else { difference };
        assert!(same(&plus(&F::from_index(other), &difference), &F::from_index(index)));
        let product = F::small_product(u64::from(other), index);
        assert!(same(&small(product), &F::from_index(index).mul(&F::from_index(other))));
    }
    assert!(same(&evaluated(&[], 7), &zero));
    assert!(same(&evaluated(&elements[..1], 7), &elements[0]));
    assert_eq!(alloc::format!("{:?}", elements[0]), alloc::format!("{}([redacted])", F::NAME));

    let mut wiped = plus(&one, &one.mul(&minus(&zero, &one)).mul(&elements[0]));
    zeroize::Zeroize::zeroize(&mut wiped);
    assert!(same(&wiped, &zero));
    assert_eq!(draw::<F, _>(&mut Stuck(0), 3, Vec::new()).unwrap_err(), Error::Randomness);
    assert!(draw::<F, _>(&mut Stuck(0), 0, Vec::new()).unwrap().is_empty());
}

/// In the place of another element, of which nothing is left.
fn evaluated<F: Field>(coefficients: &[F], index: u8) -> F {
    let mut value = F::from_index(200);
    value.evaluate(coefficients, index);
    value
}

fn triples<F>(elements: &[F]) -> impl Iterator<Item = [&F; 3]> {
    let count = elements.len();
    (0..count * count).map(move |i| [&elements[i % count], &elements[i / count], &elements[(i * 7 + 3) % count]])
}

/// Small elements with an inverse: the extremes, powers of two, products of primes, and random ones.
fn smalls(rng: &mut Repeatable, modulus: u64) -> Vec<u64> {
    let mut smalls: Vec<u64> = (1..=255).chain((0..56).map(|bit| 1 << bit)).collect();
    smalls.extend([(1 << 56) - 1, (1 << 56) - 2, (1 << 55) + 1]);
    smalls.extend((0..300).map(|_| rng.try_next_u64().unwrap() >> 8 >> (rng.try_next_u64().unwrap() % 56)));
    smalls.retain(|small| small % modulus != 0);
    smalls
}

#[test]
fn the_prime_field_passes() {
    contract::<Fp521>(u64::MAX);
}

#[test]
fn the_binary_field_passes() {
    contract::<Gf2_256>(u64::MAX);
}

#[test]
fn the_tiny_fields_pass() {
    contract::<Tiny<5>>(5);
    contract::<Tiny<7>>(7);
    contract::<Tiny<17>>(17);
}

#[test]
fn a_value_of_p_or_more_is_no_element() {
    let mut p = [0xff; 66];
    p[0] = 1;
    assert!(bool::from(Fp521::from_bytes(&p).is_none()));
    p[65] = 0xfe;
    assert!(bool::from(Fp521::from_bytes(&p).is_some()));
    for high in 2..=255 {
        let mut bytes = [0; 66];
        bytes[0] = high;
        assert!(bool::from(Fp521::from_bytes(&bytes).is_none()), "{high}");
    }
}

#[test]
fn a_generator_that_never_fits_is_found_out() {
    // 521 ones are p itself.
    assert_eq!(draw::<Fp521, _>(&mut Stuck(0xff), 1, Vec::new()).unwrap_err(), Error::Randomness);
    assert_eq!(draw::<Gf2_256, _>(&mut Stuck(0xff), 1, Vec::new()).unwrap().len(), 1);
}
