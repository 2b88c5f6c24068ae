//! Interpolation weights for the indices at hand.
//!
//! A weight is a quotient of products of differences of indices, all of them small numbers. It is kept as exponents of
//! primes, so that most of it cancels, what all weights share is applied once, and a value is multiplied by what is
//! left in pieces of 56 bits. No field inversion is needed, and only as many full multiplications as the shared
//! denominator has pieces. Everything but the values is public.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "254 differences below 256 have fewer than 2^12 prime factors; both lists have one item for each index"
)]

use crate::field::{Field, MOST_PRIMES};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Below this elements are small.
const SMALL: u64 = 1 << 56;

/// How often each prime divides a number.
type Exponents = [i16; MOST_PRIMES];

/// One weight for each of the indices.
pub(super) struct Weights<F> {
    /// What is left of each weight without the common part: exponents that are not negative, and whether to negate.
    own: Vec<(Exponents, bool)>,
    /// The part that all weights have in common; exponents may be negative.
    common: Exponents,
    field: PhantomData<F>,
}

impl<F: Field> Weights<F> {
    /// Lagrange's weights: Σ w_j f(x_j) = f(at) for every polynomial f of a degree below the number of indices.
    ///
    /// w_j is the product over m other than j of (x_m - at) / (x_m - x_j). The indices differ, and none is `at`.
    pub(super) fn lagrange(indices: &[u8], at: u8) -> Self {
        let mut all = [0; MOST_PRIMES];
        let mut own = denominators::<F>(indices);
        let mut negative = false;
        let numerators: Vec<_> = indices.iter().map(|index| F::difference(*index, at)).collect();
        for (numerator, is_negative) in &numerators {
            multiply::<F>(&mut all, *numerator, 1);
            negative ^= is_negative;
        }
        for ((exponents, negate), (numerator, is_negative)) in own.iter_mut().zip(&numerators) {
            for (exponent, all) in exponents.iter_mut().zip(&all) {
                *exponent += all;
            }
            multiply::<F>(exponents, *numerator, -1);
            *negate ^= negative ^ is_negative;
        }
        Self::new(own)
    }

    /// The weights v_j with Σ v_j x_j^l f(x_j) = 0 for every polynomial f of degree below k and every l below the
    /// number of indices minus k, up to one common factor.
    ///
    /// v_j is the product over m other than j of 1 / (x_m - x_j).
    pub(super) fn dual(indices: &[u8]) -> Self {
        let mut weights = Self::new(denominators::<F>(indices));
        weights.common = [0; MOST_PRIMES];
        weights
    }

    /// Multiplies a value by the weight of the index at `place`, but for the common part.
    pub(super) fn apply(&self, place: usize, value: &mut F) {
        let (exponents, negate) = &self.own[place];
        for_each_piece::<F>(exponents, 1, SMALL, |piece| value.mul_small(piece));
        if *negate {
            let mut negated = F::zero();
            negated.sub_assign(value);
            *value = negated;
        }
    }

    /// Multiplies by the part that all weights have in common.
    pub(super) fn apply_common(&self, value: &mut F) {
        for_each_piece::<F>(&self.common, 1, SMALL, |piece| value.mul_small(piece));
        for_each_piece::<F>(&self.common, -1, F::INVERTED, |piece| *value = value.mul(&F::invert_small(piece)));
    }

    fn new(mut own: Vec<(Exponents, bool)>) -> Self {
        let mut common = own.first().map_or([0; MOST_PRIMES], |(exponents, _)| *exponents);
        for (exponents, _) in &own {
            for (common, exponent) in common.iter_mut().zip(exponents) {
                *common = (*common).min(*exponent);
            }
        }
        for (exponents, _) in &mut own {
            for (exponent, common) in exponents.iter_mut().zip(&common) {
                *exponent -= common;
            }
        }
        Self { own, common, field: PhantomData }
    }
}

/// For each index x_j the product of 1 / (x_m - x_j) over the others.
fn denominators<F: Field>(indices: &[u8]) -> Vec<(Exponents, bool)> {
    let mut products: Vec<_> = indices.iter().map(|_| ([0; MOST_PRIMES], false)).collect();
    for (j, left) in indices.iter().enumerate() {
        for (m, right) in indices.iter().enumerate().take(j) {
            // x_m - x_j for the weight of j, and its negative for the weight of m.
            let (difference, negative) = F::difference(*right, *left);
            let (_, opposite) = F::difference(*left, *right);
            F::FACTORS.of(difference, |place| {
                products[j].0[place] -= 1;
                products[m].0[place] -= 1;
            });
            products[j].1 ^= negative;
            products[m].1 ^= opposite;
        }
    }
    products
}

/// Multiplies by a number to a power.
fn multiply<F: Field>(exponents: &mut Exponents, number: u8, power: i16) {
    F::FACTORS.of(number, |place| exponents[place] += power);
}

/// Calls `each` with small elements below `limit`, which is above every prime, whose product has the exponents of the
/// given sign: those of numerator or denominator.
fn for_each_piece<F: Field>(exponents: &Exponents, sign: i16, limit: u64, mut each: impl FnMut(u64)) {
    let mut piece = 1;
    for (prime, exponent) in F::FACTORS.primes().iter().zip(exponents) {
        for _ in 0..exponent * sign {
            // 56 bits and 8 more.
            let product = F::small_product(piece, *prime);
            if product < limit {
                piece = product;
            } else {
                each(piece);
                piece = u64::from(*prime);
            }
        }
    }
    if piece > 1 {
        each(piece);
    }
}

/// f(at) for the polynomial of least degree through the points; their indices differ. `at` may be one of them.
pub(super) fn interpolate<'a, F: Field>(points: impl Iterator<Item = (u8, &'a F)> + Clone, at: u8) -> F {
    if let Some((_, value)) = points.clone().find(|(index, _)| *index == at) {
        return value.duplicate();
    }
    let indices: Vec<u8> = points.clone().map(|(index, _)| index).collect();
    let weights = Weights::<F>::lagrange(&indices, at);
    let mut sum = F::zero();
    for (place, (_, value)) in points.enumerate() {
        let mut term = value.duplicate();
        weights.apply(place, &mut term);
        sum.add_assign(&term);
    }
    weights.apply_common(&mut sum);
    sum
}
