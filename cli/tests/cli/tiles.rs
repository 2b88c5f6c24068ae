//! The log as a folder for other programs, proofs from it, and the witness that follows it.

mod proofs;

use crate::run::Place;
use std::fs;
use std::path::Path;

/// A log of some entries as a folder, and a witness who has seen it.
fn followed(name: &str) -> (Place, String) {
    let place = Place::with_records(name);
    let key = exported(&place, "public");
    place.good(&["witness", "new", "watch", "--name", "w.example"]);
    let answer = follow(&place, "public", &key);
    assert_eq!((&answer["before"], &answer["size"], &answer["status"]), (&0.into(), &3.into(), &0.into()));
    (place, key)
}

fn exported(place: &Place, folder: &str) -> String {
    place.json(&["chain", "export", "--tiles", folder])["note_key"].as_str().unwrap().to_owned()
}

fn follow(place: &Place, folder: &str, key: &str) -> serde_json::Value {
    place.json(&["witness", "follow", folder, "--in=watch", "--log", key, "--out=cosigned", "--force"])
}

fn refused(place: &Place, folder: &str, key: &str, status: i32, words: &str) {
    let kept = fs::read_dir(place.path("watch")).unwrap().flatten().find(|entry| entry.path().is_dir()).unwrap().path();
    let before = ["head.json", "checkpoint"].map(|name| fs::read(kept.join(name)).unwrap());
    let args = ["witness", "follow", folder, "--in=watch", "--log", key, "--out=refused"];
    place.refused(&args, status, words);
    assert!(!place.path("refused").exists());
    assert_eq!(before, ["head.json", "checkpoint"].map(|name| fs::read(kept.join(name)).unwrap()));
}

fn grow(place: &Place, messages: &[&str]) {
    for message in messages {
        place.good(&["chain", "append", message]);
    }
    place.good(&["checkpoint", "sign", "--out=checkpoint.json", "--force"]);
}

/// Puts the home folder back as it was in `old`: that it was is noticed, until its mark is put back with it.
fn restore(place: &Place) {
    fs::rename(place.path("old.mark"), place.path("kept.mark")).unwrap();
    fs::remove_dir_all(place.path("home")).unwrap();
    copy(&place.path("old"), &place.path("home"));
    for args in [&["chain", "append", "other"][..], &["checkpoint", "sign"], &["chain", "export", "--tiles=restored"]] {
        place.refused(args, 78, "is an old copy or another");
    }
    assert!(!place.path("restored").exists());
    fs::rename(place.path("kept.mark"), place.path("home.mark")).unwrap();
}

/// A folder; of a home folder its mark too, where it lies beside it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let mark = from.with_extension("mark");
    if mark.exists() {
        fs::copy(mark, to.with_extension("mark")).unwrap();
    }
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn a_log_is_written_followed_and_goes_on() {
    let (place, key) = followed("tiles");
    let first = ["checkpoint", "tile/0/000.p/3", "tile/entries/000.p/3", "chain.jsonl", "checkpoint.json"];
    assert!(first.iter().all(|name| place.path("public").join(name).exists()));
    assert_eq!(place.read("public/chain.jsonl"), place.read("home/chain.jsonl"));
    // What no checkpoint covers is not shown.
    place.good(&["chain", "append", "more"]);
    exported(&place, "public");
    assert_eq!(place.read("public/chain.jsonl").lines().count(), 3);
    let shown = place.read("public/checkpoint");
    grow(&place, &["still more"]);
    assert_eq!(exported(&place, "public"), key);
    assert_ne!(place.read("public/checkpoint"), shown);
    let answer = follow(&place, "public", &key);
    assert_eq!((&answer["before"], &answer["size"]), (&3.into(), &5.into()));
    let cosigned = place.read("cosigned");
    assert!(cosigned.contains("\u{2014} acme.example/log ") && cosigned.contains("\u{2014} w.example "));
    // The cosigned note in the log's place stays there, and is followed like any.
    place.write("public/checkpoint", &cosigned);
    exported(&place, "public");
    assert_eq!(place.read("public/checkpoint"), cosigned);
    assert_eq!(follow(&place, "public", &key)["before"], 5);
    assert_eq!(place.read("cosigned").lines().count(), cosigned.lines().count());
}

#[test]
fn an_entry_is_proved() {
    let (place, key) = followed("prove");
    let answer = place.json(&["chain", "prove", "1", "--out=entry.tlog-proof"]);
    assert_eq!((&answer["seq"], &answer["size"]), (&1.into(), &3.into()));
    let proof = place.read("entry.tlog-proof");
    assert!(proof.starts_with("c2sp.org/tlog-proof@v1\nextra ") && proof.contains("\nindex 1\n"), "{proof}");
    assert!(proof.ends_with(&place.read("public/checkpoint")));
    place.good(&["chain", "prove", "2", "--note=cosigned", "--out=seen.tlog-proof"]);
    assert!(place.read("seen.tlog-proof").contains("\u{2014} w.example "));
    place.refused(&["chain", "prove", "3", "--out=none"], 64, "covers 3 entries");
    grow(&place, &["more"]);
    place.refused(&["chain", "prove", "3", "--note=cosigned", "--out=none"], 64, "is not the note of the last");
    place.write("cosigned", place.read("cosigned").replace("\n3\n", "\n4\n"));
    place.refused(&["chain", "prove", "3", "--note=cosigned", "--out=none"], 1, "signature");
    assert!(!place.path("none").exists() && !key.is_empty());
}

/// The operator goes on from an old copy of the home folder and of its mark, and shows it to a witness who saw more.
#[test]
fn a_fork_and_a_restored_log_are_refused() {
    let place = Place::with_records("tiles-fork");
    copy(&place.path("home"), &place.path("old"));
    grow(&place, &["one", "two"]);
    let key = exported(&place, "public");
    copy(&place.path("public"), &place.path("shown"));
    place.good(&["witness", "new", "watch", "--name", "w.example"]);
    assert_eq!(follow(&place, "public", &key)["size"], 5);
    restore(&place);
    // Its own folder shows more than it has signed.
    place.refused(&["chain", "export", "--tiles=public"], 1, "FORK");
    assert_eq!(exported(&place, "restored"), key);
    refused(&place, "restored", &key, 1, "covers 3 entries, and 5 were seen");
    grow(&place, &["one", "other"]);
    place.refused(&["chain", "export", "--tiles=public"], 1, "FORK");
    exported(&place, "restored");
    refused(&place, "restored", &key, 1, "a fork");
    grow(&place, &["third"]);
    place.refused(&["chain", "export", "--tiles=public"], 1, "FORK");
    assert_eq!(place.read("public/checkpoint"), place.read("shown/checkpoint"));
    exported(&place, "restored");
    refused(&place, "restored", &key, 1, "a fork");
    // What was shown first still is followed.
    assert_eq!(follow(&place, "public", &key)["before"], 5);
}

/// Whoever serves the log's folder, or writes it, is not believed.
#[test]
fn a_folder_that_lies_is_refused() {
    let (place, key) = followed("tiles-lie");
    grow(&place, &["more"]);
    exported(&place, "public");
    let lie = |name: &str, from: &str, to: &str| {
        let _ = fs::remove_dir_all(place.path("lie"));
        copy(&place.path("public"), &place.path("lie"));
        let path = place.path("lie").join(name);
        let bytes = fs::read(&path).unwrap();
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        let altered = [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat();
        fs::write(path, altered).unwrap();
    };
    lie("chain.jsonl", "more", "less");
    refused(&place, "lie", &key, 1, "chain entry 3 was altered");
    lie("tile/entries/000.p/4", "seq\":1", "seq\":7");
    refused(&place, "lie", &key, 1, "tile/entries/000.p/4");
    lie("checkpoint", "\n4\n", "\n5\n");
    refused(&place, "lie", &key, 1, "does not hold");
    lie("checkpoint", "acme.example/log\n4", "acme.example/lag\n4");
    refused(&place, "lie", &key, 1, "is not signed by this log's key");
    let mut tile = fs::read(place.path("public/tile/0/000.p/4")).unwrap();
    tile[0] ^= 1;
    lie("chain.jsonl", "{", "{");
    fs::write(place.path("lie/tile/0/000.p/4"), tile).unwrap();
    refused(&place, "lie", &key, 1, "tile/0/000.p/4");
    lie("chain.jsonl", "{", "{");
    fs::remove_file(place.path("lie/tile/0/000.p/4")).unwrap();
    refused(&place, "lie", &key, 66, "cannot read");
    let lines = place.read("public/chain.jsonl");
    let cut: String = lines.split_inclusive('\n').take(3).collect();
    lie("chain.jsonl", "{", "{");
    place.write("lie/chain.jsonl", cut);
    refused(&place, "lie", &key, 1, "there are 3 entries, and the note covers 4");
    assert_eq!(follow(&place, "public", &key)["before"], 3);
}

/// Whatever comes after it: whoever is interrupted then has not forgotten what he may have cosigned.
#[test]
fn where_the_log_ends_is_kept_before_anything_is_shown() {
    let place = Place::with_records("tiles-kept");
    copy(&place.path("home"), &place.path("old"));
    grow(&place, &["one"]);
    let key = exported(&place, "public");
    place.good(&["witness", "new", "watch", "--name", "w.example"]);
    place.refused(&["witness", "follow", "public", "--in=watch", "--log", &key, "--out=no/where"], 73, "no/where");
    restore(&place);
    grow(&place, &["other"]);
    exported(&place, "restored");
    refused(&place, "restored", &key, 1, "a fork");
}

#[test]
fn what_cannot_be_written_or_followed_is_told() {
    let (place, key) = followed("tiles-told");
    place.refused(&["witness", "new", "watch", "--name", "w.example"], 64, "already");
    place.refused(&["witness", "new", "other", "--name", "w example"], 66, "origin");
    place.refused(&["witness", "follow", "public", "--in=home", "--log", &key], 78, "no witness's folder");
    place.refused(&["witness", "follow", "public", "--in=watch", "--log", "x"], 66, "note_key");
    place.refused(&["witness", "follow", "nowhere", "--in=watch", "--log", &key], 66, "cannot read");
    // Somebody else's log in the folder.
    let other = Place::with_records("tiles-other");
    copy(&other.path("home"), &place.path("theirs"));
    let export = ["chain", "export", "--tiles=public", "--home=theirs"];
    place.refused(&export, 1, "shows another log");
    // What cannot be read is no other log's.
    fs::create_dir_all(place.path("unread/checkpoint")).unwrap();
    place.refused(&["chain", "export", "--tiles=unread"], 66, "cannot read");
    let spaced = Place::new("tiles-spaced");
    spaced.good(&["key", "new", "ana", "--origin", "acme log"]);
    spaced.refused(&["chain", "export", "--tiles=public"], 66, "has no notes");
    fs::remove_file(place.path("home/note.key")).unwrap();
    place.refused(&["chain", "export", "--tiles=again"], 78, "no key for the notes");
}
