//! A backup from before, with the master and what lies apart now: it opens no share that went meanwhile.

use super::signing::{opening, service, signing};
use super::{Service, native};
use crate::testing::Backup;
use crate::threshold::sweep;
use platform::access::World;
use serde_json::json;

const TABLES: [&str; 2] = ["holdings", "given_shares"];

const NONE: [&str; 0] = [];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shares_that_nodes_have_are_not_had_from_it() {
    let mut service = Service::new(3).await;
    let founded = service.post("sesija", &native(), json!({"n": 3, "k": 2})).await.ok(201);
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!(before.opens(&service.app).await, ["holdings"; 3], "they wait");
    service.distribute(World::Real).await;
    assert_eq!(before.opens(&service.app).await, NONE);

    // Dealt anew by what nodes give back, all of it is here again until the nodes have theirs.
    let session_id = founded["session_id"].as_str().unwrap().parse().unwrap();
    let mut ask = opening(&session_id, &native());
    ask["namjena"] = "obnova".into();
    ask["poruka_b64"].take();
    let request = service.post("requests", &native(), ask).await.ok(201);
    service.nodes[0].give(&service, &session_id, 1, &request).await;
    service.nodes[1].give(&service, &session_id, 2, &request).await;
    let given = Backup::make(&service.app, &TABLES).await;
    let prepare = signing(&session_id, &native(), &request);
    service.post("refresh/prepare", &native(), prepare).await.ok(201);
    assert_eq!(given.opens(&service.app).await, NONE);
    let waiting = Backup::make(&service.app, &TABLES).await;
    assert_eq!(waiting.of("holdings"), 3);
    service.distribute(World::Real).await;
    assert_eq!(waiting.opens(&service.app).await, NONE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shares_that_served_a_request_are_not_had_from_it() {
    let (service, native, session_id) = service().await;
    for serves in [true, false] {
        let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
        let other = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
        service.nodes[0].give(&service, &session_id, 1, &request).await;
        service.nodes[1].give(&service, &session_id, 2, &request).await;
        let before = Backup::make(&service.app, &TABLES).await;
        assert_eq!(before.opens(&service.app).await, ["given_shares"; 2]);
        service.nodes[0].give(&service, &session_id, 1, &other).await;
        let ask = signing(&session_id, &native, &request);
        if serves {
            service.post("potpisi", &native, ask).await.ok(201);
            assert_eq!(before.opens(&service.app).await, NONE, "it served its request");
            // What waits for another goes on.
            service.nodes[1].give(&service, &session_id, 2, &other).await;
            service.post("potpisi", &native, signing(&session_id, &native, &other)).await.ok(201);
        } else {
            service.pass(300);
            assert_eq!(sweep(&service.app).await.unwrap(), 2);
            assert_eq!(before.opens(&service.app).await, NONE, "its time is over");
        }
    }
}
