//! How the numbers 1 to 255 factor into primes: as integers, and as polynomials over GF(2).
//!
//! Interpolation weights are products and quotients of differences of indices. Kept as exponents of primes, they cancel
//! before anything is computed in the field. All of it is public.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "tables of numbers below 256, computed at compile time, where an overflow or a bad index is an error"
)]

/// There are 54 primes below 256, and 41 irreducible polynomials of degree below 8.
pub(crate) const MOST_PRIMES: usize = 54;

/// A table of least prime factors.
#[derive(Debug)]
pub struct Factors {
    /// The primes in ascending order, then zeros.
    primes: [u8; MOST_PRIMES],
    /// For every number from 2: the place of its least prime factor in `primes`, and what is left without that factor.
    steps: [(u8, u8); 256],
}

impl Factors {
    pub(super) const INTEGERS: Self = Self::new(false);
    pub(super) const POLYNOMIALS: Self = Self::new(true);

    /// The primes, each at its place.
    pub(crate) fn primes(&self) -> &[u8; MOST_PRIMES] {
        &self.primes
    }

    /// Calls `each` with the place of every prime factor of `number`, as often as it divides it. 1 has none; 0 must not
    /// be asked for.
    pub(crate) fn of(&self, number: u8, mut each: impl FnMut(usize)) {
        let mut rest = number;
        while rest > 1 {
            let (place, next) = self.steps[usize::from(rest)];
            each(usize::from(place));
            rest = next;
        }
    }

    const fn new(polynomials: bool) -> Self {
        let mut primes = [0; MOST_PRIMES];
        let mut steps = [(0, 0); 256];
        let mut found = 0;
        let mut number = 2;
        while number < 256 {
            // The least divisor from 2 on is prime: a factor of it would be a smaller divisor.
            let mut divisor = 2;
            let quotient = loop {
                let (quotient, remainder) =
                    if polynomials { divide(number, divisor) } else { (number / divisor, number % divisor) };
                if remainder == 0 {
                    break quotient;
                }
                divisor += 1;
            };
            if divisor == number {
                primes[found] = number as u8;
                found += 1;
            }
            let mut place = 0;
            while primes[place] as usize != divisor {
                place += 1;
            }
            steps[number] = (place as u8, quotient as u8);
            number += 1;
        }
        Self { primes, steps }
    }
}

/// Quotient and remainder of polynomials over GF(2).
const fn divide(mut dividend: usize, divisor: usize) -> (usize, usize) {
    let mut quotient = 0;
    while dividend != 0 && dividend.ilog2() >= divisor.ilog2() {
        let shift = dividend.ilog2() - divisor.ilog2();
        dividend ^= divisor << shift;
        quotient |= 1 << shift;
    }
    (quotient, dividend)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn factors(table: &Factors, number: u8) -> Vec<u8> {
        let mut factors = Vec::new();
        table.of(number, |place| factors.push(table.primes()[place]));
        factors
    }

    #[test]
    fn every_number_is_the_product_of_its_factors() {
        let carryless = |a: u64, b: u64| (0..8).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| sum ^ (a << bit));
        for number in 1..=255 {
            let product = factors(&Factors::INTEGERS, number).iter().map(|f| u64::from(*f)).product::<u64>();
            assert_eq!(product, u64::from(number));
            let product = factors(&Factors::POLYNOMIALS, number).iter().fold(1, |p, f| carryless(p, u64::from(*f)));
            assert_eq!(product, u64::from(number));
        }
    }

    #[test]
    fn there_are_as_many_primes_as_known() {
        let primes = |table: &Factors| table.primes().iter().filter(|prime| **prime != 0).count();
        assert_eq!(primes(&Factors::INTEGERS), 54);
        // Degrees 1 to 7: 2, 1, 2, 3, 6, 9, 18.
        assert_eq!(primes(&Factors::POLYNOMIALS), 41);
        assert_eq!(factors(&Factors::INTEGERS, 252), [2, 2, 3, 3, 7]);
        // x^4 + 1 = (x + 1)^4
        assert_eq!(factors(&Factors::POLYNOMIALS, 0b10001), [3, 3, 3, 3]);
    }
}
