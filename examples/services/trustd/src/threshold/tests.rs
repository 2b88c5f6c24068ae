//! The module over a real log and database: its handlers, with callers as the access layer hands them on.
//!
//! | file | what it is |
//! |---|---|
//! | `custody` | founding, pulls, acknowledgements, presence |
//! | `signing` | requests and pairs, liars, forgeries, expiry |
//! | `public` | sessions with a public key |
//! | `refresh` | dealing anew |
//! | `node` | a custodian's node, by the library |

mod custody;
mod node;
mod public;
mod refresh;
mod signing;

use super::STATEMENTS;
use super::routes::router;
use crate::App;
use crate::table::TABLE;
use axum::Router;
use axum::body::Body;
use dualseal::hash::Sha3_512;
use dualseal::krunica::ChainHash;
use dualseal::{Domain, Entry, IdentityId, SystemRng, Timestamp};
use dualseal_operator::secrets::Master;
use dualseal_operator::step::{Changes, State, Step};
use http::{HeaderMap, Method, Request, StatusCode};
use node::TestNode;
use platform::Platform;
use platform::access::{Caller, Scope, Tier, World};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::{Db, Statement, Tx};
use platform::log::{Log, LogSettings, MarkPlace, Work, found};
use platform::problem::Problem;
use platform::secrets::Secrets;
use platform::values;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tower::ServiceExt as _;
use uuid::Uuid;

const NODES: Statement = Statement::new(
    "CREATE TABLE IF NOT EXISTS nodes (label TEXT NOT NULL PRIMARY KEY, identity_id TEXT NOT NULL, \
     added BIGINT NOT NULL)",
);
const NODE: Statement = Statement::new("INSERT INTO nodes (label, identity_id, added) VALUES ($1, $2, $3)");

/// What a handler answered.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Value,
}

impl Answer {
    /// The body, where it is of this status.
    #[track_caller]
    fn ok(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }

    /// The code, where it is this problem.
    #[track_caller]
    fn refused(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status.as_u16(), self.body["code"].as_str()), (status, Some(code)), "{}", self.body);
        self.body
    }
}

struct Service {
    app: App,
    router: Router,
    clock: Clock,
    nodes: Vec<TestNode>,
    _folder: tempfile::TempDir,
}

/// SQLite; where an address of PostgreSQL is set, a schema of its own there.
async fn database(folder: &Path) -> Db {
    let Ok(address) = std::env::var("TRUSTD_TEST_POSTGRES") else {
        return Db::open("sqlite:test.sqlite", folder, 4).await.unwrap();
    };
    let schema = format!("threshold_{}", Uuid::now_v7().simple());
    let made = Statement::new(format!("CREATE SCHEMA {schema}").leak());
    let admin = Db::open(&address, folder, 1).await.unwrap();
    admin.execute(made, values![]).await.unwrap();
    admin.close().await;
    Db::open(&format!("{address}?options=-csearch_path%3D{schema}"), folder, 4).await.unwrap()
}

fn start() -> Timestamp {
    "2026-11-23T09:00:00.000Z".parse().unwrap()
}

impl Service {
    /// One with so many nodes.
    async fn new(nodes: usize) -> Self {
        Self::with(nodes, Config::default()).await
    }

    async fn with(nodes: usize, config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (domain, clock) = (Domain::new("TRUST").unwrap(), Clock::still(start()));
        let db = database(folder.path()).await;
        db.migrate().await.unwrap();
        db.execute(NODES, values![]).await.unwrap();
        let secrets = Secrets::new(Master::draw(&domain, &mut SystemRng).unwrap());
        let mark = MarkPlace::File(folder.path().join("mark"));
        let mut tx = db.begin().await.unwrap();
        found(&mut tx, &clock, &secrets, &mark, 1, "localhost/test").await.unwrap();
        tx.commit().await.unwrap();
        let nodes = (0..nodes).map(|number| TestNode::new(&domain, number)).collect::<Vec<_>>();
        for (added, node) in (0_i64..).zip(&nodes) {
            db.execute(NODE, values![&node.label, node.identity_id.to_hex(), added]).await.unwrap();
        }
        let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, LogSettings::default()).await.unwrap();
        let app = Arc::new(Platform { config: Arc::new(config), clock: clock.clone(), db, log, secrets });
        let router = Self::router(&app);
        Self { app, router, clock, nodes, _folder: folder }
    }

    fn router(app: &App) -> Router {
        let (router, _) = router().split_for_parts();
        let base: Arc<str> = "http://localhost".into();
        router.layer(axum::middleware::from_fn_with_state(base, platform::web::finish)).with_state(Arc::clone(app))
    }

    /// What another process has: nothing but what is written down.
    fn restarted(&mut self) {
        self.router = Self::router(&self.app);
    }

    fn pass(&self, seconds: i64) {
        self.clock.set(Timestamp::from_millis(self.clock.millis() + 1000 * seconds).unwrap());
    }

    async fn call(&self, method: Method, path: &str, caller: Option<&Caller>, body: Option<Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(caller) = caller {
            request = request.extension(caller.clone());
        }
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        let response = self.router.clone().oneshot(request.unwrap()).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Answer { status, headers, body }
    }

    async fn post(&self, path: &str, caller: &Caller, body: Value) -> Answer {
        self.call(Method::POST, &format!("/api/v1/threshold/{path}"), Some(caller), Some(body)).await
    }

    async fn get(&self, path: &str, caller: &Caller) -> Answer {
        self.call(Method::GET, &format!("/api/v1/threshold/{path}"), Some(caller), None).await
    }

    /// Founds a session whose nodes have all pulled and acknowledged their shares.
    async fn held(&mut self, caller: &Caller, ask: Value) -> Value {
        let founded = self.post("sesija", caller, ask).await.ok(201);
        self.distribute(caller.world).await;
        founded
    }

    /// Has every node take what waits for it.
    async fn distribute(&mut self, world: World) {
        let mut nodes = std::mem::take(&mut self.nodes);
        for node in &mut nodes {
            node.world = world;
            node.take_all(self).await;
        }
        self.nodes = nodes;
    }

    /// The messages of all entries.
    async fn messages(&self) -> Vec<String> {
        let size = self.app.log.state().await.unwrap().head().size();
        let entries = self.app.log.reader().range(1, 0, size).await.unwrap();
        entries.iter().map(|entry| entry.message().to_owned()).collect()
    }

    /// How many secrets of a table stand at rest.
    async fn secrets_of(&self, table: &str) -> usize {
        const STORED: Statement = Statement::new("SELECT stored FROM secrets WHERE tbl = $1");
        let rows = self.app.db.list(STORED, values![table]).await.unwrap();
        rows.iter().filter(|row| !row.bytes("stored").unwrap().is_empty()).count()
    }

    /// Others append so many entries.
    async fn others_append(&self, entries: usize) {
        let messages = (0..entries).map(|number| format!("another's {number}")).collect();
        self.app.log.submit(Others(messages)).await.unwrap();
    }
}

/// What somebody else appends.
struct Others(Vec<String>);

impl Work for Others {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        for message in &self.0 {
            let entry = entry(step, message);
            step.take(&entry)?;
        }
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

/// An entry by somebody who asks no library whether he may write it.
fn entry(step: &Step<'_>, message: &str) -> Entry {
    let (w3, prev, seq) = (person("somebody").to_hex(), step.head().top().to_hex(), step.head().size());
    let hash = ChainHash::from_bytes(Sha3_512::digest(format!("{w3}|{message}|{prev}|{seq}").as_bytes()));
    let json = json!({"h": hash.to_hex(), "poruka": message, "prev": prev, "seq": seq, "t": step.time().to_string(),
        "w3": w3});
    Entry::from_json(json.to_string().as_bytes()).unwrap()
}

fn person(name: &str) -> IdentityId {
    Domain::new("TRUST").unwrap().identity_id(name.as_bytes(), "tests", "").unwrap()
}

fn caller(name: &str, tier: Tier) -> Caller {
    Caller {
        subject: person(name),
        tier,
        scopes: BTreeSet::from([Scope::Trust]),
        node: None,
        token: Uuid::now_v7(),
        client: "tests".to_owned(),
        world: World::Real,
    }
}

fn native() -> Caller {
    caller("native", Tier::Native)
}

/// Every endpoint of the table is served and documented, and no other.
#[test]
fn the_table_and_the_router_agree() {
    let (_, api) = router().split_for_parts();
    let mut served = BTreeSet::new();
    for (path, item) in &api.paths.paths {
        let item = serde_json::to_value(item).unwrap();
        let methods = ["get", "post", "patch", "delete"].into_iter().filter(|method| item.get(method).is_some());
        served.extend(methods.map(|method| (method.to_uppercase(), path.clone())));
    }
    let rows = TABLE.iter().filter(|row| row.path.starts_with("/api/v1/threshold/"));
    assert_eq!(served, rows.map(|row| (row.method.to_owned(), row.path.to_owned())).collect());
    // Other modules have types of the same names.
    let names = api.components.unwrap().schemas.into_keys();
    let others = names.filter(|name| !name.starts_with("threshold.")).collect::<Vec<_>>();
    assert_eq!(others, ["Body", "Field"], "of problems alone");
}

#[tokio::test]
async fn every_statement_is_prepared() {
    let service = Service::new(0).await;
    for statement in STATEMENTS.iter().copied().flatten() {
        service.app.db.prepare(*statement).await.unwrap_or_else(|error| panic!("{statement:?}: {error}"));
    }
}

#[tokio::test]
async fn bad_input_is_told_by_its_field() {
    let service = Service::new(2).await;
    let native = native();
    for (ask, pointer) in [
        (json!({"n": 1, "k": 1}), "/n"),
        (json!({"n": 2, "k": 3}), "/k"),
        (json!({"n": 300, "k": 2}), "/n"),
        (json!({"n": 3, "k": 2}), "/n"),
        (json!({"n": 2, "k": 2, "more": 1}), "/more"),
        (json!({"n": 2, "k": 2, "algoritam": "MD5"}), "/algoritam"),
        (json!({"n": 2, "k": 2, "algoritam": "SHAMIR-2^521-1-ML-DSA-65"}), "/identity_id"),
        (json!({"n": 2, "k": 2, "identity_id": person("board").to_hex()}), "/identity_id"),
        (json!({"n": 2, "k": 2, "vlasnici": ["node-0"]}), "/vlasnici"),
        (json!({"n": 2, "k": 2, "vlasnici": ["node-0", "nobody"]}), "/vlasnici/1"),
        (json!({"n": 2, "k": 2, "vlasnici": ["node-0", "node-0"]}), "/vlasnici/1"),
    ] {
        let refused = service.post("sesija", &native, ask.clone()).await.refused(422, "invalid-field");
        assert_eq!(refused["errors"][0]["pointer"], pointer, "{ask}");
    }
    assert_eq!(service.messages().await.len(), 1, "nothing was founded");
    let unknown = "0".repeat(64);
    for path in [format!("sesija/{unknown}"), "sesija/x".into(), format!("borg/kvorum?session_id={unknown}")] {
        service.get(&path, &native).await.refused(404, "unknown-id");
    }
    service.get("borg/kvorum", &native).await.refused(422, "invalid-field");
    service.get("borg/kvorum?session_id=x&more=1", &native).await.refused(422, "invalid-field");
    service.get(&format!("udio/{unknown}/1"), &service.nodes[0].caller()).await.refused(404, "unknown-id");
    service.get("udio/x/1", &service.nodes[0].caller()).await.refused(404, "unknown-id");
    service.get(&format!("udio/{unknown}/1"), &native).await.refused(403, "not-this-node");
    assert_eq!(service.get("health", &native).await.ok(200), json!({"status": "ok"}));
}
