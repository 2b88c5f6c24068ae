//! Whose a record is: nobody is named for what did not hold, nor for what a key says of itself, and what nobody here
//! can tell is neither confirmed nor refused.

use super::mark;
use crate::run::Place;
use serde_json::{Value as Json, json};
use std::fs;

/// A folder with what Ana signed, and her key file.
fn handed(name: &str) -> Place {
    let place = Place::with_ana(name);
    place.good(&["sign", "contract.pdf"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    fs::create_dir(place.path("in")).unwrap();
    place.shell("cp contract.pdf contract.pdf.sig.json in");
    place
}

/// Somebody with a home folder of his own, who signs in Ana's name.
fn mallory(place: &Place) -> String {
    let ana = place.identity("ana").to_hex();
    place.good(&["--home=mal", "key", "new", &ana]);
    place.write("owe.txt", "ana owes mallory");
    place.good(&["--home=mal", "sign", "owe.txt"]);
    place.json(&["--home=mal", "key", "list"])["keys"][0]["key_hash"].as_str().unwrap().to_owned()
}

fn hash(place: &Place, name: &str) -> String {
    place.json(&["key", "list", name])["keys"][0]["key_hash"].as_str().unwrap().to_owned()
}

fn audit(place: &Place, more: &[&str]) -> Json {
    place.json(&[&["--home=none", "audit", "in"], more].concat())
}

fn text(answer: &Json, path: &str) -> String {
    let found = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == path);
    found.unwrap_or_else(|| panic!("{path}: {answer}"))["text"].as_str().unwrap().to_owned()
}

/// A forger's key stands nowhere among those that signed.
#[test]
fn a_key_that_signed_nothing_is_nobodys() {
    let place = handed("whose-forged");
    let (ana, theirs) = (hash(&place, "ana"), mallory(&place));
    place.shell("cp owe.txt owe.txt.sig.json in");
    let answer = audit(&place, &["--key=ana.pem"]);
    assert_eq!(mark(&answer, "owe.txt.sig.json"), "invalid", "{answer}");
    assert_eq!(answer["signers"][0]["keys"], json!([ana]), "{answer}");
    assert!(!answer["signers"].to_string().contains(&theirs), "{answer}");
}

/// Whoever has a key that counts by its fingerprint signs in any name.
#[test]
fn a_claimed_identity_is_told_as_a_claim() {
    let place = handed("whose-claimed");
    let (ana, theirs, id) = (hash(&place, "ana"), mallory(&place), place.identity("ana").to_hex());
    place.shell("cp owe.txt owe.txt.sig.json in");
    let keys = ["--key", &ana, "--key", &theirs];
    let ran = place.good(&[&["--home=none", "audit", "in"], &keys[..]].concat());
    let lines: Vec<_> = ran.out.lines().filter(|line| line.trim_start().starts_with("signer ")).collect();
    let is_of = |key: &str, name: &str| {
        lines
            .iter()
            .any(|line| line.contains(&format!("says to be {id}, key {key}, state not asked: {name:?} (1 valid)")))
    };
    assert!(lines.len() == 2 && is_of(&ana, "contract.pdf") && is_of(&theirs, "owe.txt"), "{ran:?}");
    let answer = audit(&place, &keys);
    assert!(answer["signers"].as_array().unwrap().iter().all(|signer| signer["identity_shown"] == false), "{answer}");
    // A file that says whose key it is shows it.
    let answer = audit(&place, &["--key=ana.pem", "--report=report.html"]);
    let signer = &answer["signers"][0];
    assert_eq!((&signer["identity_shown"], &signer["keys"]), (&json!(true), &json!([ana])), "{answer}");
    assert!(!place.read("report.html").contains("says to be"));
    // And says nothing of anybody else.
    let other = Place::with_ana("whose-other");
    other.good(&["key", "new", "bo"]);
    other.good(&["sign", "contract.pdf", "--as=bo"]);
    other.write("ana.pem", place.read("ana.pem"));
    let answer = other.json(&["--home=none", "verify", "contract.pdf.sig.json", "--key=ana.pem"]);
    assert_ne!(answer["status"], 0);
    assert_eq!((&answer["signer"]["creator"], &answer["signer"]["shown_by"]), (&Json::Null, &json!("nothing")));
}

/// In a domain that nothing names, what does not hold is no forgery.
#[test]
fn a_record_of_another_domain_is_not_checked() {
    let place = Place::new("whose-domain");
    place.good(&["--home=far", "key", "new", "ana", "--domain=ELSEWHERE"]);
    place.write("contract.pdf", "one contract");
    place.good(&["--home=far", "sign", "contract.pdf"]);
    let key = place.json(&["--home=far", "key", "list"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    place.shell("mkdir in; cp contract.pdf contract.pdf.sig.json in");
    let answer = audit(&place, &["--key", &key]);
    assert_eq!(
        (&answer["status"], mark(&answer, "contract.pdf.sig.json").as_str()),
        (&json!(3), "unchecked"),
        "{answer}"
    );
    assert!(text(&answer, "contract.pdf.sig.json").contains("nothing says its domain"), "{answer}");
    assert_eq!(audit(&place, &["--key", &key, "--domain=ELSEWHERE"])["status"], 0);
    assert_eq!(audit(&place, &["--key", &key, "--domain=DUALSEAL"])["status"], 1);
}

/// Of whom nothing is known nothing is false: neither a ledger nor a quorum's result.
#[test]
fn what_strangers_made_is_not_checked() {
    let place = Place::with_vault("whose-strangers");
    for line in ["mkdir in", "dualseal vault redact -o in/ledger.jsonl", "cp home/vaults/main/stored/000000 in/stored"]
    {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let other = "7".repeat(64);
    let answer = audit(&place, &["--key", &other]);
    assert_eq!(answer["status"], 3, "{answer}");
    assert_eq!(mark(&answer, "ledger.jsonl"), "unchecked", "{answer}");
}

/// Beside one's own record a stranger's is no forgery.
#[test]
fn a_strangers_record_beside_ones_own_is_not_checked() {
    let place = handed("whose-beside");
    place.good(&["--home=bo", "key", "new", "bo"]);
    place.good(&["--home=bo", "sign", "contract.pdf", "-o", "contract.pdf.bo.sig.json"]);
    let ran = place.run(&["verify", "contract.pdf"]);
    assert!(ran.status == 3 && ran.out.contains("NOT CHECKED: by none of the keys"), "{ran:?}");
    let answer = place.json(&["verify", "contract.pdf", "--identity=ana"]);
    assert_eq!(answer["status"], 1, "{answer}");
}

/// Two names that look alike are told apart, with who signed under which.
#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_no_strokes() {
    let place = handed("whose-bytes");
    place.shell(r"printf a >in/$(printf '\377').txt; cd in; dualseal --home ../home sign $(printf '\377').txt");
    place.shell(r"printf b >'in/\xff.txt'");
    let ran = place.good(&["--home=none", "audit", "in", "--key=ana.pem"]);
    let signer = ran.out.lines().find(|line| line.trim_start().starts_with("signer ")).unwrap();
    assert!(signer.contains(r#""\xff.txt""#) && !signer.contains(r#""\\xff.txt""#), "{ran:?}");
    let answer = audit(&place, &["--key=ana.pem"]);
    let paths: Vec<_> = answer["files"].as_array().unwrap().iter().map(|file| file["path"].to_string()).collect();
    let distinct: std::collections::BTreeSet<_> = paths.iter().collect();
    assert_eq!(distinct.len(), paths.len(), "{paths:?}");
}

/// What outsiders ask of a folder with a stolen key's records, they are answered as of a good key's.
#[test]
fn outsiders_see_no_decoy_by_the_chain() {
    let answers = ["valid", "decoy"].map(|state| {
        let place = handed(&format!("whose-{state}"));
        place.good(&["checkpoint", "sign", "-o", "in/checkpoint.json"]);
        place.shell("cp home/chain.jsonl in");
        if state == "decoy" {
            place.good(&["key", "state", "ana", "decoy"]);
        }
        let answer = place.json(&["audit", "in", "--public"]);
        let marks: Vec<_> = answer["files"].as_array().unwrap().iter().map(|file| file["mark"].clone()).collect();
        (answer["status"].clone(), marks)
    });
    assert_eq!(answers[0], answers[1]);
}
