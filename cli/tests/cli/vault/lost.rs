//! Secrets that are lost, and secrets that came back: the ledger alone says what was erased.

use crate::run::Place;
use std::fs;
use std::io::Read;

const SECRET: &str = "home/vaults/main/secrets/000000.key";

fn state(place: &Place) -> String {
    place.json(&["vault", "list"])["records"][0]["state"].as_str().unwrap().to_owned()
}

fn note(place: &Place, args: &[&str], words: &str) {
    let answer = place.json(args);
    assert_eq!(answer["status"], 0, "{answer}");
    assert!(answer["notes"].to_string().contains(words), "{args:?}: {answer}");
}

/// Whoever empties a secret, or takes it away, does not erase: nobody said so.
#[test]
fn a_lost_secret_is_no_erasure() {
    for emptied in [true, false] {
        let place = Place::with_vault(&format!("lost-{emptied}"));
        if emptied {
            place.write(SECRET, "");
        } else {
            fs::remove_file(place.path(SECRET)).unwrap();
        }
        assert_eq!(state(&place), "secret lost");
        place.refused(&["vault", "unseal", "0", "-o", "out"], 77, "is lost, and the ledger says of no erasure");
        for args in [&["vault", "verify"][..], &["vault", "verify", "0"], &["vault", "verify", "--policy=public"]] {
            note(&place, args, "The secret of record 0 is lost");
        }
        assert!(!place.good(&["vault", "verify", "--public"]).out.contains("is lost"));
        place.refused(&["vault", "erase", "0"], 64, "--yes");
        // The record that is missing can be written.
        let erased = place.good(&["vault", "erase", "0", "--yes"]);
        assert!(erased.out.contains("its secret was lost before, and the ledger says so"), "{erased:?}");
        assert!(erased.out.contains("nobody tried"), "{erased:?}");
        assert_eq!(state(&place), "erased");
        place.refused(&["vault", "unseal", "0", "-o", "out"], 77, "was erased, as record 2 says");
        place.refused(&["vault", "erase", "0", "--yes"], 64, "was erased before");
        assert!(!place.good(&["vault", "verify"]).out.contains("is lost"));
    }
}

#[test]
fn a_secret_that_came_back_is_told_and_destroyed() {
    let place = Place::with_vault("lost-back");
    fs::copy(place.path(SECRET), place.path("copy.key")).unwrap();
    let erased = place.json(&["vault", "erase", "0", "--yes"]);
    // An empty file is not what says so.
    fs::remove_file(place.path(SECRET)).unwrap();
    assert_eq!(state(&place), "erased");
    fs::copy(place.path("copy.key"), place.path(SECRET)).unwrap();
    assert_eq!(state(&place), "erased, but its secret is back");
    for args in [&["vault", "verify"][..], &["vault", "verify", "0"]] {
        note(&place, args, "its secret is back: destroy it by dualseal vault erase 0 --yes");
    }
    place.refused(&["vault", "unseal", "0", "-o", "out"], 77, "but its secret is back");
    let split = "6f1d7c0e5b2a49388d6e0f9a1b3c5d7e9f02468ace13579bdf0123456789abcd";
    place.refused(&["vault", "erase", "0", "--yes", "--split", split], 64, "was erased before");
    // It is overwritten, and not only given up; but not under another name, by which somebody still has it.
    let (sound, mut was) = (fs::read(place.path(SECRET)).unwrap(), fs::File::open(place.path(SECRET)).unwrap());
    fs::hard_link(place.path(SECRET), place.path("link.key")).unwrap();
    place.refused(&["vault", "erase", "0", "--yes"], 73, "it has another name too (a hard link)");
    assert_eq!(
        (fs::read(place.path(SECRET)).unwrap(), fs::read(place.path("link.key")).unwrap()),
        (sound.clone(), sound)
    );
    fs::remove_file(place.path("link.key")).unwrap();
    let chain = place.read("home/chain.jsonl");
    let again = place.json(&["vault", "erase", "0", "--yes"]);
    for member in ["status", "erasure", "seq", "record", "splits", "checkpoint"] {
        assert_eq!(again[member], erased[member], "{member}: {again}");
    }
    assert_eq!(fs::metadata(place.path(SECRET)).unwrap().len(), 0);
    let mut left = Vec::new();
    was.read_to_end(&mut left).unwrap();
    assert!(!left.is_empty() && left.iter().all(|byte| *byte == 0));
    assert_eq!((place.read("home/chain.jsonl"), state(&place).as_str()), (chain, "erased"));
    place.good(&["vault", "verify"]);
}

/// A record that says of itself that it is the erased one has its secret destroyed by nobody.
#[test]
fn another_secret_is_not_destroyed() {
    let place = Place::with_vault("lost-other");
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["vault", "erase", "0", "--yes"]);
    let kept = place.read("home/vaults/main/secrets/000002.key");
    fs::write(place.path(SECRET), &kept).unwrap();
    let ran = place.run(&["vault", "erase", "0", "--yes"]);
    assert!(ran.status != 0 && ran.err.contains("does not open record 0"), "{ran:?}");
    assert_eq!(place.read(SECRET), kept);
}

/// An erasure that no checkpoint covers can be taken back, and counts for nothing; after that it outlives its key.
#[test]
fn an_erasure_counts_when_a_checkpoint_covers_it() {
    let place = Place::with_vault("lost-rotated");
    place.good(&["vault", "erase", "0", "--yes", "--no-checkpoint"]);
    assert_eq!(state(&place), "erased, not covered");
    place.refused(&["vault", "erase", "0", "--yes"], 64, "as record 2 says, which no checkpoint covers");
    note(&place, &["vault", "verify", "--policy=public"], "no checkpoint covers that yet");
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    assert_eq!(state(&place), "erased");
    place.refused(&["vault", "erase", "0", "--yes"], 64, "was erased before");
    place.good(&["key", "rotate", "ana"]);
    place.good(&["checkpoint", "sign", "-o", "rotated.json"]);
    assert_eq!(state(&place), "erased");
    place.refused(&["vault", "unseal", "0", "-o", "out"], 77, "was erased, as record 2 says");
}

/// What a key sealed that was called back is what most calls for erasing.
#[test]
fn what_a_called_back_key_sealed_is_erased() {
    for (state, status) in [("revoked", 2), ("suspended", 3)] {
        let place = Place::with_vault(&format!("lost-{state}"));
        let key = place.json(&["key", "list", "ana"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
        place.good(&["key", "rotate", "ana"]);
        place.good(&["key", "state", "ana", state, "--key", &key]);
        place.good(&["checkpoint", "sign"]);
        place.refused(&["vault", "unseal", "0", "-o", "out"], status, state);
        // Another secret in its place is not destroyed for it.
        let own = place.read(SECRET);
        place.write(SECRET, place.read("home/seal.key"));
        assert_ne!(place.run(&["vault", "erase", "0", "--yes"]).status, 0);
        place.write(SECRET, own);
        let ledger = place.json(&["vault", "list"])["size"].clone();
        let erased = place.good(&["vault", "erase", "0", "--yes"]);
        assert!(erased.out.contains("its secret is destroyed, and the ledger says so"), "{erased:?}");
        assert_eq!(
            (place.read(SECRET).as_str(), self::state(&place).as_str()),
            ("", "erased"),
            "after {ledger} records"
        );
        place.refused(&["vault", "erase", "0", "--yes"], 64, "was erased before");
    }
    // A decoy's is a thief's, who erases nothing.
    let place = Place::with_vault("lost-decoy");
    let key = place.json(&["key", "list", "ana"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    place.good(&["key", "rotate", "ana"]);
    place.good(&["key", "state", "ana", "decoy", "--key", &key]);
    place.good(&["checkpoint", "sign"]);
    place.refused(&["vault", "erase", "0", "--yes"], 4, "nothing was destroyed");
    assert_ne!(place.read(SECRET), "");
}
