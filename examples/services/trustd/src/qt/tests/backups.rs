//! A backup from before, with the master and what lies apart now: it opens nothing that was erased meanwhile.

use super::*;
use crate::qt::store::held_by;
use crate::qt::types::Said;
use crate::qt::work::custody::Ack;
use crate::testing::Backup;

/// Where a vault's secret stands, its shards and what was released of them.
pub(super) const TABLES: [&str; 3] = ["vault", "qt_shards", "qt_requests"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_that_waited_for_their_nodes_are_erased_in_it_too() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let (other, _) = service.split().await;
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!((before.of("vault"), before.of("qt_shards")), (2, 6));
    erase(&service, &vault_id).await;
    let left = Backup::make(&service.app, &TABLES).await;
    assert_eq!((left.of("vault"), left.of("qt_shards")), (1, 3));
    // The other vault's still wait for their nodes, and go to them.
    let mut nodes = service.nodes(["a", "b"]).await;
    assert!(nodes.iter_mut().all(|node| node.holds().unwrap().len() == 1));
    assert!(service.has_secret(&other).await);
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_that_nodes_released_are_erased_in_it_too() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    for node in &mut nodes {
        assert_eq!(node.turn().await.unwrap().released.len(), 1);
    }
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!((before.of("vault"), before.of("qt_shards"), before.of("qt_requests")), (0, 0, 1));
    erase(&service, &vault_id).await;
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());
}

/// What is released for one vault lasts while another of the same owner is erased.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rebuilding_goes_on_while_another_vault_is_erased() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    nodes[0].turn().await.unwrap();
    let other = service.seal().await;
    let body = service.splitting(&other);
    let (erased, split) = tokio::join!(erase(&service, &other), service.post("native", "qt/split", &body));
    assert_eq!(erased["state"], "erased");
    assert!([201, 409].contains(&split.status.as_u16()));
    nodes[1].turn().await.unwrap();
    assert_eq!(service.document(&request).await.is(200).body, DOCUMENT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_went_into_custody_is_not_had_from_it() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let other = service.seal().await;
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!((before.of("vault"), before.of("qt_shards")), (2, 3));
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    assert_eq!(service.state(&vault_id).await, "in-custody");
    let after = Backup::make(&service.app, &TABLES).await;
    assert_eq!((after.of("vault"), after.of("qt_shards")), (1, 0));
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());
    assert_eq!(after.opens(&service.app).await, ["vault"]);
    let unseal = json!({"identity_id": service.ana.to_hex()});
    let unsealed = service.post("native", &format!("vault/{other}/unseal"), &unseal).await;
    assert_eq!(unsealed.is(200).body, DOCUMENT);

    // Dealt anew by what nodes released, all of it is here again until the new nodes have theirs.
    let key = service.present(&mut nodes).await;
    let mut body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "node_urls": ["a", "b", "d"]});
    let asked = service.post("native", "qt/refresh/prepare", &body).await.is(202).json()["request"].clone();
    service.prove(&asked, &key).await.is(200);
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    body["request_id"] = asked["request_id"].clone();
    service.post("native", "qt/refresh/prepare", &body).await.is(201);
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!((before.of("vault"), before.of("qt_shards")), (1, 3));
    nodes.push(service.node("d").await);
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    assert_eq!(service.count(WAITING).await, 0);
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());
}

/// A crash comes after the last acknowledgement was written down, and before the key is destroyed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_crash_left_of_custody_is_ended() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let before = Backup::make(&service.app, &TABLES).await;
    drop(service.nodes(["a", "b"]).await);
    service.get("node:c", &format!("qt/shard/{vault_id}")).await.is(200);
    let shard_id = held_by(&service.app.db, "c", World::Real).await.unwrap()[0].shard.shard_id;
    let (owners, now) = (testing::vault(&service.app).await.owners.clone(), service.app.clock.millis());
    let (node, vault_id) = ("c".to_owned(), vault_id.parse().unwrap());
    let ack = Ack { owners: owners.clone(), node, line: (vault_id, World::Real), shard_id, said: Said::Held, now };
    assert!(service.app.log.submit(ack).await.unwrap().0.custody);
    assert_eq!(owners.end_erasures(&service.app.db, &service.app.log).await.unwrap(), 1);
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());
}

/// Two nodes never fetched theirs, and the split that replaces it leaves them out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_commitment_takes_into_custody_is_not_had_from_it() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "node_urls": ["a", "d"]});
    let made = service.post("native", "qt/refresh/prepare", &body).await.is(201).json()["split"].clone();
    let before = Backup::make(&service.app, &TABLES).await;
    assert_eq!((before.of("vault"), before.of("qt_shards")), (1, 5));
    let mut nodes = service.nodes(["a", "d"]).await;
    nodes[0].turn().await.unwrap();
    assert_eq!(service.state(&vault_id).await, "sealed");
    let commit = json!({"vault_id": vault_id, "split_id": made["split_id"]});
    service.post("native", "qt/refresh/commit", &commit).await.is(200);
    assert_eq!((service.state(&vault_id).await.as_str(), service.count(WAITING).await), ("in-custody", 0));
    assert_eq!(before.opens(&service.app).await, Vec::<String>::new());
}

async fn erase(service: &Service, vault_id: &str) -> Value {
    let body = json!({"identity_id": service.ana.to_hex(), "splits": []});
    service.post("native", &format!("vault/{vault_id}/erase"), &body).await.is(200).json()
}
