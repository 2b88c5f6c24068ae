//! Files of evidence that no one log can have given out, whatever each says alone.

use super::mark;
use crate::evidence::{FILE, covered, signed};
use crate::run::Place;
use crate::thief;
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::Unprepared;
use dualseal::{Domain, Head, SigningKey, SystemRng};
use serde_json::{Value as Json, json};
use std::fs;

/// Another's copy of the home folder.
const THIEF: &str = "--home=thief";

/// Ana's log with her signature of the contract, and a copy of it whose owner has the log's key too.
fn copied(name: &str) -> (Place, String) {
    let (place, log) = signed(name);
    fs::create_dir(place.path("in")).unwrap();
    place.copy_home("home", "thief");
    (place, log)
}

/// Lines of arguments, by whoever has this home folder.
fn run(place: &Place, home: &str, lines: &[&str]) {
    for line in lines {
        place.good(&[home].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
    }
}

/// Messages, a checkpoint over them, and evidence of the contract's signature under that, with the contract.
fn evidence(place: &Place, home: &str, messages: &[&str], name: &str) {
    for message in messages {
        run(place, home, &[&format!("chain append {message} --as ana")]);
    }
    run(place, home, &[&format!("checkpoint sign --as ana -o {name}.checkpoint.json")]);
    given(place, home, "contract.pdf.sig.json contract.pdf", "contract.pdf", name);
}

/// Evidence of a record, with its document.
fn given(place: &Place, home: &str, record: &str, document: &str, name: &str) {
    fs::copy(place.path(document), place.path(format!("in/{name}"))).unwrap();
    run(place, home, &[&format!("evidence make {record} -o in/{name}.evidence.json")]);
}

fn audit(place: &Place, more: &[&str]) -> Json {
    place.json(&[&["audit", "in"], more].concat())
}

fn of(answer: &Json, name: &str) -> (String, String) {
    let path = format!("{name}.evidence.json");
    let line = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == *path).unwrap();
    (mark(answer, &path), line["text"].as_str().unwrap().to_owned())
}

#[track_caller]
fn told(answer: &Json, name: &str, expected: &str, words: &str) {
    let (mark, text) = of(answer, name);
    assert!(mark == expected && text.contains(words), "{name}: {mark}: {text}: {answer}");
}

/// Whoever stole the log's key shows the operator a chain that is not his, longer, as long, or shorter.
#[test]
fn the_operators_own_chain_is_asked() {
    let (place, _) = copied("forks-own");
    evidence(&place, THIEF, &["one"], "shorter");
    evidence(&place, THIEF, &["two"], "equal");
    evidence(&place, THIEF, &["three"], "longer");
    evidence(&place, "--home=home", &["other"], "early");
    evidence(&place, "--home=home", &["another"], "own");
    let answer = audit(&place, &[]);
    for name in ["shorter", "equal", "longer"] {
        told(&answer, name, "invalid", "FORK: it and the home folder's own chain contradict each other");
    }
    // Whoever has the chain knows which of two is his.
    for name in ["early", "own"] {
        told(&answer, name, "valid", "holds");
    }
    assert_eq!((&answer["status"], &answer["worst"]), (&json!(1), &json!("invalid")), "{answer}");
    // Without its document too.
    fs::remove_file(place.path("in/equal")).unwrap();
    told(&audit(&place, &[]), "equal", "invalid", "FORK");
    for name in ["shorter", "equal", "longer"] {
        fs::remove_file(place.path(format!("in/{name}.evidence.json"))).unwrap();
    }
    assert_eq!(audit(&place, &[])["status"], 0);
}

/// Of what lies behind the beginning the chain is not asked: nothing tells which of two files is the operator's.
#[test]
fn files_from_before_the_beginning_convict_no_log() {
    let (place, _) = copied("forks-since");
    place.write("bo.pdf", "by bo");
    run(&place, "--home=home", &["sign bo.pdf --as bo"]);
    place.copy_home("home", "thief");
    evidence(&place, THIEF, &["one"], "his");
    evidence(&place, "--home=home", &["another"], "own");
    // Another history of a key, at another size.
    for (home, line, name) in
        [(THIEF, "key state bo revoked", "his-bo"), ("--home=home", "chain append more --as ana", "own-bo")]
    {
        run(&place, home, &[line, &format!("checkpoint sign --as ana -o {name}.checkpoint.json")]);
        given(&place, home, "bo.pdf.sig.json bo.pdf", "bo.pdf", name);
        run(&place, "--home=home", &["chain append filler --as ana"]);
    }
    run(&place, "--home=home", &["checkpoint sign --as ana -o first.json"]);
    place.write("in/new.pdf", "since then");
    run(&place, "--home=home", &["sign in/new.pdf --as ana", "key rotate ana"]);
    run(&place, "--home=home", &["checkpoint sign --as ana -o in/last.checkpoint.json"]);
    let answer = audit(&place, &[]);
    for (name, lie) in [("own", "his"), ("own-bo", "his-bo")] {
        told(&answer, name, "valid", "holds");
        told(&answer, lie, "invalid", "FORK: it and the home folder's own chain contradict each other");
    }
    assert_eq!((mark(&answer, "new.pdf.sig.json"), &answer["status"]), ("valid".to_owned(), &json!(1)), "{answer}");
    let answer = audit(&place, &["--since=first.json"]);
    for name in ["own", "his", "own-bo", "his-bo"] {
        told(&answer, name, "unchecked", "it does not stand after the");
    }
    for name in ["new.pdf.sig.json", "last.checkpoint.json"] {
        assert_eq!(mark(&answer, name), "valid", "{answer}");
    }
    assert_eq!(answer["status"], 3, "{answer}");
}

/// A log shows two people two chains, and one auditor gets the files of both.
#[test]
fn two_files_of_one_size_are_a_fork() {
    let (place, log) = copied("forks-files");
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log];
    given(&place, "--home=home", "contract.pdf.sig.json contract.pdf", "contract.pdf", "before");
    evidence(&place, "--home=home", &["one"], "one");
    assert_eq!(audit(&place, &stranger)["status"], 0);
    evidence(&place, THIEF, &["another"], "another");
    let answer = audit(&place, &stranger);
    told(&answer, "one", "invalid", "FORK: it and another.evidence.json contradict each other");
    told(&answer, "another", "invalid", "FORK: it and one.evidence.json contradict each other");
    // Nothing that such a log says is relied on, and that is told of the rest.
    told(&answer, "before", "unchecked", "its log contradicts itself");
    assert_eq!(answer["status"], 1, "{answer}");
    // Outsiders are told of it too.
    assert_eq!(audit(&place, &[&stranger[..], &["--public"]].concat())["status"], 1);
}

/// A log may sign its empty head: whoever puts that beside its evidence and its chain frames nobody.
#[test]
fn a_checkpoint_of_no_entries_is_no_fork() {
    let (place, log) = copied("forks-empty");
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log, "--log-key=ana.pem"];
    evidence(&place, "--home=home", &["one"], "one");
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    let (empty, none) = (Head::EMPTY.tree_head(), Json::Null);
    let (top, root) = (json!(empty.top.to_hex()), json!(empty.root.to_hex()));
    let empty = [("ring", none), ("root", root), ("size", json!(0)), ("top", top)];
    let empty = thief::signed(&place, "one.checkpoint.json", "ana", &empty);
    place.write("in/empty.checkpoint.json", empty.to_json());
    for more in [&stranger[..], &[]] {
        let answer = audit(&place, more);
        told(&answer, "one", "valid", "holds");
        assert_eq!(mark(&answer, "empty.checkpoint.json"), "valid", "{answer}");
        assert_eq!(answer["status"], 0, "{answer}");
    }
}

/// Two keys sign for one log, and an auditor who was given the fingerprints of both cannot know whose it is.
#[test]
fn two_signers_who_contradict_each_other_convict_nobody() {
    let (place, log) = copied("forks-signers");
    given(&place, "--home=home", "contract.pdf.sig.json contract.pdf", "contract.pdf", "before");
    evidence(&place, "--home=home", &["one"], "one");
    run(&place, THIEF, &["chain append another --as ana"]);
    let signed = place.json(&[THIEF, "checkpoint", "sign", "--as=bo", "-o", "another.checkpoint.json"]);
    given(&place, THIEF, "contract.pdf.sig.json contract.pdf", "contract.pdf", "another");
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log, "--log", signed["log"].as_str().unwrap()];
    // Two heads of one size, and of two sizes where the chain of one lies there.
    for by_chain in [false, true] {
        if by_chain {
            evidence(&place, "--home=home", &["two"], "two");
            fs::remove_file(place.path("in/one.evidence.json")).unwrap();
            fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
        }
        let name = if by_chain { "two" } else { "one" };
        let answer = audit(&place, &stranger);
        told(&answer, name, "unchecked", "it and another.evidence.json contradict each other");
        told(&answer, "another", "unchecked", &format!("it and {name}.evidence.json contradict each other"));
        told(&answer, "another", "unchecked", "another key");
        told(&answer, "before", "valid", "holds");
        assert_eq!(answer["status"], 3, "{answer}");
    }
    // One key that signs two chains is convicted as before, whoever else signs between them.
    evidence(&place, THIEF, &["three"], "three");
    told(&audit(&place, &stranger), "three", "invalid", "FORK: it and two.evidence.json contradict each other");
}

/// One of the two is a checkpoint, or both sizes differ and a chain shows it.
#[test]
fn files_are_held_against_checkpoints_and_chains() {
    let (place, log) = copied("forks-checkpoints");
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log, "--log-key=ana.pem"];
    evidence(&place, THIEF, &["another"], "another");
    evidence(&place, "--home=home", &["one"], "one");
    fs::rename(place.path("in/one.evidence.json"), place.path("one.evidence.json")).unwrap();
    fs::copy(place.path("one.checkpoint.json"), place.path("in/log.checkpoint.json")).unwrap();
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    let answer = audit(&place, &stranger);
    told(&answer, "another", "invalid", "FORK: it and log.checkpoint.json");
    assert_eq!(
        (mark(&answer, "log.checkpoint.json"), &answer["status"]),
        ("invalid".to_owned(), &json!(1)),
        "{answer}"
    );
    // The chain of a longer one.
    evidence(&place, "--home=home", &["two"], "two");
    fs::copy(place.path("two.checkpoint.json"), place.path("in/log.checkpoint.json")).unwrap();
    let without = audit(&place, &stranger);
    assert_eq!(mark(&without, "chain.jsonl"), "invalid", "{without}");
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    let answer = audit(&place, &stranger);
    told(&answer, "another", "invalid", "FORK: it and two.evidence.json");
    told(&answer, "two", "invalid", "FORK: it and another.evidence.json");
    // Of a log that is convicted nothing counts.
    let marks = ["chain.jsonl", "log.checkpoint.json"].map(|file| mark(&answer, file));
    assert_eq!((marks, &answer["status"]), (["unchecked", "unchecked"].map(str::to_owned), &json!(1)), "{answer}");
    fs::remove_file(place.path("in/two.evidence.json")).unwrap();
    let answer = audit(&place, &stranger);
    told(&answer, "another", "invalid", "FORK: it and log.checkpoint.json");
    let marks = ["chain.jsonl", "log.checkpoint.json"].map(|file| mark(&answer, file));
    assert_eq!((marks, &answer["status"]), (["invalid", "invalid"].map(str::to_owned), &json!(1)), "{answer}");
    // The file of the honest chain alone.
    fs::remove_file(place.path("in/another.evidence.json")).unwrap();
    fs::rename(place.path("one.evidence.json"), place.path("in/one.evidence.json")).unwrap();
    assert_eq!(audit(&place, &stranger)["status"], 0);
}

/// Who hands over two files of a forked log, and its chain, spoils the end of that.
#[test]
fn what_a_chain_shows_before_a_fault_stays_shown() {
    let (place, log) = copied("forks-fault");
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log];
    evidence(&place, THIEF, &["another"], "another");
    evidence(&place, "--home=home", &["one", "two"], "two");
    let chain = place.read("home/chain.jsonl");
    let last = chain[..chain.len() - 1].rfind('\n').unwrap() + 1;
    for (end, told_of_chain) in [("nothing\n", true), (&chain[last..], true), ("", false)] {
        place.write("in/chain.jsonl", format!("{chain}{end}"));
        let answer = audit(&place, &stranger);
        told(&answer, "another", "invalid", "FORK: it and two.evidence.json");
        told(&answer, "two", "invalid", "FORK: it and another.evidence.json");
        assert_eq!(mark(&answer, "chain.jsonl") != "unchecked", told_of_chain, "{answer}");
        // The same two as checkpoints.
        for name in ["another", "two"] {
            fs::copy(place.path(format!("{name}.checkpoint.json")), place.path(format!("in/{name}.json"))).unwrap();
            fs::rename(place.path(format!("in/{name}.evidence.json")), place.path(format!("{name}.away"))).unwrap();
        }
        let answer = audit(&place, &["--home=none", "--key=ana.pem", "--log-key=ana.pem"]);
        for (name, other) in [("another", "two"), ("two", "another")] {
            let line = answer["files"].as_array().unwrap().iter().find(|line| line["path"] == format!("{name}.json"));
            let text = line.unwrap()["text"].as_str().unwrap();
            assert!(text.contains(&format!("FORK: it and {other}.json")), "{answer}");
            fs::remove_file(place.path(format!("in/{name}.json"))).unwrap();
        }
        for name in ["another", "two"] {
            fs::rename(place.path(format!("{name}.away")), place.path(format!("in/{name}.evidence.json"))).unwrap();
        }
    }
    // Behind the fault nothing is known.
    place.write("in/chain.jsonl", format!("{}nothing\n", &chain[..last]));
    told(&audit(&place, &stranger), "another", "valid", "holds");
}

/// What the library makes for whoever has ana's old key: `after` under a checkpoint of his over the operator's own
/// chain. The fingerprint of the log by that key.
fn stolen(place: &Place) -> String {
    let before = Checkpoint::from_json(place.read("before.checkpoint.json").as_bytes()).unwrap();
    let ana = before.identity_id();
    let file = place.read("in/after.evidence.json");
    let mut file: Json = serde_json::from_str(&file).unwrap();
    let (domain, checkpoint) = (Domain::default(), file["checkpoint"].to_string());
    let checkpoint = Checkpoint::from_json(checkpoint.as_bytes()).unwrap();
    let (identity_id, key_hash) = (*checkpoint.identity_id(), *checkpoint.public_key().hash());
    let pins = Pins { origin: checkpoint.origin().to_owned(), identity_id, key_hash, least_size: 0 };
    let time = checkpoint.time();
    let verified = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint).valid().unwrap();
    let old = SigningKey::from_pkcs8_pem(&place.read(&format!("thief/keys/{ana}.pem"))).unwrap();
    let signer = CheckpointSigner::new(&domain, &pins.origin, ana, &old).unwrap();
    let stolen = signer.sign(&HighWaterMark::of(&verified), time, &mut SystemRng).unwrap();
    file["checkpoint"] = serde_json::from_str(&stolen.to_json()).unwrap();
    file["note"] = Json::Null;
    place.write("in/stolen.evidence.json", file.to_string());
    fs::copy(place.path("in/after"), place.path("in/stolen")).unwrap();
    stolen.fingerprint(&domain).to_hex()
}

/// A thief of a retired key of the log signs the operator's own chain, as it went on after the rotation.
#[test]
fn a_retired_key_of_the_log_counts_up_to_its_retirement() {
    let (place, _) = copied("forks-retired");
    evidence(&place, "--home=home", &["before"], "before");
    let keys = ["home/keys", "thief/keys"].map(|folder| fs::read_dir(place.path(folder)).unwrap().count());
    assert_eq!(keys, [2, 2]);
    place.good(&["key", "rotate", "ana"]);
    evidence(&place, "--home=home", &[], "after");
    assert_eq!(audit(&place, &[])["status"], 0);
    let retired = stolen(&place);
    // Also where somebody names the log by that key.
    for more in [&[][..], &["--log", &retired]] {
        let answer = audit(&place, more);
        told(&answer, "stolen", "invalid", "the log's key counts up to entry 5");
        told(&answer, "before", "valid", "holds");
        told(&answer, "after", "valid", "holds");
        assert_eq!(answer["status"], 1, "{answer}");
    }
}

/// The same of a key that was called back or suspended, or became a trap: it counts up to that, and no further where
/// somebody names the log by it.
#[test]
fn a_key_of_the_log_in_another_state_counts_up_to_that() {
    for state in ["revoked", "suspended", "decoy"] {
        let (place, ana) = copied(&format!("forks-{state}"));
        let home = "--home=home";
        let given = |name| given(&place, home, "bo.pdf.sig.json bo.pdf", "bo.pdf", name);
        place.write("bo.pdf", "by bo");
        run(&place, home, &["sign bo.pdf --as bo", "checkpoint sign --as ana -o before.checkpoint.json"]);
        given("before");
        run(&place, home, &["chain append more --as bo", &format!("key state ana {state}")]);
        // Before another key signs for the log, and after.
        told(&audit(&place, &[]), "before", "valid", "");
        // The same chain, whose last checkpoint is ana's.
        place.copy_home("home", "early");
        run(&place, home, &["checkpoint sign --as bo -o after.checkpoint.json"]);
        given("after");
        assert_eq!(stolen(&place), ana);
        let early = "--home=early";
        for more in [&["--log", &ana][..], &["--log", &ana, early], &[early]] {
            let answer = audit(&place, more);
            told(&answer, "before", "valid", "");
            told(&answer, "stolen", "invalid", "the log's key counts up to entry 6");
            // As outsiders are answered, who know of no decoy.
            let answer = audit(&place, &[&["--public"], more].concat());
            told(&answer, "stolen", if state == "decoy" { "valid" } else { "invalid" }, "");
        }
        // In the place of the last one an earlier checkpoint is found out.
        fs::copy(place.path("before.checkpoint.json"), place.path("home/checkpoint.json")).unwrap();
        place.refused(&["audit", "in"], 78, "the checkpoint is not the one that was signed last");
    }
}

/// An auditor's ring tells that the key was retired by which he names the log.
#[test]
fn a_ring_that_is_given_tells_of_the_logs_keys() {
    let (place, _) = copied("forks-ring");
    evidence(&place, "--home=home", &["before"], "before");
    place.good(&["key", "rotate", "ana"]);
    evidence(&place, "--home=home", &[], "after");
    let log = stolen(&place);
    place.good(&["key", "export", "--ring", "-o", "now.json"]);
    let answer = audit(&place, &["--home=none", "--ring=now.json", "--log", &log]);
    told(&answer, "before", "valid", "holds");
    told(&answer, "stolen", "invalid", "the log's key counts up to entry 5");
    told(&answer, "after", "unchecked", "another log");
}

/// The log's signer raises the place of a compromise, and both of his words come to one auditor.
#[test]
fn a_compromise_that_was_raised_is_a_finding() {
    let (place, log) = copied("forks-raised");
    place.write("bo.pdf", "by bo");
    for (home, lines) in [
        ("--home=home", &["key state bo revoked"][..]),
        (THIEF, &["chain append filler --as ana", "key new ivo", "key state bo revoked"]),
    ] {
        let name = if home == THIEF { "later" } else { "early" };
        // One record of one time, at one place.
        run(&place, home, &["sign bo.pdf --as bo --time 2026-11-21T09:00:00.000Z --force"]);
        run(&place, home, lines);
        run(&place, home, &[&format!("checkpoint sign --as ana -o {name}.checkpoint.json")]);
        given(&place, home, "bo.pdf.sig.json bo.pdf", "bo.pdf", name);
    }
    let stranger = ["--home=none", "--key=ana.pem", "--log", &log];
    for more in [&stranger[..], &[&stranger[..], &["--public"]].concat()] {
        let answer = audit(&place, more);
        told(&answer, "early", "invalid", "later.evidence.json says otherwise");
        told(&answer, "later", "invalid", "early.evidence.json says otherwise");
        assert_eq!(answer["status"], 1, "{answer}");
    }
    fs::remove_file(place.path("in/later.evidence.json")).unwrap();
    assert_eq!(audit(&place, &stranger)["status"], 2);
    assert_ne!(covered(&place), "", "the honest log goes on");
    assert!(!place.path(FILE).exists());
}
