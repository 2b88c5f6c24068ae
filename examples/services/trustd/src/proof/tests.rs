//! Proofs at rest: one that was erased does not open again, and none says more than what was signed and sealed.

use super::covered::Covered;
use super::erasing::erase;
use super::rules::is_enrolment;
use super::store;
use super::work::{On, Shown, make, shown, signer};
use crate::App;
use crate::keyed::keyed;
use crate::testing::{self, Backup, House};
use crate::vault::Vault;
use dualseal::seal::DualSeal;
use dualseal::{IdentityId, SignatureRecord};
use dualseal_operator::step::{Changes, State, Step, Ticket};
use platform::access::World;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::{Tx, statements};
use platform::log::Work;
use platform::problem::Problem;
use platform::values;
use proof_pdf::text::Kind;
use serde_json::json;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;

statements! {
    RESEAL = "UPDATE proofs SET seal = $2 WHERE dokaz_id = $1";
    REWRITE = "UPDATE proofs SET content = $2 WHERE dokaz_id = $1";
    RESIGN = "UPDATE proofs SET record = $2, evidence = NULL WHERE dokaz_id = $1";
    PROOFS = "SELECT dokaz_id FROM proofs";
    CHECKPOINTS = "SELECT size FROM checkpoints";
    DAYS = "SELECT day FROM made_daily";
    RENAME = "UPDATE proofs SET identity_id = $2 WHERE dokaz_id = $1";
}

async fn made(house: &House, vault: &Arc<Vault>) -> Shown {
    made_on(house, vault, On::Nothing).await.unwrap()
}

async fn made_on(house: &House, vault: &Arc<Vault>, on: On) -> Result<Shown, Problem> {
    made_by((&house.app, vault), house.ana, on).await
}

async fn made_by((app, vault): (&App, &Arc<Vault>), ana: IdentityId, on: On) -> Result<Shown, Problem> {
    app.log.checkpoint().await.unwrap();
    let time = |second: u32| format!("2026-11-21T08:58:{second:02}.000Z");
    let izazov = json!({"aud": "a", "izjava": "s", "nonce": "n", "izdano": time(1), "istjece": time(9)});
    let claim = json!({"izazov": izazov, "odgovor": {"kind": "ed25519"}, "zaprimljeno": time(2),
        "upis": {"entry": {"seq": 1}}});
    let covered = Covered::now(app).await.unwrap();
    make((app, vault), &covered, (ana, Kind::Zivot), &claim, on).await
}

/// A service with other settings, and somebody.
async fn set(change: impl FnOnce(&mut Config)) -> (App, Arc<Vault>, IdentityId, Clock, TempDir) {
    let (folder, mut config) = (tempfile::tempdir().unwrap(), Config::default());
    change(&mut config);
    let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
    let app = testing::founded(folder.path(), config, clock.clone()).await;
    let (vault, ana) = (testing::vault(&app).await, app.log.domain().identity_id(b"", "ana", "").unwrap());
    (app, vault, ana, clock, folder)
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
        let told = make((&house.app, &vault), &covered, (house.ana, Kind::Put), &claim, On::Nothing).await.unwrap_err();
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

/// What a driver filed was read for a proof, and erased before that was made.
#[tokio::test]
async fn what_was_erased_meanwhile_is_not_proven() {
    let house = House::new().await;
    let vault = testing::vault(&house.app).await;
    made(&house, &vault).await;
    let before = house.app.log.state().await.unwrap().head().size();
    let told = made_on(&house, &vault, On::Filed(vec![house.ana])).await.unwrap_err();
    assert_eq!(told.kind().code, "missing-evidence");
    assert_eq!(house.app.log.state().await.unwrap().head().size(), before);
    assert_eq!(house.app.db.list(PROOFS, values![]).await.unwrap().len(), 1);
}

/// Somebody gets a key, as happens all day: what was covered before is proven at once.
#[tokio::test]
async fn a_new_key_keeps_no_proof_waiting() {
    let house = House::new().await;
    let vault = testing::vault(&house.app).await;
    let one = made(&house, &vault).await;
    let (record, by) =
        (SignatureRecord::from_json(one.row.record.as_bytes()).unwrap(), signer(house.app.log.domain()).unwrap());
    keyed(&house.app, house.ana).await.unwrap();
    let covered = Covered::over(&house.app, std::slice::from_ref(&record)).await.unwrap();
    covered.evidence(&house.app, record.clone(), &by, Some(one.text.as_bytes())).await.unwrap();
    // What nothing covers waits for its time, also when somebody gets a key.
    let before = checkpoints(&house.app).await;
    let late = house.app.log.submit(Signs(by)).await.unwrap();
    keyed(&house.app, house.app.log.domain().identity_id(b"", "bo", "").unwrap()).await.unwrap();
    let told = Covered::over(&house.app, &[record, late]).await.map(drop).unwrap_err();
    assert_eq!((told.kind().code, checkpoints(&house.app).await), ("not-covered-yet", before));
}

/// Signs something, and says how.
struct Signs(IdentityId);

impl Work for Signs {
    type Read = ();
    type Made = Ticket;
    type Answer = SignatureRecord;

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Ticket, Problem> {
        let content = step.domain().content_hash(&self.0, b"late");
        Ok(step.sign(&self.0, &content)?)
    }

    async fn rows(&self, _: &mut Tx, ticket: Ticket, changes: &Changes) -> Result<SignatureRecord, Problem> {
        Ok(changes.records[ticket.index()].clone())
    }
}

async fn checkpoints(app: &App) -> usize {
    app.db.list(CHECKPOINTS, values![]).await.unwrap().len()
}

#[tokio::test]
async fn a_service_that_takes_no_changes_signs_no_checkpoint() {
    let (app, vault, ana, _, _folder) = set(|config| config.read_only = true).await;
    let told = made_by((&app, &vault), ana, On::Nothing).await.unwrap_err();
    let before = checkpoints(&app).await;
    let [row] = &app.db.list(PROOFS, values![]).await.unwrap()[..] else { panic!("another process made one") };
    let row =
        store::find(&app.db, &row.text("dokaz_id").unwrap().parse().unwrap(), World::Real).await.unwrap().unwrap();
    let again = shown(&app, &vault, row.clone()).await.unwrap_err();
    assert_eq!((told.kind().code, again.kind().code), ("not-covered-yet", "not-covered-yet"));
    assert_eq!((row.evidence, checkpoints(&app).await), (None, before));
}

#[tokio::test]
async fn so_many_are_made_of_somebody_in_a_day() {
    let (app, vault, ana, clock, _folder) = set(|config| config.limits.proofs_daily = 2).await;
    let by = (&app, &vault);
    for _ in 0..2 {
        made_by(by, ana, On::Nothing).await.unwrap();
    }
    let told = made_by(by, ana, On::Nothing).await.unwrap_err();
    assert_eq!((told.kind().code, told.comes_back_after()), ("rate-limited", Some(15 * 3600)));
    // Erased ones count: each was entries of the log.
    for row in app.db.list(PROOFS, values![]).await.unwrap() {
        let row = store::find(&app.db, &row.text("dokaz_id").unwrap().parse().unwrap(), World::Real).await.unwrap();
        erase(&app, &row.unwrap()).await.unwrap();
    }
    assert_eq!(made_by(by, ana, On::Nothing).await.unwrap_err().kind().code, "rate-limited");
    let bo = app.log.domain().identity_id(b"", "bo", "").unwrap();
    made_by(by, bo, On::Nothing).await.unwrap();
    clock.set("2026-11-22T00:00:00.000Z".parse().unwrap());
    made_by(by, ana, On::Nothing).await.unwrap();
    crate::daily::sweep(&app).await.unwrap();
    assert_eq!(app.db.list(DAYS, values![]).await.unwrap().len(), 1);
}

/// Whoever writes the database points at another enrolment of the same key.
#[tokio::test]
async fn an_enrolment_is_of_whom_the_proof_is() {
    let house = House::new().await;
    keyed(&house.app, house.ana).await.unwrap();
    let found = house.app.log.reader().by_seq(1, 1).await.unwrap().unwrap();
    let (entry, said) = (&found.entry, Some(found.entry.message()));
    assert_eq!(*entry.identity_id(), house.ana);
    assert!(is_enrolment(entry, &house.ana, said));
    let bo = house.app.log.domain().identity_id(b"", "bo", "").unwrap();
    assert!(!is_enrolment(entry, &bo, said));
    assert!(!is_enrolment(entry, &house.ana, Some("another")) && !is_enrolment(entry, &house.ana, None));
}
