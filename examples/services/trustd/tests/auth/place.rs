//! A platform of one test, and the router that serves it.

use axum::body::{Body, to_bytes};
use axum::{Router, middleware};
use dualseal::{Domain, IdentityId, SystemRng};
use dualseal_operator::secrets::{Master, MasterSource};
use http::{Request, StatusCode, header};
use platform::Platform;
use platform::apart::Apart;
use platform::authority::{Authority, Gate, require};
use platform::checks::SelfChecks;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::later::Later;
use platform::log::{Log, LogSettings, MarkPlace, found};
use platform::objects::Objects;
use platform::secrets::{ErasureKeys, Secrets};
use platform::web::{Web, compose};
use serde_json::Value;
use std::sync::Arc;
use tower::ServiceExt as _;
use trustd::integrity::Watch;
use trustd::messaging::Messaging;
use trustd::models::Models;
use trustd::vault::Vault;
use trustd::{App, router, table::TABLE};

pub(crate) struct Place {
    _folder: tempfile::TempDir,
    pub(crate) app: App,
    web: Arc<Web>,
    vault: Arc<Vault>,
    messaging: Arc<Messaging>,
}

pub(crate) fn identity(name: &str) -> IdentityId {
    Domain::new("TRUST").unwrap().identity_id(b"", name, "").unwrap()
}

impl Place {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let domain = Domain::new("TRUST").unwrap();
        let master = Master::draw(&domain, &mut SystemRng).unwrap().to_pem(None, &mut SystemRng).unwrap();
        std::fs::write(path.join("master.pem"), master.as_bytes()).unwrap();
        let secrets = Secrets::new(MasterSource::file(path.join("master.pem")).open(&domain).unwrap());
        let db = Db::open("sqlite:test.sqlite", &path, 4).await.unwrap();
        db.migrate().await.unwrap();
        let (clock, mark) = (Clock::still("2026-11-23T09:00:00.000Z".parse().unwrap()), path.join("mark"));
        let mut tx = db.begin().await.unwrap();
        let mark = MarkPlace::File(mark);
        found(&mut tx, &clock, &secrets, &mark, 1, "localhost/test").await.unwrap();
        tx.commit().await.unwrap();
        let settings = LogSettings::default();
        let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, settings).await.unwrap();
        let config = Arc::new(Config { data: path, ..Config::default() });
        let opened = Authority::open(db.clone(), clock.clone(), secrets.clone(), log.clone(), &config).await;
        let (authority, checks, alarms) = (opened.unwrap(), SelfChecks::default(), Later::default());
        let web = Web::open((&db, Some(&log)), &secrets, &clock, &config, TABLE).await.unwrap();
        let owners = ErasureKeys::new(Apart::open(&config).unwrap(), secrets.clone());
        let app = Arc::new(Platform { config, clock, db, log, secrets, owners, authority, checks, alarms });
        let objects = Objects::open(&app.config, app.db.clone(), app.clock.clone()).unwrap();
        let vault = Vault::open(&app, objects).await.unwrap();
        let messaging = Messaging::open(&app, Arc::clone(&vault), Vec::new()).unwrap();
        Self { _folder: folder, app, web, vault, messaging }
    }

    pub(crate) fn router(&self) -> Router {
        let watch = Watch::open(&self.app).unwrap();
        let models = Models::open(&self.app).unwrap();
        let (router, _) = router::served(&self.vault, &self.messaging, &watch, &models).split_for_parts();
        let gate = Gate::new(self.app.authority.clone(), TABLE);
        let router = router.with_state(Arc::clone(&self.app));
        compose(router, &self.web, |router| router.layer(middleware::from_fn_with_state(gate, require)))
    }

    /// Asks, and gives back the status and the body.
    pub(crate) async fn ask(&self, method: &str, path: &str, token: &str, body: &Value) -> (StatusCode, Value) {
        let mut request = Request::builder().method(method).uri(path);
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let request = request.header(header::CONTENT_TYPE, "application/json").body(body).unwrap();
        self.send(request).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> (StatusCode, Value) {
        let response = self.router().oneshot(request).await.unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> (u16, Value) {
        let (status, body) = self.ask("GET", path, token, &Value::Null).await;
        (status.as_u16(), body)
    }

    pub(crate) async fn post(&self, path: &str, token: &str, body: &Value) -> (u16, Value) {
        let (status, body) = self.ask("POST", path, token, body).await;
        (status.as_u16(), body)
    }
}
