//! High bits, hints and their encoding: FIPS 204, section 7.4, and w1Encode.

use super::ntt::{Poly, Q};

/// 2 gamma2, of FIPS 204, table 1; 16 of it are q - 1.
const ALPHA: i32 = (Q - 1) / 16;

/// HighBits (algorithm 37) of `r` in [0, q), in [0, 16).
///
/// `(r + 127) / 2^7 * 1025 / 2^22`, rounded, is `r / ALPHA` rounded half down for each `r` below q, and 16 where
/// Decompose (algorithm 36) has its exception and says 0.
#[inline(always)]
fn high_bits(r: i32) -> i32 {
    ((((r + 127) >> 7) * 1025 + (1 << 21)) >> 22) & 15
}

/// UseHint (algorithm 40) of `r` in [0, q) where the hint is set.
#[inline(always)]
fn use_hint(r: i32) -> i32 {
    let r1 = high_bits(r);
    let r0 = r - r1 * ALPHA;
    // What is above (q - 1) / 2 stands for a negative number: r1 is 0 there by the exception.
    let step = if 0 < r0 && r0 <= Q / 2 { 1 } else { -1 };
    (r1 + step) & 15
}

/// w1Encode (algorithm 28) of one polynomial of UseHint(h, w), of which `hints` are the positions where h is 1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "four bits each")]
#[inline(always)]
pub(super) fn encode_w1(w: &Poly, hints: &[u8], encoded: &mut [u8; 128]) {
    let w = w.0.as_flattened();
    for (byte, pair) in encoded.iter_mut().zip(w.as_chunks::<2>().0) {
        *byte = (high_bits(pair[0]) | high_bits(pair[1]) << 4) as u8;
    }
    for &hint in hints {
        let (byte, shift) = (usize::from(hint / 2), hint % 2 * 4);
        let hinted = (use_hint(w[usize::from(hint)]) as u8) << shift;
        encoded[byte] = encoded[byte] & (0xf0 >> shift) | hinted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::level::for_each_level;

    for_each_level! { fn encode(w: &Poly, hints: &[u8], encoded: &mut [u8; 128]) = encode_body }

    #[inline(always)]
    fn encode_body(_: Level, w: &Poly, hints: &[u8], encoded: &mut [u8; 128]) {
        encode_w1(w, hints, encoded);
    }

    /// Decompose (algorithm 36) as it is written.
    fn decompose(r: i32) -> (i32, i32) {
        let r0 = r % ALPHA;
        let r0 = if r0 > ALPHA / 2 { r0 - ALPHA } else { r0 };
        if r - r0 == Q - 1 { (0, r0 - 1) } else { ((r - r0) / ALPHA, r0) }
    }

    /// UseHint (algorithm 40) as it is written.
    fn hinted(r: i32) -> i32 {
        let (r1, r0) = decompose(r);
        if r0 > 0 { (r1 + 1) % 16 } else { (r1 - 1).rem_euclid(16) }
    }

    #[test]
    fn every_coefficient_has_its_high_bits_with_a_hint_and_without() {
        let every_position: [u8; 256] = core::array::from_fn(|i| u8::try_from(i).unwrap());
        for level in Level::all() {
            for start in (0..Q).step_by(256) {
                let mut w = Poly::ZERO;
                for (r, coefficient) in (start..Q).zip(w.0.as_flattened_mut()) {
                    *coefficient = r;
                }
                let (mut plain, mut with_hints) = ([0xff; 128], [0xff; 128]);
                encode(level, &w, &[], &mut plain);
                encode(level, &w, &every_position, &mut with_hints);
                for (i, &r) in w.0.as_flattened().iter().enumerate() {
                    let nibble = |encoded: &[u8; 128]| i32::from(encoded[i / 2] >> (i % 2 * 4) & 15);
                    assert_eq!(nibble(&plain), decompose(r).0, "{level:?}: {r}");
                    assert_eq!(nibble(&with_hints), hinted(r), "{level:?}: {r} with a hint");
                }
            }
        }
    }

    #[test]
    fn a_hint_changes_its_own_position_alone() {
        let mut w = Poly::ZERO;
        w.0.as_flattened_mut().iter_mut().zip((0..).step_by(32_000)).for_each(|(coefficient, r)| *coefficient = r);
        for level in Level::all() {
            let mut plain = [0; 128];
            encode(level, &w, &[], &mut plain);
            for position in 0..=255 {
                let mut encoded = [0; 128];
                encode(level, &w, &[position], &mut encoded);
                for (i, (a, b)) in plain.iter().zip(encoded).enumerate() {
                    let own = if i == usize::from(position / 2) { 15 << (position % 2 * 4) } else { 0 };
                    assert_eq!((a ^ b) & !own, 0, "{level:?}");
                    assert_eq!((a ^ b) & own == 0, own == 0, "{level:?}");
                }
            }
        }
    }
}
