//! Payloads in parts: the same seal and the same report as in one piece, wherever the parts end; and reserved payloads,
//! found across every boundary.

use dualseal::domain::{Domain, Row};
use dualseal::error::{Error, Misuse};
use dualseal::key::{KeyRing, Unprepared};
use dualseal::seal::{
    Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealOutcome, SealReport, SealVerifier, Sealer,
};
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{IdentityId, SigningKey};
use dualseal_tests::random::{Constant, FAILING};
use dualseal_tests::{identity, key, raw_seal};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Write;

const SEAL_KEY: [u8; 32] = [9; 32];

struct Maker {
    domain: Domain,
    identity_id: IdentityId,
    seal_key: SealKey,
    signing: SigningKey,
    ring: KeyRing,
}

impl Maker {
    fn new(domain: Domain) -> Self {
        let (ana, signing) = (identity("ana"), key(1));
        let ring = KeyRing::pinned(&ana, signing.public_key().clone());
        Self { domain, identity_id: ana, seal_key: SealKey::from_slice(&SEAL_KEY).unwrap(), signing, ring }
    }

    fn sealer(&self) -> Sealer<'_> {
        Sealer::new(&self.domain, &self.identity_id, &self.seal_key, &self.signing)
    }

    /// With the randomness of zeros, so that a seal can be compared with one made elsewhere.
    fn seal(&self, parts: &[&[u8]]) -> Result<String, Error> {
        let mut stream = self.sealer().begin()?;
        for part in parts {
            stream.update(part);
        }
        Ok(stream.finish(&mut Constant(0))?.to_string())
    }

    fn report(&self, seal: &str, parts: &[&[u8]], policy: Policy<'_>) -> SealReport {
        let seal: Seal = seal.parse().unwrap();
        let verifier = SealVerifier::new(&self.domain, &self.ring, &Unprepared);
        let mut check = verifier.begin(&seal, &self.identity_id, policy, Legacy::Permitted, None);
        for part in parts {
            check.update(part);
        }
        check.finish()
    }
}

fn reason(report: &SealReport) -> Option<InvalidReason> {
    match &report.conclusion {
        Conclusion::Verdict(Verdict::Invalid(rejection)) => Some(rejection.reason()),
        _ => None,
    }
}

/// `payload` cut at these places, counted in a circle.
fn cut<'a>(payload: &'a [u8], places: &[usize]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place % (payload.len() + 1)).collect();
    places.extend([0, payload.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &payload[pair[0]..pair[1]]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any payload cut anywhere, empty parts included, gives the seal that the bare formulas give.
    #[test]
    fn streaming_is_the_same_as_one_piece(payload in vec(any::<u8>(), 0..5000), places in vec(any::<usize>(), 0..9)) {
        let maker = Maker::new(Domain::default());
        let expected = raw_seal::dual(&SEAL_KEY, [1; 32], &payload, &maker.identity_id);
        let parts = cut(&payload, &places);
        prop_assert_eq!(&maker.seal(&parts).unwrap(), &expected);
        prop_assert_eq!(&maker.sealer().seal(&payload, &mut Constant(0)).unwrap().to_string(), &expected);
        let report = maker.report(&expected, &parts, Policy::Both(&maker.seal_key));
        prop_assert_eq!(report.internal(), SealOutcome::Ok);
        prop_assert_eq!((report.layer_a, report.layer_b), (LayerOutcome::Pass, LayerOutcome::Pass));
    }
}

/// Around the sizes at which the library's own buffer, and the hashes' blocks, begin anew.
#[test]
fn every_length_around_a_block() {
    let maker = Maker::new(Domain::default());
    let payload: Vec<u8> = (0..4200u32).map(|i| u8::try_from(i % 251).unwrap()).collect();
    let blocks = [0, 36, 68, 1024, 2048, 4096];
    for length in blocks.into_iter().flat_map(|block: usize| block.saturating_sub(2)..=block + 2) {
        let payload = &payload[..length];
        let expected = raw_seal::dual(&SEAL_KEY, [1; 32], payload, &maker.identity_id);
        assert_eq!(maker.seal(&[payload]).unwrap(), expected, "{length}");
        let bytes: Vec<&[u8]> = payload.chunks(1).collect();
        assert_eq!(maker.seal(&bytes).unwrap(), expected, "{length}, byte by byte");
        let legacy = maker.sealer().seal_legacy(payload).unwrap().to_string();
        assert_eq!(legacy, raw_seal::legacy(&SEAL_KEY, payload));
    }
}

/// A payload that differs in any byte, is longer or is shorter, is another payload.
#[test]
fn every_byte_counts() {
    let maker = Maker::new(Domain::default());
    let payload = [0x42; 40];
    let seal = maker.seal(&[&payload]).unwrap();
    let mut others: Vec<Vec<u8>> = (0..payload.len())
        .map(|at| {
            let mut other = payload.to_vec();
            other[at] ^= 1;
            other
        })
        .collect();
    others.extend([payload[1..].to_vec(), [&payload[..], &[0]].concat(), Vec::new()]);
    for other in others {
        assert_eq!(
            reason(&maker.report(&seal, &[&other], Policy::Both(&maker.seal_key))),
            Some(InvalidReason::Content)
        );
        assert_eq!(reason(&maker.report(&seal, &[&other], Policy::LayerB)), Some(InvalidReason::Signature));
    }
}

/// `std::io::copy` into a stream.
#[test]
fn a_stream_is_a_writer() {
    let maker = Maker::new(Domain::default());
    let payload = vec![7; 100_000];
    let mut stream = maker.sealer().begin().unwrap();
    assert_eq!(std::io::copy(&mut payload.as_slice(), &mut stream).unwrap(), 100_000);
    stream.flush().unwrap();
    let seal = stream.finish(&mut Constant(0)).unwrap().to_string();
    assert_eq!(seal, raw_seal::dual(&SEAL_KEY, [1; 32], &payload, &maker.identity_id));
}

/// Hedged with fresh randomness: layer A repeats, layer B does not. A failed generator makes no seal.
#[test]
fn layer_a_repeats_and_layer_b_does_not() {
    let maker = Maker::new(Domain::default());
    let [one, two] = [0, 1].map(|_| maker.sealer().seal(b"content", &mut dualseal::SystemRng).unwrap().to_string());
    assert_eq!(one[..141], two[..141]);
    assert_ne!(one, two);
    for seal in [one, two] {
        assert_eq!(maker.report(&seal, &[b"content"], Policy::Both(&maker.seal_key)).internal(), SealOutcome::Ok);
    }
    assert_eq!(maker.sealer().seal(b"content", &mut FAILING.clone()).unwrap_err(), Error::Randomness);
}

/// A domain whose reserved prefixes have different lengths, one the beginning of the other.
fn odd_domain() -> Domain {
    Domain::builder("DUALSEAL").prefix(Row::Vault, "VAULT").prefix(Row::Shard, "VAULT-SHARDS").build().unwrap()
}

/// Whatever the parts, down to single bytes, and with as much before the boundary as the longer prefix has.
#[test]
fn reserved_payloads_are_found_across_every_boundary() {
    for (domain, prefixes) in
        [(Domain::default(), ["DUALSEAL-VAULT::", "DUALSEAL-SHARD::"]), (odd_domain(), ["VAULT::", "VAULT-SHARDS::"])]
    {
        let maker = Maker::new(domain);
        for prefix in prefixes {
            for tail in ["", "L5::{}", "SEAL::0::0::0::DUALSEAL and more than the longer prefix has"] {
                let payload = format!("{prefix}{tail}").into_bytes();
                let seal = raw_seal::dual(&SEAL_KEY, [1; 32], &payload, &maker.identity_id);
                let legacy = raw_seal::legacy(&SEAL_KEY, &payload);
                for first in 0..=payload.len() {
                    for second in [first, first + 1, payload.len()] {
                        assert_reserved(&maker, &seal, &legacy, &cut(&payload, &[first, second.min(payload.len())]));
                    }
                }
                assert_reserved(&maker, &seal, &legacy, &payload.chunks(1).collect::<Vec<_>>());
            }
        }
    }
}

fn assert_reserved(maker: &Maker, seal: &str, legacy: &str, parts: &[&[u8]]) {
    let misuse = Error::Misuse(Misuse::ReservedPayload);
    assert_eq!(maker.seal(parts), Err(misuse.clone()), "{parts:?}");
    assert_eq!(maker.sealer().seal(&parts.concat(), &mut Constant(0)).unwrap_err(), misuse);
    assert_eq!(maker.sealer().seal_legacy(&parts.concat()).unwrap_err(), misuse);

    // Even with a good HMAC and a good signature.
    let both = maker.report(seal, parts, Policy::Both(&maker.seal_key));
    assert_eq!(reason(&both), Some(InvalidReason::ReservedPayload), "{parts:?}");
    assert_eq!((both.layer_a, both.layer_b), (LayerOutcome::Fail, LayerOutcome::Pass));
    assert_eq!(reason(&maker.report(seal, parts, Policy::LayerB)), Some(InvalidReason::ReservedPayload));
    for seal in [seal, legacy] {
        let a = maker.report(seal, parts, Policy::LayerA(&maker.seal_key));
        assert!(matches!(a.conclusion, Conclusion::NotAuthenticated), "{parts:?}");
        assert_eq!(a.layer_a, LayerOutcome::Fail);
    }
}

/// What only looks like one.
#[test]
fn payloads_near_the_reserved_ones_are_sealed() {
    for (domain, payloads) in [
        (
            Domain::default(),
            [
                "DUALSEAL-VAULT:",
                "DUALSEAL-VAULT",
                "DUALSEAL-VAULTS::",
                " DUALSEAL-VAULT::",
                "dualseal-vault::",
                "DUALSEAL-SEAL::x",
                "DUALSEAL-SIGN::STATEMENT::x",
                "ACME-VAULT::",
                "",
            ],
        ),
        (
            odd_domain(),
            [
                "VAULT:",
                "VAULT-",
                "VAULT-::",
                "VAULT-SHARDS:",
                "VAULT-SHARD::",
                "VAULTS::",
                "SHARDS::",
                "DUALSEAL-VAULT::",
                "V",
            ],
        ),
    ] {
        let maker = Maker::new(domain);
        for payload in payloads {
            let parts: Vec<&[u8]> = payload.as_bytes().chunks(1).collect();
            let seal = maker.seal(&parts).unwrap_or_else(|error| panic!("{payload:?}: {error}"));
            let report = maker.report(&seal, &parts, Policy::Both(&maker.seal_key));
            assert_eq!(report.internal(), SealOutcome::Ok, "{payload:?}");
        }
    }
}
