//! Sessions of custodians: founded, checked, signed with, verified by a stranger, repaired, refreshed.

use crate::run::Place;
use dualseal::krunica::Checker;
use serde_json::{Value, json};
use std::fs;

/// A home with a session of three custodians, of whom two sign, under a checkpoint; everything of it by its short name.
pub(crate) fn founded(name: &str, kind: &str) -> Place {
    let place = custodians(name);
    let owners = ["--owner=ana", "--owner=ivo", "--owner=eva"];
    let found = ["session", "found", "--threshold=2", "-omade", "--kind", kind];
    let identity = if kind == "hmac" { &[][..] } else { &["--identity=board"] };
    place.good(&[&found[..], &owners, identity].concat());
    take(&place, "made");
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    place
}

/// A home in which custodians have names.
pub(crate) fn custodians(name: &str) -> Place {
    let place = Place::with_ana(name);
    place.write("resolution.pdf", "resolution 7");
    for owner in ["ivo", "eva", "iva"] {
        place.good(&["id", "--creator", owner, "--draw", "--save", owner]);
    }
    place
}

/// Takes what a folder holds out of it.
fn take(place: &Place, folder: &str) {
    for entry in fs::read_dir(place.path(folder)).unwrap() {
        let entry = entry.unwrap();
        fs::rename(entry.path(), place.path(entry.file_name())).unwrap();
    }
    fs::remove_dir(place.path(folder)).unwrap();
}

fn sign(place: &Place, shares: &[&str]) -> Value {
    place.json(&[&["session", "sign", "resolution.pdf", "--force"], shares].concat())
}

/// The pin of the session that was founded here, in the first entry that is one of a session.
fn founding(place: &Place) -> String {
    let chain = place.read("home/chain.jsonl");
    let mut checker = Checker::new();
    let mut entries = chain.lines().map(|line| checker.push_json(line.as_bytes()).unwrap());
    let entry = entries.find(|entry| entry.message().contains("-THRESHOLD::SESSION::")).unwrap();
    format!("--founding={}", entry.krunica_hash())
}

/// A share whose value has one digit changed.
fn corrupt(place: &Place, name: &str, to: &str) {
    let text = place.read(name);
    let end = text.rfind('"').unwrap();
    let digit = if text.as_bytes()[end - 1] == b'1' { "2" } else { "1" };
    place.write(to, format!("{}{digit}{}", &text[..end - 1], &text[end..]));
}

/// A key file tells no state, and a home folder that is here may know it.
#[test]
fn a_quorum_by_its_key_is_asked_of_a_home_that_knows_it() {
    let place = founded("quorum-known", "ml-dsa-65");
    sign(&place, &["share-1.json", "share-3.json"]);
    let verify = ["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf", "--session=session.json"];
    let by_key = [&verify[..], &["--key=quorum.pem"]].concat();
    let answer = place.json(&by_key);
    assert_eq!(answer["state"], "not asked");
    // Which key it was is said, by its fingerprint.
    let board = place.json(&["key", "list", "board"])["keys"][0]["key_hash"].clone();
    assert_eq!(answer["signer"]["key_hash"], board);
    for (state, status) in [("suspended", 3), ("revoked", 2)] {
        place.good(&["key", "state", "board", state]);
        let ran = place.run(&by_key);
        assert!(ran.status == status && ran.out.contains("The home folder here knows this key"), "{ran:?}");
        place.good(&[&["--home=none"], &by_key[..]].concat());
    }
}

#[test]
fn a_stranger_verifies_a_quorum_by_its_key_alone() {
    let place = founded("quorum", "ml-dsa-65");
    let answer = sign(&place, &["share-1.json", "share-3.json"]);
    assert_eq!((&answer["status"], &answer["culprits"]), (&json!(0), &json!([])), "{answer}");
    let kept = format!("home/records/{}.json", answer["krunica_hash"].as_str().unwrap());
    assert_eq!(place.read(&kept), place.read("resolution.pdf.quorum.json"));

    let stranger = Place::new("quorum-stranger");
    for name in ["resolution.pdf", "resolution.pdf.quorum.json", "session.json", "quorum.pem"] {
        fs::copy(place.path(name), stranger.path(name)).unwrap();
    }
    let verify = ["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf", "--session=session.json"];
    let by_key = [&verify[..], &["--key=quorum.pem"]].concat();
    let ran = stranger.good(&by_key);
    assert!(ran.out.starts_with("Valid: the quorum's result is by "), "{ran:?}");
    assert_eq!(stranger.json(&by_key)["verdict"], "valid");
    stranger.write("resolution.pdf", "resolution 8");
    stranger.refused(&by_key, 1, "NOT VALID");
    stranger.refused(&verify, 64, "nothing says whose keys to trust");
    stranger.refused(&by_key[..4], 64, "nothing says");

    // Another quorum's key, and a result that somebody edited.
    let other = founded("quorum-other", "ml-dsa-65");
    fs::copy(other.path("quorum.pem"), place.path("other.pem")).unwrap();
    place.refused(&[&verify[..], &["--key=other.pem"]].concat(), 1, "NOT VALID");
    let altered = place.read("resolution.pdf.quorum.json").replace("\"culprits\":[]", "\"culprits\":[2]");
    place.write("altered.json", altered);
    let altered = ["session", "verify", "altered.json", "resolution.pdf", "--session=session.json", "--key=quorum.pem"];
    place.refused(&altered, 1, "the signature does not hold");

    // The operator has all of it at home, and a suspended quorum is suspended for those who ask the ring.
    let own = ["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf"];
    place.good(&own);
    place.good(&["key", "state", "board", "suspended"]);
    place.refused(&own, 3, "SUSPENDED");
    place.good(&["chain", "check", "--with-ring"]);
}

#[test]
fn a_retired_quorum_key_needs_its_place_in_the_chain() {
    let place = founded("quorum-retired", "ml-dsa-65");
    sign(&place, &["share-1.json", "share-3.json"]);
    place.good(&["checkpoint", "sign", "-o", "signed.json"]);
    place.good(&["key", "export", "ana", "-o", "log.pem"]);
    place.good(&["key", "rotate", "board"]);
    place.good(&["checkpoint", "sign", "--as=ana", "-o", "rotated.json"]);
    place.good(&["key", "export", "--ring", "-o", "ring.json"]);
    place.good(&["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf"]);
    let stranger = ["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf", "--session=session.json"];
    let stranger = [&stranger[..], &["--ring=ring.json"]].concat();
    // A ring holds other keys as well, and a session.json could be made up.
    place.refused(&stranger, 64, "nothing says which session is in force");
    let founding = founding(&place);
    let evidence = ["--chain=home/chain.jsonl", "--checkpoint=rotated.json", "--log-key=log.pem", &founding];
    let answer = place.json(&[&stranger[..], &evidence].concat());
    assert_eq!((&answer["verdict"], &answer["located"]), (&json!("valid"), &json!(true)), "{answer}");
}

#[test]
fn custodians_verify_with_their_shares() {
    let place = founded("hmac", "hmac");
    sign(&place, &["share-1.json", "share-3.json"]);
    let verify = ["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf"];
    let ran = place.good(&[&verify[..], &["share-2.json", "share-3.json"]].concat());
    assert!(ran.out.starts_with("Authentic: "), "{ran:?}");
    place.refused(&verify, 64, "verified with shares");
    place.refused(&[&verify[..], &["share-2.json"]].concat(), 1, "1 usable shares, 2 are needed");
    place.write("other.pdf", "resolution 8");
    let wrong = ["session", "verify", "resolution.pdf.quorum.json", "other.pdf", "share-1.json", "share-2.json"];
    place.refused(&wrong, 1, "NOT VALID");

    // Away from home, with the evidence and the pinned anchor.
    place.good(&["key", "export", "ana", "-o", "log.pem"]);
    fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
    let founding = founding(&place);
    let away = ["--home=none", "--session=session.json", "--checkpoint=checkpoint.json", "--log-key=log.pem"];
    let away = [&verify[..], &["share-1.json", "share-2.json", "--chain=chain.jsonl"], &away].concat();
    place.good(&[&away[..], &[founding.as_str()]].concat());
    place.refused(&away, 64, "nothing says which session you rely on");
    let other = format!("--founding={}", "0".repeat(64));
    place.refused(&[&away[..], &[other.as_str()]].concat(), 1, "the session's founding does not stand");
    place.refused(&[&verify[..], &["share-1.json", "--home=none"]].concat(), 64, "nothing says which session");
}

#[test]
fn bad_custodians_are_named() {
    for kind in ["hmac", "ml-dsa-65"] {
        let place = founded("custodians", kind);
        corrupt(&place, "share-2.json", "liar.json");
        let size = place.read("home/chain.jsonl").lines().count();
        let refused = |shares: &[&str], status: i32, words: &str| {
            let ran = place.refused(&[&["session", "sign", "resolution.pdf"], shares].concat(), status, words);
            assert!(!place.path("resolution.pdf.quorum.json").exists(), "{shares:?}");
            ran
        };
        refused(&["share-1.json"], 1, "1 usable shares, 2 are needed");
        let ran = refused(&["share-1.json", "liar.json"], 1, "bad shares: 2");
        assert!(ran.err.contains("share 2 (liar.json) is not what was dealt; bring 1 more"), "{ran:?}");
        refused(&["share-1.json", "share-1.json"], 1, "1 usable shares, 2 are needed");
        let other = founded("custodians-other", kind);
        fs::copy(other.path("share-2.json"), place.path("other.json")).unwrap();
        let ran = refused(&["share-1.json", "other.json"], 1, "bad shares: 2");
        assert!(ran.err.contains("share 2 (other.json) is of another session"), "{ran:?}");
        let zero = place.read("share-2.json").replace("\"indeks\":2", "\"indeks\":0");
        place.write("zero.json", zero);
        refused(&["share-1.json", "zero.json"], 66, "zero.json: indeks (at 0)");
        refused(&["resolution.pdf"], 66, "resolution.pdf: ");
        assert_eq!(place.read("home/chain.jsonl").lines().count(), size);

        // With one to spare it signs, and the result says who lied.
        let answer = sign(&place, &["share-1.json", "liar.json", "share-3.json"]);
        assert_eq!((&answer["status"], &answer["culprits"]), (&json!(0), &json!([2])), "{answer}");
        assert_eq!(place.read("home/chain.jsonl").lines().count(), size + 1);
        // Junk in the name of somebody whose good share is there neither stops it nor accuses him.
        let answer = sign(&place, &["share-1.json", "liar.json", "share-2.json"]);
        assert_eq!((&answer["status"], &answer["culprits"]), (&json!(0), &json!([])), "{answer}");

        let check = ["session", "check", "share-1.json", "liar.json", "other.json"];
        let answer = place.json(&check);
        let lists = ["present", "missing", "invalid", "foreign"].map(|list| answer[list].clone());
        assert_eq!(lists, [json!([1]), json!([2, 3]), json!([2]), json!([2])], "{answer}");
        assert_eq!((&answer["reached"], &answer["status"]), (&json!(false), &json!(1)));
        place.good(&["session", "check", "share-1.json", "share-3.json"]);
    }
}

#[test]
fn shares_are_repaired_and_renewed() {
    let place = founded("renewed", "ml-dsa-65");
    place.good(&["session", "repair", "share-1.json", "share-3.json", "--lost=2", "-orepaired"]);
    assert_eq!(place.read("repaired/share-2.json"), place.read("share-2.json"));
    let stolen = ["session", "repair", "share-1.json", "share-3.json", "--lost=2", "--owner=iva", "-ox"];
    place.refused(&stolen, 1, "share 2 was not committed to for this custodian");
    let none = ["session", "repair", "share-1.json", "share-3.json", "--lost=4", "-ox"];
    place.refused(&none, 64, "there is no share 4");

    place.good(&["session", "refresh", "share-1.json", "share-3.json", "-onew"]);
    // Until a checkpoint covers it, nobody knows which dealing is in force.
    let sign_new = ["session", "sign", "resolution.pdf", "new/share-1.json", "new/share-2.json"];
    place.refused(&sign_new, 78, "no checkpoint covers the session's entry yet");
    place.good(&["checkpoint", "sign", "-o", "newer.json"]);
    place.good(&sign_new);
    let old = ["session", "sign", "resolution.pdf", "new/share-1.json", "share-2.json", "--force"];
    // An old share is no cheat: it is dropped, and its holder is not named a culprit.
    let ran = place.refused(&old, 1, "1 usable shares, 2 are needed");
    assert!(ran.err.contains("an earlier dealing") && !ran.err.contains("bad shares"), "{ran:?}");
    let stranger = ["session", "verify", "resolution.pdf.quorum.json", "resolution.pdf", "--session=session.json"];
    place.good(&[&stranger[..], &["--key=quorum.pem"]].concat());

    let owners = ["--owner=ana", "--owner=ivo", "--owner=eva", "--owner=iva"];
    let more = ["session", "rethreshold", "new/share-1.json", "new/share-2.json", "--threshold=3", "-omore"];
    place.good(&[&more[..], &owners].concat());
    place.good(&["checkpoint", "sign", "-o", "newest.json"]);
    let three = ["more/share-4.json", "more/share-2.json", "more/share-1.json"];
    assert_eq!(sign(&place, &three)["status"], 0);
    let few = [&["session", "sign", "resolution.pdf", "--force"], &three[..2]].concat();
    place.refused(&few, 1, "2 usable shares, 3 are needed");
    place.good(&[&stranger[..], &["--key=quorum.pem"]].concat());
    let wrong = [&["session", "rethreshold", "--threshold=9", "-ox"], &three[..]].concat();
    place.refused(&wrong, 66, "k (at 9)");
    place.good(&["chain", "check", "--with-ring"]);
}

/// Whoever stole the quorum's key, or has enough old shares, deals anew after the key was revoked: at home the ring is
/// asked, and nothing comes of it.
#[test]
fn a_revoked_quorum_key_brings_nothing_into_force() {
    let place = founded("revoked-quorum", "ml-dsa-65");
    let before = place.read("home/chain.jsonl").lines().count();
    place.good(&["key", "state", "board", "revoked"]);
    place.good(&["checkpoint", "sign", "-o", "revoked.json"]);
    let refresh = ["session", "refresh", "share-1.json", "share-3.json", "-onew"];
    place.refused(&refresh, 1, "the key of the session was revoked");
    assert!(!place.path("new").exists());
    assert_eq!(place.read("home/chain.jsonl").lines().count(), before + 1);
}

#[test]
fn what_no_session_can_be() {
    let place = Place::with_ana("no-session");
    place.write("resolution.pdf", "resolution 7");
    let found = ["session", "found", "--threshold=2", "-omade"];
    place.good(&["id", "--creator=ivo", "--draw", "--save=ivo"]);
    let owners = ["--owner=ana", "--owner=ivo"];
    assert_eq!(place.run(&[&found[..], &owners, &["--kind=ml-dsa-65"]].concat()).status, 64);
    place.refused(&[&found[..], &owners, &["--kind=hmac", "--identity=b"]].concat(), 64, "--identity is for");
    place.refused(&[&found[..], &["--owner=ana", "--kind=hmac"]].concat(), 66, "n (at 1)");
    place.refused(&[&found[..], &["--owner=ana", "--owner=bo", "--kind=hmac"]].concat(), 64, "no identity is named");
    let taken = [&found[..], &owners, &["--kind=ml-dsa-65", "--identity=ana"]].concat();
    let ran = place.run(&taken);
    assert!(ran.status != 0 && ran.err.contains("signs with a key of its own already"), "{ran:?}");
    assert!(!place.path("made").exists() && place.read("home/chain.jsonl").lines().count() == 1);
    place.refused(&["session", "sign", "resolution.pdf", "x.json"], 64, "this session is not known here");
    // Without a checkpoint a session does not count.
    place.good(&[&found[..], &owners, &["--kind=hmac"]].concat());
    let sign = ["session", "sign", "resolution.pdf", "made/share-1.json", "made/share-2.json"];
    place.refused(&sign, 78, "no checkpoint covers");
    place.good(&["checkpoint", "sign", "-ocheckpoint.json"]);
    place.good(&sign);
    // Two of them: which one must be said, by its identifier or its record.
    place.good(&[&found[..3], &["-oother", "--kind=hmac"], &owners[..]].concat());
    place.good(&["checkpoint", "sign", "-onewer.json"]);
    place.refused(&[&sign[..], &["--force"]].concat(), 64, "there are several sessions here");
    place.good(&[&sign[..], &["--force", "--session=made/session.json"]].concat());
    let session: Value = serde_json::from_str(&place.read("made/session.json")).unwrap();
    let session = format!("--session={}", session["session_id"].as_str().unwrap());
    place.good(&[&sign[..], &["--force", &session]].concat());
}
