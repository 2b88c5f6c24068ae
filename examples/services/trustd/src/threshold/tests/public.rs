//! Sessions with a public key: strangers verify, and a key that was called back signs nothing.

use super::{Service, caller, native, person};
use crate::threshold::in_force::Sessions;
use crate::threshold::store;
use dualseal::id::SessionId;
use dualseal::threshold::SessionKind;
use dualseal::{Domain, IdentityId, KeyState, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::Tier;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;
use serde_json::{Value, json};

const MESSAGE: &str = "dGhlIGFydGljbGVz";

async fn service() -> (Service, SessionId) {
    let mut service = Service::new(3).await;
    let ask = json!({"n": 3, "k": 2, "algoritam": "SHAMIR-2^521-1-ML-DSA-65", "identity_id": person("board").to_hex()});
    let founded = service.held(&native(), ask.clone()).await;
    service.post("sesija", &native(), ask).await.refused(409, "conflict");
    (service, founded["session_id"].as_str().unwrap().parse().unwrap())
}

fn signing(service: &Service, session_id: &SessionId) -> Value {
    let pairs = [1_u8, 2].map(|n| service.nodes[usize::from(n) - 1].pair(session_id, n, false).1);
    json!({"session_id": session_id.to_hex(), "identity_id": native().subject.to_hex(), "poruka_b64": MESSAGE,
        "udjeli": pairs})
}

fn verifying(session_id: &SessionId, message: &str, result: &Value) -> Value {
    json!({"session_id": session_id.to_hex(), "poruka_b64": message, "rezultat": result})
}

/// Somebody changes the key of an identity.
struct Changing(IdentityId, Change);

enum Change {
    State(KeyState),
    Rotate(Box<SigningKey>),
}

impl Work for Changing {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        match &self.1 {
            Change::State(state) => step.set_state(&self.0, None, *state)?,
            Change::Rotate(key) => step.rotate(&self.0, key.public_key())?,
        };
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }

    fn is_sealed(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn anybody_verifies_what_a_quorum_signed() {
    let (service, session_id) = service().await;
    let result = service.post("potpisi", &native(), signing(&service, &session_id)).await.ok(201);
    assert_eq!(result["algoritam"], "SHAMIR-2^521-1-ML-DSA-65");
    let stranger = caller("stranger", Tier::Noble);
    let told = service.post("provjeri", &stranger, verifying(&session_id, MESSAGE, &result)).await.ok(200);
    assert_eq!((&told["validan"], &told["bela_stanje"]), (&json!(true), &json!("istina")));
    assert_eq!(told["identity_id"], person("board").to_hex());
    let told = service.post("provjeri", &stranger, verifying(&session_id, "bm8=", &result)).await.ok(200);
    assert_eq!((&told["validan"], &told["razlog"]), (&json!(false), &json!("rejected")));
    let mut with_shares = verifying(&session_id, MESSAGE, &result);
    with_shares["udjeli"] = json!([]);
    service.post("provjeri", &stranger, with_shares).await.refused(422, "invalid-field");
    let unknown = verifying(&SessionId::from_bytes([0; 32]), MESSAGE, &result);
    service.post("provjeri", &stranger, unknown).await.refused(404, "unknown-id");
    let failed = json!({"algoritam": "SHAMIR-2^521-1-ML-DSA-65", "culprits": [], "krunica_hash": null, "ok": false,
        "potpis": null, "razlog": "none", "svjedok_hash": null, "ts": "2026-11-23T09:00:00.000Z",
        "weise3_hash": person("board").to_hex()});
    let told = service.post("provjeri", &stranger, verifying(&session_id, MESSAGE, &failed)).await.ok(200);
    assert_eq!(told["validan"], false);
}

#[tokio::test]
async fn a_key_that_was_called_back_signs_nothing() {
    let (service, session_id) = service().await;
    let before = service.post("potpisi", &native(), signing(&service, &session_id)).await.ok(201);
    let path = format!("sesija/{session_id}");
    for (state, code, told) in
        [(KeyState::Suspended, "key-suspended", "active"), (KeyState::Revoked, "key-revoked", "retired")]
    {
        service.app.log.submit(Changing(person("board"), Change::State(state))).await.unwrap();
        let entries = service.messages().await.len();
        service.post("potpisi", &native(), signing(&service, &session_id)).await.refused(409, code);
        assert_eq!(service.get(&path, &native()).await.ok(200)["stanje"], told);
        assert_eq!(service.messages().await.len(), entries);
    }
    let told = service.post("provjeri", &native(), verifying(&session_id, MESSAGE, &before)).await.ok(200);
    assert_eq!((&told["validan"], &told["razlog"]), (&json!(false), &json!("rejected")));
}

/// What it signed before its key was replaced verifies by its place in the log.
#[tokio::test]
async fn what_stands_before_a_rotation_counts() {
    let (service, session_id) = service().await;
    let before = service.post("potpisi", &native(), signing(&service, &session_id)).await.ok(201);
    let other = Box::new(SigningKey::generate(&mut SystemRng).unwrap());
    service.app.log.submit(Changing(person("board"), Change::Rotate(other))).await.unwrap();
    let told = service.post("provjeri", &native(), verifying(&session_id, MESSAGE, &before)).await.ok(200);
    assert_eq!(told["validan"], true);
    service.post("potpisi", &native(), signing(&service, &session_id)).await.refused(404, "unknown-id");
}

#[tokio::test]
async fn the_record_names_the_key_of_the_ring() {
    let (service, session_id) = service().await;
    let told = service.get(&format!("sesija/{session_id}"), &native()).await.ok(200);
    let record = dualseal::threshold::Session::from_json(told["zapis"].to_string().as_bytes()).unwrap();
    let SessionKind::MlDsa65 { identity_id, public_key } = record.kind() else { panic!("another kind") };
    let state = service.app.log.state().await.unwrap();
    assert_eq!(state.ring().info(identity_id).unwrap().public_key, *public_key);
    assert_eq!(state.domain(), &Domain::new("TRUST").unwrap());
}

/// The names of sessions stand in the log, and each is read from its founding on: strangers have one read at a time,
/// and push out none that others need.
#[tokio::test]
async fn strangers_have_one_session_read_at_a_time() {
    let (service, session_id) = service().await;
    let mut tx = service.app.db.snapshot().await.unwrap();
    let row = store::session(&mut tx, &session_id).await.unwrap().unwrap();
    tx.roll_back().await.unwrap();
    let sessions = Sessions::default();
    let turns = sessions.one().await;
    let refused = sessions.for_anybody(&service.app, &row).await.unwrap_err();
    assert_eq!(refused.kind().code, "busy");
    sessions.in_force(&service.app, &row).await.unwrap();
    // What is known costs nothing.
    sessions.for_anybody(&service.app, &row).await.unwrap();
    drop(turns);
    let other = Sessions::default();
    other.for_anybody(&service.app, &row).await.unwrap();
    let _turns = other.one().await;
    other.for_anybody(&service.app, &row).await.unwrap();
}
