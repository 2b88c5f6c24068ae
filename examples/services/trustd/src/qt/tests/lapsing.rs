//! What was prepared and is not committed goes: the service holds no vault in custody because a node never asks.

use super::backups::TABLES;
use super::*;
use crate::qt::rules::COMMIT_LIFE;
use crate::testing::Backup;

async fn states(service: &Service) -> Vec<Value> {
    let listed = service.get("noble", "qt/vaults").await.is(200).json();
    listed["items"].as_array().unwrap().iter().rev().map(|split| split["state"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_commits_lapses() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let mut body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "node_urls": ["a", "b", "d"]});
    let asked = service.post("native", "qt/refresh/prepare", &body).await.is(202).json()["request"].clone();
    service.prove(&asked, &key).await.is(200);
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    body["request_id"] = asked["request_id"].clone();
    // By what was released for one nobody else deals anew.
    assert_eq!(service.post("second", "qt/refresh/prepare", &body).await.is(404).code(), "unknown-id");
    let made = service.post("native", "qt/refresh/prepare", &body).await.is(201).json()["split"].clone();
    assert_eq!(nodes[0].turn().await.unwrap().pulled.len(), 1);
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!(before.of("qt_shards"), 2);
    let commit = json!({"vault_id": vault_id, "split_id": made["split_id"], "najmanje": 2});
    let pull = format!("qt/shard/{vault_id}");

    service.later(COMMIT_LIFE / 1000 - 1);
    service.get("node:b", &pull).await.is(200);
    assert_eq!(service.count(WAITING).await, 2);
    service.later(1);
    // It is over before it is swept.
    assert_eq!(service.get("node:b", &pull).await.is(409).code(), "conflict");
    assert_eq!(service.get("node:d", &pull).await.is(409).code(), "conflict");
    service.get("node:c", "qt/requests").await.is(200);
    assert_eq!(service.count(WAITING).await, 0);
    assert_eq!(states(&service).await, ["force", "superseded"]);
    assert_eq!(service.get("node:d", &pull).await.is(409).code(), "in-custody");
    assert_eq!(service.post("native", "qt/refresh/commit", &commit).await.is(409).code(), "conflict");
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());

    // Of what one node fetched it alone deletes, and what none did keeps no erasure from its end.
    let erase = json!({"identity_id": service.ana.to_hex(), "splits": []});
    service.post("native", &format!("vault/{vault_id}/erase"), &erase).await.is(200);
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    assert_eq!(service.state(&vault_id).await, "erased");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_later_preparation_replaces_one() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut node = service.node("a").await;
    node.turn().await.unwrap();
    service.later(1);
    let body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "node_urls": ["a", "b", "d"]});
    let first = service.post("native", "qt/refresh/prepare", &body).await.is(201).json()["split"].clone();
    assert_eq!(service.count(WAITING).await, 5);
    node.turn().await.unwrap();
    service.later(1);
    service.post("native", "qt/refresh/prepare", &body).await.is(201);
    assert_eq!(
        (service.count(WAITING).await, states(&service).await),
        (5, vec!["force".into(), "superseded".into(), "prepared".into()])
    );
    let commit = json!({"vault_id": vault_id, "split_id": first["split_id"], "najmanje": 1});
    assert_eq!(service.post("native", "qt/refresh/commit", &commit).await.is(409).code(), "conflict");
    // Who fetched the first keeps it until its time: the library takes no second one beside it.
    assert_eq!(node.turn().await.unwrap().refused, ["already-prepared"]);
}

/// What no node fetched of a split that another replaced is held by nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_never_fetched_does_not_outlive_an_erasure() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "node_urls": ["a", "d"]});
    let made = service.post("native", "qt/refresh/prepare", &body).await.is(201).json()["split"].clone();
    let mut nodes = service.nodes(["a", "d"]).await;
    nodes[0].turn().await.unwrap();
    let commit = json!({"vault_id": vault_id, "split_id": made["split_id"]});
    service.post("native", "qt/refresh/commit", &commit).await.is(200);
    let erase = json!({"identity_id": service.ana.to_hex(), "splits": []});
    service.post("native", &format!("vault/{vault_id}/erase"), &erase).await.is(200);
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    assert_eq!(service.state(&vault_id).await, "erased");
}
