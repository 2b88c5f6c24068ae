//! A service of a few handlers, whose access layer believes what a request says of its caller.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use dualseal::{Domain, IdentityId, SystemRng, Timestamp};
use dualseal_operator::secrets::Master;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::BodyExt as _;
use platform::access::{Caller, Endpoint, Gone, Level, Owner, Repeat, Scope, Tier, World};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Db;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page};
use platform::problem::{Problem, kinds};
use platform::secrets::Secrets;
use platform::watch::About;
use platform::web::{Json, Matched, Query, Web, compose};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

const NOBLE: Level = Level::Noble(Scope::Trust);

const fn row(method: &'static str, path: &'static str, level: Level, repeat: Repeat) -> Endpoint {
    Endpoint::new(method, path, level, Owner::None, repeat)
}

/// Its table.
pub(crate) static TABLE: &[Endpoint] = &[
    row("POST", "/things/{kind}", NOBLE, Repeat::Key),
    row("GET", "/things/{kind}", NOBLE, Repeat::Plain),
    row("POST", "/slow", NOBLE, Repeat::Key),
    row("POST", "/once", NOBLE, Repeat::Refused),
    row("POST", "/public", Level::Public, Repeat::Refused).taking(1000),
    row("POST", "/large", NOBLE, Repeat::Refused).taking(1 << 20),
    row("GET", "/public", Level::Public, Repeat::Plain),
    row("GET", "/panics", NOBLE, Repeat::Plain),
    row("GET", "/old", NOBLE, Repeat::Plain).going(Gone { deprecated: 1_688_169_599, sunset: 1_719_791_999 }),
    row("GET", "/endless", NOBLE, Repeat::Plain),
    row("GET", "/wait", NOBLE, Repeat::Plain),
    row("GET", "/given/{once}", NOBLE, Repeat::Refused),
    row("POST", "/enrol", Level::Public, Repeat::Refused).audited(),
];

/// What its handlers have.
#[derive(Debug)]
pub(crate) struct Handlers {
    db: Db,
    /// How often one did something.
    pub(crate) done: AtomicU64,
    /// Lets `/slow` and `/wait` go on.
    pub(crate) gate: Semaphore,
}

/// The service.
pub(crate) struct Service {
    pub(crate) router: Router,
    pub(crate) web: Arc<Web>,
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) handlers: Arc<Handlers>,
    pub(crate) secrets: Secrets,
    folder: TempDir,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Thing {
    name: String,
}

#[derive(Debug, Serialize)]
struct Made {
    name: String,
    number: u64,
}

async fn make(
    State(state): State<Arc<Handlers>>,
    idempotency: Idempotency,
    Json(thing): Json<Thing>,
) -> Result<Response, Problem> {
    let number = state.done.fetch_add(1, Ordering::SeqCst);
    if thing.name.is_empty() {
        return Err(Problem::invalid("/name", "length", "is empty"));
    }
    let mut headers = HeaderMap::new();
    headers.insert(header::LINK, HeaderValue::from_static("</proof/1>; rel=\"place\""));
    let made = Made { name: thing.name, number };
    let mut tx = state.db.begin().await?;
    idempotency.store_with(&mut tx, StatusCode::CREATED, &headers, &made).await?;
    if made.name == "lost" {
        tx.roll_back().await?;
        return Err(Problem::new(&kinds::BUSY));
    }
    tx.commit().await?;
    Ok((StatusCode::CREATED, headers, Json(made)).into_response())
}

async fn slow(State(state): State<Arc<Handlers>>, idempotency: Idempotency) -> Result<Json<u64>, Problem> {
    let number = state.done.fetch_add(1, Ordering::SeqCst);
    drop(state.gate.acquire().await);
    let mut tx = state.db.begin().await?;
    idempotency.store(&mut tx, StatusCode::OK, &number).await?;
    tx.commit().await?;
    Ok(Json(number))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Filters {
    from: Option<u64>,
}

/// The numbers below 450, newest first.
async fn things(page: Page, Query(filters): Query<Filters>) -> Result<Listed<u64>, Problem> {
    let behind = page.after::<u64>()?.unwrap_or(450);
    let from = filters.from.unwrap_or(0);
    let found = (from..behind).rev().take(page.ask() as usize).map(|number| (number, "not shown")).collect();
    Ok(page.list(found, |(number, _)| *number)?.map(|(number, _)| number))
}

async fn count(State(state): State<Arc<Handlers>>, body: Bytes) -> Json<usize> {
    state.done.fetch_add(1, Ordering::SeqCst);
    Json(body.len())
}

/// Somebody's that he names, unless he names nobody.
async fn enrol(about: About, Json(thing): Json<Thing>) -> Result<StatusCode, Problem> {
    if thing.name.is_empty() {
        return Err(Problem::new(&kinds::BAD_INVITATION));
    }
    about.note(&identity(&thing.name));
    Ok(StatusCode::NO_CONTENT)
}

async fn wait(State(state): State<Arc<Handlers>>) -> &'static str {
    drop(state.gate.acquire().await);
    "waited"
}

async fn endless() -> Body {
    Body::from_stream(futures::stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(&[b'x'; 4096]))))
}

async fn panics() -> &'static str {
    assert!(std::hint::black_box(false), "with what was sent");
    "not this time"
}

/// `ana/native`, `bo/noble/decoy`.
async fn believe(mut request: Request, next: Next) -> Response {
    let Some(Matched(row)) = request.extensions().get::<Matched>().copied() else {
        return Problem::new(&kinds::UNKNOWN_PATH).into_response();
    };
    if row.level != Level::Public {
        let Some(said) = request.headers().get("x-caller").and_then(|said| said.to_str().ok()) else {
            return Problem::new(&kinds::NO_TOKEN).into_response();
        };
        let parts: Vec<_> = said.split('/').collect();
        let caller = Caller {
            subject: identity(parts[0]),
            tier: parts[1].parse::<Tier>().unwrap(),
            scopes: [Scope::Trust].into(),
            node: None,
            token: uuid::Uuid::nil(),
            client: "test".to_owned(),
            world: if parts.contains(&"decoy") { World::Decoy } else { World::Real },
        };
        request.extensions_mut().insert(caller);
    }
    next.run(request).await
}

/// The identity of a name.
pub(crate) fn identity(name: &str) -> IdentityId {
    Domain::default().identity_id(b"", name, "").unwrap()
}

impl Service {
    pub(crate) async fn new(config: Config) -> Self {
        let folder = TempDir::new().unwrap();
        let db = Db::open("sqlite:test.sqlite", folder.path(), 4).await.unwrap();
        db.migrate().await.unwrap();
        let secrets = Secrets::new(Master::draw(&Domain::default(), &mut SystemRng).unwrap());
        let clock = Clock::still(Timestamp::from_millis(1_700_000_000_000).unwrap());
        let handlers = Arc::new(Handlers { db: db.clone(), done: AtomicU64::new(0), gate: Semaphore::new(0) });
        Self::over(config, folder, db, secrets, clock, handlers).await
    }

    async fn over(
        config: Config,
        folder: TempDir,
        db: Db,
        secrets: Secrets,
        clock: Clock,
        handlers: Arc<Handlers>,
    ) -> Self {
        let web = Web::open((&db, None), &secrets, &clock, &config, TABLE).await.unwrap();
        let router = Router::new()
            .route("/things/{kind}", post(make).get(things))
            .route("/slow", post(slow))
            .route("/once", post(count))
            .route("/public", post(count).get(|| async { "public" }))
            .route("/large", post(count))
            .route("/panics", get(panics))
            .route("/old", get(|| async { "old" }))
            .route("/endless", get(endless))
            .route("/wait", get(wait))
            .route("/enrol", post(enrol))
            .route("/given/{once}", get(count))
            .with_state(Arc::clone(&handlers));
        let router = compose(router, &web, |router| router.layer(from_fn(believe)));
        Self { router, web, db, clock, handlers, secrets, folder }
    }

    /// Another process over the same store.
    pub(crate) async fn again(self, config: Config) -> Self {
        Self::over(config, self.folder, self.db, self.secrets, self.clock, self.handlers).await
    }

    pub(crate) fn passes(&self, seconds: i64) {
        self.clock.set(Timestamp::from_millis(self.clock.millis() + seconds * 1000).unwrap());
    }

    pub(crate) fn done(&self) -> u64 {
        self.handlers.done.load(Ordering::SeqCst)
    }

    pub(crate) async fn send(&self, request: Request) -> Answer {
        Answer::of(self.router.clone().oneshot(request).await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str, caller: &str) -> Answer {
        let request = Request::get(path).header("x-caller", caller);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, caller: &str, key: Option<&str>, body: &str) -> Answer {
        self.send(post_of(path, caller, key, body)).await
    }
}

pub(crate) fn post_of(path: &str, caller: &str, key: Option<&str>, body: &str) -> Request {
    let mut request = Request::post(path).header("x-caller", caller).header("content-type", "application/json");
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    request.body(Body::from(body.to_owned())).unwrap()
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Status and code of a problem.
    pub(crate) fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        (self.status, self.json()["code"].as_str().unwrap().to_owned())
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
