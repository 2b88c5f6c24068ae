//! Public rings that strangers are given: unattested alone, and under a checkpoint the log's own, or refused by name.

use crate::run::Place;
use serde_json::{Value as Json, json};
use std::fs;

const LOG: [&str; 2] = ["--checkpoint=checkpoint.json", "--log-key=log.pem"];

/// A log that bo signs, with records of ana's, whose key is called back: the rings and checkpoints before and after.
fn called_back(name: &str) -> Place {
    let place = Place::with_records(name);
    for line in [
        "dualseal key new bo",
        "dualseal vault init --as ana",
        "dualseal vault seal contract.pdf",
        "dualseal vault redact 0 -o v.vault.json --stored v.stored",
        "dualseal key export bo -o log.pem",
        "dualseal key export --ring -o old.json",
        "dualseal checkpoint sign --as bo -o before.json",
        "dualseal key state ana revoked",
        "dualseal checkpoint sign --as bo -o checkpoint.json --force",
        "dualseal key export --ring -o new.json",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let mut ring: Json = serde_json::from_str(&place.read("new.json")).unwrap();
    let revoked = ring["keys"].as_array_mut().unwrap().iter_mut().find(|key| key["bela_stanje"] == "laz").unwrap();
    revoked["bela_stanje"] = json!("istina");
    revoked["opozvan_od"] = json!(null);
    revoked["povijest"].as_array_mut().unwrap().pop();
    place.write("edited.json", ring.to_string());
    ring["revision"] = json!(ring["revision"].as_u64().unwrap() + 1);
    place.write("bumped.json", ring.to_string());
    ring["origin"] = json!("other.example/log");
    place.write("moved.json", ring.to_string());
    for line in ["key new eve --origin other.example/log", "key export --ring -o foreign.json"] {
        place.good(&["--home=other"].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
    }
    place
}

/// How a stranger asks by a ring.
fn questions(place: &Place) -> [Vec<String>; 3] {
    let ana = place.read("ana.pem").lines().next().unwrap().strip_prefix("dualseal-identity: ").unwrap().to_owned();
    [
        format!("verify contract.pdf.sig.json --home=none --identity {ana}"),
        format!("verify contract.pdf.seal --home=none --identity {ana}"),
        format!("vault verify --file v.vault.json --stored v.stored --home=none --identity {ana}"),
    ]
    .map(|line| line.split(' ').map(str::to_owned).collect())
}

fn ask(question: &[String], ring: &str, more: &[&str]) -> Vec<String> {
    let more = more.iter().map(|word| (*word).to_owned());
    question.iter().cloned().chain([format!("--ring={ring}")]).chain(more).collect()
}

fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

#[test]
fn a_ring_alone_is_unattested_and_under_a_checkpoint_it_is_the_logs() {
    let place = called_back("attested");
    for question in questions(&place) {
        let answer = place.json(&words(&ask(&question, "new.json", &[])));
        assert_eq!((&answer["status"], &answer["ring"]), (&json!(2), &json!("unattested")), "{answer}");
        assert!(answer["notes"].to_string().contains("UNATTESTED"), "{answer}");
        let answer = place.json(&words(&ask(&question, "new.json", &LOG)));
        assert_eq!((&answer["status"], &answer["ring"]), (&json!(2), &json!("attested")), "{answer}");
        assert!(!answer["notes"].to_string().contains("UNATTESTED"), "{answer}");
        // A key is not a ring.
        let mut pinned = question.clone();
        pinned.push("--key=ana.pem".to_owned());
        assert_eq!(place.json(&words(&pinned))["ring"], json!(null));
    }
}

#[test]
fn an_edited_older_newer_or_foreign_ring_is_refused_by_name() {
    let place = called_back("attested-lies");
    let before = ["--checkpoint=before.json", "--log-key=log.pem"];
    for question in questions(&place) {
        // Alone it passes, and that it is nobody's word is told.
        let answer = place.json(&words(&ask(&question, "edited.json", &[])));
        assert_eq!((&answer["status"], &answer["ring"]), (&json!(0), &json!("unattested")), "{answer}");
        for (ring, more, status, told) in [
            ("edited.json", LOG, 1, "it was edited"),
            ("old.json", LOG, 1, "the ring is an old one"),
            ("new.json", before, 1, "newer than"),
            ("foreign.json", LOG, 1, "the ring is another log's"),
        ] {
            place.refused(&words(&ask(&question, ring, &more)), status, told);
        }
    }
}

/// The checkpoints that lie in the folder attest the rings that were named.
#[test]
fn an_audit_holds_rings_against_the_checkpoints() {
    let place = called_back("attested-audit");
    fs::create_dir(place.path("in")).unwrap();
    for name in ["contract.pdf", "contract.pdf.sig.json", "checkpoint.json"] {
        fs::copy(place.path(name), place.path("in").join(name)).unwrap();
    }
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    let audit = |ring: &str, log: &[&str]| {
        let ring = format!("--ring={ring}");
        let answer = place.json(&[&["audit", "in", "--home=none", &ring], log].concat());
        let word = answer["rings"][0]["ring"].as_str().unwrap().to_owned();
        let files = answer["files"].as_array().unwrap();
        let record = files.iter().find(|file| file["path"] == "contract.pdf.sig.json").unwrap();
        (answer["status"].as_i64().unwrap(), word, record["mark"].as_str().unwrap().to_owned())
    };
    let log = ["--log-key=log.pem"];
    let told = |status, word: &str, mark: &str| (status, word.to_owned(), mark.to_owned());
    assert_eq!(audit("new.json", &log), told(2, "attested", "revoked"));
    assert_eq!(audit("edited.json", &[]), told(3, "unattested", "valid"));
    assert_eq!(audit("edited.json", &log), told(1, "refused", "invalid"));
    assert_eq!(audit("old.json", &log), told(1, "refused", "invalid"));
    // Whoever edits a ring gives it a higher number, or another log's name: what no checkpoint states does not count.
    for ring in ["bumped.json", "moved.json"] {
        assert_eq!(audit(ring, &log), told(3, "unattested", "unchecked"), "{ring}");
    }
    assert_eq!(audit("foreign.json", &log), told(3, "unattested", "unchecked"));
    // A ring may have heard of more than the folder.
    fs::copy(place.path("before.json"), place.path("in/checkpoint.json")).unwrap();
    assert_eq!(audit("new.json", &log), told(3, "unattested", "unchecked"));
}

/// Whoever writes to a file while it is used does not show two: what is named once is read once.
#[test]
fn a_checkpoint_and_its_key_are_read_once() {
    let place = called_back("attested-once");
    let streams = [("--checkpoint=-", "checkpoint.json"), ("--log-key=-", "log.pem")];
    for question in questions(&place) {
        for chain in [&[][..], &["--chain=home/chain.jsonl"]] {
            let named = [&LOG[..], chain].concat();
            let expected = place.run(&words(&ask(&question, "new.json", &named)));
            assert_eq!(expected.status, 2, "{expected:?}");
            for (at, (stream, file)) in streams.into_iter().enumerate() {
                let mut named = named.clone();
                named[at] = stream;
                let ran = place.fed(&words(&ask(&question, "new.json", &named)), place.read(file).as_bytes());
                assert_eq!((ran.status, &ran.out), (2, &expected.out), "{question:?} {stream}: {ran:?}");
            }
        }
    }
}
