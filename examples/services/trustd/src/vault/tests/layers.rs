//! What was changed, and who is told of it.

use super::*;
use dualseal::vault::{Destination, Encryption, LedgerHead, LedgerId, VaultMaster, VaultSealer};

fn bare() -> Value {
    json!({"validan": false, "razlog": "rejected"})
}

#[tokio::test]
async fn changed_bytes_name_their_layer_to_natives_alone() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.seal(&native, service.ana, b"one contract").await;
    let whole = service.stored(&sealed).await;
    let mut stored = whole.clone();
    *stored.last_mut().unwrap() ^= 1;
    service.put_stored(&sealed, stored).await;
    let noble = Service::caller(service.ana, Tier::Noble, World::Real);
    assert_eq!(service.verify(None, &sealed).await, bare());
    assert_eq!(service.verify(Some(&noble), &sealed).await, bare());
    let told = service.verify(Some(&native), &sealed).await;
    assert_eq!((&told["validan"], &told["razlog"]), (&json!(false), &json!("L0")));
    assert_eq!(told["layers"]["L3"], json!({"outcome": "fail", "reason": "the stored bytes were changed"}));
    let refused = service.unseal(&native, &sealed).await.is(409);
    assert_eq!(refused.code(), "not-intact");
    assert!(refused.json()["detail"].as_str().unwrap().contains("L0"), "{refused:?}");
    service.put_stored(&sealed, whole).await;
    assert_eq!(service.unseal(&native, &sealed).await.is(200).body, b"one contract");
}

#[tokio::test]
async fn another_records_bytes_are_no_record() {
    let service = Service::new().await;
    let native = service.native();
    let [one, two] =
        [service.seal(&native, service.ana, b"one").await, service.seal(&native, service.ana, b"two").await];
    let (stored, other) = (service.stored(&one).await, service.stored(&two).await);
    let sent = |record: &Value, stored: &[u8], of: IdentityId| {
        let stored_b64 = base64(stored);
        json!({"identity_id": of.to_hex(), "record": record, "stored_b64": stored_b64})
    };
    let told = async |body: Value| service.post(None, "verify", &body).await.is(200).json();
    assert_eq!(told(sent(&one["record"], &stored, service.ana)).await["validan"], true);
    assert_eq!(told(sent(&one["record"], &other, service.ana)).await, bare());
    // It is ana's, and not whose it is said to be.
    assert_eq!(told(sent(&one["record"], &stored, service.bo)).await, bare());
    let mut edited = one["record"].clone();
    edited["sealed"]["header"]["created_at"] = json!("2026-11-21T09:00:00.001Z");
    assert_eq!(told(sent(&edited, &stored, service.ana)).await, bare());
}

#[tokio::test]
async fn what_is_unknown_is_rejected_and_what_is_no_record_refused() {
    let service = Service::new().await;
    let unknown = json!({"vault_id": "0".repeat(64)});
    assert_eq!(service.post(None, "verify", &unknown).await.is(200).json(), bare());
    let sealed = service.seal(&service.native(), service.ana, b"one").await;
    let (record, ana) = (sealed["record"].to_string(), service.ana.to_hex());
    let twice = record.replacen('{', &format!("{{\"krunica_hash\":{},", sealed["record"]["krunica_hash"]), 1);
    for record in ["{}".to_owned(), "[]".to_owned(), twice] {
        let body = format!(r#"{{"identity_id":"{ana}","stored_b64":"","record":{record}}}"#);
        let request = Request::post("/api/v1/vault/verify").header(header::CONTENT_TYPE, "application/json");
        let answer = service.send(None, request.body(Body::from(body)).unwrap()).await.is(422).json();
        assert_eq!(answer["errors"][0]["pointer"], "/record", "{answer}");
    }
    for body in [json!({}), json!({"vault_id": id(&sealed), "stored_b64": ""}), json!({"record": {}})] {
        assert_eq!(service.post(None, "verify", &body).await.is(422).code(), "invalid-field");
    }
}

#[tokio::test]
async fn a_swapped_secret_opens_nothing() {
    let service = Service::new().await;
    let native = service.native();
    let [one, two] =
        [service.seal(&native, service.ana, b"one").await, service.seal(&native, service.ana, b"two").await];
    let (first, second) = (service.secret(&one).await, service.secret(&two).await);
    service.app.db.execute(PUT_SECRET, values![row(&one), second]).await.unwrap();
    let refused = service.unseal(&native, &one).await.is(500);
    assert_eq!(refused.code(), "internal");
    assert!(!String::from_utf8_lossy(&refused.body).contains("one"));
    assert_eq!(service.alarms(1).await[0][..2], ["secret".to_owned(), id(&one).to_owned()]);
    assert_eq!(service.unseal(&native, &two).await.is(200).body, b"two");
    service.app.db.execute(PUT_SECRET, values![row(&one), first]).await.unwrap();
    assert_eq!(service.unseal(&native, &one).await.is(200).body, b"one");
}

#[tokio::test]
async fn a_key_that_was_called_back_gives_nothing_back() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.seal(&native, service.bo, b"one").await;
    service.key(service.bo, Some(KeyState::Suspended)).await;
    assert_eq!(service.verify(None, &sealed).await, json!({"validan": null, "razlog": "suspended"}));
    assert_eq!(service.unseal(&native, &sealed).await.is(409).code(), "key-suspended");
    service.key(service.bo, Some(KeyState::Revoked)).await;
    assert_eq!(service.verify(None, &sealed).await, bare());
    assert_eq!(service.verify(Some(&native), &sealed).await["razlog"], "revoked");
    assert_eq!(service.unseal(&native, &sealed).await.is(409).code(), "key-revoked");
    service.key(service.bo, Some(KeyState::Valid)).await;
    assert_eq!(service.unseal(&native, &sealed).await.is(200).body, b"one");
}

/// What only the master shows is told to natives alone: nobody else learns by asking what only the operator can check.
#[tokio::test]
async fn another_masters_record_is_ones_own_to_strangers() {
    let service = Service::new().await;
    let (native, domain) = (service.native(), service.app.log.domain());
    let signer = seal::signer_now(&service.app, &service.ana).await.unwrap();
    let other = VaultMaster::generate(domain, &mut SystemRng).unwrap();
    let sealer = VaultSealer::new(&other, &service.ana, &*signer);
    let ledger = LedgerHead::new(&LedgerId::draw(&mut SystemRng).unwrap());
    let (state, time) = (service.app.log.state().await.unwrap(), service.app.clock.now());
    let destination = Destination { ledger: &ledger, head: state.head(), note: "", time };
    let (sealed, stored) = sealer.seal(b"x", "CONTRACT", Encryption::Stream, &destination, &mut SystemRng).unwrap();
    let record: Value = serde_json::from_str(&sealed.record.to_json()).unwrap();
    let sent = json!({"identity_id": service.ana.to_hex(), "record": record, "stored_b64": base64(&stored)});
    let public = service.post(None, "verify", &sent).await.is(200).json();
    assert_eq!(public, json!({"validan": true, "razlog": null}));
    let told = service.post(Some(&native), "verify", &sent).await.is(200).json();
    assert_eq!((&told["validan"], &told["razlog"]), (&json!(false), &json!("L2")));
    assert_eq!(told["layers"]["L2"]["reason"], "another master");
}
