//! Authenticators: who may enrol one, and when it counts.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enrolment_takes_two_natives_and_time() {
    let service = Service::new().await;
    let body = json!({"identity_id": service.ana.to_hex()});
    let unknown = json!({"identity_id": "00".repeat(32)});
    assert_eq!(service.post("native", "presence/invitations", &unknown).await.is(404).code(), "unknown-id");
    let invited = service.post("native", "presence/invitations", &body).await.is(201).json();
    let begin = json!({"invitation": invited["invitation"], "kind": "ed25519"});
    assert_eq!(service.post("", "presence/enrol/begin", &begin).await.is(409).code(), "conflict");
    let agree = format!("presence/invitations/{}/agree", invited["invitation_id"].as_str().unwrap());
    // Nobody agrees with himself.
    assert_eq!(service.post("native", &agree, &json!({})).await.is(409).code(), "conflict");
    service.post("second", &agree, &json!({})).await.is(200);
    let stranger = json!({"invitation": "00".repeat(32), "kind": "ed25519"});
    assert_eq!(service.post("", "presence/enrol/begin", &stranger).await.is(409).code(), "request-closed");

    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    let key = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    let mut other = service.enrolment(&begun, &key);
    other["authenticator"]["public_key"] = json!(Ed25519SigningKey::generate(&mut SystemRng).unwrap().public_key().to_string());
    assert_eq!(service.post("", "presence/enrol/finish", &other).await.is(422).code(), "invalid-field");
    let enrolment = service.enrolment(&begun, &key);
    let made = service.post("", "presence/enrol/finish", &enrolment).await.is(201).json();
    assert_eq!(made["counts_from"], "2026-11-21T09:01:00.000Z");
    assert_eq!(service.post("", "presence/enrol/finish", &enrolment).await.is(409).code(), "request-closed");
    assert_eq!(service.post("", "presence/enrol/begin", &begin).await.is(409).code(), "request-closed");
    assert_eq!(service.said("presence enrolled ed25519").await, 1);

    let list = format!("presence/authenticators?identity_id={}", service.ana);
    assert_eq!(service.get("stranger", &list).await.is(404).code(), "unknown-id");
    let listed = service.get("noble", &list).await.is(200).json();
    assert_eq!(listed["items"][0]["authenticator_id"], key.public_key().to_string());

    // It counts after its time, and until it is removed.
    let (vault_id, _) = service.split().await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(422);
    service.later(60);
    let path = format!("presence/authenticators/{}", key.public_key());
    service.send("stranger", "DELETE", &path, None).await.is(404);
    service.prove(&request, &key).await.is(200);
    service.send("noble", "DELETE", &path, None).await.is(204);
    service.send("noble", "DELETE", &path, None).await.is(404);
    assert_eq!(service.said("presence removed ed25519").await, 1);
    // What it approved before does not rebuild any more.
    service.prove(&service.reconstruct(&vault_id).await, &key).await.is(422);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_present_vouches_for_a_further_one() {
    let service = Service::new().await;
    let key = service.enrol().await;
    let body = json!({"identity_id": service.ana.to_hex()});
    let vouch = |begun: &Value, key: &Ed25519SigningKey| {
        let voucher = service.enrolment(begun, key)["authenticator"].clone();
        json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher})
    };
    assert_eq!(service.post("stranger", "presence/vouch/begin", &body).await.is(404).code(), "unknown-id");
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    // It does not count yet, and nobody else's does ever.
    service.post("noble", "presence/vouch/finish", &vouch(&begun, &key)).await.is(422);
    service.later(60);
    let stranger = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    service.post("noble", "presence/vouch/finish", &vouch(&begun, &stranger)).await.is(422);
    let invited = service.post("noble", "presence/vouch/finish", &vouch(&begun, &key)).await.is(201).json();
    assert_eq!(invited["agreed"], true);
    assert_eq!(service.post("noble", "presence/vouch/finish", &vouch(&begun, &key)).await.is(409).code(), "request-closed");
    let begin = json!({"invitation": invited["invitation"], "kind": "ed25519"});
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    service.post("", "presence/enrol/finish", &service.enrolment(&begun, &stranger)).await.is(201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_loads_nothing_from_elsewhere() {
    let service = Service::new().await;
    for (path, kind) in [("/presence/", "text/html"), ("/presence/page.js", "text/javascript"), ("/presence/page.css", "text/css")] {
        let request = http::Request::get(path).body(Body::empty()).unwrap();
        let response = service.router.clone().oneshot(request).await.unwrap();
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(response.status(), 200);
        assert!(header("content-type").starts_with(kind));
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
        let text = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let text = String::from_utf8(text.to_vec()).unwrap();
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("style=\""), "{path}");
    }
}
