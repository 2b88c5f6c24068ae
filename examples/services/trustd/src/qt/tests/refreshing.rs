//! The same secret dealt anew.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_counts_from_its_entry_and_old_shards_go() {
    let mut service = Service::new().await;
    let (vault_id, before) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let prepare = |request: Option<&Value>| {
        let mut body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "node_urls": ["a", "b", "d"]});
        if let Some(request) = request {
            body["request_id"] = request["request_id"].clone();
        }
        body
    };
    // The nodes alone have the secret: people approve that it is dealt anew.
    let asked = service.post("native", "qt/refresh/prepare", &prepare(None)).await.is(202).json()["request"].clone();
    assert_eq!(asked["request"]["op"], "refresh");
    let early = service.post("native", "qt/refresh/prepare", &prepare(Some(&asked))).await;
    assert_eq!(early.is(409).code(), "conflict");
    service.prove(&asked, &key).await.is(200);
    assert_eq!(service.document(&asked).await.is(404).code(), "unknown-id");
    for node in &mut nodes {
        assert_eq!(node.turn().await.unwrap().released.len(), 1);
    }
    let made = service.post("native", "qt/refresh/prepare", &prepare(Some(&asked))).await.is(201).json();
    let split = &made["split"];
    assert_eq!((&split["state"], &split["previous"]), (&json!("prepared"), &before["split_id"]));
    let again = service.post("native", "qt/refresh/prepare", &prepare(Some(&asked))).await;
    assert_eq!(again.is(409).code(), "request-closed");

    // Too few hold theirs; then all do.
    let commit = json!({"vault_id": vault_id, "split_id": split["split_id"]});
    assert_eq!(service.post("native", "qt/refresh/commit", &commit).await.is(409).code(), "conflict");
    nodes.extend(service.nodes(["d"]).await);
    for node in &mut nodes[..2] {
        assert_eq!(node.turn().await.unwrap().pulled.len(), 1);
        assert_eq!(node.holds().unwrap().len(), 2);
    }
    // Until it is committed the old shards rebuild.
    let request = service.reconstruct(&vault_id).await;
    assert_eq!(request["request"]["split_id"], before["split_id"]);
    // Whichever process is asked.
    service.restarted().await;
    let committed = service.post("native", "qt/refresh/commit", &commit).await.is(200).json();
    assert_eq!((&committed["state"], &committed["custody"]), (&json!("force"), &json!(true)));
    assert_eq!(service.post("native", "qt/refresh/commit", &commit).await.is(409).code(), "conflict");

    // Under the next checkpoint the nodes let the old ones go, and the new ones rebuild.
    service.app.log.checkpoint().await.unwrap();
    let deleted: Vec<usize> = {
        let mut deleted = Vec::new();
        for node in &mut nodes {
            deleted.push(node.turn().await.unwrap().deleted.len());
        }
        deleted
    };
    assert_eq!(deleted, [1, 1, 0, 0]);
    for (node, held) in nodes.iter().zip([1, 1, 1, 1]) {
        assert_eq!(node.holds().unwrap().len(), held);
    }
    service.later(61);
    let request = service.reconstruct(&vault_id).await;
    assert_eq!(request["request"]["split_id"], split["split_id"]);
    service.prove(&request, &key).await.is(200);
    for place in [0, 3] {
        let turn = nodes[place].turn().await.unwrap();
        assert_eq!(turn.released.len(), 1, "{turn:?}");
    }
    assert_eq!(service.document(&request).await.is(200).body, DOCUMENT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_kept_secret_is_dealt_anew_with_other_numbers() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut node = service.node("a").await;
    node.turn().await.unwrap();
    let body =
        json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "m": 3, "node_urls": ["a", "b", "c", "d"]});
    let made = service.post("native", "qt/refresh/prepare", &body).await.is(201).json()["split"].clone();
    assert_eq!((&made["m"], &made["n"]), (&json!(3), &json!(4)));
    node.turn().await.unwrap();
    assert_eq!(node.holds().unwrap().len(), 2);
    // The others have not fetched the first yet: they take it first, and the new one beside it.
    let mut nodes = service.nodes(["b", "c", "d"]).await;
    for (node, held) in nodes.iter_mut().zip([2, 2, 1]) {
        node.turn().await.unwrap();
        assert_eq!(node.holds().unwrap().len(), held);
    }
    let commit = json!({"vault_id": vault_id, "split_id": made["split_id"], "najmanje": 3});
    let committed = service.post("native", "qt/refresh/commit", &commit).await.is(200).json();
    assert_eq!((&committed["state"], &committed["custody"]), (&json!("force"), &json!(true)));
    assert!(!service.has_secret(&vault_id).await);
}
