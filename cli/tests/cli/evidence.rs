//! Evidence in one file: made in a home folder, verified by strangers, and the ways to lie with it.

mod lies;
mod making;

use crate::run::Place;
use serde_json::Value as Json;

/// The file that is made for the signature in [`signed`].
pub(crate) const FILE: &str = "contract.pdf.sig.evidence.json";

/// The arguments that bring the witnesses' lines.
pub(crate) const NOTES: [&str; 2] = ["--note=one.note", "--note=two.note"];

/// Ana's log with a signature and a seal of hers, seen by two witnesses; the fingerprint of the log.
pub(crate) fn signed(name: &str) -> (Place, String) {
    let place = Place::with_records(name);
    place.good(&["key", "new", "bo"]);
    let log = covered(&place);
    let key = place.json(&["chain", "export", "--tiles", "public"])["note_key"].as_str().unwrap().to_owned();
    for (folder, name, time) in [("one", "one.example", 10), ("two", "two.example", 20)] {
        let made = place.json(&["witness", "new", folder, "--name", name]);
        place.write(format!("{folder}.key"), made["key"].as_str().unwrap());
        let time = format!("2026-11-21T09:{time}:00.000Z");
        let note = format!("--out={folder}.note");
        place.good(&["witness", "follow", "public", "--in", folder, "--log", &key, &note, "--time", &time]);
    }
    (place, log)
}

/// Signs a checkpoint; the fingerprint of the log.
pub(crate) fn covered(place: &Place) -> String {
    let answer = place.json(&["checkpoint", "sign", "--as=ana", "-o", "checkpoint.json", "--force"]);
    answer["log"].as_str().unwrap().to_owned()
}

/// What a stranger is told, who has no home folder.
pub(crate) fn told(place: &Place, document: &str, file: &str, log: &str, more: &[&str]) -> Json {
    place.json(&asked(document, file, log, more))
}

/// The words by which a stranger asks, of anybody where `more` names nobody.
pub(crate) fn asked<'a>(document: &'a str, file: &'a str, log: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let says =
        |word: &&str| ["--key", "--identity", "--signer", "--any-signer"].iter().any(|who| word.starts_with(who));
    let anybody: &[&str] = if more.iter().any(says) { &[] } else { &["--any-signer"] };
    [&["--home=nowhere", "verify", document, "--evidence", file, "--log", log], anybody, more].concat()
}

/// A witness's key.
pub(crate) fn witness(place: &Place, name: &str) -> String {
    place.read(&format!("{name}.key"))
}
