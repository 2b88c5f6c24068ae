//! A service of one test: a database, a log, authority, and a small router behind the layer that asks for tokens.

use axum::body::{Body, to_bytes};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use dualseal::{Domain, IdentityId, SystemRng, Timestamp};
use dualseal_operator::secrets::{Master, MasterSource};
use http::{Request, StatusCode, header};
use platform::access::{Caller, Endpoint, Level, Owner, Repeat, Scope, Tier, World};
use platform::authority::{Authority, Gate, Grant, Issued, Standing, require};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::log::{Log, LogSettings, MarkPlace, found};
use platform::problem::Problem;
use platform::secrets::Secrets;
use platform::web::finish;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tower::ServiceExt as _;

/// The time at which every test begins.
pub(crate) const BEGIN: &str = "2026-11-23T09:00:00.000Z";

const fn row(method: &'static str, path: &'static str, level: Level) -> Endpoint {
    Endpoint::new(method, path, level, Owner::Any, Repeat::Plain)
}

static TABLE: &[Endpoint] = &[
    row("GET", "/public", Level::Public),
    row("POST", "/public", Level::Public),
    row("POST", "/public/large", Level::Public).taking(2 << 20),
    row("GET", "/noble", Level::Noble(Scope::Trust)),
    row("POST", "/small", Level::Noble(Scope::Trust)),
    row("POST", "/large", Level::Noble(Scope::Trust)).taking(2 << 20),
    row("GET", "/native", Level::Native(Scope::Trust)),
    row("GET", "/ops", Level::Noble(Scope::Ops)),
    row("GET", "/node", Level::Node),
    row("GET", "/things/{id}", Level::Noble(Scope::Trust)),
];

pub(crate) struct House {
    _folder: tempfile::TempDir,
    path: PathBuf,
    address: String,
    pub(crate) clock: Clock,
    pub(crate) config: Config,
    pub(crate) db: Db,
    pub(crate) secrets: Secrets,
    pub(crate) log: Log,
    pub(crate) authority: Authority,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) challenge: Option<String>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn is(&self, status: u16, code: &str) -> bool {
        self.status.as_u16() == status && self.body["code"] == code
    }
}

impl House {
    pub(crate) async fn new() -> Self {
        Self::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let domain = Domain::new("TRUST").unwrap();
        let master = Master::draw(&domain, &mut SystemRng).unwrap().to_pem(None, &mut SystemRng).unwrap();
        std::fs::write(path.join("master.pem"), master.as_bytes()).unwrap();
        let secrets = Secrets::new(MasterSource::file(path.join("master.pem")).open(&domain).unwrap());
        let (address, clock) = (address().await, Clock::still(BEGIN.parse().unwrap()));
        let db = Db::open(&address, &path, 4).await.unwrap();
        db.migrate().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let mark = MarkPlace::File(path.join("mark"));
        found(&mut tx, &clock, &secrets, &mark, 1, "localhost/test").await.unwrap();
        tx.commit().await.unwrap();
        let settings = LogSettings::default();
        let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, settings).await.unwrap();
        let opened = Authority::open(db.clone(), clock.clone(), secrets.clone(), log.clone(), &config).await;
        let authority = opened.unwrap();
        Self { _folder: folder, path, address, clock, config, db, secrets, log, authority }
    }

    /// Another process over the same database.
    pub(crate) async fn another(&self) -> Authority {
        let db = Db::open(&self.address, &self.path, 4).await.unwrap();
        let (clock, secrets, mark) =
            (self.clock.clone(), self.secrets.clone(), MarkPlace::File(self.path.join("mark")));
        let settings = LogSettings::default();
        let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, settings).await.unwrap();
        Authority::open(db, clock, secrets, log, &self.config).await.unwrap()
    }

    pub(crate) fn later(&self, millis: i64) {
        self.clock.set(Timestamp::from_millis(self.clock.millis() + millis).unwrap());
    }

    pub(crate) async fn issue(&self, tier: Tier, scopes: &[Scope]) -> Issued {
        self.grant(&grant(tier, scopes)).await
    }

    pub(crate) async fn grant(&self, grant: &Grant) -> Issued {
        let mut tx = self.db.begin().await.unwrap();
        let issued = self.authority.issue(&mut tx, grant).await.unwrap();
        tx.commit().await.unwrap();
        issued
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Answer {
        get_from(&self.authority, path, &[&format!("Bearer {token}")]).await
    }
}

/// A place in PostgreSQL of its own where a server is named, else a file.
async fn address() -> String {
    let Ok(server) = std::env::var("TRUSTD_TEST_POSTGRES") else { return "sqlite:test.sqlite".to_owned() };
    let pool = sqlx::PgPool::connect(&server).await.unwrap();
    let schema = format!("t{}", uuid::Uuid::now_v7().simple());
    let text = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::query(text).execute(&pool).await.unwrap();
    pool.close().await;
    let join = if server.contains('?') { '&' } else { '?' };
    format!("{server}{join}options=-csearch_path%3D{schema}")
}

pub(crate) fn identity(name: &str) -> IdentityId {
    Domain::new("TRUST").unwrap().identity_id(b"", name, "").unwrap()
}

pub(crate) fn grant(tier: Tier, scopes: &[Scope]) -> Grant {
    Grant {
        subject: identity("ana"),
        tier,
        scopes: scopes.iter().copied().collect::<BTreeSet<_>>(),
        client: "tests".to_owned(),
        node: None,
        login: None,
        life: None,
        world: World::Real,
    }
}

async fn who(caller: Caller) -> Json<Value> {
    let scopes: Vec<_> = caller.scopes.iter().map(|scope| scope.as_str()).collect();
    Json(json!({
        "subject": caller.subject.to_hex(), "tier": caller.tier.as_str(), "scopes": scopes, "node": caller.node,
        "client": caller.client, "world": caller.world.number(),
    }))
}

async fn public(caller: Option<axum::Extension<Caller>>) -> Json<Value> {
    Json(json!({ "called": caller.is_some() }))
}

/// Asks the router of a process, with these headers.
pub(crate) async fn get_from(authority: &Authority, path: &str, authorization: &[&str]) -> Answer {
    ask(authority, "GET", path, authorization).await
}

pub(crate) async fn ask(authority: &Authority, method: &str, path: &str, authorization: &[&str]) -> Answer {
    send(authority, method, path, authorization, Body::empty()).await
}

/// Who calls before the body is read, and what it was.
async fn small(caller: Caller, body: String) -> Json<Value> {
    Json(json!({ "world": caller.world.number(), "body": body }))
}

/// Who calls behind the body, which the handler reads itself.
async fn large(standing: Standing, body: String) -> Result<Json<Value>, Problem> {
    let standing = standing.again().await?;
    Ok(Json(json!({ "world": standing.caller().world.number(), "body": body })))
}

/// Whether somebody calls behind the body, at an address that anybody may call.
async fn anybody(standing: Option<axum::Extension<Standing>>, body: String) -> Result<Json<Value>, Problem> {
    let called = match standing {
        Some(axum::Extension(standing)) => standing.still().await?.is_some(),
        None => false,
    };
    Ok(Json(json!({ "called": called, "body": body })))
}

pub(crate) async fn send(
    authority: &Authority,
    method: &str,
    path: &str,
    authorization: &[&str],
    body: Body,
) -> Answer {
    let router = Router::new()
        .route("/public", get(public).post(public))
        .route("/public/large", post(anybody))
        .route("/noble", get(who).post(who))
        .route("/small", post(small))
        .route("/large", post(large))
        .route("/native", get(who))
        .route("/ops", get(who))
        .route("/node", get(who))
        .route("/things/{id}", get(who))
        .route("/forgotten", get(who))
        .layer(middleware::from_fn_with_state(Gate::new(authority.clone(), TABLE), require))
        .layer(middleware::from_fn_with_state("http://localhost/".into(), finish));
    let mut request = Request::builder().method(method).uri(path);
    for one in authorization {
        request = request.header(header::AUTHORIZATION, *one);
    }
    let response = router.oneshot(request.body(body).unwrap()).await.unwrap();
    let (status, challenge) = (response.status(), response.headers().get(header::WWW_AUTHENTICATE).cloned());
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Answer { status, challenge: challenge.map(|text| text.to_str().unwrap().to_owned()), body }
}
