//! What requests take, and how long they wait.

use super::signing::{opening, service, signing};
use super::{Service, caller, native};
use crate::threshold::sweep;
use dualseal::id::SessionId;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::Tier;
use platform::config::{Config, Seconds};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;
use serde_json::{Value, json};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

#[tokio::test]
async fn what_waits_is_wiped_when_its_time_is_over() {
    let (service, native, session_id) = service().await;
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    service.nodes[0].give(&service, &session_id, 1, &request).await;
    service.nodes[1].give(&service, &session_id, 2, &request).await;
    service.pass(299);
    assert_eq!(sweep(&service.app).await.unwrap(), 0);
    assert_eq!(service.secrets_of("given_shares").await, 2);
    service.pass(1);
    service.post("potpisi", &native, signing(&session_id, &native, &request)).await.refused(409, "request-closed");
    assert_eq!(sweep(&service.app).await.unwrap(), 1);
    assert_eq!(service.secrets_of("given_shares").await, 0);
    assert_eq!(service.get("requests", &service.nodes[2].caller()).await.ok(200)["zahtjevi"], json!([]));
    // As many wait as are taken, and no more.
    for _ in 0..16 {
        service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    }
    service.post("requests", &native, opening(&session_id, &native)).await.refused(409, "conflict");
    service.pass(300);
    service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    // What ended is told of for a day.
    let ask = signing(&session_id, &native, &request);
    service.post("potpisi", &native, ask.clone()).await.refused(409, "request-closed");
    service.pass(24 * 3600);
    sweep(&service.app).await.unwrap();
    service.post("potpisi", &native, ask).await.refused(404, "unknown-id");
}

#[tokio::test]
async fn requests_are_checked() {
    let (service, native, session_id) = service().await;
    let stranger = caller("stranger", Tier::Noble);
    service.post("requests", &stranger, opening(&session_id, &stranger)).await.refused(404, "unknown-id");
    service.post("requests", &stranger, opening(&session_id, &native)).await.refused(404, "unknown-id");
    for (member, value) in [
        ("poruka_b64", Value::Null),
        ("poruka_b64", json!("A".repeat(4 * 30_000))),
        ("poruka_b64", json!("not base64")),
        ("namjena", json!("obnova")),
        ("namjena", json!("other")),
    ] {
        let mut ask = opening(&session_id, &native);
        ask[member] = value;
        service.post("requests", &native, ask).await.refused(422, "invalid-field");
    }
}

/// By the machine's clock, without the job.
#[tokio::test]
async fn what_waits_is_wiped_by_itself() {
    let mut config = Config::default();
    config.trust.share_waits = Seconds(1);
    let mut service = Service::with(3, config).await;
    let native = native();
    let founded = service.held(&native, json!({"n": 3, "k": 2})).await;
    let session_id: SessionId = founded["session_id"].as_str().unwrap().parse().unwrap();
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    service.nodes[0].give(&service, &session_id, 1, &request).await;
    assert_eq!(service.secrets_of("given_shares").await, 1);
    service.pass(1);
    timeout(Duration::from_secs(30), async {
        while service.secrets_of("given_shares").await > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
    .unwrap();
}

/// Has the log's writer wait, once it has the lock.
struct Waits {
    has_begun: Arc<Notify>,
    goes_on: Arc<Notify>,
}

impl Work for Waits {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        self.has_begun.notify_one();
        self.goes_on.notified().await;
        Ok(())
    }

    fn step(&self, _: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

/// Another request of the session ends meanwhile: what hangs on its key is listed and put under the next one, and one
/// that is given back between the two would be under none.
#[tokio::test]
async fn a_share_comes_before_keys_go_or_behind() {
    let (service, native, session_id) = service().await;
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    let (has_begun, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let waits = Waits { has_begun: Arc::clone(&has_begun), goes_on: Arc::clone(&goes_on) };
    let log = service.app.log.clone();
    let other = tokio::spawn(async move { log.submit(waits).await });
    has_begun.notified().await;
    let mut given = pin!(service.nodes[0].give(&service, &session_id, 1, &request));
    assert!(timeout(Duration::from_millis(500), &mut given).await.is_err(), "nobody writes beside the log's writer");
    goes_on.notify_one();
    other.await.unwrap().unwrap();
    given.await;
    assert_eq!(service.secrets_of("given_shares").await, 1);
}
