//! Over HTTP.

use crate::place::{Place, identity};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::presence::Statement;
use platform::access::{Scope, Tier, World};
use platform::authority::Grant;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use trustd::auth;
use trustd::table::TABLE;

async fn native(place: &Place, scopes: &[Scope]) -> String {
    let grant = Grant {
        subject: identity("ana"),
        tier: Tier::Native,
        scopes: scopes.iter().copied().collect(),
        client: "tests".to_owned(),
        node: None,
        login: None,
        life: None,
        world: World::Real,
    };
    let mut tx = place.app.db.begin().await.unwrap();
    let issued = place.app.authority.issue(&mut tx, &grant).await.unwrap();
    tx.commit().await.unwrap();
    issued.text.to_string()
}

/// A challenge, signed.
async fn login(place: &Place, key: &Ed25519SigningKey, key_id: &Value, name: &str, tier: &str) -> Value {
    let asked = json!({ "identity_id": identity(name).to_hex() });
    let (status, challenge) = place.post("/api/v1/auth/challenge", "", &asked).await;
    assert_eq!(status, 200, "{challenge}");
    let text = |member: &str| challenge[member].as_str().unwrap().to_owned();
    let domain = dualseal::Domain::new(&text("domain")).unwrap();
    let said = Statement::login(&text("audience"), &identity(name), tier).unwrap();
    let (nonce, expiry) = (text("nonce"), text("expiry"));
    let signature = said.sign(&domain, &nonce.parse().unwrap(), expiry.parse().unwrap(), key);
    json!({
        "identity_id": identity(name).to_hex(), "tier": tier, "key_id": key_id, "nonce": nonce, "expiry": expiry,
        "signature": signature.to_hex(), "client_id": "console",
    })
}

#[tokio::test]
async fn from_an_invitation_to_a_token_and_back() {
    let place = Place::new().await;
    let ops = native(&place, &[Scope::Ops, Scope::Trust]).await;
    let asked = json!({ "identity_id": identity("eva").to_hex(), "tier": "native", "scopes": ["ops", "trust"] });
    let (status, invited) = place.post("/api/v1/auth/invitations", &ops, &asked).await;
    assert_eq!((status, &invited["expires"]), (201, &json!("2026-11-24T09:00:00.000Z")), "{invited}");
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let asked =
        json!({ "invitation": invited["invitation"], "public_key": key.public_key().to_hex(), "label": "laptop" });
    let (status, enrolled) = place.post("/api/v1/auth/enrol", "", &asked).await;
    assert_eq!((status, &enrolled["tier"], &enrolled["scopes"]), (201, &json!("native"), &json!(["trust", "ops"])));
    let (status, again) = place.post("/api/v1/auth/enrol", "", &asked).await;
    assert_eq!((status, &again), (201, &enrolled), "it was asked once more");
    let said = login(&place, &key, &enrolled["key_id"], "eva", "native").await;
    let (status, token) = place.post("/api/v1/auth/token", "", &said).await;
    assert_eq!((status, &token["token_type"], &token["expires_in"]), (200, &json!("Bearer"), &json!(3600)), "{token}");
    let (status, again) = place.post("/api/v1/auth/token", "", &said).await;
    assert_eq!((status, &again["code"]), (401, &json!("bad-login")));
    let eva = token["access_token"].as_str().unwrap();
    let (status, keys) = place.get("/api/v1/auth/keys?limit=1", eva).await;
    assert_eq!((status, &keys["items"][0]["key_id"], &keys["next"]), (200, &enrolled["key_id"], &Value::Null));
    assert_eq!(keys["items"][0]["public_key"], key.public_key().to_hex());
    let path = format!("/api/v1/auth/keys/{}", enrolled["key_id"].as_str().unwrap());
    assert_eq!(place.ask("DELETE", &path, eva, &Value::Null).await.0, 204);
    let (status, refused) = place.get("/api/v1/auth/keys", eva).await;
    assert_eq!((status, &refused["code"]), (401, &json!("bad-token")), "the key that it was got by is gone");
    for gone in [path.as_str(), "/api/v1/auth/keys/nothing"] {
        assert_eq!(place.ask("DELETE", gone, &ops, &Value::Null).await.0, 404);
    }
}

#[tokio::test]
async fn nobody_gives_scopes_that_he_has_not() {
    let place = Place::new().await;
    let ops = native(&place, &[Scope::Ops]).await;
    let id = identity("eva").to_hex();
    for scopes in [json!(["trust"]), json!(["ops", "trust"]), json!(["node"])] {
        let asked = json!({ "identity_id": id, "tier": "native", "scopes": scopes });
        let (status, refused) = place.post("/api/v1/auth/invitations", &ops, &asked).await;
        assert_eq!((status, &refused["code"]), (403, &json!("scope-missing")), "{scopes}");
        let asked = json!({ "issuer": "https://login.example", "subject": "7", "identity_id": id, "scopes": scopes });
        let (status, refused) = place.post("/api/v1/auth/outside", &ops, &asked).await;
        assert_eq!((status, &refused["code"]), (403, &json!("scope-missing")), "{scopes}");
    }
}

#[tokio::test]
async fn tokens_are_verified_by_what_is_published() {
    let place = Place::new().await;
    let token = native(&place, &[Scope::Ops]).await;
    let (status, set) = place.get("/.well-known/jwks.json", "").await;
    assert_eq!(status, 200);
    let key = &set["keys"][0];
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"], &key["use"]),
        (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA"), &json!("sig"))
    );
    let (body, signature) = token.rsplit_once('.').unwrap();
    let header = URL_SAFE_NO_PAD.decode(body.split_once('.').unwrap().0).unwrap();
    let header: Value = serde_json::from_slice(&header).unwrap();
    assert_eq!(header, json!({ "typ": "at+jwt", "alg": "EdDSA", "kid": key["kid"] }));
    let public = URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap();
    let public = ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, public);
    public.verify(body.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
}

#[tokio::test]
async fn a_revocation_counts_at_once() {
    let place = Place::new().await;
    let (ops, trust) = (native(&place, &[Scope::Ops]).await, native(&place, &[Scope::Trust]).await);
    let (status, refused) = place.post("/api/v1/auth/revoke", &trust, &json!({})).await;
    assert_eq!((status, &refused["code"]), (403, &json!("scope-missing")));
    let (status, refused) = place.post("/api/v1/auth/revoke", &ops, &json!({})).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid-field")));
    let all = json!({ "subject": identity("ana").to_hex() });
    let (status, revoked) = place.post("/api/v1/auth/revoke", &ops, &all).await;
    assert_eq!((status, &revoked["revoked"]), (200, &json!(2)));
    assert_eq!(place.get("/api/v1/auth/keys", &ops).await.0, 401, "its own too");
}

#[tokio::test]
async fn bodies_and_queries_are_strict() {
    let place = Place::new().await;
    let ops = native(&place, &[Scope::Ops, Scope::Trust]).await;
    let id = identity("eva").to_hex();
    let cases = [
        ("/api/v1/auth/challenge", json!({}), ""),
        ("/api/v1/auth/challenge", json!({ "identity_id": "ana" }), "/identity_id"),
        ("/api/v1/auth/challenge", json!({ "identity_id": id.to_uppercase() }), "/identity_id"),
        ("/api/v1/auth/challenge", json!({ "identity_id": id, "more": 1 }), "/more"),
        ("/api/v1/auth/invitations", json!({ "identity_id": id, "tier": "public", "scopes": ["ops"] }), "/tier"),
        ("/api/v1/auth/invitations", json!({ "identity_id": id, "tier": "noble", "scopes": [] }), "/scopes"),
        (
            "/api/v1/auth/outside",
            json!({ "issuer": "x", "subject": "7", "identity_id": id, "scopes": ["trust"] }),
            "/issuer",
        ),
    ];
    for (path, body, pointer) in cases {
        let (status, problem) = place.post(path, &ops, &body).await;
        assert_eq!((status, &problem["code"]), (422, &json!("invalid-field")), "{body}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body}: {problem}");
    }
    for query in ["limit=0", "limit=201", "limit=1&limit=2", "after=7", "identity_id=ana", "more=1"] {
        let (status, problem) = place.get(&format!("/api/v1/auth/keys?{query}"), &ops).await;
        let pointer = format!("query/{}", query.split_once('=').unwrap().0);
        assert_eq!((status, &problem["errors"][0]["pointer"]), (422, &json!(pointer)));
    }
    let exchanged = place.post("/api/v1/auth/exchange", "", &json!({ "token": "a.b.c" })).await;
    assert_eq!((exchanged.0, &exchanged.1["code"]), (401, &json!("bad-login")));
}

#[tokio::test]
async fn trust_is_the_share_of_checks_that_passed() {
    let place = Place::new().await;
    for name in ["database", "head", "checkpoint", "objects", "disk"] {
        place.app.checks.record(name, true);
    }
    assert_eq!(place.get("/api/v1/auth/zdravlje", "").await, (200, json!({ "ok": true, "trust": 1.0 })));
    place.app.checks.record("objects", false);
    assert_eq!(place.get("/api/v1/auth/zdravlje", "").await, (200, json!({ "ok": true, "trust": 0.8 })));
    // It says so too where nothing else is answered.
    place.app.db.close().await;
    assert_eq!(place.get("/api/v1/auth/zdravlje", "").await.0, 200);
}

#[test]
fn the_table_has_every_address_and_no_other() {
    let (_, document) = auth::routes::router().split_for_parts();
    let document = serde_json::to_value(&document).unwrap();
    let mut served = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        served.extend(methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
    }
    let is_ours = |path: &str| path.starts_with("/api/v1/auth/") || path.starts_with("/.well-known/");
    let rows = TABLE.iter().filter(|row| is_ours(row.path));
    let listed: BTreeSet<_> = rows.map(|row| (row.method.to_owned(), row.path.to_owned())).collect();
    assert_eq!(served, listed);
}

/// What is no code at all waits for no writer, and keeps none waiting.
#[tokio::test]
async fn a_malformed_invitation_is_refused_beside_a_writer() {
    let place = Place::new().await;
    let writing = place.app.db.begin().await.unwrap();
    let asked = json!({ "invitation": "x".repeat(64), "public_key": "0".repeat(64) });
    let asking = place.post("/api/v1/auth/enrol", "", &asked);
    let (status, body) = tokio::time::timeout(Duration::from_secs(2), asking).await.expect("it waited for the writer");
    assert_eq!((status, body["code"].as_str()), (403, Some("bad-invitation")));
    writing.roll_back().await.unwrap();
}
