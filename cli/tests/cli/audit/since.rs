//! An operator's audit of what came after a checkpoint of his own log.

use super::mark;
use crate::run::{Place, Ran, TIME};
use dualseal::Domain;
use dualseal::seal::DualSeal;
use serde_json::{Value as Json, json};
use std::fs;

/// Somebody's copy of the home folder.
const THIEF: &str = "--home=thief";

/// A log with a record before `first.json` and one after it, all in the folder `in`, and a copy of it from between.
fn two(name: &str) -> Place {
    let place = Place::with_ana(name);
    place.good(&["key", "export", "-o", "ana.pem"]);
    fs::create_dir(place.path("in")).unwrap();
    made(&place, "early");
    run(&place, &["checkpoint sign --as ana -o first.json"]);
    place.copy_home("home", "thief");
    made(&place, "late");
    run(&place, &["checkpoint sign --as ana -o in/checkpoint.json"]);
    for name in ["early", "late"] {
        run(&place, &[&format!("evidence make in/{name}.pdf.sig.json -o in/{name}.pdf.sig.evidence.json")]);
    }
    place
}

fn made(place: &Place, name: &str) {
    place.write(format!("in/{name}.pdf"), name);
    run(place, &[&format!("sign in/{name}.pdf"), &format!("seal in/{name}.pdf")]);
}

fn run(place: &Place, lines: &[&str]) {
    for line in lines {
        place.good(&line.split(' ').collect::<Vec<_>>());
    }
}

fn since(place: &Place, more: &[&str]) -> Json {
    place.json(&[&["audit", "in", "--since=first.json"], more].concat())
}

/// What is said of the three records of a document.
fn records(answer: &Json, name: &str) -> [String; 3] {
    ["sig.json", "seal", "sig.evidence.json"].map(|suffix| mark(answer, &format!("{name}.pdf.{suffix}")))
}

#[test]
fn what_stands_before_is_neither_valid_nor_forged() {
    let place = two("since-records");
    assert_eq!(place.json(&["audit", "in"])["status"], 0);
    let answer = since(&place, &[]);
    assert_eq!((&answer["status"], &answer["worst"]), (&json!(3), &json!("unchecked")), "{answer}");
    assert_eq!(records(&answer, "early"), ["unchecked"; 3], "{answer}");
    assert_eq!(records(&answer, "late"), ["valid"; 3], "{answer}");
    assert_eq!(
        ["late.pdf", "early.pdf", "checkpoint.json"].map(|name| mark(&answer, name)),
        ["vouched", "other", "valid"]
    );
    assert_eq!(answer["since"], 3, "{answer}");
    assert!(answer["notes"].to_string().contains("after the 3 entries of first.json was not checked"), "{answer}");
    // What is beyond the last checkpoint stands after it as well.
    made(&place, "newest");
    assert_eq!(mark(&since(&place, &[]), "newest.pdf.sig.json"), "valid");
    // A lie about what stands before is not looked at, one about what came after is found.
    place.write("in/early.pdf", "another");
    let answer = since(&place, &[]);
    assert_eq!((&answer["status"], records(&answer, "early")), (&json!(3), ["unchecked"; 3].map(str::to_owned)));
    place.write("in/late.pdf", "another");
    let answer = since(&place, &[]);
    assert_eq!(records(&answer, "late"), ["invalid"; 3], "{answer}");
    assert_eq!(records(&answer, "early"), ["unchecked"; 3], "{answer}");
    // Nor are a chain, and an older checkpoint.
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    run(&place, &["checkpoint sign --as ana -o newest.json"]);
    fs::rename(place.path("first.json"), place.path("in/first.json")).unwrap();
    let answer = place.json(&["audit", "in", "--since=newest.json"]);
    let all = ["chain.jsonl", "first.json", "checkpoint.json", "newest.pdf.sig.json", "late.pdf.seal"];
    assert_eq!(all.map(|name| mark(&answer, name)), ["unchecked"; 5], "{answer}");
    assert_eq!(answer["status"], 3);
}

/// Anybody may append an old seal's entry once more, in anybody's name.
#[test]
fn another_entry_of_an_old_seal_says_nothing_against_it() {
    let place = two("since-seals");
    let signed = "checkpoint sign --as ana -o in/checkpoint.json --force";
    run(&place, &["key new bo", "key new ivo", "key rotate ana", signed]);
    let (domain, time) = (Domain::default(), TIME.parse().unwrap());
    let copy = |names: &[&str]| {
        let seal: DualSeal = place.read("in/early.pdf.seal").trim().parse().unwrap();
        let who: Vec<_> = names.iter().map(|name| place.identity(name)).collect();
        place.append_each(who, |head, who| seal.append_to(head, &domain, &who, time).unwrap());
        run(&place, &[signed]);
    };
    let marks = |answer: &Json| ["early.pdf.seal", "late.pdf.seal"].map(|name| mark(answer, name));
    let holds = |expected: [&str; 2]| {
        let (whole, after) = (place.json(&["audit", "in"]), since(&place, &[]));
        assert_eq!(marks(&whole), ["valid"; 2], "{whole}");
        assert_eq!((marks(&after), &after["status"]), (expected.map(str::to_owned), &json!(3)), "{after}");
        after["files"].to_string()
    };
    let before = "it does not stand after the 3 entries";
    assert!(holds(["unchecked", "valid"]).contains(before));
    // In others' names, whose keys are called back then.
    copy(&["bo", "ivo"]);
    assert!(holds(["unchecked", "valid"]).contains(before));
    run(&place, &["key state bo revoked", "key state ivo suspended"]);
    assert!(holds(["unchecked", "valid"]).contains(before));
    // In the maker's own, whose key was retired in between.
    copy(&["ana"]);
    assert!(holds(["unchecked", "valid"]).contains("it holds if an entry of it stands in the 3 entries of first.json"));
    // What nobody can have sealed is found.
    for name in ["early", "late"] {
        place.write(format!("in/{name}.pdf"), "another");
    }
    let answer = since(&place, &[]);
    assert_eq!((marks(&answer), &answer["status"]), (["invalid"; 2].map(str::to_owned), &json!(1)), "{answer}");
}

/// Such an entry, in whose name it may be, hides nothing of the key that made the seal.
#[test]
fn an_entry_in_anothers_name_hides_no_key_that_was_called_back() {
    let place = Place::with_ana("since-called-back");
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/old.pdf", "old");
    let first = ["key new bo", "key new ivo", "seal in/old.pdf --as bo", "checkpoint sign --as ana -o first.json"];
    run(&place, &first);
    let seal: DualSeal = place.read("in/old.pdf.seal").trim().parse().unwrap();
    let (domain, time) = (Domain::default(), TIME.parse().unwrap());
    place.append_each([place.identity("ivo")], |head, ivo| seal.append_to(head, &domain, &ivo, time).unwrap());
    let signed = "checkpoint sign --as ana -o in/checkpoint.json --force";
    run(&place, &[signed]);
    let of_seal = |answer: &Json| {
        let files = answer["files"].as_array().unwrap();
        files.iter().find(|file| file["path"] == "old.pdf.seal").unwrap().clone()
    };
    let outsiders = || of_seal(&since(&place, &["--public"]));
    let unchecked = outsiders();
    assert_eq!(unchecked["mark"], "unchecked", "{unchecked}");
    for (state, status, outward) in
        [("revoked", 2, "invalid"), ("suspended", 3, "suspended"), ("decoy", 4, "unchecked")]
    {
        run(&place, &[&format!("key state bo {state}"), signed]);
        let (whole, after) = (place.json(&["audit", "in"]), since(&place, &[]));
        assert_eq!((&of_seal(&whole)["mark"], &whole["status"]), (&json!(state), &json!(status)), "{whole}");
        let (whole, found) = (of_seal(&whole), of_seal(&after));
        assert_eq!((&found["mark"], &found["code"], &after["status"]), (&json!(state), &json!(status), &json!(status)));
        assert_eq!((&found["of"], &found["identity_id"]), (&whole["of"], &whole["identity_id"]), "{found}");
        // Whether it is older than that is not known: its own entry may stand before.
        let text = found["text"].as_str().unwrap();
        assert!(text.ends_with("; it does not stand after the 4 entries of first.json"), "{found}");
        assert!(!text.contains("nothing shows whether"), "{found}");
        let told = outsiders();
        assert_eq!(told["mark"], outward, "{told}");
        // To outsiders a decoy's seal is a valid one's in every character.
        assert_eq!(told == unchecked, state == "decoy", "{told}");
    }
}

/// Secrets are told of what is not checked, too.
#[test]
fn a_ledger_is_not_checked_and_its_trap_is_told() {
    let place = two("since-ledger");
    for line in [
        "vault init --as ana",
        "vault seal in/late.pdf",
        "vault redact 0 -o in/copy.vault.json --stored in/copy.stored",
        "vault redact -o in/ledger.jsonl",
        "checkpoint sign --as ana -o in/second.json",
    ] {
        run(&place, &[line]);
    }
    let answer = since(&place, &[]);
    assert_eq!((mark(&answer, "copy.vault.json"), mark(&answer, "ledger.jsonl")), ("valid".into(), "unchecked".into()));
    assert_eq!(place.shell("(cat home/vaults/main/records/*; echo) >in/ledger.jsonl").status, 0);
    let answer = place.json(&["audit", "in", "--since=in/second.json"]);
    assert_eq!(
        (mark(&answer, "copy.vault.json"), mark(&answer, "ledger.jsonl")),
        ("unchecked".into(), "secret".into())
    );
    assert_eq!(answer["status"], 77, "{answer}");
}

/// With the folder of tiles nothing before the checkpoint is read.
#[test]
fn it_costs_what_came_after() {
    let place = two("since-tiles");
    run(&place, &["chain export --tiles public"]);
    made(&place, "newest");
    let answer = since(&place, &["--tiles=public"]);
    let names = ["early.pdf.seal", "late.pdf.seal", "newest.pdf.seal"];
    assert_eq!(names.map(|name| mark(&answer, name)), ["unchecked", "valid", "valid"], "{answer}");
    assert_eq!(answer["files"], since(&place, &[])["files"]);
    let chain = place.read("home/chain.jsonl");
    let end = chain.match_indices('\n').nth(2).unwrap().0;
    let before: String = chain[..end].chars().map(|byte| if byte == '\n' { byte } else { 'x' }).collect();
    place.write("home/chain.jsonl", format!("{before}{}", &chain[end..]));
    assert_eq!(since(&place, &["--tiles=public"]), answer);
    assert!(place.run(&["audit", "in", "--since=first.json"]).status > 0);
    assert!(place.run(&["audit", "in"]).status > 0);
    place.write("home/chain.jsonl", &chain);
    // A folder that lies, and one without such a tree.
    let tile = "public/tile/0/000.p/5";
    let good = fs::read(place.path(tile)).unwrap();
    place.write(tile, vec![7; good.len()]);
    let asked = ["audit", "in", "--since=first.json", "--tiles=public"];
    let ran = place.refused(&asked, 1, "the folder public does not fit the checkpoint");
    assert!(ran.err.contains("chain export --tiles"), "{ran:?}");
    fs::remove_dir_all(place.path("public/tile")).unwrap();
    place.refused(&asked, 66, "chain export --tiles");
}

/// The place to begin is of the operator's own chain, or nothing is said at all.
#[test]
fn another_chain_is_named() {
    let place = two("since-forks");
    let next = |ran: &Ran| ran.err.split_once(" next: ").unwrap().1.to_owned();
    // Shorter than the chain, as long, and longer.
    for (count, name) in [(1, "shorter"), (1, "equal"), (1, "longer")] {
        for _ in 0..count {
            run(&place, &[&format!("{THIEF} chain append {name} --as ana")]);
        }
        run(&place, &[&format!("{THIEF} checkpoint sign --as ana -o {name}.json")]);
        run(&place, &[&format!("{THIEF} chain export --tiles {name}")]);
        let (from, tiles) = (format!("--since={name}.json"), format!("--tiles={name}"));
        for more in [&[][..], &[tiles.as_str()]] {
            let asked = [&["audit", "in", from.as_str()], more].concat();
            let asked_alone = ["checkpoint", "check", &format!("{name}.json")];
            let words = |it: &str| format!("FORK: {it} and the home folder's own chain contradict each other: ");
            let alone = place.refused(&asked_alone, 1, &words("it"));
            let ran = place.refused(&asked, 1, &words(&format!("{name}.json")));
            assert_eq!(next(&ran), next(&alone));
        }
    }
    // In the folder it is a finding.
    fs::copy(place.path("longer.json"), place.path("in/longer.json")).unwrap();
    let answer = since(&place, &[]);
    assert_eq!((mark(&answer, "longer.json"), &answer["status"]), ("invalid".into(), &json!(1)), "{answer}");
    fs::remove_file(place.path("in/longer.json")).unwrap();
    // Of another log; and by whoever is no operator.
    run(&place, &["--home=other key new ana --origin other.example/log", "--home=other checkpoint sign -o other.json"]);
    place.refused(&["audit", "in", "--since=other.json"], 1, "is not by a key of this home folder's log");
    assert_eq!(place.run(&["audit", "in", "--since=first.json", "--key=ana.pem"]).status, 64);
    let log = place.json(&["checkpoint", "check", "first.json"])["log"].as_str().unwrap().to_owned();
    place.refused(&["--home=none", "audit", "in", "--since=first.json", "--log", &log], 64, "only the operator");
    // A retired key's checkpoints count up to its retirement, and not what a thief signs with it.
    run(&place, &["key rotate ana", "checkpoint sign --as ana -o rotated.json"]);
    assert_eq!(records(&since(&place, &[]), "late"), ["valid"; 3]);
    for _ in 0..6 {
        run(&place, &[&format!("{THIEF} chain append more --as ana")]);
    }
    run(&place, &[&format!("{THIEF} checkpoint sign --as ana -o stolen.json")]);
    place.refused(&["audit", "in", "--since=stolen.json"], 1, "its key was retired");
    run(&place, &["key state ana revoked"]);
    place.refused(&["audit", "in", "--since=rotated.json"], 1, "its key was called back");
}
