//! A native whose own key is a honeypot changes authority: it is answered as any other, and gives nothing real.

use crate::place::{Place, identity};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::{KeyState, PublicKey, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::{Scope, Tier, World};
use platform::authority::Grant;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Gives eva a honeypot, or makes one of the key that she has.
pub(crate) struct Honeypot(pub(crate) Option<PublicKey>);

impl Work for Honeypot {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        if let Some(key) = &self.0 {
            step.add_key(&identity("eva"), key)?;
        }
        step.set_state(&identity("eva"), None, KeyState::Decoy)?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

pub(crate) async fn token(place: &Place, name: &str) -> String {
    let (subject, scopes) = (identity(name), BTreeSet::from([Scope::Ops, Scope::Trust]));
    let (tier, client, world) = (Tier::Native, "tests".to_owned(), World::Real);
    let grant = Grant { subject, tier, scopes, client, node: None, login: None, life: None, world };
    let mut tx = place.app.db.begin().await.unwrap();
    let issued = place.app.authority.issue(&mut tx, &grant).await.unwrap();
    tx.commit().await.unwrap();
    issued.text.to_string()
}

/// The names of members, at every depth, without what is drawn.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), shape(value))).collect(),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::String(text) => json!(text.len()),
        other => other.clone(),
    }
}

/// What a native does with authority, and what it is answered.
async fn walk(place: &Place, token: &str, name: &str) -> Vec<(u16, Value)> {
    let mut answers = Vec::new();
    let other = identity("bo").to_hex();
    let asked = json!({ "identity_id": other, "tier": "noble", "scopes": ["trust"] });
    let invited = place.post("/api/v1/auth/invitations", token, &asked).await;
    let public_key = Ed25519SigningKey::generate(&mut SystemRng).unwrap().public_key().to_hex();
    let asked = json!({ "invitation": invited.1["invitation"], "public_key": public_key, "label": "phone" });
    let enrolled = place.post("/api/v1/auth/enrol", "", &asked).await;
    let path = format!("/api/v1/auth/keys/{}", enrolled.1["key_id"].as_str().unwrap());
    answers.extend([invited, enrolled]);
    answers.push(place.post("/api/v1/auth/enrol", "", &asked).await);
    let with_another = Ed25519SigningKey::generate(&mut SystemRng).unwrap().public_key().to_hex();
    let asked = json!({ "invitation": asked["invitation"], "public_key": with_another, "label": "phone" });
    answers.push(place.post("/api/v1/auth/enrol", "", &asked).await);
    let of_other = format!("/api/v1/auth/keys?identity_id={other}");
    answers.push(place.get(&of_other, token).await);
    for _ in 0..2 {
        let (status, body) = place.ask("DELETE", &path, token, &Value::Null).await;
        answers.push((status.as_u16(), body));
    }
    answers.push(place.get(&of_other, token).await);
    let jti = json!({ "jti": "0192f0c1-2345-7abc-8def-0123456789ab" });
    answers.push(place.post("/api/v1/auth/revoke", token, &jti).await);
    answers.push(place.post("/api/v1/auth/revoke", token, &json!({})).await);
    let own = json!({ "subject": identity(name).to_hex() });
    answers.push(place.post("/api/v1/auth/revoke", token, &own).await);
    answers.push(place.get("/api/v1/auth/keys", token).await);
    answers.iter().map(|(status, body)| (*status, shape(body))).collect()
}

#[tokio::test]
async fn a_honeypot_is_answered_as_any_other() {
    let place = Place::new().await;
    let key = SigningKey::generate(&mut SystemRng).unwrap().public_key().clone();
    place.app.log.submit(Honeypot(Some(key))).await.unwrap();
    let (ana, eva) = (token(&place, "ana").await, token(&place, "eva").await);
    let real = walk(&place, &ana, "ana").await;
    assert_eq!(
        real.iter().map(|(status, _)| *status).collect::<Vec<_>>(),
        [201, 201, 201, 403, 200, 204, 404, 200, 200, 422, 200, 401]
    );
    assert_eq!(walk(&place, &eva, "eva").await, real);
}

#[tokio::test]
async fn what_it_does_to_others_does_nothing() {
    let place = Place::new().await;
    let key = SigningKey::generate(&mut SystemRng).unwrap().public_key().clone();
    place.app.log.submit(Honeypot(Some(key))).await.unwrap();
    let (ana, eva) = (token(&place, "ana").await, token(&place, "eva").await);
    let all = json!({ "subject": identity("ana").to_hex() });
    assert_eq!(place.post("/api/v1/auth/revoke", &eva, &all).await, (200, json!({ "revoked": 1 })));
    let asked = json!({ "identity_id": identity("bo").to_hex(), "tier": "native", "scopes": ["ops"] });
    assert_eq!(place.post("/api/v1/auth/invitations", &eva, &asked).await.0, 201);
    let (status, keys) = place.get("/api/v1/auth/keys", &ana).await;
    assert_eq!((status, &keys["items"]), (200, &json!([])), "ana's token counts, and nobody was enrolled");
}
