//! Secrets in a folder that is handed over are a finding of their own, and never printed.

use super::{STRANGER, handed, mark};
use crate::run::Place;
use std::fs;

#[test]
fn a_secret_is_a_finding() {
    let place = handed("audit-secret");
    let good = place.json(&STRANGER);
    assert_eq!((&good["status"], &good["summary"]["secret"]), (&0.into(), &0.into()));
    fs::copy(place.path("home/seal.key"), place.path("in/seal.key")).unwrap();
    let answer = place.json(&STRANGER);
    assert_eq!((&answer["status"], &answer["worst"], &answer["code"]), (&77.into(), &"secret".into(), &().into()));
    assert_eq!((&answer["summary"]["secret"], &answer["summary"]["valid"]), (&1.into(), &good["summary"]["valid"]));
    let sentence = answer["sentence"].as_str().unwrap();
    assert!(!sentence.starts_with("Valid") && sentence.contains("1 file holds a secret"), "{sentence}");
    let ran = place.run(&STRANGER);
    assert!(ran.out.lines().any(|line| line.trim() == "SECRET       1 file"), "{ran:?}");
    assert!(ran.out.contains("take them away"), "{ran:?}");
    assert!(!ran.out.contains(place.read("home/seal.key").lines().nth(1).unwrap()));
    // What does not hold is worse, and does not hide it.
    place.write("in/contract.pdf", "another contract");
    let answer = place.json(&STRANGER);
    assert_eq!((&answer["status"], &answer["worst"]), (&1.into(), &"invalid".into()));
    assert!(answer["sentence"].as_str().unwrap().contains("1 file holds a secret"), "{answer}");
}

/// Shares in every text that `split` and `session` write, and records that still have their trap.
#[test]
fn shares_and_traps_are_secrets() {
    let place = handed("audit-shares");
    for line in [
        "dualseal split contract.pdf --threshold 2 --shares 3 -o in/dealt",
        "dualseal split contract.pdf --threshold 2 --shares 3 --format ssss -o in/ssss",
        "cp home/vaults/main/records/000000.json in/kept.json",
        "cp home/vaults/main/records/000000.json in/kept.vault.json",
        "for kept in home/vaults/main/records/*.json; do cat $kept; echo; done >in/kept.jsonl",
        "tr A-Z a-z <in/dealt/share-2.txt | tail -n 1 >in/typed",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let answer = place.json(&STRANGER);
    let secrets = [
        "dealt/share-1.txt",
        "dealt/share-3.txt",
        "ssss/share-2.txt",
        "typed",
        "kept.json",
        "kept.vault.json",
        "kept.jsonl",
    ];
    for path in secrets {
        assert_eq!(mark(&answer, path), "secret", "{path}: {answer}");
    }
    assert_eq!(answer["status"], 77, "{answer}");
    // What is beside the shares is none, and is known.
    for path in ["dealt/dealing.json", "dealt/contract.pdf.wrapped", "ssss/dealing.json"] {
        assert_eq!(mark(&answer, path), "noted", "{path}: {answer}");
    }
    for share in ["in/dealt/share-1.txt", "in/ssss/share-1.txt"] {
        let secret = place.read(share);
        let secret = secret.lines().last().unwrap().split([':', '-']).max_by_key(|part| part.len()).unwrap().to_owned();
        assert!(secret.len() >= 64 && !answer.to_string().contains(&secret), "{share}");
    }
}

/// The operator's own ring knows which keys are decoys; the one that may leave does not.
#[test]
fn a_ring_with_decoys_is_a_secret() {
    let place = Place::with_vault("audit-ring");
    fs::create_dir(place.path("in")).unwrap();
    place.good(&["sign", "contract.pdf", "-o", "in/contract.pdf.sig.json"]);
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    place.good(&["key", "export", "--ring", "-o", "in/ring.json"]);
    assert_eq!(mark(&place.json(&STRANGER[..4]), "ring.json"), "noted");
    for kept in [place.row("ana").as_str(), "home/decoys.jsonl", "home/records.jsonl"] {
        let name = kept.rsplit('/').next().unwrap();
        fs::copy(place.path(kept), place.path("in").join(name)).unwrap();
        let answer = place.json(&["audit", "in", "--key=ana.pem", "--home=none"]);
        assert_eq!((mark(&answer, name), &answer["status"]), ("secret".to_owned(), &77.into()), "{kept}: {answer}");
        fs::remove_file(place.path("in").join(name)).unwrap();
    }
}
