//! When a change is answered.

use crate::service::Service;
use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use platform::config::Config;
use std::convert::Infallible;
use std::future::Future;
use std::time::{Duration, Instant};

const ANA: &str = "ana/native";
const SLOT: Duration = Duration::from_millis(400);

async fn timed<T>(done: impl Future<Output = T>) -> (T, Duration) {
    let begun = Instant::now();
    (done.await, begun.elapsed())
}

#[tokio::test]
async fn a_change_is_answered_at_its_slot_whatever_came_of_it() {
    let mut config = Config::default();
    config.limits.slot = 400;
    let service = Service::new(config).await;
    for (body, status) in [(r#"{"name":"one"}"#, 201), (r#"{"name":""}"#, 422), ("{", 400)] {
        let (told, took) = timed(service.post("/things/a", ANA, None, body)).await;
        assert_eq!(told.status, status);
        assert!((SLOT..2 * SLOT).contains(&took), "{body}: {took:?}");
    }
    for once in [service.get("/things/a", ANA), service.get("/public", ANA)] {
        assert!(timed(once).await.1 < SLOT, "what only reads is answered when it is read");
    }
    assert!(timed(service.post("/public", ANA, None, "x")).await.1 < SLOT, "anybody has no other world");
    let service = service.again(Config { limits: none(), ..Config::default() }).await;
    assert!(timed(service.post("/things/a", ANA, None, r#"{"name":"two"}"#)).await.1 < SLOT);
}

fn none() -> platform::config::LimitConfig {
    platform::config::LimitConfig { slot: 0, ..Default::default() }
}

/// Somebody who sends his last byte just before a slot ends would see on which side of it the service was done.
#[tokio::test]
async fn a_slot_begins_behind_the_last_byte() {
    let mut config = Config::default();
    config.limits.slot = 400;
    let service = Service::new(config).await;
    let late = SLOT.saturating_sub(Duration::from_millis(50));
    let body = Body::from_stream(futures::stream::unfold(0, move |count| async move {
        if count == 1 {
            tokio::time::sleep(late).await;
        }
        (count < 2).then(|| (Ok::<_, Infallible>(Bytes::from_static(b"part")), count + 1))
    }));
    let request = Request::post("/large").header("x-caller", ANA).body(body).unwrap();
    let (told, took) = timed(service.send(request)).await;
    assert_eq!(told.json(), 8);
    assert!((late + SLOT..late + 2 * SLOT).contains(&took), "{took:?}");
}
