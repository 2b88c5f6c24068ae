//! The JSON of a ring: read back equal, and every member altered, removed, added or doubled is refused or shows.

use dualseal::PublicKey;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::key::{KeyRing, KeyState};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, minute, next_digit};
use serde_json::{Value as Json, json};

/// Rings do not look into keys, so any 1952 bytes serve.
fn public(number: u8) -> PublicKey {
    PublicKey::from_slice(&[number; 1952]).unwrap()
}

/// Two identities with a current, two retired and two decoy keys each, and one that has a decoy alone.
fn ring() -> KeyRing {
    let mut registry = Registry::new();
    for (name, first) in [("ana", 1), ("ivan", 11)] {
        let id = identity(name);
        registry.add(&id, &public(first));
        registry.set_state(&id, None, KeyState::Suspended);
        registry.rotate(&id, &public(first + 1));
        registry.set_state(&id, None, KeyState::Revoked);
        registry.rotate(&id, &public(first + 2));
        registry.set_state(&id, None, KeyState::Decoy);
        registry.add_decoy(&id, &public(first + 3));
        registry.add_decoy(&id, &public(first + 4));
    }
    registry.add_decoy(&identity("eva"), &public(21));
    registry.ring
}

fn json(ring: &KeyRing) -> Json {
    serde_json::from_str(&ring.to_json().unwrap()).unwrap()
}

fn read(json: &Json) -> Result<KeyRing, Error> {
    KeyRing::from_json(json.to_string().as_bytes())
}

fn refusal(json: &Json) -> (&'static str, Option<u64>, Problem) {
    match read(json) {
        Err(Error::Malformed(Malformed { field, index, problem, .. })) => (field, index, problem),
        other => panic!("{other:?}"),
    }
}

fn items(json: &mut Json) -> &mut Vec<Json> {
    json["keys"].as_array_mut().unwrap()
}

#[test]
fn a_ring_is_read_back_equal_in_any_spelling() {
    let ring = ring();
    let text = ring.to_json().unwrap();
    assert_eq!(KeyRing::from_json(text.as_bytes()).unwrap(), ring);
    assert_eq!(KeyRing::from_json(serde_json::to_string_pretty(&json(&ring)).unwrap().as_bytes()).unwrap(), ring);
    assert_eq!(text, serde_json_canonicalizer::to_string(&json(&ring)).unwrap());
    assert_eq!(json(&ring)["keys"].as_array().unwrap().len(), 11);
    let empty = KeyRing::new("o").unwrap();
    assert_eq!(empty.to_json().unwrap(), r#"{"keys":[],"origin":"o","revision":0}"#);
    assert_eq!(read(&json(&empty)).unwrap(), empty);
    let decoys = KeyRing::public(&ring).to_json().unwrap();
    assert_eq!(KeyRing::from_json(decoys.as_bytes()).unwrap(), ring.public());
}

#[test]
fn every_altered_member_is_refused_or_shows() {
    let ring = ring();
    let good = json(&ring);
    for index in 0..11 {
        for (name, value) in good["keys"][index].as_object().unwrap() {
            let mut values = vec![json!(null), json!(1), json!("x"), json!(""), json!(true), json!([]), json!({})];
            values.extend(["istina", "laz", "oboje", "nijedno", "current", "retired", "decoy"].map(Json::from));
            values.extend([
                json!(minute(99).to_string()),
                json!(identity("maja").to_hex()),
                json!(public(99).to_hex()),
            ]);
            if let Some(text) = value.as_str() {
                values.extend([text.to_uppercase(), format!("{text} "), text[1..].to_string()].map(Json::from));
                if text.len() >= 64 {
                    values.extend([0, 31, text.len() - 1].map(|at| Json::from(next_digit(text, at))));
                }
            }
            for altered in values.into_iter().filter(|altered| altered != value) {
                let mut changed = good.clone();
                changed["keys"][index][name] = altered.clone();
                match read(&changed) {
                    Ok(other) => assert_ne!(other, ring, "{index} {name} {altered}"),
                    Err(Error::Malformed(error)) => {
                        // An item that no longer stands in order is noticed at the item behind it.
                        let place = error.index.map(|at| usize::try_from(at).unwrap());
                        assert!(
                            place == Some(index) || place == Some(index + 1),
                            "{index} {name} {altered}: {error:?}"
                        );
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    for (name, values) in [
        ("origin", vec![json!("other"), json!(""), json!("a::b"), json!("a\n"), json!(null), json!(1)]),
        ("revision", vec![json!(1), json!(0), json!(-1), json!("12"), json!(null), json!(1.5), json!(1u64 << 53)]),
        ("keys", vec![json!([]), json!({}), json!(null), json!([1]), json!(["a"])]),
    ] {
        for value in values {
            let mut changed = good.clone();
            changed[name] = value.clone();
            assert!(read(&changed).map_or(true, |other| other != ring), "{name} {value}");
        }
    }
}

#[test]
fn exactly_the_members() {
    let good = json(&ring());
    for index in 0..11 {
        let at = Some(u64::try_from(index).unwrap());
        for name in ["algoritam", "bela_stanje", "generirano", "identity_id", "javni_kljuc", "retired", "role"] {
            let mut changed = good.clone();
            changed["keys"][index].as_object_mut().unwrap().remove(name);
            assert_eq!(refusal(&changed), (name, at, Problem::MissingMember));
        }
        let mut changed = good.clone();
        changed["keys"][index]["Role"] = json!("current");
        assert_eq!(refusal(&changed), ("keys", at, Problem::UnknownMember("Role".to_string())));
    }
    for name in ["keys", "origin", "revision"] {
        let mut changed = good.clone();
        changed.as_object_mut().unwrap().remove(name);
        assert_eq!(refusal(&changed), (name, None, Problem::MissingMember));
    }
    let mut changed = good.clone();
    changed["key"] = json!([]);
    assert_eq!(refusal(&changed), ("ring", None, Problem::UnknownMember("key".to_string())));
    assert_eq!(refusal(&json!([])), ("ring", None, Problem::WrongType));

    let text = good.to_string();
    for (name, value) in
        [("role", "\"current\""), ("bela_stanje", "\"laz\""), ("retired", "null"), ("javni_kljuc", "0")]
    {
        let doubled = text.replacen("{\"algoritam\"", &format!("{{\"{name}\":{value},\"algoritam\""), 1);
        let Err(Error::Malformed(error)) = KeyRing::from_json(doubled.as_bytes()) else { panic!("{name}") };
        assert_eq!(error.problem, Problem::DuplicateMember, "{name}");
    }
    for (name, value) in [("revision", "1"), ("origin", "\"o\""), ("keys", "[]")] {
        let doubled = text.replacen('{', &format!("{{\"{name}\":{value},"), 1);
        let Err(Error::Malformed(error)) = KeyRing::from_json(doubled.as_bytes()) else { panic!("{name}") };
        assert_eq!(error.problem, Problem::DuplicateMember, "{name}");
    }
}

#[test]
fn the_values_of_a_key_fit_together() {
    let mut good = json(&ring());
    let place = |good: &mut Json, role: &str| items(good).iter().position(|k| k["role"] == role).unwrap();
    let (current, retired, decoy) =
        (place(&mut good, "current"), place(&mut good, "retired"), place(&mut good, "decoy"));
    for (index, member, value, field, problem) in [
        (current, "retired", json!(3), "retired", Problem::Range),
        (retired, "retired", json!(null), "retired", Problem::Range),
        (retired, "retired", json!(-1), "retired", Problem::Range),
        (retired, "retired", json!("3"), "retired", Problem::WrongType),
        (decoy, "retired", json!(3), "retired", Problem::Range),
        (decoy, "bela_stanje", json!("istina"), "bela_stanje", Problem::UnknownValue),
        (decoy, "bela_stanje", json!("laz"), "bela_stanje", Problem::UnknownValue),
        (current, "bela_stanje", json!("Istina"), "bela_stanje", Problem::UnknownValue),
        (current, "algoritam", json!("ML-DSA-44"), "algoritam", Problem::UnknownValue),
        (current, "role", json!("owner"), "role", Problem::UnknownValue),
        (current, "role", json!("decoy"), "bela_stanje", Problem::UnknownValue),
        (current, "generirano", json!(null), "generirano", Problem::WrongType),
        (current, "generirano", json!("2026-11-21"), "generirano", Problem::Timestamp),
        (current, "javni_kljuc", json!("00"), "javni_kljuc", Problem::Length { expected: 3904, found: 2 }),
        (decoy, "javni_kljuc", json!(public(1).to_hex()), "javni_kljuc", Problem::Length { expected: 64, found: 3904 }),
        (current, "identity_id", json!("g".repeat(64)), "identity_id", Problem::Hex),
    ] {
        let mut changed = good.clone();
        if (member, &value) == ("role", &json!("decoy")) {
            changed["keys"][index]["bela_stanje"] = json!("istina");
        }
        changed["keys"][index][member] = value.clone();
        let at = Some(u64::try_from(index).unwrap());
        assert_eq!(refusal(&changed), (field, at, problem), "{member} {value}");
    }
}

#[test]
fn keys_stand_in_ring_order() {
    let good = json(&ring());
    for i in 0..10 {
        for j in i + 1..11 {
            let mut changed = good.clone();
            items(&mut changed).swap(i, j);
            let (field, at, problem) = refusal(&changed);
            assert_eq!((field, problem), ("keys", Problem::Order), "{i} {j}");
            assert!(at.is_some_and(|at| usize::try_from(at).unwrap() > i), "{i} {j}");
        }
        // The same item twice is out of order by definition.
        let mut changed = good.clone();
        let again = changed["keys"][i].clone();
        items(&mut changed).insert(i, again);
        assert_eq!(refusal(&changed), ("keys", Some(u64::try_from(i).unwrap() + 1), Problem::Order));
    }
}

/// One public key stands once in the whole ring, and an identity has one current key and one retired at each place.
#[test]
fn nothing_is_there_twice() {
    let good = json(&ring());
    let keys = good["keys"].as_array().unwrap();
    for (i, one) in keys.iter().enumerate() {
        for (j, two) in keys.iter().enumerate().filter(|(j, _)| *j != i) {
            let as_held = |key: &Json| match key["role"].as_str() {
                Some("decoy") => None,
                _ => Some(PublicKey::from_hex(key["javni_kljuc"].as_str().unwrap()).unwrap()),
            };
            let copied = match (as_held(one), as_held(two)) {
                (Some(_), Some(_)) => one["javni_kljuc"].clone(),
                (Some(held), None) => json!(held.hash().to_hex()),
                _ => continue,
            };
            let mut changed = good.clone();
            changed["keys"][j]["javni_kljuc"] = copied;
            // A decoy's new hash may first of all stand out of order.
            let (field, _, problem) = refusal(&changed);
            assert_eq!(field, "keys");
            assert!(matches!(problem, Problem::Repeated | Problem::Order), "{i} {j} {problem:?}");
            if two["role"] != "decoy" {
                assert_eq!(problem, Problem::Repeated, "{i} {j}");
            }
        }
    }
    let mut two_currents = good.clone();
    let mut another = keys.iter().find(|k| k["role"] == "current").unwrap().clone();
    let place = keys.iter().position(|k| *k == another).unwrap();
    another["javni_kljuc"] = json!(public(77).to_hex());
    items(&mut two_currents).insert(place + 1, another);
    assert!(matches!(refusal(&two_currents).2, Problem::Repeated | Problem::Order));

    let mut same_place = good.clone();
    let retired = keys.iter().position(|k| k["role"] == "retired").unwrap();
    same_place["keys"][retired]["retired"] = good["keys"][retired + 1]["retired"].clone();
    assert_eq!(refusal(&same_place), ("keys", Some(u64::try_from(retired).unwrap() + 1), Problem::Order));
}

#[test]
fn the_revision_fits_the_keys() {
    let mut without_keys = json(&KeyRing::new("o").unwrap());
    without_keys["revision"] = json!(1);
    assert_eq!(refusal(&without_keys), ("revision", None, Problem::Range));
    let mut unchanged = json(&ring());
    unchanged["revision"] = json!(0);
    assert_eq!(refusal(&unchanged), ("revision", None, Problem::Range));
    let mut decoys = KeyRing::new("o").unwrap();
    decoys.add_decoy(&identity("ana"), &public(1), minute(1)).unwrap();
    assert_eq!(read(&json(&decoys)).unwrap(), decoys);
}
