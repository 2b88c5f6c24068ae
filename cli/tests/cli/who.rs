//! A stranger learns who signed, with which key and when at the latest; and what was given is not believed for more
//! than it shows.

use crate::run::{Place, TIME};
use serde_json::{Value as Json, json};
use std::fs;

fn hash(place: &Place, name: &str) -> String {
    place.json(&["key", "list", name])["keys"][0]["key_hash"].as_str().unwrap().to_owned()
}

/// The lines of an answer for people, by their labels.
fn line<'t>(told: &'t str, label: &str) -> &'t str {
    let found =
        told.lines().find_map(|line| line.trim_start().strip_prefix(label).filter(|rest| rest.starts_with(' ')));
    found.unwrap_or_else(|| panic!("{label}: {told}")).trim()
}

#[test]
fn a_fingerprint_needs_no_key_file() {
    let place = Place::with_records("who-fingerprint");
    let key = hash(&place, "ana");
    let args = ["--home=none", "verify", "contract.pdf.sig.json", "--key", &key];
    let ran = place.good(&args);
    assert!(ran.out.starts_with(&format!("Valid: the signature is by the key {}", &key[..16])), "{ran:?}");
    assert!(ran.out.contains("whose key that is, nothing here shows"), "{ran:?}");
    assert_eq!((line(&ran.out, "key"), line(&ran.out, "key state")), (key.as_str(), "not asked"));
    let answer = place.json(&args);
    let signer = json!({"creator": null, "identity_id": place.identity("ana").to_hex(), "key_hash": key,
        "shown_by": "nothing"});
    assert_eq!((&answer["signer"], &answer["state"]), (&signer, &json!("not asked")), "{answer}");
    // Another key's is no pass, and a seal carries none.
    let other = "7".repeat(64);
    let wrong = ["--home=none", "verify", "contract.pdf.sig.json", "--key", &other];
    place.refused(&wrong, 1, "NOT VALID: it is made with another key");
    place.refused(&["--home=none", "verify", "contract.pdf.seal", "--key", &key], 64, "seal does not say whose it is");
    let named = ["--home=none", "verify", "contract.pdf.seal", "--key", &key, "--identity", &other];
    place.refused(&named, 64, "only the fingerprint of the key is known");
    // In a folder it counts as well, and nothing else does.
    fs::create_dir(place.path("in")).unwrap();
    for file in ["contract.pdf", "contract.pdf.sig.json"] {
        fs::copy(place.path(file), place.path("in").join(file)).unwrap();
    }
    assert_eq!(place.json(&["--home=none", "audit", "in", "--key", &key])["worst"], "vouched");
    let unknown = place.json(&["--home=none", "audit", "in", "--key", &other]);
    assert_eq!((&unknown["status"], &unknown["worst"]), (&json!(3), &json!("unchecked")), "{unknown}");
    place.write("in/contract.pdf", "one contracT");
    assert_eq!(place.json(&["--home=none", "audit", "in", "--key", &key])["status"], 1);
}

#[test]
fn the_answer_says_who_and_between_what() {
    let place = Place::with_records("who-answer");
    let key = hash(&place, "ana");
    let log = place.json(&["checkpoint", "check", "checkpoint.json"])["log"].as_str().unwrap().to_owned();
    for pinned in [["--log-key", "ana.pem"], ["--log", &log]] {
        let args = ["--home=none", "verify", "contract.pdf.sig.json", "--key=ana.pem", "--ring=ring.json"];
        let proven = [&args[..], &["--chain=chain.jsonl", "--checkpoint=checkpoint.json"], &pinned].concat();
        let ran = place.good(&proven);
        assert!(ran.out.starts_with("Valid: the signature is by \"ana\" ("), "{ran:?}");
        assert_eq!((line(&ran.out, "creator"), line(&ran.out, "key")), ("\"ana\"", key.as_str()));
        assert_eq!((line(&ran.out, "key state"), line(&ran.out, "ring revision")), ("valid", "1"));
        assert!(ran.out.contains("attested by the checkpoint, as of 3 entries"), "{ran:?}");
        let entered = line(&ran.out, "entered");
        assert!(entered.starts_with("after entry 0, before the checkpoint of 3 entries, signed at 20"), "{entered}");
        let answer = place.json(&proven);
        assert_eq!((&answer["ring_revision"], &answer["entered"]["after_entry"]), (&json!(1), &json!(0)), "{answer}");
        assert_eq!(answer["entered"]["checkpoint_size"], 3);
    }
    let wrong = "7".repeat(64);
    let verify = ["--home=none", "verify", "contract.pdf.sig.json", "--key=ana.pem", "--log", &wrong];
    let of_other = [&verify[..], &["--chain=chain.jsonl", "--checkpoint=checkpoint.json"]].concat();
    place.refused(&of_other, 1, "NOT VALID: the checkpoint is of another log");
    place.refused(&verify, 64, "a log was named with --log, and nothing of it was given");
    let check = ["--home=none", "checkpoint", "check", "checkpoint.json", "--log"];
    place.good(&[&check[..], &[log.as_str()]].concat());
    place.refused(&[&check[..], &[wrong.as_str()]].concat(), 1, "NOT VALID");
    // A ring and a key: the key must be the record's.
    let both = ["--home=none", "verify", "contract.pdf.sig.json", "--ring=ring.json", "--key", &wrong];
    place.refused(&both, 1, "NOT VALID: it is made with another key");
}

/// A key file that was pinned says nothing of the key's state; a ring and a home folder know better.
#[test]
fn a_pinned_key_has_no_state_unless_somebody_knows_better() {
    let place = Place::with_records("who-better");
    let args = ["verify", "contract.pdf.sig.json", "--key=ana.pem"];
    for (record, home) in
        [("contract.pdf.sig.json", "none"), ("contract.pdf.seal", "none"), ("contract.pdf.seal", "home")]
    {
        let ran = place.good(&["--home", home, "verify", record, "--key=ana.pem"]);
        assert_eq!((line(&ran.out, "key state"), line(&ran.out, "creator")), ("not asked", "\"ana\""), "{ran:?}");
    }
    place.good(&["key", "rotate", "ana"]);
    for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
        let ran = place.refused(&["verify", record, "--key=ana.pem"], 1, "its key is retired");
        assert!(ran.out.contains("leave --key out"), "{ran:?}");
        place.good(&["--home=none", "verify", record, "--key=ana.pem"]);
    }
    let key =
        place.json(&["key", "list", "ana"])["keys"].as_array().unwrap().iter().find(|key| key["retired"] == 3).unwrap()
            ["key_hash"]
            .as_str()
            .unwrap()
            .to_owned();
    for (state, status, words) in [("suspended", 3, "SUSPENDED"), ("revoked", 2, "REVOKED")] {
        place.good(&["key", "state", "ana", state, "--key", &key]);
        for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
            let ran = place.refused(&["verify", record, "--key=ana.pem"], status, words);
            assert!(ran.out.contains("The home folder here knows this key"), "{ran:?}");
        }
    }
    place.good(&["--home=none", "verify", "contract.pdf.sig.json", "--key=ana.pem"]);
    place.good(&["key", "export", "--ring", "-o", "new-ring.json"]);
    let known = ["--home=none", "verify", "contract.pdf.sig.json", "--key=ana.pem", "--ring=new-ring.json"];
    place.refused(&known, 2, "REVOKED");
    // A folder of another domain knows nothing of it.
    let other = Place::with_ana("who-better-other");
    let home = other.path("home");
    place.good(&[&["--home", home.to_str().unwrap()][..], &args].concat());
}

/// An audit hears a home folder that knows better as `verify` does, and says where nobody was asked.
#[test]
fn an_audit_asks_what_became_of_a_pinned_key() {
    let place = Place::with_records("who-audit");
    let key = hash(&place, "ana");
    fs::create_dir(place.path("in")).unwrap();
    place.shell("cp contract.pdf contract.pdf.sig.json contract.pdf.seal in");
    let status = |home: &str, named: &str| {
        let answer = place.json(&["--home", home, "audit", "in", "--key", named]);
        let marks = ["contract.pdf.sig.json", "contract.pdf.seal"].map(|path| crate::audit::mark(&answer, path));
        (answer["status"].as_u64().unwrap(), marks, answer)
    };
    let told = |answer: &Json| answer["notes"].to_string().contains("State not asked");
    let (code, _, answer) = status("none", "ana.pem");
    assert_eq!((code, told(&answer), &answer["signers"][0]["state_asked"]), (0, true, &json!(false)), "{answer}");
    let (code, _, answer) = status("home", "ana.pem");
    assert_eq!((code, told(&answer), &answer["signers"][0]["state_asked"]), (0, false, &json!(true)), "{answer}");
    let page = ["--home=none", "audit", "in", "--key=ana.pem", "--report=report.html"];
    assert!(place.good(&page).out.contains("state not asked"));
    assert!(
        place.read("report.html").contains("<br>state not asked<") && place.read("report.html").contains("<p>State")
    );
    let asked = ["--home=none", "audit", "in", "--ring=ring.json", "--report=ring.html"];
    assert!(!place.good(&asked).out.contains("not asked") && !place.read("ring.html").contains("not asked"));
    place.good(&["key", "rotate", "ana"]);
    let (code, marks, answer) = status("home", "ana.pem");
    assert_eq!((code, marks.each_ref().map(String::as_str)), (1, ["invalid", "invalid"]), "{answer}");
    assert!(answer["files"].to_string().contains("the home folder here knows its key"), "{answer}");
    for (state, expected, mark) in [("suspended", 3, "suspended"), ("revoked", 2, "revoked")] {
        place.good(&["key", "state", "ana", state, "--key", &key]);
        let (code, marks, answer) = status("home", "ana.pem");
        assert_eq!((code, marks.each_ref().map(String::as_str)), (expected, [mark; 2]), "{answer}");
        // A fingerprint counts for what carries its key.
        let (code, marks, answer) = status("home", &key);
        assert_eq!((code, marks[0].as_str()), (expected, mark), "{answer}");
    }
    // A stranger without a home folder has nobody to ask, and one of another domain knows nothing of it.
    assert_eq!(status("none", "ana.pem").0, 0);
    let other = Place::with_ana("who-audit-other");
    assert_eq!(status(other.path("home").to_str().unwrap(), "ana.pem").0, 0);
    // Another key of the same identity counts no more than before: the rows only refuse.
    place.good(&["seal", "contract.pdf", "-o", "in/contract.pdf.2.seal"]);
    place.good(&["sign", "contract.pdf", "-o", "in/contract.pdf.2.sig.json"]);
    let answer = status("home", "ana.pem").2;
    let marks =
        ["in/contract.pdf.2.sig.json", "in/contract.pdf.2.seal"].map(|path| crate::audit::mark(&answer, &path[3..]));
    assert!(marks.iter().all(|mark| mark != "valid"), "{answer}");
}

/// Nor does a vault's record name its key, alone or in a ledger.
#[test]
fn an_audit_asks_what_became_of_a_vaults_key() {
    let place = Place::with_vault("who-audit-vault");
    let key = hash(&place, "ana");
    fs::create_dir(place.path("in")).unwrap();
    place.good(&["vault", "redact", "0", "-o", "in/copy.vault.json", "--stored", "in/copy.stored"]);
    place.good(&["vault", "redact", "-o", "in/ledger.jsonl"]);
    place.shell("cp deed.pdf in");
    let status = |home: &str| {
        let answer = place.json(&["--home", home, "audit", "in", "--key=ana.pem"]);
        let marks = ["copy.vault.json", "ledger.jsonl"].map(|path| crate::audit::mark(&answer, path));
        (answer["status"].as_u64().unwrap(), marks, answer)
    };
    for (home, asked) in [("none", false), ("home", true)] {
        let (code, marks, answer) = status(home);
        assert_eq!((code, marks.each_ref().map(String::as_str)), (0, ["valid"; 2]), "{answer}");
        assert_eq!(answer["signers"][0]["state_asked"], asked, "{answer}");
        assert_eq!(answer["notes"].to_string().contains("State not asked"), !asked, "{answer}");
    }
    // Of a ledger alone it is said as well.
    fs::rename(place.path("in/copy.vault.json"), place.path("copy.vault.json")).unwrap();
    assert!(status_of(&place)["notes"].to_string().contains("State not asked"));
    fs::rename(place.path("copy.vault.json"), place.path("in/copy.vault.json")).unwrap();
    for (state, expected, mark) in [("suspended", 3, "suspended"), ("revoked", 2, "revoked")] {
        place.good(&["key", "state", "ana", state, "--key", &key]);
        let (code, marks, answer) = status("home");
        assert_eq!((code, marks.each_ref().map(String::as_str)), (expected, [mark; 2]), "{answer}");
        assert_eq!(status("none").0, 0);
    }
}

/// As `verify` does, the commands of the vault hear a home folder that called a pinned key back, and claim no state
/// that nobody was asked for.
#[test]
fn a_vault_asks_what_became_of_a_pinned_key() {
    let place = Place::with_vault("who-vault");
    place.good(&["vault", "redact", "0", "-o", "copy.vault.json", "--stored", "copy.stored"]);
    let file = ["vault", "verify", "--file=copy.vault.json", "--stored=copy.stored", "--key=ana.pem"];
    let ledger = ["vault", "verify", "--policy=public", "--key=ana.pem"];
    let one = [&ledger[..2], &["0"], &ledger[2..]].concat();
    for line in [&file[..], &one[..]] {
        assert_eq!(place.json(line)["state"], "not asked", "{line:?}");
    }
    place.good(&ledger);
    for (state, status) in [("suspended", 3), ("revoked", 2)] {
        place.good(&["key", "state", "ana", state]);
        for line in [&file[..], &ledger[..], &one[..]] {
            let ran = place.run(line);
            assert_eq!(ran.status, status, "{line:?} {ran:?}");
            assert!(ran.out.contains("The home folder here knows this key"), "{ran:?}");
        }
        place.good(&[&["--home=none"], &file[..]].concat());
    }
}

fn status_of(place: &Place) -> Json {
    place.json(&["--home=none", "audit", "in", "--key=ana.pem"])
}

/// A bare key is whose one says: it proves no identity, and in a domain that nobody names it neither holds nor fails.
#[test]
fn a_bare_key_proves_a_key() {
    let place = Place::new("who-bare");
    place.write("contract.pdf", "one contract");
    place.good(&["key", "new", "ana", "--domain=ACME"]);
    place.good(&["sign", "contract.pdf"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    let pem = place.read("ana.pem");
    place.write("bare.pem", &pem[pem.find("-----BEGIN").unwrap()..]);
    let bare = ["--home=none", "verify", "contract.pdf.sig.json", "--key=bare.pem"];
    let ran = place.refused(&bare, 3, "NOT CHECKED: nothing says the domain of");
    assert!(ran.out.contains("in the domain DUALSEAL the signature does not hold"), "{ran:?}");
    let ran = place.good(&[&bare[..], &["--domain=ACME"]].concat());
    assert!(ran.out.contains("by the key ") && ran.out.contains("nothing here shows"), "{ran:?}");
    // Whoever names somebody is believed in that.
    let ana = place.identity("ana").to_hex();
    let ran = place.good(&[&bare[..], &["--domain=ACME", "--identity", &ana]].concat());
    assert!(ran.out.starts_with(&format!("Valid: the signature is by {}", &ana[..16])), "{ran:?}");
    place.write("contract.pdf", "one contracT");
    place.refused(&[&bare[..], &["--domain=ACME"]].concat(), 1, "the document is not the one that was signed");
    let other = ["--home=none", "verify", "contract.pdf.sig.json", "--key=ana.pem", "--domain=OTHER"];
    place.refused(&other, 64, "the key file is of the domain ACME, and the options say OTHER");
    // A line that nobody reads would leave the same bare key.
    for (from, to) in [("dualseal-identity:", "dualseal-identiy:"), ("dualseal-domain:", "Dualseal-Domain:")] {
        place.write("slip.pem", pem.replacen(from, to, 1));
        for args in [&["verify", "contract.pdf.sig.json", "--key=slip.pem"][..], &["audit", "home", "--key=slip.pem"]] {
            place.refused(args, 66, "that says nothing here");
        }
    }
    place.write("slip.pem", pem.replacen("dualseal-creator: ana", "dualseal-creator: bo", 1));
    place.refused(&["verify", "contract.pdf.sig.json", "--key=slip.pem"], 66, "was not computed from the creator");
}

/// Whoever may write to the home folder makes no name stand for somebody else.
#[test]
fn a_table_of_names_that_was_swapped_is_found() {
    let place = Place::with_ana("who-names");
    place.good(&["key", "new", "bo"]);
    place.good(&["id", "--creator", "Ivo d.o.o.", "--draw", "--save", "ivo"]);
    let kept = place.read("home/names.json");
    let names: Json = serde_json::from_str(&kept).unwrap();
    let mut swapped = names.clone();
    (swapped["ana"], swapped["bo"]) = (names["bo"].clone(), names["ana"].clone());
    let mut chosen = names.clone();
    chosen[""]["default"] = names["bo"]["identity_id"].clone();
    let mut bare = names.clone();
    bare.as_object_mut().unwrap().remove("");
    let mut left = names.clone();
    left.as_object_mut().unwrap().remove("ivo");
    for lie in [swapped, chosen, bare, left] {
        place.write("home/names.json", lie.to_string());
        for args in [
            &["sign", "contract.pdf", "--as=ana"][..],
            &["key", "rotate", "bo"],
            &["key", "default", "ana"],
            &["key", "list", "ana"],
            &["key", "show", "ana"],
        ] {
            place.refused(args, 78, "are not the ones that were given here");
        }
        assert!(!place.path("contract.pdf.sig.json").exists());
    }
    // Nor does it choose who acts where nobody is named, in a table that nobody sealed.
    let bo = &names["bo"]["identity_id"];
    for lie in [json!({"": {"default": bo, "mac": ""}}), json!({"": {"default": bo, "mac": null}}), json!({})] {
        place.write("home/names.json", lie.to_string());
        for args in [&["sign", "contract.pdf"][..], &["seal", "contract.pdf"], &["key", "default", "ana"]] {
            assert_eq!(place.run(args).status, 78, "{args:?} {lie}");
        }
        assert!(!place.path("contract.pdf.sig.json").exists() && !place.path("contract.pdf.seal").exists());
    }
    // One that is gone lets nobody make another "ana", and comes back.
    fs::remove_file(place.path("home/names.json")).unwrap();
    for args in [&["key", "new", "ana"][..], &["key", "list"], &["chain", "check", "--with-ring"]] {
        place.refused(args, 78, "is gone");
    }
    assert_eq!(place.json(&["key", "names"])["status"], 78);
    // Of another folder with the same ring key it is no other.
    place.write("home/names.json", kept.replace("\"mac\":\"", "\"mac\":\"0"));
    place.refused(&["sign", "contract.pdf", "--as=ana"], 78, "are not the ones");
    place.write("home/names.json", &kept);
    place.good(&["sign", "contract.pdf", "--as=ana"]);
    // Who has no key here does not act, and who is given another's neither.
    place.refused(&["key", "default", "ivo"], 64, "has no signing key in this home folder");
    let key = |name: &str| place.path(format!("home/keys/{}.pem", names[name]["identity_id"].as_str().unwrap()));
    fs::copy(key("bo"), key("ivo")).unwrap();
    place.refused(&["key", "default", "ivo"], 78, "is not the current one");
    fs::copy(key("bo"), key("ana")).unwrap();
    place.refused(&["key", "default", "ana"], 78, "is not the current one");
}

/// The table of an older folder counts for nothing until its owner has looked at it.
#[test]
fn a_table_of_an_older_folder_is_taken_over() {
    let place = Place::with_ana("who-older");
    place.good(&["key", "new", "bo"]);
    assert_eq!(place.json(&["key", "names"])["sealed"], true);
    let bo = hash(&place, "bo");
    let mut names: Json = serde_json::from_str(&place.read("home/names.json")).unwrap();
    names.as_object_mut().unwrap().remove("");
    place.write("home/names.json", names.to_string());
    let ran = place.refused(&["sign", "contract.pdf", "--as=ana"], 78, "are not the ones that were given here");
    assert!(ran.err.contains("`dualseal key names --adopt`"), "{ran:?}");
    let listed = place.json(&["key", "names"]);
    assert_eq!((&listed["sealed"], &listed["names"][0]["creator"]), (&json!(false), &json!("ana")), "{listed}");
    assert_eq!(listed["status"], 78);
    // A creator is shown where the identity is computed from it.
    let mut lie = names.clone();
    lie["ana"]["identity_id"] = names["bo"]["identity_id"].clone();
    place.write("home/names.json", lie.to_string());
    let told = place.json(&["key", "names"]);
    assert_eq!((&told["names"][0]["creator"], &told["names"][1]["creator"]), (&Json::Null, &json!("bo")), "{told}");
    assert!(place.run(&["key", "names"]).out.contains("is not computed from the creator"));
    place.write("home/names.json", names.to_string());
    // What waits is finished afterwards, and keeps nobody from it.
    place.write("home/waiting.json", "{}");
    assert!(place.good(&["key", "names", "--adopt"]).err.contains("is not this folder's own"));
    fs::remove_file(place.path("home/waiting.json")).unwrap();
    let kept = place.json(&["key", "names"]);
    assert_eq!((&kept["sealed"], &kept["names"]), (&json!(true), &listed["names"]), "{kept}");
    assert_eq!(kept["names"][1]["key_hash"], bo);
    place.good(&["sign", "contract.pdf", "--as=ana"]);
    for broken in ["[]", r#"{"ana": {}}"#, r#"{"": [], "ana": {}}"#] {
        place.write("home/names.json", broken);
        place.refused(&["key", "names", "--adopt"], 78, "names");
    }
}

/// Where the ring key is under a passphrase, keys are listed without it, and nobody checked the names.
#[test]
fn names_that_nobody_checked_are_told_so() {
    let place = Place::new("who-unchecked");
    place.write("secret", "a good passphrase of mine");
    place.good(&["key", "new", "ana", "--protect", "--passphrase-file=secret"]);
    for args in [&["key", "list", "ana"][..], &["key", "show", "ana"], &["key", "show"]] {
        assert!(place.good(args).out.contains("Nobody checked these names"), "{args:?}");
        assert_eq!(place.json(args)["names_checked"], false);
    }
    let bare = Place::with_ana("who-checked");
    assert_eq!(bare.json(&["key", "list"])["names_checked"], true);
    assert!(!bare.good(&["key", "show"]).out.contains("Nobody checked"));
    // A key of an identity without a name is no sign that the table is gone.
    let free = Place::new("who-nameless");
    free.good(&["key", "new", &"7".repeat(64)]);
    free.good(&["key", "list"]);
}

/// Where a ring tells the state of a seal's key, the key that was named is the one that made it.
#[test]
fn a_seal_is_by_the_key_that_was_named() {
    let place = Place::with_records("who-seal");
    place.good(&["key", "rotate", "ana"]);
    place.good(&["seal", "contract.pdf", "-o", "new.seal"]);
    place.good(&["key", "export", "-o", "new.pem"]);
    place.good(&["key", "export", "--ring", "-o", "both.json"]);
    let verify = ["--home=none", "verify", "new.seal", "contract.pdf", "--ring=both.json"];
    let with = |more: &[&'static str]| [&verify[..], more].concat();
    place.good(&with(&["--key=new.pem"]));
    place.refused(&with(&["--key=ana.pem"]), 1, "it is made with another key");
    let ana = place.identity("ana").to_hex();
    let named = [&verify[..], &["--identity", &ana]].concat();
    place.good(&named);
    let key = hash(&place, "ana");
    place.refused(&[&named[..], &["--key", &key]].concat(), 64, "only the fingerprint of the key is known");
    // Another document is no other key, and what comes once is not read twice.
    place.write("another.pdf", "another");
    let another = ["--home=none", "verify", "new.seal", "another.pdf", "--ring=both.json", "--key=new.pem"];
    let ran = place.refused(&another, 1, "NOT VALID");
    assert!(!ran.out.contains("another key"), "{ran:?}");
    let piped = ["--home=none", "verify", "new.seal", "-", "--ring=both.json", "--key=new.pem"];
    assert_eq!(place.fed(&piped, b"one contract").status, 0);
    let piped = ["--home=none", "verify", "new.seal", "-", "--ring=both.json", "--key=ana.pem"];
    assert_eq!(place.fed(&piped, b"one contract").status, 1);
}

#[test]
fn keys_are_listed_chosen_and_exported_when_they_are_old() {
    let place = Place::with_ana("who-list");
    let first = hash(&place, "ana");
    place.good(&["key", "new", "bo"]);
    place.refused(&["sign", "contract.pdf"], 64, "key default");
    place.good(&["key", "default", "bo"]);
    let signed = place.json(&["sign", "contract.pdf"]);
    assert_eq!(signed["identity_id"], place.identity("bo").to_hex());
    place.good(&["key", "rotate", "ana"]);
    let listed = place.json(&["key", "list"]);
    let keys = listed["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 3, "{listed}");
    let old = keys.iter().find(|key| key["key_hash"] == first).unwrap();
    assert_eq!((&old["name"], &old["retired"], &old["state"]), (&json!("ana"), &json!(3), &json!("valid")), "{old}");
    let ran = place.good(&["key", "list"]);
    assert!(ran.out.contains("retired by entry 3") && ran.out.contains("signs where nobody is named"), "{ran:?}");
    place.good(&["key", "export", "ana", "--key", &first, "-o", "old.pem"]);
    assert_eq!(place.json(&["inspect", "old.pem"])["key_hash"], first);
    place.refused(&["key", "export", "bo", "--key", &first, "-o", "none"], 64, "no such key");
    place.refused(&["key", "default", "nobody"], 64, "no identity is named");
    place.good(&["key", "export", "ana", "--without-creator", "-o", "mute.pem"]);
    assert!(!place.read("mute.pem").contains("creator") && place.read("old.pem").contains("dualseal-creator: ana\n"));
    // Nothing is printed where all went well, and everything else is.
    let quiet = ["verify", "contract.pdf.sig.json", "--identity=bo", "--quiet"];
    assert_eq!(place.good(&quiet).out, "");
    place.write("contract.pdf", "another");
    assert!(place.run(&quiet).out.starts_with("NOT VALID"));
    assert_eq!(place.run(&["sign", "none", "-q", "--as=ana", "--time", TIME]).err.lines().count(), 2);
}
