//! Every 2 <= k <= n <= 8 on both fields: every subset of the shares, and every single corruption of every subset.

use dualseal::error::SharingProblem;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{Share, reconstruct, reconstruct_unanchored};
use dualseal_tests::sharing::{chosen, deal, draw, expected, fault, index};

fn thresholds() -> impl Iterator<Item = (u8, u8)> {
    (2..=8).flat_map(|n| (2..=n).map(move |k| (k, n)))
}

fn numbers<F: Field>(shares: &[Share<F>]) -> Vec<u8> {
    shares.iter().map(|share| share.index().get()).collect()
}

fn every_subset<F: Field>() {
    for (k, n) in thresholds() {
        let secret = draw::<F>();
        let dealt = deal(&secret, k, n);
        assert_eq!(numbers(&dealt.shares), (1..=n).collect::<Vec<_>>());
        for bits in 0..1_usize << n {
            let shares = chosen(&dealt.shares, bits, 0);
            let (anchored, plain) = (reconstruct(&dealt.dealing, &shares), reconstruct_unanchored(k.into(), &shares));
            let found = u8::try_from(shares.len()).unwrap();
            if found < k {
                let too_few = expected(SharingProblem::TooFewShares { needed: k, found }, &[]);
                assert_eq!(fault(anchored), too_few);
                assert_eq!(fault(plain), too_few);
                continue;
            }
            let (anchored, plain) = (anchored.unwrap(), plain.unwrap());
            assert_eq!(anchored.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
            assert_eq!(plain.to_bytes().as_ref(), secret.to_bytes().as_ref());
            assert!(anchored.culprits.is_empty() && plain.outliers().is_empty());
            assert_eq!(plain.unchecked(), found == k);
        }
    }
}

fn every_single_corruption<F: Field>() {
    for (k, n) in thresholds() {
        let secret = draw::<F>();
        let dealt = deal(&secret, k, n);
        for (bits, wrong) in (0..1_usize << n).flat_map(|bits| (0..n).map(move |wrong| (bits, wrong))) {
            if bits >> wrong & 1 == 0 || bits.count_ones() < k.into() {
                continue;
            }
            let shares = chosen(&dealt.shares, bits, 1 << wrong);
            let found = u8::try_from(shares.len()).unwrap();
            let culprit = wrong + 1;

            let anchored = reconstruct(&dealt.dealing, &shares);
            if found > k {
                let anchored = anchored.unwrap();
                assert_eq!(anchored.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
                assert_eq!(anchored.culprits, [index(culprit.into())]);
            } else {
                let too_few = SharingProblem::TooFewShares { needed: k, found: found - 1 };
                assert_eq!(fault(anchored), expected(too_few, &[culprit]));
            }

            let plain = reconstruct_unanchored(k.into(), &shares);
            match found - k {
                0 => {
                    let plain = plain.unwrap();
                    assert!(plain.unchecked() && plain.outliers().is_empty());
                    assert_ne!(plain.to_bytes().as_ref(), secret.to_bytes().as_ref());
                }
                1 => {
                    let problem = SharingProblem::TooManyErrors { correctable: 0 };
                    assert_eq!(fault(plain), expected(problem, &[]));
                }
                _ => {
                    let plain = plain.unwrap();
                    assert_eq!(plain.outliers(), [index(culprit.into())]);
                    assert_eq!(plain.to_bytes().as_ref(), secret.to_bytes().as_ref());
                }
            }
        }
    }
}

/// Every set of culprits, from all n shares.
fn every_set_of_culprits<F: Field>() {
    for (k, n) in thresholds() {
        let secret = draw::<F>();
        let dealt = deal(&secret, k, n);
        for wrong in 0..1_usize << n {
            let shares = chosen(&dealt.shares, (1 << n) - 1, wrong);
            let culprits: Vec<u8> = (0..n).filter(|place| wrong >> place & 1 == 1).map(|place| place + 1).collect();
            let good = n - u8::try_from(culprits.len()).unwrap();
            match reconstruct(&dealt.dealing, &shares) {
                Ok(rebuilt) => {
                    assert!(good >= k);
                    assert_eq!(rebuilt.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
                    assert_eq!(rebuilt.culprits.iter().map(|index| index.get()).collect::<Vec<_>>(), culprits);
                }
                refused => {
                    assert!(good < k);
                    let too_few = SharingProblem::TooFewShares { needed: k, found: good };
                    assert_eq!(fault(refused), expected(too_few, &culprits));
                }
            }
        }
    }
}

#[test]
fn every_subset_gives_the_secret_or_nothing_in_the_prime_field() {
    every_subset::<Fp521>();
}

#[test]
fn every_subset_gives_the_secret_or_nothing_in_the_binary_field() {
    every_subset::<Gf2_256>();
}

#[test]
fn every_single_corruption_is_named_in_the_prime_field() {
    every_single_corruption::<Fp521>();
}

#[test]
fn every_single_corruption_is_named_in_the_binary_field() {
    every_single_corruption::<Gf2_256>();
}

#[test]
fn every_set_of_culprits_is_named() {
    every_set_of_culprits::<Fp521>();
    every_set_of_culprits::<Gf2_256>();
}
