//! The command line's verbs.

use crate::place::{Place, identity};
use dualseal::ed25519::Ed25519SigningKey;
use platform::access::{Scope, Tier, World};
use platform::authority::{Invitation, Revocation};
use std::collections::BTreeSet;
use trustd::commands::{invite, node, token};

fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap()
}

#[tokio::test]
async fn tokens_are_issued_listed_and_revoked() {
    let place = Place::new().await;
    let (platform, mut out) = (&place.app, Vec::new());
    let asked = token::Issue {
        subject: identity("ana"),
        tier: Tier::Native,
        scopes: BTreeSet::from([Scope::Ops]),
        client: "console".to_owned(),
        life: Some(60),
    };
    token::issue(platform, &asked, &mut out).await.unwrap();
    let issued = text(std::mem::take(&mut out));
    let issued = issued.trim_end();
    assert_eq!(place.get("/api/v1/auth/keys", issued).await.0, 200);
    token::list(platform, None, 10, &mut out).await.unwrap();
    let line = text(std::mem::take(&mut out));
    assert!(
        line.contains("native") && line.contains("2026-11-23T09:01:00.000Z") && !line.contains("revoked"),
        "{line}"
    );
    let jti = line.split(' ').next().unwrap().parse().unwrap();
    token::revoke(platform, &Revocation::Token(jti), &mut out).await.unwrap();
    assert_eq!(text(std::mem::take(&mut out)), "revoked 1\n");
    assert_eq!(place.get("/api/v1/auth/keys", issued).await.0, 401);
    assert!(token::revoke(platform, &Revocation::Token(jti), &mut out).await.is_err(), "it says when nothing happened");
    token::list(platform, Some(&identity("ana")), 10, &mut out).await.unwrap();
    assert!(text(std::mem::take(&mut out)).trim_end().ends_with("revoked"));
    token::rotate_key(platform, &mut out).await.unwrap();
    assert_eq!(place.get("/.well-known/jwks.json", "").await.1["keys"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn nodes_are_added_and_get_tokens() {
    let place = Place::new().await;
    let (platform, mut out) = (&place.app, Vec::new());
    let key = *Ed25519SigningKey::from_seed(&[7; 32]).unwrap().public_key();
    node::add(platform, "https://one.example", identity("one"), Some(key), &mut out).await.unwrap();
    assert!(text(std::mem::take(&mut out)).starts_with("# added https://one.example, entry "));
    assert!(node::add(platform, "https://one.example", identity("one"), None, &mut out).await.is_err());
    assert!(node::add(platform, "no name", identity("one"), None, &mut out).await.is_err());
    node::list(platform, &mut out).await.unwrap();
    let line = text(std::mem::take(&mut out));
    assert!(line.contains(&key.to_hex()) && line.trim_end().ends_with("seen never"), "{line}");
    token::issue_to_node(platform, "https://one.example", None, &mut out).await.unwrap();
    let issued = text(std::mem::take(&mut out));
    let (status, problem) = place.get("/api/v1/auth/keys", issued.trim_end()).await;
    assert_eq!((status, problem["code"].as_str()), (403, Some("tier-too-low")));
    assert!(token::issue_to_node(platform, "two", None, &mut out).await.is_err());
}

#[tokio::test]
async fn the_host_invites() {
    let place = Place::new().await;
    let (platform, mut out) = (&place.app, Vec::new());
    let (identity_id, scopes) = (identity("eva"), BTreeSet::from([Scope::Trust]));
    let (tier, world, by) = (Tier::Noble, World::Real, Vec::new());
    invite::invite(platform, &Invitation { identity_id, tier, scopes, world, by, node: None }, &mut out).await.unwrap();
    let code = text(std::mem::take(&mut out));
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let asked = serde_json::json!({ "invitation": code.trim_end(), "public_key": key.public_key().to_hex() });
    assert_eq!(place.post("/api/v1/auth/enrol", "", &asked).await.0, 201);
    invite::list_logins(platform, Some(&identity_id), &mut out).await.unwrap();
    let line = text(std::mem::take(&mut out));
    assert!(line.contains(&key.public_key().to_hex()), "{line}");
    let id = line.split(' ').next().unwrap().parse().unwrap();
    invite::remove_login(platform, &id, &mut out).await.unwrap();
    assert!(invite::remove_login(platform, &id, &mut out).await.is_err());
    out.clear();
    invite::list_logins(platform, None, &mut out).await.unwrap();
    assert!(out.is_empty());
}
