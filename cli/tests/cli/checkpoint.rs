//! Checkpoints and the keys that sign them: which keys count, and what happens when the last one is gone.

use crate::run::Place;
use std::fs;

/// A key that others do not take signs no checkpoint, and an earlier one by it is told as what it is.
#[test]
fn a_key_that_does_not_count_signs_none() {
    for (state, status, told) in [("revoked", 2, "REVOKED"), ("suspended", 3, "SUSPENDED"), ("decoy", 4, "DECOY")] {
        let place = Place::with_records(&format!("checkpoint-{state}"));
        place.good(&["key", "state", "ana", state]);
        place.refused(&["checkpoint", "sign", "-o", "c.json"], status, "nothing was");
        assert!(!place.path("c.json").exists());
        place.refused(&["checkpoint", "check", "checkpoint.json"], status, told);
        place.refused(&["checkpoint", "compare", "checkpoint.json", "checkpoint.json"], status, state);
        let checked = place.good(&["chain", "check"]);
        assert!(checked.out.contains("does not count"), "{checked:?}");
        if state == "revoked" {
            place.good(&["key", "rotate", "ana"]);
        } else {
            place.good(&["key", "state", "ana", "valid"]);
        }
        place.good(&["checkpoint", "sign", "-o", "c.json"]);
        place.good(&["checkpoint", "check", "c.json"]);
        assert!(!place.good(&["chain", "check"]).out.contains("does not count"));
    }
}

/// A file of the right name makes no key one of the folder's own, nor does a ring that was put there.
#[test]
fn no_file_makes_a_key_the_logs() {
    let place = Place::with_ana("checkpoint-file");
    let identity = place.json(&["key", "show", "ana"])["info"]["identity_id"].as_str().unwrap().to_owned();
    place.good(&["--home=evil", "key", "new", &identity, "--origin=acme.example/log"]);
    place.good(&["--home=evil", "chain", "append", "all is lost"]);
    place.good(&["--home=evil", "checkpoint", "sign", "-o", "evil.json"]);
    let hash = place.json(&["--home=evil", "key", "show"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    place.refused(&["checkpoint", "check", "evil.json"], 1, "NOT VALID");
    place.write(format!("home/keys/{identity}.{hash}.pem"), "");
    place.refused(&["checkpoint", "check", "evil.json", "--chain=evil/chain.jsonl"], 1, "NOT VALID");
    fs::copy(place.path("evil/ring.json"), place.path("home/ring.json")).unwrap();
    place.refused(&["checkpoint", "check", "evil.json", "--chain=evil/chain.jsonl"], 208, "ring.json");
    place.refused(&["checkpoint", "compare", "evil.json", "evil.json"], 208, "ring.json");
    place.refused(&["chain", "check"], 208, "ring.json");
    for name in ["chain.jsonl", "head.json", "checkpoint.json"] {
        fs::copy(place.path("evil").join(name), place.path("home").join(name)).unwrap();
    }
    place.refused(&["chain", "check"], 208, "ring.json");
    // The command that tells does not send anybody to itself.
    let ran = place.refused(&["chain", "check", "--with-ring"], 208, "from copies");
    assert!(!ran.err.contains("--with-ring"), "{ran:?}");
}

/// The ring knows retired keys; their secrets may be kept elsewhere.
#[test]
fn retired_secrets_may_be_put_away() {
    let place = Place::with_records("checkpoint-archive");
    place.good(&["key", "rotate", "ana"]);
    fs::create_dir(place.path("archive")).unwrap();
    assert_eq!(place.shell("mv home/keys/*.*.pem archive/").status, 0);
    place.good(&["verify", "contract.pdf.sig.json"]);
    place.good(&["chain", "check", "--with-ring"]);
    place.good(&["sign", "contract.pdf", "-o", "again.json"]);
    place.good(&["key", "state", "ana", "suspended"]);
    place.good(&["key", "state", "ana", "valid"]);
    place.good(&["key", "export", "ana", "-o", "new.pem"]);
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["checkpoint", "sign", "-o", "next.json"]);
    place.good(&["verify", "contract.pdf.sig.json"]);
}

/// The last checkpoint is what the chain must go on from: without it nothing is signed over a chain by mistake.
#[test]
fn a_missing_checkpoint_is_told() {
    let place = Place::with_ana("checkpoint-missing");
    assert_eq!(place.shell("cp -R home fork").status, 0);
    for message in ["1", "2", "3"] {
        place.good(&["chain", "append", &format!("good {message}")]);
        place.good(&["--home=fork", "chain", "append", &format!("evil {message}")]);
    }
    place.refused(&["checkpoint", "sign", "--first", "-o", "c.json"], 64, "leave --first out");
    place.good(&["checkpoint", "sign", "-o", "c.json"]);
    for name in ["chain.jsonl", "head.json"] {
        fs::copy(place.path("fork").join(name), place.path("home").join(name)).unwrap();
    }
    place.refused(&["checkpoint", "sign", "-o", "d.json"], 205, "entries were signed");
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    place.refused(&["checkpoint", "sign", "-o", "d.json"], 78, "is missing");
    place.good(&["vault", "init"]);
    assert_eq!(place.json(&["vault", "seal", "contract.pdf"])["checkpoint"], false);
    assert!(!place.path("d.json").exists() && !place.path("home/checkpoint.json").exists());
    // Whoever insists is told what it means.
    let signed = place.good(&["checkpoint", "sign", "--first", "-o", "d.json"]);
    assert!(signed.out.contains("NOTHING EARLIER WAS HERE"), "{signed:?}");
    // A foreign one in its place is no better.
    place.good(&["--home=other", "key", "new", "bo", "--origin=acme.example/log"]);
    fs::copy(place.path("other/checkpoint.json"), place.path("home/checkpoint.json")).unwrap();
    place.refused(&["checkpoint", "sign", "-o", "e.json"], 78, "is not by a key of this home folder");
    place.refused(&["chain", "check"], 78, "is an old one or somebody else's");
}

/// What is missing from a home folder is restored, not looked for.
#[test]
fn missing_files_are_named() {
    let place = Place::with_records("checkpoint-files");
    for (name, args) in [
        ("head.json", &["chain", "check"][..]),
        ("head.json", &["sign", "contract.pdf", "--force"]),
        ("chain.jsonl", &["chain", "check"]),
        ("chain.jsonl", &["chain", "show"]),
        ("chain.jsonl", &["chain", "append", "x"]),
        ("ring.json", &["key", "show"]),
        ("ring.key", &["verify", "contract.pdf.sig.json"]),
        ("seal.key", &["seal", "contract.pdf", "--force"]),
    ] {
        let (from, to) = (place.path("home").join(name), place.path("away"));
        fs::rename(&from, &to).unwrap();
        let ran = place.refused(args, 78, &format!("{name} is missing"));
        assert!(ran.err.contains("copy"), "{ran:?}");
        fs::rename(&to, &from).unwrap();
    }
}

/// The first entry that is wrong is named.
#[test]
fn a_cut_or_longer_chain_is_located() {
    let place = Place::with_records("checkpoint-cut");
    for message in ["a", "b", "c"] {
        place.good(&["chain", "append", message]);
    }
    let chain = place.read("home/chain.jsonl");
    let lines: Vec<&str> = chain.split_inclusive('\n').collect();
    place.write("home/chain.jsonl", lines[..4].concat());
    let ran = place.refused(&["chain", "check"], 78, "entry 4 and those after it are missing: it had 6");
    assert!(!ran.err.contains("chain check`"), "{ran:?}");
    // Fewer than were signed: the checkpoint tells, too.
    place.write("home/chain.jsonl", lines[..2].concat());
    place.refused(&["chain", "check"], 78, "entry 2 and those after it are missing");
    place.write("home/chain.jsonl", &chain);
    place.good(&["--home=copy", "id", "--creator=x", "--draw", "--save=x"]);
    assert_eq!(place.shell("rm -r copy && cp -R home copy").status, 0);
    place.good(&["--home=copy", "chain", "append", "d"]);
    fs::copy(place.path("copy/chain.jsonl"), place.path("home/chain.jsonl")).unwrap();
    place.refused(&["chain", "check"], 78, "entry 6 and those after it are not by this program");
}

/// Whoever gives the document first is told which file to give.
#[test]
fn a_document_in_the_records_place() {
    let place = Place::with_records("verify-order");
    place.refused(&["verify", "contract.pdf", "--key=ana.pem"], 64, "give its record first: contract.pdf.sig.json");
    place.refused(&["verify", "contract.pdf", "contract.pdf.seal", "--key=ana.pem"], 66, "give its record first");
    place.write("x.txt", "x");
    place.refused(&["verify", "x.txt", "--key=ana.pem"], 64, "give the record first (.sig.json or .seal)");
}
