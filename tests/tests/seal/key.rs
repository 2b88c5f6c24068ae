//! Seal keys: their lengths, their derivation, and that each identity has its own.

use dualseal::Domain;
use dualseal::domain::{Label, Row};
use dualseal::error::{Error, Malformed, Misuse, Problem};
use dualseal::key::{KeyRing, Unprepared};
use dualseal::seal::{Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealOutcome, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal_tests::random::Constant;
use dualseal_tests::{identity, key, raw_seal};
use hkdf::SimpleHkdf;
use proptest::prelude::*;
use sha3::Sha3_256;

fn refusal(made: Result<SealKey, Error>) -> Problem {
    match made {
        Err(Error::Malformed(Malformed { field: "seal key", index: None, problem, .. })) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn keys_have_32_or_64_bytes() {
    for length in 0..=200 {
        let (ones, zeros) = (vec![1; length], vec![0; length]);
        let legacy = SealKey::legacy(&ones);
        if length < 16 {
            assert_eq!(refusal(legacy), Problem::Length { expected: 16, found: length });
        } else {
            assert_eq!(legacy.unwrap().expose(), ones);
            assert_eq!(refusal(SealKey::legacy(&zeros)), Problem::AllZero);
        }
        if [32, 64].contains(&length) {
            assert_eq!(SealKey::from_slice(&ones).unwrap().expose(), ones);
            assert_eq!(refusal(SealKey::from_slice(&zeros)), Problem::AllZero);
            for at in [0, length - 1] {
                let mut one = zeros.clone();
                one[at] = 1;
                assert!(SealKey::from_slice(&one).is_ok(), "one bit is not zero");
            }
        } else {
            assert_eq!(refusal(SealKey::from_slice(&ones)), Problem::Length { expected: 64, found: length });
        }
    }
}

#[test]
fn keys_are_not_printed() {
    assert_eq!(format!("{:?}", SealKey::from_slice(&[0xab; 32]).unwrap()), "SealKey([redacted])");
    let domain = Domain::default();
    let (seal_key, signing) = (SealKey::from_slice(&[0xab; 32]).unwrap(), key(1));
    let sealer = Sealer::new(&domain, &identity("ana"), &seal_key, &signing);
    let stream = sealer.begin().unwrap();
    for shown in [format!("{sealer:?}"), format!("{stream:?}"), format!("{:?}", Policy::Both(&seal_key))] {
        assert!(!shown.contains("abab") && !shown.contains("171, 171"), "{shown}");
    }
}

proptest! {
    #[test]
    fn derivation_is_hkdf(master: [u8; 32], name in "[A-Z]{1,9}", label in "[A-Z]{1,9}", who: [u8; 32]) {
        let domain = Domain::builder(&name).suffix(Row::Seal, "END").label(Label::SealKdf, &label).build().unwrap();
        let ana = dualseal::IdentityId::from_bytes(who);
        let derived = SealKey::derive(&domain, &Secret::from_slice("master", &master).unwrap(), &ana);
        let mut expected = [0; 64];
        let info = format!("{name}-SEAL::{label}::{}::END", hex::encode(who));
        SimpleHkdf::<Sha3_256>::new(None, &master).expand(info.as_bytes(), &mut expected).unwrap();
        prop_assert_eq!(derived.expose(), expected);
    }
}

/// One key serves one identity, in one domain.
#[test]
fn identities_and_domains_have_keys_of_their_own() {
    let master = Secret::from_slice("master", &[7; 32]).unwrap();
    let other = Secret::from_slice("master", &[8; 32]).unwrap();
    let (domain, acme) = (Domain::default(), Domain::new("ACME").unwrap());
    let (ana, ivan) = (identity("ana"), identity("ivan"));
    let keys = [
        SealKey::derive(&domain, &master, &ana),
        SealKey::derive(&domain, &master, &ivan),
        SealKey::derive(&acme, &master, &ana),
        SealKey::derive(&domain, &other, &ana),
    ];
    for (i, one) in keys.iter().enumerate() {
        assert!(keys[i + 1..].iter().all(|two| two.expose() != one.expose()));
    }
}

/// A key of a legacy length makes no seal and has nothing to say of a dual one; it verifies `SEAL-L5` where permitted.
#[test]
fn legacy_lengths_verify_legacy_seals_alone() {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(1));
    let ring = KeyRing::pinned(&ana, signing.public_key().clone());
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    for length in [16, 20, 31, 33, 63, 65, 72, 73, 200] {
        let bytes = vec![3; length];
        let seal_key = SealKey::legacy(&bytes).unwrap();
        let sealer = Sealer::new(&domain, &ana, &seal_key, &signing);
        let misuse = Error::Misuse(Misuse::LegacySealKey);
        assert_eq!(sealer.seal(b"content", &mut Constant(1)).unwrap_err(), misuse);
        assert_eq!(sealer.seal_legacy(b"content").unwrap_err(), misuse);
        assert_eq!(sealer.begin().unwrap_err(), misuse);

        let authenticated = |seal: String, policy, legacy| {
            let seal: Seal = seal.parse().unwrap();
            let report = verifier.verify(&seal, b"content", &ana, policy, legacy, None);
            (matches!(report.conclusion, Conclusion::Authenticated(_)), report.layer_a)
        };
        let (pass, fail) = (LayerOutcome::Pass, LayerOutcome::Fail);
        let legacy_seal = || raw_seal::legacy(&bytes, b"content");
        let dual_seal = || raw_seal::dual(&bytes, [1; 32], b"content", &ana);
        let by_a = Policy::LayerA(&seal_key);
        assert_eq!(authenticated(legacy_seal(), by_a, Legacy::Permitted), (true, pass), "{length}");
        assert_eq!(authenticated(legacy_seal(), by_a, Legacy::Refused), (false, pass));
        assert_eq!(authenticated(dual_seal(), by_a, Legacy::Permitted), (false, fail));
        assert_eq!(authenticated(dual_seal(), Policy::Both(&seal_key), Legacy::Permitted), (false, fail));
    }
    // `legacy` with a modern length is a modern key.
    for length in [32, 64] {
        let seal_key = SealKey::legacy(&vec![3; length]).unwrap();
        let seal = Sealer::new(&domain, &ana, &seal_key, &signing).seal(b"content", &mut Constant(1)).unwrap();
        let report = verifier.verify(&seal.into(), b"content", &ana, Policy::Both(&seal_key), Legacy::Refused, None);
        assert_eq!(report.internal(), SealOutcome::Ok);
    }
}
