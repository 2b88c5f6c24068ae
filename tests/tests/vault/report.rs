//! The report: ten lines for a person, and two projections as JSON.

use dualseal::error::Layer;
use dualseal::key::KeyState;
use dualseal::vault::{Destination, Encryption, Tier, VaultReport};
use dualseal::{SystemRng, VerdictKind};
use dualseal_tests::vault::{Archive, bent, kind, record};
use serde_json::{Value as Json, json};

fn internal<T>(report: &VaultReport<T>) -> Json {
    serde_json::from_str(&report.to_json()).unwrap()
}

fn public<T>(report: &VaultReport<T>) -> Json {
    serde_json::from_str(&report.to_public_json()).unwrap()
}

#[test]
fn a_person_can_read_it() {
    let archive = Archive::of_three(1);
    let vault_id = archive.kept[0].record().header().vault_id;
    let report = archive.judge(0, archive.kept[0].record());
    let expected = format!(
        "vault record {vault_id}, place 0, type \"DEED\": valid\n  L0  pass\n  L1  recorded\n  L2  pass\n  L3  pass\n  \
         L4  pass\n  L5  pass\n  L6  pass\n  L7  pass\n  L8  pass"
    );
    assert_eq!(report.to_string(), expected);
    let json = bent(&archive.kept[0].json, &["sealed", "layers", "L2", "hmac"]);
    let text = archive.judge_by(&archive.public(), 0, record(&json), false).to_string();
    let expected = format!(
        "vault record {vault_id}, place 0, type \"DEED\": invalid (L5)\n  L0  pass\n  L1  recorded\n  \
         L2  not_checked: no master given\n  L3  pass\n  L4  pass\n  L5  fail: layer B does not hold\n  \
         L6  not_checked: not located under a checkpoint\n  L7  not_checked: no master given\n  \
         L8  fail: not the chain entry of this record"
    );
    // The seal string was not changed, so that the chain entry still is of it.
    assert_eq!(
        text,
        expected.replace("fail: not the chain entry of this record", "not_checked: not located under a checkpoint")
    );
    let text = archive.judge(1, archive.kept[1].record()).to_string();
    assert!(text.contains("\n  L4  not_required\n"), "{text}");
}

#[test]
fn the_operator_reads_every_layer_and_reason() {
    let archive = Archive::of_three(1);
    let report = archive.judge(1, record(&bent(&archive.kept[1].json, &["L7", "fragment"])));
    let found = internal(&report);
    assert_eq!(found["layers"]["L0"], json!({"outcome": "pass", "reason": null}));
    assert_eq!(found["layers"]["L1"], json!({"outcome": "recorded", "reason": null}));
    assert_eq!(found["layers"]["L4"], json!({"outcome": "not_required", "reason": null}));
    assert_eq!(found["layers"]["L7"], json!({"outcome": "fail", "reason": "another fragment"}));
    assert_eq!(found["result"]["razlog"], "L7");
    assert_eq!(found["result"]["validan"], false);
    assert_eq!((&found["seq"], &found["type"]), (&json!(1), &json!("MINUTES")));
    assert_eq!(found["vault_id"], archive.kept[1].record().header().vault_id.to_hex());
    assert_eq!(found["layers"].as_object().unwrap().len(), 9);
    let members: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(members, ["layers", "result", "seq", "type", "vault_id"]);
}

/// For everybody else a decoy equals a valid record, and no refusal says which layer or why.
#[test]
fn the_public_reads_one_answer() {
    let mut archive = Archive::of_three(1);
    let good = public(&archive.judge(0, archive.kept[0].record()));
    assert_eq!(good["result"]["bela_stanje"], "istina");
    assert_eq!(good["layers"]["L8"]["outcome"], "pass");
    archive.set_state(KeyState::Decoy);
    let decoy = archive.judge(0, archive.kept[0].record());
    assert_eq!(kind(&decoy), VerdictKind::Decoy);
    assert_eq!(public(&decoy), good);
    assert_eq!(internal(&decoy)["result"]["razlog"], "decoy");
    archive.set_state(KeyState::Valid);

    let mut answers = Vec::new();
    for path in [&["sealed", "layers", "L2", "hmac"][..], &["sealed", "layers", "L7", "digest"], &["L6"], &["L8", "h"]]
    {
        answers.push(public(&archive.judge(0, record(&bent(&archive.kept[0].json, path)))));
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    assert_eq!((&answers[0]["layers"], &answers[0]["result"]["razlog"]), (&Json::Null, &json!("rejected")));
    for (state, razlog) in [(KeyState::Revoked, "rejected"), (KeyState::Suspended, "suspended")] {
        archive.set_state(state);
        let answer = public(&archive.judge(0, archive.kept[0].record()));
        assert_eq!((&answer["layers"], &answer["result"]["razlog"]), (&Json::Null, &json!(razlog)));
    }
}

/// A type may hold characters that turn the reading direction: they are escaped for people.
#[test]
fn a_type_cannot_write_into_a_terminal() {
    let mut archive = Archive::new(1);
    let index = archive.seal(b"x", "DEED\u{202e}\"", Encryption::None, Tier::Public);
    let report = archive.judge(index, archive.kept[index].record());
    let text = report.to_string();
    assert!(text.contains("\\u{202e}") && !text.contains('\u{202e}') && text.lines().count() == 10, "{text}");
    assert_eq!(internal(&report)["type"], "DEED\u{202e}\"");
}

/// L1 is recorded, whatever it says: no outcome depends on it but the seal over it.
#[test]
fn a_note_is_never_a_pass() {
    let mut archive = Archive::new(1);
    let place = Destination { note: "all clear: pass", ..archive.place() };
    let vault = archive.vault(Tier::Public);
    let (sealed, stored) = vault.seal(b"x", "DEED", Encryption::None, &place, &mut SystemRng).unwrap();
    let index = archive.keep(sealed, stored);
    let report = archive.judge(index, archive.kept[index].record());
    assert_eq!(report.outcome(Layer::L1).as_str(), "recorded");
    assert_eq!(report.record().map(|record| record.note().to_string()), Some("all clear: pass".to_string()));
}
