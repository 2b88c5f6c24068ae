//! What every request passes.

use crate::service::Service;
use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use platform::config::{Config, Seconds};
use platform::rate::Peer;
use std::convert::Infallible;
use std::net::SocketAddr;

const ANA: &str = "ana/native";

fn problem(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn from(address: &str, path: &str) -> Request {
    let mut request = Request::get(path).header("x-caller", ANA).body(Body::empty()).unwrap();
    request.extensions_mut().insert(Peer(SocketAddr::new(address.parse().unwrap(), 4711)));
    request
}

/// A body that comes in parts, of no known length.
fn streamed(path: &str, parts: Vec<Bytes>) -> Request {
    let parts = futures::stream::iter(parts.into_iter().map(Ok::<_, Infallible>));
    Request::post(path).header("x-caller", ANA).body(Body::from_stream(parts)).unwrap()
}

#[tokio::test]
async fn problems_have_one_form() {
    let service = Service::new(Config::default()).await;
    let told = service.get("/nowhere?secret=1", ANA).await;
    assert_eq!(told.problem(), problem(404, "unknown-path"));
    let body = told.json();
    assert_eq!(body["instance"], told.header("x-request-id"));
    assert_eq!(body["type"], "http://localhost:8470/problems/unknown-path");
    assert_eq!((told.header("cache-control"), told.header("x-content-type-options")), ("no-store", "nosniff"));
    let told = service.send(Request::get("/public").header("x-caller", ANA).body(Body::empty()).unwrap()).await;
    assert_eq!((told.status, &told.body[..]), (200, &b"public"[..]));
}

#[tokio::test]
async fn a_panic_is_a_problem() {
    let service = Service::new(Config::default()).await;
    let told = service.get("/panics", ANA).await;
    assert_eq!(told.problem(), problem(500, "internal"));
    assert!(!String::from_utf8_lossy(&told.body).contains("sent"));
}

#[tokio::test]
async fn what_goes_says_when() {
    let service = Service::new(Config::default()).await;
    let told = service.get("/old", ANA).await;
    assert_eq!(told.header("deprecation"), "@1688169599");
    assert_eq!(told.header("sunset"), "Sun, 30 Jun 2024 23:59:59 GMT");
    assert_eq!(service.get("/public", ANA).await.header("sunset"), "");
}

#[tokio::test]
async fn a_service_that_is_read_refuses_changes() {
    let service = Service::new(Config { read_only: true, ..Config::default() }).await;
    let told = service.post("/things/a", ANA, None, r#"{"name":"one"}"#).await;
    assert_eq!((told.problem(), told.header("retry-after")), (problem(503, "read-only"), "60"));
    assert_eq!(service.get("/things/a", ANA).await.status, 200);
    assert_eq!(service.done(), 0);
}

#[tokio::test]
async fn anybody_asks_at_a_rate() {
    let mut config = Config { trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()], ..Config::default() };
    (config.rate.per_second, config.rate.burst) = (1, 3);
    let service = Service::new(config).await;
    for _ in 0..3 {
        assert_eq!(service.send(from("192.0.2.1", "/public")).await.status, 200);
    }
    let told = service.send(from("192.0.2.1", "/public")).await;
    assert_eq!((told.problem(), told.header("retry-after")), (problem(429, "rate-limited"), "1"));
    assert_eq!(service.send(from("192.0.2.1", "/nowhere")).await.status, 429);
    // With a token, and another client: as before.
    assert_eq!(service.send(from("192.0.2.1", "/things/a")).await.status, 200);
    assert_eq!(service.send(from("192.0.2.2", "/public")).await.status, 200);
    // A header counts from a proxy only.
    let mut liar = from("192.0.2.1", "/public");
    liar.headers_mut().insert("x-forwarded-for", "203.0.113.9".parse().unwrap());
    assert_eq!(service.send(liar).await.status, 429);
    let mut behind = from("10.0.0.1", "/public");
    behind.headers_mut().insert("x-forwarded-for", "203.0.113.9".parse().unwrap());
    assert_eq!(service.send(behind).await.status, 200);
}

#[tokio::test]
async fn a_body_has_its_limit() {
    let service = Service::new(Config::default()).await;
    assert_eq!(service.send(streamed("/public", vec![vec![0; 500].into(), vec![0; 500].into()])).await.json(), 1000);
    let told = service.send(streamed("/public", vec![vec![0; 500].into(), vec![0; 501].into()])).await;
    assert_eq!(told.problem(), problem(413, "too-large"));
    let told = service.post("/public", ANA, None, &"x".repeat(1001)).await;
    assert_eq!(told.problem(), problem(413, "too-large"));
    // JSON of a handler that reads it whole, and one with a key, which is read before.
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(1 << 20));
    for key in [None, Some("k")] {
        assert_eq!(service.post("/things/a", ANA, key, &long).await.problem(), problem(413, "too-large"));
    }
    assert_eq!(service.done(), 1);
    // More than the framework's own 2 MB are not asked for here, but its limit does not stand in the way.
    assert_eq!(service.post("/large", ANA, None, &"x".repeat(1 << 20)).await.status, 200);
}

#[tokio::test]
async fn all_bodies_have_a_budget() {
    let mut config = Config::default();
    config.limits.bytes_in_flight = 1000;
    let service = Service::new(config).await;
    let told = service.post("/public", ANA, None, &"x".repeat(501)).await;
    assert_eq!((told.problem(), told.header("retry-after")), (problem(503, "busy"), "1"));
    let told = service.post("/large", ANA, None, &"x".repeat(1001)).await;
    assert_eq!(told.problem(), problem(503, "busy"));
    for _ in 0..3 {
        assert_eq!(service.post("/large", ANA, None, &"x".repeat(1000)).await.json(), 1000);
    }
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let mut config = Config::default();
    config.limits.progress = Seconds(1);
    let service = Service::new(config).await;
    let body = Body::from_stream(futures::stream::pending::<Result<Bytes, Infallible>>());
    let request = Request::post("/large").header("x-caller", ANA).body(body).unwrap();
    assert_eq!(service.send(request).await.problem(), problem(408, "too-slow"));
    assert_eq!(service.done(), 0);
}
