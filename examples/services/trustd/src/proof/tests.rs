//! Proofs at rest: one that was erased does not open again, and none says more than what was signed and sealed.

use super::covered::Covered;
use super::erasing::erase;
use super::store;
use super::work::{Shown, make, shown};
use crate::testing::{self, Backup, House};
use crate::vault::Vault;
use dualseal::seal::DualSeal;
use platform::access::World;
use platform::db::statements;
use platform::problem::Problem;
use platform::values;
use proof_pdf::text::Kind;
use serde_json::json;
use std::sync::Arc;
use uuid::Uuid;

statements! {
    RESEAL = "UPDATE proofs SET seal = $2 WHERE dokaz_id = $1";
    REWRITE = "UPDATE proofs SET content = $2 WHERE dokaz_id = $1";
    RESIGN = "UPDATE proofs SET record = $2, evidence = NULL WHERE dokaz_id = $1";
    PROOFS = "SELECT dokaz_id FROM proofs";
    RENAME = "UPDATE proofs SET identity_id = $2 WHERE dokaz_id = $1";
}

async fn made(house: &House, vault: &Arc<Vault>) -> Shown {
    house.app.log.checkpoint().await.unwrap();
    let time = |second: u32| format!("2026-11-21T08:58:{second:02}.000Z");
    let izazov = json!({"aud": "a", "izjava": "s", "nonce": "n", "izdano": time(1), "istjece": time(9)});
    let claim = json!({"izazov": izazov, "odgovor": {"kind": "ed25519"}, "zaprimljeno": time(2),
        "upis": {"entry": {"seq": 1}}});
    let covered = Covered::now(&house.app).await.unwrap();
    make((&house.app, vault), &covered, (house.ana, Kind::Zivot), &claim, None).await.unwrap()
}

async fn again(house: &House, vault: &Vault, dokaz_id: &Uuid) -> Result<Shown, Problem> {
    let row = store::find(&house.app.db, dokaz_id, World::Real).await.unwrap().unwrap();
    shown(&house.app, vault, row).await
}

#[tokio::test]
async fn a_proof_is_what_was_signed_and_sealed() {
    let house = House::new().await;
    let vault = testing::vault(&house.app).await;
    let (one, other) = (made(&house, &vault).await, made(&house, &vault).await);
    let (id, row) = (one.row.dokaz_id, one.row.clone());
    let name = id.to_string();
    assert!(one.row.seal.parse::<DualSeal>().is_ok() && one.row.seal_seq > one.row.seq);
    // Made once, it stays what it was.
    made(&house, &vault).await;
    let found = again(&house, &vault, &id).await.unwrap();
    assert_eq!((&found.text, &found.evidence), (&one.text, &one.evidence));
    // What stands in the row says nothing, and nobody writes another's there.
    assert!(!String::from_utf8_lossy(&row.content).contains("tvrdnja"));
    for (statement, wrong, right, code) in [
        (RESEAL, other.row.seal.clone().into(), row.seal.clone().into(), "not-intact"),
        (REWRITE, other.row.content.clone().into(), row.content.clone().into(), "not-intact"),
        (RENAME, "00".repeat(32).into(), house.ana.to_hex().into(), "erased"),
        (RESIGN, other.row.record.clone().into(), row.record.clone().into(), "not-intact"),
    ] {
        house.app.db.execute(statement, vec![(&name).into(), wrong]).await.unwrap();
        let refused = again(&house, &vault, &id).await.unwrap_err();
        assert_eq!(refused.kind().code, code, "{statement:?}");
        house.app.db.execute(statement, vec![(&name).into(), right]).await.unwrap();
        assert_eq!(again(&house, &vault, &id).await.unwrap().text, one.text);
    }
}

/// What contradicts itself is told before anything is signed or kept.
#[tokio::test]
async fn what_is_no_proof_leaves_nothing() {
    let house = House::new().await;
    let vault = testing::vault(&house.app).await;
    made(&house, &vault).await;
    let covered = Covered::now(&house.app).await.unwrap();
    let before = house.app.log.state().await.unwrap().head().size();
    let between = ("2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z");
    let nowhere = json!({"od": between.0, "do": between.1, "zapisi": []});
    let backwards = json!({"od": between.1, "do": "2999-01-01T00:00:00.000Z", "zapisi": []});
    for (claim, code) in [(nowhere, "missing-evidence"), (backwards, "internal")] {
        let told = make((&house.app, &vault), &covered, (house.ana, Kind::Put), &claim, None).await.unwrap_err();
        assert_eq!(told.kind().code, code);
    }
    assert_eq!(house.app.log.state().await.unwrap().head().size(), before);
    assert_eq!(house.app.db.list(PROOFS, values![]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_proof_that_was_erased_does_not_open_again() {
    let house = House::new().await;
    let vault = testing::vault(&house.app).await;
    let (one, other) = (made(&house, &vault).await, made(&house, &vault).await);
    let backup = Backup::make(&house.app, &["proofs"]).await;
    assert_eq!(backup.of("proofs"), 2);
    erase(&house.app, &one.row).await.unwrap();
    assert!(store::find(&house.app.db, &one.row.dokaz_id, World::Real).await.unwrap().is_none());
    assert_eq!(erase(&house.app, &one.row).await.unwrap_err().kind().code, "unknown-id");
    // The other's is under the next key, where it stands now.
    assert!(backup.opens(&house.app).await.is_empty());
    assert_eq!(again(&house, &vault, &other.row.dokaz_id).await.unwrap().text, other.text);
    // The row came back with a backup.
    let mut tx = house.app.db.begin().await.unwrap();
    one.row.add(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(again(&house, &vault, &one.row.dokaz_id).await.unwrap_err().kind().code, "erased");
}
