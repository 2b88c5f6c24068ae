//! Signatures that are right but for one thing: each is refused for that alone, and the one beside it is accepted.

use super::Verifier;
use super::random::Random;
use super::reference::{BETA, GAMMA1, Mu, OMEGA, Open, Polynomial, pack_hints};

const MU: Mu = [0x5c; 64];
/// The largest |z| that is accepted.
const LARGEST: i64 = GAMMA1 - BETA - 1;

struct Forger {
    key: Open,
    verifier: Verifier,
    random: Random,
}

impl Forger {
    fn of(name: &str) -> Self {
        let mut random = Random::of(name);
        let key = Open::of(&mut random);
        Self { verifier: Verifier::of(&key.public_key()), key, random }
    }

    fn accepts(&self, z: &[Polynomial; 5], hints: &[u8; OMEGA + 6]) -> bool {
        self.verifier.accepts(&MU, &self.key.sign(&MU, z, hints))
    }

    fn z(&mut self) -> [Polynomial; 5] {
        let width = usize::try_from(2 * LARGEST + 1).unwrap();
        let random = &mut self.random;
        [(); 5].map(|()| std::array::from_fn(|_| i64::try_from(random.below(width)).unwrap() - LARGEST))
    }

    /// `count` hints in polynomials of their own choice.
    fn hints(&mut self, count: usize) -> [u8; OMEGA + 6] {
        let mut polynomials = [const { Vec::new() }; 6];
        let mut left = count;
        while left > 0 {
            let (polynomial, [position]) = (&mut polynomials[self.random.below(6)], self.random.bytes());
            if !polynomial.contains(&position) {
                polynomial.push(position);
                left -= 1;
            }
        }
        for polynomial in &mut polynomials {
            polynomial.sort_unstable();
        }
        pack_hints(&polynomials)
    }
}

#[test]
fn any_z_and_any_hints_in_bounds_hold() {
    for key in ["a", "b", "c", "d"] {
        let mut forger = Forger::of(key);
        for count in (0..=OMEGA).cycle().take(120) {
            let (z, hints) = (forger.z(), forger.hints(count));
            assert!(forger.accepts(&z, &hints), "{count} hints");
        }
    }
}

#[test]
fn z_of_the_largest_norm_holds() {
    let mut forger = Forger::of("largest");
    let hints = forger.hints(OMEGA);
    for coefficient in [LARGEST, -LARGEST, 0] {
        assert!(forger.accepts(&[[coefficient; 256]; 5], &hints));
    }
    // The sums in the transforms are as large as signs can make them: each layer adds or takes away by one bit.
    for bit in 0..8 {
        for sign in [1, -1] {
            let polynomial = std::array::from_fn(|i| if i >> bit & 1 == 1 { sign * LARGEST } else { -sign * LARGEST });
            assert!(forger.accepts(&[polynomial; 5], &hints));
        }
    }
}

#[test]
fn z_of_the_next_norm_is_refused() {
    let mut forger = Forger::of("next");
    let hints = forger.hints(3);
    for polynomial in 0..5 {
        for place in [0, 1, 15, 16, 128, 254, 255] {
            let mut z = forger.z();
            for (coefficient, holds) in [(LARGEST, true), (LARGEST + 1, false), (GAMMA1, false), (-LARGEST, true)] {
                z[polynomial][place] = coefficient;
                assert_eq!(forger.accepts(&z, &hints), holds, "{coefficient} at {place} of {polynomial}");
            }
            // The least of 20 bits is 1 - gamma1.
            for coefficient in [-LARGEST - 1, 1 - GAMMA1] {
                z[polynomial][place] = coefficient;
                assert!(!forger.accepts(&z, &hints), "{coefficient} at {place} of {polynomial}");
            }
        }
    }
}

#[test]
fn hints_that_do_not_ascend_are_refused() {
    let mut forger = Forger::of("ascend");
    let z = forger.z();
    for polynomial in 0..6 {
        let mut polynomials: [Vec<u8>; 6] = [vec![3], vec![0], vec![255], vec![1, 2], vec![], vec![250]];
        for (positions, holds) in [
            (&[5, 9][..], true),
            (&[9, 5], false),
            (&[5, 5], false),
            (&[0, 0], false),
            (&[255, 255], false),
            (&[255, 0], false),
            (&[1, 2, 4, 3, 6], false),
            (&[1, 2, 3, 4, 4], false),
            (&[0, 1, 2, 254, 255], true),
        ] {
            polynomials[polynomial] = positions.to_vec();
            let holds_here = forger.accepts(&z, &pack_hints(&polynomials));
            assert_eq!(holds_here, holds, "{positions:?} in {polynomial}");
        }
    }
}

/// What stands in one polynomial is not compared with what stands in the next.
#[test]
fn positions_ascend_in_each_polynomial_alone() {
    let mut forger = Forger::of("alone");
    let z = forger.z();
    let polynomials: [Vec<u8>; 6] = [vec![7, 200], vec![7, 200], vec![], vec![6], vec![5], vec![0, 5]];
    assert!(forger.accepts(&z, &pack_hints(&polynomials)));
}

#[test]
fn ends_beyond_omega_are_refused() {
    let mut forger = Forger::of("omega");
    let z = forger.z();
    for first in 0..6 {
        let mut hints = forger.hints(OMEGA);
        let full = u8::try_from(OMEGA).unwrap();
        // All hints stand in the first polynomials, so that a larger end would name no more of them.
        let positions: [u8; OMEGA] = std::array::from_fn(|i| u8::try_from(4 * i).unwrap());
        hints[..OMEGA].copy_from_slice(&positions);
        hints[OMEGA..].fill(full);
        assert!(forger.accepts(&z, &hints));
        for end in [full + 1, full + 6, full + 7, 128, 255] {
            hints[OMEGA + first..].fill(end);
            assert!(!forger.accepts(&z, &hints), "{end} from {first} on");
        }
    }
}

#[test]
fn ends_that_descend_are_refused() {
    let mut forger = Forger::of("descend");
    let z = forger.z();
    for (ends, holds) in [
        ([2, 2, 2, 2, 2, 2], true),
        ([2, 1, 2, 2, 2, 2], false),
        ([2, 0, 0, 0, 0, 0], false),
        ([2, 2, 2, 2, 2, 1], false),
        ([2, 2, 2, 2, 2, 0], false),
        ([0, 0, 0, 0, 0, 2], true),
        ([1, 2, 2, 1, 2, 2], false),
    ] {
        let mut hints = [0; OMEGA + 6];
        hints[..2].copy_from_slice(&[17, 80]);
        hints[OMEGA..].copy_from_slice(&ends);
        assert_eq!(forger.accepts(&z, &hints), holds, "{ends:?}");
    }
}

#[test]
fn padding_that_is_not_zero_is_refused() {
    let mut forger = Forger::of("padding");
    let z = forger.z();
    for count in [0, 1, 20, OMEGA - 1] {
        for place in count..OMEGA {
            let mut hints = forger.hints(count);
            assert!(place != count || forger.accepts(&z, &hints));
            // Above all that stand before it, so that its order gives no reason.
            hints[place] = 255;
            assert!(!forger.accepts(&z, &hints), "{place} after {count}");
            hints[place] = 1;
            assert!(place % 5 != 0 || !forger.accepts(&z, &hints), "{place} after {count}");
        }
    }
}

#[test]
fn every_bit_of_the_challenge_counts() {
    let mut forger = Forger::of("challenge");
    let (z, hints) = (forger.z(), forger.hints(9));
    let mut signature = forger.key.sign(&MU, &z, &hints);
    for bit in 0..8 * 48 {
        signature[bit / 8] ^= 1 << (bit % 8);
        assert!(!forger.verifier.accepts(&MU, &signature), "bit {bit}");
        signature[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(forger.verifier.accepts(&MU, &signature));
}
