//! Proofs that are read from the log's folder, in a few reads whatever the size of the log; and folders that lie.

use super::{copy, exported, grow};
use crate::evidence::told;
use crate::run::Place;
use dualseal::Domain;
use serde_json::json;
use std::fs;

/// A log of some 600 entries, exported, with a record at entry 1, and its fingerprint.
fn long(name: &str) -> (Place, String) {
    let place = Place::with_records(name);
    append(&place, 600);
    let log = covered(&place);
    exported(&place, "public");
    (place, log)
}

fn covered(place: &Place) -> String {
    let answer = place.json(&["checkpoint", "sign", "-o", "newer.json", "--force"]);
    answer["log"].as_str().unwrap().to_owned()
}

fn append(place: &Place, count: usize) {
    place.append(&Domain::default(), (0..count).map(|number| "m".repeat(number % 50)));
}

const TILES: &str = "--tiles=public";

fn prove<'a>(seq: &'a str, folder: &'a str) -> [&'a str; 6] {
    ["chain", "prove", seq, "--place", "--out=none", folder]
}

fn make<'a>(seq: &'a str, folder: &'a str) -> [&'a str; 7] {
    ["evidence", "make", "contract.pdf.sig.json", "--seq", seq, "--out=none", folder]
}

/// What is made from the folder is what the whole chain gives, and the chain is not read for it.
#[test]
fn a_few_reads_prove_what_the_whole_chain_proves() {
    let (place, log) = long("tiles-proofs");
    let seqs = ["0", "1", "255", "256", "511", "512", "602"];
    for seq in seqs {
        for form in [&["--place"][..], &[]] {
            let proof = |out: &str, more: &[&str]| {
                place.good(&[&["chain", "prove", seq, out, "--force"], form, more].concat());
            };
            proof("--out=whole", &[]);
            proof("--out=read", &[TILES]);
            assert_eq!(place.read("whole"), place.read("read"), "{seq} {form:?}");
        }
    }
    place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", "whole", "--force"]);
    place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", "read", "--force", TILES, "--seq=1"]);
    assert_eq!(place.read("whole"), place.read("read"));
    assert_eq!(told(&place, "contract.pdf", "read", &log, &[])["status"], 0);
    // An entry in the middle that somebody altered, as long as it was: whoever reads it says so.
    let chain = place.read("home/chain.jsonl");
    place.write("home/chain.jsonl", chain.replacen("mmmm", "nnnn", 1));
    place.refused(&["chain", "prove", "1", "--out=none"], 1, "was altered");
    place.good(&["chain", "prove", "1", "--out=some", TILES]);
    place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", "read", "--force", TILES, "--seq=1"]);
    assert_eq!(place.read("whole"), place.read("read"));
}

#[test]
fn a_folder_that_lies_proves_nothing() {
    let (place, _) = long("tiles-proofs-lie");
    let refused = |status: i32, words: &str| {
        for args in [&prove("1", "--tiles=lie")[..], &make("1", "--tiles=lie")] {
            let ran = place.refused(args, status, words);
            assert!(ran.err.contains("chain export --tiles"), "{ran:?}");
            assert!(!place.path("none").exists());
        }
    };
    let lie = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let _ = fs::remove_dir_all(place.path("lie"));
        copy(&place.path("public"), &place.path("lie"));
        let path = place.path("lie").join(name);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    // A node of which the root is made, and one that is only on the path.
    lie("tile/1/000.p/2", &|tile| tile[0] ^= 1);
    refused(1, "the folder lie does not fit the checkpoint: its tiles give another tree than the one over 603 entries");
    lie("tile/0/000", &|tile| tile[5] ^= 1);
    refused(1, "the folder lie does not fit the checkpoint");
    lie("tile/0/000", &|tile| tile.truncate(32));
    refused(66, "tile");
    // Another entry in its place, by the line or by the index.
    lie("chain.jsonl", &|lines| {
        let second = lines.iter().position(|byte| *byte == b'\n').unwrap();
        let time = lines[second..].windows(6).position(|part| part == b"\"t\":\"2").unwrap() + second + 5;
        lines[time] = b'1';
    });
    let unlike = || {
        for args in [&prove("1", "--tiles=lie")[..], &make("1", "--tiles=lie")] {
            let ran = place.run(args);
            assert!([1, 66].contains(&ran.status) && ran.err.contains("chain export --tiles"), "{ran:?}");
            assert!(!place.path("none").exists());
        }
    };
    unlike();
    let behind = u16::try_from(place.read("chain.jsonl").find('\n').unwrap() + 1).unwrap();
    lie("chain.index", &|index| index[6..8].copy_from_slice(&behind.to_be_bytes()));
    unlike();
    lie("chain.index", &|index| index[0] = 0xff);
    refused(66, "chain.jsonl");
    lie("chain.index", &Vec::clear);
    refused(66, "chain.index");
    // No end of a line, however long the file is.
    lie("chain.jsonl", &Vec::clear);
    fs::File::options().write(true).open(place.path("lie/chain.jsonl")).unwrap().set_len(1 << 30).unwrap();
    refused(66, "a line of more than 16 MiB");
    // One that was written before the last checkpoint, another log's, and none.
    grow(&place, &["more"]);
    for args in [&prove("1", TILES)[..], &make("1", TILES), &prove("1", "--tiles=nowhere")] {
        place.refused(args, 66, "cannot read");
    }
    let other = Place::with_records("tiles-proofs-other");
    append(&other, 601);
    covered(&other);
    exported(&other, "public");
    copy(&other.path("public"), &place.path("theirs"));
    for args in [&prove("1", "--tiles=theirs")[..], &make("1", "--tiles=theirs")] {
        place.refused(args, 1, "the folder theirs does not fit the checkpoint");
    }
    exported(&place, "public");
    place.good(&prove("1", TILES));
    fs::remove_file(place.path("none")).unwrap();
    place.refused(&make("2", TILES), 64, "entry 2 of the log is not the record's");
    place.refused(&make("604", TILES), 64, "no checkpoint covers the record's entry yet");
    place.refused(&prove("604", TILES), 64, "covers 604 entries");
}

#[test]
fn two_sizes_are_compared_by_a_few_reads() {
    let (place, _) = long("tiles-proofs-compare");
    copy(&place.path("home"), &place.path("fork"));
    fs::copy(place.path("newer.json"), place.path("at-603.json")).unwrap();
    let compare = |one: &str, other: &str, folder: &str| {
        place.json(&["checkpoint", "compare", one, other, "--log-key=ana.pem", folder])
    };
    for (one, other) in [("checkpoint.json", "at-603.json"), ("at-603.json", "checkpoint.json")] {
        let answer = compare(one, other, TILES);
        assert_eq!((&answer["comparison"], &answer["status"]), (&json!("grown"), &json!(0)), "{answer}");
    }
    assert_eq!(compare("at-603.json", "at-603.json", TILES)["comparison"], "equal");
    // Of one log, and not one from the other.
    append(&place, 3);
    covered(&place);
    exported(&place, "public");
    for line in ["chain append other --home fork", "checkpoint sign -o forked.json --home fork"] {
        place.good(&line.split(' ').collect::<Vec<_>>());
    }
    let args = ["checkpoint", "compare", "forked.json", "newer.json", "--log-key=ana.pem", TILES];
    let ran = place.refused(&args, 1, "it is not shown that the log of 606 entries goes on");
    assert!(ran.err.contains("--chain"), "{ran:?}");
    assert_eq!(compare("at-603.json", "newer.json", TILES)["comparison"], "grown");
}
