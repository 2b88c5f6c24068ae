//! The work of an audit grows with what was handed over, not with what forged records claim. It is counted, not timed.

use super::{STRANGER, mark};
use crate::run::Place;
use std::fs;

const DOCUMENT: usize = 1 << 20;

/// A folder with a signed document of a megabyte, and the public key beside it.
fn signed(name: &str) -> Place {
    let place = Place::with_ana(name);
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/deed.pdf", vec![7; DOCUMENT]);
    place.good(&["sign", "in/deed.pdf"]);
    place.good(&["key", "export", "ana", "-o", "ana.pem"]);
    place
}

fn work(answer: &serde_json::Value) -> u64 {
    answer["hashed_bytes"].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

/// A record that claims to be an identity's whose key is not known, with and without a document of its own.
fn forge(place: &Place, count: usize) {
    let record: serde_json::Value = serde_json::from_str(&place.read("in/deed.pdf.sig.json")).unwrap();
    for number in 0..count {
        let mut forged = record.clone();
        forged["identity_id"] = format!("{number:064x}").into();
        place.write(format!("in/forged-{number}.json"), forged.to_string());
        place.write(format!("in/paper-{number}.pdf"), "paper");
        place.write(format!("in/paper-{number}.pdf.sig.json"), forged.to_string());
    }
}

#[test]
fn forged_records_cost_no_hashing() {
    let place = signed("audit-forged");
    let honest = work(&place.json(&STRANGER));
    assert_eq!(honest, DOCUMENT as u64, "once, for its signer");
    forge(&place, 40);
    let answer = place.json(&STRANGER);
    assert_eq!((work(&answer), mark(&answer, "deed.pdf.sig.json")), (honest, "valid".to_owned()), "{answer}");
    for path in ["forged-7.json", "paper-7.pdf.sig.json"] {
        let file = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == path).unwrap();
        assert_eq!((&file["mark"], &file["code"]), (&"unchecked".into(), &3.into()), "{file}");
        assert!(file["text"].as_str().unwrap().contains("a key that is not known here"), "{file}");
    }
}

/// A key file without its first lines is tried for everybody; only what its holder signed makes anybody of them.
#[test]
fn a_key_that_names_nobody_is_no_way_in() {
    let place = signed("audit-nameless");
    let pem = place.read("ana.pem");
    place.write("bare.pem", &pem[pem.find("-----BEGIN").unwrap()..]);
    forge(&place, 40);
    let answer = place.json(&["audit", "in", "--key=bare.pem", "--home=none"]);
    assert_eq!((work(&answer), mark(&answer, "deed.pdf.sig.json")), (DOCUMENT as u64, "valid".to_owned()), "{answer}");
}

/// A record that does not name its document is matched by content, for so many signers and no more.
#[test]
fn by_content_is_for_few_signers() {
    let place = Place::with_ana("audit-loose");
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/deed.pdf", vec![7; 1000]);
    let mut keys = vec!["audit".to_owned(), "in".to_owned(), "--home=none".to_owned()];
    for number in 0..70 {
        place.good(&["key", "new", &format!("s{number}")]);
        place.good(&["sign", "in/deed.pdf", &format!("--as=s{number}"), "-o", &format!("in/{number}.json")]);
        place.good(&["key", "export", &format!("s{number}"), "-o", &format!("s{number}.pem")]);
        keys.push(format!("--key=s{number}.pem"));
    }
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let answer = place.json(&keys);
    // Every file is looked through, the records too, for 64 signers.
    let size: u64 = fs::read_dir(place.path("in")).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(work(&answer) <= 2 * 64 * size, "{} of {size}", work(&answer));
    let summary = &answer["summary"];
    assert_eq!((&summary["valid"], &summary["unchecked"], &answer["status"]), (&64.into(), &6.into(), &3.into()));
    // By its name it is found for anybody.
    let left = (0..70).find(|number| mark(&answer, &format!("{number}.json")) == "unchecked").unwrap();
    fs::rename(place.path(format!("in/{left}.json")), place.path("in/deed.pdf.sig.json")).unwrap();
    assert_eq!(mark(&place.json(&keys), "deed.pdf.sig.json"), "valid");
}

/// Copies of one checkpoint and one chain are read for one another once.
#[test]
fn copies_of_a_checkpoint_are_one() {
    let place = signed("audit-copies");
    place.good(&["checkpoint", "sign", "-o", "in/checkpoint.json"]);
    fs::copy(place.path("home/chain.jsonl"), place.path("in/chain.jsonl")).unwrap();
    let one = work(&place.json(&STRANGER));
    for number in 0..20 {
        fs::copy(place.path("in/checkpoint.json"), place.path(format!("in/checkpoint-{number}.json"))).unwrap();
    }
    let answer = place.json(&STRANGER);
    assert_eq!((work(&answer), &answer["summary"]["valid"]), (one, &23.into()), "{answer}");
}
