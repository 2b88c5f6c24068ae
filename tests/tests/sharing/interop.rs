//! Shares that the programs `ssss` 0.5 and `shamirs` 4.0 wrote.

use dualseal::error::{Error, Malformed, Problem};
use dualseal::field::{Fp521, Gf2_256};
use dualseal::shamir::{Share, reconstruct_unanchored, ssss};
use dualseal_tests::random::Given;
use dualseal_tests::sharing::{given, index, threshold};
use dualseal_tests::vectors;
use serde_json::Value;

fn number(value: &Value, name: &str) -> u8 {
    value[name].as_u64().and_then(|number| u8::try_from(number).ok()).unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn shares_of_ssss_give_its_secrets() {
    let data = vectors::json("ssss/ssss-0.5.json");
    for case in vectors::items(&data, "cases") {
        let (k, secret) = (number(case, "threshold"), vectors::bytes(case, "secret"));
        let texts: Vec<&str> = vectors::items(case, "shares_raw").iter().map(|text| text.as_str().unwrap()).collect();
        for first in 0..=texts.len() - usize::from(k) {
            let shares: Vec<_> = texts[first..].iter().map(|text| ssss::from_text(text, k.into()).unwrap()).collect();
            assert_eq!(reconstruct_unanchored(k.into(), &shares).unwrap().to_bytes().as_slice(), secret);
            let exactly = &shares[..usize::from(k)];
            assert_eq!(reconstruct_unanchored(k.into(), exactly).unwrap().to_bytes().as_slice(), secret);
        }
    }
}

/// The vectors know the coefficients: dealt with the same ones, our shares are its shares, character by character.
#[test]
fn our_shares_are_those_of_ssss() {
    let data = vectors::json("ssss/ssss-0.5.json");
    let mut compared = 0;
    for case in vectors::items(&data, "cases") {
        let secret = vectors::bytes(case, "secret");
        let coefficients =
            vectors::items(case, "coefficients").iter().map(|c| hex::decode(c.as_str().unwrap()).unwrap());
        let coefficients: Vec<u8> = coefficients.flatten().collect();
        let zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
        if zero(&secret) || zero(&coefficients) {
            // Which no honest generator gives, and this library does not take.
            continue;
        }
        let threshold = threshold(number(case, "threshold"), number(case, "shares_n"));
        let shares = given::<Gf2_256>(&secret).split(threshold, &mut Given(&coefficients)).unwrap();
        for (share, text) in shares.iter().zip(vectors::items(case, "shares_raw")) {
            assert_eq!(Some(ssss::to_text(share, threshold).as_str()), text.as_str());
            compared += 1;
        }
    }
    assert_eq!(compared, 17);
}

#[test]
fn shares_of_shamirs_give_its_secrets() {
    let data = vectors::json("gf521/shamirs-4.0.0.json");
    for case in vectors::items(&data, "cases") {
        let (k, secret) = (number(case, "threshold"), vectors::string(case, "secret"));
        let share = |pair: &Value| {
            let index = index(usize::try_from(pair[0].as_u64().unwrap()).unwrap());
            Share::<Fp521>::from_hex(index, pair[1].as_str().unwrap()).unwrap()
        };
        let shares: Vec<_> = vectors::items(case, "shares").iter().map(share).collect();
        for some in [&shares[..], &shares[..k.into()], &shares[shares.len() - usize::from(k)..]] {
            let found = reconstruct_unanchored(k.into(), some).unwrap();
            assert_eq!(hex::encode(found.to_bytes().as_slice()), secret);
            assert!(found.outliers().is_empty());
        }
    }
}

#[test]
fn indices_are_padded_as_ssss_pads_them() {
    let (secret, mut coefficient) = (given::<Gf2_256>(&[7; 32]), [9; 32]);
    coefficient[20] = 1;
    for (n, texts) in [(9, ["1-", "9-"]), (10, ["01-", "10-"]), (99, ["01-", "99-"]), (100, ["001-", "100-"])] {
        let threshold = threshold(2, n);
        let shares = secret.split(threshold, &mut Given(&coefficient)).unwrap();
        for (share, text) in [shares.first(), shares.last()].into_iter().flatten().zip(texts) {
            assert!(ssss::to_text(share, threshold).starts_with(text));
        }
    }
    let value = "0f".repeat(32);
    for text in ["7-", "07-", "007-"] {
        assert_eq!(ssss::from_text(&format!("{text}{value}"), 2).unwrap().index(), index(7));
    }
}

#[test]
fn texts_of_other_forms_are_refused() {
    let value = "0f".repeat(32);
    let refused = |text: &str, k| match ssss::from_text(text, k).unwrap_err() {
        Error::Malformed(Malformed { field, index, problem, .. }) => (field, index, problem),
        other => panic!("{other}"),
    };
    for text in ["", "-", "7", "7 -", "+7-", "0007-", "७-", "-7-", " 7-", "7a-"] {
        assert_eq!(refused(&format!("{text}{value}"), 2), ("indeks", None, Problem::Range), "{text}");
    }
    for number in [0, 256, 999] {
        assert_eq!(refused(&format!("{number}-{value}"), 2), ("indeks", Some(number), Problem::Range));
    }
    for k in [0, 1, 256] {
        assert_eq!(refused(&format!("7-{value}"), k), ("k", Some(k), Problem::Range));
    }
    let length = |found| Problem::Length { expected: 64, found };
    assert_eq!(refused(&format!("7-{}", &value[1..]), 2), ("vrijednost_hex", Some(7), length(63)));
    assert_eq!(refused(&format!("7-{value}\n"), 2), ("vrijednost_hex", Some(7), length(65)));
    assert_eq!(refused(&format!("7-{}", value.to_uppercase()), 2), ("vrijednost_hex", Some(7), Problem::Hex));
}
