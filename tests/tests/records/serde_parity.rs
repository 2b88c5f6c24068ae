//! With the feature `serde`, every record is written as its own JSON writes it, and what its own reader refuses is
//! refused through `serde` too.

use dualseal::encoding::json::Value;
use dualseal::key::Unprepared;
use dualseal::{Domain, Entry, Krunica, PublicKeyPairInfo, PublicResult, PublicRing, SignatureRecord, Verifier};
use dualseal_tests::broken_json::{nested_arrays, nested_objects, refusals};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, record, signed, with_member};
use serde_json::json;
use std::fmt::Debug;

fn registry() -> Registry {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    registry.add(&ana, key(1).public_key());
    registry.rotate(&ana, key(2).public_key());
    registry.add_decoy(&ana, key(3).public_key());
    registry
}

fn result() -> PublicResult {
    let (domain, registry, record) = (Domain::default(), registry(), record(&identity("ana"), &key(2), b"content"));
    let content = domain.content_hash(&identity("ana"), b"content");
    Verifier::new(&domain, &registry.ring, &Unprepared).verify(&content, record, None).public()
}

fn same<T>(value: &T, own: &str, read: fn(&[u8]) -> Result<T, dualseal::Error>)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
{
    assert_eq!(serde_json::to_string(value).unwrap(), own);
    assert_eq!(&serde_json::from_str::<T>(own).unwrap(), value);
    assert_eq!(&serde_json::from_value::<T>(serde_json::to_value(value).unwrap()).unwrap(), value);

    let mut bad: Vec<Vec<u8>> = refusals().into_iter().map(|(text, _, _)| text).collect();
    bad.extend(["null", "[1]", "{}", "1", "\"x\""].map(|text| text.as_bytes().to_vec()));
    bad.push(format!("{own}x").into_bytes());
    bad.push(own.as_bytes()[1..].to_vec());
    let json: serde_json::Value = serde_json::from_str(own).unwrap();
    for (name, value) in json.as_object().into_iter().flatten() {
        bad.push(with_member(own, "unknown", json!(1)).into_bytes());
        bad.push(format!("{{\"{name}\":{value},{}", &own[1..]).into_bytes());
        for other in [json!(null), json!(-1), json!(1.5), json!("X"), json!("ABCDEF"), json!([]), json!({})] {
            bad.push(with_member(own, name, other).into_bytes());
        }
        let mut without = json.clone();
        without.as_object_mut().unwrap().remove(name);
        bad.push(without.to_string().into_bytes());
    }
    let mut refused = 0;
    for text in bad {
        let (ours, theirs) = (read(&text).ok(), serde_json::from_slice::<T>(&text).ok());
        refused += usize::from(ours.is_none());
        assert_eq!(ours, theirs, "{}", String::from_utf8_lossy(&text[..text.len().min(100)]));
    }
    assert!(refused > 90);
}

#[test]
fn signature_records() {
    let record = signed(&identity("ana"), &key(1), b"content").record;
    same(&record, &record.to_json(), SignatureRecord::from_json);
}

#[test]
fn entries_and_chains() {
    let entry = signed(&identity("ana"), &key(1), b"content").entry;
    same(&entry, &entry.to_json(), Entry::from_json);
    let chain = registry().chain;
    same(&chain, &chain.to_json(), Krunica::from_json);
    // A chain is checked as it is read.
    let broken = chain.to_json().replacen("\"h\":\"", "\"h\":\"0", 1);
    assert!(serde_json::from_str::<Krunica>(&broken).is_err());
}

#[test]
fn rings_key_info_and_results() {
    let ring = registry().ring;
    let public = ring.public();
    same(&public, &public.to_json(), PublicRing::from_json);
    let info = ring.info(&identity("ana")).unwrap().public();
    same(&info, &info.to_json(), PublicKeyPairInfo::from_json);
    same(&result(), &result().to_json(), PublicResult::from_json);
}

#[test]
fn values() {
    for text in ["null", "true", "[]", "{}", "-5", "9007199254740991", r#""\ud83d\ude00""#, r#"{"b":[1,{"a":null}]}"#] {
        let value = Value::parse(text.as_bytes()).unwrap();
        same(&value, &value.to_canonical().unwrap(), Value::parse);
    }
    // To the very depth.
    for text in [nested_arrays(32), nested_objects(32)] {
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), Value::parse(text.as_bytes()).unwrap());
    }
    for text in [nested_arrays(33), nested_objects(33), nested_arrays(100)] {
        assert!(serde_json::from_str::<Value>(&text).is_err());
    }
}

/// Errors through `serde` name the member too.
#[test]
fn errors_name_the_member() {
    let record = signed(&identity("ana"), &key(1), b"content").record;
    let text = with_member(&record.to_json(), "verzija", json!("2"));
    let error = serde_json::from_str::<SignatureRecord>(&text).unwrap_err();
    assert!(error.to_string().contains("verzija: has none of the known values"), "{error}");
}
