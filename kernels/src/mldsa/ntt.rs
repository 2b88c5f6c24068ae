//! The number-theoretic transform of FIPS 204, section 7.5, and the products between its two directions.
//!
//! A polynomial is 16 rows of 16 coefficients. Butterflies over distances of 128 to 16 coefficients run between rows,
//! sixteen lanes at a time; then the square is transposed, and those over 8 to 1 run between rows too. It stays
//! transposed until the inverse has undone the same layers: products coefficient by coefficient need no order.
//!
//! Coefficients are signed and reduced late. `mont` gives `|a| |b| / 2^32 + q / 2` at most, and nothing else reduces.
//! Sums that could leave their type would be trapped wherever overflow is checked, as it is when the tests run; the
//! bounds between the stages are asserted there.

use crate::Level;
use crate::level::for_each_level;
use core::sync::atomic::{Ordering, compiler_fence};

/// The modulus q of FIPS 204, table 1.
pub(super) const Q: i32 = 8_380_417;
/// The inverse of q modulo 2^32.
const Q_INVERSE: i32 = 58_728_449;
/// The 512th root of unity of FIPS 204, table 1.
const ZETA: i64 = 1753;

/// What the coefficients that [`ntt`] is given may be: t1 2^13 is the largest.
const TIME_BOUND: i32 = Q;
/// After eight layers, each of which adds a product of `mont` of up to 0.505 q.
const NTT_BOUND: i32 = TIME_BOUND + 8 * (Q / 2 + Q / 200);
/// Six products of up to `NTT_BOUND`^2 are 153 q^2, of which the reduction leaves 0.3 q, and q / 2 that it adds.
const PRODUCT_BOUND: i32 = Q - 1;

/// Sixteen coefficients: one register of AVX-512, two of AVX2.
pub(super) type Row = [i32; 16];

/// A polynomial of 256 coefficients in (-q, q) or as a bound says, coefficient `16 r + c` in row `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Poly(pub(super) [Row; 16]);

/// One factor a lane and, beside it, its product with `Q_INVERSE`, which spares `mont` a multiplication that the next
/// would wait for.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Factors {
    value: Row,
    shadow: Row,
}

/// The powers of zeta, four layers of 1, 2, 4 and 8 rows before the transposition and as many after it, in the order in
/// which [`ntt`] takes them.
static FORWARD: [[Factors; 15]; 2] = factors(false);
/// The same for [`inverse_ntt`], which begins with the last of them.
static INVERSE: [[Factors; 15]; 2] = factors(true);
/// 2^64 / 256 modulo q: divides by 256 as FIPS 204, algorithm 42, and takes the factor 2^-32 of [`Poly::of_products`]
/// out again, besides the one that multiplying by it adds.
const SCALE: (i32, i32) = factor(power_of_two(64 - 8));

/// A value modulo q, as the representative nearest to 0, and its shadow.
#[allow(clippy::cast_possible_truncation, reason = "reduced to 23 bits")]
const fn factor(value: i64) -> (i32, i32) {
    let q = Q as i64;
    let least = value.rem_euclid(q);
    let nearest = if least > q / 2 { least - q } else { least } as i32;
    (nearest, nearest.wrapping_mul(Q_INVERSE))
}

const fn power_of_two(exponent: u32) -> i64 {
    let (mut power, mut i) = (1, 0);
    while i < exponent {
        power = power * 2 % Q as i64;
        i += 1;
    }
    power
}

/// FIPS 204, appendix B: `zeta^BitRev8(k)`, times 2^32 for `mont`.
const fn zeta(k: usize) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "k is below 256")]
    let exponent = (k as u8).reverse_bits();
    let (mut power, mut i) = (power_of_two(32), 0);
    while i < exponent {
        power = power * ZETA % Q as i64;
        i += 1;
    }
    power
}

/// `rows[half][2^layer - 1 + block]`: before the transposition all lanes of a row have one factor; after it lane `r`
/// has what was row `r`, and there the factor's number in the layer is `2^layer r + block`.
const fn factors(inverse: bool) -> [[Factors; 15]; 2] {
    let mut rows = [[Factors { value: [0; 16], shadow: [0; 16] }; 15]; 2];
    let mut row = 0usize;
    while row < 15 {
        let layer = (row + 1).ilog2();
        let (first, block) = (1 << layer, row + 1 - (1 << layer));
        let mut lane = 0;
        while lane < 16 {
            let places = [(first, block), (first << 4, (lane << layer) + block)];
            let mut half = 0;
            while half < 2 {
                let (count, place) = places[half];
                // The inverse has those of a layer in reverse order and negated: algorithm 42, lines 7 and 8.
                let value = if inverse { -zeta(2 * count - 1 - place) } else { zeta(count + place) };
                (rows[half][row].value[lane], rows[half][row].shadow[lane]) = factor(value);
                half += 1;
            }
            lane += 1;
        }
        row += 1;
    }
    rows
}

/// The upper half of a product.
#[allow(clippy::cast_possible_truncation, reason = "what is left has 32 bits")]
#[inline(always)]
fn high(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b)) >> 32) as i32
}

/// Montgomery's product `a b / 2^32` modulo q, at most `|a| |b| / 2^32 + q / 2`; `shadow` is `b / q` modulo 2^32. The
/// lower halves of what is subtracted are the same.
#[inline(always)]
fn mont(a: i32, b: i32, shadow: i32) -> i32 {
    high(a, b) - high(a.wrapping_mul(shadow), Q)
}

/// Nothing, but a thing that the compiler leaves in its place. Without it the loop over rows is taken for the one to
/// vectorise, with a row as the stride, and the lanes are collected one by one.
#[inline(always)]
fn row_done() {
    compiler_fence(Ordering::SeqCst);
}

for_each_level! {
    /// NTT (algorithm 41), transposed; `|w|` at most [`TIME_BOUND`], the result at most [`NTT_BOUND`]. What it has half
    /// of the way stays in `half`.
    pub(super) fn ntt(w: &mut Poly, half: &mut Poly) = ntt_body
}

#[inline(always)]
fn ntt_body(_: Level, w: &mut Poly, half: &mut Poly) {
    debug_assert!(w.is_within(TIME_BOUND));
    w.forward_layers(&FORWARD[0]);
    w.transpose(half);
    w.forward_layers(&FORWARD[1]);
    debug_assert!(w.is_within(NTT_BOUND));
}

for_each_level! {
    /// The inverse (algorithm 42) of what [`Poly::of_products`] gave, in [0, q). A coefficient doubles in each layer at
    /// most, 2^8 times [`PRODUCT_BOUND`] is below 2^31, and what `mont` makes of that is at most 0.75 q. `half` is as
    /// above.
    pub(super) fn inverse_ntt(w: &mut Poly, half: &mut Poly) = inverse_ntt_body
}

#[inline(always)]
fn inverse_ntt_body(_: Level, w: &mut Poly, half: &mut Poly) {
    debug_assert!(w.is_within(PRODUCT_BOUND));
    w.inverse_layers(&INVERSE[1]);
    w.transpose(half);
    w.inverse_layers(&INVERSE[0]);
    for row in &mut w.0 {
        for coefficient in row {
            *coefficient = canonical(mont(*coefficient, SCALE.0, SCALE.1));
        }
        row_done();
    }
}

impl Poly {
    pub(super) const ZERO: Self = Self([[0; 16]; 16]);

    /// The sum of the products of `left` and `right`, all in the domain of the NTT, times 2^-32.
    #[inline(always)]
    pub(super) fn of_products(left: &[Self; 6], right: &[Self; 6]) -> Self {
        let mut result = Self::ZERO;
        for (row, result) in result.0.iter_mut().enumerate() {
            let mut sums = [0i64; 16];
            for (left, right) in left.iter().zip(right) {
                for ((sum, a), b) in sums.iter_mut().zip(&left.0[row]).zip(&right.0[row]) {
                    *sum += i64::from(*a) * i64::from(*b);
                }
            }
            for (result, sum) in result.iter_mut().zip(sums) {
                *result = reduced(sum);
            }
            row_done();
        }
        result
    }

    #[inline(always)]
    fn forward_layers(&mut self, factors: &[Factors; 15]) {
        self.forward_layer::<8>(factors);
        self.forward_layer::<4>(factors);
        self.forward_layer::<2>(factors);
        self.forward_layer::<1>(factors);
    }

    #[inline(always)]
    fn forward_layer<const ROWS: usize>(&mut self, factors: &[Factors; 15]) {
        for (block, factors) in self.0.chunks_exact_mut(2 * ROWS).zip(&factors[8 / ROWS - 1..]) {
            let (low, high) = block.split_at_mut(ROWS);
            for (a, b) in low.iter_mut().zip(high) {
                for lane in 0..16 {
                    let t = mont(b[lane], factors.value[lane], factors.shadow[lane]);
                    b[lane] = a[lane] - t;
                    a[lane] += t;
                }
                row_done();
            }
        }
    }

    #[inline(always)]
    fn inverse_layers(&mut self, factors: &[Factors; 15]) {
        self.inverse_layer::<1>(factors);
        self.inverse_layer::<2>(factors);
        self.inverse_layer::<4>(factors);
        self.inverse_layer::<8>(factors);
    }

    #[inline(always)]
    fn inverse_layer<const ROWS: usize>(&mut self, factors: &[Factors; 15]) {
        for (block, factors) in self.0.chunks_exact_mut(2 * ROWS).zip(&factors[8 / ROWS - 1..]) {
            let (low, high) = block.split_at_mut(ROWS);
            for (a, b) in low.iter_mut().zip(high) {
                for lane in 0..16 {
                    let difference = a[lane] - b[lane];
                    a[lane] += b[lane];
                    b[lane] = mont(difference, factors.value[lane], factors.shadow[lane]);
                }
                row_done();
            }
        }
    }

    /// Two bits of a coefficient's index of eight change sides, and then two more: the compiler has instructions for
    /// steps of four.
    #[inline(always)]
    pub(super) fn transpose(&mut self, half: &mut Self) {
        self.interleave_into(half);
        row_done();
        half.interleave_into(self);
    }

    #[inline(always)]
    fn interleave_into(&self, target: &mut Self) {
        let from = self.0.as_flattened();
        for (i, four) in target.0.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *four = [from[i], from[i + 64], from[i + 128], from[i + 192]];
        }
    }

    fn is_within(&self, bound: i32) -> bool {
        self.0.as_flattened().iter().all(|c| (-bound..=bound).contains(c))
    }
}

/// A sum of products that grows one by one: [`Poly::of_products`] where not all of them are at hand.
#[repr(C, align(64))]
pub(super) struct Sum([[i64; 16]; 16]);

impl Sum {
    pub(super) const ZERO: Self = Self([[0; 16]; 16]);

    /// Takes up a product, the sixth at most.
    #[inline(always)]
    pub(super) fn add(&mut self, left: &Poly, right: &Poly) {
        for ((sums, left), right) in self.0.iter_mut().zip(&left.0).zip(&right.0) {
            for ((sum, a), b) in sums.iter_mut().zip(left).zip(right) {
                *sum += i64::from(*a) * i64::from(*b);
            }
            row_done();
        }
    }

    /// Gives the sum times 2^-32, and begins again.
    #[inline(always)]
    pub(super) fn take(&mut self, result: &mut Poly) {
        for (sums, result) in self.0.iter_mut().zip(&mut result.0) {
            for (sum, result) in sums.iter_mut().zip(result) {
                *result = reduced(*sum);
                *sum = 0;
            }
            row_done();
        }
    }
}

/// Montgomery's reduction, which leaves 32 bits.
#[allow(clippy::cast_possible_truncation, reason = "what is left has 32 bits")]
#[inline(always)]
fn reduced(sum: i64) -> i32 {
    let multiple = (sum as i32).wrapping_mul(Q_INVERSE);
    ((sum - i64::from(multiple) * i64::from(Q)) >> 32) as i32
}

/// From [-q, q) to [0, q).
#[inline(always)]
pub(super) fn canonical(a: i32) -> i32 {
    a + ((a >> 31) & Q)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    for_each_level! { fn products(left: &[Poly; 6], right: &[Poly; 6]) -> Poly = products_body }
    for_each_level! { fn mont_all(a: &Row, b: &Factors) -> Row = mont_all_body }

    #[inline(always)]
    fn products_body(_: Level, left: &[Poly; 6], right: &[Poly; 6]) -> Poly {
        Poly::of_products(left, right)
    }

    #[inline(always)]
    fn mont_all_body(_: Level, a: &Row, b: &Factors) -> Row {
        core::array::from_fn(|lane| mont(a[lane], b.value[lane], b.shadow[lane]))
    }

    /// Marsaglia's xorshift.
    struct Random(u64);

    impl Random {
        /// A number in `[-bound, bound]`.
        fn within(&mut self, bound: i32) -> i32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            i32::try_from(i128::from(self.0 >> 8) % (2 * i128::from(bound) + 1) - i128::from(bound)).unwrap()
        }

        fn polynomial(&mut self, bound: i32) -> Poly {
            Poly([(); 16].map(|()| [(); 16].map(|()| self.within(bound))))
        }
    }

    /// Polynomials at random, and those of which the sums in a layer are largest: of `bound` alone, and of `bound` with
    /// the sign of one bit of the index.
    fn polynomials(bound: i32) -> Vec<Poly> {
        let of = |f: &dyn Fn(usize) -> i32| {
            let mut polynomial = Poly::ZERO;
            polynomial.0.as_flattened_mut().iter_mut().enumerate().for_each(|(i, c)| *c = f(i));
            polynomial
        };
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut all: Vec<_> =
            [bound, 19, 1].iter().flat_map(|bound| [(); 9].map(|()| random.polynomial(*bound))).collect();
        all.extend([
            of(&|_| bound),
            of(&|_| -bound),
            of(&|_| 0),
            of(&|i| i32::from(i == 255)),
            of(&|i| i32::from(i == 1)),
        ]);
        for bit in 0..8 {
            all.extend([1, -1].map(|sign| of(&|i| if i >> bit & 1 == 1 { -sign * bound } else { sign * bound })));
        }
        // Each layer's lower half after the one before it is the sum of equal signs, its upper half their difference.
        all.extend(
            [0x69, 0x96, 0xff].map(|mask| of(&|i| if (i & mask).count_ones() % 2 == 1 { -bound } else { bound })),
        );
        all
    }

    fn transposed(i: usize) -> (usize, usize) {
        (i % 16, i / 16)
    }

    fn modulo(value: i64) -> i64 {
        value.rem_euclid(i64::from(Q))
    }

    /// The value of `w` at `zeta^(2 BitRev8(i) + 1)`: FIPS 204, section 2.5.
    fn value_at(w: &Poly, i: usize) -> i64 {
        let point = (0..=2 * usize::from(u8::try_from(i).unwrap().reverse_bits())).fold(1, |p, _| modulo(p * ZETA));
        w.0.as_flattened().iter().rev().fold(0, |value, c| modulo(value * point + i64::from(*c)))
    }

    #[test]
    fn the_transform_is_the_values_at_the_odd_powers_of_zeta() {
        for w in polynomials(TIME_BOUND) {
            let mut portable = w;
            ntt(Level::PORTABLE, &mut portable, &mut { Poly::ZERO });
            for i in 0..256 {
                let (row, lane) = transposed(i);
                assert_eq!(modulo(i64::from(portable.0[row][lane])), value_at(&w, i), "{i}");
            }
            for level in Level::all() {
                let mut other = w;
                ntt(level, &mut other, &mut { Poly::ZERO });
                assert_eq!(other, portable, "{level:?}");
            }
        }
    }

    #[test]
    fn the_inverse_undoes_the_transform() {
        let one = Poly([[1; 16]; 16]);
        for w in polynomials(TIME_BOUND) {
            for level in Level::all() {
                let mut transform = w;
                ntt(level, &mut transform, &mut { Poly::ZERO });
                let (mut left, mut right) = ([Poly::ZERO; 6], [Poly::ZERO; 6]);
                (left[3], right[3]) = (transform, one);
                let mut back = products(level, &left, &right);
                inverse_ntt(level, &mut back, &mut { Poly::ZERO });
                for (back, w) in back.0.as_flattened().iter().zip(w.0.as_flattened()) {
                    assert_eq!(i64::from(*back), modulo(i64::from(*w)), "{level:?}");
                }
            }
        }
    }

    /// It would overflow in its last layers if they could double once more.
    #[test]
    fn the_inverse_of_the_largest_coefficients_is_the_same_on_all_levels() {
        for w in polynomials(PRODUCT_BOUND) {
            let mut portable = w;
            inverse_ntt(Level::PORTABLE, &mut portable, &mut { Poly::ZERO });
            assert!(portable.0.as_flattened().iter().all(|c| (0..Q).contains(c)));
            for level in Level::all() {
                let mut other = w;
                inverse_ntt(level, &mut other, &mut { Poly::ZERO });
                assert_eq!(other, portable, "{level:?}");
            }
        }
    }

    #[test]
    fn products_are_the_sums_of_products_over_two_to_the_32() {
        for left in polynomials(NTT_BOUND) {
            for right in polynomials(NTT_BOUND) {
                for level in Level::all() {
                    let sum = products(level, &[left; 6], &[right; 6]);
                    assert!(sum.is_within(PRODUCT_BOUND), "{level:?}");
                    let sums = sum.0.as_flattened().iter();
                    for ((sum, a), b) in sums.zip(left.0.as_flattened()).zip(right.0.as_flattened()) {
                        let expected = 6 * (i64::from(*a) * i64::from(*b) % i64::from(Q));
                        assert_eq!(modulo(i64::from(*sum) << 32), modulo(expected), "{level:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn montgomery_at_the_boundaries() {
        let edges =
            [0, 1, 2, Q / 2, Q / 2 + 1, Q - 1, Q, Q + 1, 2 * Q, NTT_BOUND, 256 * (Q - 1), i32::MAX - 1, i32::MAX];
        let edges: Vec<_> = edges.into_iter().flat_map(|edge| [edge, -edge]).chain([i32::MIN, i32::MIN + 1]).collect();
        let mut random = Random(88);
        let factors = [0, 1, -1, Q / 2, -(Q / 2), 1753].into_iter().chain([(); 60].map(|()| random.within(Q / 2)));
        for factor in factors {
            let (value, shadow) = super::factor(i64::from(factor));
            let b = Factors { value: [value; 16], shadow: [shadow; 16] };
            for edge in edges.chunks(16) {
                let a: Row = core::array::from_fn(|lane| edge[lane % edge.len()]);
                for level in Level::all() {
                    for (product, a) in mont_all(level, &a, &b).into_iter().zip(a) {
                        let exact = i64::from(a) * i64::from(factor);
                        assert_eq!(modulo(i64::from(product) << 32), modulo(exact), "{level:?}: {a} {factor}");
                        let bound = (exact.abs() >> 32) + i64::from(Q) / 2 + 1;
                        assert!(i64::from(product).abs() <= bound, "{level:?}: {a} {factor}");
                    }
                }
            }
        }
    }

    #[test]
    fn factors_are_those_of_appendix_b() {
        let inverse_of_two_to_the_32 = 8_265_825;
        assert_eq!(modulo(power_of_two(32) * inverse_of_two_to_the_32), 1);
        let plain = [0, 1, 2, 3, 4].map(|k| modulo(zeta(k) * inverse_of_two_to_the_32));
        assert_eq!(plain, [1, 4_808_194, 3_765_607, 3_761_513, 5_178_923]);
        assert_eq!(Q.wrapping_mul(Q_INVERSE), 1);
    }
}
