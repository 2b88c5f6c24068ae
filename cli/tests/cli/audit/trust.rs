//! Keys and rings that are given together: whatever their order, none of them undoes what another one says.

use super::mark;
use crate::run::Place;
use std::fs;

/// A record by a key that was called back since, with the ring before and after.
fn called_back(name: &str) -> Place {
    let place = Place::with_ana(name);
    fs::create_dir(place.path("in")).unwrap();
    for line in [
        "cp contract.pdf in",
        "dualseal sign in/contract.pdf",
        "dualseal key export ana -o ana.pem",
        "dualseal key export --ring -o old.json",
        "dualseal key state ana revoked",
        "dualseal key export --ring -o new.json",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    place
}

fn audit(place: &Place, given: &[&str]) -> (i64, String) {
    let answer = place.json(&[&["audit", "in", "--home=none"], given].concat());
    (answer["status"].as_i64().unwrap(), mark(&answer, "contract.pdf.sig.json"))
}

#[test]
fn a_key_does_not_undo_a_revocation() {
    let place = called_back("audit-called-back");
    let revoked = (2, "revoked".to_owned());
    for given in [
        &["--ring=new.json"][..],
        &["--key=ana.pem", "--ring=new.json"],
        &["--ring=old.json", "--ring=new.json"],
        &["--ring=new.json", "--ring=old.json"],
        &["--key=ana.pem", "--ring=new.json", "--ring=old.json"],
    ] {
        assert_eq!(audit(&place, given), revoked, "{given:?}");
    }
    assert_eq!(audit(&place, &["--key=ana.pem"]).0, 0, "who has no ring cannot know");
    assert_eq!(audit(&place, &["--ring=old.json"]).0, 0);
    // The operator's own file is no ring for others: nobody held it against its chain.
    let ran = place.run(&["audit", "in", "--home=none", "--ring", &place.row("ana")]);
    assert!(ran.status == 66, "{ran:?}");
}

#[test]
fn a_key_that_the_ring_does_not_have_is_a_finding() {
    let place = called_back("audit-other-key");
    place.good(&["key", "rotate", "ana"]);
    for (ring, key) in [("rotated.json", "ana-2.pem"), ("ring-of-bo.json", "bo.pem")] {
        let home = if key == "bo.pem" { "--home=other" } else { "--home=home" };
        if key == "bo.pem" {
            place.good(&["key", "new", "bo", home]);
        }
        place.good(&["key", "export", "--ring", "-o", ring, home]);
        place.good(&["key", "export", "-o", key, home]);
    }
    // The key after the rotation, and the one before, are both ana's.
    for key in ["--key=ana.pem", "--key=ana-2.pem"] {
        assert_eq!(audit(&place, &[key, "--ring=rotated.json"]).1, "revoked", "as it was before it was retired");
        let answer = place.json(&["audit", "in", "--home=none", key, "--ring=rotated.json"]);
        assert!(!answer.to_string().contains("no such key"), "{answer}");
    }
    // Bo's key, said to be ana's.
    let (ana, bo) = (place.read("ana.pem"), place.read("bo.pem"));
    let begins = |text: &str| text.find("-----BEGIN").unwrap();
    place.write("false.pem", format!("{}{}", &ana[..begins(&ana)], &bo[begins(&bo)..]));
    for given in [["--key=false.pem", "--ring=old.json"], ["--ring=old.json", "--key=false.pem"]] {
        let answer = place.json(&[&["audit", "in", "--home=none"][..], &given].concat());
        assert_eq!((&answer["status"], mark(&answer, "false.pem")), (&1.into(), "invalid".to_owned()), "{answer}");
        assert_eq!(mark(&answer, "contract.pdf.sig.json"), "invalid", "{answer}");
    }
    // Without a ring nobody says which of two is hers.
    place.refused(&["audit", "in", "--home=none", "--key=ana.pem", "--key=false.pem"], 64, "another key");
    assert_eq!(audit(&place, &["--key=ana.pem", "--key=ana.pem", "--key=bo.pem"]).0, 0);
}

#[test]
fn rings_that_contradict_each_other_are_refused() {
    let place = called_back("audit-two-rings");
    // A copy of the folder that went another way: one revision, two contents.
    for line in ["cp -a home copy && cp home.mark copy.mark", "dualseal key new bo", "dualseal key new ivo --home copy"]
    {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    place.good(&["key", "export", "--ring", "-o", "one.json"]);
    place.good(&["key", "export", "--ring", "-o", "two.json", "--home=copy"]);
    for given in [["--ring=one.json", "--ring=two.json"], ["--ring=two.json", "--ring=one.json"]] {
        let args = [&["audit", "in", "--home=none"][..], &given].concat();
        place.refused(&args, 64, "contradict each other");
    }
    // Two logs that speak of one identity.
    let origin = place.shell("sed s,acme.example/log,other.example/log, old.json >other.json");
    assert_eq!(origin.status, 0);
    for given in [["--ring=old.json", "--ring=other.json"], ["--ring=other.json", "--ring=new.json"]] {
        let args = [&["audit", "in", "--home=none"][..], &given].concat();
        place.refused(&args, 64, "speak of one identity");
    }
}

/// A called-back log key signs no checkpoints that count, whoever asks.
#[test]
fn the_ring_tells_of_the_log_key_too() {
    let place = called_back("audit-log-key");
    for line in [
        "cp -a home old && cp home.mark old.mark",
        "dualseal key state ana valid --home old",
        "dualseal checkpoint sign -o in/checkpoint.json --home old",
        "cp old/chain.jsonl in/chain.jsonl",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    for given in [&["--log-key=ana.pem", "--ring=new.json", "--home=none"][..], &["--log-key=ana.pem"], &[]] {
        let answer = place.json(&[&["audit", "in"], given].concat());
        assert_eq!(mark(&answer, "checkpoint.json"), "revoked", "{given:?}: {answer}");
        assert_ne!(mark(&answer, "chain.jsonl"), "valid", "{given:?}: {answer}");
    }
}
