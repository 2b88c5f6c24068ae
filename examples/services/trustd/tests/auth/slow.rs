//! Documents that come slowly, from senders that are revoked or become honeypots meanwhile.

use crate::decoy::{Honeypot, token};
use crate::place::{Place, identity};
use axum::body::{Body, Bytes};
use dualseal::Timestamp;
use futures::stream::{self, StreamExt as _};
use http::{Request, StatusCode, header};
use platform::access::World;
use platform::authority::Revocation;
use platform::clock::Clock;
use serde_json::{Value, json};
use std::convert::Infallible;
use trustd::App;

const SIGN: (&str, &str) = ("/api/v1/dsa/potpisi", "document");
const SEAL: (&str, &str) = ("/api/v1/vault/seal", "payload");

/// A form in two pieces, between which a minute passes and something happens.
fn slow(
    place: &Place,
    (path, last): (&str, &str),
    (token, key): (&str, &str),
    meanwhile: impl Future<Output = ()> + Send + 'static,
) -> Request<Body> {
    let part = |name: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
    let mut first = format!("{}{}\r\n", part("identity_id"), identity("eva"));
    if path == SEAL.0 {
        first = format!("{first}{}SCAN\r\n", part("type"));
    }
    let first = format!("{first}{}one ", part(last));
    let clock: Clock = place.app.clock.clone();
    let rest = stream::once(async move {
        meanwhile.await;
        clock.set(Timestamp::from_millis(clock.millis() + 60_000).unwrap());
        Ok::<_, Infallible>(Bytes::from("contract\r\n--x--\r\n"))
    });
    let mut request = Request::post(path)
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    if !key.is_empty() {
        request = request.header("idempotency-key", key);
    }
    request.body(Body::from_stream(stream::once(async { Ok(Bytes::from(first)) }).chain(rest))).unwrap()
}

/// A service in which eva has a key, and the token of a native.
async fn place() -> (Place, String) {
    let place = Place::new().await;
    let native = token(&place, "ana").await;
    let asked = json!({ "identity_id": identity("eva").to_hex() });
    assert_eq!(place.post("/api/v1/dsa/keypair", &native, &asked).await.0, 201);
    (place, native)
}

async fn revokes(app: App) {
    let all = Revocation::Subject(identity("ana"), 0, app.clock.millis());
    assert!(app.authority.revoke(&all, World::Real).await.unwrap() > 0);
}

async fn size(place: &Place) -> u64 {
    place.app.log.state().await.unwrap().head().size()
}

fn is(told: &(StatusCode, Value), status: u16, code: &str) -> bool {
    (told.0.as_u16(), told.1["code"].as_str()) == (status, Some(code))
}

#[tokio::test]
async fn whoever_is_revoked_while_he_sends_writes_nothing() {
    for at in [SIGN, SEAL] {
        let (place, native) = place().await;
        assert_eq!(place.send(slow(&place, at, (&native, ""), async {})).await.0, 201, "{at:?}");
        let size = size(&place).await;
        let told = place.send(slow(&place, at, (&native, ""), revokes(place.app.clone()))).await;
        assert!(is(&told, 401, "bad-token"), "{at:?}: {}", told.0);
        assert_eq!(self::size(&place).await, size, "{at:?}");
    }
}

/// Nor is he given what was answered before.
#[tokio::test]
async fn whoever_is_revoked_while_he_sends_again_gets_no_stored_answer() {
    for at in [SIGN, SEAL] {
        let (place, native) = place().await;
        let first = place.send(slow(&place, at, (&native, "k"), async {})).await;
        assert_eq!(first.0, 201, "{at:?}");
        assert_eq!(place.send(slow(&place, at, (&native, "k"), async {})).await, first, "{at:?}");
        let told = place.send(slow(&place, at, (&native, "k"), revokes(place.app.clone()))).await;
        assert!(is(&told, 401, "bad-token"), "{at:?}: {}", told.0);
    }
}

/// What was enclosed by a real key is not sealed in the decoy's world; sent again, it is sealed there. What a honeypot
/// signs has its entries.
#[tokio::test]
async fn whoever_becomes_a_honeypot_while_he_sends_leaves_nothing_real() {
    for (at, status, entries) in [(SIGN, 201, 2), (SEAL, 503, 0)] {
        let (place, _) = place().await;
        let eva = token(&place, "eva").await;
        let size = size(&place).await;
        let log = place.app.log.clone();
        let meanwhile = async move { log.submit(Honeypot(None)).await.unwrap() };
        let told = place.send(slow(&place, at, (&eva, ""), meanwhile)).await;
        assert_eq!(told.0, status, "{at:?}");
        assert_eq!(place.send(slow(&place, at, (&eva, ""), async {})).await.0, 201, "{at:?}");
        assert_eq!(self::size(&place).await, size + 1 + entries, "{at:?}: and the change of her key");
    }
}

/// The limits of bodies say what they refused, though it is access that receives.
#[tokio::test]
async fn a_body_that_is_too_long_is_told_so() {
    let (place, native) = place().await;
    let body = Body::from_stream(stream::iter(vec![Ok::<_, Infallible>(vec![b' '; 600 << 10]); 2]));
    let request = Request::post("/api/v1/auth/invitations").header(header::AUTHORIZATION, format!("Bearer {native}"));
    let told = place.send(request.body(body).unwrap()).await;
    assert!(is(&told, 413, "too-large"), "{told:?}");
}
