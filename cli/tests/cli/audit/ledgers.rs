//! An exported ledger says nothing of where its stored bytes lie: they are found by what is in them.

use super::{STRANGER, mark};
use crate::run::Place;
use std::fs;

/// A stranger's folder: the ledger, and the stored bytes of its records under any names.
fn exported(name: &str) -> Place {
    let place = Place::with_vault(name);
    fs::create_dir_all(place.path("in/papers")).unwrap();
    place.good(&["vault", "seal", "deed.pdf", "--plain", "--note", "once more"]);
    for line in [
        "dualseal vault redact -o in/ledger.jsonl",
        "cp home/vaults/main/stored/000000 in/papers/zebra.bin",
        "cp home/vaults/main/stored/000001 in/aardvark",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    place
}

fn text(answer: &serde_json::Value) -> String {
    let files = answer["files"].as_array().unwrap().iter();
    let ledger = files.clone().find(|file| file["path"] == "ledger.jsonl").unwrap();
    ledger["text"].as_str().unwrap().to_owned()
}

#[test]
fn stored_bytes_are_found_by_content() {
    let place = exported("audit-ledger");
    let answer = place.json(&STRANGER);
    assert_eq!(answer["status"], 0, "{answer}");
    let found = ["ledger.jsonl", "papers/zebra.bin", "aardvark"].map(|path| mark(&answer, path));
    // Two records have the same stored bytes, which need lie there once.
    assert_eq!((found, text(&answer)), (["valid", "vouched", "vouched"].map(str::to_owned), text(&answer)));
    assert!(text(&answer).starts_with("3 records"), "{answer}");
}

/// The state of the key that made its records.
#[test]
fn the_state_of_its_key_is_told() {
    let place = exported("audit-ledger-states");
    for (state, status) in [("suspended", 3), ("revoked", 2), ("decoy", 4), ("valid", 0)] {
        place.good(&["key", "state", "ana", state]);
        let answer = place.json(&["audit", "in"]);
        assert_eq!((&answer["status"], mark(&answer, "ledger.jsonl")), (&status.into(), state.to_owned()), "{answer}");
    }
}

/// What its lines are, and not what it is called: nobody hides a ledger among signatures, nor its traps.
#[test]
fn records_among_each_other_are_judged_each() {
    let place = exported("audit-records");
    place.good(&["sign", "contract.pdf", "-o", "signed.json"]);
    place.good(&["sign", "deed.pdf", "-o", "deed.json"]);
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    let (ledger, signed, deed) = (place.read("in/ledger.jsonl"), place.read("signed.json"), place.read("deed.json"));
    fs::remove_file(place.path("in/ledger.jsonl")).unwrap();
    let other = |text: &str, from: &str| {
        let at = text.find(from).unwrap() + from.len();
        let with = if text[at..].starts_with('0') { "1" } else { "0" };
        format!("{}{with}{}", &text[..at], &text[at + 1..])
    };
    let late = ledger.lines().last().unwrap();
    let forged = format!("{}{}\n", &ledger[..ledger.len() - late.len() - 1], other(late, "\"krunica_hash\":\""));
    let stolen = place.read("home/records.jsonl");
    assert!(stolen.lines().any(|line| line.contains("fragment")), "a trap is in it");
    for name in ["records.jsonl", "other.jsonl"] {
        for (lines, expected, words) in [
            (format!("{signed}{ledger}"), "valid", "1 signatures; 3 records"),
            (format!("{ledger}{signed}{signed}"), "valid", "2 signatures; 3 records"),
            (signed.clone(), "valid", "1 signatures"),
            (format!("{signed}{forged}"), "invalid", ""),
            (format!("{ledger}{}", other(&signed, "\"potpis\":\"")), "invalid", "signature 0: does not hold"),
            (format!("{signed}{ledger}{deed}"), "valid", "2 signatures; 3 records"),
            (format!("{signed}{}", ledger.replace("\"krunica_hash\"", "\"krunica_hesh\"")), "malformed", ""),
            (format!("{signed}{{}}\n"), "malformed", ""),
            (format!("{signed}{stolen}"), "secret", "has its trap"),
        ] {
            let path = format!("in/{name}");
            place.write(&path, lines);
            let answer = place.json(&STRANGER);
            let files = answer["files"].as_array().unwrap();
            let file = files.iter().find(|file| file["path"] == name).unwrap();
            assert_eq!(file["mark"], expected, "{answer}");
            assert!(file["text"].as_str().unwrap().contains(words), "{words}: {answer}");
            let holds = ["valid", "secret"].contains(&expected);
            assert_eq!(mark(&answer, "contract.pdf") == "vouched", holds, "{answer}");
            fs::remove_file(place.path(path)).unwrap();
        }
    }
    // Without its document a signature says nothing, and a decoy's is one here too.
    place.write("in/records.jsonl", format!("{ledger}{signed}"));
    fs::remove_file(place.path("in/contract.pdf")).unwrap();
    assert_eq!(mark(&place.json(&STRANGER), "records.jsonl"), "unchecked");
    place.good(&["key", "state", "ana", "decoy"]);
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    assert_eq!(mark(&place.json(&["audit", "in"]), "records.jsonl"), "decoy");
}

/// Several ledgers in one file, as an operator keeps them.
#[test]
fn ledgers_among_each_other_are_judged_each() {
    let place = exported("audit-two-ledgers");
    place.good(&["vault", "init", "--ledger=second", "--as=ana"]);
    place.good(&["vault", "seal", "contract.pdf", "--ledger=second", "--plain"]);
    place.good(&["vault", "redact", "--ledger=second", "-o", "second.jsonl"]);
    assert_eq!(place.shell("cp home/vaults/second/stored/000000 in/second.bin").status, 0);
    let (first, second) = (place.read("in/ledger.jsonl"), place.read("second.jsonl"));
    let begin = first.find('\n').unwrap() + 1;
    place.write("in/ledger.jsonl", format!("{}{second}{}", &first[..begin], &first[begin..]));
    let answer = place.json(&STRANGER);
    assert_eq!(mark(&answer, "ledger.jsonl"), "valid", "{answer}");
    assert!(text(&answer).contains("3 records") && text(&answer).contains("1 records"), "{answer}");
    // One that lacks its beginning is found.
    place.write("in/ledger.jsonl", format!("{second}{}", &first[begin..]));
    assert_eq!(mark(&place.json(&STRANGER), "ledger.jsonl"), "invalid");
}

#[test]
fn missing_and_changed_bytes_are_told() {
    let place = exported("audit-ledger-bytes");
    place.write("in/aardvark", "deed 18");
    let answer = place.json(&STRANGER);
    assert_eq!((&answer["status"], mark(&answer, "ledger.jsonl")), (&3.into(), "unchecked".to_owned()), "{answer}");
    assert!(text(&answer).contains("record 1: its stored bytes are missing or were changed"), "{answer}");
    assert_eq!(mark(&answer, "papers/zebra.bin"), "noted", "a ledger that was not checked vouches for nothing");
    place.write("in/aardvark", "deed 17");
    fs::remove_file(place.path("in/papers/zebra.bin")).unwrap();
    assert!(text(&place.json(&STRANGER)).contains("record 0: "));
}
