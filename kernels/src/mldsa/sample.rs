//! SampleInBall, RejNTTPoly and ExpandA: FIPS 204, section 7.3.

use super::ntt::{Poly, Q};
use crate::Level;
use crate::keccak::{Interleaved, Lanes, SHAKE128_RATE, SHAKE256_RATE, Suffix};
use crate::level::{Kind, for_each_level};

/// The coefficients of a challenge that are not 0, of FIPS 204, table 1.
const TAU: usize = 49;

/// SampleInBall (algorithm 29), a block of SHAKE256 after the other.
pub(super) struct Ball {
    c: Poly,
    signs: u64,
    placed: usize,
}

impl Ball {
    /// Begins with the first block, of which eight bytes are the signs.
    #[inline(always)]
    pub(super) fn of(first: &[u8; SHAKE256_RATE]) -> Self {
        let (words, _) = first.as_chunks();
        let mut ball = Self { c: Poly::ZERO, signs: u64::from_le_bytes(words[0]), placed: 0 };
        ball.add(&first[8..]);
        ball
    }

    pub(super) fn is_complete(&self) -> bool {
        self.placed == TAU
    }

    /// Lines 6 to 12 over the next bytes.
    #[inline(always)]
    pub(super) fn add(&mut self, block: &[u8]) {
        let c = self.c.0.as_flattened_mut();
        for j in block.iter().map(|&byte| usize::from(byte)) {
            if self.placed == TAU {
                break;
            }
            let i = 256 - TAU + self.placed;
            if j <= i {
                c[i] = c[j];
                c[j] = if self.signs >> self.placed & 1 == 1 { -1 } else { 1 };
                self.placed += 1;
            }
        }
    }

    pub(super) fn challenge(&self) -> &Poly {
        debug_assert!(self.is_complete());
        &self.c
    }
}

/// ExpandA (algorithm 32): the polynomials of the matrix from the one with the number `first` on, row by row,
/// transposed as [`ntt`](super::ntt::ntt) leaves them, into as many places as there are.
pub(super) fn expand_a(level: Level, rho: &[u8; 32], first: u8, places: &mut dyn Iterator<Item = &mut Poly>) {
    in_lanes(level, rho, first, places);
}

for_each_level! {
    fn in_lanes(rho: &[u8; 32], first: u8, places: &mut dyn Iterator<Item = &mut Poly>) = in_lanes_body
}

#[inline(always)]
fn in_lanes_body(level: Level, rho: &[u8; 32], first: u8, places: &mut dyn Iterator<Item = &mut Poly>) {
    match level.0 {
        Kind::Avx512 => in_so_many_lanes::<8>(level, rho, first, places),
        _ => in_so_many_lanes::<4>(level, rho, first, places),
    }
}

#[inline(always)]
fn in_so_many_lanes<const N: usize>(
    level: Level,
    rho: &[u8; 32],
    first: u8,
    places: &mut dyn Iterator<Item = &mut Poly>,
) where
    [u64; N]: Interleaved,
{
    let mut polynomials = (first..).zip(places);
    let mut half = Poly::ZERO;
    loop {
        let mut streams = Lanes::<N, SHAKE128_RATE>::new(level);
        let mut batch: [Option<&mut Poly>; N] = [const { None }; N];
        for (lane, (place, (number, polynomial))) in batch.iter_mut().zip(&mut polynomials).enumerate() {
            for mut part in [&rho[..], &[number % 5, number / 5]] {
                streams.fill(lane, &mut part);
            }
            streams.pad(lane, Suffix::Shake);
            *place = Some(polynomial);
        }
        let count = batch.iter().flatten().count();
        if count == 0 {
            return;
        }
        let (mut coefficients, mut found) = ([[0; ROOM]; N], [0; N]);
        while found[..count].iter().any(|found| *found < 256) {
            streams.permute();
            let mut block = [0; SHAKE128_RATE];
            for (lane, (coefficients, found)) in coefficients.iter_mut().zip(&mut found).enumerate() {
                streams.read(lane, &mut block);
                *found = reject(&block, coefficients, *found);
            }
        }
        for (polynomial, coefficients) in batch.into_iter().flatten().zip(&coefficients) {
            polynomial.0.as_flattened_mut().copy_from_slice(&coefficients[..256]);
            polynomial.transpose(&mut half);
        }
    }
}

/// What a block of SHAKE128 has of three bytes.
const CANDIDATES: usize = SHAKE128_RATE / 3;
/// For 256 coefficients, and what the block that had the last of them had besides.
const ROOM: usize = 255 + CANDIDATES;

/// RejNTTPoly (algorithm 30) over one block, with `found` coefficients there already; how many there are after it.
#[allow(clippy::cast_possible_wrap, reason = "23 bits")]
#[inline(always)]
fn reject(block: &[u8; SHAKE128_RATE], coefficients: &mut [i32; ROOM], found: usize) -> usize {
    let Some(candidates) = coefficients[found.min(256)..].first_chunk_mut::<CANDIDATES>() else { return found };
    // CoeffFromThreeBytes (algorithm 14) of twelve bytes at a time.
    for (four, bytes) in candidates.as_chunks_mut().0.iter_mut().zip(block.as_chunks::<12>().0) {
        let (words, _) = bytes.as_chunks();
        let [x, y, z] = [words[0], words[1], words[2]].map(u32::from_le_bytes);
        *four = [x, x >> 24 | y << 8, y >> 16 | z << 16, z >> 8].map(|bits| (bits & 0x7f_ffff) as i32);
    }
    // 19 of 20 blocks have nothing to refuse.
    if candidates.iter().fold(0, |most, candidate| most.max(*candidate)) < Q {
        return found + CANDIDATES;
    }
    let mut kept = 0;
    for i in 0..CANDIDATES {
        candidates[kept] = candidates[i];
        kept += usize::from(candidates[i] < Q);
    }
    found + kept
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};
    use std::vec;
    use std::vec::Vec;

    fn natural(polynomial: &Poly) -> [i32; 256] {
        core::array::from_fn(|i| polynomial.0[i % 16][i / 16])
    }

    /// Algorithm 29 as it is written.
    fn in_ball(blocks: &[[u8; SHAKE256_RATE]]) -> [i32; 256] {
        let bytes = blocks.as_flattened();
        let (mut read, mut c) = (bytes[8..].iter().map(|byte| usize::from(*byte)), [0; 256]);
        for i in 256 - TAU..256 {
            let j = read.find(|j| *j <= i).unwrap();
            let bit = i + TAU - 256;
            c[i] = c[j];
            c[j] = if bytes[bit / 8] >> (bit % 8) & 1 == 1 { -1 } else { 1 };
        }
        c
    }

    #[test]
    fn challenges_are_those_of_the_algorithm() {
        let mut hash = Shake256::default();
        hash.update(b"balls");
        let mut reader = hash.finalize_xof();
        let mut most = 0;
        for number in 0..4000 {
            let mut blocks = [[0; SHAKE256_RATE]; 8];
            reader.read(blocks.as_flattened_mut());
            for byte in &mut blocks.as_flattened_mut()[8..] {
                // Every other time most candidates are too large, and more than one block is needed.
                *byte = if number % 2 == 1 && *byte % 4 > 0 { 255 } else { *byte };
            }
            let mut ball = Ball::of(&blocks[0]);
            let mut used = 1;
            while !ball.is_complete() {
                ball.add(&blocks[used]);
                used += 1;
            }
            assert_eq!(ball.challenge().0.as_flattened(), in_ball(&blocks), "{used} blocks");
            most = most.max(used);
        }
        assert!(most > 1);
    }

    #[test]
    fn a_matrix_is_that_of_the_algorithm() {
        for seed in 0..20u8 {
            let rho = [seed; 32];
            for level in Level::all() {
                let mut rows = vec![[Poly::ZERO; 5]; 6];
                // At once, and in parts of other lengths.
                let part = usize::from(30 - seed);
                for (part, first) in rows.as_flattened_mut().chunks_mut(part).zip((0..).step_by(part)) {
                    expand_a(level, &rho, first, &mut part.iter_mut());
                }
                for (row, r) in rows.iter().zip(0u8..) {
                    for (polynomial, s) in row.iter().zip(0u8..) {
                        let mut hash = Shake128::default();
                        hash.update(&rho);
                        hash.update(&[s, r]);
                        let mut reader = hash.finalize_xof();
                        let candidates = core::iter::repeat_with(|| {
                            let mut bytes = [0; 4];
                            reader.read(&mut bytes[..3]);
                            i32::from_le_bytes(bytes) & 0x7f_ffff
                        });
                        let expected: Vec<_> = candidates.filter(|candidate| *candidate < Q).take(256).collect();
                        assert_eq!(natural(polynomial)[..], expected, "{level:?}: {r}, {s}");
                    }
                }
            }
        }
    }

    /// Five blocks have 280 candidates; that a polynomial needs a sixth is not to be met.
    #[test]
    fn candidates_of_q_and_above_are_refused_in_any_number() {
        let block = |candidates: &[i32]| {
            let mut block = [0xff; 168];
            for (bytes, candidate) in block.as_chunks_mut::<3>().0.iter_mut().zip(candidates) {
                bytes.copy_from_slice(&candidate.to_le_bytes()[..3]);
            }
            block
        };
        let mut a = [0; ROOM];
        let mut found = reject(&block(&[]), &mut a, 0);
        assert_eq!(found, 0);
        for (largest, kept) in [(Q - 1, 56), (Q, 55)] {
            let mut candidates = [5; 56];
            candidates[17] = largest;
            assert_eq!(reject(&block(&candidates), &mut a, 0), kept);
            assert_eq!((a[17] == largest, a[16], a[18]), (kept == 56, 5, 5));
        }
        // The top bit is not looked at.
        found =
            reject(&block(&[Q, Q - 1, Q + 1, 0x7f_ffff, 0, 1 << 23, Q - 1 + (1 << 23), Q + (1 << 23)]), &mut a, found);
        assert_eq!((found, &a[..4]), (4, &[Q - 1, 0, 0, Q - 1][..]));
        let mut rounds = 0;
        while found < 255 {
            let next = reject(&block(&[Q, 100 + rounds, Q]), &mut a, found);
            assert_eq!((next, a[found]), (found + 1, 100 + rounds));
            (found, rounds) = (next, rounds + 1);
        }
        // The last may come with as many more as there are in a block, and what is complete stays.
        let complete = reject(&block(&[5; 56]), &mut a, found);
        assert_eq!((complete, &a[254..257]), (255 + 56, &[100 + rounds - 1, 5, 5][..]));
        let full = a;
        assert_eq!(reject(&block(&[6; 56]), &mut a, complete), complete);
        assert_eq!(a, full);
    }
}
