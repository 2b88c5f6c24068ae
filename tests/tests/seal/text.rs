//! The seal strings: what is written, and each wrong shape refused at its place.

use dualseal::encoding::json::Value;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::seal::{DualSeal, LegacySeal, Seal, SealFormat, SealId, SealKey, SealOutcome, Sealer};
use dualseal::{Domain, SystemRng};
use dualseal_tests::{identity, key};
use proptest::prelude::*;
use sha3::{Digest, Sha3_256};

fn made() -> (DualSeal, LegacySeal) {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(1));
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let sealer = Sealer::new(&domain, &ana, &seal_key, &signing);
    (sealer.seal(b"content", &mut SystemRng).unwrap(), sealer.seal_legacy(b"content").unwrap())
}

fn problem(text: &str) -> (&'static str, Option<u64>, Problem) {
    match text.parse::<Seal>() {
        Err(Error::Malformed(Malformed { field, index, problem, .. })) => (field, index, problem),
        other => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn strings_are_read_as_they_are_written() {
    let (dual, legacy) = made();
    let text = dual.to_string();
    assert_eq!(text.len(), "SEAL-DUAL::".len() + 128 + 2 + 6618);
    assert_eq!(text.parse::<Seal>(), Ok(Seal::Dual(dual.clone())));
    assert_eq!(text.parse::<DualSeal>(), Ok(dual.clone()));
    assert_eq!(Seal::from(dual.clone()).to_string(), text);
    assert_eq!(Seal::from(dual).format(), SealFormat::Dual);
    let text = legacy.to_string();
    assert_eq!(text.len(), "SEAL-L5::".len() + 128);
    assert_eq!(text.parse::<Seal>(), Ok(Seal::Legacy(legacy.clone())));
    assert_eq!(Seal::from(legacy.clone()).to_string(), text);
    assert_eq!(Seal::from(legacy).format(), SealFormat::Legacy);
    // Who asks for a dual seal gets no other.
    assert_eq!(text.parse::<DualSeal>(), Err(Malformed::new("seal", None, Problem::UnknownValue).into()));
}

/// Seals are equal in all of their digits: somebody may check one against another.
#[test]
fn another_seal_is_not_equal() {
    let (dual, legacy) = made();
    for place in ["SEAL-DUAL::".len(), "SEAL-DUAL::".len() + 127, "SEAL-DUAL::".len() + 130] {
        let other: DualSeal = with_next_digit(&dual.to_string(), place).parse().unwrap();
        assert_ne!(other, dual, "{place}");
    }
    for place in ["SEAL-L5::".len(), "SEAL-L5::".len() + 127] {
        let Ok(Seal::Legacy(other)) = with_next_digit(&legacy.to_string(), place).parse() else { panic!("{place}") };
        assert_ne!(other, legacy, "{place}");
    }
    assert_eq!(dual.to_string().parse::<DualSeal>(), Ok(dual));
}

fn with_next_digit(text: &str, place: usize) -> String {
    let next = if &text[place..=place] == "0" { "1" } else { "0" };
    [&text[..place], next, &text[place + 1..]].concat()
}

#[test]
fn outcomes_are_told_by_one_word() {
    for (outcome, word, json) in [
        (SealOutcome::Ok, "ok", r#"[true,"ok"]"#),
        (SealOutcome::Decoy, "decoy", r#"[false,"decoy"]"#),
        (SealOutcome::Suspended, "suspended", r#"[false,"suspended"]"#),
        (SealOutcome::Rejected, "rejected", r#"[false,"rejected"]"#),
    ] {
        assert_eq!((outcome.as_str(), outcome.to_json()), (word, json.to_string()));
    }
}

#[test]
fn every_wrong_shape_is_refused_at_its_place() {
    let (dual, legacy) = made();
    let (dual, legacy) = (dual.to_string(), legacy.to_string());
    let (hmac, signature) = dual["SEAL-DUAL::".len()..].split_once("::").unwrap();
    let unknown = ("seal", None, Problem::UnknownValue);
    let length = |expected, found| Problem::Length { expected, found };

    // The prefix, and what stands before or between.
    for prefix in ["", "SEAL", "SEAL-", "SEAL-DUAL ", " SEAL-DUAL", "seal-dual", "Seal-Dual", "SEAL-L6", "SEAL-DUAL\0"]
    {
        assert_eq!(problem(&format!("{prefix}::{hmac}::{signature}")), unknown, "{prefix:?}");
    }
    for prefix in ["SEAL-L5 ", " SEAL-L5", "seal-l5", "SEAL_L5", "\u{feff}SEAL-L5", "\nSEAL-L5"] {
        assert_eq!(problem(&format!("{prefix}::{hmac}")), unknown, "{prefix:?}");
    }
    for text in ["", ":", "SEAL-DUAL", "SEAL-L5", "SEAL-DUAL:", hmac] {
        assert_eq!(problem(text), unknown, "{text:?}");
    }
    assert_eq!(problem(&format!("SEAL-DUAL:{hmac}:{signature}")), unknown);
    assert_eq!(problem(&format!("::SEAL-DUAL::{hmac}::{signature}")), unknown);
    assert_eq!(problem("SEAL-DUAL::"), ("signature_hex", None, Problem::MissingMember));
    assert_eq!(problem(&format!("SEAL-DUAL::{hmac}")), ("signature_hex", None, Problem::MissingMember));
    assert_eq!(problem(&format!("SEAL-DUAL::{hmac}:{signature}")), ("signature_hex", None, Problem::MissingMember));
    assert_eq!(problem(&format!("SEAL-DUAL::::{signature}")), ("hmac_hex", None, length(128, 0)));
    assert_eq!(problem(&format!("SEAL-DUAL::{hmac}::")), ("signature_hex", None, length(6618, 0)));
    assert_eq!(problem("SEAL-L5::"), ("hmac_hex", None, length(128, 0)));

    // One format under the name of the other.
    assert_eq!(problem(&legacy.replace("L5", "DUAL")), ("signature_hex", None, Problem::MissingMember));
    assert_eq!(problem(&dual.replace("DUAL", "L5")), ("hmac_hex", None, length(128, 128 + 2 + 6618)));

    // Lengths, a colon more, and what trails.
    assert_eq!(problem(&format!("SEAL-DUAL:::{hmac}::{signature}")), ("hmac_hex", None, length(128, 129)));
    assert_eq!(problem(&format!("SEAL-DUAL::{hmac}:::{signature}")), ("signature_hex", None, length(6618, 6619)));
    for cut in 1..=2 {
        let short = ("hmac_hex", None, length(128, 128 - cut));
        assert_eq!(problem(&format!("SEAL-DUAL::{}::{signature}", &hmac[cut..])), short);
        assert_eq!(problem(&legacy[..legacy.len() - cut]), short);
        let short = ("signature_hex", None, length(6618, 6618 - cut));
        assert_eq!(problem(&dual[..dual.len() - cut]), short);
    }
    for trailing in ["\n", "\r\n", " ", "\0", "0", "00", ":", "::", "::00", "\u{e9}"] {
        let found = trailing.len();
        assert_eq!(problem(&format!("{legacy}{trailing}")), ("hmac_hex", None, length(128, 128 + found)));
        assert_eq!(problem(&format!("{dual}{trailing}")), ("signature_hex", None, length(6618, 6618 + found)));
    }
    assert_eq!(problem(&format!("{dual}{dual}")).0, "signature_hex");

    // Hexadecimal: the place of the first bad character.
    for (at, bad) in [(0, "A"), (64, "g"), (127, " "), (5, "\0"), (126, "x")] {
        let mut altered = hmac.to_string();
        altered.replace_range(at..=at, bad);
        let expected = ("hmac_hex", Some(at as u64), Problem::Hex);
        assert_eq!(problem(&format!("SEAL-L5::{altered}")), expected);
        assert_eq!(problem(&format!("SEAL-DUAL::{altered}::{signature}")), expected);
    }
    for (at, bad) in [(0, "F"), (1, "X"), (3000, "-"), (6617, "\n")] {
        let mut altered = signature.to_string();
        altered.replace_range(at..=at, bad);
        assert_eq!(problem(&format!("SEAL-DUAL::{hmac}::{altered}")), ("signature_hex", Some(at as u64), Problem::Hex));
    }
    // The HMAC is named before the signature.
    assert_eq!(problem("SEAL-DUAL::0::0"), ("hmac_hex", None, length(128, 1)));
}

#[test]
fn the_identifier_is_a_hash_of_the_string() {
    let (dual, legacy) = made();
    let hash = hex::encode(Sha3_256::digest(dual.to_string()));
    assert_eq!(dual.seal_id().to_string(), format!("SEAL-DUAL::{hash}"));
    assert_eq!(dual.seal_id().to_hex(), hash);
    assert_eq!(dual.chain_message(&Domain::default()), format!("DUALSEAL-SEAL::SEALED::{hash}::DUALSEAL"));
    assert_eq!(dual.chain_message(&Domain::new("ACME").unwrap()), format!("ACME-SEAL::SEALED::{hash}::ACME"));
    assert_eq!(format!("SEAL-DUAL::{hash}").parse(), Ok(dual.seal_id()));
    assert_eq!(Seal::from(legacy).info().seal_id, None);

    let refused = |text: &str| match text.parse::<SealId>() {
        Err(Error::Malformed(Malformed { field: "seal_id", problem, .. })) => problem,
        other => panic!("{text:?}: {other:?}"),
    };
    let (legacy, spaced) = (format!("SEAL-L5::{hash}"), format!(" SEAL-DUAL::{hash}"));
    for text in ["", "SEAL-DUAL", "SEAL-DUAL:", &hash, &legacy, &spaced] {
        assert_eq!(refused(text), Problem::UnknownValue, "{text:?}");
    }
    assert_eq!(refused("SEAL-DUAL::"), Problem::Length { expected: 64, found: 0 });
    assert_eq!(refused(&format!("SEAL-DUAL::{hash}\n")), Problem::Length { expected: 64, found: 65 });
    assert_eq!(refused(&format!("SEAL-DUAL::{}", hash.to_uppercase())), Problem::Hex);
    assert_eq!(refused(&dual.to_string()), Problem::Length { expected: 64, found: 128 + 2 + 6618 });
}

/// The four members, in canonical JSON; `null` for what a legacy seal does not have.
#[test]
fn seal_info_on_the_wire() {
    let (dual, legacy) = made();
    let text = dual.to_string();
    let (hmac, signature) = text["SEAL-DUAL::".len()..].split_once("::").unwrap();
    let info = Seal::from(dual.clone()).info();
    let expected = format!(
        r#"{{"format":"SEAL-DUAL","hmac_hex":"{hmac}","seal_id":"{}","signature_hex":"{signature}"}}"#,
        dual.seal_id()
    );
    assert_eq!(info.to_json(), expected);
    assert!(Value::parse(expected.as_bytes()).is_ok());
    let hmac = legacy.to_string().split_off("SEAL-L5::".len());
    assert_eq!(
        Seal::from(legacy).info().to_json(),
        format!(r#"{{"format":"SEAL-L5","hmac_hex":"{hmac}","seal_id":null,"signature_hex":null}}"#)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What is read is written again as the same string; nothing panics.
    #[test]
    fn any_text(text in "(SEAL-(DUAL|L5))?(::)?[0-9a-f]{0,130}(::)?[0-9a-fA-F:]{0,9}") {
        if let Ok(seal) = text.parse::<Seal>() {
            prop_assert_eq!(seal.to_string(), text);
        }
    }

    /// One character of a good string changed: another seal, or none, never the same.
    #[test]
    fn any_change(at in 0usize..6759, c in any::<char>()) {
        let text = made_once();
        let mut changed = text.to_string();
        changed.replace_range(at..=at, c.encode_utf8(&mut [0; 4]));
        match changed.parse::<Seal>() {
            Ok(seal) => prop_assert_eq!(seal.to_string(), changed),
            Err(Error::Malformed(malformed)) => {
                prop_assert!(["seal", "hmac_hex", "signature_hex"].contains(&malformed.field));
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

fn made_once() -> &'static str {
    static TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    TEXT.get_or_init(|| made().0.to_string())
}
