//! What an operator sees.

use crate::service::{Answer, Service, identity, post_of};
use axum::body::Body;
use axum::extract::Request;
use http_body_util::BodyExt as _;
use platform::apart::Apart;
use platform::authority::Authority;
use platform::checks::SelfChecks;
use platform::config::{Config, RateConfig};
use platform::db::Statement;
use platform::later::Later;
use platform::log::{Log, LogSettings, MarkPlace};
use platform::rate::Peer;
use platform::secrets::ErasureKeys;
use platform::watch::{Measures, measures};
use platform::{Platform, values, watch};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tower::ServiceExt as _;

const ALL: Statement = Statement::new("SELECT * FROM audit ORDER BY time, request");

#[tokio::test]
async fn calls_with_a_token_are_kept() {
    let service = Service::new(Config::default()).await;
    service.post("/things/a?secret=1", "ana/native", Some("k"), r#"{"name":"one"}"#).await;
    service.passes(1);
    service.post("/things/b", "bo/noble/decoy", None, r#"{"name":""}"#).await;
    // Nobody's, and refused before anybody was known.
    service.get("/public", "ana/native").await;
    service.send(Request::get("/things/a").body(Body::empty()).unwrap()).await;
    service.web.end().await;
    let rows = service.db.list(ALL, values![]).await.unwrap();
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            let text = |column| row.text(column).unwrap();
            let number = |column| row.number(column).unwrap();
            let who = (text("subject"), text("tier"), number("world"));
            (who, text("method"), text("path"), number("status"), row.maybe_text("code").unwrap())
        })
        .collect();
    let of = |name: &str, tier: &str, world| (identity(name).to_string(), tier.to_owned(), world);
    let post = || "POST".to_owned();
    assert_eq!(
        found,
        [
            (of("ana", "native", 0), post(), "/things/a".to_owned(), 201, None),
            (of("bo", "noble", 1), post(), "/things/b".to_owned(), 422, Some("invalid-field".to_owned())),
        ]
    );
    assert_eq!(watch::sweep(&service.db, service.clock.millis()).await.unwrap(), 1);
}

/// What anybody calls to get in is kept with whom it was about; of what is refused, no more than there is room for.
#[tokio::test]
async fn who_gets_in_or_tries_to_is_kept() {
    let config = Config { rate: RateConfig { enabled: false, ..RateConfig::default() }, ..Config::default() };
    let service = Service::new(config).await;
    let from_address = |address: [u8; 4], body: &str| {
        let mut request = post_of("/enrol", "", None, body);
        request.extensions_mut().insert(Peer((address, 1).into()));
        request
    };
    let from = |body: &str| from_address([192, 0, 2, 7], body);
    service.send(from(r#"{"name":"ana"}"#)).await;
    for _ in 0..700 {
        service.send(from(r#"{"name":""}"#)).await;
    }
    // Whoever fills the room hides nobody else.
    for _ in 0..3 {
        service.send(from_address([198, 51, 100, 9], r#"{"name":""}"#)).await;
    }
    service.send(from(r#"{"name":"bo"}"#)).await;
    service.web.end().await;
    let rows = service.db.list(ALL, values![]).await.unwrap();
    let about = |name: &str| {
        let of = |row: &&platform::db::Row| row.text("subject").unwrap() == identity(name).to_string();
        rows.iter().find(of).unwrap()
    };
    for name in ["ana", "bo"] {
        let row = about(name);
        let (tier, address) = (row.text("tier").unwrap(), row.maybe_text("address").unwrap());
        assert_eq!((&*tier, address.as_deref(), row.number("status").unwrap()), ("public", Some("192.0.2.7"), 204));
    }
    let refused = rows.iter().filter(|row| row.maybe_text("code").unwrap().as_deref() == Some("bad-invitation"));
    let (first, others): (Vec<_>, Vec<_>) =
        refused.partition(|row| row.maybe_text("address").unwrap().as_deref() == Some("192.0.2.7"));
    assert_eq!((first.len(), others.len()), (600, 1));
}

/// Somebody who hangs up before the answer did call.
#[tokio::test]
async fn a_call_whose_client_went_away_is_kept() {
    let service = Service::new(Config::default()).await;
    let request = Request::get("/wait").header("x-caller", "ana/native").body(Body::empty()).unwrap();
    let call = tokio::spawn(service.router.clone().oneshot(request));
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    service.web.end().await;
    let rows = service.db.list(ALL, values![]).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.number("status").unwrap()).collect::<Vec<_>>(), [499]);
}

#[tokio::test]
async fn a_flood_of_calls_is_kept_whole() {
    let service = Service::new(Config::default()).await;
    futures::future::join_all((0..1500).map(|_| service.get("/old", "ana/native"))).await;
    service.web.end().await;
    assert_eq!(service.db.list(ALL, values![]).await.unwrap().len(), 1500);
}

/// What a log's lines go into.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn lines_tell_what_was_asked_and_no_secret() {
    let (service, written) = (Service::new(Config::default()).await, Written::default());
    // For all threads: what one of them alone writes depends on which met a line of the program first.
    tracing::subscriber::set_global_default(watch::lines(None, {
        let written = written.clone();
        move || written.clone()
    }))
    .unwrap();
    let mut request = post_of("/things/a?token=hidden", "ana/native", Some("hidden"), r#"{"name":"hidden"}"#);
    request.headers_mut().insert("authorization", "Bearer hidden".parse().unwrap());
    let (made, failed) = (service.send(request).await, service.get("/panics", "ana/native").await);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |answer: &Answer| {
        let found = lines.iter().find(|line| line["request"] == answer.header("x-request-id"));
        found.unwrap_or_else(|| panic!("{text}"))
    };
    let line = told(&made);
    assert_eq!(
        (&line["method"], &line["path"], &line["status"]),
        (&json!("POST"), &json!("/things/{kind}"), &json!(201))
    );
    assert_eq!(line["level"], "INFO");
    assert!(line["ms"].as_f64().unwrap() > 0.0);
    assert_eq!(told(&failed)["code"], "internal");
    // What a handler says on the way names the request.
    let of_it = |line: &&Value| line["span"]["id"] == failed.header("x-request-id") && line["level"] == "ERROR";
    assert_eq!(lines.iter().find(of_it).unwrap()["error"], "it panicked");
    assert!(!text.contains("hidden"), "{text}");
}

#[tokio::test]
async fn measures_name_paths_and_no_more() {
    let begun = Measures::begin().unwrap();
    let config = Config::default();
    let service = Service::new(config.clone()).await;
    service.get("/things/a?secret=1", "ana/native").await;
    service.get("/nowhere/secret", "ana/native").await;
    let apart = tempfile::TempDir::new().unwrap();
    let (db, secrets, clock) = (service.db.clone(), service.secrets.clone(), service.clock.clone());
    let mark = || MarkPlace::File(apart.path().join("mark"));
    let mut tx = db.begin().await.unwrap();
    platform::log::found(&mut tx, &clock, &secrets, &mark(), 1, "test/log").await.unwrap();
    tx.commit().await.unwrap();
    let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark(), LogSettings::default()).await.unwrap();
    log.checkpoint().await.unwrap();
    service.passes(7);
    let authority = Authority::open(db.clone(), clock.clone(), secrets.clone(), log.clone(), &config).await.unwrap();
    let checks = SelfChecks::default();
    let (config, alarms) = (config.into(), Later::default());
    let owners = ErasureKeys::new(Apart::folder(apart.path()), secrets.clone());
    let platform = Platform { config, clock, db, log, secrets, owners, authority, checks, alarms };
    let router = measures(begun, platform, Arc::clone(&service.web));
    let named = Request::get("/metrics").header("host", "evil.example:8471").body(Body::empty()).unwrap();
    assert_eq!(router.clone().oneshot(named).await.unwrap().status(), 421);
    let answer = router.oneshot(Request::get("/metrics").body(Body::empty()).unwrap()).await.unwrap();
    let page = answer.into_body().collect().await.unwrap().to_bytes();
    let page = String::from_utf8(page.to_vec()).unwrap();
    for line in [
        "trustd_requests_total{method=\"GET\",path=\"/things/{kind}\",status=\"422\"} ",
        "trustd_requests_total{method=\"GET\",path=\"unmatched\",status=\"404\"} ",
        "trustd_request_seconds_bucket{method=\"GET\",path=\"/things/{kind}\",le=\"1\"} ",
        "trustd_checkpoint_age_seconds 7\n",
        "trustd_log_entries 1\n",
        "trustd_log_uncovered_entries 0\n",
        "trustd_log_waiting 0\n",
        "trustd_bodies_in_flight_bytes 0\n",
    ] {
        assert!(page.contains(line), "{line} in {page}");
    }
    assert!(!page.contains("secret"), "{page}");
}
