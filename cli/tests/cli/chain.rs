//! The chain and its checkpoints: cut off, altered, rewritten, forked.

use crate::run::{CHAIN, Place, TIME, revived};
use std::fs;

#[test]
fn a_chain_is_checked() {
    let place = Place::with_records("chain");
    place.good(&["chain", "append", "received"]);
    place.refused(&["chain", "append", "DUALSEAL-SIGN::x"], 64, "a form that only the library itself appends");
    let check = place.json(&["chain", "check", "--with-ring"]);
    assert_eq!((&check["size"], &check["covered"], &check["ring_revision"]), (&4.into(), &3.into(), &1.into()));
    let chain = place.read("home/chain.jsonl");
    let altered = chain.replacen("received", "refused!", 1);
    place.write("altered.jsonl", &altered);
    place.refused(&["chain", "check", "altered.jsonl"], 1, "chain entry 3 was altered");
    place.write("cut.jsonl", &chain[..chain.len() - 10]);
    place.refused(&["chain", "check", "cut.jsonl"], 66, "line (at 3): is not JSON");
    place.write("swapped.jsonl", chain.lines().rev().collect::<Vec<_>>().join("\n") + "\n");
    place.refused(&["chain", "check", "swapped.jsonl"], 1, "chain entry 0 does not name the entry before it");
    place.write("empty.jsonl", "");
    place.good(&["chain", "check", "empty.jsonl"]);
    let array = format!("[{}]", chain.trim_end().replace('\n', ","));
    place.write("array.json", array);
    assert_eq!(place.json(&["chain", "check", "array.json"])["top"], check["top"]);
    // The same entries, another time: only the checkpoint tells.
    let first = serde_json::from_str::<serde_json::Value>(chain.lines().next().unwrap()).unwrap();
    place.write("retimed.jsonl", chain.replacen(first["t"].as_str().unwrap(), TIME, 1));
    place.good(&["chain", "check", "retimed.jsonl"]);
    let evidence = ["--checkpoint=checkpoint.json", "--log-key=ana.pem"];
    let under = |file: &'static str| [&["chain", "check", file][..], &evidence].concat();
    place.refused(&under("retimed.jsonl"), 1, "the tree over the 3 entries");
    place.refused(&under("empty.jsonl"), 1, "the chain was cut off");
    place.good(&under("array.json"));
    // Somebody edits the home folder.
    place.write("home/chain.jsonl", altered);
    place.refused(&["chain", "check"], 1, "chain entry 3 was altered");
    for (end, words) in
        [("", "home/chain.jsonl is not as this program writes it"), ("\n", "has 5 entries, of which steps wrote 4")]
    {
        place.write("home/chain.jsonl", format!("{chain}{}{end}", chain.lines().last().unwrap()));
        place.refused(&["sign", "contract.pdf", "--force"], 78, words);
    }
}

#[test]
fn entries_are_shown() {
    let place = Place::with_records("show");
    place.good(&["chain", "append", "a\u{1b}[2Jb"]);
    let shown = place.good(&["chain", "show", "--from", "3"]);
    assert!(shown.out.contains("a\\u{1b}[2Jb") && !shown.out.contains('\u{1b}'), "{shown:?}");
    let shown = place.json(&["chain", "show", "chain.jsonl", "--from=1", "--count=1"]);
    assert_eq!(shown["entries"].as_array().unwrap().len(), 1);
    assert_eq!((&shown["entries"][0]["seq"], &shown["size"]), (&1.into(), &3.into()));
}

#[test]
fn checkpoints_are_checked_and_compared() {
    let place = Place::with_records("checkpoint");
    let key = "--log-key=ana.pem";
    place.good(&["checkpoint", "check", "checkpoint.json", key, "--chain=chain.jsonl", "--least-size=3"]);
    place.refused(&["checkpoint", "check", "checkpoint.json", key, "--least-size=4"], 1, "older than one");
    place.good(&["chain", "append", "more"]);
    place.good(&["checkpoint", "sign", "-o", "newer.json"]);
    fs::copy(place.path("home/chain.jsonl"), place.path("longer.jsonl")).unwrap();
    let compare = |second: &str, more: &[&str]| {
        let args = [&["checkpoint", "compare", "checkpoint.json", second, key][..], more].concat();
        let answer = place.json(&args);
        (answer["comparison"].as_str().unwrap().to_owned(), answer["status"].as_u64().unwrap())
    };
    assert_eq!(compare("checkpoint.json", &[]), ("equal".to_owned(), 0));
    assert_eq!(compare("newer.json", &[]), ("unknown".to_owned(), 3));
    assert_eq!(compare("newer.json", &["--chain=longer.jsonl"]), ("grown".to_owned(), 0));
    // The operator restores an old home folder and shows another chain to somebody else.
    place.good(&["key", "export", "--secret", "-o", "secret.pem"]);
    let forked = Place::new("forked");
    fs::copy(place.path("secret.pem"), forked.path("secret.pem")).unwrap();
    let identity = place.json(&["key", "show", "ana"])["info"]["identity_id"].as_str().unwrap().to_owned();
    forked.good(&["key", "new", "x", "--origin=acme.example/log"]);
    forked.good(&["key", "import", &identity, "secret.pem"]);
    forked.good(&["chain", "append", "one", "--as", &identity]);
    forked.good(&["checkpoint", "sign", "--as", &identity, "-o", "fork.json"]);
    fs::copy(forked.path("fork.json"), place.path("fork.json")).unwrap();
    assert_eq!(compare("fork.json", &[]), ("fork".to_owned(), 1));
    // Nobody else's checkpoint counts.
    let other = Place::with_records("checkpoint-other");
    fs::copy(other.path("checkpoint.json"), place.path("other.json")).unwrap();
    place.refused(&["checkpoint", "check", "other.json", key], 1, "it is not by the log's own key");
    place.refused(&["checkpoint", "compare", "checkpoint.json", "other.json", key], 1, "pin");
    let stranger = Place::new("checkpoint-stranger");
    fs::copy(other.path("checkpoint.json"), stranger.path("c.json")).unwrap();
    stranger.refused(&["checkpoint", "check", "c.json"], 64, "nothing says whose checkpoint");
}

/// A signer does not go on from a chain that is not the one it signed.
#[test]
fn a_restored_chain_is_not_signed() {
    let place = Place::with_records("restored");
    let (old, signed) = (place.kept(CHAIN), place.kept(["home/checkpoint.json"]));
    place.good(&["chain", "append", "more"]);
    place.good(&["checkpoint", "sign", "-o", "newer.json"]);
    let again = ["checkpoint", "sign", "-o", "again.json"];
    let new = place.kept(CHAIN);
    place.put_back(&old[..3]);
    place.refused(&again, 78, "the chain has 3 entries, and had 4");
    place.put_back(&new[..3]);
    place.put_back(&old[3..]);
    place.refused(&again, 78, "the chain has 4 entries, of which steps wrote 3");
    place.put_back(&old);
    place.refused(&again, 78, "the checkpoint is not the one that was signed last");
    // All of it is an old copy, and only the mark is not.
    place.put_back(&signed);
    place.refused(&again, 78, "the signer's mark is of 4 entries, and the store, with 3, is an old copy");
    assert!(!place.path("again.json").exists());
    // A ring that was restored from a copy.
    let place = Place::with_records("restored-ring");
    let row = place.row("ana");
    let old = place.read(&row);
    place.good(&["key", "state", "ana", "revoked"]);
    place.good(&["key", "rotate", "ana"]);
    place.good(&["checkpoint", "sign", "-o", "c.json"]);
    place.write(&row, old);
    place.refused(&["chain", "check", "--with-ring"], 78, "the ring does not stand up to its chain");
    // The next checkpoint does not bless it, nor a ring that was edited.
    place.refused(&["checkpoint", "sign", "-o", "d.json"], 78, "the ring does not stand up to its chain");
    for place in [Place::with_records("edited-ring"), Place::with_ana("edited-ring-unsigned")] {
        place.good(&["key", "state", "ana", "revoked"]);
        let row = place.row("ana");
        place.write(&row, revived(&place.read(&row)));
        place.refused(&["checkpoint", "sign", "-o", "e.json"], 78, "a row of the ring was edited");
        assert!(!place.path("e.json").exists());
    }
}
