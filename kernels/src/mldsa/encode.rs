//! Power2Round (FIPS 204, section 7.4), skEncode and pkEncode (section 7.2): public keys and private ones to their
//! bytes. Nothing here branches or looks up by what it is given.

use super::decode::{PUBLIC_KEY_BYTES, T1_BYTES};
use super::ntt::{Poly, Q, canonical};

/// Bytes of a private key (FIPS 204, table 2).
pub const PRIVATE_KEY_BYTES: usize = 32 + 32 + 64 + 11 * SHORT_BYTES + 6 * T0_BYTES;

/// Of one polynomial of s1 or s2.
pub(super) const SHORT_BYTES: usize = 128;
/// Of one polynomial.
const T0_BYTES: usize = 416;

/// The bound of the coefficients of s1 and s2, of FIPS 204, table 1.
pub(super) const ETA: i32 = 4;
/// The bits that are dropped of t, of FIPS 204, table 1.
const D: u32 = 13;

/// The places in a private key (algorithm 24).
pub(super) struct Private<'a> {
    pub(super) rho: &'a mut [u8; 32],
    pub(super) k: &'a mut [u8; 32],
    pub(super) tr: &'a mut [u8; 64],
    /// s1, five polynomials, and s2.
    pub(super) short: &'a mut [[u8; SHORT_BYTES]; 11],
    pub(super) t0: &'a mut [[u8; T0_BYTES]; 6],
}

impl<'a> Private<'a> {
    /// `None` for no key: the lengths are those of the parts.
    pub(super) fn of(key: &'a mut [u8; PRIVATE_KEY_BYTES]) -> Option<Self> {
        let (rho, rest) = key.split_first_chunk_mut()?;
        let (k, rest) = rest.split_first_chunk_mut()?;
        let (tr, rest) = rest.split_first_chunk_mut()?;
        let (short, t0) = rest.split_first_chunk_mut::<{ 11 * SHORT_BYTES }>()?;
        let short = short.as_chunks_mut().0.try_into().ok()?;
        Some(Self { rho, k, tr, short, t0: t0.as_chunks_mut().0.try_into().ok()? })
    }
}

/// The places in a public key (algorithm 22).
pub(super) fn public(key: &mut [u8; PUBLIC_KEY_BYTES]) -> Option<(&mut [u8; 32], &mut [[u8; T1_BYTES]; 6])> {
    let (rho, t1) = key.split_first_chunk_mut()?;
    Some((rho, t1.as_chunks_mut().0.try_into().ok()?))
}

/// BitUnpack (algorithm 19) of one polynomial of s1 or s2: `eta` less four bits each.
#[inline(always)]
pub(super) fn unpack_short(encoded: &[u8; SHORT_BYTES], short: &mut Poly) {
    for (pair, byte) in short.0.as_flattened_mut().as_chunks_mut::<2>().0.iter_mut().zip(encoded) {
        *pair = [ETA - i32::from(byte & 15), ETA - i32::from(byte >> 4)];
    }
}

/// Adds a polynomial of s2 to one in [0, q), which stays in there.
#[inline(always)]
pub(super) fn add_short(t: &mut Poly, encoded: &[u8; SHORT_BYTES]) {
    for (pair, byte) in t.0.as_flattened_mut().as_chunks_mut::<2>().0.iter_mut().zip(encoded) {
        let [even, odd] = *pair;
        let sums = [even + ETA - i32::from(byte & 15), odd + ETA - i32::from(byte >> 4)];
        *pair = sums.map(|sum| canonical(canonical(sum) - Q));
    }
}

/// Power2Round (algorithm 35) of a coefficient in [0, q).
#[inline(always)]
fn power2round(r: i32) -> [i32; 2] {
    let r1 = (r + (1 << (D - 1)) - 1) >> D;
    [r1, r - (r1 << D)]
}

/// Power2Round of t: of t1 ten bits each (SimpleBitPack, algorithm 16), and of 2^12 less t0 thirteen (BitPack,
/// algorithm 17).
#[allow(clippy::cast_sign_loss, reason = "neither is negative")]
#[inline(always)]
pub(super) fn encode_t(t: &Poly, t1: &mut [u8; T1_BYTES], t0: &mut [u8; T0_BYTES]) {
    let places = t1.as_chunks_mut::<10>().0.iter_mut().zip(t0.as_chunks_mut::<13>().0);
    for (eight, (t1, t0)) in t.0.as_flattened().as_chunks::<8>().0.iter().zip(places) {
        let (mut high, mut low) = (0_u128, 0_u128);
        for (i, r) in eight.iter().enumerate() {
            let [r1, r0] = power2round(*r);
            high |= u128::from(r1 as u32) << (10 * i);
            low |= u128::from(((1 << (D - 1)) - r0) as u32) << (13 * i);
        }
        t1.copy_from_slice(&high.to_le_bytes()[..10]);
        t0.copy_from_slice(&low.to_le_bytes()[..13]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::level::for_each_watched_level;

    for_each_watched_level! { fn encode(t: &Poly, t1: &mut [u8; T1_BYTES], t0: &mut [u8; T0_BYTES]) = encode_body }
    for_each_watched_level! { fn add(t: &mut Poly, encoded: &[u8; SHORT_BYTES]) = add_body }
    for_each_watched_level! { fn unpack(encoded: &[u8; SHORT_BYTES], short: &mut Poly) = unpack_body }

    #[inline(always)]
    fn encode_body(_: Level, t: &Poly, t1: &mut [u8; T1_BYTES], t0: &mut [u8; T0_BYTES]) {
        encode_t(t, t1, t0);
    }

    #[inline(always)]
    fn add_body(_: Level, t: &mut Poly, encoded: &[u8; SHORT_BYTES]) {
        add_short(t, encoded);
    }

    #[inline(always)]
    fn unpack_body(_: Level, encoded: &[u8; SHORT_BYTES], short: &mut Poly) {
        unpack_short(encoded, short);
    }

    fn bits(encoded: &[u8], width: usize, i: usize) -> i32 {
        (0..width)
            .map(|bit| (width * i + bit, bit))
            .fold(0, |value, (from, bit)| value | i32::from(encoded[from / 8] >> (from % 8) & 1) << bit)
    }

    /// Algorithm 35 as it is written.
    fn rounded(r: i32) -> [i32; 2] {
        let r0 = r % (1 << D);
        let r0 = if r0 > 1 << (D - 1) { r0 - (1 << D) } else { r0 };
        [(r - r0) >> D, r0]
    }

    #[test]
    fn every_coefficient_is_rounded_and_stands_in_its_place() {
        for level in Level::all() {
            for start in (0..Q).step_by(256) {
                let mut t = Poly::ZERO;
                for (r, coefficient) in (start..Q).zip(t.0.as_flattened_mut()) {
                    *coefficient = r;
                }
                let (mut t1, mut t0) = ([0xff; T1_BYTES], [0xff; T0_BYTES]);
                encode(level, &t, &mut t1, &mut t0);
                for (i, &r) in t.0.as_flattened().iter().enumerate() {
                    let written = [bits(&t1, 10, i), (1 << (D - 1)) - bits(&t0, 13, i)];
                    assert_eq!(written, rounded(r), "{level:?}: {r}");
                }
            }
        }
    }

    #[test]
    fn what_is_short_is_added_modulo_q() {
        for level in Level::all() {
            for nibble in 0..=8_u8 {
                let encoded = [nibble | (8 - nibble) << 4; SHORT_BYTES];
                let mut short = Poly::ZERO;
                unpack(level, &encoded, &mut short);
                for start in [0, 100, Q - 256] {
                    let mut t = Poly::ZERO;
                    t.0.as_flattened_mut().iter_mut().zip(start..).for_each(|(coefficient, r)| *coefficient = r);
                    add(level, &mut t, &encoded);
                    for ((i, r), sum) in (0..).zip(start..).zip(t.0.as_flattened()) {
                        let s = if i % 2 == 0 { 4 - i32::from(nibble) } else { i32::from(nibble) - 4 };
                        assert_eq!(short.0[i / 16][i % 16], s);
                        assert_eq!(*sum, (r + s).rem_euclid(Q), "{level:?}: {r} and {s}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_parts_of_a_private_key_are_all_of_it() {
        let mut key = [0; PRIVATE_KEY_BYTES];
        assert_eq!(key.len(), 4032);
        let parts = Private::of(&mut key).unwrap();
        parts.rho.fill(1);
        parts.k.fill(2);
        parts.tr.fill(3);
        parts.short.as_flattened_mut().fill(4);
        parts.t0.as_flattened_mut().fill(5);
        let starts = [0, 32, 64, 128, 1536].map(|start: usize| key[start]);
        assert!(starts == [1, 2, 3, 4, 5] && key.is_sorted() && key[4031] == 5);
    }
}
