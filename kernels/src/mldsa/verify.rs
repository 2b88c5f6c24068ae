//! Verification of one signature.

use super::decode::{self, CHALLENGE_BYTES, Parts, SIGNATURE_BYTES};
use super::key::ExpandedKey;
use super::ntt::{Poly, inverse_ntt, ntt};
use super::round;
use super::sample::Ball;
use crate::Level;
use crate::keccak::{SHAKE256_RATE, Sponge, Suffix};
use crate::level::for_each_level;

/// That `signature` is one of `key` over the message that `mu` represents.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The key, expanded.
    pub key: &'a ExpandedKey,
    /// The message representative (FIPS 204, algorithm 8, line 7).
    pub mu: &'a [u8; 64],
    /// The signature, encoded.
    pub signature: &'a [u8; SIGNATURE_BYTES],
}

/// ML-DSA.Verify_internal (algorithm 8), the message representative given: whether the claim is true.
#[must_use]
pub fn verify(level: Level, key: &ExpandedKey, mu: &[u8; 64], signature: &[u8; SIGNATURE_BYTES]) -> bool {
    holds(level, Claim { key, mu, signature })
}

for_each_level! { pub(super) fn holds(claim: Claim<'_>) -> bool = holds_body }

/// The lines are those of algorithm 8, here and below.
#[inline(always)]
fn holds_body(level: Level, claim: Claim<'_>) -> bool {
    let Some(parts) = Parts::of(claim.signature) else { return false };
    // Line 8.
    let mut sponge = Sponge::<SHAKE256_RATE>::new(level);
    sponge.absorb(parts.challenge);
    let mut stream = sponge.squeeze(Suffix::Shake);
    let mut block = [0; SHAKE256_RATE];
    stream.read(&mut block);
    let mut ball = Ball::of(&block);
    while !ball.is_complete() {
        stream.read(&mut block);
        ball.add(&block);
    }
    let mut w1 = [[0; 128]; 6];
    if !high_bits_of_w(level, claim.key, &parts, &ball, &mut w1) {
        return false;
    }
    // Lines 12 and 13.
    let mut challenge = [0; CHALLENGE_BYTES];
    let mut sponge = Sponge::<SHAKE256_RATE>::new(level);
    sponge.absorb(claim.mu);
    sponge.absorb(w1.as_flattened());
    sponge.finish(Suffix::Shake, &mut challenge);
    challenge == *parts.challenge
}

for_each_level! {
    /// Lines 2 to 10 and w1Encode of line 12. Whether the norm of z is as small as line 13 asks; only then is `w1`
    /// there.
    pub(super) fn high_bits_of_w(key: &ExpandedKey, parts: &Parts<'_>, ball: &Ball, w1: &mut [[u8; 128]; 6]) -> bool
        = high_bits_body
}

#[inline(always)]
fn high_bits_body(level: Level, key: &ExpandedKey, parts: &Parts<'_>, ball: &Ball, w1: &mut [[u8; 128]; 6]) -> bool {
    let Some(rows) = key.rows() else { return false };
    // The challenge stands behind z as -t1 2^13 behind the row of A.
    let mut vector = [Poly::ZERO; 6];
    vector[5] = *ball.challenge();
    for (z, encoded) in vector.iter_mut().zip(parts.z) {
        if !decode::unpack_z(encoded, z) {
            return false;
        }
    }
    let mut half = Poly::ZERO;
    // No `for_each`: what is called through a function of the standard library is not compiled for the level.
    for polynomial in &mut vector {
        ntt(level, polynomial, &mut half);
    }
    for (i, (row, encoded)) in rows.iter().zip(w1).enumerate() {
        let mut w = Poly::of_products(row, &vector);
        inverse_ntt(level, &mut w, &mut half);
        round::encode_w1(&w, parts.hints.of_polynomial(i), encoded);
    }
    true
}
