//! Rebuilding without commitments: what is corrected, what fails, and what colluders can do.

use dualseal::error::SharingProblem;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{DrawnSecret, Index, Share, reconstruct, reconstruct_unanchored};
use dualseal_tests::sharing::threshold;
use dualseal_tests::sharing::{Repeatable, chosen, copy, deal, draw, element, expected, fault, given, index, shifted};
use proptest::prelude::*;

/// f and g = f + delta * Π (1 - x / x_i) over k-1 honest indices agree at these, and at 0 differ by delta. Colluders
/// who add the difference at their own indices need to know nothing else.
fn moved<F: Field>(share: &Share<F>, honest: &[u8], delta: &F) -> Share<F> {
    let x = F::from_index(share.index().get());
    let mut difference = F::from_index(1).mul(delta);
    for index in honest {
        // (x_i - x) / x_i, where the division is left out: it scales delta.
        let mut factor = F::from_index(*index);
        factor.sub_assign(&x);
        difference = difference.mul(&factor);
    }
    shifted(share, &difference)
}

fn colluders<F: Field>() {
    // t = 7, k = 3: two wrong shares are corrected. Three colluders, 5 to 7, bring 1 and 2 to their side.
    let (k, secret) = (3, draw::<F>());
    let dealt = deal(&secret, 3, 7);
    let delta = F::from_index(1);
    let shares: Vec<Share<F>> = dealt
        .shares
        .iter()
        .map(|share| if share.index().get() >= 5 { moved(share, &[1, 2], &delta) } else { copy(share) })
        .collect();
    let found = reconstruct_unanchored(k, &shares).unwrap();
    assert!(!found.unchecked());
    assert_eq!(found.outliers(), [index(3), index(4)], "two honest holders are framed");
    let mut chosen_secret = element::<F>(secret.to_bytes().as_ref());
    chosen_secret.add_assign(&delta.mul(&F::from_index(1)).mul(&F::from_index(2)));
    assert_eq!(found.to_bytes().as_ref(), chosen_secret.to_bytes().as_ref(), "and the result is the colluders'");

    // With one colluder less the honest shares win, and the colluders are the outliers.
    let shares: Vec<Share<F>> = dealt
        .shares
        .iter()
        .map(|share| if share.index().get() >= 6 { moved(share, &[1, 2], &delta) } else { copy(share) })
        .collect();
    let found = reconstruct_unanchored(k, &shares).unwrap();
    assert_eq!(found.outliers(), [index(6), index(7)]);
    assert_eq!(found.to_bytes().as_ref(), secret.to_bytes().as_ref());

    // Where there are commitments, none of it helps: with k honest shares the secret is rebuilt.
    let shares: Vec<Share<F>> = dealt
        .shares
        .iter()
        .map(|share| if share.index().get() >= 4 { moved(share, &[1, 2], &delta) } else { copy(share) })
        .collect();
    let rebuilt = reconstruct(&dealt.dealing, &shares).unwrap();
    assert_eq!(rebuilt.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
    assert_eq!(rebuilt.culprits, [4, 5, 6, 7].map(index));
}

#[test]
fn colluders_beyond_the_bound_choose_the_result() {
    colluders::<Fp521>();
    colluders::<Gf2_256>();
}

/// With t-k odd, one more than the bound can only make the call fail.
#[test]
fn one_more_than_the_bound_may_only_deny() {
    let secret = draw::<Gf2_256>();
    let dealt = deal(&secret, 3, 6);
    let delta = Gf2_256::from_index(77);
    let shares: Vec<_> = dealt
        .shares
        .iter()
        .map(|share| if share.index().get() >= 5 { moved(share, &[1, 2], &delta) } else { copy(share) })
        .collect();
    let refused = fault(reconstruct_unanchored(3, &shares));
    assert_eq!(refused, expected(SharingProblem::TooManyErrors { correctable: 1 }, &[]));
}

/// Shares in any order, with any gaps between the indices.
fn some<F: Field>(shares: &[Share<F>], count: usize, seed: u64) -> Vec<Share<F>> {
    let mut places: Vec<usize> = (0..shares.len()).collect();
    let mut rng = Repeatable(seed);
    for place in (1..places.len()).rev() {
        let other = dualseal::rand_core::TryRng::try_next_u64(&mut rng).unwrap() % (place as u64 + 1);
        places.swap(place, usize::try_from(other).unwrap());
    }
    places.iter().take(count).map(|place| copy(&shares[*place])).collect()
}

fn corrects<F: Field>(k: u8, n: u8, surplus: usize, wrong: usize, seed: u64) {
    let secret = draw::<F>();
    let all = secret.split(threshold(k, n), &mut Repeatable(seed)).unwrap();
    let mut shares = some(&all, usize::from(k) + surplus, seed);
    let mut culprits: Vec<Index> = shares[..wrong].iter().map(Share::index).collect();
    culprits.sort_unstable();
    // Drawn, because errors with a pattern could be a polynomial of their own.
    for (share, number) in shares.iter_mut().zip(1..).take(wrong) {
        let by = DrawnSecret::<F>::draw(&mut Repeatable(seed.wrapping_mul(2 * number + 1))).unwrap();
        *share = shifted(share, &element(by.to_bytes().as_ref()));
    }
    shares.rotate_left(wrong / 2);
    let found = reconstruct_unanchored(k.into(), &shares);
    if wrong * 2 <= surplus {
        let found = found.unwrap();
        assert_eq!(found.outliers(), culprits);
        assert_eq!(found.to_bytes().as_ref(), secret.to_bytes().as_ref());
    } else if surplus > 0 {
        // Errors that do not work together are beyond correction, but for a chance of one in the size of the field.
        let correctable = u8::try_from(surplus / 2).unwrap();
        assert_eq!(fault(found), expected(SharingProblem::TooManyErrors { correctable }, &[]));
    }
}

fn cases() -> impl Strategy<Value = (u8, u8, usize, usize, u64)> {
    (2_u8..=40, 0_u8..=40, any::<u64>()).prop_flat_map(|(k, extra, seed)| {
        let surplus = 0..=usize::from(extra);
        (Just(k), Just(k + extra), surplus, Just(seed)).prop_flat_map(|(k, n, surplus, seed)| {
            (Just(k), Just(n), Just(surplus), 0..=surplus.div_ceil(2) + 1, Just(seed))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn half_of_the_surplus_is_corrected_in_the_prime_field((k, n, surplus, wrong, seed) in cases()) {
        corrects::<Fp521>(k, n, surplus, wrong.min(usize::from(k) + surplus), seed);
    }

    #[test]
    fn half_of_the_surplus_is_corrected_in_the_binary_field((k, n, surplus, wrong, seed) in cases()) {
        corrects::<Gf2_256>(k, n, surplus, wrong.min(usize::from(k) + surplus), seed);
    }

    #[test]
    fn all_culprits_of_large_sets_are_named(k in 2_u8..=255, extra in 0_u8..=255, seed: u64, pattern: [u64; 4]) {
        let n = k.saturating_add(extra);
        named::<Fp521>(k, n, seed, pattern);
        named::<Gf2_256>(k, n, seed, pattern);
    }
}

fn named<F: Field>(k: u8, n: u8, seed: u64, pattern: [u64; 4]) {
    let secret = draw::<F>();
    let dealt = deal(&secret, k, n);
    let is_wrong =
        |share: &Share<F>| pattern[usize::from(share.index().get() / 64)] >> (share.index().get() % 64) & 1 == 1;
    let one = F::from_index(1);
    let shares: Vec<Share<F>> = some(&dealt.shares, n.into(), seed)
        .iter()
        .map(|share| if is_wrong(share) { shifted(share, &one) } else { copy(share) })
        .collect();
    let culprits: Vec<Index> = dealt.shares.iter().filter(|share| is_wrong(share)).map(Share::index).collect();
    let good = usize::from(n) - culprits.len();
    match reconstruct(&dealt.dealing, &shares) {
        Ok(rebuilt) => {
            assert!(good >= usize::from(k));
            assert_eq!(rebuilt.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
            assert_eq!(rebuilt.culprits, culprits);
        }
        refused => {
            let too_few = SharingProblem::TooFewShares { needed: k, found: u8::try_from(good).unwrap() };
            let culprits: Vec<u8> = culprits.iter().map(|index| index.get()).collect();
            assert_eq!(fault(refused), expected(too_few, &culprits));
        }
    }
}

/// The largest set, with the greatest weights there are.
#[test]
fn the_largest_sets() {
    fn check<F: Field>() {
        let secret = draw::<F>();
        for (k, kept) in [(255, 255), (128, 128), (128, 255), (2, 255), (254, 255)] {
            let shares = secret.split(threshold(k, 255), &mut Repeatable(u64::from(k))).unwrap();
            for first in [0, 255 - kept] {
                let shares: Vec<_> = shares[first..first + kept].iter().map(copy).collect();
                let found = reconstruct_unanchored(k.into(), &shares).unwrap();
                assert_eq!(found.to_bytes().as_ref(), secret.to_bytes().as_ref());
            }
        }
    }
    check::<Fp521>();
    check::<Gf2_256>();
}

/// What is found does not depend on which secret it is.
#[test]
fn outliers_depend_on_the_errors_alone() {
    for bytes in [[1; 32], [0xff; 32]] {
        let shares = given::<Gf2_256>(&bytes).split(threshold(4, 12), &mut Repeatable(3)).unwrap();
        let found = reconstruct_unanchored(4, &chosen(&shares, 0xfff, 0b1000_0010_0101)).unwrap();
        assert_eq!(found.outliers(), [1, 3, 6, 12].map(index));
        assert_eq!(*found.to_bytes(), bytes);
    }
}
