//! What the service says of itself, through all layers but access.

use axum::body::Body;
use axum::extract::Request;
use axum::{Extension, Router};
use dualseal::{Domain, SystemRng};
use dualseal_operator::secrets::Master;
use http_body_util::BodyExt as _;
use platform::Platform;
use platform::apart::Apart;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::log::{Log, LogSettings, MarkPlace, found};
use platform::secrets::{ErasureKeys, Secrets};
use platform::web::{Web, compose};
use tempfile::TempDir;
use tower::ServiceExt as _;
use trustd::docs::documented;
use trustd::table::TABLE;
use utoipa_axum::router::OpenApiRouter;

async fn service(folder: &TempDir) -> Router {
    let db = Db::open("sqlite:test.sqlite", folder.path(), 4).await.unwrap();
    db.migrate().await.unwrap();
    let secrets = Secrets::new(Master::draw(&Domain::default(), &mut SystemRng).unwrap());
    let (clock, mark) = (Clock::system(), MarkPlace::File(folder.path().join("mark")));
    let mut tx = db.begin().await.unwrap();
    found(&mut tx, &clock, &secrets, &mark, 1, "test/log").await.unwrap();
    tx.commit().await.unwrap();
    let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, LogSettings::default()).await.unwrap();
    let config = Config::default();
    let web = Web::open((&db, Some(&log)), &secrets, &clock, &config, TABLE).await.unwrap();
    let router = documented(OpenApiRouter::new(), &config.base_url);
    let owners = ErasureKeys::new(Apart::folder(folder.path()), secrets);
    let app = Platform::open(config, clock, db, log, owners).await.unwrap();
    compose(router.with_state(app), &web, |router| router.layer(Extension(())))
}

async fn get(router: &Router, path: &str) -> (u16, String, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let header = |name| parts.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let shown = if parts.status.is_redirection() { header("location") } else { header("content-type") };
    (parts.status.as_u16(), shown, String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test]
async fn everything_is_at_its_address() {
    let folder = TempDir::new().unwrap();
    let router = service(&folder).await;
    for (path, status, shown) in [
        ("/openapi.json", 200, "application/json"),
        ("/docs", 308, "/docs/"),
        ("/docs/", 200, "text/html"),
        ("/docs/swagger-ui.css", 200, "text/css"),
        ("/docs/swagger-ui-bundle.js", 200, "text/javascript"),
        ("/docs/nothing.js", 404, "application/problem+json"),
        ("/problems/", 200, "text/html; charset=utf-8"),
        ("/problems/unknown-id", 200, "text/html; charset=utf-8"),
        ("/problems/nothing", 404, "application/problem+json"),
    ] {
        let (found, kind, body) = get(&router, path).await;
        assert_eq!((found, kind.as_str()), (status, shown), "{path}");
        assert!(status == 308 || body.len() > 100, "{path}");
    }
    let (_, _, document) = get(&router, "/openapi.json").await;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(TABLE.iter().any(|row| row.path.replace("{*", "{") == *path), "{path} is in no row");
    }
}
