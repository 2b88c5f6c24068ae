//! Every layer that is tampered with is named, and nothing is taken out of what does not hold.

use crate::run::Place;
use std::fs;

const RECORD: &str = "home/vaults/main/records/000000.json";
const STORED: &str = "home/vaults/main/stored/000000";

/// What becomes of a value.
type Change = fn(&str) -> String;

/// Refused as a whole, alone and when it is to be taken out; nothing is written.
fn caught(place: &Place, status: i32, layer: &str) {
    let whole = place.json(&["vault", "verify"]);
    assert_eq!(whole["status"], status, "{layer}: {whole}");
    assert!(whole["sentence"].as_str().unwrap().contains(layer), "{layer}: {whole}");
    let one = place.json(&["vault", "verify", "0"]);
    assert_eq!((&one["status"], &one["report"]["layers"][layer]["outcome"]), (&1.into(), &"fail".into()), "{one}");
    place.refused(&["vault", "unseal", "0", "-o", "out.pdf"], 1, layer);
    place.refused(&["vault", "unseal", "0", "-o", "-"], 1, layer);
    let left: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    let partial = |name: &std::ffi::OsString| name.to_string_lossy().contains("out.pdf");
    assert!(!left.iter().any(partial), "{layer}: {left:?}");
}

/// Replaces the value of a member, wherever it is, by another of the same form.
fn change(record: &str, member: &str, with: impl Fn(&str) -> String) -> String {
    let at = record.find(&format!("\"{member}\":\"")).unwrap() + member.len() + 4;
    let end = at + record[at..].find('"').unwrap();
    format!("{}{}{}", &record[..at], with(&record[at..end]), &record[end..])
}

fn flipped(hex: &str) -> String {
    let last = if hex.ends_with('0') { "1" } else { "0" };
    format!("{}{last}", &hex[..hex.len() - 1])
}

#[test]
fn the_layer_is_named() {
    let place = Place::with_vault("vault-layers");
    let record = place.read(RECORD);
    let bytes = fs::read(place.path(STORED)).unwrap();
    let mut changed = bytes.clone();
    changed[80] ^= 1;
    for changed in [changed, bytes[..bytes.len() - 1].to_vec(), [&bytes[..], b"x"].concat()] {
        place.write(STORED, changed);
        caught(&place, 253, "L0");
    }
    place.write(STORED, &bytes);
    let members: [(&str, &str, Change); 8] = [
        ("hash", "L0", flipped),
        ("hmac", "L2", flipped),
        ("baseline", "L3", flipped),
        ("text", "L5", |_| "another report".to_owned()),
        ("type", "L3", |_| "OTHER".to_owned()),
        ("L6", "L6", flipped),
        ("fragment", "L7", flipped),
        ("t", "L8", |_| "2026-11-21T09:00:00.001Z".to_owned()),
    ];
    for (member, layer, with) in members {
        place.write(RECORD, change(&record, member, with));
        caught(&place, 253, layer);
    }
    let signed = change(&record, "signature", flipped);
    place.write(RECORD, signed);
    caught(&place, 253, "L4");
    place.write(RECORD, &record);
    place.good(&["vault", "verify"]);
    // No longer a record.
    place.write(RECORD, &record[..record.len() / 2]);
    let ran = place.run(&["vault", "verify"]);
    assert!((100..200).contains(&ran.status) && ran.err.contains("000000.json"), "{ran:?}");
}

#[test]
fn another_master_is_told_by_name() {
    let place = Place::with_vault("vault-master");
    place.good(&["vault", "init", "--ledger=other"]);
    fs::copy(place.path("home/vaults/other/master.key"), place.path("home/vaults/main/master.key")).unwrap();
    caught(&place, 253, "L2");
    assert!(place.run(&["vault", "verify", "0"]).out.contains("another master"));
    fs::remove_file(place.path("home/vaults/main/master.key")).unwrap();
    place.refused(&["vault", "verify"], 77, "is missing");
    place.refused(&["vault", "seal", "contract.pdf"], 77, "is missing");
}

#[test]
fn a_ledger_that_lost_its_end_is_found_out() {
    let place = Place::with_vault("vault-truncated");
    fs::remove_file(place.path("home/vaults/main/records/000001.json")).unwrap();
    place.refused(&["vault", "verify"], 251, "record 1");
    place.refused(&["vault", "verify", "--policy=public"], 251, "record 1");
    place.refused(&["vault", "seal", "contract.pdf"], 78, "are not the ones that this program wrote");
    // Without the chain's word the head that is kept tells.
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    place.refused(&["vault", "verify", "--policy=public"], 78, "not all that this program wrote");
}

#[test]
fn the_first_record_cannot_be_left_out() {
    let place = Place::with_vault("vault-first");
    for folder in ["records/000000.json", "stored/000000"] {
        let from = folder.replace("000000", "000001");
        fs::rename(place.path(format!("home/vaults/main/{from}")), place.path(format!("home/vaults/main/{folder}")))
            .unwrap();
    }
    place.refused(&["vault", "verify"], 251, "record 0");
}

#[test]
fn a_record_of_another_ledger_is_refused() {
    let place = Place::with_vault("vault-foreign");
    place.good(&["vault", "init", "--ledger=other"]);
    place.good(&["vault", "seal", "contract.pdf", "--ledger=other"]);
    for file in ["records/000000.json", "stored/000000"] {
        let other = place.path(format!("home/vaults/other/{file}"));
        fs::copy(other, place.path(format!("home/vaults/main/{file}"))).unwrap();
    }
    place.refused(&["vault", "verify"], 254, "another ledger");
    place.refused(&["vault", "verify", "--ledger=other"], 0, "Valid");
    place.refused(&["vault", "unseal", "0", "-o", "out.pdf"], 1, "L2");
}

/// Decoys are in no chain: a ring from before is found out by the ledger.
#[test]
fn a_ring_without_the_decoys_is_found_out() {
    let place = Place::with_ana("vault-decoys");
    place.good(&["vault", "init"]);
    let ring = place.read("home/ring.json");
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["chain", "check", "--with-ring"]);
    place.write("home/ring.json", ring);
    place.good(&["chain", "check", "--with-ring"]);
    place.refused(&["vault", "verify"], 255, "decoy");
}

#[test]
fn the_stored_bytes_and_the_secret_must_be_there() {
    let place = Place::with_vault("vault-missing");
    fs::rename(place.path("home/vaults/main/secrets/000000.key"), place.path("kept.key")).unwrap();
    place.good(&["vault", "verify"]);
    place.refused(&["vault", "unseal", "0", "-o", "out.pdf"], 77, "is not in this home folder");
    assert_eq!(place.json(&["vault", "list"])["records"][0]["state"], "secret missing");
    fs::copy(place.path("home/ring.key"), place.path("home/vaults/main/secrets/000000.key")).unwrap();
    let ran = place.run(&["vault", "unseal", "0", "-o", "out.pdf"]);
    assert!(ran.status != 0 && !place.path("out.pdf").exists(), "{ran:?}");
    fs::remove_file(place.path(STORED)).unwrap();
    place.refused(&["vault", "verify"], 66, "cannot read");
}
