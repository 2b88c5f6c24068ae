//! What nodes and the service refuse: lies, forwarded requests, what was proved for another request, the same twice.

use super::*;
use crate::presence::store::{self, AuthenticatorRow, Terms};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lying_node_is_named_and_takes_no_part() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    let path = format!("qt/requests/{}/shards", id(&request));
    assert_eq!(service.post("node:d", &path, &json!({})).await.is(404).code(), "unknown-id");
    service.post("node:b", &path, &json!({"vrijednost_hex": "junk"})).await.is(204);
    nodes[0].turn().await.unwrap();
    // One that holds and one that does not are too few.
    assert_eq!(service.document(&request).await.is(409).code(), "conflict");
    let told = service.get("native", &format!("qt/requests/{}", id(&request))).await.is(200).json();
    let named = |one: &Value| (one["node_url"].as_str().unwrap().to_owned(), one["holds"].as_bool().unwrap());
    let given: Vec<_> = told["shards"].as_array().unwrap().iter().map(named).collect();
    assert_eq!(given, [("a".to_owned(), true), ("b".to_owned(), false)]);
    nodes[2].turn().await.unwrap();
    assert_eq!(service.document(&request).await.is(200).body, DOCUMENT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_for_another_recipient_is_refused() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let held = nodes.pop().unwrap().holds().unwrap();
    // The same folder, and another service pinned: what reaches it here is forwarded from one that it does not know.
    let mut config = service.config("c").await;
    let other = SigningKey::generate(&mut SystemRng).unwrap();
    config.service_key = dualseal::shard::Recipient::of_key(other.public_key().as_bytes()).to_hex();
    let mut node = Node::open(config, service.app.clock.clone()).unwrap();
    assert_eq!(node.holds().unwrap(), held);
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    let turn = node.turn().await.unwrap();
    assert_eq!((turn.released.len(), turn.refused), (0, vec!["other-request".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_serves_its_own_request_and_once() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let [one, two] = [service.reconstruct(&vault_id).await, service.reconstruct(&vault_id).await];
    let replayed = service.proof(&one, &key);
    let path = format!("qt/requests/{}/proofs", id(&two));
    assert_eq!(service.post("noble", &path, &replayed).await.is(422).code(), "invalid-field");
    let stranger = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    assert_eq!(service.prove(&two, &stranger).await.is(422).code(), "invalid-field");
    assert_eq!(service.post("stranger", &path, &replayed).await.is(404).code(), "unknown-id");
    let told = service.get("native", &format!("qt/requests/{}", id(&two))).await.is(200).json();
    assert_eq!((&told["state"], &told["proofs"]), (&json!("open"), &json!(0)));

    // A node spends a nonce for itself: it is not asked for the same shard twice, also after it began anew.
    service.prove(&one, &key).await.is(200);
    assert_eq!(nodes[0].turn().await.unwrap().released.len(), 1);
    service.app.db.execute(WITHDRAW, values![id(&one)]).await.unwrap();
    drop(nodes.remove(0));
    let mut again = service.node("a").await;
    let turn = again.turn().await.unwrap();
    assert_eq!((turn.released.len(), turn.refused), (0, vec!["presence-nonce-used".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_ends_with_its_time() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    for node in &mut nodes[..2] {
        assert_eq!(node.turn().await.unwrap().released.len(), 1);
    }
    service.later(300);
    assert_eq!(service.document(&request).await.is(409).code(), "request-closed");
    assert!(nodes[2].turn().await.unwrap().is_idle());
    let told = service.get("native", &format!("qt/requests/{}", id(&request))).await.is(200).json();
    assert_eq!((&told["state"], service.count(KEYS).await), (&json!("expired"), 0));
    for row in service.app.db.list(GIVEN, values![id(&request)]).await.unwrap() {
        assert!(row.bytes("stored").unwrap().is_empty());
    }
}

/// A service that was taken over enrols a key in a moment; the nodes wait until they have known it for a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_counts_no_authenticator_that_it_has_just_met() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.enrol().await;
    service.later(61);
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    let refused = (0, vec!["presence-too-few".to_owned()]);
    let turn = nodes[0].turn().await.unwrap();
    assert_eq!((turn.released.len(), turn.refused), refused);
    // It is not known before a checkpoint shows its entry, however long it is listed.
    service.later(60);
    service.app.log.checkpoint().await.unwrap();
    let turn = nodes[0].turn().await.unwrap();
    assert_eq!((turn.released.len(), turn.refused), refused);
    // It met it now: a minute later it counts.
    service.later(60);
    assert_eq!(nodes[0].turn().await.unwrap().released.len(), 1);
    assert_eq!(nodes[1].turn().await.unwrap().released.len(), 0);
}

/// The service, or whoever has its master, lists a key of its own to nodes alone: the log, which others see, has no
/// entry of it, and that of another key is none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_counts_no_authenticator_that_the_log_does_not_have() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let known = service.present(&mut nodes).await;
    let listed = store::of(&service.app, &service.ana, World::Real).await.unwrap();
    let other = listed.iter().find(|row| row.id == known.public_key().to_string()).unwrap();
    let mut keys = Vec::new();
    for entry in [None, other.entry] {
        let key = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
        let id = key.public_key().to_string();
        let row = AuthenticatorRow { id: id.clone(), material: id, entry, ..other.clone() };
        let mut tx = service.app.db.begin().await.unwrap();
        row.add(&Terms::of(&service.app), &mut tx).await.unwrap();
        tx.commit().await.unwrap();
        keys.push(key);
    }
    service.app.log.checkpoint().await.unwrap();
    nodes[0].turn().await.unwrap();
    service.later(61);
    for key in &keys {
        let request = service.reconstruct(&vault_id).await;
        service.prove(&request, key).await.is(200);
        let turn = nodes[0].turn().await.unwrap();
        assert_eq!((turn.released.len(), turn.refused), (0, vec!["presence-too-few".to_owned()]));
        service.later(301);
    }
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &known).await.is(200);
    assert_eq!(nodes[0].turn().await.unwrap().released.len(), 1);
}
