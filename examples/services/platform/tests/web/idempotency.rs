//! Requests that are sent twice.

use crate::service::{Service, post_of};
use platform::config::Config;
use platform::db::{Statement, Value};
use platform::values;

const ANA: &str = "ana/native";
const THING: &str = r#"{"name":"one"}"#;

async fn service() -> Service {
    Service::new(Config::default()).await
}

fn problem(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn the_same_request_is_served_once() {
    let service = service().await;
    let first = service.post("/things/a", ANA, Some("k"), THING).await;
    let second = service.post("/things/a", ANA, Some("k"), THING).await;
    assert_eq!((first.status, second.status, service.done()), (201, 201, 1));
    assert_eq!(first.body, second.body);
    for name in ["link", "content-type", "cache-control"] {
        assert_eq!(first.header(name), second.header(name), "{name}");
    }
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), ("", "true"));
    // It outlives the process.
    let service = service.again(Config::default()).await;
    assert_eq!(service.post("/things/a", ANA, Some("k"), THING).await.body, first.body);
    // Without a key it is another request.
    assert_ne!(service.post("/things/a", ANA, None, THING).await.body, first.body);
}

#[tokio::test]
async fn a_key_is_of_one_caller_address_and_world() {
    let service = service().await;
    for (done, (path, caller)) in (1..).zip([
        ("/things/a", ANA),
        ("/things/b", ANA),
        ("/things/a", "bo/native"),
        ("/things/a", "ana/native/decoy"),
    ]) {
        assert_eq!(service.post(path, caller, Some("k"), THING).await.status, 201);
        assert_eq!(service.done(), done);
    }
}

#[tokio::test]
async fn another_body_is_refused() {
    let service = service().await;
    service.post("/things/a", ANA, Some("k"), THING).await;
    let refused = problem(422, "idempotency-other-body");
    assert_eq!(service.post("/things/a", ANA, Some("k"), r#"{"name":"two"}"#).await.problem(), refused);
    assert_eq!(service.post("/things/a?x=1", ANA, Some("k"), THING).await.problem(), refused);
    assert_eq!(service.done(), 1);
}

#[tokio::test]
async fn authority_is_checked_again() {
    let service = service().await;
    service.post("/things/a", ANA, Some("k"), THING).await;
    let request = axum::extract::Request::post("/things/a").header("idempotency-key", "k");
    let request = request.header("content-type", "application/json").body(THING.into()).unwrap();
    assert_eq!(service.send(request).await.problem(), problem(401, "no-token"));
    assert_eq!(service.post("/things/a", "ana/noble", Some("k"), THING).await.problem(), problem(403, "tier-too-low"));
    // Who was answered as a noble may since have become more.
    service.post("/things/a", "bo/noble", Some("k"), THING).await;
    assert_eq!(service.post("/things/a", "bo/native", Some("k"), THING).await.status, 201);
    assert_eq!(service.done(), 2);
}

#[tokio::test]
async fn what_was_refused_may_be_sent_again() {
    let service = service().await;
    for _ in 0..2 {
        assert_eq!(service.post("/things/a", ANA, Some("k"), r#"{"name":""}"#).await.problem().0, 422);
    }
    assert_eq!(service.done(), 2);
    // Nor does it hold the key: another body is served.
    assert_eq!(service.post("/things/a", ANA, Some("k"), THING).await.status, 201);
}

/// The answer was stored in a transaction that was taken back: nothing of it is repeated.
#[tokio::test]
async fn what_was_not_written_is_not_repeated() {
    let service = service().await;
    for _ in 0..2 {
        assert_eq!(service.post("/things/a", ANA, Some("k"), r#"{"name":"lost"}"#).await.problem().0, 503);
    }
    assert_eq!(service.done(), 2);
}

#[tokio::test]
async fn who_comes_meanwhile_is_told_when() {
    let service = service().await;
    let first = tokio::spawn({
        let router = service.router.clone();
        async move { tower::ServiceExt::oneshot(router, post_of("/slow", ANA, Some("k"), "")).await.unwrap() }
    });
    while service.done() == 0 {
        tokio::task::yield_now().await;
    }
    service.passes(10);
    let told = service.post("/slow", ANA, Some("k"), "").await;
    assert_eq!(told.problem(), problem(409, "idempotency-running"));
    assert_eq!(told.header("retry-after"), "50");
    service.handlers.gate.add_permits(1);
    assert_eq!(first.await.unwrap().status(), 200);
    assert_eq!(service.post("/slow", ANA, Some("k"), "").await.json(), 0);
    assert_eq!(service.done(), 1);
}

/// A claim that ran out is another's; the late one writes nothing.
#[tokio::test]
async fn a_late_request_writes_nothing() {
    let service = service().await;
    let first = tokio::spawn({
        let router = service.router.clone();
        async move { tower::ServiceExt::oneshot(router, post_of("/slow", ANA, Some("k"), "")).await.unwrap() }
    });
    while service.done() == 0 {
        tokio::task::yield_now().await;
    }
    service.passes(61);
    let second = tokio::spawn({
        let router = service.router.clone();
        async move { tower::ServiceExt::oneshot(router, post_of("/slow", ANA, Some("k"), "")).await.unwrap() }
    });
    while service.done() == 1 {
        tokio::task::yield_now().await;
    }
    service.handlers.gate.add_permits(2);
    let statuses = [first.await.unwrap().status().as_u16(), second.await.unwrap().status().as_u16()];
    assert_eq!(statuses, [409, 200]);
    assert_eq!(service.post("/slow", ANA, Some("k"), "").await.json(), 1);
}

#[tokio::test]
async fn a_key_lives_a_day() {
    let service = service().await;
    service.post("/things/a", ANA, Some("k"), THING).await;
    service.passes(86_399);
    service.post("/things/a", ANA, Some("k"), THING).await;
    assert_eq!((service.done(), platform::idempotency::sweep(&service.db, &service.clock).await.unwrap()), (1, 0));
    service.passes(1);
    service.post("/things/a", ANA, Some("k"), r#"{"name":"two"}"#).await;
    assert_eq!(service.done(), 2);
    service.passes(86_400);
    assert_eq!(platform::idempotency::sweep(&service.db, &service.clock).await.unwrap(), 1);
}

#[tokio::test]
async fn keys_are_refused_where_answers_are_not_repeated() {
    let service = service().await;
    for path in ["/once", "/public"] {
        let told = service.post(path, ANA, Some("k"), THING).await;
        assert_eq!(told.problem(), problem(422, "idempotency-refused"), "{path}");
    }
    let get = axum::extract::Request::get("/things/a").header("x-caller", ANA).header("idempotency-key", "k");
    assert_eq!(service.send(get.body(axum::body::Body::empty()).unwrap()).await.problem().1, "idempotency-refused");
    let told = service.post("/things/a", ANA, Some(""), THING).await;
    assert_eq!(told.json()["errors"][0]["pointer"], "header/Idempotency-Key");
    assert_eq!(service.done(), 0);
}

/// Rows of answers that are exchanged do not open, and show nothing of what was sent.
#[tokio::test]
async fn an_answer_opens_in_its_row_alone() {
    const ALL: Statement = Statement::new("SELECT scope, body, answer FROM idempotency ORDER BY expires");
    const SET: Statement = Statement::new("UPDATE idempotency SET answer = $2 WHERE scope = $1");
    let service = service().await;
    service.post("/things/a", ANA, Some("key-a"), THING).await;
    service.passes(1);
    service.post("/things/b", ANA, Some("key-b"), THING).await;
    let rows = service.db.list(ALL, values![]).await.unwrap();
    let row = |index: usize, column| rows[index].bytes(column).unwrap();
    for column in ["scope", "body", "answer"] {
        let stored = row(0, column);
        assert!(!stored.windows(3).any(|part| part == b"one" || part == b"key"), "{column}");
    }
    service.db.execute(SET, vec![Value::from(row(0, "scope")), Value::from(row(1, "answer"))]).await.unwrap();
    let told = service.post("/things/a", ANA, Some("key-a"), THING).await;
    assert_eq!(told.problem(), problem(500, "internal"));
    assert!(told.json().get("detail").is_none(), "what failed inside is nobody's");
    assert_eq!(service.post("/things/b", ANA, Some("key-b"), THING).await.status, 201);
}

#[tokio::test]
async fn many_at_once_are_served_once() {
    let service = service().await;
    let all = (0..16).map(|_| service.post("/things/a", ANA, Some("k"), THING));
    let answers = futures::future::join_all(all).await;
    assert_eq!(service.done(), 1);
    assert!(answers.iter().all(|answer| [201, 409].contains(&answer.status)));
    assert_eq!(
        answers
            .iter()
            .filter(|answer| answer.header("idempotency-replayed").is_empty() && answer.status == 201)
            .count(),
        1
    );
}
