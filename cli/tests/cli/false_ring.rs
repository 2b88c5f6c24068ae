//! Checkpoints over the operator's own chain that state another ring than it has: whoever has a key of the log, or that
//! of anybody in its ring, signs one.

use crate::audit::mark;
use crate::evidence::covered;
use crate::run::Place;
use crate::thief;
use dualseal::PublicRing;
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

/// What a stranger is given, who has the chain and no ring key: the honest checkpoint with `new.json`, `older.json`
/// with the ring from before two changes (`old.json`), and `made-up.json` with one that never was (`edited-ring.json`).
fn given(name: &str) -> Place {
    let place = Place::with_records(name);
    for name in ["bo", "ivo"] {
        place.good(&["key", "new", name]);
    }
    let covered = || place.good(&["checkpoint", "sign", "--as=bo", "-o", "checkpoint.json", "--force"]);
    covered();
    place.good(&["key", "export", "--ring", "-o", "old.json"]);
    let before = serde_json::from_str::<Json>(&place.read("checkpoint.json")).unwrap()["ring"].clone();
    place.good(&["key", "state", "ana", "revoked"]);
    place.good(&["key", "state", "ivo", "suspended"]);
    covered();
    fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
    place.good(&["key", "export", "--ring", "-o", "new.json"]);
    place.good(&["key", "export", "bo", "-o", "log.pem"]);
    let older = thief::signed(&place, "checkpoint.json", "bo", &[("ring", before)]);
    place.write("older.json", older.to_json());
    // A ring that never was: the root of one in which the key is as it was.
    let mut edited: Json = serde_json::from_str(&place.read("new.json")).unwrap();
    let revoked = edited["keys"].as_array_mut().unwrap().iter_mut().find(|key| key["bela_stanje"] == "laz").unwrap();
    revoked["bela_stanje"] = json!("istina");
    revoked["opozvan_od"] = json!(null);
    revoked["povijest"].as_array_mut().unwrap().pop();
    let edited = PublicRing::from_json(edited.to_string().as_bytes()).unwrap();
    place.write("edited-ring.json", edited.to_json());
    let mut stated = serde_json::from_str::<Json>(&place.read("checkpoint.json")).unwrap()["ring"].clone();
    stated["root"] = json!(edited.root().to_hex());
    let made_up = thief::signed(&place, "checkpoint.json", "bo", &[("ring", stated)]);
    place.write("made-up.json", made_up.to_json());
    place
}

/// The changes that an older ring keeps quiet, and those that the last one does.
fn unverified() -> [Json; 2] {
    let change = |seq: u64| json!({"reason": "unverified", "seq": seq});
    [json!([change(5), change(6)]), json!([])].map(|entries| json!({"entries": entries, "more": 0}))
}

/// Wherever a chain is read under a checkpoint.
#[test]
fn a_stranger_is_told_of_a_false_ring() {
    let place = given("false-ring-stranger");
    let ana = place.json(&["key", "show", "ana"])["info"]["identity_id"].as_str().unwrap().to_owned();

    let verify = |ring: &str, checkpoint: &str| {
        let (ring, checkpoint) = (format!("--ring={ring}"), format!("--checkpoint={checkpoint}"));
        let asked = ["--home=none", "verify", "contract.pdf.sig.json", "--identity", &ana, "--chain=chain.jsonl"];
        place.json(&[&asked[..], &["--log-key=log.pem", &ring, &checkpoint]].concat())
    };
    let check = |checkpoint: &str| {
        let checkpoint = format!("--checkpoint={checkpoint}");
        place.json(&["--home=none", "chain", "check", "chain.jsonl", "--log-key=log.pem", &checkpoint])
    };
    let covers = |checkpoint: &str| {
        let of = ["checkpoint", "check", checkpoint, "--chain=chain.jsonl", "--log-key=log.pem"];
        place.json(&[&["--home=none"], &of[..]].concat())
    };
    let [quiet, none] = unverified();
    let honest = verify("new.json", "checkpoint.json");
    assert_eq!((&honest["status"], &honest["ring_unverified"]), (&json!(2), &none), "{honest}");
    assert!(!honest["notes"].to_string().contains("unverified changes"), "{honest}");
    assert_eq!(check("checkpoint.json")["ring_unverified"], none);
    assert_eq!(covers("checkpoint.json")["ring_unverified"], none);

    // The changes that an older ring keeps quiet are listed.
    for answer in [verify("old.json", "older.json"), check("older.json"), covers("older.json")] {
        assert_eq!((&answer["status"], &answer["ring_unverified"]), (&json!(0), &quiet), "{answer}");
        let told = "unverified changes after the ring that the checkpoint states: entry 5 and 1 more";
        assert!(answer["notes"].to_string().contains(told), "{answer}");
    }
    // Of a ring that never was no entry speaks.
    for answer in [verify("edited-ring.json", "made-up.json"), check("made-up.json"), covers("made-up.json")] {
        assert_eq!(answer["code"], 209, "{answer}");
        assert!(answer["error"].to_string().contains("FALSE RING"), "{answer}");
    }
}

/// The ring does not count either.
#[test]
fn an_audit_tells_a_stranger_of_a_false_ring() {
    let place = given("false-ring-stranger-audit");
    let [quiet, none] = unverified();
    for (checkpoint, ring, word, status, marks) in [
        ("checkpoint.json", "new.json", "attested", 2, ["valid", "valid", "revoked"]),
        ("older.json", "old.json", "attested", 0, ["valid", "valid", "valid"]),
        ("made-up.json", "edited-ring.json", "refused", 1, ["invalid", "invalid", "invalid"]),
        ("made-up.json", "new.json", "unattested", 1, ["invalid", "invalid", "unchecked"]),
    ] {
        let folder = format!("in-{ring}-{checkpoint}");
        fs::create_dir(place.path(&folder)).unwrap();
        for file in ["chain.jsonl", "contract.pdf", "contract.pdf.sig.json"] {
            fs::copy(place.path(file), place.path(&folder).join(file)).unwrap();
        }
        fs::copy(place.path(checkpoint), place.path(&folder).join("c.checkpoint.json")).unwrap();
        let ring = format!("--ring={ring}");
        let answer = place.json(&["--home=none", "audit", &folder, "--log-key=log.pem", &ring]);
        let found = ["c.checkpoint.json", "chain.jsonl", "contract.pdf.sig.json"].map(|path| mark(&answer, path));
        assert_eq!((found, &answer["status"]), (marks.map(str::to_owned), &json!(status)), "{ring}: {answer}");
        assert_eq!(answer["rings"][0]["ring"], word, "{answer}");
        let (unverified, told) = (&answer["rings"][0]["unverified"], answer["files"].to_string());
        match checkpoint {
            "older.json" => assert!(*unverified == quiet && told.contains("entry 5 and 1 more"), "{answer}"),
            "checkpoint.json" => assert!(*unverified == none && !told.contains("unverified"), "{answer}"),
            _ => assert!(told.contains("FALSE RING"), "{answer}"),
        }
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
