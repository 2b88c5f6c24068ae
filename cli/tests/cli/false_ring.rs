//! Checkpoints over the operator's own chain that state another ring than it has: whoever has a key of the log, or that
//! of anybody in its ring, signs one.

use crate::audit::mark;
use crate::evidence::covered;
use crate::run::Place;
use crate::thief;
use serde_json::{Value as Json, json};
use std::fs;

/// What is signed beside the operator's `checkpoint.json` of one size and head: a ring that never was, the one before a
/// revocation, and none, by the log's key and by that of somebody in its ring.
const LIES: [&str; 5] = ["edited", "older", "none", "edited-by-ivo", "older-by-ivo"];

fn lied(name: &str) -> Place {
    let place = Place::with_records(name);
    for name in ["bo", "ivo"] {
        place.good(&["key", "new", name]);
    }
    covered(&place);
    let ring = |place: &Place| serde_json::from_str::<Json>(&place.read("checkpoint.json")).unwrap()["ring"].clone();
    fs::copy(place.path("checkpoint.json"), place.path("first.json")).unwrap();
    let before = ring(&place);
    place.good(&["key", "state", "bo", "revoked"]);
    place.good(&["chain", "append", "filler", "--as=ana"]);
    covered(&place);
    fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
    let mut edited = ring(&place);
    edited["root"] = json!("7".repeat(64));
    for name in LIES {
        let stated = match name.split('-').next() {
            Some("edited") => edited.clone(),
            Some("older") => before.clone(),
            _ => Json::Null,
        };
        let signer = if name.ends_with("ivo") { "ivo" } else { "ana" };
        let lie = thief::signed(&place, "checkpoint.json", signer, &[("ring", stated)]);
        place.write(format!("{name}.json"), lie.to_json());
    }
    place
}

/// Wherever the operator is given one.
#[test]
fn the_operator_compares_the_ring() {
    let place = lied("false-ring");
    place.good(&["checkpoint", "check", "checkpoint.json"]);
    let verified = ["verify", "contract.pdf.sig.json", "--identity=ana", "--chain=chain.jsonl"];
    place.good(&[&verified[..], &["--checkpoint=checkpoint.json"]].concat());
    for name in LIES {
        let lie = format!("{name}.json");
        let ran = place.refused(&["checkpoint", "check", &lie], 1, "FALSE RING");
        assert!(ran.err.contains("key state"), "{ran:?}");
        place.refused(&["checkpoint", "check", &lie, "--chain=chain.jsonl"], 1, "FALSE RING");
        place.refused(&["chain", "check", "--checkpoint", &lie], 1, "FALSE RING");
        place.refused(&[&verified[..], &["--checkpoint", &lie]].concat(), 1, "FALSE RING");
    }
}

/// It says nothing against the log beside which it lies.
#[test]
fn a_false_ring_convicts_no_log() {
    let place = lied("false-ring-audit");
    for name in LIES {
        let folder = format!("in-{name}");
        fs::create_dir(place.path(&folder)).unwrap();
        for file in ["checkpoint.json", "chain.jsonl", "contract.pdf", "contract.pdf.sig.json"] {
            fs::copy(place.path(file), place.path(&folder).join(file)).unwrap();
        }
        assert_eq!(place.json(&["audit", &folder])["status"], 0);
        fs::copy(place.path(format!("{name}.json")), place.path(&folder).join("lie.checkpoint.json")).unwrap();
        let answer = place.json(&["audit", &folder]);
        let of = |path: &str| {
            let line = answer["files"].as_array().unwrap().iter().find(|line| line["path"] == path).unwrap();
            (line["mark"].as_str().unwrap(), line["text"].as_str().unwrap().to_owned())
        };
        let (lie, text) = of("lie.checkpoint.json");
        assert!(lie == "invalid" && text.contains("FALSE RING"), "{name}: {answer}");
        for file in ["checkpoint.json", "chain.jsonl", "contract.pdf.sig.json"] {
            assert_eq!(of(file).0, "valid", "{name}: {answer}");
        }
        assert_eq!(answer["status"], 1, "{answer}");
        let answer = place.json(&["audit", &folder, "--since=first.json"]);
        let marks = ["lie.checkpoint.json", "checkpoint.json"].map(|path| mark(&answer, path));
        assert_eq!(
            (marks, &answer["status"]),
            (["invalid", "valid"].map(str::to_owned), &json!(1)),
            "{name}: {answer}"
        );
    }
}

/// A file of evidence shows that the ring which it states once stood in the log: the operator asks whether it did last.
#[test]
fn evidence_of_a_ring_that_was_changed_since_convicts_no_log() {
    let place = Place::with_records("false-ring-evidence");
    place.good(&["key", "new", "bo"]);
    fs::create_dir(place.path("in")).unwrap();
    let evidence = |name: &str| {
        covered(&place);
        fs::copy(place.path("contract.pdf"), place.path("in").join(name)).unwrap();
        let path = format!("in/{name}.evidence.json");
        place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", &path]);
        serde_json::from_str::<Json>(&place.read(&path)).unwrap()
    };
    let before = evidence("before");
    place.good(&["key", "state", "bo", "revoked"]);
    let mut lie = evidence("after");
    let stated = &before["checkpoint"]["ring"];
    let checkpoint = thief::signed(&place, "checkpoint.json", "ana", &[("ring", stated.clone())]);
    let entry = before["ring"]["entry"].clone();
    let seq = entry["seq"].as_u64().unwrap().to_string();
    place.good(&["chain", "prove", &seq, "--place", "-o", "place.json"]);
    let proven: Json = serde_json::from_str(&place.read("place.json")).unwrap();
    lie["checkpoint"] = serde_json::from_str(&checkpoint.to_json()).unwrap();
    lie["ring"] = json!({"entry": entry, "path": proven["path"]});
    lie["note"] = Json::Null;
    lie["key"] = before["key"].clone();
    place.write("in/lie.evidence.json", lie.to_string());
    fs::copy(place.path("contract.pdf"), place.path("in/lie")).unwrap();
    let answer = place.json(&["audit", "in"]);
    let of = |name: &str| {
        let path = format!("{name}.evidence.json");
        answer["files"].as_array().unwrap().iter().find(|line| line["path"] == *path).unwrap()["mark"].clone()
    };
    assert_eq!((of("before"), of("after"), of("lie")), ("valid".into(), "valid".into(), "invalid".into()), "{answer}");
    assert!(answer.to_string().contains("FALSE RING: it is over the home folder's own chain"), "{answer}");
    assert_eq!(answer["status"], 1, "{answer}");
}
