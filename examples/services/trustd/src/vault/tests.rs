//! The vault over a real log on SQLite, as its addresses give it.

mod decoys;
mod erasing;
mod layers;
mod lists;
mod records;
mod streams;
mod table;

use super::{Vault, router, rules, seal, store, unseal};
use crate::App;
use crate::testing::{self, Answer};
use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use dualseal::key::SetState;
use dualseal::{Entry, IdentityId, KeyState, SigningKey, SystemRng, VaultId};
use dualseal_operator::step::{Changes, State, Step};
use http::{Request, header};
use platform::access::{Caller, Scope, Tier, World};
use platform::clock::Clock;
use platform::config::{Config, RateConfig};
use platform::db::{Tx, statements};
use platform::log::{Work, seed_place};
use platform::problem::Problem;
use platform::rate::Peer;
use platform::secrets::Secrets;
use platform::values;
use platform::web::{Web, compose};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt;
use uuid::Uuid;

statements! {
    COUNT = "SELECT COUNT(*) AS found FROM vault_records";
    ALARMS = "SELECT kind, subject, detail FROM alarms ORDER BY kind, subject";
    SECRET = "SELECT stored FROM secrets WHERE tbl = 'vault' AND line = $1 AND purpose = 'secret'";
    PUT_SECRET = "UPDATE secrets SET stored = $2 WHERE tbl = 'vault' AND line = $1 AND purpose = 'secret'";
    OWNED = "SELECT owner, generation FROM owned_secrets WHERE tbl = 'vault' AND line = $1 AND purpose = 'secret'";
    PUT_OWNED = "INSERT INTO owned_secrets (tbl, line, purpose, owner, generation) \
                 VALUES ('vault', $1, 'secret', $2, $3)";
    STORED = "SELECT stored FROM vault_records WHERE vault_id = $1";
    OBJECT = "SELECT object FROM vault_records WHERE vault_id = $1";
    PUT_STORED = "UPDATE vault_records SET stored = $2 WHERE vault_id = $1";
    PUT_STATE = "UPDATE vault_records SET state = $2 WHERE vault_id = $1";
    STORED_RECORD = "SELECT r.json FROM records r JOIN vault_records v ON v.krunica = r.krunica WHERE v.vault_id = $1";
    LEDGER = "SELECT r.json, v.stored FROM records r JOIN vault_records v ON v.krunica = r.krunica ORDER BY v.seq";
}

/// A service with two identities.
struct Service {
    app: App,
    vault: Arc<Vault>,
    router: Router,
    ana: IdentityId,
    bo: IdentityId,
    folder: TempDir,
}

impl Service {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            data: folder.path().to_owned(),
            trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
            rate: RateConfig { enabled: false, ..RateConfig::default() },
            ..Config::default()
        };
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let app = testing::founded(folder.path(), config, clock).await;
        let web = Web::open((&app.db, Some(&app.log)), &app.secrets, &app.clock, &app.config, crate::table::TABLE)
            .await
            .unwrap();
        let vault = testing::vault(&app).await;
        let (router, _) = router(Arc::clone(&vault)).split_for_parts();
        // A test says itself who calls.
        let router = compose(router.with_state(Arc::clone(&app)), &web, |router| router);
        let [ana, bo] = ["ana", "bo"].map(|name| app.log.domain().identity_id(b"", name, "").unwrap());
        let service = Self { app, vault, router, ana, bo, folder };
        for identity_id in [ana, bo] {
            service.key(identity_id, None).await;
        }
        service
    }

    /// Gives an identity its key, or its key a state.
    async fn key(&self, identity_id: IdentityId, state: Option<KeyState>) {
        let (key, secrets) = (SigningKey::generate(&mut SystemRng).unwrap(), self.app.secrets.clone());
        self.app.log.submit(Ring { identity_id, key, secrets, state }).await.unwrap();
    }

    fn native(&self) -> Caller {
        Self::caller(self.ana, Tier::Native, World::Real)
    }

    fn caller(subject: IdentityId, tier: Tier, world: World) -> Caller {
        let (scopes, client) = ([Scope::Trust].into(), "test".to_owned());
        Caller { subject, tier, scopes, node: None, token: Uuid::now_v7(), client, world }
    }

    async fn send(&self, caller: Option<&Caller>, mut request: Request<Body>) -> Answer {
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller.clone());
        }
        Answer::read(self.router.clone().oneshot(request).await.unwrap()).await
    }

    async fn post(&self, caller: Option<&Caller>, path: &str, body: &Value) -> Answer {
        let request = Request::post(format!("/api/v1/vault/{path}")).header(header::CONTENT_TYPE, "application/json");
        self.send(caller, request.body(Body::from(body.to_string())).unwrap()).await
    }

    async fn get(&self, caller: Option<&Caller>, path: &str) -> Answer {
        self.send(caller, Request::get(format!("/api/v1/vault/{path}")).body(Body::empty()).unwrap()).await
    }

    /// Seals a document of JSON, and gives its answer.
    async fn seal(&self, caller: &Caller, identity_id: IdentityId, document: &[u8]) -> Value {
        self.post(Some(caller), "seal", &sealing(identity_id, document)).await.is(201).json()
    }

    async fn unseal(&self, caller: &Caller, sealed: &Value) -> Answer {
        let body = json!({"identity_id": sealed["identity_id"]});
        self.post(Some(caller), &format!("{}/unseal", id(sealed)), &body).await
    }

    async fn verify(&self, caller: Option<&Caller>, sealed: &Value) -> Value {
        self.post(caller, "verify", &json!({"vault_id": id(sealed)})).await.is(200).json()
    }

    /// What is stored of a small document.
    async fn stored(&self, sealed: &Value) -> Vec<u8> {
        self.app.db.find(STORED, values![id(sealed)]).await.unwrap().unwrap().bytes("stored").unwrap()
    }

    async fn put_stored(&self, sealed: &Value, stored: Vec<u8>) {
        assert_eq!(self.app.db.execute(PUT_STORED, values![id(sealed), stored]).await.unwrap(), 1);
    }

    /// The secret of a record, as it stands there.
    async fn secret(&self, sealed: &Value) -> Vec<u8> {
        self.app.db.find(SECRET, values![row(sealed)]).await.unwrap().unwrap().bytes("stored").unwrap()
    }

    async fn count(&self) -> u64 {
        self.app.db.find(COUNT, values![]).await.unwrap().unwrap().size("found").unwrap()
    }

    async fn size(&self) -> u64 {
        self.app.log.state().await.unwrap().head().size()
    }

    /// What natives were told of, once the tasks that write it are done.
    async fn alarms(&self, expected: usize) -> Vec<[String; 3]> {
        for _ in 0..200 {
            let rows = self.app.db.list(ALARMS, values![]).await.unwrap();
            if rows.len() >= expected {
                let text = |row: &platform::db::Row| ["kind", "subject", "detail"].map(|name| row.text(name).unwrap());
                return rows.iter().map(text).collect();
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("fewer than {expected} alarms")
    }
}

fn id(sealed: &Value) -> &str {
    sealed["vault_id"].as_str().unwrap()
}

/// Its row among the secrets.
fn row(sealed: &Value) -> Vec<u8> {
    vault_id(sealed).as_bytes().to_vec()
}

fn vault_id(sealed: &Value) -> VaultId {
    id(sealed).parse().unwrap()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn sealing(identity_id: IdentityId, document: &[u8]) -> Value {
    json!({"payload_b64": base64(document), "type": "CONTRACT", "identity_id": identity_id.to_hex()})
}

/// A first key, or a state of the current one.
struct Ring {
    identity_id: IdentityId,
    key: SigningKey,
    secrets: Secrets,
    state: Option<KeyState>,
}

impl Work for Ring {
    type Read = ();
    type Made = Entry;
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Entry, Problem> {
        if let Some(state) = self.state {
            return Ok(step.set_state(&self.identity_id, None, SetState::from(state))?);
        }
        step.keep(self.secrets.seal(seed_place(self.key.public_key())?, self.key.seed().expose())?);
        Ok(step.add_key(&self.identity_id, self.key.public_key())?)
    }

    async fn rows(&self, _: &mut Tx, _: Entry, _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}
