//! Ways to lie with a file of evidence, each with its words and its status.

use super::{FILE, NOTES, asked, covered, signed, told, witness};
use crate::run::Place;
use serde_json::{Value as Json, json};
use std::fs;

fn made(name: &str) -> (Place, String) {
    let (place, log) = signed(name);
    place.good(&[&["evidence", "make", "contract.pdf.sig.json"], &NOTES[..]].concat());
    (place, log)
}

fn file(place: &Place) -> Json {
    serde_json::from_str(&place.read(FILE)).unwrap()
}

/// The file with something else in it.
fn edited(place: &Place, pointer: &str, value: Json) {
    let mut file = file(place);
    *file.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    place.write("lie.json", file.to_string());
}

#[track_caller]
fn refused(place: &Place, log: &str, status: i32, words: &str) {
    let ran = place.refused(&asked("contract.pdf", "lie.json", log, &["--key=ana.pem"]), status, words);
    assert!(ran.err.contains("NOT VALID"), "{ran:?}");
}

/// Words that make no question.
#[track_caller]
fn unasked(place: &Place, args: &[&str], words: &str) {
    let ran = place.run(args);
    assert!(ran.status == 64 && ran.err.contains(words), "{args:?}: {ran:?}");
}

#[test]
fn another_document_log_or_record() {
    let (place, log) = made("lies-other");
    place.write("other.pdf", "another contract");
    let ran = place.refused(&asked("other.pdf", FILE, &log, &["--key=ana.pem"]), 1, "does not hold: content");
    assert!(ran.err.contains("not the one that was signed"), "{ran:?}");
    place.refused(&asked("contract.pdf", FILE, &"7".repeat(64), &["--key=ana.pem"]), 1, "is of another log");
    // A whole log of a stranger's that has the same name.
    let forger = Place::with_records("lies-forger");
    covered(&forger);
    forger.good(&["evidence", "make", "contract.pdf.sig.json", "-o", "theirs.json"]);
    fs::copy(forger.path("theirs.json"), place.path("theirs.json")).unwrap();
    place.refused(&asked("contract.pdf", "theirs.json", &log, &[]), 1, "is of another log");
    // The record of another document in it, and the entry of another record.
    place.good(&["sign", "other.pdf", "--as=ana"]);
    edited(&place, "/record", serde_json::from_str(&place.read("other.pdf.sig.json")).unwrap());
    refused(&place, &log, 1, "does not hold: content");
    place.refused(&asked("other.pdf", "lie.json", &log, &[]), 1, "does not hold: located");
    assert_eq!(told(&place, "other.pdf", "lie.json", &log, &[])["code"], 288);
    edited(&place, "/checkpoint/size", json!(5));
    refused(&place, &log, 1, "the signature of the checkpoint");
}

#[test]
fn a_path_that_was_cut_or_leads_elsewhere() {
    let (place, log) = made("lies-path");
    let path = file(&place)["path"].as_array().unwrap().clone();
    edited(&place, "/path", json!([path[0]]));
    refused(&place, &log, 1, "the path has 1 hashes, this place needs 2");
    edited(&place, "/path", json!([path[1], path[0]]));
    refused(&place, &log, 1, "does not lead to the root");
    edited(&place, "/entry/t", json!("2020-01-01T00:00:00.000Z"));
    refused(&place, &log, 1, "does not lead to the root");
    edited(&place, "/ring/path", json!([path[0]]));
    refused(&place, &log, 1, "the entry of the ring does not stand");
    edited(&place, "/ring", json!({"entry": file(&place)["entry"], "path": path}));
    refused(&place, &log, 1, "states another ring than the entry");
    edited(&place, "/key/size", json!(3));
    refused(&place, &log, 1, "the path of the key");
}

#[test]
fn an_old_checkpoint_and_foreign_witnesses() {
    let (place, log) = made("lies-old");
    let [one, two] = ["one", "two"].map(|name| witness(&place, name));
    let ask = |more: &[&str]| {
        asked("contract.pdf", FILE, &log, more).iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()
    };
    let refused = |more: &[&str], status, words: &str| {
        let args = ask(more);
        place.refused(&args.iter().map(String::as_str).collect::<Vec<_>>(), status, words);
    };
    refused(&["--least-size=5"], 1, "the checkpoint covers 4 entries, and 5 were asked for");
    refused(&["--log-until=3"], 1, "the checkpoint covers 4 entries, and the log's key counts up to entry 3");
    let least = ["--log-until=4", "--least-size=4", "--key=ana.pem"];
    assert_eq!(told(&place, "contract.pdf", FILE, &log, &least)["status"], 0);
    let late = "--witnessed-after=2026-11-21T09:20:00.001Z";
    refused(&["--witness", &one, "--witness", &two, late], 1, "too few witnesses saw the log after");
    refused(&["--witness", &one, "--witness", &two, "--witnesses=0", late], 66, "witnesses: is out of range");
    // One whom nobody here knows, and one under two names.
    let made = place.json(&["witness", "new", "three", "--name=three.example"]);
    let three = made["key"].as_str().unwrap();
    refused(&["--witness", &one, "--witness", three], 1, "1 witnesses saw the note, 2 must");
    refused(&["--witness", &one, "--witness", &one], 66, "witnesses: is out of range");
    // Without any, no time: the question itself is refused.
    unasked(&place, &asked("contract.pdf", FILE, &log, &["--witnessed-after=2026-11-21T09:00:00.000Z"]), "--witness");
    // A cosignature that another note has.
    let mut lie = file(&place);
    let note = lie["note"].as_str().unwrap().to_owned();
    let lines: Vec<&str> = note.lines().collect();
    let cosigned = lines.iter().find(|line| line.contains("one.example")).unwrap();
    let (before, signature) = cosigned.rsplit_once(' ').unwrap();
    let swapped = signature.replace(&signature[20..24], "AAAA");
    lie["note"] = note.replace(cosigned, &format!("{before} {swapped}")).into();
    place.write("lie.json", lie.to_string());
    place.refused(&asked("contract.pdf", "lie.json", &log, &["--witness", &one]), 1, "one.example");
    edited(&place, "/note", json!(null));
    place.refused(&asked("contract.pdf", "lie.json", &log, &["--witness", &one]), 1, "0 witnesses saw");
    edited(&place, "/note", json!(note.replace("acme.example/log\n4\n", "acme.example/log\n3\n")));
    super::lies::refused(&place, &log, 1, "the note says something else");
}

#[test]
fn an_edited_key() {
    let (place, log) = signed("lies-key");
    place.good(&["key", "state", "bo", "suspended"]);
    place.write("bo.pdf", "by bo");
    place.good(&["key", "export", "bo", "-o", "bo.pem"]);
    place.refused(&["sign", "bo.pdf", "--as=bo"], 3, "");
    place.good(&["key", "state", "bo", "valid"]);
    place.good(&["sign", "bo.pdf", "--as=bo"]);
    place.good(&["key", "state", "bo", "revoked"]);
    assert_eq!(covered(&place), log);
    place.good(&["evidence", "make", "bo.pdf.sig.json", "-o", FILE]);
    place.refused(&asked("bo.pdf", FILE, &log, &["--key=bo.pem"]), 2, "REVOKED");
    let refused = |words: &str| {
        let ran = place.refused(&asked("bo.pdf", "lie.json", &log, &["--key=bo.pem"]), 1, words);
        assert!(ran.err.contains("NOT VALID"), "{ran:?}");
    };
    let mut lie = file(&place);
    lie["key"]["leaf"]["bela_stanje"] = json!("istina");
    lie["key"]["leaf"]["opozvan_od"] = json!(null);
    lie["key"]["leaf"]["povijest"].as_array_mut().unwrap().pop();
    place.write("lie.json", lie.to_string());
    refused("the path of the key");
    let since = file(&place)["key"]["leaf"]["opozvan_od"].as_u64().unwrap();
    edited(&place, "/key/leaf/opozvan_od", json!(since - 1));
    refused("the path of the key");
    // Somebody else's evidence, whatever it shows.
    place.refused(&asked("bo.pdf", FILE, &log, &["--key=ana.pem"]), 1, "of another signer");
    place.refused(&asked("bo.pdf", FILE, &log, &["--key", &"0".repeat(64)]), 1, "of another signer");
    place.refused(&asked("bo.pdf", FILE, &log, &["--signer", &"0".repeat(64)]), 1, "of another signer");
    let hash = file(&place)["key"]["leaf"]["javni_kljuc"].as_str().unwrap().to_owned();
    let both = ["--key", &hash, "--signer", &"0".repeat(64)];
    place.refused(&asked("bo.pdf", FILE, &log, &both), 1, "of another signer");
}

/// The key was called back when the record was entered, and is valid again since.
#[test]
fn revoked_since_before() {
    let (place, log) = signed("lies-since");
    place.write("late.pdf", "late");
    place.good(&["key", "state", "bo", "revoked"]);
    // Whoever may write to the log places what the thief signs.
    place.good(&["chain", "append", "filler", "--as=ana"]);
    covered(&place);
    place.good(&["key", "state", "bo", "valid"]);
    place.good(&["sign", "late.pdf", "--as=bo"]);
    assert_eq!(covered(&place), log);
    place.good(&["evidence", "make", "late.pdf.sig.json"]);
    let answer = told(&place, "late.pdf", "late.pdf.sig.evidence.json", &log, &["--any-signer"]);
    assert_eq!((&answer["verdict"], &answer["report"]["as_of"]["claimed"]), (&json!("valid"), &json!(true)));
    let notes = answer["notes"].to_string();
    assert!(notes.contains("counts as compromised"), "{notes}");
    place.good(&["key", "state", "bo", "revoked"]);
    covered(&place);
    place.good(&["evidence", "make", "late.pdf.sig.json", "--force"]);
    let words = asked("late.pdf", "late.pdf.sig.evidence.json", &log, &["--any-signer"]);
    place.refused(&words, 2, "REVOKED");
}

/// The log's signer tells two people two histories, and one of them kept what he was told.
#[test]
fn a_log_that_takes_back_what_it_said() {
    let (place, log) = signed("lies-retold");
    place.copy_home("home", "fork");
    for (home, message) in [("--home=home", "one"), ("--home=fork", "another")] {
        for line in [
            format!("chain append {message} --as ana"),
            format!("checkpoint sign --as ana -o {message}.json"),
            format!("evidence make contract.pdf.sig.json -o {message}.evidence.json"),
        ] {
            place.good(&[home].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
        }
    }
    let refused = |file: &str, earlier: &str, status, words: &str| {
        let more = ["--key=ana.pem", "--earlier", earlier];
        place.refused(&asked("contract.pdf", file, &log, &more), status, words)
    };
    let (one, another) = ("one.evidence.json", "another.evidence.json");
    for (file, earlier) in [(one, another), (another, one)] {
        let ran = refused(file, earlier, 1, "takes back what it said of the key");
        assert!(ran.err.contains("convict the log's signer"), "{ran:?}");
        let more = ["--earlier", earlier];
        assert_eq!(told(&place, "contract.pdf", file, &log, &more)["code"], 290);
    }
    // What only grew is no contradiction, in either order.
    place.good(&["key", "state", "ana", "suspended"]);
    place.good(&["key", "state", "ana", "valid"]);
    covered(&place);
    let later = "later.evidence.json";
    place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", later]);
    for (file, earlier) in [(later, one), (one, later)] {
        let answer = told(&place, "contract.pdf", file, &log, &["--key=ana.pem", "--earlier", earlier]);
        assert_eq!((&answer["status"], &answer["earlier"]), (&json!(0), &json!(earlier)), "{answer}");
    }
    // What somebody else signed by the log's key convicts nobody.
    let more = ["--key=ana.pem", "--log-until=5", "--earlier", later];
    let ran = place.refused(&asked("contract.pdf", one, &log, &more), 1, "later.evidence.json: the checkpoint covers");
    assert!(ran.err.contains("by the log's new key"), "{ran:?}");
    // Of another key there is nothing to compare, nor of another document.
    place.good(&["sign", "contract.pdf", "--as=bo", "-o", "bo.sig.json"]);
    place.write("other.pdf", "another contract");
    place.good(&["sign", "other.pdf", "--as=ana"]);
    covered(&place);
    place.good(&["evidence", "make", "bo.sig.json", "contract.pdf", "-o", "bo.evidence.json"]);
    place.good(&["evidence", "make", "other.pdf.sig.json", "-o", "other.evidence.json"]);
    refused(later, "bo.evidence.json", 1, "the key is not the one");
    refused(later, "other.evidence.json", 1, "other.evidence.json: the record does not hold: content");
}

#[test]
fn what_is_no_evidence_is_told() {
    let (place, log) = made("lies-form");
    place.write("huge.json", vec![b' '; (16 << 20) + 1]);
    place.refused(&asked("contract.pdf", "huge.json", &log, &[]), 66, "more than");
    place.write("cut.json", &place.read(FILE)[..5000]);
    let ran = place.run(&asked("contract.pdf", "cut.json", &log, &[]));
    assert!(ran.status == 66, "{ran:?}");
    edited(&place, "/vrsta", json!("pecat"));
    place.refused(&asked("contract.pdf", "lie.json", &log, &[]), 66, "vrsta");
    edited(&place, "/domena", json!(null));
    place.refused(&asked("contract.pdf", "lie.json", &log, &[]), 66, "domena");
    // What the file says of the domain, the verifier may know better.
    place.refused(&asked("contract.pdf", FILE, &log, &["--domain=ACME"]), 66, "domena");
    assert_eq!(told(&place, "contract.pdf", "lie.json", &log, &["--domain=DUALSEAL"])["status"], 0);
    // A file that vouches for itself, and evidence of two kinds at once.
    unasked(&place, &["verify", "contract.pdf", "--evidence", FILE], "--log");
    unasked(&place, &["verify", "contract.pdf", "--log", &log], "--evidence");
    unasked(&place, &["verify", "contract.pdf", "--log-until=4"], "--evidence");
    unasked(&place, &asked("contract.pdf", FILE, &log, &["--ring=ring.json"]), "cannot be used with");
    let chain = ["--chain=chain.jsonl", "--checkpoint=checkpoint.json"];
    unasked(&place, &asked("contract.pdf", FILE, &log, &chain), "cannot be used with");
    unasked(&place, &asked("contract.pdf", FILE, "12", &[]), "invalid value");
}
