//! Signatures, keys and message representatives with something changed: all levels and the oracle agree on each.

use super::random::Random;
use super::{Verifier, for_each, signed};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The parts of a signature: c~, z, the positions of hints, their ends.
const PARTS: [Range<usize>; 4] = [0..48, 48..3248, 3248..3303, 3303..3309];

/// Mutations of one signature and its representative.
const EACH: usize = 340;

/// Changes something in `bytes`, or what stands there already.
fn mutate(random: &mut Random, bytes: &mut [u8]) {
    for _ in 0..=random.below(3) {
        let (i, [new]) = (random.below(bytes.len()), random.bytes());
        match random.below(6) {
            0 | 1 => bytes[i] ^= 1 << (new % 8),
            2 => bytes[i] = new,
            3 => bytes[i] = bytes[i].wrapping_add(1),
            4 => bytes[i] = [0, 1, 0x7f, 0x80, 0xff][usize::from(new) % 5],
            _ => bytes.swap(i, random.below(bytes.len())),
        }
    }
}

#[test]
fn of_signatures_and_representatives() {
    let accepted = AtomicUsize::new(0);
    for_each("DUALSEAL_KERNEL_MUTATED", 60, |number| {
        let mut random = Random::of(&format!("mutated signature {number}"));
        let mu = random.bytes();
        let (key, signature) = signed(&mut random, &mu);
        let verifier = Verifier::of(&key);
        for mutation in 0..EACH {
            let (mut other, mut other_mu) = (signature, mu);
            match PARTS.get(mutation % 5) {
                Some(part) => mutate(&mut random, &mut other[part.clone()]),
                None => mutate(&mut random, &mut other_mu),
            }
            let holds = verifier.accepts(&other_mu, &other);
            assert_eq!(holds, (other, other_mu) == (signature, mu), "{mutation} of {number}");
            accepted.fetch_add(usize::from(holds), Ordering::Relaxed);
        }
    });
    // A byte that was set to what it was.
    assert!(accepted.into_inner() > 0);
}

/// The representative stays, so that a bit of t1 which no high bit of w feels changes nothing.
#[test]
fn of_keys() {
    let mut random = Random::of("mutated keys");
    let mu = random.bytes();
    let (key, signature) = signed(&mut random, &mu);
    let mut accepted = 0;
    for bytes in [0..32, 32..1952] {
        for _ in 0..500 {
            let mut other = key;
            mutate(&mut random, &mut other[bytes.clone()]);
            accepted += usize::from(Verifier::of(&other).accepts(&mu, &signature));
        }
    }
    assert!((1..500).contains(&accepted), "{accepted} keys");
}
