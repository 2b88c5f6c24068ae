//! The module over a real log and database: its handlers, with callers as the access layer hands them on.
//!
//! | file | what it is |
//! |---|---|
//! | `backups` | what a backup from before opens |
//! | `contract` | endpoints, statements, bad input |
//! | `custody` | founding, pulls, acknowledgements, presence |
//! | `requests` | what they take, and how long they wait |
//! | `signing` | by requests and pairs, liars, forgeries |
//! | `public` | sessions with a public key |
//! | `refresh` | dealing anew |
//! | `node` | a custodian's node, by the library |

mod backups;
mod contract;
mod custody;
mod node;
mod public;
mod refresh;
mod requests;
mod signing;

use super::routes::router;
use crate::App;
use crate::testing;
use axum::Router;
use axum::body::Body;
use dualseal::hash::Sha3_512;
use dualseal::krunica::ChainHash;
use dualseal::{Domain, Entry, IdentityId, Timestamp};
use dualseal_operator::step::{Changes, State, Step};
use http::{HeaderMap, Method, Request, StatusCode};
use node::TestNode;
use platform::access::{Caller, Scope, Tier, World};
use platform::clock::Clock;
use platform::config::Config;
use platform::db::{Statement, Tx};
use platform::log::Work;
use platform::problem::Problem;
use platform::values;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use tower::ServiceExt as _;
use uuid::Uuid;

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
        let clock = Clock::still(start());
        let app = testing::founded(folder.path(), config, clock.clone()).await;
        let nodes = (0..nodes).map(|number| TestNode::new(app.log.domain(), number)).collect::<Vec<_>>();
        for (added, node) in (0_i64..).zip(&nodes) {
            testing::node(&app, &node.label, &node.identity_id.to_hex(), added).await;
        }
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
