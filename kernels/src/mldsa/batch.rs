//! Verification of several signatures, which are hashed in lanes.

use super::decode::{CHALLENGE_BYTES, Parts};
use super::sample::Ball;
use super::verify::{Claim, high_bits_of_w, holds};
use crate::Level;
use crate::keccak::{Interleaved, Lanes, SHAKE256_RATE, Suffix};
use crate::level::{Kind, for_each_level};

/// [`verify`](super::verify()) for many claims, which are hashed in lanes: in three fifths of the time each with
/// AVX-512, in four fifths with AVX2. They go by eight and by four; the lanes take as long for fewer.
///
/// # Panics
/// If there are not as many verdicts as claims.
pub fn verify_batch(level: Level, claims: &[Claim<'_>], verdicts: &mut [bool]) {
    assert_eq!(claims.len(), verdicts.len(), "a verdict for each claim");
    all_hold(level, claims, verdicts);
}

for_each_level! { fn all_hold(claims: &[Claim<'_>], verdicts: &mut [bool]) = all_hold_body }

#[inline(always)]
fn all_hold_body(level: Level, claims: &[Claim<'_>], verdicts: &mut [bool]) {
    match level.0 {
        Kind::Portable => {
            for (verdict, claim) in verdicts.iter_mut().zip(claims) {
                *verdict = holds(level, *claim);
            }
        }
        Kind::Avx2 => all_hold_in_lanes::<4>(level, claims, verdicts),
        Kind::Avx512 => all_hold_in_lanes::<8>(level, claims, verdicts),
    }
}

#[inline(always)]
fn all_hold_in_lanes<const N: usize>(level: Level, claims: &[Claim<'_>], verdicts: &mut [bool])
where
    [u64; N]: Interleaved,
{
    for (claims, verdicts) in claims.chunks(N).zip(verdicts.chunks_mut(N)) {
        verdicts.fill(false);
        // Line 8.
        let mut lanes = Lanes::<N, SHAKE256_RATE>::new(level);
        for (lane, claim) in claims.iter().enumerate() {
            lanes.fill(lane, &mut &claim.signature[..CHALLENGE_BYTES]);
            lanes.pad(lane, Suffix::Shake);
        }
        lanes.permute();
        let mut block = [0; SHAKE256_RATE];
        let mut balls: [Ball; N] = core::array::from_fn(|lane| {
            lanes.read(lane, &mut block);
            Ball::of(&block)
        });
        while balls[..claims.len()].iter().any(|ball| !ball.is_complete()) {
            lanes.permute();
            for (lane, ball) in balls.iter_mut().enumerate() {
                lanes.read(lane, &mut block);
                ball.add(&block);
            }
        }
        let mut messages = [[0; 64 + 6 * 128]; N];
        for (((message, claim), ball), verdict) in messages.iter_mut().zip(claims).zip(&balls).zip(&mut *verdicts) {
            let (mu, w1) = message.split_at_mut(64);
            mu.copy_from_slice(claim.mu);
            if let (Some(parts), Ok(w1)) = (Parts::of(claim.signature), w1.as_chunks_mut().0.try_into()) {
                *verdict = high_bits_of_w(level, claim.key, &parts, ball, w1);
            }
        }
        // Lines 12 and 13.
        let mut lanes = Lanes::<N, SHAKE256_RATE>::new(level);
        let mut rest = messages.each_ref().map(|message| &message[..]);
        while rest.iter_mut().enumerate().fold(false, |_, (lane, rest)| lanes.fill(lane, rest)) {
            lanes.permute();
        }
        (0..N).for_each(|lane| lanes.pad(lane, Suffix::Shake));
        lanes.permute();
        for (lane, (verdict, claim)) in verdicts.iter_mut().zip(claims).enumerate() {
            let mut challenge = [0; CHALLENGE_BYTES];
            lanes.read(lane, &mut challenge);
            *verdict &= challenge == claim.signature[..CHALLENGE_BYTES];
        }
    }
}
