//! What a thief sees, and what natives are told of it.

use super::*;
use crate::alarms::TOPIC;
use dualseal::vault::VaultRecord;
use platform::outbox::Outbox;

/// A service with two documents of ana's and one of bo's, after ana's key was left to a thief.
async fn robbed() -> (Service, Vec<Value>) {
    let service = Service::new().await;
    let native = service.native();
    let mut sealed = Vec::new();
    for (of, document) in [(service.ana, &b"hers, and long"[..]), (service.ana, b"hers too"), (service.bo, b"his")] {
        sealed.push(service.seal(&native, of, document).await);
    }
    service.key(service.ana, Some(KeyState::Decoy)).await;
    (service, sealed)
}

#[tokio::test]
async fn a_thief_sees_what_was_there_and_changes_nothing() {
    let (service, sealed) = robbed().await;
    let native = Service::caller(service.bo, Tier::Native, World::Real);
    let thief = Service::caller(service.ana, Tier::Native, World::Decoy);
    let (real, size) = (service.get(Some(&native), "").await.is(200).json(), service.size().await);
    assert_eq!(service.get(Some(&thief), "").await.is(200).json(), real);
    assert_eq!(service.get(Some(&thief), id(&sealed[0])).await.is(200).json(), sealed[0]);

    // What it seals, it finds and gets back; strangers find that it holds.
    let own = service.seal(&thief, service.ana, b"forged").await;
    assert_eq!(
        own.as_object().unwrap().keys().collect::<Vec<_>>(),
        sealed[0].as_object().unwrap().keys().collect::<Vec<_>>()
    );
    assert_eq!(service.get(Some(&thief), id(&own)).await.is(200).json(), own);
    assert_eq!(service.unseal(&thief, &own).await.is(200).body, b"forged");
    assert_eq!(service.get(Some(&thief), "").await.json()["items"].as_array().unwrap().len(), 4);
    assert_eq!(service.verify(None, &own).await, json!({"validan": true, "razlog": null}));
    assert_eq!(service.verify(Some(&native), &own).await["razlog"], "decoy");
    let told = service.verify(Some(&thief), &own).await;
    assert_eq!((&told["razlog"], &told["layers"]["L8"]["outcome"]), (&json!(null), &json!("pass")));

    // It gets something as long, each time the same, and not the document.
    let given = service.unseal(&thief, &sealed[2]).await.is(200).body;
    assert_eq!((given.len(), given == b"his"), (3, false));
    assert_eq!(service.unseal(&thief, &sealed[2]).await.is(200).body, given);
    let body = json!({"identity_id": sealed[2]["identity_id"]});
    let erased = service.post(Some(&thief), &format!("{}/erase", id(&sealed[2])), &body).await.is(200).json();
    assert_eq!(erased["state"], "erased");
    assert_eq!(service.unseal(&thief, &sealed[2]).await.is(409).code(), "erased");

    assert_eq!((service.size().await, service.get(Some(&native), "").await.json()), (size, real));
    assert_eq!(service.get(Some(&native), id(&own)).await.is(404).code(), "unknown-id");
    assert_eq!(service.unseal(&native, &sealed[2]).await.is(200).body, b"his");
    let alarms = service.alarms(2).await;
    let callers: Vec<_> = alarms.iter().filter(|[kind, ..]| kind == "decoy-caller").collect();
    // Once for all that it did within ten minutes.
    assert_eq!((callers.len(), &callers[0][1]), (1, &service.ana.to_hex()));
}

#[tokio::test]
async fn a_noble_thief_sees_its_own_alone() {
    let (service, sealed) = robbed().await;
    let thief = Service::caller(service.ana, Tier::Noble, World::Decoy);
    assert_eq!(service.get(Some(&thief), "").await.is(200).json()["items"].as_array().unwrap().len(), 2);
    assert_eq!(service.get(Some(&thief), id(&sealed[2])).await.is(404).code(), "unknown-id");
    // What is sealed from now on is not for it.
    let native = Service::caller(service.bo, Tier::Native, World::Real);
    let later = service.seal(&native, service.bo, b"later").await;
    assert_eq!(service.get(Some(&thief), id(&later)).await.is(404).code(), "unknown-id");
}

/// In the decoy's world a thief gets tokens of anybody: what stands here is shown to whoever is a honeypot alone.
#[tokio::test]
async fn whom_a_thief_names_sees_nothing_of_what_was_there() {
    let (service, sealed) = robbed().await;
    for tier in [Tier::Native, Tier::Noble] {
        let named = Service::caller(service.bo, tier, World::Decoy);
        assert_eq!(service.get(Some(&named), "").await.is(200).json()["items"], json!([]));
        assert_eq!(service.get(Some(&named), id(&sealed[2])).await.is(404).code(), "unknown-id");
    }
    let named = Service::caller(service.bo, Tier::Native, World::Decoy);
    assert_eq!(service.unseal(&named, &sealed[2]).await.is(404).code(), "unknown-id");
    // What it seals by that name is there.
    let own = service.seal(&named, service.ana, b"forged").await;
    assert_eq!(service.unseal(&named, &own).await.is(200).body, b"forged");
    // Once he is one himself, he is shown what is there then.
    service.key(service.bo, Some(KeyState::Decoy)).await;
    assert_eq!(service.get(Some(&named), "").await.is(200).json()["items"].as_array().unwrap().len(), 4);
}

/// A thief has nobody else's key used.
#[tokio::test]
async fn what_a_thief_seals_for_others_holds_for_nobody() {
    let (service, _) = robbed().await;
    let thief = Service::caller(service.ana, Tier::Native, World::Decoy);
    let forged = service.seal(&thief, service.bo, b"forged").await;
    assert_eq!(service.verify(None, &forged).await, json!({"validan": false, "razlog": "rejected"}));
    assert_eq!(service.unseal(&thief, &forged).await.is(200).body, b"forged");
    // Nor is a refusal another.
    service.key(service.bo, Some(KeyState::Suspended)).await;
    let refused = service.post(Some(&thief), "seal", &sealing(service.bo, b"forged")).await.is(409);
    assert_eq!(refused.code(), "key-suspended");
}

#[tokio::test]
async fn a_record_that_leaked_is_traced() {
    let service = Service::new().await;
    let sealed = service.seal(&service.native(), service.ana, b"one").await;
    let stored = service.stored(&sealed).await;
    let row = service.app.db.find(STORED_RECORD, values![id(&sealed)]).await.unwrap().unwrap();
    let leaked = row.text("json").unwrap();
    assert!(VaultRecord::from_json(leaked.as_bytes()).unwrap().fragment().is_some());
    let sent =
        |record: Value| json!({"identity_id": service.ana.to_hex(), "record": record, "stored_b64": base64(&stored)});
    let holds = json!({"validan": true, "razlog": null});
    // Whoever has it as everybody may is no thief.
    let redacted = service.post(None, "verify", &sent(sealed["record"].clone())).await.is(200);
    assert_eq!(redacted.json(), holds);
    let whole: Value = serde_json::from_str(&leaked).unwrap();
    assert_eq!(service.post(None, "verify", &sent(whole)).await.is(200).json(), holds);
    let expected = ["fragment".to_owned(), id(&sealed).to_owned(), format!("of {}", service.ana)];
    assert_eq!(service.alarms(1).await, [expected]);
    // Natives are told of it in a message.
    let outbox = Outbox::new(service.app.db.clone());
    let lease = std::time::Duration::from_mins(1);
    let messages = outbox.lease(TOPIC, service.app.clock.millis(), lease, 10).await.unwrap();
    let [message] = messages.as_slice() else { panic!("{messages:?}") };
    let message: Value = serde_json::from_str(&message.body).unwrap();
    assert_eq!((&message["kind"], &message["subject"]), (&json!("fragment"), &sealed["vault_id"]));
}
