//! The module over a real log and database: what a honeypot's caller is answered, and what counts as evidence.

mod again;
mod called_back;
mod elsewhere;
mod large;
mod placed;
mod replaced;

use super::routes::router;
use crate::App;
use crate::testing::{self, Answer};
use axum::Router;
use axum::body::Body;
use dualseal::evidence::{EvidenceFile, EvidenceParts, EvidenceRecord};
use dualseal::{IdentityId, SignatureRecord, SigningKey, SystemRng};
use http::{Request, header};
use platform::access::{Caller, Scope, Tier, World};
use platform::clock::Clock;
use platform::config::Config;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt as _;
use uuid::Uuid;

const CONTENT: &str = "b25lIGNvbnRyYWN0";

struct Service {
    app: App,
    router: Router,
    _folder: TempDir,
}

impl Service {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data: folder.path().to_owned(), ..Config::default() };
        let app = testing::founded(folder.path(), config, Clock::system()).await;
        let base: Arc<str> = "http://localhost".into();
        let (router, _) = router().split_for_parts();
        let router = router.layer(axum::middleware::from_fn_with_state(base, platform::web::finish));
        Self { router: router.with_state(Arc::clone(&app)), app, _folder: folder }
    }

    fn identity(&self, name: &str) -> IdentityId {
        self.app.log.domain().identity_id(b"", name, "").unwrap()
    }

    fn native(&self, world: World) -> Caller {
        let (tier, scopes, client) = (Tier::Native, [Scope::Trust].into(), "test".to_owned());
        Caller { subject: self.identity("native"), tier, scopes, node: None, token: Uuid::now_v7(), client, world }
    }

    async fn post(&self, world: World, path: &str, body: &Value) -> Answer {
        let request = Request::post(format!("/api/v1/dsa/{path}")).header(header::CONTENT_TYPE, "application/json");
        let request = request.extension(self.native(world)).body(Body::from(body.to_string())).unwrap();
        Answer::read(self.router.clone().oneshot(request).await.unwrap()).await
    }

    async fn status(&self, world: World, identity_id: &IdentityId) -> Answer {
        let request = Request::get(format!("/api/v1/dsa/status/{identity_id}")).extension(self.native(world));
        Answer::read(self.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()).await
    }

    async fn keypair(&self, world: World, name: &str) -> IdentityId {
        let identity_id = self.identity(name);
        let made = self.post(world, "keypair", &json!({"identity_id": identity_id.to_hex()})).await;
        assert!(made.status.is_success(), "{made:?}");
        identity_id
    }

    async fn sign(&self, world: World, identity_id: &IdentityId) -> Answer {
        self.post(world, "potpisi", &json!({"identity_id": identity_id.to_hex(), "content_b64": CONTENT})).await
    }

    async fn bela(&self, world: World, identity_id: &IdentityId, stanje: &str) -> Answer {
        self.post(world, "bela", &json!({"identity_id": identity_id.to_hex(), "stanje": stanje})).await
    }

    /// What the public is told of a record.
    async fn verified(&self, identity_id: &IdentityId, record: &Value) -> Value {
        let body = json!({"record": record, "identity_id": identity_id.to_hex(), "content_b64": CONTENT});
        self.post(World::Real, "provjeri", &body).await.is(200).json()
    }

    /// How large the log is, and what its ring has seen.
    async fn seen(&self) -> (u64, u64) {
        let state = self.app.log.state().await.unwrap();
        (state.head().size(), state.ring().revision())
    }

    /// How many entries the last checkpoint covers.
    async fn covered(&self) -> u64 {
        let reader = self.app.log.reader();
        let signed = reader.checkpoint(reader.current().await.unwrap()).await.unwrap();
        signed.map_or(0, |(checkpoint, _)| checkpoint.tree_head().size)
    }

    /// Waits until natives are told of this.
    async fn alarmed(&self, kind: &str) {
        for _ in 0..250 {
            let found = crate::alarms::page(&self.app.db, World::Real, None, 100).await.unwrap();
            if found.iter().any(|alarm| alarm.kind == kind) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("nobody is told: {kind}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decoy_native_changes_nothing_real_and_signs_for_nobody_who_is_there() {
    let service = Service::new().await;
    let ana = service.keypair(World::Real, "ana").await;
    let record = service.sign(World::Real, &ana).await.is(201).json();
    assert_eq!(service.verified(&ana, &record).await["validan"], true);
    let before = service.seen().await;
    // He is answered alike, and no key of ana's is touched.
    let told = service.bela(World::Decoy, &ana, "laz").await.is(200).json();
    assert_eq!(told["bela_stanje"], "laz");
    assert_eq!(service.status(World::Decoy, &ana).await.is(200).json()["bela_stanje"], "laz");
    service.bela(World::Decoy, &ana, "istina").await.is(200);
    let rotate = json!({"identity_id": ana.to_hex()});
    service.post(World::Decoy, "rotiraj", &rotate).await.is(200);
    assert_eq!(service.sign(World::Decoy, &ana).await.is(409).code(), "key-elsewhere");
    assert_eq!(service.seen().await, before);
    assert_eq!(service.status(World::Real, &ana).await.is(200).json()["bela_stanje"], "istina");
    assert_eq!(service.verified(&ana, &record).await["validan"], true);
    // A key that is nobody's is refused as in the real world.
    let stranger = SigningKey::generate(&mut SystemRng).unwrap().public_key().to_hex();
    let named = json!({"identity_id": ana.to_hex(), "stanje": "istina", "javni_kljuc": stranger});
    let [real, decoy] = [World::Real, World::Decoy].map(|world| service.post(world, "bela", &named));
    let [real, decoy] = [real.await.is(422).json(), decoy.await.is(422).json()];
    assert_eq!(real["errors"], decoy["errors"]);
    service.alarmed("decoy-caller").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_there_for_a_decoy_alone_verifies_until_somebody_real_is() {
    let service = Service::new().await;
    let bo = service.keypair(World::Decoy, "bo").await;
    assert_eq!(service.status(World::Real, &bo).await.is(404).code(), "unknown-id");
    let record = service.sign(World::Decoy, &bo).await.is(201).json();
    // Its entry stands in the one log, and whoever shows it is answered as he expects.
    let signed = SignatureRecord::from_json(record.to_string().as_bytes()).unwrap();
    assert!(service.app.log.reader().by_handle(signed.krunica_hash()).await.unwrap().is_some());
    assert_eq!(service.verified(&bo, &record).await["validan"], true);
    service.alarmed("decoy-key").await;
    let mut other = record.clone();
    other["timestamp"] = json!("2026-11-21T09:00:00.000Z");
    assert_eq!(service.verified(&bo, &other).await["validan"], false);
    service.keypair(World::Real, "bo").await;
    assert_eq!(service.verified(&bo, &record).await["validan"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_honeypot_signs_with_its_own_key_and_no_change_of_it_stands_alone() {
    let service = Service::new().await;
    for name in ["one", "two", "three"] {
        service.keypair(World::Real, name).await;
    }
    let eva = service.keypair(World::Real, "eva").await;
    for (stanje, told) in [("oboje", "oboje"), ("istina", "istina"), ("oboje", "oboje")] {
        let (size, revision) = service.seen().await;
        assert_eq!(service.bela(World::Real, &eva, stanje).await.is(200).json()["bela_stanje"], told);
        // The log's own identity is among those that cover it.
        assert_eq!(service.seen().await, (size + 5, revision + 5), "{stanje}");
    }
    assert_eq!(service.sign(World::Real, &eva).await.is(409).code(), "key-decoy");
    assert_eq!(service.status(World::Decoy, &eva).await.is(200).json()["bela_stanje"], "istina");
    let record = service.sign(World::Decoy, &eva).await.is(201).json();
    assert_eq!(record["javni_kljuc"], service.status(World::Real, &eva).await.json()["javni_kljuc"]);
    assert_eq!(service.verified(&eva, &record).await["validan"], true);
    for (stanje, code) in [("laz", "key-revoked"), ("nijedno", "key-suspended")] {
        service.bela(World::Real, &eva, stanje).await.is(200);
        assert_eq!(service.sign(World::Real, &eva).await.is(409).code(), code);
        assert_ne!(service.verified(&eva, &record).await["validan"], true, "{stanje}");
    }
}

/// Strangers go by checkpoints. When a honeypot was set, one of its own would tell them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revocation_is_answered_under_a_checkpoint() {
    let service = Service::new().await;
    let ana = service.keypair(World::Real, "ana").await;
    for stanje in ["laz", "nijedno"] {
        service.bela(World::Real, &ana, stanje).await.is(200);
        assert_eq!(service.covered().await, service.seen().await.0, "{stanje}");
    }
    service.bela(World::Real, &ana, "oboje").await.is(200);
    assert!(service.covered().await < service.seen().await.0);
}

/// A bundle speaks as of its checkpoint, and the service knows what became of the key since.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_of_a_key_that_was_called_back_since_does_not_count() {
    let service = Service::new().await;
    let ana = service.keypair(World::Real, "ana").await;
    let record = service.sign(World::Real, &ana).await.is(201).json();
    service.app.log.checkpoint().await.unwrap();
    let bundle: Value = serde_json::from_str(&evidence(&service.app, &record).await).unwrap();
    let ask = |who: &IdentityId, content: &str| {
        let identity_id = who.to_hex();
        json!({"evidence": bundle, "identity_id": identity_id, "content_b64": content})
    };
    let told = async |who: IdentityId, content: &str| {
        service.post(World::Real, "provjeri", &ask(&who, content)).await.is(200).json()["validan"].clone()
    };
    assert_eq!(told(ana, CONTENT).await, json!(true));
    assert_eq!(told(ana, "YW5vdGhlcg==").await, json!(false));
    assert_eq!(told(service.identity("bo"), CONTENT).await, json!(false));
    for (stanje, validan) in [("nijedno", json!(null)), ("laz", json!(false)), ("istina", json!(true))] {
        service.bela(World::Real, &ana, stanje).await.is(200);
        assert_eq!(told(ana, CONTENT).await, validan, "{stanje}");
    }
    service.bela(World::Real, &ana, "oboje").await.is(200);
    assert_eq!(told(ana, CONTENT).await, json!(true));
    service.alarmed("decoy-key").await;
}

/// What the service's own log gives of a record to a stranger.
async fn evidence(app: &App, record: &Value) -> String {
    let record = SignatureRecord::from_json(record.to_string().as_bytes()).unwrap();
    let (reader, state) = (app.log.reader(), app.log.state().await.unwrap());
    let number = reader.current().await.unwrap();
    let (checkpoint, _) = reader.checkpoint(number).await.unwrap().unwrap();
    let found = reader.by_handle(record.krunica_hash()).await.unwrap().unwrap();
    let place = reader.place(&checkpoint, found).await.unwrap().unwrap();
    let stated = state.ring().last_change_below(checkpoint.tree_head().size).unwrap();
    let found = reader.by_seq(number, stated).await.unwrap().unwrap();
    let ring = reader.place(&checkpoint, found).await.unwrap().unwrap();
    let key = state.ring().prove(record.public_key().hash()).unwrap();
    let public_key = record.public_key().clone();
    let record = EvidenceRecord::Signature(record);
    let (name, domain) = (Some(app.config.domain.as_str()), app.log.domain());
    let parts = EvidenceParts { domain, name, record, public_key, place, ring, key, note: None };
    EvidenceFile::new(parts).unwrap().to_json()
}
