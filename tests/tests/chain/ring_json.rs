//! The JSON of a ring: read back equal, and every member altered, removed, added or doubled is refused or shows.

use dualseal::error::{Error, Malformed, Problem};
use dualseal::key::{CheckedRing, KeyState, PublicRing, RingFile};
use dualseal::{Domain, Head, PublicKey};
use dualseal_tests::registry::{Registry, authority};
use dualseal_tests::{identity, minute, next_digit};
use serde_json::{Value as Json, json};

/// Rings do not look into keys, so any 1952 bytes serve.
fn public(number: u8) -> PublicKey {
    PublicKey::from_slice(&[number; 1952]).unwrap()
}

/// Two identities with a current, two retired and two decoy keys each, and one that has a decoy alone.
fn registry() -> Registry {
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
    registry
}

fn good() -> Json {
    serde_json::from_str(&registry().file()).unwrap()
}

/// What a reader gives, told apart by all that it says.
fn read(json: &Json) -> Result<String, Error> {
    let text = json.to_string();
    RingFile::from_json(text.as_bytes()).map(|_| serde_json_canonicalizer::to_string(json).unwrap())
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
    let registry = registry();
    let text = registry.file();
    assert_eq!(text, serde_json_canonicalizer::to_string(&good()).unwrap());
    assert_eq!(good()["keys"].as_array().unwrap().len(), 11);
    for spelling in [text.clone(), serde_json::to_string_pretty(&good()).unwrap()] {
        let ring = registry.resume(&spelling).unwrap();
        assert_eq!((&ring, ring.to_stored_json(registry.chain.head())), (&registry.ring, Ok(text.clone())));
    }
    let empty = CheckedRing::new("o", &authority(&Domain::default())).unwrap();
    let text = empty.to_stored_json(&Head::EMPTY).unwrap();
    let mac = text.split("\"mac\":\"").nth(1).unwrap().split('"').next().unwrap();
    let zeros = "0".repeat(128);
    let sealed = format!(r#"{{"mac":"{mac}","size":0,"top":"{zeros}"}}"#);
    assert_eq!(text, format!(r#"{{"keys":[],"origin":"o","ovjera":{sealed},"revision":0}}"#));
    let public = registry.ring.public();
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Json>(&public.to_json()).unwrap()).unwrap();
    for spelling in [public.to_json(), pretty] {
        assert_eq!(PublicRing::from_json(spelling.as_bytes()).unwrap(), public);
    }
}

/// What the public form says nothing of: decoys, `oboje`, and changes that change nothing for outsiders.
#[test]
fn a_public_ring_that_is_none_is_refused() {
    let (registry, mut good) = (registry(), good());
    let public: Json = serde_json::from_str(&registry.ring.public().to_json()).unwrap();
    let refused = |json: &Json| match PublicRing::from_json(json.to_string().as_bytes()) {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&good), ("ring", Problem::UnknownMember("ovjera".to_string())));
    good.as_object_mut().unwrap().remove("ovjera");
    assert_eq!(refused(&good), ("salt", Problem::MissingMember));
    let with = |member: &str, value: Json| {
        let mut changed = public.clone();
        changed["keys"][0][member] = value;
        refused(&changed)
    };
    let (povijest, state) = (&public["keys"][0]["povijest"], &public["keys"][0]["bela_stanje"]);
    let first = povijest[0][0].as_u64().unwrap();
    let trapped = json!([[first, state], [first + 1, "oboje"], [first + 2, state]]);
    assert_eq!(with("povijest", trapped), ("povijest", Problem::Repeated));
    assert_eq!(with("povijest", json!([[first, state], [first + 1, state]])), ("povijest", Problem::Repeated));
    assert_eq!(with("bela_stanje", json!("oboje")), ("bela_stanje", Problem::UnknownValue));
    assert_eq!(with("role", json!("decoy")), ("role", Problem::UnknownValue));
    assert_eq!(with("salt", json!(null)), ("salt", Problem::WrongType));
    assert_eq!(
        with("javni_kljuc", json!("0".repeat(64))),
        ("javni_kljuc", Problem::Length { expected: 3904, found: 64 })
    );
    // Fewer changes than are shown, or none.
    for revision in [0, 1] {
        let mut changed = public.clone();
        changed["revision"] = json!(revision);
        assert_eq!(refused(&changed), ("revision", Problem::Range));
    }
    // Whatever else is altered gives another root than the chain's.
    let root = PublicRing::from_json(public.to_string().as_bytes()).unwrap().root();
    assert_eq!(root, registry.ring.public().root());
    for (member, value) in [("salt", json!("0".repeat(64))), ("generirano", json!(minute(99).to_string()))] {
        let mut changed = public.clone();
        changed["keys"][0][member] = value;
        assert_ne!(PublicRing::from_json(changed.to_string().as_bytes()).unwrap().root(), root);
    }
}

#[test]
fn every_altered_member_is_refused_or_shows() {
    let (registry, good) = (registry(), good());
    let vouched = |json: &Json| registry.resume(&json.to_string());
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
                match vouched(&changed) {
                    // Well-formed, and not what the ring's key vouches for.
                    Err(Error::Rejected(_)) => {}
                    Err(Error::Malformed(Malformed { index: None, field, .. })) => {
                        // What the keys say together, of their number or of their seqs.
                        assert!(["povijest", "revision", "size"].contains(&field), "{index} {name} {altered}: {field}");
                    }
                    Err(Error::Malformed(error)) => {
                        // An item that no longer stands in order is noticed at the item behind it, and of two keys of
                        // one identity the older one tells when the newer came.
                        let place = error.index.map(|at| usize::try_from(at).unwrap());
                        assert!(
                            place == Some(index) || place == Some(index + 1),
                            "{index} {name} {altered}: {error:?}"
                        );
                    }
                    other => panic!("{index} {name} {altered}: {other:?}"),
                }
            }
        }
    }
    for (name, values) in [
        ("origin", vec![json!("other"), json!(""), json!("a::b"), json!("a\n"), json!(null), json!(1)]),
        ("revision", vec![json!(1), json!(0), json!(-1), json!("12"), json!(null), json!(1.5), json!(1u64 << 53)]),
        ("keys", vec![json!([]), json!({}), json!(null), json!([1]), json!(["a"])]),
        ("ovjera", vec![json!([]), json!({}), json!(null), json!({"mac": "0".repeat(64), "size": 17})]),
    ] {
        for value in values {
            let mut changed = good.clone();
            changed[name] = value.clone();
            assert!(vouched(&changed).is_err(), "{name} {value}");
        }
    }
}

#[test]
fn exactly_the_members() {
    let good = good();
    for index in 0..11 {
        let at = Some(u64::try_from(index).unwrap());
        for name in [
            "algoritam",
            "bela_stanje",
            "generirano",
            "identity_id",
            "javni_kljuc",
            "opozvan_od",
            "povijest",
            "retired",
            "role",
        ] {
            let mut changed = good.clone();
            changed["keys"][index].as_object_mut().unwrap().remove(name);
            assert_eq!(refusal(&changed), (name, at, Problem::MissingMember));
        }
        let mut changed = good.clone();
        changed["keys"][index]["Role"] = json!("current");
        assert_eq!(refusal(&changed), ("keys", at, Problem::UnknownMember("Role".to_string())));
    }
    for name in ["keys", "origin", "ovjera", "revision"] {
        let mut changed = good.clone();
        changed.as_object_mut().unwrap().remove(name);
        assert_eq!(refusal(&changed), (name, None, Problem::MissingMember));
    }
    let mut changed = good.clone();
    changed["key"] = json!([]);
    assert_eq!(refusal(&changed), ("ring file", None, Problem::UnknownMember("key".to_string())));
    assert_eq!(refusal(&json!([])), ("ring file", None, Problem::WrongType));

    let text = good.to_string();
    for (name, value) in
        [("role", "\"current\""), ("bela_stanje", "\"laz\""), ("retired", "null"), ("javni_kljuc", "0")]
    {
        let doubled = text.replacen("{\"algoritam\"", &format!("{{\"{name}\":{value},\"algoritam\""), 1);
        let Err(Error::Malformed(error)) = RingFile::from_json(doubled.as_bytes()) else { panic!("{name}") };
        assert_eq!(error.problem, Problem::DuplicateMember, "{name}");
    }
    for (name, value) in [("revision", "1"), ("origin", "\"o\""), ("keys", "[]")] {
        let doubled = text.replacen('{', &format!("{{\"{name}\":{value},"), 1);
        let Err(Error::Malformed(error)) = RingFile::from_json(doubled.as_bytes()) else { panic!("{name}") };
        assert_eq!(error.problem, Problem::DuplicateMember, "{name}");
    }
}

#[test]
fn the_values_of_a_key_fit_together() {
    let mut good = good();
    let place = |good: &mut Json, role: &str| items(good).iter().position(|k| k["role"] == role).unwrap();
    let (current, retired, decoy) =
        (place(&mut good, "current"), place(&mut good, "retired"), place(&mut good, "decoy"));
    for (index, member, value, field, problem) in [
        (current, "retired", json!(3), "retired", Problem::Range),
        (retired, "retired", json!(null), "retired", Problem::Range),
        (retired, "retired", json!(-1), "retired", Problem::Range),
        (retired, "retired", json!("3"), "retired", Problem::WrongType),
        (decoy, "retired", json!(3), "retired", Problem::Range),
        (decoy, "bela_stanje", json!("istina"), "bela_stanje", Problem::Range),
        (decoy, "bela_stanje", json!("laz"), "bela_stanje", Problem::Range),
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
            changed["keys"][index]["povijest"] = json!([[99, "istina"]]);
        }
        changed["keys"][index][member] = value.clone();
        let at = Some(u64::try_from(index).unwrap());
        assert_eq!(refusal(&changed), (field, at, problem), "{member} {value}");
    }
}

#[test]
fn keys_stand_in_ring_order() {
    let good = good();
    for i in 0..10 {
        for j in i + 1..11 {
            let mut changed = good.clone();
            items(&mut changed).swap(i, j);
            let (field, at, problem) = refusal(&changed);
            if field == "retired" {
                // Of two retired keys of one identity the first shows that the one before it did not retire it.
                assert_eq!((problem, at), (Problem::Range, Some(u64::try_from(i).unwrap())), "{i} {j}");
                assert!([i, j].iter().all(|k| good["keys"][*k]["role"] == "retired"), "{i} {j}");
                continue;
            }
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
    let good = good();
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
    assert_eq!(refusal(&same_place), ("retired", Some(u64::try_from(retired).unwrap()), Problem::Range));
}

#[test]
fn the_revision_fits_the_keys() {
    // Two identities with five changes each, and two rotations more.
    let good = good();
    assert_eq!(good["revision"], 12);
    for revision in [0, 1, 11, 13] {
        let mut changed = good.clone();
        changed["revision"] = json!(revision);
        assert_eq!(refusal(&changed), ("revision", None, Problem::Range));
    }
    let mut decoys = Registry::new();
    decoys.add_decoy(&identity("ana"), &public(1));
    assert_eq!(decoys.resume(&decoys.file()).unwrap(), decoys.ring);
}

/// A history begins with the key, ascends, ends in the state that the key has, and gives no seq to two changes.
#[test]
fn a_history_fits_its_key() {
    let good = good();
    let keys = good["keys"].as_array().unwrap();
    let place = |role: &str| keys.iter().position(|key| key["role"] == role).unwrap();
    let (current, retired, decoy) = (place("current"), place("retired"), place("decoy"));
    let of = |index: usize| keys[index]["povijest"].as_array().unwrap().clone();
    let first = of(current)[0][0].as_u64().unwrap();
    // That of the identity which came first: the other's entries are later.
    let currents = (0..keys.len()).filter(|index| keys[*index]["role"] == "current");
    let early = currents.min_by_key(|index| of(*index)[0][0].as_u64()).unwrap();
    let begun = of(early)[0][0].as_u64().unwrap();
    let other_of = |is_decoy: bool| {
        let of = keys.iter().filter(|key| (key["role"] == "decoy") == is_decoy);
        let of = of.filter(|key| **key != keys[early] && **key != keys[decoy]);
        let changes = of.flat_map(|key| key["povijest"].as_array().unwrap());
        changes.map(|change| change[0].as_u64().unwrap()).filter(|seq| *seq > begun).max().unwrap()
    };
    let range = |field| (field, Problem::Range);
    for (index, member, value, expected) in [
        (current, "povijest", json!([]), range("povijest")),
        (current, "povijest", json!([[first, "laz"], [first + 1, "oboje"]]), range("povijest")),
        (current, "povijest", json!([[first, "istina"]]), range("bela_stanje")),
        (current, "povijest", json!([[first + 1, "istina"], [first, "oboje"]]), ("povijest", Problem::Order)),
        (current, "povijest", json!([[first, "istina"], [first, "oboje"]]), ("povijest", Problem::Order)),
        (current, "povijest", json!([[first]]), range("povijest")),
        (current, "povijest", json!([[first, "oboje", 1]]), range("povijest")),
        (current, "povijest", json!([[first, "Oboje"]]), ("povijest", Problem::UnknownValue)),
        (current, "povijest", json!([["1", "oboje"]]), ("povijest", Problem::WrongType)),
        (current, "povijest", json!([1]), ("povijest", Problem::WrongType)),
        (current, "povijest", json!(null), ("povijest", Problem::WrongType)),
        // Another entry's seq.
        (early, "povijest", json!([[begun, "istina"], [other_of(false), "oboje"]]), ("povijest", Problem::Repeated)),
        (early, "povijest", json!([[begun, "istina"], [other_of(true), "oboje"]]), ("povijest", Problem::Repeated)),
        (decoy, "povijest", json!([[first, "oboje"]]), ("povijest", Problem::Repeated)),
        (decoy, "povijest", json!([[other_of(true), "oboje"]]), ("povijest", Problem::Repeated)),
        (decoy, "povijest", json!([[90, "oboje"], [91, "oboje"]]), range("povijest")),
        (decoy, "povijest", json!([[90, "oboje"]]), range("size")),
        // Only a revocation says since when, and at its own seq at the latest.
        (current, "opozvan_od", json!(0), range("opozvan_od")),
        (retired, "opozvan_od", json!(null), range("opozvan_od")),
        (retired, "opozvan_od", json!(16), range("opozvan_od")),
        (decoy, "opozvan_od", json!(0), range("opozvan_od")),
        // A key is retired by the entry that brought the next one.
        (retired, "retired", json!(first + 1), range("retired")),
    ] {
        let mut changed = good.clone();
        changed["keys"][index][member] = value.clone();
        let (field, _, problem) = refusal(&changed);
        assert_eq!((field, problem), expected, "{member} {value}");
    }
}
