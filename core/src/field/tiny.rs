//! The integers modulo a small prime: a field in which everything can be tried. For tests alone.

use super::factors::Factors;
use super::sealed::Arithmetic;
use super::{Field, element};
use subtle::{Choice, CtOption};
use zeroize::{Zeroize, Zeroizing};

/// An element of the integers modulo the prime Q, at most 251. Indices are below Q.
pub(crate) struct Tiny<const Q: u64>(u64);

element!(Tiny<Q>, const Q: u64);

impl<const Q: u64> Zeroize for Tiny<Q> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<const Q: u64> Field for Tiny<Q> {
    type Bytes = [u8; 1];

    const BYTES: usize = 1;
    const ALGORITHM: &'static str = "SHAMIR-TINY";

    fn zero() -> Self {
        Self(0)
    }

    fn from_index(index: u8) -> Self {
        Self(u64::from(index) % Q)
    }

    fn from_bytes(bytes: &[u8; 1]) -> CtOption<Self> {
        CtOption::new(Self(u64::from(bytes[0])), Choice::from(u8::from(u64::from(bytes[0]) < Q)))
    }

    fn to_bytes(&self) -> Zeroizing<[u8; 1]> {
        Zeroizing::new([u8::try_from(self.0).unwrap()])
    }

    fn add_assign(&mut self, other: &Self) {
        self.0 = (self.0 + other.0) % Q;
    }

    fn sub_assign(&mut self, other: &Self) {
        self.0 = (self.0 + Q - other.0) % Q;
    }

    fn mul(&self, other: &Self) -> Self {
        Self(self.0 * other.0 % Q)
    }
}

impl<const Q: u64> Arithmetic for Tiny<Q> {
    const NAME: &'static str = "Tiny";
    const FACTORS: &'static Factors = &Factors::INTEGERS;
    const INVERTED: u64 = 1 << 56;

    fn duplicate(&self) -> Self {
        Self(self.0)
    }

    /// As many bits as Q has; the others are ignored.
    fn from_uniform(bytes: &[u8]) -> CtOption<Self> {
        let mask = u8::try_from(Q.next_power_of_two() - 1).unwrap();
        Self::from_bytes(&[bytes[0] & mask])
    }

    fn evaluate(&mut self, coefficients: &[Self], index: u8) {
        self.0 = coefficients.iter().rev().fold(0, |sum, c| (sum * u64::from(index) + c.0) % Q);
    }

    fn mul_small(&mut self, small: u64) {
        self.0 = self.0 * (small % Q) % Q;
    }

    fn invert_small(small: u64) -> Self {
        Self((1..Q).find(|inverse| small % Q * inverse % Q == 1).unwrap())
    }

    fn small_product(left: u64, right: u8) -> u64 {
        left * u64::from(right)
    }

    fn difference(left: u8, right: u8) -> (u8, bool) {
        (left.abs_diff(right), left < right)
    }
}
