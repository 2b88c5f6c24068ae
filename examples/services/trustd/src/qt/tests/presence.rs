//! Authenticators: who may enrol one, and when it counts.

use super::*;
use crate::presence::rules::Kind;
use crate::presence::store::{AuthenticatorRow, Terms};
use base64::Engine as _;
use dualseal::tree::TreeHash;
use webauthn_authenticator_rs::AuthenticatorBackend as _;
use webauthn_authenticator_rs::softpasskey::SoftPasskey;

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
    other["authenticator"]["public_key"] =
        json!(Ed25519SigningKey::generate(&mut SystemRng).unwrap().public_key().to_string());
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
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(422);
    service.later(60);
    let path = format!("presence/authenticators/{}", key.public_key());
    service.send("stranger", "DELETE", &path, None).await.is(404);
    service.prove(&request, &key).await.is(200);
    for node in &mut nodes[..2] {
        assert_eq!(node.turn().await.unwrap().released.len(), 1);
    }
    service.send("noble", "DELETE", &path, None).await.is(204);
    service.send("noble", "DELETE", &path, None).await.is(404);
    assert_eq!(service.said("presence removed ed25519").await, 1);
    // What it approved before does not rebuild any more, and no further node lets its shard go for it.
    let turn = nodes[2].turn().await.unwrap();
    assert_eq!((turn.released.len(), turn.refused), (0, vec!["presence-too-few".to_owned()]));
    let told = service.get("native", &format!("qt/requests/{}", id(&request))).await.is(200).json();
    assert_eq!((&told["state"], told["shards"].as_array().unwrap().len()), (&json!("approved"), 2));
    assert_eq!(service.document(&request).await.is(409).code(), "conflict");
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
    assert_eq!(
        service.post("noble", "presence/vouch/finish", &vouch(&begun, &key)).await.is(409).code(),
        "request-closed"
    );
    let begin = json!({"invitation": invited["invitation"], "kind": "ed25519"});
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    // An enrolment is no vouching.
    service.post("noble", "presence/vouch/finish", &vouch(&begun, &key)).await.is(409);
    service.post("", "presence/enrol/finish", &service.enrolment(&begun, &stranger)).await.is(201);
    // One that counts for somebody else does not vouch.
    let bo = service.app.log.domain().identity_id(b"", "bo", "").unwrap();
    let theirs = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    let id = theirs.public_key().to_string();
    let row = AuthenticatorRow {
        id: id.clone(),
        identity_id: bo,
        kind: Kind::Ed25519,
        label: "bo's".to_owned(),
        material: id,
        enrolled: 0,
        counts_from: 0,
        world: World::Real,
        entry: None,
    };
    let mut tx = service.app.db.begin().await.unwrap();
    row.add(&Terms::of(&service.app), &mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    service.post("noble", "presence/vouch/finish", &vouch(&begun, &theirs)).await.is(422);
}

/// Two natives bring the first authenticator of an identity; a further one somebody vouches for who is present.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_natives_bring_no_second_authenticator() {
    let service = Service::new().await;
    let key = service.enrol().await;
    service.later(61);
    let begin = json!({"invitation": service.invitation().await, "kind": "ed25519"});
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    let stranger = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    let refused = service.post("", "presence/enrol/finish", &service.enrolment(&begun, &stranger)).await;
    assert_eq!(refused.is(409).code(), "conflict");
    // Nor does a vouching of one that was removed meanwhile.
    let body = json!({"identity_id": service.ana.to_hex()});
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    let voucher = service.enrolment(&begun, &key)["authenticator"].clone();
    let vouch = json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher});
    let invited = service.post("noble", "presence/vouch/finish", &vouch).await.is(201).json();
    let other = enrol_by(&service, &invited).await;
    service.post("", "presence/enrol/finish", &other).await.is(201);
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    let voucher = service.enrolment(&begun, &key)["authenticator"].clone();
    let vouch = json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher});
    let invited = service.post("noble", "presence/vouch/finish", &vouch).await.is(201).json();
    service.send("noble", "DELETE", &format!("presence/authenticators/{}", key.public_key()), None).await.is(204);
    let late = enrol_by(&service, &invited).await;
    assert_eq!(service.post("", "presence/enrol/finish", &late).await.is(409).code(), "conflict");
}

/// What a new key answers, with an invitation.
async fn enrol_by(service: &Service, invited: &Value) -> Value {
    let begin = json!({"invitation": invited["invitation"], "kind": "ed25519"});
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    service.enrolment(&begun, &Ed25519SigningKey::generate(&mut SystemRng).unwrap())
}

/// Whoever holds a honeypot's token is shown no authenticator, removes none and brings none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decoy_caller_reaches_nobodys_presence_and_has_his_own() {
    let service = Service::new().await;
    let key = service.enrol().await;
    let (of, body) = (service.ana.to_hex(), json!({"identity_id": service.ana.to_hex()}));
    let name = format!("presence/authenticators/{}", key.public_key());
    let (begun, nothing) = (service.post("noble", "presence/vouch/begin", &body).await.is(201).json(), json!({}));
    let voucher = service.enrolment(&begun, &key)["authenticator"].clone();
    let vouch = json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher});
    let real = service.invitation().await;
    let agree = format!("presence/invitations/{}/agree", crate::presence::store::invitation_id(&real));
    for (method, path, body, status) in [
        ("POST", "presence/invitations", &body, 201),
        ("POST", &*agree, &nothing, 404),
        ("POST", "presence/vouch/begin", &body, 201),
        ("POST", "presence/vouch/finish", &vouch, 409),
        ("GET", &*format!("presence/authenticators?identity_id={of}"), &nothing, 200),
        ("DELETE", &*name, &nothing, 404),
    ] {
        let answer = service.send("decoy", method, path, Some(body.to_string().into_bytes())).await.is(status);
        assert!(status != 200 || answer.json()["items"] == json!([]), "{method} {path}");
    }
    let listed = service.get("noble", &format!("presence/authenticators?identity_id={of}")).await.is(200).json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    let alarms = platform::db::Statement::new("SELECT COUNT(*) AS found FROM alarms WHERE kind = 'decoy-caller'");
    for _ in 0..100 {
        if service.count(alarms).await == 1 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("nobody was told");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_loads_nothing_from_elsewhere_and_is_framed_by_nobody() {
    let service = Service::new().await;
    for (path, kind) in [
        ("/presence/", "text/html"),
        ("/presence/page.js", "text/javascript"),
        ("/presence/device.js", "text/javascript"),
        ("/presence/service.js", "text/javascript"),
        ("/presence/page.css", "text/css"),
    ] {
        let request = http::Request::get(path).body(Body::empty()).unwrap();
        let response = service.router.clone().oneshot(request).await.unwrap();
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(response.status(), 200);
        assert!(header("content-type").starts_with(kind));
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'; trusted-types 'none'"), "{policy}");
        let text = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let text = String::from_utf8(text.to_vec()).unwrap();
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("style=\""), "{path}");
    }
}

/// A credential of WebAuthn in software: it says that it verified its user, or leaves it whatever it is asked.
pub(super) struct Device {
    passkey: SoftPasskey,
    verifies: bool,
}

impl Device {
    const PAGE: &str = "http://localhost:8470/";

    pub(super) fn new(verifies: bool) -> Self {
        Self { passkey: SoftPasskey::new(verifies), verifies }
    }

    pub(super) fn create(&mut self, begun: &Value) -> Value {
        let mut options = begun["options"]["publicKey"].clone();
        if !self.verifies {
            options["authenticatorSelection"]["userVerification"] = json!("discouraged");
        }
        let options = serde_json::from_value(options).unwrap();
        let made = self.passkey.perform_register(Self::PAGE.parse().unwrap(), options, 1000).unwrap();
        let authenticator = json!({"kind": "webauthn", "credential": made});
        json!({"enrolment_id": begun["enrolment_id"], "label": "key", "authenticator": authenticator})
    }

    /// Answers a challenge, as a browser has it do.
    pub(super) fn get(&mut self, challenge: &Value, credential_id: &Value) -> Value {
        let challenge = challenge.as_str().unwrap();
        let bytes: Vec<u8> =
            (0..32).map(|at| u8::from_str_radix(&challenge[2 * at..2 * at + 2], 16).unwrap()).collect();
        let options = json!({
            "challenge": base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes), "rpId": "localhost",
            "allowCredentials": [{"type": "public-key", "id": credential_id}], "userVerification": "required",
        });
        let options = serde_json::from_value(options).unwrap();
        let answered = self.passkey.perform_auth(Self::PAGE.parse().unwrap(), options, 1000).unwrap();
        json!({"kind": "webauthn", "credential": answered})
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_credential_that_verified_its_user_approves_for_service_and_nodes() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let begin = json!({"invitation": service.invitation().await, "kind": "webauthn"});
    // One that does not verify its user is not taken.
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    let careless = Device::new(false).create(&begun);
    assert_eq!(service.post("", "presence/enrol/finish", &careless).await.is(422).code(), "invalid-field");
    let mut device = Device::new(true);
    let made = service.post("", "presence/enrol/finish", &device.create(&begun)).await.is(201).json();
    service.app.log.checkpoint().await.unwrap();
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    service.later(61);

    // What vouches says so: what answers a number that it was given might approve a rebuilding as well.
    let body = json!({"identity_id": service.ana.to_hex()});
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    let said = format!(
        "TRUST-PRESENCE::VOUCH::{}::{}::{}::{}",
        text(&begun, "audience"),
        text(&begun, "identity_id"),
        text(&begun, "statement"),
        text(&begun, "nonce"),
    );
    let mut vouch = |challenge: &Value| {
        let voucher = device.get(challenge, &made["credential_id"]);
        json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher})
    };
    let (bare, told) = (vouch(&begun["nonce"]), vouch(&json!(TreeHash::of_leaf(said.as_bytes()).to_string())));
    service.post("noble", "presence/vouch/finish", &bare).await.is(422);
    service.post("noble", "presence/vouch/finish", &told).await.is(201);

    let [one, two] = [service.reconstruct(&vault_id).await, service.reconstruct(&vault_id).await];
    let proof = device.get(&one["challenge"], &made["credential_id"]);
    let path = |request: &Value| format!("qt/requests/{}/proofs", id(request));
    // What answers another request's challenge approves nothing here.
    assert_eq!(service.post("noble", &path(&two), &proof).await.is(422).code(), "invalid-field");
    let approved = service.post("noble", &path(&one), &proof).await.is(200).json();
    assert_eq!(approved["state"], "approved");
    for node in &mut nodes[..2] {
        let turn = node.turn().await.unwrap();
        assert_eq!((turn.released.len(), turn.refused.len()), (1, 0), "{turn:?}");
    }
    assert_eq!(service.document(&one).await.is(200).body, DOCUMENT);
}
