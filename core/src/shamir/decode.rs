//! Finds wrong shares where there is nothing to compare them with: Reed-Solomon decoding on syndromes.
//!
//! Syndromes depend on the errors alone: a polynomial of degree below k adds nothing to them. So the time that decoding
//! takes, which depends on the syndromes, tells nothing about the secret.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "positions in lists of at most 255 syndromes, whose lengths are stated at each step"
)]

use super::weights::Weights;
use crate::field::Field;
use alloc::vec::Vec;

/// The places of the values that are not on the one polynomial of degree below k that is wrong at no more than
/// floor((t-k)/2) of the t places; `None` when there is no such polynomial. The indices differ, and t >= k.
pub(super) fn find_errors<F: Field>(indices: &[u8], values: &[&F], k: usize) -> Option<Vec<usize>> {
    if values.len() == k {
        return Some(Vec::new());
    }
    let syndromes = syndromes(indices, values, values.len() - k);
    let locator = locator(&syndromes);
    let errors = locator.len() - 1;
    if errors > syndromes.len() / 2 {
        return None;
    }
    // The locator is the product of (1 - x_j z) over the wrong places j: reversed, it vanishes at x_j.
    let reversed: Vec<F> = locator.iter().rev().map(F::duplicate).collect();
    let mut value = F::zero();
    let mut vanishes = |index| {
        value.evaluate(&reversed, index);
        bool::from(value.ct_eq(&F::zero()))
    };
    let places: Vec<usize> = (0..indices.len()).filter(|place| vanishes(indices[*place])).collect();
    // As many roots as its degree: then errors at these places, and only there, explain every syndrome.
    (places.len() == errors).then_some(places)
}

/// S_l = Σ v_j x_j^l y_j for l from 0 to count-1, all of them zero exactly when no value is wrong.
fn syndromes<F: Field>(indices: &[u8], values: &[&F], count: usize) -> Vec<F> {
    let weights = Weights::<F>::dual(indices);
    let mut terms: Vec<F> = values.iter().map(|value| value.duplicate()).collect();
    for (place, term) in terms.iter_mut().enumerate() {
        weights.apply(place, term);
    }
    let mut syndromes = Vec::with_capacity(count);
    for _ in 0..count {
        let mut sum = F::zero();
        for (term, index) in terms.iter_mut().zip(indices) {
            sum.add_assign(term);
            term.mul_small(u64::from(*index));
        }
        syndromes.push(sum);
    }
    syndromes
}

/// The shortest linear recurrence of the syndromes, by Berlekamp and Massey without inversions: its coefficients up to
/// a common factor, one more than its length.
fn locator<F: Field>(syndromes: &[F]) -> Vec<F> {
    let mut current = alloc::vec![F::from_index(1)];
    let mut previous = alloc::vec![F::from_index(1)];
    let mut previous_discrepancy = F::from_index(1);
    let mut length = 0;
    let mut since = 1;
    for place in 0..syndromes.len() {
        let mut discrepancy = F::zero();
        for (offset, coefficient) in current.iter().enumerate().take(length + 1) {
            discrepancy.add_assign(&coefficient.mul(&syndromes[place - offset]));
        }
        if bool::from(discrepancy.ct_eq(&F::zero())) {
            since += 1;
            continue;
        }
        // next = previous_discrepancy * current - discrepancy * z^since * previous
        let mut next: Vec<F> = current.iter().map(|coefficient| coefficient.mul(&previous_discrepancy)).collect();
        while next.len() < previous.len() + since {
            next.push(F::zero());
        }
        for (coefficient, previous) in next[since..].iter_mut().zip(&previous) {
            coefficient.sub_assign(&previous.mul(&discrepancy));
        }
        if 2 * length <= place {
            length = place + 1 - length;
            previous = core::mem::replace(&mut current, next);
            previous_discrepancy = discrepancy;
            since = 1;
        } else {
            current = next;
            since += 1;
        }
    }
    current.truncate(length + 1);
    while current.len() < length + 1 {
        current.push(F::zero());
    }
    current
}
