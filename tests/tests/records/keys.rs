//! Keys in and out: PKCS#8 and SPKI in DER and PEM, and the 4032-byte expanded form with everything that can be wrong
//! with it.

use dualseal::error::{Error, Malformed, Misuse, Problem};
use dualseal::key::Unprepared;
use dualseal::{Domain, ExpandedSigningKey, Head, KeyRing, PublicKey, Signer, SigningKey, VerdictKind, Verifier};
use dualseal_tests::random::{Constant, FAILING, Given};
use dualseal_tests::{identity, key, minute};
use proptest::collection::vec;
use proptest::prelude::*;

/// The identifier of ML-DSA-65 in DER: 2.16.840.1.101.3.4.3.18.
const OID: [u8; 11] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12];

fn problem<T>(result: Result<T, Error>) -> (&'static str, Problem) {
    match result {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("accepted"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn keys_survive_every_encoding(seed in any::<[u8; 32]>().prop_filter("not zero", |s| s != &[0; 32])) {
        let key = SigningKey::from_seed(&seed).unwrap();
        let (der, pem) = (key.to_pkcs8_der(), key.to_pkcs8_pem().unwrap());
        for read in [SigningKey::from_pkcs8_der(&der).unwrap(), SigningKey::from_pkcs8_pem(&pem).unwrap()] {
            prop_assert!(read.seed().expose() == &seed);
            prop_assert_eq!(read.public_key(), key.public_key());
        }
        let public = key.public_key();
        let (der, pem) = (public.to_spki_der().unwrap(), public.to_spki_pem().unwrap());
        prop_assert_eq!(&PublicKey::from_spki_der(&der).unwrap(), public);
        prop_assert_eq!(&PublicKey::from_spki_pem(&pem).unwrap(), public);
        prop_assert_eq!(&PublicKey::from_hex(&public.to_hex()).unwrap(), public);
        prop_assert_eq!(public.hash().as_bytes(), &dualseal::hash::Sha3_256::digest(public.as_bytes()));
        let expanded = ExpandedSigningKey::from_slice(key.expand().to_bytes().expose()).unwrap();
        prop_assert_eq!(expanded.public_key(), public);
    }

    #[test]
    fn any_bytes_are_refused_or_read_without_a_panic(bytes in vec(any::<u8>(), 0..80)) {
        prop_assert!(SigningKey::from_pkcs8_der(&bytes).is_err());
        prop_assert!(PublicKey::from_spki_der(&bytes).is_err());
        let text = String::from_utf8_lossy(&bytes);
        prop_assert!(SigningKey::from_pkcs8_pem(&text).is_err() && PublicKey::from_spki_pem(&text).is_err());
    }

    #[test]
    fn any_4032_bytes_are_refused_without_a_panic(mut bytes in vec(any::<u8>(), 4032), fit: bool) {
        // Half of them with coefficients in range, so that the later checks are reached.
        if fit {
            for byte in &mut bytes[128..1536] {
                *byte = (*byte & 0x0f).min(8) | ((*byte >> 4).min(8) << 4);
            }
        }
        let expected = if fit { Problem::KeyHash } else { Problem::KeyCoefficients };
        prop_assert_eq!(problem(ExpandedSigningKey::from_slice(&bytes)), ("expanded key", expected));
    }
}

/// The DER of RFC 9881 by hand, so that the encoder is not its own judge.
#[test]
fn the_encodings_are_those_of_the_standard() {
    let private = [&[0x30, 0x34, 0x02, 0x01, 0x00, 0x30, 0x0b][..], &OID, &[0x04, 0x22, 0x80, 0x20], &[1; 32]].concat();
    assert_eq!(*key(1).to_pkcs8_der(), private);
    let bytes = key(1).public_key().as_bytes().to_vec();
    let public = [&[0x30, 0x82, 0x07, 0xb2, 0x30, 0x0b][..], &OID, &[0x03, 0x82, 0x07, 0xa1, 0x00], &bytes].concat();
    assert_eq!(key(1).public_key().to_spki_der().unwrap(), public);
}

#[test]
fn der_is_exact() {
    let (key, refused) = (key(1), |der: &[u8]| assert_eq!(problem(SigningKey::from_pkcs8_der(der)).1, Problem::Der));
    let der = key.to_pkcs8_der();
    for length in 0..der.len() {
        refused(&der[..length]);
    }
    refused(&[&der[..], &[0]].concat());
    refused(&[&[0], &der[..]].concat());
    // Every byte before the seed is fixed.
    for place in 0..der.len() - 32 {
        for bit in 0..8 {
            let mut altered = der.to_vec();
            altered[place] ^= 1 << bit;
            refused(&altered);
        }
    }
    let public = key.public_key().to_spki_der().unwrap();
    let refused = |der: &[u8]| assert_eq!(problem(PublicKey::from_spki_der(der)), ("public key", Problem::Der));
    for length in 0..public.len() {
        refused(&public[..length]);
    }
    refused(&[&public[..], &[0]].concat());
    for place in 0..public.len() - 1952 {
        for bit in 0..8 {
            let mut altered = public.clone();
            altered[place] ^= 1 << bit;
            refused(&altered);
        }
    }
}

/// Well-formed DER of something else: other algorithms, parameters, versions, a public key beside the private one.
#[test]
fn other_structures_are_refused() {
    let seed = [1; 32];
    let with = |version: u8, algorithm: &[u8], inner: &[u8], tail: &[u8]| {
        let body = [
            &[0x02, 0x01, version, 0x30, u8::try_from(algorithm.len()).unwrap()][..],
            algorithm,
            &[0x04, u8::try_from(inner.len()).unwrap()],
            inner,
            tail,
        ]
        .concat();
        [&[0x30, u8::try_from(body.len()).unwrap()][..], &body].concat()
    };
    let inner = [&[0x80, 0x20][..], &seed].concat();
    assert!(SigningKey::from_pkcs8_der(&with(0, &OID, &inner, &[])).is_ok());
    let other_oid = |last: u8| [&OID[..10], &[last]].concat();
    let null_parameters = [&OID[..], &[0x05, 0x00]].concat();
    let ed25519 = [0x06, 0x03, 0x2b, 0x65, 0x70];
    for bad in [
        with(1, &OID, &inner, &[]),
        with(2, &OID, &inner, &[]),
        with(0, &other_oid(0x11), &inner, &[]),
        with(0, &other_oid(0x13), &inner, &[]),
        with(0, &null_parameters, &inner, &[]),
        with(0, &ed25519, &inner, &[]),
        with(0, &OID, &[&[0x04, 0x20][..], &seed].concat(), &[]),
        with(0, &OID, &seed, &[]),
        with(0, &OID, &[&[0x80, 0x1f][..], &seed[1..]].concat(), &[]),
        with(0, &OID, &[&[0x80, 0x21, 1][..], &seed].concat(), &[]),
        with(0, &OID, &[&inner[..], &[0x05, 0x00]].concat(), &[]),
        // Attributes, which are allowed by PKCS#8 and would be lost.
        with(0, &OID, &inner, &[0xa0, 0x00]),
        with(1, &OID, &inner, &[0x81, 0x02, 0x00, 0x01]),
    ] {
        assert_eq!(problem(SigningKey::from_pkcs8_der(&bad)), ("private key", Problem::Der), "{bad:02x?}");
    }
    assert_eq!(
        problem(SigningKey::from_pkcs8_der(&with(0, &OID, &[&[0x80, 0x20][..], &[0; 32]].concat(), &[]))),
        ("seed", Problem::AllZero)
    );
}

#[test]
fn pem_is_of_its_kind() {
    let (private, public) = (key(1).to_pkcs8_pem().unwrap(), key(1).public_key().to_spki_pem().unwrap());
    for label in ["EC PRIVATE KEY", "ML-DSA-65 PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY", "private key"] {
        let text = private.replace("PRIVATE KEY", label);
        assert_eq!(problem(SigningKey::from_pkcs8_pem(&text)), ("private key", Problem::Pem), "{label}");
    }
    for label in ["PRIVATE KEY", "CERTIFICATE", "RSA PUBLIC KEY"] {
        let text = public.replace("PUBLIC KEY", label);
        assert_eq!(problem(PublicKey::from_spki_pem(&text)), ("public key", Problem::Pem), "{label}");
    }
    for text in
        ["", "-----BEGIN PRIVATE KEY-----", &private[1..], &private[..private.len() - 5], &private.replace('\n', "")]
    {
        assert_eq!(problem(SigningKey::from_pkcs8_pem(text)), ("private key", Problem::Pem));
    }
    let twice = format!("{}{}", *private, *private);
    assert_eq!(problem(SigningKey::from_pkcs8_pem(&twice)), ("private key", Problem::Pem));
    // The right label around the other kind of key.
    let body = |text: &str| text.lines().filter(|l| !l.starts_with('-')).collect::<Vec<_>>().join("\n");
    let swapped = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", body(&public));
    assert_eq!(problem(SigningKey::from_pkcs8_pem(&swapped)), ("private key", Problem::Der));
    let swapped = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", body(&private));
    assert_eq!(problem(PublicKey::from_spki_pem(&swapped)), ("public key", Problem::Der));
}

#[test]
fn seeds_are_32_bytes_and_not_all_zero() {
    for length in [0, 1, 31, 33, 64] {
        let expected = Problem::Length { expected: 32, found: length };
        assert_eq!(problem(SigningKey::from_seed(&vec![1; length])), ("seed", expected));
    }
    assert_eq!(problem(SigningKey::from_seed(&[0; 32])), ("seed", Problem::AllZero));
    let mut nearly = [0; 32];
    nearly[31] = 1;
    assert!(SigningKey::from_seed(&nearly).is_ok());
    assert_eq!(SigningKey::generate(&mut Constant(0)).unwrap_err(), Error::Randomness);
    assert_eq!(SigningKey::generate(&mut FAILING.clone()).unwrap_err(), Error::Randomness);
    assert_eq!(SigningKey::generate(&mut Given(&[7; 31])).unwrap_err(), Error::Randomness);
    assert_eq!(SigningKey::generate(&mut Constant(7)).unwrap_err(), Error::Randomness);
    let drawn = SigningKey::generate(&mut Given(&nearly)).unwrap();
    assert_eq!(drawn.public_key(), SigningKey::from_seed(&nearly).unwrap().public_key());
}

#[test]
fn an_expanded_key_has_4032_bytes() {
    let bytes = key(1).expand().to_bytes();
    for length in [0, 32, 4031] {
        let expected = Problem::Length { expected: 4032, found: length };
        assert_eq!(problem(ExpandedSigningKey::from_slice(&bytes.expose()[..length])), ("expanded key", expected));
    }
    let longer = [&bytes.expose()[..], &[0]].concat();
    let expected = Problem::Length { expected: 4032, found: 4033 };
    assert_eq!(problem(ExpandedSigningKey::from_slice(&longer)), ("expanded key", expected));
}

// rho 0..32, K 32..64, tr 64..128, s1 128..768, s2 768..1536, t0 1536..4032
#[test]
fn every_coefficient_out_of_range_is_refused() {
    let mut bytes = *key(1).expand().to_bytes().expose();
    for place in 128..1536 {
        let byte = bytes[place];
        for bad in 9..16 {
            for altered in [(byte & 0xf0) | bad, (byte & 0x0f) | (bad << 4)] {
                bytes[place] = altered;
                assert_eq!(problem(ExpandedSigningKey::from_slice(&bytes)).1, Problem::KeyCoefficients, "{place}");
            }
        }
        bytes[place] = byte;
    }
    assert!(ExpandedSigningKey::from_slice(&bytes).is_ok());
}

#[test]
fn rho_tr_and_s1_belong_together() {
    let mut bytes = *key(1).expand().to_bytes().expose();
    for place in (0..32).chain(64..128) {
        bytes[place] ^= 1;
        assert_eq!(problem(ExpandedSigningKey::from_slice(&bytes)).1, Problem::KeyHash, "{place}");
        bytes[place] ^= 1;
    }
    // Another coefficient in range gives another public key. (Bytes here and there: each costs an expansion.)
    for place in (128..768).step_by(31) {
        let byte = bytes[place];
        bytes[place] = if byte & 0x0f == 8 { byte - 1 } else { byte + 1 };
        assert_eq!(problem(ExpandedSigningKey::from_slice(&bytes)).1, Problem::KeyHash, "{place}");
        bytes[place] = byte;
    }
}

/// `t0`, `K` and a small change of `s2` (which rounds away in the public key) cannot be noticed when the key is read,
/// so no signature leaves that the public key does not accept.
#[test]
fn an_altered_key_never_gives_a_bad_signature() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let good = *key(1).expand().to_bytes().expose();
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let content = domain.content_hash(&ana, b"content");
    let outcome = |bytes: &[u8; 4032]| {
        let expanded = ExpandedSigningKey::from_slice(bytes).unwrap();
        match Signer::new(&domain, &ana, &expanded).sign_deterministic(&content, &Head::EMPTY, minute(1)) {
            Ok(signed) => {
                let verdict = Verifier::new(&domain, &ring, &Unprepared).verify(&content, signed.record, None);
                assert_eq!(verdict.kind(), VerdictKind::Valid);
                true
            }
            Err(error) => {
                assert_eq!(error, Error::Misuse(Misuse::UnfitKey));
                false
            }
        }
    };
    assert!(outcome(&good));
    let mut unfit = 0;
    for place in (1536..4032).step_by(97) {
        let mut altered = good;
        altered[place] ^= 0xff;
        unfit += u32::from(!outcome(&altered));
    }
    for fill in [0x00, 0x55, 0xff] {
        let mut altered = good;
        altered[1536..].fill(fill);
        unfit += u32::from(!outcome(&altered));
    }
    assert!(unfit > 0, "no alteration ever showed");
    let mut read = 0;
    for place in (768..1536).step_by(61) {
        let mut altered = good;
        altered[place] = if altered[place] & 0x0f == 8 { altered[place] - 1 } else { altered[place] + 1 };
        match ExpandedSigningKey::from_slice(&altered) {
            Ok(expanded) => {
                assert_eq!(expanded.public_key(), key(1).public_key());
                outcome(&altered);
                read += 1;
            }
            Err(error) => assert_eq!(problem::<()>(Err(error)).1, Problem::KeyHash),
        }
    }
    assert!(read > 0);
    // K only feeds the mask: another K signs differently and as well.
    let mut altered = good;
    altered[40] ^= 1;
    assert!(outcome(&altered));
}

#[test]
fn an_expanded_key_signs_as_its_seed_does() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let content = domain.content_hash(&ana, b"content");
    let (seeded, expanded) = (key(1), key(1).expand());
    let sign = |key: &dyn dualseal::mldsa::StatementKey| {
        Signer::new(&domain, &ana, key).sign_deterministic(&content, &Head::EMPTY, minute(1)).unwrap()
    };
    assert_eq!(sign(&seeded), sign(&expanded));
    let hedged =
        |bytes: &[u8]| Signer::new(&domain, &ana, &seeded).sign(&content, &Head::EMPTY, minute(1), &mut Given(bytes));
    assert_eq!(hedged(&[5; 32]), hedged(&[5; 32]));
    assert_ne!(hedged(&[5; 32]), hedged(&[6; 32]));
    assert_ne!(hedged(&[5; 32]).unwrap(), sign(&seeded));
    assert_eq!(hedged(&[5; 31]), Err(Error::Randomness));
}
