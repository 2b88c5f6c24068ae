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
