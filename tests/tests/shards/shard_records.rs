//! Shards: identifiers, seals and chain entries by formulas written out; verification from four fields and from the
//! whole record, of which no digit can be altered; and what their reader refuses.

use dualseal::error::{CheckpointFault, Error, Malformed, Problem, Rejected, ShardFault};
use dualseal::field::Gf2_256;
use dualseal::secret::Secret;
use dualseal::shamir::{DrawnSecret, reconstruct_unanchored};
use dualseal::shard::{Prepared, Shard, ShardKey, verify_shard_seal};
use dualseal::{Domain, SystemRng};
use dualseal_tests::contract::{check, check_hex, refusal};
use dualseal_tests::log::any_head;
use dualseal_tests::random::{FAILING, Given};
use dualseal_tests::reading;
use dualseal_tests::shards::{
    MASTER, Store, altered, copy, raw_anchor, raw_seal, raw_shard_id, raw_split, resealed, shard_key, urls, vault,
};
use dualseal_tests::{identity, minute, next_digit, with_member};
use serde_json::{Value as Json, json};

fn read(text: &[u8]) -> Result<String, Error> {
    Shard::from_json(text).map(|shard| shard.to_json().to_string())
}

fn fault(error: Error) -> ShardFault {
    match error {
        Error::Rejected(Rejected::Shard(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn records_and_entries_are_the_formulas() {
    for (m, n) in [(2, 2), (2, 3), (3, 5), (200, 255)] {
        let store = Store::new(m, n);
        let shares: Vec<_> = store
            .shards
            .iter()
            .map(|shard| {
                dualseal::shamir::Share::<Gf2_256>::from_bytes(shard.index(), shard.as_ref().to_bytes().as_slice())
                    .unwrap()
            })
            .collect();
        let rebuilt = reconstruct_unanchored(m.into(), &shares).unwrap();
        assert!(rebuilt.outliers().is_empty());
        assert_eq!(rebuilt.to_bytes(), store.secret.to_bytes());
        let split = store.shards[0].split_id();
        for (index, shard) in (1..).zip(&store.shards) {
            let json: Json = serde_json::from_str(&shard.to_json()).unwrap();
            let expected = json!({
                "identity_id": store.identity_id.to_hex(), "indeks": index,
                "javni_sidro": raw_anchor(&store.vault_id, &store.secret.to_bytes()), "m": m, "n": n,
                "node_url": urls(n)[index - 1], "seal": raw_seal(&store.identity_id.to_hex(), &json),
                "shard_id": raw_shard_id(&json), "split_id": split.to_hex(), "vault_id": store.vault_id.to_hex(),
                "vrijednost_hex": hex::encode(shard.as_ref().to_bytes().as_slice()),
            });
            assert_eq!(json, expected);
        }
        let entry = store.chain.entries().last().unwrap();
        let (first, prev) = ("0".repeat(64), store.chain.entries()[0].hash().to_hex());
        assert_eq!(entry.message(), raw_split(&store.vault_id, &first, &split.to_hex(), &prev));
        assert_eq!((entry.identity_id(), entry.time()), (&store.identity_id, minute(3)));
    }
}

#[test]
fn a_shard_is_verified_from_four_fields_and_from_all() {
    let store = Store::new(2, 3);
    for shard in &store.shards {
        shard.verify(&store.domain, &store.key).unwrap();
        let four = (shard.shard_id(), shard.vault_id(), shard.identity_id(), shard.seal());
        verify_shard_seal(&store.domain, &store.key, four.0, four.1, four.2, four.3).unwrap();
        let other = &store.shards[usize::from(shard.index().get() % 3)];
        let bad = [
            verify_shard_seal(&store.domain, &store.key, other.shard_id(), four.1, four.2, four.3),
            verify_shard_seal(&store.domain, &store.key, four.0, &vault("ana", 1), four.2, four.3),
            verify_shard_seal(&store.domain, &store.key, four.0, four.1, &identity("ivo"), four.3),
            verify_shard_seal(&store.domain, &store.key, four.0, four.1, four.2, other.seal()),
            verify_shard_seal(&Domain::new("ACME").unwrap(), &store.key, four.0, four.1, four.2, four.3),
            verify_shard_seal(&store.domain, &shard_key(&identity("ivo")), four.0, four.1, four.2, four.3),
        ];
        for bad in bad {
            assert_eq!(fault(bad.unwrap_err()), ShardFault::Seal);
        }
    }
    let other_master = Secret::from_slice("master", &[1; 32]).unwrap();
    let key = ShardKey::derive(&store.domain, &other_master, &store.identity_id);
    assert_eq!(fault(store.shards[0].verify(&store.domain, &key).unwrap_err()), ShardFault::Seal);
    let acme = Domain::new("ACME").unwrap();
    assert_eq!(fault(store.shards[0].verify(&acme, &store.key).unwrap_err()), ShardFault::Identifier);
}

/// Every digit of every member, and every other number and label.
#[test]
fn no_member_of_a_shard_can_be_altered() {
    let store = Store::new(3, 5);
    let shard = &store.shards[1];
    let json: Json = serde_json::from_str(&shard.to_json()).unwrap();
    let mut bad: Vec<(Shard, ShardFault)> = Vec::new();
    for (member, expected) in [
        ("javni_sidro", ShardFault::Identifier),
        ("shard_id", ShardFault::Identifier),
        ("split_id", ShardFault::Identifier),
        ("vault_id", ShardFault::Identifier),
        ("vrijednost_hex", ShardFault::Identifier),
        ("identity_id", ShardFault::Seal),
        ("seal", ShardFault::Seal),
    ] {
        let text = json[member].as_str().unwrap();
        for place in if member == "seal" { 9 } else { 0 }..text.len() {
            bad.push((altered(shard, member, next_digit(text, place).into()), expected.clone()));
        }
    }
    for (member, value) in [
        ("indeks", json!(1)),
        ("indeks", json!(5)),
        ("m", json!(2)),
        ("m", json!(4)),
        ("n", json!(4)),
        ("n", json!(255)),
        ("node_url", json!("")),
        ("node_url", json!("https://node-3.example/shard")),
    ] {
        bad.push((altered(shard, member, value), ShardFault::Identifier));
    }
    assert!(bad.len() > 500);
    for (shard, expected) in bad {
        assert_eq!(fault(shard.verify(&store.domain, &store.key).unwrap_err()), expected, "{shard:?}");
    }
    // A good identifier for altered members still needs a seal, which only the operator makes.
    let own = resealed(shard, &[("m", json!(2))]);
    own.verify(&store.domain, &store.key).unwrap();
    let stolen = altered(&own, "seal", shard.seal().to_string().into());
    assert_eq!(fault(stolen.verify(&store.domain, &store.key).unwrap_err()), ShardFault::Seal);
}

#[test]
fn the_json_of_shards() {
    let store = Store::new(2, 3);
    let example = store.shards[2].to_json().to_string();
    check("shard", &example, &[], &read);
    for (member, length) in [
        ("identity_id", 64),
        ("javni_sidro", 128),
        ("shard_id", 64),
        ("split_id", 64),
        ("vault_id", 64),
        ("vrijednost_hex", 64),
    ] {
        check_hex(&example, member, length, &read);
    }
    for (member, value, expected) in [
        ("indeks", json!(0), ("indeks", Problem::Range)),
        ("indeks", json!(256), ("indeks", Problem::Range)),
        ("indeks", json!(4), ("indeks", Problem::Range)),
        ("indeks", json!(-1), ("indeks", Problem::Range)),
        ("m", json!(1), ("m", Problem::Range)),
        ("m", json!(4), ("m", Problem::Range)),
        ("m", json!(0), ("m", Problem::Range)),
        ("n", json!(1), ("n", Problem::Range)),
        ("n", json!(2), ("indeks", Problem::Range)),
        ("n", json!(256), ("n", Problem::Range)),
        ("seal", json!("SEAL-L5::00"), ("hmac_hex", Problem::Length { expected: 128, found: 2 })),
        ("seal", json!(""), ("seal", Problem::UnknownValue)),
    ] {
        let found = refusal(&read, &with_member(&example, member, value.clone()));
        assert_eq!(found, expected, "{member} {value}");
    }
    // A dual seal is none of a shard's.
    let dual = format!("SEAL-DUAL::{}::{}", "0".repeat(128), "0".repeat(6618));
    assert_eq!(refusal(&read, &with_member(&example, "seal", dual.into())), ("seal", Problem::UnknownValue));
    // A label is any text: nothing dials it.
    for label in ["", "javascript:alert(1)", "http://169.254.169.254/", "\u{0}\n", "čvor 😀", &"x".repeat(5000)] {
        let labelled = resealed(&store.shards[0], &[("node_url", label.into())]);
        assert_eq!(labelled.node_url(), label);
        labelled.verify(&store.domain, &store.key).unwrap();
        assert_eq!(*copy(&labelled).to_json(), *labelled.to_json());
    }
}

#[test]
fn splitting_has_its_refusals() {
    let store = Store::new(2, 3);
    let split = |m: u8, n: usize| store.dealer(m, &urls(n)).prepare(&store.secret, None, &mut SystemRng);
    for (m, n, field, number) in [
        (2, 0, "n", 0),
        (2, 1, "n", 1),
        (2, 256, "n", 256),
        (1, 3, "m", 1),
        (0, 3, "m", 0),
        (4, 3, "m", 4),
        (255, 254, "m", 255),
    ] {
        let expected = Malformed::new(field, Some(number), Problem::Range);
        assert_eq!(split(m, n).unwrap_err(), expected.into(), "{m} {n}");
    }
    assert_eq!(split(2, 255).unwrap().shards.len(), 255);
    let nodes = urls(3);
    let dealer = store.dealer(3, &nodes);
    assert_eq!(dealer.prepare(&store.secret, None, &mut FAILING.clone()).unwrap_err(), Error::Randomness);
    let draws: Vec<u8> = (0..96_u32).map(|place| place.wrapping_mul(0x9e37_79b1).to_be_bytes()[0]).collect();
    for available in 0..96 {
        let drawn = dealer.prepare(&store.secret, None, &mut Given(&draws[..available]));
        assert_eq!(drawn.unwrap_err(), Error::Randomness, "{available}");
    }
    let prepared = dealer.prepare(&store.secret, None, &mut Given(&draws)).unwrap();
    let full = any_head((1 << 53) - 1, *store.chain.head().top());
    let reader = reading::up_to(&store.domain, &full);
    let read = reading::read(reader, &[], |reader| reader.own_splits(&store.key, &store.vault_id));
    let found = CheckpointFault::Truncated { size: (1 << 53) - 1, found: 0 };
    assert_eq!(read.unwrap_err(), found.into());
    assert_eq!(prepared.shards.len(), 3);
}

/// Leading zeros of secrets and shares keep their places.
#[test]
fn small_secrets_keep_their_width() {
    for low in [1_u8, 255] {
        let mut drawn = [0; 32];
        drawn[31] = low;
        let secret = DrawnSecret::<Gf2_256>::draw(&mut Given(&drawn)).unwrap();
        let store = Store::new(2, 2);
        let mut coefficient = [0; 64];
        (coefficient[1], coefficient[47], coefficient[63]) = (1, 4, 2);
        let dealt = store.dealer(2, &urls(2)).prepare(&secret, None, &mut Given(&coefficient));
        let Prepared { shards, .. } = dealt.unwrap();
        let value = hex::encode(shards[0].as_ref().to_bytes().as_slice());
        assert_eq!(value, format!("{:0>64}", format!("04{}{:02x}", "00".repeat(15), low ^ 2)));
        for shard in &shards {
            shard.verify(&store.domain, &store.key).unwrap();
        }
    }
}

#[test]
fn shards_do_not_show_their_values() {
    let store = Store::new(2, 3);
    let shown = format!("{store:?} {:#?} {:?}", store.shards, store.dealer(2, &urls(3)));
    for shard in &store.shards {
        let value = hex::encode(shard.as_ref().to_bytes().as_slice());
        assert!(!shown.contains(&value[..16]) && !shown.contains(&value[48..]));
    }
    assert!(!shown.contains(&hex::encode(&MASTER[..8])) && !shown.contains("58, 58"));
    assert!(!shown.contains(&hex::encode(&store.secret.to_bytes()[..8])));
}
