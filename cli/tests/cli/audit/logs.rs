//! Logs that were cut off or forked: the checkpoints that lie in a folder say so together, whatever each says alone.

use super::{STRANGER, mark};
use crate::run::Place;
use std::fs;

/// A log at 3 entries and at 6, and a fork of it from 3 to 6, each with its checkpoints.
fn forked(name: &str) -> Place {
    let place = Place::with_ana(name);
    fs::create_dir(place.path("in")).unwrap();
    for line in [
        "dualseal key new bo",
        "dualseal sign contract.pdf --as bo",
        "dualseal key export ana -o ana.pem",
        "dualseal checkpoint sign --as ana -o old.json",
        "cp home/chain.jsonl old.jsonl",
        "cp -a home fork && cp home.mark fork.mark",
        "for n in 1 2 3; do dualseal chain append m$n --as ana; dualseal chain append n$n --as ana --home fork; done",
        "dualseal checkpoint sign --as ana -o new.json",
        "dualseal checkpoint sign --as ana -o fork.json --home fork",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    place
}

/// An audit of these files under these names, by a stranger: its status, and the mark of each of them.
fn audited(place: &Place, files: &[(&str, &str)]) -> (i64, Vec<String>, serde_json::Value) {
    fs::remove_dir_all(place.path("in")).unwrap();
    fs::create_dir(place.path("in")).unwrap();
    for (from, to) in files {
        fs::copy(place.path(from), place.path("in").join(to)).unwrap();
    }
    let answer = place.json(&STRANGER);
    let marks = files.iter().map(|(_, to)| mark(&answer, to)).collect();
    (answer["status"].as_i64().unwrap(), marks, answer)
}

fn text(answer: &serde_json::Value, path: &str) -> String {
    let files = answer["files"].as_array().unwrap().iter();
    files.clone().find(|file| file["path"] == path).unwrap()["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_chain_shorter_than_a_checkpoint_is_cut_off() {
    let place = forked("audit-cut-off");
    let (old, new) = (("old.json", "checkpoint-1.json"), ("new.json", "checkpoint-2.json"));
    let (status, marks, answer) = audited(&place, &[("old.jsonl", "chain.jsonl"), old, new]);
    assert_eq!((status, marks), (1, ["invalid", "unchecked", "unchecked"].map(str::to_owned).to_vec()), "{answer}");
    assert!(text(&answer, "chain.jsonl").contains("cut off"), "{answer}");
    let (status, marks, answer) = audited(&place, &[("home/chain.jsonl", "chain.jsonl"), old, new]);
    assert_eq!((status, marks), (0, ["valid", "valid", "valid"].map(str::to_owned).to_vec()), "{answer}");
    assert!(text(&answer, "chain.jsonl").contains("6 of them under checkpoint-2.json; 1 record"), "{answer}");
    // Nothing shows that the larger grew from the smaller, nor that either has a chain at all.
    let (status, marks, answer) = audited(&place, &[old, new]);
    assert_eq!((status, marks), (3, ["unchecked", "unchecked"].map(str::to_owned).to_vec()), "{answer}");
}

#[test]
fn a_fork_is_told() {
    let place = forked("audit-fork");
    let (old, new, fork) = (("old.json", "checkpoint-1.json"), ("new.json", "b.json"), ("fork.json", "c.json"));
    let chain = ("home/chain.jsonl", "chain.jsonl");
    for files in [
        &[new, fork][..],
        &[new, fork, chain],
        &[new, fork, ("fork/chain.jsonl", "chain.jsonl")],
        &[new, fork, chain, ("fork/chain.jsonl", "forked.jsonl"), old],
    ] {
        let (status, marks, answer) = audited(&place, files);
        assert_eq!((status, &answer["worst"]), (1, &"invalid".into()), "{answer}");
        for (file, mark) in files.iter().zip(marks).filter(|(file, _)| **file != old) {
            assert_eq!(mark, "invalid", "{file:?}: {answer}");
        }
        assert!(text(&answer, "b.json").contains("FORK: it and c.json"), "{answer}");
        assert!(text(&answer, "c.json").contains("FORK: it and b.json"), "{answer}");
        if files.iter().any(|(_, name)| *name == "chain.jsonl") {
            assert!(text(&answer, "chain.jsonl").starts_with("FORK: "), "{answer}");
        }
    }
    // Of different sizes, the chain of the larger one tells.
    assert_eq!(
        place.shell("dualseal chain append m4 --as ana; dualseal checkpoint sign --as ana -o newer.json").status,
        0
    );
    let files = [("newer.json", "b.json"), fork, chain];
    let (status, marks, answer) = audited(&place, &files);
    assert_eq!((status, marks), (1, vec!["invalid".to_owned(); 3]), "{answer}");
    assert!(text(&answer, "chain.jsonl").contains("FORK: b.json and c.json"), "{answer}");
    // Somebody's chain that nobody signed is no fork.
    let (_, marks, answer) = audited(&place, &[new, chain, ("fork/chain.jsonl", "forked.jsonl")]);
    assert_eq!(marks, ["valid", "valid", "invalid"], "{answer}");
}

/// What a forked or cut-off log says of the time of a record proves nothing.
#[test]
fn nothing_is_proven_by_such_a_log() {
    let place = forked("audit-fork-proof");
    for line in [
        "dualseal key rotate bo",
        "dualseal key export --ring -o ring.json",
        "dualseal checkpoint sign --as ana -o new.json --force",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let record = [("contract.pdf", "contract.pdf"), ("contract.pdf.sig.json", "contract.pdf.sig.json")];
    let stranger = ["audit", "in", "--ring=ring.json", "--log-key=ana.pem", "--home=none"];
    for (more, expected) in [
        (&[("home/chain.jsonl", "chain.jsonl"), ("new.json", "b.json")][..], "valid"),
        (&[("old.jsonl", "chain.jsonl"), ("old.json", "a.json"), ("new.json", "b.json")], "invalid"),
        (&[("home/chain.jsonl", "chain.jsonl"), ("new.json", "b.json"), ("fork.json", "c.json")], "invalid"),
    ] {
        audited(&place, &[&record[..], more].concat());
        let answer = place.json(&stranger);
        assert_eq!(mark(&answer, "contract.pdf.sig.json"), expected, "{answer}");
    }
}

/// A ledger is held against all that the largest checkpoint covers.
#[test]
fn a_ledger_is_judged_under_the_largest_checkpoint() {
    let place = Place::with_ana("audit-cut-ledger");
    fs::create_dir(place.path("in")).unwrap();
    place.write("a", "a");
    place.write("b", "b");
    for line in [
        "dualseal key export ana -o ana.pem",
        "dualseal vault init",
        "dualseal vault seal a --plain",
        "dualseal checkpoint sign -o in/checkpoint-1.json",
        "cp home/chain.jsonl old.jsonl; cp a in/a",
        "dualseal vault redact -o in/ledger.jsonl",
        "cp -a home fork && cp home.mark fork.mark; dualseal chain append other --home fork",
        "dualseal checkpoint sign -o fork.json --home fork",
        "dualseal vault seal b --plain",
        "dualseal checkpoint sign -o new.json",
        "cp old.jsonl in/chain.jsonl",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let seen = |place: &Place| {
        let answer = place.json(&STRANGER);
        ((mark(&answer, "ledger.jsonl"), mark(&answer, "chain.jsonl")), text(&answer, "ledger.jsonl"))
    };
    let marks = |ledger: &str, chain: &str| (ledger.to_owned(), chain.to_owned());
    let (found, said) = seen(&place);
    assert_eq!((found, said.as_str()), (marks("valid", "valid"), "1 records, all that the chain names"));
    // The chain is cut off, and the ledger with it.
    fs::copy(place.path("new.json"), place.path("in/checkpoint-2.json")).unwrap();
    assert_eq!(seen(&place).0, marks("unchecked", "invalid"));
    fs::remove_file(place.path("in/checkpoint-1.json")).unwrap();
    assert_eq!(seen(&place).0, marks("unchecked", "invalid"));
    // The whole chain shows what is missing.
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    let (found, said) = seen(&place);
    assert_eq!(found, marks("unchecked", "valid"), "{said}");
    assert_eq!(said, "1 records; 1 more entries of the chain name the ledger, unverified");
    fs::copy(place.path("b"), place.path("in/b")).unwrap();
    place.good(&["vault", "redact", "-o", "in/ledger.jsonl", "--force"]);
    assert_eq!(seen(&place).1, "2 records, all that the chain names");
    // A log that is shown to be forked vouches for no record.
    fs::copy(place.path("fork.json"), place.path("in/fork.json")).unwrap();
    assert_eq!(seen(&place).0, marks("unchecked", "invalid"));
}
