//! Checkpoints and the keys that sign them: which keys count, and what happens when the last one is gone.

use crate::run::Place;
use crate::thief;
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
    let row = format!("ring/{identity}.json");
    fs::copy(place.path("evil").join(&row), place.path("home").join(&row)).unwrap();
    let told = "a row of the ring was edited, is missing, or is an old one";
    place.refused(&["checkpoint", "check", "evil.json", "--chain=evil/chain.jsonl"], 78, told);
    place.refused(&["checkpoint", "compare", "evil.json", "evil.json"], 78, told);
    place.refused(&["chain", "check"], 78, told);
    for name in ["chain.jsonl", "chain.index", "chain.tree", "checkpoint.json"] {
        fs::copy(place.path("evil").join(name), place.path("home").join(name)).unwrap();
    }
    place.refused(&["chain", "check"], 78, "the chain has 2 entries");
    // Nor with its state, which another ring key sealed.
    fs::copy(place.path("evil/state.jsonl"), place.path("home/state.jsonl")).unwrap();
    for args in [&["chain", "check"][..], &["chain", "check", "--with-ring"], &["checkpoint", "check", "evil.json"]] {
        place.refused(args, 78, "or the ring key is another one");
    }
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

/// What was signed is what the chain must go on from: nothing is signed over another one by mistake.
#[test]
fn a_missing_checkpoint_is_told() {
    let place = Place::with_ana("checkpoint-missing");
    assert_eq!(place.shell("cp -R home fork && cp home.mark fork.mark").status, 0);
    for message in ["1", "2", "3"] {
        place.good(&["chain", "append", &format!("good {message}")]);
        place.good(&["--home=fork", "chain", "append", &format!("evil {message}")]);
    }
    place.good(&["checkpoint", "sign", "-o", "c.json"]);
    assert_eq!(place.shell("cp -R home sound").status, 0);
    let restored = "rm -r home && cp -R sound home";
    // The other chain alone, with its state, and with everything but the mark.
    for (files, told) in [
        ("chain.jsonl", "ends with another one than was written"),
        ("chain.jsonl chain.index chain.tree state.jsonl", "checkpoint"),
        (".", "the signer's mark is of 4 entries"),
    ] {
        assert_eq!(place.shell(&format!("cd fork && cp -R {files} ../home")).status, 0);
        place.refused(&["checkpoint", "sign", "-o", "d.json"], 78, told);
        place.refused(&["sign", "contract.pdf", "-o", "d.json"], 78, told);
        assert_eq!(place.shell(restored).status, 0);
    }
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    place.refused(&["checkpoint", "sign", "-o", "d.json"], 78, "checkpoint");
    // A foreign one in its place is no better.
    place.good(&["--home=other", "key", "new", "bo", "--origin=acme.example/log"]);
    fs::copy(place.path("other/checkpoint.json"), place.path("home/checkpoint.json")).unwrap();
    place.refused(&["checkpoint", "sign", "-o", "e.json"], 78, "not the one that was signed last");
    assert!(!place.path("d.json").exists() && !place.path("e.json").exists());
}

/// The mark is elsewhere: a home folder that was put back signs nothing, and no old copy undoes a revocation.
#[test]
fn a_home_that_was_put_back_signs_nothing() {
    let place = Place::with_ana("checkpoint-restored");
    assert_eq!(place.shell("cp -R home backup").status, 0);
    place.good(&["key", "state", "ana", "revoked"]);
    assert_eq!(place.shell("rm -r home && cp -R backup home").status, 0);
    for args in [&["sign", "contract.pdf", "-o", "d.json"][..], &["checkpoint", "sign", "-o", "d.json"]] {
        place.refused(args, 78, "the signer's mark is of 2 entries, and the store, with 1, is an old copy or another");
    }
    assert!(!place.path("d.json").exists());
}

/// From a checkpoint that somebody else has kept, and from no older one, nor from the folder's own.
#[test]
fn a_lost_mark_is_made_anew() {
    let place = Place::with_ana("checkpoint-mark");
    fs::copy(place.path("home/checkpoint.json"), place.path("old.json")).unwrap();
    place.good(&["chain", "append", "more"]);
    place.good(&["checkpoint", "sign", "-o", "new.json"]);
    fs::remove_file(place.path("home.mark")).unwrap();
    let refused = place.refused(&["sign", "contract.pdf", "-o", "d.json"], 78, "mark is missing");
    assert!(refused.err.contains("checkpoint renew-mark"), "{refused:?}");
    place.refused(&["checkpoint", "renew-mark", "old.json"], 78, "and the last checkpoint at 2");
    place.refused(&["checkpoint", "renew-mark", "home/checkpoint.json"], 64, "whose copies have it too");
    // What another log needs is not taken from it.
    place.good(&["--home=other", "key", "new", "bo"]);
    let theirs = place.read("other.mark");
    place.refused(&["--mark=other.mark", "checkpoint", "renew-mark", "new.json"], 78, "another log's");
    assert_eq!(place.read("other.mark"), theirs);
    assert!(!place.path("home.mark").exists());
    place.good(&["checkpoint", "renew-mark", "new.json"]);
    place.good(&["sign", "contract.pdf", "-o", "d.json"]);
    place.good(&["checkpoint", "sign", "-o", "next.json"]);
    // Also where the key that signed it was called back since: it says what was signed.
    place.good(&["key", "state", "ana", "revoked"]);
    fs::remove_file(place.path("home.mark")).unwrap();
    place.good(&["checkpoint", "renew-mark", "next.json"]);
    place.good(&["key", "rotate", "ana"]);
}

/// There is no checkpoint to give then, and its owner says so; once there is one, that is asked for.
#[test]
fn a_mark_that_was_lost_before_any_checkpoint_is_made_anew() {
    let place = Place::new("checkpoint-unsigned-mark");
    place.write("contract.pdf", "one contract");
    place.good(&["id", "--creator=x", "--draw", "--save=x"]);
    // A note key that is none keeps the first checkpoint from being signed.
    let note_key = place.read("home/note.key");
    place.write("home/note.key", "no key");
    place.good(&["key", "new", "ana"]);
    place.write("home/note.key", note_key);
    fs::remove_file(place.path("home.mark")).unwrap();
    let refused = place.refused(&["sign", "contract.pdf", "-o", "d.json"], 78, "mark is missing");
    assert!(refused.err.contains("--nothing-signed"), "{refused:?}");
    assert_eq!(place.run(&["checkpoint", "renew-mark"]).status, 64);
    let answer = place.json(&["checkpoint", "renew-mark", "--nothing-signed"]);
    assert_eq!((&answer["status"], &answer["size"]), (&0.into(), &serde_json::Value::Null), "{answer}");
    place.good(&["sign", "contract.pdf", "-o", "d.json"]);
    place.good(&["checkpoint", "sign", "-o", "c.json"]);
    fs::remove_file(place.path("home.mark")).unwrap();
    place.refused(&["checkpoint", "renew-mark", "--nothing-signed"], 78, "and the last checkpoint at");
    assert_eq!(place.run(&["checkpoint", "renew-mark", "--nothing-signed", "c.json"]).status, 64);
    assert!(!place.path("home.mark").exists());
    place.good(&["checkpoint", "renew-mark", "c.json"]);
}

/// Two marks of one folder would each let an old copy go on.
#[test]
#[cfg(unix)]
fn a_folder_has_one_mark_by_whatever_name() {
    let place = Place::with_ana("checkpoint-link");
    std::os::unix::fs::symlink("home", place.path("link")).unwrap();
    place.good(&["--home=link", "key", "state", "ana", "suspended"]);
    place.good(&["--home=./link/../home", "key", "state", "ana", "valid"]);
    place.good(&["sign", "contract.pdf"]);
    assert!(!place.path("link.mark").exists());
}

/// The key is there, and says so; the checkpoint is signed later.
#[test]
fn a_key_without_its_checkpoint_says_so() {
    let place = Place::new("checkpoint-unsigned");
    place.write("contract.pdf", "one contract");
    place.good(&["id", "--creator=x", "--draw", "--save=x"]);
    let note_key = place.read("home/note.key");
    place.write("home/note.key", "no key");
    let made = place.good(&["key", "new", "ana"]);
    assert!(made.out.contains("No checkpoint could be signed"), "{made:?}");
    place.write("home/note.key", note_key);
    place.good(&["checkpoint", "sign", "-o", "c.json"]);
    place.good(&["sign", "contract.pdf"]);
}

/// What is missing from a home folder is restored, not looked for.
#[test]
fn missing_files_are_named() {
    let place = Place::with_records("checkpoint-files");
    for (name, args) in [
        ("state.jsonl", &["chain", "check"][..]),
        ("state.jsonl", &["sign", "contract.pdf", "--force"]),
        ("records.jsonl", &["sign", "contract.pdf", "--force"]),
        ("chain.jsonl", &["chain", "check"]),
        ("chain.jsonl", &["chain", "show"]),
        ("chain.jsonl", &["chain", "append", "x"]),
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
    let ran = place.refused(&["chain", "check"], 78, "the chain has 4 entries, and had 6");
    assert!(!ran.err.contains("chain check`"), "{ran:?}");
    // Fewer than were signed.
    place.write("home/chain.jsonl", lines[..2].concat());
    place.refused(&["chain", "check"], 78, "the chain has 2 entries, and had 6");
    place.write("home/chain.jsonl", &chain);
    assert_eq!(place.shell("cp -R home copy && cp home.mark copy.mark").status, 0);
    place.good(&["--home=copy", "chain", "append", "d"]);
    fs::copy(place.path("copy/chain.jsonl"), place.path("home/chain.jsonl")).unwrap();
    place.refused(&["chain", "check"], 78, "the chain has 7 entries, of which steps wrote 6");
}

/// Scripts tell a fork, an old copy and a lost file apart without reading words.
#[test]
fn a_failure_names_what_was_refused() {
    let place = Place::with_ana("checkpoint-refused");
    fs::copy(place.path("home/checkpoint.json"), place.path("old.json")).unwrap();
    assert_eq!(place.shell("mkdir first second; for to in first second; do cp -R home home.mark $to; done").status, 0);
    let refused = |args: &[&str], status: i32, name: &str| {
        let answer = place.json(args);
        assert_eq!((&answer["refused"], &answer["status"]), (&name.into(), &status.into()), "{answer}");
        assert_eq!(answer["code"], serde_json::Value::Null, "{answer}");
    };
    let check = ["chain", "check"];
    let swapped = |name: &str, text: String, as_named: &str| {
        let path = format!("home/{name}");
        let held = place.read(&path);
        place.write(&path, text);
        refused(&["sign", "contract.pdf", "-o", "x.json"], 78, as_named);
        place.write(&path, held);
    };
    place.good(&["chain", "append", "one"]);
    place.good(&["checkpoint", "sign", "-o", "new.json"]);
    place.good(&["chain", "append", "two"]);
    let chain = place.read("home/chain.jsonl");
    swapped("chain.jsonl", chain.split_inclusive('\n').take(1).collect(), "chain-cut");
    swapped("chain.jsonl", format!("{chain}{chain}"), "chain-longer");
    let (before, after) = place.read("home/state.jsonl").split_once("\"mac\":\"").map(owned).unwrap();
    let other = if after.starts_with('0') { "1" } else { "0" };
    swapped("state.jsonl", format!("{before}\"mac\":\"{other}{}", &after[1..]), "state-edited");
    swapped("checkpoint.json", place.read("old.json"), "checkpoint-other");
    swapped("home.json", "[]".to_owned(), "broken");
    swapped("../home.mark", place.read("first/home.mark"), "mark-other");
    swapped("../home.mark", "no mark".to_owned(), "mark-unreadable");
    for (name, as_named) in
        [("home/chain.jsonl", "missing"), ("home/ring.key", "missing"), ("home.mark", "mark-missing")]
    {
        fs::rename(place.path(name), place.path("away")).unwrap();
        refused(&check, 78, as_named);
        fs::rename(place.path("away"), place.path(name)).unwrap();
    }
    place.good(&check);
    // An old copy, which goes on elsewhere, and the checkpoint of that.
    refused(&["--home=first/home", "--mark=home.mark", "sign", "contract.pdf", "-o", "x.json"], 78, "restored");
    for message in ["six", "sixteen"] {
        place.good(&["--home=second/home", "chain", "append", message]);
    }
    place.good(&["--home=second/home", "checkpoint", "sign", "-o", "fork.json"]);
    refused(&["checkpoint", "check", "fork.json"], 1, "fork");
    let lie = thief::signed(&place, "new.json", "ana", &[("ring", serde_json::Value::Null)]);
    place.write("lie.json", lie.to_json());
    refused(&["checkpoint", "check", "lie.json"], 1, "false-ring");
    place.good(&["key", "state", "ana", "suspended"]);
    refused(&["sign", "contract.pdf", "-o", "x.json"], 3, "key-suspended");
    // What the library refuses has its number.
    let answer = place.json(&["verify", "new.json", "--key=old.json"]);
    assert_eq!(answer["refused"], serde_json::Value::Null, "{answer}");
}

fn owned((before, after): (&str, &str)) -> (String, String) {
    (before.to_owned(), after.to_owned())
}

/// Whoever gives the document first is told which file to give.
#[test]
fn a_document_in_the_records_place() {
    let place = Place::with_records("verify-order");
    let ran = place.good(&["verify", "contract.pdf", "--key=ana.pem"]);
    assert!(ran.out.starts_with("Valid: all 2 records beside the document hold."), "{ran:?}");
    place.refused(&["verify", "contract.pdf", "contract.pdf.seal", "--key=ana.pem"], 66, "give its record first");
    place.write("x.txt", "x");
    place.refused(&["verify", "x.txt", "--key=ana.pem"], 64, "give the record first (.sig.json or .seal)");
}
