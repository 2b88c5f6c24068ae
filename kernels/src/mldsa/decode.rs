//! sigDecode and pkDecode: FIPS 204, section 7.2.

use super::ntt::Poly;

/// Bytes of a public key (FIPS 204, table 2).
pub const PUBLIC_KEY_BYTES: usize = 32 + 6 * T1_BYTES;
/// Bytes of a signature (FIPS 204, table 2).
pub const SIGNATURE_BYTES: usize = CHALLENGE_BYTES + 5 * Z_BYTES + OMEGA + 6;

pub(super) const CHALLENGE_BYTES: usize = 48;
/// Of one polynomial.
pub(super) const T1_BYTES: usize = 320;
/// Of one polynomial.
const Z_BYTES: usize = 640;
/// The most hints that a signature has.
const OMEGA: usize = 55;

const GAMMA1: i32 = 1 << 19;
const BETA: i32 = 49 * 4;

/// A signature (algorithm 27), of which z and the hints are not read yet.
pub(super) struct Parts<'a> {
    pub(super) challenge: &'a [u8; CHALLENGE_BYTES],
    pub(super) z: &'a [[u8; Z_BYTES]; 5],
    pub(super) hints: Hints<'a>,
}

impl<'a> Parts<'a> {
    /// `None` where HintBitUnpack fails.
    pub(super) fn of(signature: &'a [u8; SIGNATURE_BYTES]) -> Option<Self> {
        let (challenge, rest) = signature.split_first_chunk()?;
        let (z, rest) = rest.split_first_chunk::<{ 5 * Z_BYTES }>()?;
        Some(Self { challenge, z: z.as_chunks().0.try_into().ok()?, hints: Hints::of(rest.try_into().ok()?)? })
    }
}

/// The positions of the hints in each of six polynomials.
pub(super) struct Hints<'a> {
    positions: &'a [u8; OMEGA],
    ends: &'a [u8; 6],
}

impl<'a> Hints<'a> {
    /// HintBitUnpack (algorithm 21): `None` unless the positions of each polynomial ascend, their ends do not descend
    /// and are at most omega, and what is left is 0. Any of these let through would give one signature two encodings.
    fn of(encoded: &'a [u8; OMEGA + 6]) -> Option<Self> {
        let (positions, ends) = encoded.split_first_chunk()?;
        let hints = Self { positions, ends: ends.try_into().ok()? };
        let mut start = 0;
        for &end in ends {
            let polynomial = positions.get(start..usize::from(end))?;
            if !polynomial.is_sorted_by(|a, b| a < b) {
                return None;
            }
            start = usize::from(end);
        }
        positions[start..].iter().all(|&position| position == 0).then_some(hints)
    }

    /// The positions in polynomial `i`.
    #[inline(always)]
    pub(super) fn of_polynomial(&self, i: usize) -> &'a [u8] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.positions[usize::from(start)..usize::from(self.ends[i])]
    }
}

/// BitUnpack (algorithm 19) of one polynomial of z, `gamma1` less 20 bits each, and whether its norm is below
/// gamma1 - beta (algorithm 8, line 13).
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "20 bits")]
#[inline(always)]
pub(super) fn unpack_z(encoded: &[u8; Z_BYTES], z: &mut Poly) -> bool {
    let pairs = z.0.as_flattened_mut().as_chunks_mut::<2>().0;
    for (pair, &[a, b, c, d, e]) in pairs.iter_mut().zip(encoded.as_chunks().0) {
        let bits = u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]);
        *pair = [GAMMA1 - (bits & 0xf_ffff) as i32, GAMMA1 - (bits >> 20) as i32];
    }
    let mut norm = 0;
    for coefficient in z.0.as_flattened() {
        norm = norm.max(coefficient.abs());
    }
    norm < GAMMA1 - BETA
}

/// SimpleBitUnpack (algorithm 18) of one polynomial of t1, ten bits each, and -t1 2^13.
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "10 bits")]
#[inline(always)]
pub(super) fn unpack_minus_t1(encoded: &[u8; T1_BYTES], minus_t1: &mut Poly) {
    let fours = minus_t1.0.as_flattened_mut().as_chunks_mut::<4>().0;
    for (four, &[a, b, c, d, e]) in fours.iter_mut().zip(encoded.as_chunks().0) {
        let bits = u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]);
        *four = [0, 10, 20, 30].map(|shift| -(((bits >> shift) & 0x3ff) as i32) << 13);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::level::for_each_level;

    for_each_level! { fn z(encoded: &[u8; Z_BYTES], z: &mut Poly) -> bool = z_body }
    for_each_level! { fn minus_t1(encoded: &[u8; T1_BYTES], t1: &mut Poly) = minus_t1_body }

    #[inline(always)]
    fn z_body(_: Level, encoded: &[u8; Z_BYTES], z: &mut Poly) -> bool {
        unpack_z(encoded, z)
    }

    #[inline(always)]
    fn minus_t1_body(_: Level, encoded: &[u8; T1_BYTES], t1: &mut Poly) {
        unpack_minus_t1(encoded, t1);
    }

    fn bits(encoded: &[u8], width: usize, i: usize) -> i32 {
        (0..width)
            .map(|bit| (width * i + bit, bit))
            .fold(0, |value, (from, bit)| value | i32::from(encoded[from / 8] >> (from % 8) & 1) << bit)
    }

    #[test]
    fn bits_are_read_where_they_stand() {
        let encoded: [u8; Z_BYTES] = core::array::from_fn(|i| u8::try_from(i * i % 251).unwrap());
        for level in Level::all() {
            let (mut read, mut t1) = (Poly::ZERO, Poly::ZERO);
            z(level, &encoded, &mut read);
            minus_t1(level, encoded.first_chunk().unwrap(), &mut t1);
            for (i, (z, t1)) in read.0.as_flattened().iter().zip(t1.0.as_flattened()).enumerate() {
                assert_eq!(*z, GAMMA1 - bits(&encoded, 20, i), "{level:?}: {i}");
                assert_eq!(*t1, -(bits(&encoded, 10, i) << 13), "{level:?}: {i}");
            }
        }
    }

    #[test]
    fn the_norm_is_below_its_bound_at_each_place() {
        for level in Level::all() {
            for place in 0..256 {
                for (coefficient, holds) in [
                    (GAMMA1 - BETA - 1, true),
                    (GAMMA1 - BETA, false),
                    (GAMMA1, false),
                    (BETA + 1 - GAMMA1, true),
                    (BETA - GAMMA1, false),
                    (1 - GAMMA1, false),
                ] {
                    // Beside it all coefficients are 0, which is gamma1.
                    let mut encoded: [u8; Z_BYTES] = core::array::from_fn(|i| [0, 0, 8, 0, 0x80][i % 5]);
                    let shift = place % 2 * 20;
                    let five = &mut encoded[place / 2 * 5..][..5];
                    let pair = (1u64 << 19 | 1 << 39) & !(0xf_ffff << shift)
                        | u64::try_from(GAMMA1 - coefficient).unwrap() << shift;
                    five.copy_from_slice(&pair.to_le_bytes()[..5]);
                    let mut read = Poly::ZERO;
                    assert_eq!(z(level, &encoded, &mut read), holds, "{level:?}: {coefficient} at {place}");
                    assert_eq!(read.0[place / 16][place % 16], coefficient);
                }
            }
        }
    }

    #[test]
    fn hints_are_given_to_their_polynomials() {
        let mut encoded = [0; OMEGA + 6];
        encoded[..6].copy_from_slice(&[5, 9, 0, 255, 3, 4]);
        encoded[OMEGA..].copy_from_slice(&[2, 2, 4, 5, 5, 6]);
        let hints = Hints::of(&encoded).unwrap();
        let expected: [&[u8]; 6] = [&[5, 9], &[], &[0, 255], &[3], &[], &[4]];
        assert_eq!(core::array::from_fn(|i| hints.of_polynomial(i)), expected);
    }
}
