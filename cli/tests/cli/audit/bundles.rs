//! Files of evidence in a folder, beside their documents.

use super::mark;
use crate::evidence::{FILE, NOTES, signed, witness};
use crate::run::Place;
use serde_json::{Value as Json, json};
use std::fs;

/// A folder `in` with a contract, and evidence of ana's signature and seal; the fingerprint of the log.
fn handed(name: &str) -> (Place, String) {
    let (place, log) = signed(name);
    fs::create_dir(place.path("in")).unwrap();
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
        place.good(&["evidence", "make", record]);
    }
    for file in [FILE, "contract.pdf.seal.evidence.json"] {
        fs::copy(place.path(file), place.path("in").join(file)).unwrap();
    }
    (place, log)
}

fn audit(place: &Place, more: &[&str]) -> Json {
    place.json(&[&["audit", "in"], more].concat())
}

fn text(answer: &Json) -> String {
    answer["files"].as_array().unwrap().iter().find(|file| file["path"] == FILE).unwrap()["text"].to_string()
}

#[test]
fn evidence_counts_under_a_fingerprint() {
    let (place, log) = handed("audit-evidence");
    place.good(&["key", "export", "bo", "-o", "bo.pem"]);
    let answer = audit(&place, &["--home=none", "--log", &log]);
    assert_eq!((&answer["status"], mark(&answer, FILE).as_str()), (&json!(3), "unchecked"), "{answer}");
    assert_ne!(mark(&answer, "contract.pdf"), "vouched");
    assert!(text(&answer).contains("nobody was expected"), "{answer}");
    let answer = audit(&place, &["--home=none", "--key=ana.pem", "--log", &log]);
    assert_eq!((&answer["status"], text(&answer).contains("as of 4 entries")), (&json!(0), true), "{answer}");
    // The home folder here knows the key, and is not asked about evidence.
    let asked = audit(&place, &["--key=ana.pem", "--log", &log]);
    assert_eq!((&asked["status"], &asked["signers"][0]["state_asked"]), (&json!(0), &json!(false)), "{asked}");
    assert_eq!((&answer["summary"]["valid"], mark(&answer, "contract.pdf").as_str()), (&json!(2), "vouched"));
    // The operator's own log needs no word.
    assert_eq!(audit(&place, &[])["status"], 0);
    // What cannot be checked is no forgery: no log, another log, another signer's key.
    for (more, word) in [
        (&["--home=none", "--key=ana.pem"][..], "--log"),
        (&["--home=none", "--key=ana.pem", "--log", &"7".repeat(64)], "of another log"),
        (&["--home=none", "--key=bo.pem", "--log", &log], "whose key is not known"),
    ] {
        let answer = audit(&place, more);
        assert_eq!((&answer["status"], mark(&answer, FILE).as_str()), (&json!(3), "unchecked"), "{answer}");
        assert!(text(&answer).contains(word), "{answer}");
    }
    let other = ["--home=none", "--key=ana.pem", "--log", &"7".repeat(64), "--log", &log];
    assert_eq!(audit(&place, &other)["status"], 0);
    let newer = audit(&place, &["--home=none", "--log", &log, "--least-size=5"]);
    assert_eq!((&newer["status"], mark(&newer, FILE).as_str()), (&json!(1), "invalid"), "{newer}");
}

#[test]
fn what_was_changed_is_told() {
    let (place, log) = handed("audit-evidence-lies");
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log];
    let good = place.read(FILE);
    let cut = |pointer: &str, value: Json| {
        let mut file: Json = serde_json::from_str(&good).unwrap();
        *file.pointer_mut(pointer).unwrap() = value;
        file.to_string()
    };
    for (content, expected, status) in [
        (cut("/path", json!([])), "invalid", 1),
        (cut("/key/leaf/opozvan_od", json!(0)), "malformed", 66),
        (cut("/key/size", json!(3)), "invalid", 1),
        (good[..9000].to_owned(), "malformed", 66),
        ("nothing".to_owned(), "malformed", 66),
        (place.read("contract.pdf.sig.json"), "malformed", 66),
    ] {
        place.write(format!("in/{FILE}"), content);
        let answer = audit(&place, &stranger);
        assert_eq!((mark(&answer, FILE).as_str(), &answer["status"]), (expected, &json!(status)), "{answer}");
    }
    // One that is well formed, and larger than any that is made.
    let padded = good.replacen('{', &format!("{{{}", " ".repeat(17 << 20)), 1);
    place.write(format!("in/{FILE}"), padded);
    let answer = audit(&place, &stranger);
    assert_eq!((mark(&answer, FILE).as_str(), &answer["status"]), ("unchecked", &json!(3)), "{answer}");
    place.write(format!("in/{FILE}"), &good);
    place.write("in/contract.pdf", "another contract");
    let answer = audit(&place, &stranger);
    assert_eq!((&answer["status"], mark(&answer, FILE).as_str()), (&json!(1), "invalid"), "{answer}");
    fs::remove_file(place.path("in/contract.pdf")).unwrap();
    let answer = audit(&place, &stranger);
    assert_eq!((&answer["status"], mark(&answer, FILE).as_str()), (&json!(3), "unchecked"), "{answer}");
}

/// What a bare result does not show, it does not show in a file of evidence either.
#[test]
fn a_quorums_result_and_dates_are_told_as_they_are() {
    let place = Place::with_ana("audit-evidence-quorum");
    place.good(&["key", "new", "bo"]);
    for name in ["ivo", "eva"] {
        place.good(&["id", "--creator", name, "--draw", "--save", name]);
    }
    for line in [
        "session found --threshold 2 --owner ana --owner ivo --owner eva --kind ml-dsa-65 --as ana --identity board \
         -o board",
        "session sign contract.pdf board/share-1.json board/share-3.json --as=ana",
    ] {
        place.good(&line.split_whitespace().collect::<Vec<_>>());
        crate::evidence::covered(&place);
    }
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/bo.pdf", "by bo");
    for line in ["key state bo revoked", "key state bo valid", "sign in/bo.pdf --as=bo -o bo.sig.json"] {
        place.good(&line.split(' ').collect::<Vec<_>>());
    }
    let log = crate::evidence::covered(&place);
    place.good(&["evidence", "make", "bo.sig.json", "in/bo.pdf", "-o", "in/bo.pdf.evidence.json"]);
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    let out = "in/contract.pdf.quorum.evidence.json";
    place.good(&["evidence", "make", "contract.pdf.quorum.json", "--session=board/session.json", "-o", out]);
    for (more, of_bo) in [(&[][..], "valid"), (&["--home=none", "--log", &log], "unchecked")] {
        let answer = audit(&place, more);
        let file = "contract.pdf.quorum.evidence.json";
        assert_eq!((&answer["status"], mark(&answer, file).as_str()), (&json!(3), "unchecked"), "{answer}");
        let text = answer["files"].to_string();
        assert!(text.contains("dualseal session verify") && text.contains("session in force not shown"), "{answer}");
        assert_eq!(mark(&answer, "bo.pdf.evidence.json"), of_bo, "{answer}");
        assert!(text.contains("counts as compromised"), "{answer}");
    }
}

/// Whoever audits may have heard of more than the file.
#[test]
fn what_the_auditor_knows_of_the_key_counts() {
    let (place, log) = signed("audit-evidence-since");
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/bo.pdf", "by bo");
    place.good(&["sign", "in/bo.pdf", "--as=bo", "-o", "bo.sig.json"]);
    place.good(&["vault", "init", "--as=ana"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["vault", "redact", "0", "-o", "v.vault.json", "--stored", "in/v.stored"]);
    assert_eq!(crate::evidence::covered(&place), log);
    place.good(&["evidence", "make", "bo.sig.json", "in/bo.pdf", "-o", "in/bo.pdf.evidence.json"]);
    place.good(&["evidence", "make", "v.vault.json", "in/v.stored", "-o", "in/v.vault.evidence.json"]);
    assert_eq!(audit(&place, &[])["summary"]["valid"], 2);
    place.good(&["key", "state", "bo", "revoked"]);
    let answer = audit(&place, &[]);
    assert_eq!((&answer["status"], mark(&answer, "bo.pdf.evidence.json").as_str()), (&json!(2), "revoked"), "{answer}");
    assert_eq!(mark(&answer, "v.vault.evidence.json"), "valid");
    // Outsiders are told of no state.
    let answer = audit(&place, &["--public"]);
    assert_eq!((&answer["status"], mark(&answer, "bo.pdf.evidence.json").as_str()), (&json!(1), "invalid"), "{answer}");
    assert!(!answer.to_string().contains("called back"), "{answer}");
    place.good(&["key", "state", "bo", "suspended"]);
    for (more, is_dated) in [(&[][..], true), (&["--public"], false)] {
        let answer = audit(&place, more);
        let told = (&answer["status"], mark(&answer, "bo.pdf.evidence.json"));
        assert_eq!(told, (&json!(3), "suspended".to_owned()), "{answer}");
        assert_eq!(answer.to_string().contains("its key is suspended since"), is_dated, "{answer}");
    }
    place.good(&["key", "state", "bo", "decoy"]);
    assert_eq!(audit(&place, &[])["status"], 4);
    assert_eq!(audit(&place, &["--public"])["status"], 0);
    assert_eq!(audit(&place, &["--home=none", "--log", &log])["status"], 3);
}

/// What one of the witnesses saw is not what both saw, and what nobody saw is told as such.
#[test]
fn too_few_witnesses_are_a_finding() {
    let (place, log) = handed("audit-evidence-witnesses");
    let (one, two) = (witness(&place, "one"), witness(&place, "two"));
    let file = format!("in/{FILE}");
    place.good(&["evidence", "make", "contract.pdf.sig.json", NOTES[0], "--force", "-o", &file]);
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log];
    let seal = "contract.pdf.seal.evidence.json";
    for who in [&stranger[..], &[]] {
        let asked = |more: &[&str]| audit(&place, &[who, more].concat());
        assert_eq!(asked(&[])["status"], 0);
        let answer = asked(&["--witness", &one]);
        assert_eq!((mark(&answer, FILE).as_str(), mark(&answer, seal).as_str()), ("valid", "invalid"), "{answer}");
        // As `verify` says it.
        assert_eq!((&answer["status"], &answer["worst"]), (&json!(1), &json!("invalid")), "{answer}");
        assert!(answer["files"].to_string().contains("not witnessed: 0 witnesses saw the note, 1 must"), "{answer}");
        let answer = asked(&["--witness", &one, "--witness", &two]);
        assert_eq!((mark(&answer, FILE).as_str(), mark(&answer, seal).as_str()), ("invalid", "invalid"), "{answer}");
        assert!(text(&answer).contains("not witnessed: 1 witnesses saw the note, 2 must"), "{answer}");
        let answer = asked(&["--witness", &one, "--witness", &two, "--witnesses=1"]);
        assert_eq!((mark(&answer, FILE).as_str(), mark(&answer, seal).as_str()), ("valid", "invalid"), "{answer}");
        assert_eq!(asked(&["--witness", &one, "--witnesses=0"])["code"], 106);
    }
    place.refused(&["audit", "in", "--witness", &one, "--witnesses=2"], 66, "witnesses: is out of range");
    assert_eq!(place.run(&["audit", "in", "--witnesses=1"]).status, 64);
}
