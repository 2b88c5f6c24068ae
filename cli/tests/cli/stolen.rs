//! A thief with a copy of the home folder, and so with its keys: what he makes after they were replaced or called back
//! does not vouch for itself.

use crate::run::Place;
use std::fs;

const EVIDENCE: [&str; 2] = ["--chain=in/chain.jsonl", "--checkpoint=in/checkpoint.json"];

/// The owner goes on, and the thief signs in his copy what the owner never saw.
fn stolen(place: &Place, log: &str) {
    place.good(&["key", "export", log, "-o", "log.pem"]);
    place.copy_home("home", "thief");
    fs::create_dir(place.path("in")).unwrap();
    for message in ["one", "two", "three", "four"] {
        place.good(&["chain", "append", message, "--as=ana"]);
    }
    place.good(&["checkpoint", "sign", "--as", log, "-o", "cp.json"]);
    place.write("in/evil.txt", "ana owes a million");
}

fn forge(place: &Place, log: &str) {
    place.good(&["--home=thief", "sign", "in/evil.txt", "--as=ana"]);
    place.good(&["--home=thief", "checkpoint", "sign", "--as", log, "-o", "in/checkpoint.json"]);
    fs::copy(place.path("thief/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
}

fn verify<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["verify", "in/evil.txt.sig.json", "in/evil.txt", "--any-signer"], more].concat()
}

fn marks(place: &Place) -> Vec<(String, String)> {
    let answer = place.json(&["audit", "in"]);
    assert_eq!(answer["status"], 1, "{answer}");
    let of = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap().to_owned();
    answer["files"].as_array().unwrap().iter().map(|line| (of(line, "path"), of(line, "mark"))).collect()
}

/// The owner has another key since.
#[test]
fn a_retired_key_does_not_vouch_for_its_past() {
    let place = Place::with_ana("stolen-retired");
    stolen(&place, "ana");
    place.good(&["key", "rotate", "ana"]);
    place.good(&["checkpoint", "sign", "-o", "cp2.json"]);
    forge(&place, "ana");
    place.refused(&verify(&[]), 1, "its key is retired");
    place.refused(&verify(&EVIDENCE), 1, "invalid: retired");
    place.refused(&verify(&[&EVIDENCE[..], &["--log-key=log.pem"]].concat()), 1, "invalid: retired");
    place.refused(&["checkpoint", "check", "in/checkpoint.json", "--chain=in/chain.jsonl"], 1, "its key is retired");
    let marks = marks(&place);
    let good = |(path, mark): &&(String, String)| mark == "valid" && !path.ends_with("chain.jsonl");
    assert_eq!(marks.iter().find(good), None, "{marks:?}");
    // What ana signed under her old key before holds as it did.
    place.good(&["chain", "check"]);
}

/// The log has a signer of its own, whose key was called back and replaced.
#[test]
fn a_revoked_log_key_vouches_for_nothing() {
    let place = Place::with_ana("stolen-log");
    place.good(&["key", "new", "log"]);
    stolen(&place, "log");
    place.good(&["key", "rotate", "ana"]);
    place.good(&["key", "state", "log", "revoked"]);
    place.good(&["key", "rotate", "log"]);
    place.good(&["checkpoint", "sign", "--as=log", "-o", "cp2.json"]);
    place.good(&["key", "export", "--ring", "-o", "ring.json"]);
    forge(&place, "log");
    place.refused(&verify(&EVIDENCE), 2, "revoked");
    place.refused(&["checkpoint", "check", "in/checkpoint.json"], 2, "REVOKED");
    let audited = place.json(&["audit", "in"]);
    assert_eq!(audited["summary"]["valid"], 0, "{audited}");
    // A stranger who has the ring is told as well, whatever key file of the log he has.
    let named = ["--ring=ring.json", "--log-key=log.pem", "--home=none"];
    place.refused(&verify(&[&EVIDENCE[..], &named].concat()), 2, "revoked");
}

/// Nobody knows yet that the key was stolen: the owner's own chain shows it.
#[test]
fn two_chains_under_one_valid_key_are_a_fork() {
    let place = Place::with_ana("stolen-valid");
    place.write("deed.pdf", "deed 17");
    stolen(&place, "ana");
    forge(&place, "ana");
    place.refused(&["checkpoint", "check", "in/checkpoint.json"], 1, "FORK");
    place.refused(&verify(&EVIDENCE), 1, "FORK");
    assert!(marks(&place).contains(&("checkpoint.json".to_owned(), "invalid".to_owned())));
    // A chain that is longer than the owner's is no better, nor one that the owner's does not reach yet.
    for message in ["5", "6", "7", "8", "9"] {
        place.good(&["--home=thief", "chain", "append", message]);
    }
    place.good(&["--home=thief", "checkpoint", "sign", "-o", "longer.json"]);
    place.refused(&["checkpoint", "check", "longer.json"], 1, "FORK");
    // The owner's own are checked against the whole of it.
    place.good(&["checkpoint", "check", "cp.json"]);
    let answer = place.json(&["checkpoint", "compare", "cp.json", "in/checkpoint.json"]);
    assert_eq!(answer["comparison"], "unknown", "{answer}");
    let answer = place.json(&["checkpoint", "compare", "cp.json", "in/checkpoint.json", "--chain=home/chain.jsonl"]);
    assert_eq!((&answer["comparison"], &answer["status"]), (&"fork".into(), &1.into()), "{answer}");
}
