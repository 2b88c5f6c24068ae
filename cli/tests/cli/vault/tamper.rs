//! Every layer that is tampered with is named, and nothing is taken out of what does not hold.

use crate::run::Place;
use std::fs;

const RECORD: &str = "home/vaults/main/records/000000.json";
const STORED: &str = "home/vaults/main/stored/000000";

const SECRET: &str = "home/vaults/main/secrets/000000.key";

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
    let before = kept(place);
    place.refused(&["vault", "erase", "0", "--yes"], 1, layer);
    assert!(before == kept(place), "{layer}");
    let left: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    let partial = |name: &std::ffi::OsString| name.to_string_lossy().contains("out.pdf");
    assert!(!left.iter().any(partial), "{layer}: {left:?}");
}

/// What an erasure changes: the secret, the chain, and whether there is a record more.
fn kept(place: &Place) -> (String, String, bool) {
    let more = place.path("home/vaults/main/records/000002.json").exists();
    (place.read(SECRET), place.read("home/chain.jsonl"), more)
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
        caught(&place, 1, "L0");
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
        caught(&place, 1, layer);
    }
    let signed = change(&record, "signature", flipped);
    place.write(RECORD, signed);
    caught(&place, 1, "L4");
    place.write(RECORD, &record);
    place.good(&["vault", "verify"]);
    // No longer a record.
    place.write(RECORD, &record[..record.len() / 2]);
    let ran = place.run(&["vault", "verify"]);
    assert!(ran.status == 66 && ran.err.contains("000000.json"), "{ran:?}");
}

#[test]
fn another_master_is_told_by_name() {
    let place = Place::with_vault("vault-master");
    place.good(&["vault", "init", "--ledger=other"]);
    fs::copy(place.path("home/vaults/other/master.key"), place.path("home/vaults/main/master.key")).unwrap();
    caught(&place, 1, "L2");
    assert!(place.run(&["vault", "verify", "0"]).out.contains("another master"));
    fs::remove_file(place.path("home/vaults/main/master.key")).unwrap();
    place.refused(&["vault", "verify"], 77, "is missing");
    place.refused(&["vault", "seal", "contract.pdf"], 77, "is missing");
}

#[test]
fn a_ledger_that_lost_its_end_is_found_out() {
    let place = Place::with_vault("vault-truncated");
    fs::remove_file(place.path("home/vaults/main/records/000001.json")).unwrap();
    place.refused(&["vault", "verify"], 1, "record 1");
    place.refused(&["vault", "verify", "--policy=public"], 78, "not all that this program wrote");
    // Whoever names the key asks for no secret, and is told all the same.
    place.refused(&["vault", "verify", "--policy=public", "--key=ana.pem"], 78, "not all that this program wrote");
    place.refused(&["vault", "seal", "contract.pdf"], 78, "are not the ones that this program wrote");
    // Nobody takes away the checkpoint under which the chain tells: the state has it.
    fs::remove_file(place.path("home/checkpoint.json")).unwrap();
    for line in ["vault verify", "vault verify --policy=public", "vault seal contract.pdf"] {
        place.refused(&line.split(' ').collect::<Vec<_>>(), 78, "the last checkpoint, over 3 entries, is missing");
    }
}

#[test]
fn the_first_record_cannot_be_left_out() {
    let place = Place::with_vault("vault-first");
    for folder in ["records/000000.json", "stored/000000"] {
        let from = folder.replace("000000", "000001");
        fs::rename(place.path(format!("home/vaults/main/{from}")), place.path(format!("home/vaults/main/{folder}")))
            .unwrap();
    }
    place.refused(&["vault", "verify"], 1, "record 0");
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
    place.refused(&["vault", "verify"], 1, "does not hold: L2");
    place.refused(&["vault", "verify", "--ledger=other"], 0, "Valid");
    refused_everywhere(&place, "0", 1, "record 0 is not in");
}

/// Refuses to verify, take out, give away or erase it; nothing is written or destroyed.
fn refused_everywhere(place: &Place, which: &str, status: i32, words: &str) {
    let before = kept(place);
    for policy in ["--policy=operator", "--policy=public"] {
        place.refused(&["vault", "verify", which, policy], status, words);
    }
    place.refused(&["vault", "unseal", which, "-o", "out.pdf"], status, words);
    place.refused(&["vault", "unseal", which, "-o", "-"], status, words);
    place.refused(&["vault", "redact", which, "-o", "out.pdf"], status, words);
    place.refused(&["vault", "erase", which, "--yes"], status, words);
    assert!(before == kept(place) && !place.path("out.pdf").exists(), "{which}: {words}");
}

/// Puts the files of one place over those of another.
fn moved(place: &Place, from: u64, to: u64) {
    for (folder, end) in [("records", ".json"), ("stored", ""), ("secrets", ".key")] {
        let file = |seq| place.path(format!("home/vaults/main/{folder}/{seq:06}{end}"));
        fs::copy(file(from), file(to)).unwrap();
    }
}

/// Every layer of a record that was put over another one holds, wherever it lies.
#[test]
fn a_record_at_another_place_is_not_the_one_that_was_asked_for() {
    for (from, to, words) in [(1, 0, "record 0 is not in"), (0, 1, "record 1 is not in")] {
        let status = 1;
        let place = Place::with_ana(&format!("vault-moved-{from}"));
        place.write("other.pdf", "another contract");
        place.good(&["vault", "init"]);
        for document in ["contract.pdf", "other.pdf", "contract.pdf"] {
            place.good(&["vault", "seal", document]);
        }
        let records = place.json(&["vault", "list"])["records"].clone();
        let id = |seq: usize| records[seq]["vault_id"].as_str().unwrap().to_owned();
        for which in [id(0), id(1), "0".into(), "1".into()] {
            place.good(&["vault", "verify", &which]);
        }
        moved(&place, from, to);
        refused_everywhere(&place, &to.to_string(), status, words);
        for seq in [0, 1] {
            refused_everywhere(&place, &id(seq), status, words);
        }
        place.refused(&["vault", "list"], status, words);
        assert_eq!(place.json(&["vault", "verify"])["verdict"], "invalid");
    }
}

/// A record must follow the one that is kept before it, whatever the chain says of its own place.
#[test]
fn a_record_follows_the_one_before_it() {
    let place = Place::with_vault("vault-before");
    let record = place.read(RECORD);
    place.write(RECORD, change(&record, "hash", flipped));
    for policy in ["--policy=operator", "--policy=public"] {
        let one = place.json(&["vault", "verify", "1", policy]);
        assert_eq!((&one["status"], &one["report"]["layers"]["L0"]["outcome"]), (&1.into(), &"fail".into()), "{one}");
    }
    place.refused(&["vault", "unseal", "1", "-o", "out.pdf"], 1, "L0");
    place.write(RECORD, record);
    place.good(&["vault", "verify", "1"]);
}

/// What no checkpoint vouches for is not destroyed either.
#[test]
fn only_what_the_chain_vouches_for_is_erased() {
    let place = Place::with_ana("vault-erase-covered");
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf", "--no-checkpoint"]);
    let secret = place.read(SECRET);
    place.refused(&["vault", "erase", "0", "--yes"], 3, "not located under a checkpoint");
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    place.good(&["vault", "seal", "contract.pdf", "--no-checkpoint"]);
    place.refused(&["vault", "erase", "1", "--yes"], 3, "not located under a checkpoint");
    assert_eq!(place.read(SECRET), secret);
    place.good(&["vault", "erase", "0", "--yes"]);
    assert_eq!(place.read(SECRET), "");
}

/// Decoys are in no chain: the seal over the ring's rows has them.
#[test]
fn a_ring_without_the_decoys_is_found_out() {
    let place = Place::with_ana("vault-decoys");
    place.good(&["vault", "init"]);
    let (old, state) = (place.read("home/decoys.jsonl"), place.kept(["home/state.jsonl"]));
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["chain", "check", "--with-ring"]);
    let new = place.read("home/decoys.jsonl");
    assert_ne!(new, old);
    let refused = |words: &str| {
        for line in ["chain check --with-ring", "vault verify", "vault seal contract.pdf", "key state ana suspended"] {
            place.refused(&line.split(' ').collect::<Vec<_>>(), 78, words);
        }
    };
    let decoy = |of: &str| serde_json::from_str::<serde_json::Value>(of).unwrap()[0]["javni_kljuc"].to_string();
    let edited = new.replace(&decoy(&new), &format!("\"{}\"", "0".repeat(64)));
    for rows in [&old, &edited] {
        place.write("home/decoys.jsonl", rows);
        refused("a row of the ring was edited, is missing, or is an old one");
    }
    place.write("home/decoys.jsonl", old);
    place.put_back(&state);
    refused("of which steps wrote");
}

#[test]
fn the_stored_bytes_and_the_secret_must_be_there() {
    let place = Place::with_vault("vault-missing");
    fs::rename(place.path("home/vaults/main/secrets/000000.key"), place.path("kept.key")).unwrap();
    place.good(&["vault", "verify"]);
    place.refused(&["vault", "unseal", "0", "-o", "out.pdf"], 77, "is lost, and the ledger says of no");
    assert_eq!(place.json(&["vault", "list"])["records"][0]["state"], "secret lost");
    fs::copy(place.path("home/ring.key"), place.path("home/vaults/main/secrets/000000.key")).unwrap();
    let ran = place.run(&["vault", "unseal", "0", "-o", "out.pdf"]);
    assert!(ran.status != 0 && !place.path("out.pdf").exists(), "{ran:?}");
    fs::remove_file(place.path(STORED)).unwrap();
    place.refused(&["vault", "verify"], 66, "cannot read");
}

/// What is destroyed must be the secret of the record: with another file in its place the record's own would live on.
#[test]
fn only_the_secret_that_opens_a_record_is_destroyed() {
    let place = Place::with_vault("vault-erase-secret");
    let secret = place.read(SECRET);
    let before = kept(&place);
    place.write(SECRET, place.read("home/ring.key"));
    place.refused(&["vault", "erase", "0", "--yes"], 1, "does not open");
    place.write(SECRET, "nothing of a secret");
    place.refused(&["vault", "erase", "0", "--yes"], 77, "000000.key");
    place.write(SECRET, &secret);
    assert!(before == kept(&place));
    place.good(&["vault", "erase", "0", "--yes"]);
    assert_eq!(place.read(SECRET), "");
}

/// The splits of the secret whose shares were destroyed as well stand in the ledger, each once and in order.
#[test]
fn an_erasure_names_the_splits() {
    let place = Place::with_vault("vault-erase-splits");
    let ids = ["b", "a"].map(|digit| digit.repeat(64));
    let splits = ids.iter().flat_map(|id| ["--split", id]);
    let ran = place.run(&["vault", "erase", "0", "--yes", "--split=0"]);
    assert!(ran.status == 64 && ran.err.contains("--split"), "{ran:?}");
    let args: Vec<&str> = ["vault", "erase", "0", "--yes", "--split", &ids[0]].into_iter().chain(splits).collect();
    let erased = place.json(&args);
    assert_eq!((&erased["status"], &erased["splits"]), (&0.into(), &serde_json::json!([&ids[1], &ids[0]])), "{erased}");
    let stored: serde_json::Value = serde_json::from_str(&place.read("home/vaults/main/stored/000002")).unwrap();
    assert_eq!(stored["splits"], serde_json::json!([&ids[1], &ids[0]]));
    place.good(&["vault", "verify"]);
    place.refused(&["vault", "unseal", "0", "-o", "out"], 77, "as record 2 says");
}
