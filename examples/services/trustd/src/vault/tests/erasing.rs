//! Erased documents.

use super::super::erase::Erase;
use super::*;
use dualseal::checkpoint::Checkpoint;
use dualseal::key::Unprepared;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::vault::{
    LedgerCheck, Operator, StoredHash, Tier as VaultTier, TierKeys, TierPolicy, VaultRecord, VaultVerifier,
};
use dualseal_operator::own::OwnCheckpoint;

async fn erase(service: &Service, sealed: &Value, splits: &Value) -> Answer {
    let body = json!({"identity_id": sealed["identity_id"], "splits": splits});
    service.post(Some(&service.native()), &format!("{}/erase", id(sealed)), &body).await
}

/// The whole ledger under a checkpoint, by the operator's policy: how many records hold.
pub(super) async fn ledger(service: &Service) -> u64 {
    let app = &service.app;
    app.log.checkpoint().await.unwrap();
    let state = app.log.state().await.unwrap();
    let (checkpoint, _): (Checkpoint, _) = app.log.reader().checkpoint(1).await.unwrap().unwrap();
    let own = OwnCheckpoint::judge(checkpoint, app.log.domain(), state.origin(), state.ring()).unwrap();
    let checkpoint = own.as_evidence().unwrap();
    let keys = super::super::keys(&app.db, &app.secrets, 0).await.unwrap();
    let id = seal::ledger(&state).unwrap();
    let mut reader = ChainReader::new(app.log.domain(), &TrustedHead::beginning()).under(&checkpoint).unwrap();
    let watched = reader.ledger(&id, Some(&keys.master)).unwrap();
    for entry in app.log.reader().range(1, 0, state.head().size()).await.unwrap() {
        reader.push(&entry).unwrap();
    }
    let located = reader.finish().unwrap().take(watched).unwrap();
    let mut tiers = TierKeys::new();
    for identity_id in [service.ana, service.bo] {
        tiers.enrol(&identity_id, VaultTier::Native, keys.native.public_key()).unwrap();
    }
    let tiers = TierPolicy::new(Some(&tiers), VaultTier::Native).unwrap();
    let policy = Operator { master: &keys.master, tiers };
    let verifier = VaultVerifier::new(app.log.domain(), state.ring(), &Unprepared);
    let mut check = LedgerCheck::new(&verifier, &id, &policy, Some(&located));
    for row in app.db.list(LEDGER, values![]).await.unwrap() {
        let record = VaultRecord::from_json(row.text("json").unwrap().as_bytes()).unwrap();
        let stored = StoredHash::of(app.log.domain(), &row.bytes("stored").unwrap());
        drop(check.push(record, &stored).unwrap());
    }
    check.finish().unwrap().valid
}

#[tokio::test]
async fn what_was_erased_does_not_open_again() {
    let service = Service::new().await;
    let native = service.native();
    let [one, two] =
        [service.seal(&native, service.ana, b"one").await, service.seal(&native, service.ana, b"two").await];
    let size = service.size().await;
    let backup = (service.secret(&one).await, service.app.db.find(OWNED, values![row(&one)]).await.unwrap().unwrap());
    let answer = erase(&service, &one, &json!([])).await.is(200).json();
    assert_eq!((&answer["vault_id"], &answer["state"]), (&one["vault_id"], &json!("erased")));
    // The record that says so, and the end of its splits; that keys were changed is no entry.
    assert_eq!(service.size().await, size + 2);
    let erasure = service.get(Some(&native), answer["erasure"].as_str().unwrap()).await.is(200).json();
    assert_eq!((&erasure["type"], &erasure["seq"]), (&json!("ERASURE"), &json!(2)));
    let said = service.unseal(&native, &erasure).await.is(200);
    assert_eq!(said.json()["vault_id"], one["vault_id"]);

    assert_eq!(service.unseal(&native, &one).await.is(409).code(), "erased");
    assert_eq!(erase(&service, &one, &json!([])).await.is(409).code(), "erased");
    assert_eq!(erase(&service, &erasure, &json!([])).await.is(409).code(), "conflict");
    // Whoever sets the state back has no secret all the same.
    service.app.db.execute(PUT_STATE, values![id(&one), "sealed"]).await.unwrap();
    assert_eq!(service.unseal(&native, &one).await.is(409).code(), "conflict");
    assert!(service.secret(&one).await.is_empty());
    // Whoever puts its secret back too, from a backup, has no key that opens it, and the master does not.
    let (stored, owned) = backup;
    let owned = values![row(&one), owned.bytes("owner").unwrap(), owned.number("generation").unwrap()];
    service.app.db.execute(PUT_OWNED, owned).await.unwrap();
    service.app.db.execute(PUT_SECRET, values![row(&one), stored]).await.unwrap();
    assert_eq!(service.unseal(&native, &one).await.is(409).code(), "erased");
    service.app.db.execute(PUT_SECRET, values![row(&one), Vec::new()]).await.unwrap();
    // Everything else holds, what is stored of it included.
    assert_eq!(service.verify(None, &one).await["validan"], true);
    assert_eq!(service.unseal(&native, &two).await.is(200).body, b"two");
    assert_eq!(ledger(&service).await, 3);
}

/// Between the entry that says so and the key's end the service may stop.
#[tokio::test]
async fn what_a_crash_left_is_ended() {
    let service = Service::new().await;
    let native = service.native();
    let [one, two] =
        [service.seal(&native, service.ana, b"one").await, service.seal(&native, service.ana, b"two").await];
    let kept = store::find(&service.app.db, &vault_id(&one)).await.unwrap().unwrap();
    let report = unseal::report(&service.app, &service.vault, &kept).await.unwrap();
    let erasable = report.erasable().unwrap().clone();
    let erase = Erase::begin(&service.vault, &service.app, erasable, Vec::new()).await.unwrap();
    let cy = service.app.log.domain().identity_id(b"", "cy", "").unwrap();
    // Both wait at once, and the other's entry would be in no row when the chain is read up to it.
    let ((), erased) = tokio::join!(service.key(cy, None), service.app.log.submit(erase));
    erased.unwrap();
    assert!(service.secret(&one).await.is_empty());
    let before = service.vault.owners.current(&service.ana).await.unwrap();
    assert_eq!(super::super::end_erasures(&service.app, &service.vault).await.unwrap(), 1);
    let after = service.vault.owners.current(&service.ana).await.unwrap();
    assert_ne!(format!("{before:?}"), format!("{after:?}"));
    assert_eq!(super::super::end_erasures(&service.app, &service.vault).await.unwrap(), 0);
    assert_eq!(service.unseal(&native, &two).await.is(200).body, b"two");
}

/// That it is erasing until its nodes say that their shards are gone, the tests of those show.
#[tokio::test]
async fn no_split_that_nobody_dealt_keeps_it_erasing() {
    let service = Service::new().await;
    let sealed = service.seal(&service.native(), service.ana, b"one").await;
    let (split, size) = ("ab".repeat(32), service.size().await);
    let twice = erase(&service, &sealed, &json!([split, split])).await.is(422).json();
    assert_eq!(twice["errors"][0]["pointer"], "/splits/1");
    let unknown = erase(&service, &sealed, &json!([split])).await.is(422).json();
    assert_eq!(unknown["errors"][0]["pointer"], "/splits/0");
    // A checkpoint may be signed; no entry is appended.
    assert_eq!(service.size().await, size);
    assert_eq!(service.get(Some(&service.native()), id(&sealed)).await.json()["state"], "sealed");
    let answer = erase(&service, &sealed, &json!([])).await.is(200).json();
    assert_eq!(answer["state"], "erased");
    let erasure = service.get(Some(&service.native()), answer["erasure"].as_str().unwrap()).await.is(200).json();
    let said = service.unseal(&service.native(), &erasure).await.is(200).json();
    assert_eq!(said["splits"], json!([]));
    let mut tx = service.app.db.begin().await.unwrap();
    let (from, to) = (rules::State::Erasing, rules::State::Erased);
    assert!(store::set_state(&mut tx, &vault_id(&sealed), from, to).await.is_err());
}

#[tokio::test]
async fn in_custody_it_is_not_given_back_and_can_be_erased() {
    let service = Service::new().await;
    let sealed = service.seal(&service.native(), service.ana, b"one").await;
    service.app.db.execute(PUT_STATE, values![id(&sealed), "in-custody"]).await.unwrap();
    assert_eq!(service.unseal(&service.native(), &sealed).await.is(409).code(), "in-custody");
    assert_eq!(erase(&service, &sealed, &json!([])).await.is(200).json()["state"], "erased");
}

/// A record whose bytes were changed may be anybody's: erasing it would destroy a secret of somebody's choice.
#[tokio::test]
async fn only_what_holds_is_erased() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.seal(&native, service.ana, b"one").await;
    let stored = service.stored(&sealed).await;
    service.put_stored(&sealed, stored.iter().map(|byte| !byte).collect()).await;
    let size = service.size().await;
    assert_eq!(erase(&service, &sealed, &json!([])).await.is(409).code(), "not-intact");
    // Each of them signs a checkpoint at most, and appends nothing.
    assert_eq!(service.size().await, size);
    service.put_stored(&sealed, stored).await;
    assert_eq!(service.unseal(&native, &sealed).await.is(200).body, b"one");
}

#[tokio::test]
async fn others_work_goes_on_beside_an_erasure() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.seal(&native, service.ana, b"one").await;
    let (none, documents) = (json!([]), [[1_u8], [2], [3]]);
    let others =
        futures::future::join_all(documents.iter().map(|document| service.seal(&native, service.ana, document)));
    let (erased, again, others) =
        tokio::join!(erase(&service, &sealed, &none), erase(&service, &sealed, &none), others);
    let mut statuses = [erased.status.as_u16(), again.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    for (sealed, document) in others.iter().zip(documents) {
        assert_eq!(service.unseal(&native, sealed).await.is(200).body, document);
    }
    assert_eq!(ledger(&service).await, 5);
}

statements! {
    ENTRY = "SELECT json FROM entries WHERE log = 1 AND seq = $1";
    PUT_ENTRY = "UPDATE entries SET json = $2 WHERE log = 1 AND seq = $1";
    DROP_ENTRY = "DELETE FROM entries WHERE log = 1 AND seq = $1";
}

/// Entries of somebody's, as many as are wanted.
struct Entries(IdentityId, u64);

impl Work for Entries {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        (0..self.1).try_for_each(|_| step.append(&self.0, "anything").map(drop))?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

/// While the others wait, an erasure reads what no checkpoint covers and nothing else; what was hidden or altered on
/// either side of that is found, and nothing is erased.
#[tokio::test]
async fn what_a_checkpoint_covers_is_read_before_others_wait() {
    let service = Service::new().await;
    let app = &service.app;
    let sealed = service.seal(&service.native(), service.ana, b"one").await;
    let kept = store::find(&app.db, &vault_id(&sealed)).await.unwrap().unwrap();
    let report = unseal::report(app, &service.vault, &kept).await.unwrap();
    // Behind the checkpoint that giving it back was told under.
    app.log.submit(Entries(service.ana, 600)).await.unwrap();
    let begin = || Erase::begin(&service.vault, app, report.erasable().unwrap().clone(), Vec::new());
    let entry = async |seq: u64| app.db.find(ENTRY, values![seq]).await.unwrap().unwrap().text("json").unwrap();
    let put = async |seq: u64, json: &str| assert_eq!(app.db.execute(PUT_ENTRY, values![seq, json]).await.unwrap(), 1);

    let first = entry(0).await;
    put(0, &entry(1).await).await;
    assert_eq!(begin().await.err().unwrap().status(), 500, "another entry than the one that was signed");
    put(0, &first).await;
    begin().await.unwrap();
    let (checkpoint, _) = app.log.reader().checkpoint(1).await.unwrap().unwrap();
    let size = service.size().await;
    assert_eq!(checkpoint.tree_head().size, size, "too much to be read while others wait");

    app.log.submit(Entries(service.ana, 2)).await.unwrap();
    put(size, &entry(size + 1).await).await;
    assert_eq!(app.log.submit(begin().await.unwrap()).await.err().unwrap().status(), 500);
    assert_eq!(app.db.execute(DROP_ENTRY, values![size]).await.unwrap(), 1);
    assert_eq!(app.log.submit(begin().await.unwrap()).await.err().unwrap().status(), 500);
    assert_eq!(service.unseal(&service.native(), &sealed).await.is(200).body, b"one");
}

/// The same where nothing is wrong but an entry that was read before: nobody waits for it to be read again.
#[tokio::test]
async fn what_was_read_before_is_not_read_again() {
    let service = Service::new().await;
    let app = &service.app;
    let sealed = service.seal(&service.native(), service.ana, b"one").await;
    app.log.checkpoint().await.unwrap();
    let kept = store::find(&app.db, &vault_id(&sealed)).await.unwrap().unwrap();
    let report = unseal::report(app, &service.vault, &kept).await.unwrap();
    let erase = Erase::begin(&service.vault, app, report.erasable().unwrap().clone(), Vec::new()).await.unwrap();
    app.log.submit(Entries(service.ana, 3)).await.unwrap();
    assert_eq!(app.db.execute(PUT_ENTRY, values![0_i64, "no entry"]).await.unwrap(), 1);
    assert_eq!(app.log.submit(erase).await.unwrap().state, rules::State::Erased);
}
