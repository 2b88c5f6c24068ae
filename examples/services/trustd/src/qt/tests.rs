//! Vault shards over a real log on SQLite, with real nodes that ask over HTTP.

mod backups;
mod copied;
mod covered;
mod erasing;
mod judging;
mod lapsing;
mod parts;
mod presence;
mod proofs;
mod quorums;
mod read_only;
mod refreshing;
mod slipped;
mod whole;

use crate::App;
use crate::node::{Node, NodeConfig};
use crate::testing::{self, Answer};
use crate::vault::{self};
use axum::Router;
use axum::body::{Body, to_bytes};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::presence::{PresenceProof, Statement};
use dualseal::{Domain, Entry, IdentityId, SigningKey, SystemRng, Timestamp};
use dualseal_operator::step::{Changes, State, Step};
use http::header;
use parts::{AddKey, caller};
use platform::access::{Caller, Scope, Tier, World};
use platform::clock::Clock;
use platform::config::{Config, Seconds};
use platform::db::{Tx, statements};
use platform::log::{Work, seed_place};
use platform::problem::Problem;
use platform::secrets::Secrets;
use platform::values;
use platform::web::{Web, compose};
use serde_json::{Value, json};
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt;
use uuid::Uuid;

statements! {
    SECRET = "SELECT stored FROM secrets WHERE tbl = 'vault' AND line = $1 AND purpose = 'secret'";
    STATE = "SELECT state FROM vault_records WHERE vault_id = $1";
    GIVEN = "SELECT stored FROM qt_given WHERE request_id = $1";
    WITHDRAW = "DELETE FROM qt_given WHERE request_id = $1";
    USED = "UPDATE qt_requests SET state = 'used' WHERE id = $1";
    KEYS = "SELECT COUNT(*) AS found FROM secrets WHERE tbl = 'qt_requests'";
    WAITING = "SELECT COUNT(*) AS found FROM secrets WHERE tbl = 'qt_shards' AND LENGTH(stored) > 0";
    MESSAGES = "SELECT json FROM entries ORDER BY seq";
}

const BEGUN: &str = "2026-11-21T09:00:00.000Z";
const DOCUMENT: &[u8] = b"one contract";

/// A service with an identity, three nodes, and an address that they reach.
struct Service {
    app: App,
    router: Router,
    ana: IdentityId,
    address: String,
    folder: TempDir,
}

impl Service {
    async fn new() -> Self {
        Self::asking(1).await
    }

    /// One that rebuilds where so many are present.
    async fn asking(proofs: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::still(BEGUN.parse().unwrap());
        let mut config = Config { data: folder.path().to_owned(), ..Config::default() };
        config.rate.enabled = false;
        config.trust.enrolment_counts_after = Seconds(60);
        config.trust.proofs = proofs;
        let app = testing::founded(folder.path(), config, clock).await;
        for label in ["a", "b", "c", "d"] {
            testing::node(&app, label, &label.repeat(64), 0).await;
        }
        let router = Self::router(&app).await;
        let ana = app.log.domain().identity_id(b"", "ana", "").unwrap();
        let key = SigningKey::generate(&mut SystemRng).unwrap();
        app.log.submit(AddKey { identity_id: ana, key, secrets: app.secrets.clone() }).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(axum::serve(listener, router.clone()).into_future());
        Self { app, router, ana, address, folder }
    }

    async fn router(app: &App) -> Router {
        let web = Web::open((&app.db, Some(&app.log)), &app.secrets, &app.clock, &app.config, crate::table::TABLE)
            .await
            .unwrap();
        let vault = testing::vault(app).await;
        let all = vault::router(Arc::clone(&vault)).merge(crate::qt::router(vault)).merge(crate::presence::router());
        let all = all.merge(crate::threshold::router()).merge(crate::logs::router());
        let router = all.split_for_parts().0.with_state(Arc::clone(app));
        compose(router, &web, |router| router.layer(axum::middleware::from_fn(caller)))
    }

    /// What another process has: nothing but what is written down.
    async fn restarted(&mut self) {
        self.router = Self::router(&self.app).await;
    }

    async fn send(&self, who: &str, method: &str, path: &str, body: Option<Vec<u8>>) -> Answer {
        let request = http::Request::builder().method(method).uri(format!("/api/v1/{path}"));
        let request = request.header(header::AUTHORIZATION, format!("Bearer {who}"));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let request = request.body(body.map_or_else(Body::empty, Body::from)).unwrap();
        Answer::read(self.router.clone().oneshot(request).await.unwrap()).await
    }

    async fn post(&self, who: &str, path: &str, body: &Value) -> Answer {
        self.send(who, "POST", path, Some(body.to_string().into_bytes())).await
    }

    async fn get(&self, who: &str, path: &str) -> Answer {
        self.send(who, "GET", path, None).await
    }

    /// Seals a document of Ana's, and gives its name.
    async fn seal(&self) -> String {
        use base64::Engine as _;
        let payload = base64::engine::general_purpose::STANDARD.encode(DOCUMENT);
        let body = json!({"payload_b64": payload, "type": "CONTRACT", "identity_id": self.ana.to_hex()});
        self.post("native", "vault/seal", &body).await.is(201).json()["vault_id"].as_str().unwrap().to_owned()
    }

    fn splitting(&self, vault_id: &str) -> Value {
        json!({"vault_id": vault_id, "identity_id": self.ana.to_hex(), "m": 2, "n": 3, "node_urls": ["a", "b", "c"]})
    }

    /// Seals a document and splits its secret, under a checkpoint.
    async fn split(&self) -> (String, Value) {
        let vault_id = self.seal().await;
        let split = self.post("native", "qt/split", &self.splitting(&vault_id)).await.is(201).json();
        self.app.log.checkpoint().await.unwrap();
        (vault_id, split)
    }

    /// The settings of a node, which pinned this service.
    async fn config(&self, label: &str) -> NodeConfig {
        let pins = crate::qt::pins(&self.app).await.unwrap();
        let token = self.folder.path().join(format!("token-{label}"));
        std::fs::write(&token, format!("node:{label}\n")).unwrap();
        NodeConfig {
            service: self.address.parse().unwrap(),
            label: label.to_owned(),
            folder: self.folder.path().join(format!("node-{label}")),
            token: Some(token),
            login: None,
            domain: pins.domain,
            service_key: pins.service_key.to_hex(),
            operator: pins.operator.to_string(),
            log: pins.log.to_text(),
            page: Some("http://localhost:8470/".parse().unwrap()),
            proofs: u8::try_from(self.app.config.trust.proofs).unwrap(),
            authenticators_count_after: Seconds(60),
            gives_back: None,
            poll: Seconds(1),
        }
    }

    async fn node(&self, label: &str) -> Node {
        Node::open(self.config(label).await, self.app.clock.clone()).unwrap()
    }

    /// Nodes that have pulled their shards.
    async fn nodes<const N: usize>(&self, labels: [&str; N]) -> Vec<Node> {
        let mut nodes = Vec::new();
        for label in labels {
            let mut node = self.node(label).await;
            node.turn().await.unwrap();
            nodes.push(node);
        }
        nodes
    }

    fn later(&self, seconds: i64) {
        self.app.clock.set(Timestamp::from_millis(self.app.clock.millis() + seconds * 1000).unwrap());
    }

    /// An invitation to which a second native agreed.
    async fn invitation(&self) -> String {
        let body = json!({"identity_id": self.ana.to_hex()});
        let invited = self.post("native", "presence/invitations", &body).await.is(201).json();
        let path = format!("presence/invitations/{}/agree", invited["invitation_id"].as_str().unwrap());
        self.post("second", &path, &json!({})).await.is(200);
        invited["invitation"].as_str().unwrap().to_owned()
    }

    /// Enrols a key of Ana's.
    async fn enrol(&self) -> Ed25519SigningKey {
        let begin = json!({"invitation": self.invitation().await, "kind": "ed25519"});
        let begun = self.post("", "presence/enrol/begin", &begin).await.is(201).json();
        let key = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
        self.post("", "presence/enrol/finish", &self.enrolment(&begun, &key)).await.is(201);
        key
    }

    /// What a key answers to what it was asked.
    fn enrolment(&self, begun: &Value, key: &Ed25519SigningKey) -> Value {
        let text = |name: &str| begun[name].as_str().unwrap();
        let statement = Statement::alive(text("audience"), &self.ana, text("statement")).unwrap();
        let (nonce, expiry) = (text("nonce").parse().unwrap(), text("expiry").parse().unwrap());
        let signature = statement.sign(self.app.log.domain(), &nonce, expiry, key);
        let (public_key, signature) = (key.public_key().to_string(), signature.to_string());
        let authenticator = json!({"kind": "ed25519", "public_key": public_key, "signature": signature});
        json!({"enrolment_id": begun["enrolment_id"], "label": "phone", "authenticator": authenticator})
    }

    /// A key that counts here and at the nodes, which have asked since.
    async fn present(&self, nodes: &mut [Node]) -> Ed25519SigningKey {
        let key = self.enrol().await;
        self.app.log.checkpoint().await.unwrap();
        for node in nodes.iter_mut() {
            node.turn().await.unwrap();
        }
        self.later(61);
        key
    }

    async fn reconstruct(&self, vault_id: &str) -> Value {
        let body = json!({"vault_id": vault_id, "identity_id": self.ana.to_hex()});
        self.post("native", "qt/reconstruct", &body).await.is(201).json()
    }

    /// What a key proves for a request, as it was told.
    fn proof(&self, request: &Value, key: &Ed25519SigningKey) -> Value {
        let asked = dualseal::shard::Request::from_json(request["request"].to_string().as_bytes()).unwrap();
        let (nonce, expiry) = (&request["nonce"], &request["expiry"]);
        let nonce = nonce.as_str().unwrap().parse().unwrap();
        let expiry = expiry.as_str().unwrap().parse().unwrap();
        let proof = PresenceProof::sign(self.app.log.domain(), &asked, &nonce, expiry, key);
        json!({"kind": "ed25519", "proof": serde_json::from_str::<Value>(&proof.to_json()).unwrap()})
    }

    async fn prove(&self, request: &Value, key: &Ed25519SigningKey) -> Answer {
        let path = format!("qt/requests/{}/proofs", id(request));
        self.post("noble", &path, &self.proof(request, key)).await
    }

    async fn document(&self, request: &Value) -> Answer {
        self.get("native", &format!("qt/requests/{}/document", id(request))).await
    }

    async fn state(&self, vault_id: &str) -> String {
        self.app.db.find(STATE, values![vault_id]).await.unwrap().unwrap().text("state").unwrap()
    }

    async fn has_secret(&self, vault_id: &str) -> bool {
        let line: dualseal::VaultId = vault_id.parse().unwrap();
        let row = self.app.db.find(SECRET, values![&line.as_bytes()[..]]).await.unwrap();
        row.is_some_and(|row| !row.bytes("stored").unwrap().is_empty())
    }

    async fn count(&self, statement: platform::db::Statement) -> u64 {
        self.app.db.find(statement, values![]).await.unwrap().unwrap().size("found").unwrap()
    }

    /// The messages of the log that begin like this.
    async fn said(&self, what: &str) -> usize {
        let rows = self.app.db.list(MESSAGES, values![]).await.unwrap();
        let entry = |row: &platform::db::Row| Entry::from_json(row.text("json").unwrap().as_bytes()).unwrap();
        rows.iter().filter(|row| entry(row).message().starts_with(what)).count()
    }
}

fn id(request: &Value) -> &str {
    request["request_id"].as_str().unwrap()
}

fn text<'t>(told: &'t Value, name: &str) -> &'t str {
    told[name].as_str().unwrap()
}
