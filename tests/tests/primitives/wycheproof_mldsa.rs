//! Wycheproof's ML-DSA-65 sets.
//!
//! Of the library itself they test the reading of keys (raw, expanded, seed, PKCS#8, SPKI), of signatures by length,
//! the public keys that it derives, and through the door for tests (`dualseal::mldsa::vectors`) its signing and
//! verification (hints, norms, boundary cases), beside `ml-dsa` and `libcrux-ml-dsa`.

use dualseal::error::{Malformed, Problem};
use dualseal::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
use dualseal::{Error, ExpandedSigningKey, PublicKey, Signature, SigningKey};
use dualseal_tests::primitive;
use wycheproof::TestResult::{Invalid, Valid};
use wycheproof::{mldsa_sign, mldsa_verify};

fn problem<T>(result: Result<T, Error>) -> Problem {
    match result {
        Err(Error::Malformed(Malformed { problem, .. })) => problem,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn verification() {
    let set = mldsa_verify::TestSet::load(mldsa_verify::TestName::MlDsa65Verify).unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for group in &set.test_groups {
        let key = match PublicKey::from_slice(&group.pubkey) {
            Ok(key) => key,
            Err(error) => {
                let length = Problem::Length { expected: PUBLIC_KEY_BYTES, found: group.pubkey.len() };
                assert_eq!(problem::<()>(Err(error)), length);
                assert!(PublicKey::from_spki_der(&group.der).is_err());
                assert!(group.tests.iter().all(|t| t.result == Invalid));
                refused += group.tests.len();
                continue;
            }
        };
        assert_eq!(PublicKey::from_spki_der(&group.der).unwrap(), key);
        assert_eq!(key.to_spki_der().unwrap(), group.der[..]);
        for test in &group.tests {
            let context = test.ctx.as_ref().map_or(&[][..], |c| c);
            let signature = Signature::from_slice(&test.sig);
            let holds = signature.is_ok_and(|signature| primitive::accepts(&key, context, &test.msg, &signature));
            assert_eq!(holds, test.result == Valid, "{} {}", test.tc_id, test.comment);
            if test.sig.len() != SIGNATURE_BYTES {
                let length = Problem::Length { expected: SIGNATURE_BYTES, found: test.sig.len() };
                assert_eq!(problem(Signature::from_slice(&test.sig)), length, "{}", test.tc_id);
            }
            if holds { accepted += 1 } else { refused += 1 }
        }
    }
    println!("Wycheproof ML-DSA-65: {accepted} accepted, {refused} refused");
    assert_eq!((accepted, refused), (79, 131));
}

fn check_signatures(key: &ExpandedSigningKey, tests: &[mldsa_sign::Test]) -> usize {
    for test in tests {
        let context = test.ctx.as_ref().map_or(&[][..], |c| c);
        // Some tests have a message, some its representative, some both.
        let given = test.mu.as_ref().map(|mu| mu[..].try_into().unwrap());
        let mu = test.msg.as_ref().map_or(given, |message| primitive::mu(key.public_key(), context, message));
        assert_eq!(mu.is_some(), test.result == Valid, "{} {}", test.tc_id, test.comment);
        let Some(mu) = mu else { continue };
        assert!(given.is_none_or(|given: [u8; 64]| given == mu), "{} {}", test.tc_id, test.comment);
        let rnd = test.rnd.as_ref().map(|rnd| &rnd[..]);
        let signature = primitive::sign(key, mu, rnd);
        assert_eq!(signature, test.sig[..], "{} {}", test.tc_id, test.comment);
        if let Some(message) = &test.msg {
            let signature = primitive::sign_message(key, context, message, rnd);
            assert_eq!(signature, test.sig[..], "{} {}", test.tc_id, test.comment);
            if context.is_empty() {
                let signature = primitive::sign_by_core(key, message, rnd);
                assert_eq!(signature.as_bytes()[..], test.sig[..], "{} {}", test.tc_id, test.comment);
            }
        }
    }
    tests.len()
}

#[test]
fn signing_with_expanded_keys() {
    let set = mldsa_sign::TestSet::load(mldsa_sign::TestName::MlDsa65SignNoSeed).unwrap();
    let (mut checked, mut problems) = (0, Vec::new());
    for group in &set.test_groups {
        match ExpandedSigningKey::from_slice(group.privkey.as_ref().unwrap()) {
            Ok(key) => {
                assert_eq!(key.public_key().as_bytes()[..], group.pubkey.as_ref().unwrap()[..]);
                checked += check_signatures(&key, &group.tests);
            }
            Err(error) => {
                assert!(group.tests.iter().all(|t| t.result == Invalid), "{error}");
                problems.push(problem::<()>(Err(error)));
            }
        }
    }
    println!("Wycheproof ML-DSA-65: {checked} signatures from expanded keys, {} keys refused", problems.len());
    assert_eq!(checked, 74);
    let lengths = problems.iter().filter(|p| matches!(p, Problem::Length { expected: 4032, .. })).count();
    let coefficients = problems.iter().filter(|p| **p == Problem::KeyCoefficients).count();
    assert_eq!((lengths, coefficients, problems.len()), (2, 2, 4));
}

#[test]
fn signing_with_seeds() {
    let set = mldsa_sign::TestSet::load(mldsa_sign::TestName::MlDsa65SignSeed).unwrap();
    let (mut checked, mut refused, mut zero) = (0, 0, 0);
    for group in &set.test_groups {
        let seed = group.privseed.as_ref().unwrap();
        match SigningKey::from_seed(seed) {
            Ok(key) => {
                assert_eq!(key.public_key().as_bytes()[..], group.pubkey.as_ref().unwrap()[..]);
                if let Some(der) = &group.privkey_pkcs8 {
                    assert_eq!(key.to_pkcs8_der()[..], der[..]);
                    assert_eq!(SigningKey::from_pkcs8_der(der).unwrap().public_key(), key.public_key());
                }
                checked += check_signatures(&key.expand(), &group.tests);
            }
            // The one thing on which the library is stricter than FIPS 204.
            Err(error) if seed.len() == 32 => {
                assert!(seed.iter().all(|b| *b == 0));
                assert_eq!(problem::<()>(Err(error)), Problem::AllZero);
                zero += 1;
            }
            Err(error) => {
                assert!(group.tests.iter().all(|t| t.result == Invalid));
                assert_eq!(problem::<()>(Err(error)), Problem::Length { expected: 32, found: seed.len() });
                refused += 1;
            }
        }
    }
    println!(
        "Wycheproof ML-DSA-65: {checked} keys and signatures from seeds, {refused} seeds refused, {zero} all zeros"
    );
    assert_eq!((checked, refused, zero), (92, 3, 2));
}
