//! Bodies that come slowly: what ends meanwhile has ended.

use crate::decoy::Key;
use crate::house::{Answer, House, identity, send};
use axum::body::{Body, Bytes};
use dualseal::{KeyState, SigningKey, SystemRng};
use futures::stream::{self, StreamExt as _};
use platform::access::{Scope, Tier, World};
use platform::authority::{Issued, Revocation};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A body in two pieces, between which so many milliseconds pass and something happens.
fn body<F: Future<Output = ()> + Send + 'static>(house: &Arc<House>, millis: i64, meanwhile: F) -> Body {
    let house = Arc::clone(house);
    let rest = stream::once(async move {
        meanwhile.await;
        house.later(millis);
        Ok::<_, Infallible>(Bytes::from("rest"))
    });
    Body::from_stream(stream::once(async { Ok(Bytes::from("the ")) }).chain(rest))
}

async fn house() -> (Arc<House>, Issued) {
    let house = House::new().await;
    let issued = house.issue(Tier::Noble, &[Scope::Trust]).await;
    (Arc::new(house), issued)
}

async fn post(house: &House, path: &str, issued: &Issued, body: Body) -> Answer {
    send(&house.authority, "POST", path, &[&format!("Bearer {}", &*issued.text)], body).await
}

/// Another process revokes a token.
async fn revokes(house: Arc<House>, issued: Issued) {
    let which = Revocation::Token(issued.claims.jti);
    assert_eq!(house.another().await.revoke(&which, World::Real).await.unwrap(), 1);
}

#[tokio::test]
async fn a_token_that_ends_while_a_body_comes_writes_nothing() {
    for path in ["/small", "/large"] {
        let (house, issued) = house().await;
        let kept = post(&house, path, &issued, body(&house, 60_000, async {})).await;
        assert_eq!((kept.status.as_u16(), kept.body["body"].as_str()), (200, Some("the rest")), "{path}");
        let slow = body(&house, 1000, revokes(Arc::clone(&house), issued.clone()));
        assert!(post(&house, path, &issued, slow).await.is(401, "bad-token"), "{path}");
        // One that expires has ended too.
        let issued = house.issue(Tier::Noble, &[Scope::Trust]).await;
        let slow = body(&house, 86_400_000 + 120_000, async {});
        assert!(post(&house, path, &issued, slow).await.is(401, "bad-token"), "{path}");
    }
}

/// Where anybody may call, what ended is nobody's: it is served, and told what nobody is told.
#[tokio::test]
async fn a_token_that_ends_while_a_body_comes_to_a_public_address_is_nobodys() {
    for path in ["/public", "/public/large"] {
        let (house, issued) = house().await;
        let kept = post(&house, path, &issued, body(&house, 60_000, async {})).await;
        assert_eq!((kept.status.as_u16(), kept.body["called"].as_bool()), (200, Some(true)), "{path}");
        let slow = body(&house, 1000, revokes(Arc::clone(&house), issued.clone()));
        let ended = post(&house, path, &issued, slow).await;
        assert_eq!((ended.status.as_u16(), ended.body["called"].as_bool()), (200, Some(false)), "{path}");
    }
}

/// What comes within a second costs no second look.
#[tokio::test]
async fn a_body_that_comes_at_once_is_of_who_began_it() {
    for path in ["/small", "/large"] {
        let (house, issued) = house().await;
        let quick = body(&house, 999, revokes(Arc::clone(&house), issued.clone()));
        assert_eq!(post(&house, path, &issued, quick).await.status, 200, "{path}");
        assert_eq!(post(&house, path, &issued, Body::empty()).await.status, 401, "{path}");
    }
}

/// It does not tell how long a body took.
#[tokio::test]
async fn a_clock_that_was_set_back_is_not_believed() {
    let (house, issued) = house().await;
    let slow = body(&house, -1, revokes(Arc::clone(&house), issued.clone()));
    assert!(post(&house, "/small", &issued, slow).await.is(401, "bad-token"));
}

#[tokio::test]
async fn who_becomes_a_honeypot_meanwhile_is_one_at_the_end() {
    for path in ["/small", "/large"] {
        let (house, issued) = house().await;
        let key = SigningKey::generate(&mut SystemRng).unwrap().public_key().clone();
        house.log.submit(Key(identity("ana"), key.clone(), None)).await.unwrap();
        let (log, decoy) = (house.log.clone(), Key(identity("ana"), key, Some(KeyState::Decoy)));
        let slow = body(&house, 1000, async move { log.submit(decoy).await.unwrap() });
        let answer = post(&house, path, &issued, slow).await;
        assert_eq!((answer.status.as_u16(), answer.body["world"].as_i64()), (200, Some(1)), "{path}");
    }
}

#[tokio::test]
async fn of_strangers_nothing_is_received() {
    let (house, issued) = house().await;
    let is_asked = Arc::new(AtomicBool::new(false));
    let body = || {
        let is_asked = Arc::clone(&is_asked);
        Body::from_stream(stream::once(async move {
            is_asked.store(true, Ordering::SeqCst);
            Ok::<_, Infallible>(Bytes::from("the rest"))
        }))
    };
    let ops = house.issue(Tier::Native, &[Scope::Ops]).await;
    assert!(send(&house.authority, "POST", "/small", &[], body()).await.is(401, "no-token"));
    assert!(post(&house, "/small", &ops, body()).await.is(403, "scope-missing"));
    assert!(!is_asked.load(Ordering::SeqCst));
    assert_eq!(post(&house, "/small", &issued, body()).await.status, 200);
    assert!(is_asked.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let (house, issued) = house().await;
    let broken = stream::iter([Ok(Bytes::from("the ")), Err(std::io::Error::other("gone"))]);
    assert!(post(&house, "/small", &issued, Body::from_stream(broken)).await.is(400, "bad-request"));
    let long = Body::from(vec![b'x'; (1 << 20) + 1]);
    assert!(post(&house, "/small", &issued, long).await.is(400, "bad-request"));
}
