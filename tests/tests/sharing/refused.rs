//! Input that must not give a secret: each gives the error that says why, and names the share.

use dualseal::SystemRng;
use dualseal::error::{Error, Malformed, Problem, SharingProblem};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::shamir::{Dealing, DrawnSecret, Index, Share, Threshold, reconstruct, reconstruct_unanchored, repair};
use dualseal_tests::random::{Constant, FAILING};
use dualseal_tests::sharing::{chosen, copy, deal, draw, expected, fault, given, index, shifted, threshold};

fn malformed<T: std::fmt::Debug>(result: Result<T, Error>) -> (&'static str, Option<u64>, Problem) {
    match result {
        Err(Error::Malformed(Malformed { field, index, problem, .. })) => (field, index, problem),
        other => panic!("not malformed: {other:?}"),
    }
}

#[test]
fn indices_and_thresholds_have_bounds() {
    for number in [0, 256, 257, u64::MAX] {
        assert_eq!(malformed(Index::new(number)), ("indeks", Some(number), Problem::Range));
    }
    for number in 1..=255 {
        assert_eq!(u64::from(Index::new(number).unwrap().get()), number);
    }
    for (k, n, field, value) in [
        (2, 0, "n", 0),
        (2, 1, "n", 1),
        (2, 256, "n", 256),
        (2, u64::MAX, "n", u64::MAX),
        (0, 5, "k", 0),
        (1, 5, "k", 1),
        (6, 5, "k", 6),
        (256, 255, "k", 256),
    ] {
        assert_eq!(malformed(Threshold::new(k, n)), (field, Some(value), Problem::Range));
    }
    let shares = deal(&draw::<Gf2_256>(), 2, 3).shares;
    for k in [0, 1, 256] {
        assert_eq!(malformed(reconstruct_unanchored(k, &shares)), ("k", Some(k), Problem::Range));
    }
}

#[test]
fn values_have_one_length_and_one_encoding() {
    let at = index(9);
    for length in [0, 1, 65, 67, 132] {
        let problem = Problem::Length { expected: 66, found: length };
        assert_eq!(malformed(Share::<Fp521>::from_bytes(at, &vec![0; length])), ("vrijednost_hex", Some(9), problem));
    }
    let problem = Problem::Length { expected: 32, found: 66 };
    assert_eq!(malformed(Share::<Gf2_256>::from_bytes(at, &[0; 66])), ("vrijednost_hex", Some(9), problem));

    let p = format!("01{}", "ff".repeat(65));
    let not_canonical = ("vrijednost_hex", Some(9), Problem::NotCanonical);
    assert_eq!(malformed(Share::<Fp521>::from_hex(at, &p)), not_canonical);
    assert_eq!(malformed(Share::<Fp521>::from_hex(at, &format!("02{}", "00".repeat(65)))), not_canonical);
    assert!(Share::<Fp521>::from_hex(at, &p.replacen("01ff", "01fe", 1)).is_ok());
    assert!(Share::<Gf2_256>::from_hex(at, &"ff".repeat(32)).is_ok());

    let hex = |text: &str| malformed(Share::<Gf2_256>::from_hex(at, text));
    assert_eq!(hex(&"FF".repeat(32)), ("vrijednost_hex", Some(9), Problem::Hex));
    assert_eq!(hex(&"0x".repeat(32)), ("vrijednost_hex", Some(9), Problem::Hex));
    assert_eq!(hex(&"f".repeat(63)), ("vrijednost_hex", Some(9), Problem::Length { expected: 64, found: 63 }));
}

fn duplicates<F: Field>() {
    let dealt = deal(&draw::<F>(), 3, 5);
    let mut shares = chosen(&dealt.shares, 0b1_1111, 0);
    shares.push(copy(&dealt.shares[3]));
    let repeated = ("indeks", Some(4), Problem::Repeated);
    assert_eq!(malformed(reconstruct_unanchored(3, &shares)), repeated);
    // By the dealer's commitments the same share counts once, for every operation.
    let rebuilt = reconstruct(&dealt.dealing, &shares).unwrap();
    assert_eq!((rebuilt.culprits, rebuilt.misdealt), (vec![], vec![]));
    assert!(repair(&dealt.dealing, &shares, index(1), |share| share).is_ok());
    assert!(dealt.dealing.refresh(&shares, &mut SystemRng).is_ok());
    let twice = [0, 1, 0].map(|place: usize| copy(&dealt.shares[place]));
    let too_few = |found, culprits: &[u8]| expected(SharingProblem::TooFewShares { needed: 3, found }, culprits);
    assert_eq!(fault(reconstruct(&dealt.dealing, &twice)), too_few(2, &[]));
    // Junk in the name of somebody who sent a good share keeps nobody out and accuses nobody, whatever the order.
    let bad = |place: usize| shifted(&dealt.shares[place], &F::from_index(1));
    let good = |place: usize| copy(&dealt.shares[place]);
    for junk in [[bad(0), good(0), good(1), good(2)], [good(2), good(1), good(0), bad(0)]] {
        assert_eq!(reconstruct(&dealt.dealing, &junk).unwrap().culprits, []);
    }
    assert_eq!(fault(reconstruct(&dealt.dealing, &[good(0), bad(0), bad(1), bad(1)])), too_few(1, &[2]));
}

#[test]
fn an_index_that_is_there_twice_counts_once_or_is_refused() {
    duplicates::<Fp521>();
    duplicates::<Gf2_256>();
}

fn two_splits<F: Field>() {
    let secret = draw::<F>();
    let [first, second] = [(); 2].map(|()| deal(&secret, 3, 5));
    // Two shares of each: the same secret, and still no share of one set is a share of the other.
    let shares: Vec<Share<F>> = first.shares[..2].iter().chain(&second.shares[2..4]).map(|share| copy(share)).collect();
    let too_few = || SharingProblem::TooFewShares { needed: 3, found: 2 };
    assert_eq!(fault(reconstruct(&first.dealing, &shares)), expected(too_few(), &[3, 4]));
    assert_eq!(fault(reconstruct(&second.dealing, &shares)), expected(too_few(), &[1, 2]));
    // Three of one and two of the other: the set that was asked for, and the intruders named.
    let shares: Vec<Share<F>> = first.shares[..3].iter().chain(&second.shares[3..]).map(|share| copy(share)).collect();
    let rebuilt = reconstruct(&first.dealing, &shares).unwrap();
    assert_eq!(rebuilt.secret.to_bytes().as_ref(), secret.to_bytes().as_ref());
    assert_eq!(rebuilt.culprits, [index(4), index(5)]);
}

#[test]
fn shares_of_two_splits_do_not_go_together() {
    two_splits::<Fp521>();
    two_splits::<Gf2_256>();
}

#[test]
fn an_index_above_n_is_a_culprit() {
    let (small, large) = (deal(&draw::<Gf2_256>(), 2, 3), deal(&draw::<Gf2_256>(), 2, 9));
    let mut shares = chosen(&small.shares, 0b011, 0);
    shares.push(copy(&large.shares[8]));
    assert_eq!(reconstruct(&small.dealing, &shares).unwrap().culprits, [index(9)]);
    let lost = repair(&small.dealing, &shares, index(4), |share| share);
    assert_eq!(malformed(lost), ("indeks", Some(4), Problem::Range));
}

#[test]
fn no_shares_are_too_few() {
    let dealt = deal(&draw::<Fp521>(), 2, 3);
    let too_few = expected(SharingProblem::TooFewShares { needed: 2, found: 0 }, &[]);
    assert_eq!(fault(reconstruct::<Fp521, Share<Fp521>, _>(&dealt.dealing, &[])), too_few);
    assert_eq!(fault(reconstruct_unanchored::<Fp521>(2, &[])), too_few);
}

#[test]
fn a_broken_generator_gives_nothing() {
    let domain = dualseal::Domain::default();
    let secret = draw::<Gf2_256>();
    let fails = |result: Result<(), Error>| assert_eq!(result, Err(Error::Randomness));
    fails(DrawnSecret::<Fp521>::draw(&mut FAILING.clone()).map(drop));
    fails(DrawnSecret::<Fp521>::draw(&mut Constant(0)).map(drop));
    // 521 ones are p, which is no element: drawing again must end.
    fails(DrawnSecret::<Fp521>::draw(&mut Constant(0xff)).map(drop));
    fails(secret.split(threshold(2, 3), &mut FAILING.clone()).map(drop));
    // Coefficients of zeros would make every share the secret itself.
    fails(secret.split(threshold(2, 3), &mut Constant(0)).map(drop));
    fails(Dealing::deal(&domain, &secret, threshold(2, 3), &mut FAILING.clone()).map(drop));
    fails(Dealing::deal(&domain, &secret, threshold(2, 3), &mut Constant(0)).map(drop));
    let dealt = deal(&secret, 2, 3);
    fails(dealt.dealing.refresh(&dealt.shares, &mut FAILING.clone()).map(drop));
}

/// RUSTSEC-2024-0398 and its kind: a library whose leading coefficient is never zero lets k-1 shares rule secrets out.
#[test]
fn the_leading_coefficient_may_be_zero() {
    let secret = given::<Gf2_256>(&[5; 32]);
    let mut first = [3; 32];
    first[20] = 4;
    let coefficients = [first, [0; 32]].concat();
    let shares = secret.split(threshold(3, 4), &mut dualseal_tests::random::Given(&coefficients)).unwrap();
    // Of degree 1 after all: two shares give it.
    assert_eq!(reconstruct_unanchored(2, &shares).unwrap().to_bytes(), secret.to_bytes());
}

#[test]
fn debug_shows_no_value() {
    let secret = given::<Gf2_256>(&[0xb7; 32]);
    let dealt = deal(&secret, 2, 3);
    let share = Share::<Gf2_256>::from_bytes(index(1), &[0xb7; 32]).unwrap();
    let unattested = reconstruct_unanchored(2, &dealt.shares).unwrap();
    let rebuilt = reconstruct(&dealt.dealing, &dealt.shares).unwrap();
    let value = dualseal_tests::sharing::element::<Gf2_256>(&[0xb7; 32]);
    for text in [format!("{secret:?} {share:?} {value:?}"), format!("{unattested:?} {rebuilt:?} {:?}", dealt.shares)] {
        assert!(!text.contains("b7") && !text.contains("183"), "{text}");
    }
    assert_eq!(format!("{secret:?} {value:?}"), "DrawnSecret([redacted]) Gf2_256([redacted])");
    assert_eq!(format!("{share:?}"), "Share { index: 1, value: [redacted] }");
}
