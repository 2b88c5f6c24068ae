//! The dates of a key whose state has nothing more to tell: called back, and made valid again.

use crate::audit::mark;
use crate::run::Place;
use serde_json::{Value as Json, json};
use std::fs;

const DATE: &str = "From entry 3 on the key counts as compromised";
const LOG: [&str; 4] = ["--ring=ring.json", "--chain=chain.jsonl", "--checkpoint=checkpoint.json", "--log-key=log.pem"];

/// Bo's log with records of ana's: one from before her key counts as compromised, and others from after that, with a
/// ledger. The key is valid again.
fn returned(name: &str) -> Place {
    let place = Place::new(name);
    for name in ["before.pdf", "after.pdf"] {
        place.write(name, name);
    }
    for line in [
        "key new ana --origin acme.example/log",
        "key new bo",
        "sign before.pdf --as=ana",
        "vault init --as=ana",
        "sign after.pdf --as=ana",
        "seal after.pdf --as=ana",
        "vault seal after.pdf",
        "vault redact 0 -o v.vault.json --stored v.stored",
        "key state ana revoked --compromised-from 3",
        "key state ana valid",
        "key export bo -o log.pem",
        "key export ana -o ana.pem",
        "checkpoint sign --as=bo -o checkpoint.json",
        "key export --ring -o ring.json",
    ] {
        place.good(&line.split(' ').collect::<Vec<_>>());
    }
    fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
    place
}

fn asked(place: &Place, line: &str, more: &[&str]) -> Json {
    place.json(&line.split(' ').chain(more.iter().copied()).collect::<Vec<_>>())
}

fn who(place: &Place) -> String {
    place.json(&["key", "show", "ana"])["info"]["identity_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_claim_is_told_of_a_key_that_is_valid_again() {
    let place = returned("as-of");
    let ana = who(&place);
    for (line, claimed) in [
        ("verify before.pdf.sig.json", false),
        ("verify after.pdf.sig.json", true),
        ("verify after.pdf.seal --policy=b", true),
        ("vault verify --file v.vault.json --stored v.stored", true),
    ] {
        let own = asked(&place, line, &["--identity=ana"]);
        let stranger = asked(&place, line, &[&["--home=none", "--identity", &ana], &LOG[..]].concat());
        for answer in [&own, &stranger] {
            assert_eq!((&answer["status"], &answer["verdict"]), (&json!(0), &json!("valid")), "{line}: {answer}");
            // A record that is given as a file has no place in the home folder's own ledger.
            if answer["seq"].is_null() {
                assert!(line.starts_with("vault") && answer == &own, "{line}: {answer}");
                assert!(answer["notes"].to_string().contains("nothing shows whether the record is older"), "{answer}");
                continue;
            }
            assert_eq!(answer["as_of"]["claimed"], claimed, "{line}: {answer}");
            assert_eq!(answer["as_of"]["opozvan_od"], 3, "{answer}");
            assert_eq!(answer["notes"].to_string().contains(DATE), claimed, "{line}: {answer}");
        }
        // Without a place nothing tells the two apart.
        let alone = asked(&place, line, &["--home=none", "--identity", &ana, "--ring=ring.json"]);
        assert_eq!((&alone["status"], &alone["as_of"]), (&json!(0), &json!(null)), "{line}: {alone}");
        assert!(alone["notes"].to_string().contains("nothing shows whether the record is older"), "{alone}");
        // A pinned key has no history, and outsiders are told of none.
        let pinned = asked(&place, line, &["--home=none", "--key=ana.pem"]);
        let public = asked(&place, line, &[&["--public", "--home=none", "--identity", &ana], &LOG[..]].concat());
        for answer in [pinned, public] {
            assert!(!answer["notes"].to_string().contains("compromised"), "{line}: {answer}");
        }
    }
    // The ledger and one record of it, by the operator.
    for line in ["vault verify", "vault verify 0", "vault verify --policy=public"] {
        let answer = asked(&place, line, &[]);
        assert_eq!((&answer["status"], answer["notes"].to_string().contains(DATE)), (&json!(0), true), "{answer}");
    }
    assert_eq!(asked(&place, "vault verify 0", &[])["as_of"]["claimed"], true);
}

/// A revocation does not hide that the record came before it.
#[test]
fn what_stands_before_a_revocation_is_told() {
    let place = returned("as-of-revoked");
    place.good(&["key", "state", "ana", "revoked"]);
    let answer = asked(&place, "verify before.pdf.sig.json", &["--identity=ana"]);
    let notes = answer["notes"].to_string();
    assert_eq!((&answer["status"], &answer["as_of"]["claimed"]), (&json!(2), &json!(false)), "{answer}");
    assert!(notes.contains("called back by entry 8; the record stands before that entry"), "{answer}");
}

#[test]
fn an_audit_tells_the_dates() {
    let place = returned("as-of-audit");
    fs::create_dir(place.path("in")).unwrap();
    let files = ["before.pdf", "after.pdf", "before.pdf.sig.json", "after.pdf.sig.json", "after.pdf.seal"];
    for file in files.iter().chain(&["v.vault.json", "v.stored", "chain.jsonl", "checkpoint.json"]) {
        fs::copy(place.path(file), place.path("in").join(file)).unwrap();
    }
    place.good(&["vault", "redact", "-o", "in/ledger.jsonl"]);
    let ring = ["--home=none", "--ring=ring.json"];
    let told = |answer: &Json, path: &str| {
        let line = answer["files"].as_array().unwrap().iter().find(|line| line["path"] == path).unwrap();
        (line["mark"].as_str().unwrap().to_owned(), line["text"].as_str().unwrap().to_owned())
    };
    let records = ["after.pdf.sig.json", "after.pdf.seal", "v.vault.json"];
    for more in [&["--policy=b"][..], &[&ring[..], &["--log-key=log.pem"]].concat()] {
        let answer = asked(&place, "audit in", more);
        for record in records {
            let (mark, text) = told(&answer, record);
            assert_eq!((mark.as_str(), text.contains(DATE)), ("valid", true), "{record}: {answer}");
        }
        let before = told(&answer, "before.pdf.sig.json").1;
        assert!(
            before.contains("The record stands before entry 3, from which on") && !before.contains(DATE),
            "{before}"
        );
        let ledger = told(&answer, "ledger.jsonl").1;
        assert!(ledger.contains(&format!("Record 0: {DATE}")), "{answer}");
    }
    // Without a place.
    let answer = asked(&place, "audit in", &ring);
    for record in records.into_iter().chain(["before.pdf.sig.json"]) {
        let (mark, text) = told(&answer, record);
        assert!(mark == "valid" && text.contains("nothing shows whether the record is older"), "{record}: {answer}");
    }
    let public = asked(&place, "audit in", &[&ring[..], &["--log-key=log.pem", "--public"]].concat());
    assert!(!public.to_string().contains("compromised"), "{public}");
}

/// What the ring of whoever audits has heard since: a revocation that was taken back, and a retirement.
#[test]
fn an_auditors_ring_dates_evidence() {
    let place = Place::new("as-of-evidence");
    place.write("by-ana.pdf", "by ana");
    for line in [
        "key new ana --origin acme.example/log",
        "key new bo",
        "chain append filler --as=bo",
        "sign by-ana.pdf --as=ana",
        "key export bo -o log.pem",
    ] {
        place.good(&line.split(' ').collect::<Vec<_>>());
    }
    place.good(&["checkpoint", "sign", "--as=bo", "-o", "checkpoint.json"]);
    let log = place.json(&["checkpoint", "check", "checkpoint.json"])["log"].as_str().unwrap().to_owned();
    fs::create_dir(place.path("in")).unwrap();
    fs::copy(place.path("by-ana.pdf"), place.path("in/by-ana.pdf")).unwrap();
    let file = "by-ana.pdf.sig.evidence.json";
    place.good(&["evidence", "make", "by-ana.pdf.sig.json", "-o", &format!("in/{file}")]);
    let ring = ["--home=none", "--ring=ring.json", "--log", &log];
    let told = |more: &[&str]| {
        let answer = asked(&place, "audit in", more);
        let line = answer["files"].as_array().unwrap().iter().find(|line| line["path"] == file).unwrap();
        (mark(&answer, file), line["text"].as_str().unwrap().to_owned())
    };
    let export = || place.good(&["key", "export", "--ring", "-o", "ring.json", "--force"]);
    export();
    for more in [&[][..], &ring] {
        let (mark, text) = told(more);
        assert!(mark == "valid" && !text.contains("compromised"), "{text}");
    }
    place.good(&["key", "state", "ana", "revoked", "--compromised-from=2"]);
    let (mark, text) = told(&[]);
    assert!(mark == "revoked" && text.contains("called back by entry 4; the record stands before"), "{text}");
    place.good(&["key", "state", "ana", "valid"]);
    export();
    for more in [&[][..], &ring] {
        let (mark, text) = told(more);
        assert!(mark == "valid" && text.contains("From entry 2 on the key counts as compromised"), "{text}");
        let (mark, text) = told(&[more, &["--public"]].concat());
        assert!(mark == "valid" && !text.contains("compromised"), "{text}");
    }
}

/// Whoever hands evidence out knows what others will read in it.
#[test]
fn the_maker_of_evidence_is_told_the_dates() {
    let place = returned("as-of-maker");
    for (document, claimed) in [("before.pdf", false), ("after.pdf", true)] {
        let made = place.json(&["evidence", "make", &format!("{document}.sig.json")]);
        assert_eq!((&made["status"], &made["state"]), (&json!(0), &json!("valid")), "{made}");
        assert_eq!(made["notes"].to_string().contains(DATE), claimed, "{made}");
    }
}

/// A log that tells a stranger otherwise: there the key was retired, and here it is the current one still.
#[test]
fn evidence_after_the_retirement_that_an_auditor_knows_of() {
    let place = Place::with_records("as-of-retired");
    place.write("late.pdf", "late");
    place.good(&["key", "new", "bo"]);
    place.good(&["key", "export", "bo", "-o", "log.pem"]);
    fs::create_dir(place.path("in")).unwrap();
    let evidence = |home: &str, document: &str| {
        let record = format!("{document}.sig.json");
        let signed = place.json(&["--home", home, "checkpoint", "sign", "--as=bo", "--force", "-o", "last.json"]);
        place.good(&["--home", home, "evidence", "make", &record, "-o", &format!("in/{document}.evidence.json")]);
        fs::copy(place.path(document), place.path("in").join(document)).unwrap();
        signed["log"].as_str().unwrap().to_owned()
    };
    place.copy_home("home", "fork");
    let log = evidence("home", "contract.pdf");
    place.good(&["key", "rotate", "ana"]);
    place.good(&["key", "export", "--ring", "-o", "ring.json", "--force"]);
    place.good(&["--home=fork", "sign", "late.pdf", "--as=ana"]);
    assert_eq!(evidence("fork", "late.pdf"), log);
    let asked = |more: &[&str]| {
        place.json(&[&["--home=none", "audit", "in", "--ring=ring.json", "--log", &log], more].concat())
    };
    let answer = asked(&[]);
    let marks = ["contract.pdf.evidence.json", "late.pdf.evidence.json"].map(|path| mark(&answer, path));
    assert_eq!((marks, &answer["status"]), (["valid", "invalid"].map(str::to_owned), &json!(1)), "{answer}");
    assert!(answer.to_string().contains("entry 4 retired its key, and it stands at entry 4"), "{answer}");
    let answer = asked(&["--public"]);
    assert_eq!(mark(&answer, "late.pdf.evidence.json"), "invalid", "{answer}");
    assert!(!answer.to_string().contains("retired"), "{answer}");
}
