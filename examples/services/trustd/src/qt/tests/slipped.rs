//! Rows of presence that somebody else wrote, or that a backup brought back.

use super::*;
use crate::presence::store::{self, AuthenticatorRow};

statements! {
    SLIP = "INSERT INTO presence_authenticators (id, identity_id, kind, label, material, enrolled, counts_from, world, \
            tag) SELECT CAST($1 AS TEXT), identity_id, kind, label, CAST($1 AS TEXT), enrolled, counts_from, world, \
            tag FROM presence_authenticators";
    AGREE = "UPDATE presence_invitations SET agreed_by = 'host'";
    REMOVED = "UPDATE presence_authenticators SET removed = NULL WHERE removed IS NOT NULL";
    CONTACT = "INSERT INTO contacts (id, name, identity_id, phone, language, on_call, state, version, changed, world) \
               VALUES ('0192f0c1-2345-7abc-8def-0123456789ab', 'Ana', $1, '+385911234567', 'en', 0, 'active', 1, 0, 0)";
    TOLD = "SELECT ways, body FROM messages_out";
    UNUSED = "UPDATE presence_enrolments SET used = NULL WHERE kind = 'vouch'";
    VOID = "INSERT INTO voided (kind, before) VALUES ('tokens', $1)";
}

/// Whoever writes the database alone enrols nobody, and brings back nobody who was removed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_slipped_into_the_rows_of_presence_does_not_count() {
    let service = Service::new().await;
    let body = json!({"identity_id": service.ana.to_hex()});
    let invited = service.post("native", "presence/invitations", &body).await.is(201).json();
    service.app.db.execute(AGREE, values![]).await.unwrap();
    let begin = json!({"invitation": invited["invitation"], "kind": "ed25519"});
    assert_eq!(service.post("", "presence/enrol/begin", &begin).await.is(409).code(), "request-closed");
    let key = service.enrol().await;
    let own = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    service.app.db.execute(SLIP, values![own.public_key().to_string()]).await.unwrap();
    service.later(61);
    let listed = || async { store::of(&service.app, &service.ana, World::Real).await.unwrap() };
    let ids = |rows: Vec<AuthenticatorRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(listed().await), [key.public_key().to_string()]);
    let path = format!("presence/authenticators/{}", key.public_key());
    service.send("native", "DELETE", &path, None).await.is(204);
    assert_eq!(service.app.db.execute(REMOVED, values![]).await.unwrap(), 1);
    assert!(listed().await.is_empty());
}

/// Whoever heard a vouching makes its row as if it was not used.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_begun_serves_once_whoever_writes_its_row() {
    let service = Service::new().await;
    let key = service.enrol().await;
    service.later(61);
    let body = json!({"identity_id": service.ana.to_hex()});
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    let voucher = service.enrolment(&begun, &key)["authenticator"].clone();
    let vouch = json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher});
    service.post("noble", "presence/vouch/finish", &vouch).await.is(201);
    assert_eq!(service.app.db.execute(UNUSED, values![]).await.unwrap(), 1);
    assert_eq!(service.post("noble", "presence/vouch/finish", &vouch).await.is(409).code(), "request-closed");
}

/// What a backup has may have been used, or removed, since it was made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_restore_no_invitation_is_open_and_authenticators_wait_anew() {
    let service = Service::new().await;
    let key = service.enrol().await;
    let (open, begin) = (service.invitation().await, |text: &str| json!({"invitation": text, "kind": "ed25519"}));
    let begun = service.post("", "presence/enrol/begin", &begin(&service.invitation().await)).await.is(201).json();
    service.later(61);
    let counting = || async {
        let rows = store::of(&service.app, &service.ana, World::Real).await.unwrap();
        rows.into_iter()
            .filter(|row| row.counts_from <= service.app.clock.millis())
            .map(|row| row.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(counting().await, [key.public_key().to_string()]);
    service.app.db.execute(VOID, values![service.app.clock.millis()]).await.unwrap();
    service.later(1);
    assert_eq!(service.post("", "presence/enrol/begin", &begin(&open)).await.is(409).code(), "request-closed");
    let other = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    let finish = service.enrolment(&begun, &other);
    assert_eq!(service.post("", "presence/enrol/finish", &finish).await.is(409).code(), "request-closed");
    assert!(counting().await.is_empty(), "it may have been removed since the backup was made");
    service.later(60);
    assert_eq!(counting().await, [key.public_key().to_string()]);
}

/// Two natives are two where nobody brought both, and neither the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_brought_by_the_same_native_is_no_second_one() {
    let service = Service::new().await;
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (invites, agrees, holds) in [
        (of(&["a"]), of(&["a"]), false),
        (of(&["a"]), of(&["b", "a"]), false),
        (of(&["b", "a"]), of(&["a"]), false),
        (of(&["b", "a"]), of(&["c", "a"]), false),
        (of(&["b", "a"]), of(&["c", "d"]), true),
        (of(&["a"]), of(&["host"]), true),
        (of(&["host"]), of(&["host"]), false),
    ] {
        let whose = (&service.ana, World::Real);
        let invited = store::invite(&service.app, whose, &invites, None).await.unwrap();
        let agreed = store::agree(&service.app, (&invited.invitation_id, World::Real), &agrees).await;
        assert_eq!(agreed.is_ok(), holds, "{invites:?} {agrees:?}");
    }
}

async fn begun(service: &Service, invitation: &str) -> Value {
    let begin = json!({"invitation": invitation, "kind": "ed25519"});
    service.post("", "presence/enrol/begin", &begin).await.is(201).json()
}

/// One native removes what there is, and makes himself the first one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_removal_the_first_one_takes_the_host() {
    let service = Service::new().await;
    let key = service.enrol().await;
    let path = format!("presence/authenticators/{}", key.public_key());
    service.send("native", "DELETE", &path, None).await.is(204);
    let own = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    let first = begun(&service, &service.invitation().await).await;
    let refused = service.post("", "presence/enrol/finish", &service.enrolment(&first, &own)).await;
    assert_eq!(refused.is(409).code(), "conflict");
    let body = json!({"identity_id": service.ana.to_hex()});
    let invited = service.post("native", "presence/invitations", &body).await.is(201).json();
    crate::presence::agree_by_host(&service.app, invited["invitation_id"].as_str().unwrap()).await.unwrap();
    let first = begun(&service, invited["invitation"].as_str().unwrap()).await;
    service.post("", "presence/enrol/finish", &service.enrolment(&first, &own)).await.is(201);
}

/// The identity, and natives, hear of an authenticator while there is time to object.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enrolment_is_told() {
    let service = Service::new().await;
    service.app.db.execute(CONTACT, values![service.ana.to_hex()]).await.unwrap();
    service.enrol().await;
    let (counts, told) = (service.app.clock.millis() + 60_000, service.app.db.list(TOLD, values![]).await.unwrap());
    let [told] = &told[..] else { panic!("one message") };
    let (ways, body) = (told.text("ways").unwrap(), told.text("body").unwrap());
    assert!(ways.contains("+385911234567"), "{ways}");
    let counts = Timestamp::from_millis(counts).unwrap().to_string();
    assert!(body.contains("in your name counts from") && body.contains(&counts), "{body}");
    // What an enroller writes is no part of it.
    assert!(!body.contains("phone"), "{body}");
    let mut alarms = Vec::new();
    for _ in 0..50 {
        alarms = crate::alarms::page(&service.app.db, World::Real, None, 9).await.unwrap();
        if !alarms.is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let found: Vec<_> = alarms.iter().map(|one| (one.kind.as_str(), one.subject.clone())).collect();
    assert_eq!(found, [("enrolled", service.ana.to_hex())]);
}
