//! Evidence of every kind, from the record to the stranger; and what is not given out.

use super::{FILE, NOTES, asked, covered, signed, told, witness};
use crate::run::{Kept, Place, TIME};
use dualseal::krunica::Appended;
use dualseal::{Domain, Signer, SigningKey};
use serde_json::{Value as Json, json};
use std::fs;

#[test]
fn a_signature_is_shown_to_a_stranger() {
    let (place, log) = signed("evidence-signature");
    let made = place.json(&[&["evidence", "make", "contract.pdf.sig.json"], &NOTES[..]].concat());
    assert_eq!(
        (&made["status"], &made["path"], &made["vrsta"], &made["log"], &made["size"]),
        (&json!(0), &json!(FILE), &json!("potpis"), &json!(log), &json!(4))
    );
    assert!(fs::metadata(place.path(FILE)).unwrap().len() < 32 << 10);
    let ana = made["identity_id"].as_str().unwrap();
    let (one, two) = (witness(&place, "one"), witness(&place, "two"));
    let answer = told(&place, "contract.pdf", FILE, &log, &["--key=ana.pem", "--witness", &one, "--witness", &two]);
    assert_eq!(
        (&answer["status"], &answer["verdict"], &answer["expected"]),
        (&json!(0), &json!("valid"), &json!("key"))
    );
    let report = &answer["report"];
    assert_eq!(
        (&report["identity_id"], &report["state"], &report["since"]),
        (&json!(ana), &json!("istina"), &json!(0))
    );
    assert_eq!((&report["as_of"]["place"], &report["as_of"]["size"]), (&json!(1), &json!(4)));
    assert_eq!(report["before"], "2026-11-21T09:20:00.000Z");
    assert_eq!(report["witnesses"].as_array().unwrap().len(), 2);
    // One of the two is enough where one is asked for, and gives the earlier time.
    let first = ["--witness", &one, "--witness", &two, "--witnesses=1", "--witnessed-after=2026-11-21T09:10:00.000Z"];
    assert_eq!(told(&place, "contract.pdf", FILE, &log, &first)["report"]["before"], "2026-11-21T09:10:00.000Z");
    // The signer by the hash of his key, by his identity, and by both.
    let hash = made["key_hash"].as_str().unwrap();
    for expected in [vec!["--key", hash], vec!["--signer", ana], vec!["--identity", ana, "--key", hash]] {
        assert_eq!(told(&place, "contract.pdf", FILE, &log, &expected)["status"], 0, "{expected:?}");
    }
    // Who does not say whom he expects is told nothing of the file.
    let unsaid = place.refused(
        &["--home=nowhere", "verify", "contract.pdf", "--evidence", FILE, "--log", &log],
        64,
        "whose record it must be is not said",
    );
    assert!(!unsaid.out.contains(ana) && !unsaid.err.contains(ana), "{unsaid:?}");
    let ran = place.good(&asked("contract.pdf", FILE, &log, &["--any-signer"]));
    assert!(ran.out.contains("anybody: look at who it was") && ran.out.contains(ana), "{ran:?}");
    assert!(ran.out.contains("no witness was asked for"), "{ran:?}");
    // A document from a pipe.
    let words = asked("-", FILE, &log, &["--key=ana.pem"]);
    assert_eq!(place.fed(&words, b"one contract").status, 0);
    assert_eq!(place.fed(&words, b"one contracts").status, 1);
}

/// Whoever hands a note on adds a line to it, in the name of a witness or of nobody.
#[test]
fn a_cosignature_that_nobody_checked_is_told_or_left_out() {
    let (place, log) = signed("evidence-cosigned");
    let (one, two) = (witness(&place, "one"), witness(&place, "two"));
    let make = |more: &[&str]| {
        let args = [&["evidence", "make", "contract.pdf.sig.json", "--force"], &NOTES[..], more].concat();
        place.json(&args)
    };
    let prove = |more: &[&str]| {
        let args = [&["chain", "prove", "1", "--out=entry", "--force"], &NOTES[..], more].concat();
        place.json(&args)
    };
    let both = json!(["one.example", "two.example"]);
    for answer in [make(&[]), prove(&[])] {
        assert_eq!((&answer["unchecked"], &answer["witnesses"]), (&both, &json!([])), "{answer}");
        assert!(answer["notes"].to_string().contains("Nobody checked these cosignatures"), "{answer}");
    }
    for answer in [make(&["--witness", &one, "--witness", &two]), prove(&["--witness", &two, "--witness", &one])] {
        assert_eq!((&answer["unchecked"], &answer["left_out"]), (&json!([]), &json!([])), "{answer}");
        assert_eq!(answer["witnesses"].as_array().unwrap().len(), 2);
    }
    for answer in [make(&["--witness", &one]), prove(&["--witness", &one])] {
        let seen = json!([{"name": "one.example", "time": "2026-11-21T09:10:00.000Z"}]);
        assert_eq!((&answer["witnesses"], &answer["left_out"]), (&seen, &json!(["two.example"])), "{answer}");
        assert_eq!(answer["unchecked"], json!([]));
    }
    assert!(place.read("entry").contains("one.example") && !place.read("entry").contains("two.example"));
    assert!(place.read(FILE).contains("one.example") && !place.read(FILE).contains("two.example"));
    assert_eq!(told(&place, "contract.pdf", FILE, &log, &["--witness", &one])["status"], 0);
    place.refused(&asked("contract.pdf", FILE, &log, &["--any-signer", "--witness", &two]), 1, "0 witnesses saw");
    // One that does not hold, and one that is not there.
    let note = place.read("two.note");
    let line = note.lines().find(|line| line.contains("two.example")).unwrap();
    let (before, signature) = line.rsplit_once(' ').unwrap();
    place.write("two.note", note.replace(line, &format!("{before} {}", signature.replace(&signature[20..24], "AAAA"))));
    for command in
        [&["evidence", "make", "contract.pdf.sig.json", "-o", "none"][..], &["chain", "prove", "1", "-o", "none"]]
    {
        let with = |more: &[&str]| [command, more].concat().iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        for (args, status, words) in [
            (with(&[NOTES[0], NOTES[1], "--witness", &two]), 1, "two.example"),
            (with(&[NOTES[0], "--witness", &one, "--witness", &two]), 1, "1 witnesses saw the note, 2 must"),
            (with(&["--witness", &one]), 64, "--note"),
        ] {
            let ran = place.run(&args);
            assert!(ran.status == status && ran.err.contains(words), "{args:?}: {ran:?}");
        }
        assert!(!place.path("none").exists());
    }
}

#[test]
fn a_seal_is_shown_also_by_a_retired_key() {
    let (place, log) = signed("evidence-seal");
    place.good(&["key", "rotate", "bo"]);
    place.write("note.txt", "a note");
    place.good(&["seal", "note.txt", "--as=bo"]);
    place.good(&["key", "rotate", "bo"]);
    place.good(&["key", "rotate", "bo"]);
    assert_eq!(covered(&place), log);
    // Which of bo's keys it was, the document tells.
    fs::rename(place.path("note.txt"), place.path("away")).unwrap();
    place.refused(&["evidence", "make", "note.txt.seal"], 64, "several keys could have made the record");
    fs::rename(place.path("away"), place.path("note.txt")).unwrap();
    let made = place.json(&["evidence", "make", "note.txt.seal"]);
    assert_eq!((&made["status"], &made["path"]), (&json!(0), &json!("note.txt.seal.evidence.json")));
    let answer = told(&place, "note.txt", "note.txt.seal.evidence.json", &log, &["--any-signer"]);
    assert_eq!((&answer["status"], &answer["report"]["vrsta"]), (&json!(0), &json!("pecat")));
    assert_eq!(answer["report"]["key"], made["key_hash"]);
    place.refused(&["evidence", "make", "note.txt.seal", "--as=ana", "-o", "x"], 64, "somebody else's than --as says");
}

#[test]
fn a_vault_record_and_its_erasure_are_shown() {
    let place = Place::with_ana("evidence-vault");
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["vault", "redact", "0", "-o", "v.vault.json", "--stored", "v.stored"]);
    place.good(&["vault", "erase", "0", "--yes"]);
    place.good(&["vault", "redact", "1", "-o", "e.vault.json", "--stored", "e.stored"]);
    let log = covered(&place);
    for (name, kind, word) in [("v", "trezor", "vault record"), ("e", "brisanje", "erasure")] {
        let made = place.json(&["evidence", "make", &format!("{name}.vault.json")]);
        assert_eq!((&made["status"], &made["vrsta"]), (&json!(0), &json!(kind)), "{made}");
        let (stored, file) = (format!("{name}.stored"), format!("{name}.vault.evidence.json"));
        let ran = place.good(&asked(&stored, &file, &log, &["--any-signer"]));
        assert!(ran.out.contains(word), "{ran:?}");
        assert_eq!(ran.out.contains("completeness of splits not shown"), name == "e", "{ran:?}");
        place.refused(&asked("contract.pdf", &file, &log, &["--any-signer"]), 1, "does not hold");
        assert!(!place.read(&file).contains("PRIVATE"));
    }
    let erased = told(&place, "e.stored", "e.vault.evidence.json", &log, &[]);
    let record: serde_json::Value = serde_json::from_str(&place.read("v.vault.json")).unwrap();
    assert_eq!(erased["report"]["vault_id"], record["sealed"]["header"]["vault_id"]);
}

#[test]
fn a_quorums_result_is_shown() {
    let place = Place::with_ana("evidence-quorum");
    for name in ["ivo", "eva"] {
        place.good(&["id", "--creator", name, "--draw", "--save", name]);
    }
    let found = "session found --threshold 2 --owner ana --owner ivo --owner eva --kind ml-dsa-65 --as ana --identity \
                 board -o board";
    place.good(&found.split_whitespace().collect::<Vec<_>>());
    covered(&place);
    place.good(&["session", "sign", "contract.pdf", "board/share-1.json", "board/share-3.json", "--as=ana"]);
    place.refused(
        &["evidence", "make", "contract.pdf.quorum.json", "--session=board/session.json"],
        64,
        "no checkpoint covers",
    );
    let log = covered(&place);
    place.refused(&["evidence", "make", "contract.pdf.quorum.json"], 64, "which session");
    place.good(&["evidence", "make", "contract.pdf.quorum.json", "--session=board/session.json"]);
    let ran = place.good(&asked("contract.pdf", "contract.pdf.quorum.evidence.json", &log, &["--any-signer"]));
    assert!(ran.out.contains("session in force not shown"), "{ran:?}");
}

/// As of the checkpoint that the file is under: before the key was called back, and after.
#[test]
fn a_key_that_was_called_back_is_told_with_the_place() {
    let (place, log) = signed("evidence-revoked");
    place.good(&["key", "export", "ana", "-o", "was.pem"]);
    place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", "before.evidence.json"]);
    place.good(&["key", "state", "ana", "revoked"]);
    place.refused(&["evidence", "make", "contract.pdf.sig.json"], 64, "there is no checkpoint that counts");
    place.good(&["key", "rotate", "ana"]);
    let next = covered(&place);
    assert_ne!(next, log, "the log's key is another one");
    let made = place.good(&["evidence", "make", "contract.pdf.sig.json"]);
    assert!(made.out.contains("the key is revoked"), "{made:?}");
    assert_eq!(told(&place, "contract.pdf", "before.evidence.json", &log, &["--key=was.pem"])["verdict"], "valid");
    let ran = place.refused(&asked("contract.pdf", FILE, &next, &["--key=was.pem"]), 2, "REVOKED");
    assert!(ran.out.contains("called back by entry 4; the record stands before that entry"), "{ran:?}");
}

#[test]
fn what_cannot_be_shown_is_not_made() {
    let (place, _) = signed("evidence-none");
    place.write("later.pdf", "later");
    place.good(&["sign", "later.pdf", "--as=ana"]);
    let ran =
        place.refused(&["evidence", "make", "later.pdf.sig.json"], 64, "no checkpoint covers the record's entry yet");
    assert!(ran.err.contains("dualseal checkpoint sign"), "{ran:?}");
    covered(&place);
    place.good(&["evidence", "make", "later.pdf.sig.json"]);
    // The keys changed since the last checkpoint, or the checkpoint is an old one that was put back.
    let old = place.read("home/checkpoint.json");
    place.good(&["key", "new", "ivo"]);
    place.refused(&["evidence", "make", "contract.pdf.sig.json"], 64, "states another ring");
    covered(&place);
    let newest = place.read("home/checkpoint.json");
    place.write("home/checkpoint.json", old);
    place.refused(&["evidence", "make", "contract.pdf.sig.json"], 78, "not the one that was signed last");
    place.write("home/checkpoint.json", newest);
    // Of another log.
    let other = Place::with_records("evidence-none-other");
    fs::copy(other.path("contract.pdf.sig.json"), place.path("foreign.json")).unwrap();
    place.refused(&["evidence", "make", "foreign.json"], 64, "has no entry in the home folder's chain");
    place.good(&["seal", "contract.pdf", "--as=ana", "--no-chain", "-o", "loose.seal"]);
    place.refused(&["evidence", "make", "loose.seal", "contract.pdf"], 64, "has no entry");
    // Of another document, and of none.
    let ran = place.refused(&["evidence", "make", "contract.pdf.sig.json", "later.pdf"], 1, "does not hold: content");
    assert!(ran.err.contains("nothing was written"), "{ran:?}");
    place.refused(&["evidence", "make", "contract.pdf", "-o", "x.json"], 66, "no record that evidence can be about");
    place.refused(&["evidence", "make", "ring.json", "-o", "x.json"], 66, "key ring");
    // An old note, and one that somebody altered.
    place.refused(&["evidence", "make", "contract.pdf.sig.json", NOTES[0]], 64, "is not the note of the last");
    assert!(!place.path(FILE).exists() && !place.path("x.json").exists());
    // Without its document it is made, and that is said.
    fs::remove_file(place.path("later.pdf")).unwrap();
    let ran = place.good(&["evidence", "make", "later.pdf.sig.json", "--force"]);
    assert!(ran.out.contains("NOT held against its document"), "{ran:?}");
    // A chain that somebody altered proves nothing.
    let chain = place.read("home/chain.jsonl");
    place.write("home/chain.jsonl", chain.replacen("\"t\":\"2", "\"t\":\"1", 1));
    assert_ne!(place.run(&["evidence", "make", "later.pdf.sig.json", "-o", "x.json"]).status, 0);
    assert!(!place.path("x.json").exists());
}

/// Outsiders would read it as a pass.
#[test]
fn no_evidence_is_made_of_a_decoy() {
    let (place, _) = signed("evidence-decoy");
    place.write("trap.pdf", "trap");
    place.good(&["sign", "trap.pdf", "--as=bo"]);
    place.good(&["seal", "trap.pdf", "--as=bo"]);
    place.good(&["key", "state", "bo", "decoy"]);
    covered(&place);
    for record in ["trap.pdf.sig.json", "trap.pdf.seal"] {
        place.refused(&["evidence", "make", record], 4, "DECOY");
        assert!(!place.path("trap.pdf.sig.evidence.json").exists());
    }
}

/// Of a trap's key the ring knows the hash alone. Who took it out of a vault signs with it, and the record is appended.
#[test]
fn no_evidence_is_made_of_what_a_trap_signed() {
    let place = Place::with_vault("evidence-trap");
    place.good(&["sign", "deed.pdf"]);
    let (domain, ana) = (Domain::default(), place.json(&["key", "show", "ana"])["info"]["identity_id"].clone());
    let (ana, time) = (ana.as_str().unwrap().parse().unwrap(), TIME.parse().unwrap());
    let append = |key: &SigningKey, record: &str| {
        let mut kept = Kept::open(&place);
        let signer = Signer::new(&domain, &ana, key);
        let signed = signer.sign_deterministic(&signer.content_hash(b"deed 17"), kept.head(), time).unwrap();
        kept.push(Appended { entry: signed.entry, head: signed.head });
        kept.write(&place);
        place.write(record, signed.record.to_json());
    };
    let seed: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&place.fragment(0)[2 * at..][..2], 16).unwrap()).collect();
    append(&SigningKey::from_seed(&seed).unwrap(), "trap.sig.json");
    append(&SigningKey::from_seed(&[9; 32]).unwrap(), "unknown.sig.json");
    covered(&place);
    for more in [&[][..], &["deed.pdf"]] {
        let make = |record| [&["evidence", "make", record][..], more, &["-o", "none"]].concat();
        let ran = place.refused(&make("trap.sig.json"), 4, "DECOY");
        assert!(ran.err.contains("keep the record"), "{ran:?}");
        place.refused(&make("unknown.sig.json"), 64, "no key that could have made the record");
    }
    // Whoever only writes the trap's key into a record, which stands in every vault record, has signed nothing.
    let mut claimed: Json = serde_json::from_str(&place.read("trap.sig.json")).unwrap();
    let other: Json = serde_json::from_str(&place.read("unknown.sig.json")).unwrap();
    assert_ne!(claimed["potpis"], other["potpis"]);
    claimed["potpis"] = other["potpis"].clone();
    place.write("claimed.sig.json", claimed.to_string());
    place.refused(
        &["evidence", "make", "claimed.sig.json", "-o", "none"],
        64,
        "no key that could have made the record",
    );
    assert!(!place.path("none").exists());
}

/// A link that waits under the name is neither written through nor replaced.
#[test]
#[cfg(unix)]
fn a_planted_link_is_not_followed() {
    let (place, log) = signed("evidence-link");
    place.write("theirs", "keep");
    std::os::unix::fs::symlink(place.path("theirs"), place.path(FILE)).unwrap();
    for force in [&["--force"][..], &[]] {
        place.refused(&[&["evidence", "make", "contract.pdf.sig.json"], force].concat(), 73, "not a regular file");
    }
    assert_eq!(place.read("theirs"), "keep");
    fs::remove_file(place.path(FILE)).unwrap();
    place.good(&["evidence", "make", "contract.pdf.sig.json"]);
    assert_eq!(told(&place, "contract.pdf", FILE, &log, &[])["status"], 0);
}

/// Whoever writes to the log appends the ring's message again, as often as he likes.
#[test]
fn copies_of_the_rings_message_are_not_the_rings_place() {
    let (place, log) = signed("evidence-copies");
    let make = || {
        place.good(&["evidence", "make", "contract.pdf.sig.json", "contract.pdf", "--force"]);
        let file: Json = serde_json::from_str(&place.read(FILE)).unwrap();
        let entry = &file["ring"]["entry"];
        (entry["seq"].as_u64().unwrap(), entry["poruka"].as_str().unwrap().to_owned())
    };
    let (seq, message) = make();
    place.append(&Domain::new("ELSEWHERE").unwrap(), vec![message.clone(); 300]);
    assert_eq!(covered(&place), log);
    assert_eq!(make(), (seq, message));
    assert_eq!(told(&place, "contract.pdf", FILE, &log, &["--key=ana.pem"])["report"]["as_of"]["size"], 304);
}
