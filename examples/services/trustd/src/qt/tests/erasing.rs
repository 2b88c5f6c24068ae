//! A vault is erased: its nodes delete on the operator's word, and it is gone when too few shards remain.

use super::*;

async fn erase(service: &Service, vault_id: &str) -> Value {
    let body = json!({"identity_id": service.ana.to_hex(), "splits": []});
    service.post("native", &format!("vault/{vault_id}/erase"), &body).await.is(200).json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_delete_what_was_erased() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    assert_eq!(erase(&service, &vault_id).await["state"], "erasing");
    // What was approved before is worth nothing now.
    assert_eq!(service.document(&request).await.is(409).code(), "request-closed");
    for (place, state) in [(0, "erasing"), (1, "erased"), (2, "erased")] {
        let turn = nodes[place].turn().await.unwrap();
        assert_eq!((turn.deleted.len(), turn.released.len(), turn.refused.len()), (1, 0, 0), "{turn:?}");
        assert!(nodes[place].holds().unwrap().is_empty());
        assert_eq!(service.state(&vault_id).await, state, "{place}");
        assert!(nodes[place].turn().await.unwrap().is_idle());
    }
    assert_eq!(service.said("shard deleted").await, 3);
    let body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex()});
    assert_eq!(service.post("native", "qt/reconstruct", &body).await.is(409).code(), "erased");
    assert_eq!(service.post("native", "qt/split", &service.splitting(&vault_id)).await.is(409).code(), "erased");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_node_fetched_is_gone_at_once() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut node = service.node("a").await;
    node.turn().await.unwrap();
    assert_eq!(erase(&service, &vault_id).await["state"], "erased");
    assert_eq!((service.count(WAITING).await, service.has_secret(&vault_id).await), (0, false));
    assert_eq!(service.get("node:b", &format!("qt/shard/{vault_id}")).await.is(409).code(), "erased");
    assert_eq!(node.turn().await.unwrap().deleted.len(), 1);
    assert!(node.holds().unwrap().is_empty());
}

/// The word of anybody else makes no node delete.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_deletes_on_the_pinned_word_alone() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    drop(nodes.remove(0));
    let mut config = service.config("a").await;
    config.operator = Ed25519SigningKey::generate(&mut SystemRng).unwrap().public_key().to_string();
    let mut node = Node::open(config, service.app.clock.clone()).unwrap();
    erase(&service, &vault_id).await;
    let turn = node.turn().await.unwrap();
    assert_eq!((turn.deleted.len(), turn.refused.len(), node.holds().unwrap().len()), (0, 1, 1), "{turn:?}");
    assert_eq!(service.state(&vault_id).await, "erasing");
}
