//! Strangers and operators verify; one thing is wrong at a time.

use crate::run::{Place, TIME};
use serde_json::{Value as Json, json};
use std::fs;

/// A stranger has the document, the record and the key, in a folder without any home.
fn stranger(from: &Place, name: &str) -> Place {
    let place = Place::new(name);
    for file in ["contract.pdf", "contract.pdf.sig.json", "contract.pdf.seal", "ana.pem", "ring.json"] {
        fs::copy(from.path(file), place.path(file)).unwrap();
    }
    place
}

#[test]
fn a_stranger_needs_nothing_else() {
    let place = stranger(&Place::with_records("stranger-from"), "stranger");
    for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
        for trust in ["--key=ana.pem", "--ring=ring.json"] {
            let mut args = vec!["verify", record, "contract.pdf", trust];
            let identity = place.read("ana.pem");
            let identity = identity.lines().next().unwrap().strip_prefix("dualseal-identity: ").unwrap();
            if trust.starts_with("--ring") && record == "contract.pdf.seal" {
                // A seal names nobody.
                place.refused(&args, 64, "does not say whose it is");
                args.extend(["--identity", identity]);
            }
            let ran = place.good(&args);
            assert!(ran.out.starts_with("Valid: "), "{ran:?}");
        }
        assert!(!place.path("home").exists());
    }
    place.refused(&["verify", "contract.pdf.sig.json"], 64, "nothing says whose keys to trust");
}

#[test]
fn each_fraud_is_told_apart() {
    let place = stranger(&Place::with_records("fraud-from"), "fraud");
    let verify = |record: &'static str| ["verify", record, "contract.pdf", "--key=ana.pem"];
    place.write("contract.pdf", "one contracT");
    place.refused(&verify("contract.pdf.sig.json"), 1, "NOT VALID: the document is not the one that was signed");
    place.refused(&verify("contract.pdf.seal"), 1, "NOT VALID: the signature does not hold");
    place.write("contract.pdf", "one contract");
    let record = place.read("contract.pdf.sig.json");
    let mut altered: serde_json::Value = serde_json::from_str(&record).unwrap();
    altered["timestamp"] = TIME.into();
    place.write("contract.pdf.sig.json", altered.to_string());
    place.refused(&verify("contract.pdf.sig.json"), 1, "NOT VALID: the signature does not hold");
    place.write("contract.pdf.sig.json", record.replacen("\"potpis\":\"", "\"potpis\":\"x", 1));
    place.refused(&verify("contract.pdf.sig.json"), 66, "potpis: must have length 6618");
    place.write("contract.pdf.sig.json", "{}");
    place.refused(&verify("contract.pdf.sig.json"), 66, "neither a signature record nor a seal");
    place.write("contract.pdf.sig.json", &record);
    // Another key, passed off as the signer's.
    let other = Place::with_records("fraud-other");
    let identity = place.read("ana.pem").lines().next().unwrap().to_owned();
    let forged = other.read("ana.pem");
    let forged = forged.replace(forged.lines().next().unwrap(), &identity);
    // The creator's lines would betray it.
    let is_left = |line: &&str| !line.starts_with("dualseal-c");
    let forged = forged.lines().filter(is_left).collect::<Vec<_>>().join("\n");
    place.write("forged.pem", forged);
    let args = ["verify", "contract.pdf.sig.json", "--key", "forged.pem"];
    place.refused(&args, 1, "NOT VALID: it is signed with a key that is not the signer's");
    fs::copy(other.path("ana.pem"), place.path("other.pem")).unwrap();
    let args = ["verify", "contract.pdf.sig.json", "--key", "other.pem"];
    place.refused(&args, 1, "NOT VALID: it is signed by somebody else than whose signature is asked for");
    let args = ["verify", "contract.pdf.sig.json", "--key", "ana.pem", "--domain", "OTHER"];
    place.refused(&args, 64, "the key file is of the domain DUALSEAL");
    let someone = "00".repeat(32);
    let args = ["verify", "contract.pdf.sig.json", "--ring", "ring.json", "--identity", &someone];
    place.refused(&args, 1, "another identity signed");
    let args = ["verify", "contract.pdf.seal", "--key", "ana.pem", "--identity", &someone];
    place.refused(&args, 64, "another identity's");
    place.refused(&["verify", "ring.json", "contract.pdf", "--key=ana.pem"], 66, "is a key ring");
    place.write("alone.pdf", "one contract");
    place.refused(&["verify", "alone.pdf", "--key=ana.pem"], 64, "alone.pdf is no record, and none lies beside it");
    place.write("alone.pdf.sig.evidence.json", "{}");
    place.refused(&["verify", "alone.pdf", "--key=ana.pem"], 64, "give that with --evidence");
    place.refused(&["verify", "none.sig.json", "--key=ana.pem"], 66, "cannot read none.sig.json");
    place.refused(&["verify", "contract.pdf.sig.json", "none", "--key=ana.pem"], 66, "cannot read none");
    place.refused(&["verify", "contract.pdf.sig.json", "contract.pdf", "--key=contract.pdf"], 66, "is not PEM");
    place.refused(&["verify", "-", "-", "--key=ana.pem"], 64, "cannot both be standard input");
}

/// Each state of a key has its own sentence and status; only `--public` lets a decoy pass.
#[test]
fn states_of_the_key() {
    let place = Place::with_records("states");
    let cases = [
        ("revoked", 2, "REVOKED", 1, "NOT VALID"),
        ("suspended", 3, "SUSPENDED", 3, "SUSPENDED"),
        ("decoy", 4, "DECOY", 0, "Valid: "),
        ("valid", 0, "Valid: ", 0, "Valid: "),
    ];
    for (state, status, words, public_status, public_words) in cases {
        place.good(&["key", "state", "ana", state]);
        for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
            let ran = place.run(&["verify", record]);
            assert_eq!(ran.status, status, "{state}: {ran:?}");
            assert!(ran.out.starts_with(words), "{state}: {ran:?}");
            let ran = place.run(&["verify", record, "--public"]);
            assert_eq!(ran.status, public_status, "{state}: {ran:?}");
            assert!(ran.out.starts_with(public_words), "{state}: {ran:?}");
            assert!(!ran.out.contains("decoy") && !ran.out.contains("oboje"), "{ran:?}");
            // The sentence and the library's own answer say the same.
            let valid = match public_status {
                0 => json!(true),
                1 => json!(false),
                _ => Json::Null,
            };
            let answer = place.json(&["verify", record, "--public"]);
            assert_eq!(answer["result"]["validan"], valid, "{state}: {answer}");
        }
    }
}

/// To outsiders a decoy's answer is a valid one's in every character.
#[test]
fn a_public_decoy_is_a_pass_in_every_character() {
    let place = Place::with_records("public");
    let kinds = [["contract.pdf.sig.json", "--public"], ["contract.pdf.seal", "--public"]];
    let asked = kinds.into_iter().flat_map(|kind| [kind.to_vec(), [&kind[..], &["--key=ana.pem"]].concat()]);
    let asked: Vec<_> = asked.map(|asked| [&["verify"], &asked[..]].concat()).collect();
    let answers = || asked.iter().map(|args| (place.json(args), place.run(args).out)).collect::<Vec<_>>();
    let valid = answers();
    place.good(&["key", "state", "ana", "oboje"]);
    assert_eq!(answers(), valid);
    assert_eq!(valid[0].0["result"]["bela_stanje"], "istina");
    // Whoever is no outsider is told, whether he asks his folder or names the key.
    for args in &asked {
        let args: Vec<_> = args.iter().copied().filter(|arg| *arg != "--public").collect();
        place.refused(&args, 4, "DECOY");
    }
    place.good(&["key", "export", "--ring", "-o", "decoys.json"]);
    assert!(!place.read("decoys.json").contains("oboje"));
}

/// A record by a retired key counts where the chain proves that it is older, for the operator and for strangers.
#[test]
fn a_record_outlives_its_key() {
    let place = Place::with_records("outlives");
    place.good(&["key", "export", "-o", "old.pem"]);
    place.good(&["key", "rotate", "ana"]);
    place.good(&["key", "export", "--ring", "-o", "rotated.json"]);
    place.good(&["verify", "contract.pdf.sig.json"]);
    // The log's new key signs the same chain again: what its old one signs may be made now.
    place.good(&["checkpoint", "sign", "-o", "again.json"]);
    place.good(&["key", "export", "-o", "log.pem"]);
    fs::copy(place.path("home/chain.jsonl"), place.path("chain.jsonl")).unwrap();
    for record in ["contract.pdf.sig.json", "contract.pdf.seal"] {
        let ran = place.good(&["verify", record]);
        assert!(ran.out.contains("proven place"), "{ran:?}");
        let identity = place.json(&["key", "show", "ana"])["info"]["identity_id"].as_str().unwrap().to_owned();
        let stranger = ["verify", record, "--ring", "rotated.json", "--identity", &identity];
        place.refused(&stranger, 1, "its key is retired");
        let mut evidence = stranger.to_vec();
        evidence.extend(["--chain=chain.jsonl", "--checkpoint=checkpoint.json", "--log-key=old.pem"]);
        place.refused(&evidence, 1, "checkpoint.json is invalid: retired");
        let mut evidence = stranger.to_vec();
        evidence.extend(["--chain=chain.jsonl", "--checkpoint=again.json", "--log-key=log.pem"]);
        place.good(&evidence);
        evidence.push("--least-size=9");
        place.refused(&evidence, 1, "again.json is invalid: size");
    }
    // Signed after the checkpoint, by the old key, with an old time.
    place.write("late.pdf", "late");
    let ran = place.run(&["verify", "contract.pdf.sig.json", "late.pdf"]);
    assert_eq!(ran.status, 1);
    let cut = place.read("chain.jsonl").split_inclusive('\n').take(2).collect::<String>();
    place.write("cut.jsonl", cut);
    let args = ["verify", "contract.pdf.sig.json", "--chain=cut.jsonl", "--checkpoint=again.json", "--log-key=log.pem"];
    place.refused(&args, 1, "the chain was cut off");
}

#[test]
fn standard_input_and_output() {
    let place = Place::with_ana("stdin");
    let ran = place.fed(&["sign", "-", "-o", "-", "--time", TIME], b"piped");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.err.starts_with("Signed."), "{ran:?}");
    place.write("piped.json", &ran.out);
    assert_eq!(place.fed(&["verify", "piped.json", "-"], b"piped").status, 0);
    assert_eq!(place.fed(&["verify", "piped.json", "-"], b"Piped").status, 1);
    place.write("piped", "piped");
    assert_eq!(place.fed(&["verify", "-", "piped"], ran.out.as_bytes()).status, 0);
    let ran = place.fed(&["sign", "-"], b"piped");
    assert_eq!((ran.status, ran.err.contains("--out FILE")), (64, true), "{ran:?}");
    assert_eq!(place.fed(&["inspect", "-"], b"SEAL-L5::00").status, 66);
}

#[test]
fn json_content_is_signed_in_its_canonical_form() {
    let place = Place::with_ana("canonical");
    place.write("order.json", r#"{"b": 1, "a": "x"}"#);
    place.good(&["sign", "order.json", "--canonical"]);
    place.write("order.json", r#"{"a":"x","b":1}"#);
    place.good(&["verify", "order.json.sig.json", "--canonical"]);
    place.write("order.json", r#"{"a":"x","b":2}"#);
    place.refused(&["verify", "order.json.sig.json", "--canonical"], 1, "not the one that was signed");
    place.write("order.json", r#"{"a":"x","a":1}"#);
    place.refused(&["sign", "order.json", "--canonical", "--force"], 66, "appears twice");
}

/// The layers of a seal that the verifier asks for.
#[test]
fn policies_of_a_seal() {
    let place = Place::with_records("policies");
    let layers = |args: &[&str]| {
        let answer = place.json(args);
        (answer["status"].clone(), answer["layer_a"].clone(), answer["layer_b"].clone())
    };
    let seal = "contract.pdf.seal";
    assert_eq!(layers(&["verify", seal]), (0.into(), "pass".into(), "pass".into()));
    assert_eq!(layers(&["verify", seal, "--policy=a"]), (0.into(), "pass".into(), "not checked".into()));
    assert_eq!(layers(&["verify", seal, "--policy=b"]), (0.into(), "not checked".into(), "pass".into()));
    place.refused(&["verify", seal, "--key=ana.pem", "--policy=both"], 64, "seal key");
    let dual = place.read(seal);
    let hmac = dual.split("::").nth(1).unwrap();
    place.write("legacy.seal", format!("SEAL-L5::{hmac}\n"));
    place.refused(&["verify", "legacy.seal", "contract.pdf"], 1, "a legacy seal");
    place.refused(&["verify", "legacy.seal", "contract.pdf", "--policy=a"], 1, "NOT AUTHENTICATED");
    place.good(&["verify", "legacy.seal", "contract.pdf", "--policy=a", "--legacy"]);
    place.write("reserved", "DUALSEAL-VAULT::x");
    place.refused(&["seal", "reserved"], 64, "a form that only the library itself seals");
}
