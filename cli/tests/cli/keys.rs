//! Identities, keys and lists of inputs: the happy path and each refusal.

use crate::run::{Place, TIME};
use std::fs;

#[test]
fn identifiers_are_the_librarys() {
    let place = Place::new("id");
    place.write("deed.pdf", "deed 17");
    let expected = dualseal::Domain::new("ACME").unwrap().identity_id(b"deed 17", "notary", "2026").unwrap();
    let args = ["id", "deed.pdf", "--creator=notary", "--context=2026", "--domain=ACME"];
    assert_eq!(place.good(&args).out.lines().next().unwrap(), expected.to_hex());
    assert_eq!(place.json(&args)["identity_id"], expected.to_hex());
    place.refused(&["id", "--creator", "a::b"], 66, "creator: contains `::`");
    let expected = dualseal::Domain::default().legacy_identity_id(b"", "a::b", "");
    assert_eq!(place.json(&["id", "--creator=a::b", "--legacy"])["identity_id"], expected.to_hex());
    let drawn = || place.json(&["id", "--creator=ana", "--draw"])["identity_id"].clone();
    assert_ne!(drawn(), drawn());
    place.refused(&["id", "--creator=ana", "--domain=00"], 66, "is not a valid domain constant");
    assert!(!place.path("home").exists());
    place.good(&["id", "--creator=ana", "--save=ana"]);
    place.refused(&["id", "--creator=ana", "--save=ana"], 64, "is a name here already");
    place.refused(&["id", "--creator=ana", "--save=a b"], 64, "cannot be a short name");
    place.good(&["key", "new", "ana"]);
    let shown = &place.json(&["key", "show", "ana"])["info"]["identity_id"];
    assert_eq!(*shown, dualseal::Domain::default().identity_id(b"", "ana", "").unwrap().to_hex());
}

/// A log that began with the messages of identities without keys.
#[test]
fn the_first_key_comes_after_other_entries() {
    let place = Place::new("key-after");
    place.good(&["id", "--creator=bo", "--draw", "--save=bo"]);
    place.good(&["chain", "append", "received", "--as=bo"]);
    place.good(&["key", "new", "ana"]);
    let check = place.json(&["chain", "check", "--with-ring"]);
    assert_eq!((&check["size"], &check["covered"], &check["ring_revision"]), (&2.into(), &2.into(), &1.into()));
    place.good(&["chain", "append", "sent", "--as=bo"]);
    place.good(&["key", "rotate", "ana"]);
    assert_eq!(place.json(&["chain", "check", "--with-ring"])["ring_revision"], 2);
}

#[test]
fn a_domain_with_constants_set_by_hand() {
    use dualseal::domain::{Domain, Label, Row};
    let place = Place::new("domain");
    let words = r#"{"name":"ACME","prefixes":{"identifier":"OLD"},"suffixes":{"identifier":"V1"},
        "labels":{"signature":{"CONTENT":"BODY"}},"shared":false}"#;
    place.write("domain.json", words);
    let domain = Domain::builder("ACME").prefix(Row::Identifier, "OLD").suffix(Row::Identifier, "V1");
    let domain = domain.label(Label::SignatureContent, "BODY").build().unwrap();
    let expected = domain.identity_id(b"", "ana", "").unwrap();
    let id = ["id", "--creator=ana", "--domain-file=domain.json"];
    assert_eq!(place.json(&id)["identity_id"], expected.to_hex());
    // The home folder and the key file carry it.
    place.write("contract.pdf", "one contract");
    place.good(&["key", "new", "ana", "--domain-file=domain.json"]);
    place.good(&["sign", "contract.pdf"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    fs::remove_dir_all(place.path("home")).unwrap();
    place.good(&["verify", "contract.pdf.sig.json", "--key=ana.pem"]);
    for (wrong, status) in [
        (r#"{"name":7}"#, 64),
        (r#"{"name":"ACME","prefixes":{"nothing":"X"}}"#, 66),
        (r#"{"name":"ACME","labels":{"signature":{"NOTHING":"X"}}}"#, 66),
        (r#"{"name":"ACME","shared":1}"#, 64),
        (r#"{"name":"ACME","prefixes":{"vault":"ACME-ID"}}"#, 64),
    ] {
        place.write("domain.json", wrong);
        assert_eq!(place.run(&id).status, status, "{wrong}");
    }
}

/// Whoever was interrupted before the answer asks again, and gets it; as soon as anything else has happened, or is
/// asked for, it is a second key, and is refused by the name of the first.
#[test]
fn a_first_key_is_asked_for_again() {
    let place = Place::new("keys-again");
    let new = ["key", "new", "ana", "--domain=ACME", "--origin=acme.example/log"];
    let made = place.json(&new);
    let (chain, key) = (place.read("home/chain.jsonl"), made["key_hash"].as_str().unwrap().to_owned());
    let again = place.json(&new);
    for member in ["context", "domain", "identity_id", "key_hash", "origin", "path", "code", "status", "notes"] {
        assert_eq!(again[member], made[member], "{member}: {again}");
    }
    assert_eq!(again["sentence"], "ana has a key already, and none was made.");
    let signed = place.read("home/checkpoint.json");
    place.write("pass.txt", "correct horse");
    let refused = |args: &[&str]| {
        let answer = place.json(&[&new[..], args].concat());
        assert_eq!((&answer["code"], &answer["status"]), (&304.into(), &64.into()), "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(&key), "{answer}");
        assert!(answer["next"].as_str().unwrap().contains("key rotate ana"), "{answer}");
    };
    refused(&["--protect", "--passphrase-file=pass.txt"]);
    place.refused(&["key", "new", "ana", "--domain=OTHER"], 64, &key);

    assert_eq!((place.read("home/chain.jsonl"), place.read("home/checkpoint.json")), (chain, signed));
    place.good(&["chain", "append", "one"]);
    refused(&[]);

    // What a crash left undone behind the key is done.
    let place = Place::new("keys-again-unsigned");
    place.good(&["id", "--creator=x", "--draw", "--save=x"]);
    let note_key = place.read("home/note.key");
    place.write("home/note.key", "no key");
    assert!(place.good(&["key", "new", "ana"]).out.contains("No checkpoint could be signed"));
    place.write("home/note.key", note_key);
    assert!(!place.path("home/checkpoint.json").exists());
    place.good(&["key", "new", "ana"]);
    place.good(&["checkpoint", "check", "home/checkpoint.json"]);
    place.good(&["key", "state", "ana", "suspended"]);
    place.refused(&["key", "new", "ana"], 64, "already has a current key");
}

#[test]
fn keys_are_made_shown_and_changed() {
    let place = Place::new("keys");
    place.refused(&["key", "show"], 78, "is no home folder");
    place.refused(&["sign", "x"], 78, "dualseal key new");
    let made = place.json(&["key", "new", "ana", "--origin=acme.example/log", "--time", TIME]);
    assert_eq!(made["origin"], "acme.example/log");
    place.refused(&["key", "new", "bo", "--origin=other"], 78, "cannot be changed");
    place.good(&["key", "new", "bo"]);
    place.refused(&["key", "new", "ana"], 64, "already has a current key");
    let shown = place.json(&["key", "show"]);
    assert_eq!((shown["keys"].as_array().unwrap().len(), &shown["revision"]), (2, &2.into()));
    place.write("x", "x");
    place.refused(&["sign", "x"], 64, "say which one with --as");
    place.refused(&["sign", "x", "--as", "eve"], 64, "no identity is named");
    place.refused(&["sign", "x", "--as", &"0".repeat(64)], 78, "is not in this home folder");
    place.good(&["sign", "x", "--as", "bo"]);
    place.refused(&["sign", "x", "--as", "bo"], 73, "--force");
    place.good(&["sign", "x", "--as", "bo", "--force"]);
    place.refused(&["key", "state", "eve", "valid"], 64, "no identity is named");
    place.refused(&["key", "state", "ana", "valid", "--key", &"0".repeat(64)], 64, "no such key");
    let old = place.json(&["key", "show", "ana"])["key_hash"].as_str().unwrap().to_owned();
    let rotated = place.json(&["key", "rotate", "ana"]);
    assert_eq!(rotated["retired"], *old);
    place.good(&["key", "state", "ana", "laz", "--key", &old]);
    assert_eq!(place.json(&["key", "show", "ana"])["info"]["bela_stanje"], "istina");
    place.good(&["key", "state", "ana", "suspended"]);
    assert_eq!(place.json(&["key", "show", "ana"])["info"]["bela_stanje"], "nijedno");
    let usage = place.run(&["key", "state", "ana", "perhaps"]);
    assert_eq!((usage.status, usage.err.contains("possible values")), (64, true), "{usage:?}");
    place.good(&["checkpoint", "sign", "--as", "bo", "-o", "checkpoint.json"]);
    place.good(&["chain", "check", "--with-ring"]);
}

#[test]
fn keys_travel() {
    let place = Place::with_ana("travel");
    place.good(&["key", "export", "ana", "--secret", "-o", "secret.pem"]);
    place.refused(&["key", "export", "ana", "-o", "secret.pem"], 73, "--force");
    let other = Place::new("travel-to");
    fs::copy(place.path("secret.pem"), other.path("secret.pem")).unwrap();
    other.good(&["key", "import", "ana", "secret.pem"]);
    let hash = |place: &Place| place.json(&["key", "show", "ana"])["key_hash"].clone();
    assert_eq!(hash(&place), hash(&other));
    other.refused(&["key", "import", "bo", "secret.pem"], 64, "already holds this public key");
    other.write("wrong.pem", "not a key");
    other.refused(&["key", "import", "bo", "wrong.pem"], 77, "is no file of the kind");
    place.write("contract.pdf.x", "");
    place.refused(&["verify", "contract.pdf.x", "contract.pdf", "--key=secret.pem"], 66, "is a secret key");
    assert_eq!(place.run(&["key", "export", "--secret"]).status, 64);
}

#[test]
fn inputs_are_linted() {
    let place = Place::new("lint");
    place.write("inputs.json", r#"[{"creator":"ana","context":"2026"},{"creator":"a::b","context":":x","n":1}]"#);
    let found = place.json(&["lint", "ids", "inputs.json"]);
    assert_eq!(
        found["found"],
        serde_json::json!([
            {"field": "creator", "index": 1}, {"field": "context", "index": 1}
        ])
    );
    place.refused(&["lint", "ids", "inputs.json"], 66, "2 of 2 inputs break the rules");
    place.write("inputs.json", r#"[{"creator":"ana","context":"2026"}]"#);
    place.good(&["lint", "ids", "inputs.json"]);
    for wrong in ["{}", "[1]", r#"[{"creator":"ana"}]"#] {
        place.write("inputs.json", wrong);
        place.refused(&["lint", "ids", "inputs.json"], 64, "is not a list of inputs");
    }
    place.write("inputs.json", "[");
    place.refused(&["lint", "ids", "inputs.json"], 66, "is not JSON");
}

#[test]
fn shells_and_manuals() {
    let place = Place::new("shells");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.good(&["completions", shell]).out.contains("checkpoint"), "{shell}");
    }
    assert!(place.good(&["man"]).out.contains(".TH dualseal 1"));
    fs::create_dir(place.path("man1")).unwrap();
    let pages = place.json(&["man", "--folder", "man1"])["pages"].as_u64().unwrap();
    assert_eq!(fs::read_dir(place.path("man1")).unwrap().count() as u64, pages);
    assert!(place.read("man1/dualseal-key-new.1").contains("dualseal\\-key\\-new"));
    place.refused(&["man", "--folder", "none"], 73, "cannot write none");
}
