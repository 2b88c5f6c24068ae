//! The operator's own chain, against whatever lies in the folder.

use super::mark;
use crate::evidence::covered;
use crate::run::Place;
use crate::thief;
use dualseal::krunica::TreeHead;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Head};
use serde_json::{Value as Json, json};
use std::fs;

/// The heads of a chain by size.
fn heads(place: &Place, chain: &str) -> Vec<TreeHead> {
    let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::beginning());
    let mut heads = vec![Head::EMPTY.tree_head()];
    for line in place.read(chain).lines() {
        reader.push_json(line.as_bytes()).unwrap();
        heads.push(reader.head().unwrap().tree_head());
    }
    heads
}

/// A checkpoint over a head, in the ring of the last one or in another.
fn sign(place: &Place, head: &TreeHead, ring: Option<Json>, name: &str) {
    let (top, root) = (json!(head.top.to_hex()), json!(head.root.to_hex()));
    let mut change = vec![("root", root), ("size", json!(head.size)), ("top", top)];
    change.extend(ring.map(|ring| ("ring", ring)));
    place
        .write(format!("in/{name}.checkpoint.json"), thief::signed(place, "checkpoint.json", "ana", &change).to_json());
}

/// However many lie there, the chain is read once.
#[test]
fn any_number_of_checkpoints_is_held_in_one_pass() {
    let place = Place::with_records("own-many");
    fs::create_dir(place.path("in")).unwrap();
    place.append(&Domain::default(), (0..80).map(|number| format!("message-{number}")));
    covered(&place);
    place.copy_home("home", "thief");
    fs::copy(place.path("checkpoint.json"), place.path("first.json")).unwrap();
    let own = heads(&place, "home/chain.jsonl");
    for (size, head) in own.iter().enumerate().skip(10) {
        sign(&place, head, None, &format!("own-{size}"));
    }
    let chain = place.read("home/chain.jsonl");
    let work = |answer: &Json| answer["hashed_bytes"].as_u64().unwrap();
    let answer = place.json(&["audit", "in"]);
    assert_eq!((&answer["status"], &answer["summary"]["valid"]), (&json!(0), &json!(own.len() - 10)), "{answer}");
    assert_eq!(work(&answer), chain.len() as u64, "once");
    // Somebody else's, at a size that another has and at one that none has; one beyond the chain, and a false ring.
    place.good(&["chain", "append", "mine", "--as=ana"]);
    for message in ["his", "another", "more"] {
        place.good(&["--home=thief", "chain", "append", message, "--as=ana"]);
    }
    let (own, other) = (heads(&place, "home/chain.jsonl"), heads(&place, "thief/chain.jsonl"));
    let end = own.len() - 1;
    sign(&place, &own[end], None, "own-last");
    sign(&place, &other[end], None, "fork");
    sign(&place, &other[end + 2], None, "beyond");
    let honest: Json = serde_json::from_str(&place.read("checkpoint.json")).unwrap();
    let mut ring = honest["ring"].clone();
    ring["root"] = json!("7".repeat(64));
    sign(&place, &own[50], Some(ring), "ring");
    let mut tampered = own[60];
    tampered.root = own[61].root;
    sign(&place, &tampered, None, "tree");
    let chain = place.read("home/chain.jsonl");
    let begun = chain.len() - chain.lines().last().unwrap().len() - 1;
    for (more, judged, read) in [
        (&[][..], &["fork", "beyond", "ring", "tree"][..], chain.len()),
        // Found by hashing the chain, and gone on from.
        (&["--since=first.json"], &["fork", "beyond"], 2 * chain.len() - begun),
    ] {
        let answer = place.json(&[&["audit", "in"], more].concat());
        let files = answer["files"].as_array().unwrap();
        assert_eq!(answer["status"], 1, "{answer}");
        for line in files {
            let name = line["path"].as_str().unwrap().split('.').next().unwrap();
            let words = if name == "ring" { "FALSE RING: " } else { "FORK: it and the home folder's own chain" };
            let (found, text) = (line["mark"].as_str().unwrap(), line["text"].as_str().unwrap());
            if judged.contains(&name) {
                assert!(found == "invalid" && text.contains(words), "{name}: {line}");
            } else {
                let before = !more.is_empty() && !["own-last", &format!("own-{}", end - 1)].contains(&name);
                assert_eq!(found, if before { "unchecked" } else { "valid" }, "{name}: {line}");
            }
        }
        assert_eq!(work(&answer), read as u64, "{more:?}");
    }
    // Files of evidence are held in the same pass.
    fs::copy(place.path("contract.pdf"), place.path("in/contract.pdf")).unwrap();
    covered(&place);
    place.good(&["evidence", "make", "contract.pdf.sig.json", "-o", "in/contract.pdf.evidence.json"]);
    let answer = place.json(&["audit", "in"]);
    assert_eq!(mark(&answer, "contract.pdf.evidence.json"), "valid", "{answer}");
    assert_eq!(work(&answer), (chain.len() + "one contract".len()) as u64);
}

/// Somebody who has a key of the log has the operator begin at the right size, in another ring.
#[test]
fn the_ring_at_the_beginning_is_compared() {
    let place = Place::with_records("own-since-ring");
    place.good(&["key", "new", "bo"]);
    covered(&place);
    let before: Json = serde_json::from_str(&place.read("checkpoint.json")).unwrap();
    place.good(&["key", "state", "bo", "revoked"]);
    place.good(&["chain", "append", "filler", "--as=ana"]);
    covered(&place);
    fs::create_dir(place.path("in")).unwrap();
    let honest: Json = serde_json::from_str(&place.read("checkpoint.json")).unwrap();
    let mut edited = honest["ring"].clone();
    edited["root"] = json!("7".repeat(64));
    for (name, ring) in [("edited", edited), ("older", before["ring"].clone()), ("none", Json::Null)] {
        let lie = thief::signed(&place, "checkpoint.json", "ana", &[("ring", ring)]);
        place.write(format!("{name}.json"), lie.to_json());
    }
    let ends = |name: &str| fs::copy(place.path("checkpoint.json"), place.path(name)).unwrap();
    ends("honest.json");
    // The folder's tree is larger, and the ring was changed since.
    place.good(&["key", "state", "bo", "valid"]);
    covered(&place);
    place.good(&["chain", "export", "--tiles", "public"]);
    ends("in/checkpoint.json");
    place.good(&["key", "rotate", "bo"]);
    for more in [&[][..], &["--tiles=public"]] {
        let audited = |since: &str| place.run(&[&["audit", "in", since], more].concat());
        let ran = audited("--since=honest.json");
        assert_eq!(ran.status, 0, "{more:?}: {ran:?}");
        for name in ["edited", "older", "none"] {
            let ran = audited(&format!("--since={name}.json"));
            let words = format!("FALSE RING: {name}.json is over the home folder's own chain: ");
            assert!(ran.status == 1 && ran.err.contains(&words), "{name}: {more:?}: {ran:?}");
            assert!(ran.err.contains("mark it as revoked by `dualseal key state`"), "{ran:?}");
        }
    }
}
