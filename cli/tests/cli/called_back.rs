//! Keys that count for nothing sign nothing, and neither does anybody under a ring that somebody edited.

use crate::run::{Place, revived};
use crate::session::founded;
use std::fs;

const SIGNING: [&str; 3] = ["sign contract.pdf -o out", "seal contract.pdf -o out", "vault seal contract.pdf"];

fn refused(place: &Place, lines: &[&str], status: i32, words: &str) {
    let chain = place.read("home/chain.jsonl");
    for line in lines {
        let args: Vec<&str> = line.split(' ').collect();
        place.refused(&args, status, words);
        assert!(!place.path("out").exists(), "{line}");
        assert_eq!(place.read("home/chain.jsonl"), chain, "{line}");
    }
}

#[test]
fn a_key_that_counts_for_nothing_signs_nothing() {
    let place = Place::with_vault("called-back");
    for (state, status, words, next) in [
        ("revoked", 2, "was called back", "key rotate"),
        ("suspended", 3, "is suspended", "key state"),
        ("decoy", 4, "for thieves", "--as"),
    ] {
        place.good(&["key", "state", "ana", state]);
        refused(&place, &SIGNING, status, words);
        refused(&place, &SIGNING, status, next);
        refused(&place, &["vault erase 0 --yes"], status, "");
    }
    place.good(&["key", "state", "ana", "revoked"]);
    place.good(&["key", "rotate", "ana"]);
    place.good(&["sign", "contract.pdf", "-o", "out"]);
    place.good(&["verify", "out", "contract.pdf"]);
}

/// What signs is the key that the ring has, not whatever lies in its place.
#[test]
fn another_key_in_its_place_signs_nothing() {
    let place = Place::with_vault("called-back-swapped");
    let thief = Place::with_ana("called-back-thief");
    let key = |place: &Place| fs::read_dir(place.path("home/keys")).unwrap().next().unwrap().unwrap().path();
    fs::copy(key(&thief), key(&place)).unwrap();
    refused(&place, &SIGNING, 78, "is not the current one");
}

#[test]
fn under_an_edited_ring_nothing_is_made() {
    let place = founded("called-back-ring", "hmac");
    place.write("contract.pdf", "one contract");
    place.good(&["vault", "init", "--ledger=first"]);
    let row = place.row("ana");
    let old = place.read(&row);
    place.good(&["key", "state", "ana", "revoked"]);
    let lines = [
        "sign contract.pdf -o out",
        "seal contract.pdf -o out",
        "session sign resolution.pdf share-1.json share-2.json -o out",
        "session found --kind hmac --threshold 2 --owner ana --owner ivo -o out",
        "session refresh share-1.json share-2.json -o out",
        "vault init",
        "vault seal contract.pdf --ledger first",
    ];
    let new = place.read(&row);
    place.write(&row, old);
    refused(&place, &lines, 78, "the ring does not stand up to its chain");
    place.write(&row, revived(&new));
    refused(&place, &lines, 78, "a row of the ring was edited");
    fs::remove_file(place.path(&row)).unwrap();
    refused(&place, &lines, 78, "the ring does not stand up to its chain");
}

#[test]
fn a_quorum_that_was_called_back_signs_nothing() {
    let place = founded("called-back-quorum", "ml-dsa-65");
    let sign = ["session sign resolution.pdf share-1.json share-2.json --as ana -o out"];
    place.good(&["key", "state", "board", "revoked"]);
    refused(&place, &sign, 2, "was called back");
    place.good(&["key", "state", "board", "valid"]);
    place.good(&sign[0].split(' ').collect::<Vec<_>>());
}

/// The ring is shown as the file has it, and says so.
#[test]
fn a_shown_key_was_not_checked() {
    let place = Place::with_ana("called-back-shown");
    for args in [&["key", "show"][..], &["key", "show", "ana"], &["key", "show", "ana", "--public"]] {
        assert!(place.good(args).out.contains("was not checked: dualseal chain check --with-ring"), "{args:?}");
        assert_eq!(place.json(args)["checked"], false, "{args:?}");
    }
}

/// One person who has two shares is no quorum.
#[test]
fn a_custodian_is_named_once() {
    let place = founded("called-back-twice", "hmac");
    let found = "session found --kind hmac --threshold 2 --owner ana --owner ivo --owner ana -o out";
    refused(&place, &[found], 64, "\"ana\" is named as a custodian twice");
    let deal = "session rethreshold share-1.json share-2.json --threshold 2 --owner ivo --owner ivo -o out";
    refused(&place, &[deal], 64, "\"ivo\" is named as a custodian twice");
}
