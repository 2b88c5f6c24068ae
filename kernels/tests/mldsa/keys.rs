//! Key pairs on every level, beside those of the `ml-dsa` and `libcrux-ml-dsa` crates and NIST's.

use super::random::Random;
use super::reference::shake256;
use super::{for_each, levels, vectors};
use dualseal_kernels::mldsa::{PRIVATE_KEY_BYTES, PUBLIC_KEY_BYTES, make_key};
use libcrux_ml_dsa::ml_dsa_65::generate_key_pair;
use ml_dsa::{MlDsa65, SigningKey};

type Pair = ([u8; PRIVATE_KEY_BYTES], [u8; PUBLIC_KEY_BYTES]);

/// What all levels make.
#[track_caller]
fn made(seed: &[u8; 32]) -> Pair {
    let mut pairs = levels().into_iter().map(|level| {
        // Whatever stood there before.
        let mut pair = ([0x5a; PRIVATE_KEY_BYTES], [0x5a; PUBLIC_KEY_BYTES]);
        make_key(level, seed, &mut pair.0, &mut pair.1);
        (level, pair)
    });
    let (_, first) = pairs.next().unwrap();
    for (level, pair) in pairs {
        assert!(pair == first, "{level:?} makes another key of {seed:?}");
    }
    first
}

/// What both make.
fn by_others(seed: &[u8; 32]) -> Pair {
    let pair = generate_key_pair(*seed);
    let pair = (*pair.signing_key.as_ref(), *pair.verification_key.as_ref());
    assert!(pair == by_ml_dsa(seed), "the other crates make two keys of {seed:?}");
    pair
}

fn by_ml_dsa(seed: &[u8; 32]) -> Pair {
    let key = SigningKey::<MlDsa65>::from_seed(&(*seed).into());
    #[allow(deprecated, reason = "the only way to write this form")]
    let private = key.expanded_key().to_expanded();
    (private[..].try_into().unwrap(), key.expanded_key().verifying_key().encode()[..].try_into().unwrap())
}

#[test]
fn keys_of_many_seeds_are_those_of_others() {
    for_each("DUALSEAL_KERNEL_PAIRS", 10_000, |number| {
        let seed = Random::of(&format!("pair {number}")).bytes();
        assert!(made(&seed) == by_others(&seed), "the key of seed {number}, {seed:?}");
    });
}

/// Whether a polynomial of s1 or s2 needs more than two blocks of SHAKE256: those have too few half bytes below nine.
fn needs_a_third_block(seed: &[u8; 32]) -> bool {
    let of_seed = shake256::<96>(&[seed, &[6, 5]]);
    let kept = |byte: &u8| usize::from(byte % 16 < 9) + usize::from(byte / 16 < 9);
    let streams = (0..11_u8).map(|number| shake256::<{ 2 * 136 }>(&[&of_seed[32..], &[number, 0]]));
    streams.map(|blocks| blocks.iter().map(kept).sum::<usize>()).any(|kept| kept < 256)
}

/// A polynomial needs a third block once in 150,000: these were looked for.
#[test]
fn keys_that_need_a_third_block_are_those_of_others() {
    assert!(!needs_a_third_block(&[0; 32]));
    for number in [1_704_u32, 28_663, 41_469, 42_675] {
        let mut seed = [[0; 4]; 8];
        seed.fill(number.to_le_bytes());
        let seed = seed.as_flattened().try_into().unwrap();
        assert!(needs_a_third_block(seed), "{number}");
        assert!(made(seed) == by_others(seed), "{number}");
    }
}

#[test]
fn acvp_key_generation() {
    let tests = vectors::acvp("mldsa65-keygen.json");
    assert_eq!(tests.len(), 25);
    for test in &tests {
        let (private, public) = made(&vectors::bytes(test, "seed").try_into().unwrap());
        assert_eq!(private[..], vectors::bytes(test, "sk"), "{}", test["tcId"]);
        assert_eq!(public[..], vectors::bytes(test, "pk"), "{}", test["tcId"]);
    }
}
