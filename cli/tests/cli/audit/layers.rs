//! Layer A of seals: checked by the operator, who has the seal key, and named as unchecked otherwise.

use super::mark;
use crate::run::Place;
use std::fs;

fn sealed(name: &str) -> Place {
    let place = Place::with_ana(name);
    fs::create_dir(place.path("in")).unwrap();
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    place.good(&["seal", "in/contract.pdf"]);
    place.good(&["key", "export", "ana", "-o", "ana.pem"]);
    place
}

fn text(answer: &serde_json::Value) -> String {
    let files = answer["files"].as_array().unwrap().iter();
    let seal = files.clone().find(|file| file["path"] == "contract.pdf.seal").unwrap();
    seal["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_operator_checks_both_layers() {
    let place = sealed("audit-layers");
    let own = place.json(&["audit", "in"]);
    assert_eq!((&own["status"], text(&own)), (&0.into(), "holds, both layers".to_owned()), "{own}");
    let stranger = place.json(&["audit", "in", "--key=ana.pem"]);
    assert_eq!(stranger["status"], 0);
    assert!(text(&stranger).contains("layer A was not checked"), "{stranger}");
    let alone = place.json(&["audit", "in", "--policy=b"]);
    assert!(text(&alone).contains("layer A was not checked"), "{alone}");
    place.refused(&["audit", "in", "--policy=both", "--key=ana.pem"], 64, "only the operator");
}

/// A seal by another seal key: its signature holds, and its HMAC does not.
#[test]
fn a_seal_by_another_seal_key_is_found() {
    let place = sealed("audit-layer-a");
    place.good(&["key", "new", "bo", "--home=other"]);
    fs::copy(place.path("other/seal.key"), place.path("home/seal.key")).unwrap();
    let verified = place.json(&["verify", "in/contract.pdf.seal"]);
    assert_eq!((&verified["status"], &verified["layer_a"]), (&1.into(), &"fail".into()), "{verified}");
    let own = place.json(&["audit", "in"]);
    assert_eq!((&own["status"], mark(&own, "contract.pdf.seal")), (&1.into(), "invalid".to_owned()), "{own}");
    assert!(text(&own).contains("layer A"), "{own}");
    assert_eq!(place.json(&["audit", "in", "--key=ana.pem"])["status"], 0, "by its signature alone");
}

/// Where the home folder is under a passphrase, its ring and its seal key are; a stranger needs neither.
#[test]
fn a_passphrase_opens_the_seal_key() {
    let place = Place::new("audit-layers-passphrase");
    place.write("p", "correct horse");
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/contract.pdf", "one contract");
    for args in [&["key", "new", "ana"][..], &["seal", "in/contract.pdf"], &["key", "export", "-o", "ana.pem"]] {
        place.good(&[args, &["--passphrase-file=p"]].concat());
    }
    place.refused(&["audit", "in"], 77, "passphrase");
    let own = place.json(&["audit", "in", "--passphrase-file=p"]);
    assert_eq!(text(&own), "holds, both layers");
    place.good(&["audit", "in", "--key=ana.pem"]);
}
