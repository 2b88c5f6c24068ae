//! The way of a secret: split, pulled, in custody, rebuilt by people who are present.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_goes_to_its_nodes_and_comes_back_to_present_people() {
    let service = Service::new().await;
    let (vault_id, split) = service.split().await;
    assert_eq!((&split["state"], &split["custody"], &split["m"]), (&json!("force"), &json!(false), &json!(2)));
    assert_eq!(split["seq"], service.app.log.state().await.unwrap().head().size() - 1);
    assert_eq!(service.count(WAITING).await, 3);

    // Each node keeps its own, and with the last the service's copies are gone.
    let mut nodes = service.nodes(["a", "b"]).await;
    assert!(service.has_secret(&vault_id).await);
    assert_eq!(service.state(&vault_id).await, "sealed");
    nodes.extend(service.nodes(["c"]).await);
    assert!(!service.has_secret(&vault_id).await);
    assert_eq!((service.state(&vault_id).await.as_str(), service.count(WAITING).await), ("in-custody", 0));
    let unseal = json!({"identity_id": service.ana.to_hex()});
    let path = format!("vault/{vault_id}/unseal");
    assert_eq!(service.post("native", &path, &unseal).await.is(409).code(), "in-custody");
    for (what, times) in [("shard pulled", 3), ("shard acknowledged", 3), ("vault in custody", 1)] {
        assert_eq!(service.said(what).await, times, "{what}");
    }
    for (node, shard) in nodes.iter().zip(split["shards"].as_array().unwrap()) {
        assert_eq!(node.holds().unwrap()[0].to_hex(), shard["shard_id"].as_str().unwrap());
    }

    // Nobody is present yet: nothing is released, and nothing is rebuilt.
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    assert_eq!((&request["state"], &request["required"], &request["proofs"]), (&json!("open"), &json!(1), &json!(0)));
    for node in &mut nodes {
        assert!(node.turn().await.unwrap().released.is_empty());
    }
    assert_eq!(service.document(&request).await.is(409).code(), "conflict");

    // Ana approves; the first shard alone is too few, and spends nothing.
    let approved = service.prove(&request, &key).await.is(200).json();
    assert_eq!((&approved["state"], &approved["proofs"]), (&json!("approved"), &json!(1)));
    assert_eq!(nodes[0].turn().await.unwrap().released.len(), 1);
    assert_eq!(service.document(&request).await.is(409).code(), "conflict");
    assert_eq!(nodes[2].turn().await.unwrap().released.len(), 1);
    assert!(nodes[2].turn().await.unwrap().is_idle());
    let told = service.get("noble", &format!("qt/requests/{}", id(&request))).await.is(200).json();
    let holds: Vec<_> = told["shards"].as_array().unwrap().iter().map(|one| one["holds"].clone()).collect();
    assert_eq!(holds, [true, true]);

    // Another native has not opened it; the opener gets it once, and then nothing is left of it here.
    let path = format!("qt/requests/{}/document", id(&request));
    assert_eq!(service.get("second", &path).await.is(404).code(), "unknown-id");
    assert_eq!(service.document(&request).await.is(200).body, DOCUMENT);
    assert_eq!(service.document(&request).await.is(409).code(), "request-closed");
    assert_eq!((service.count(KEYS).await, service.said("vault rebuilt").await), (0, 1));
    for row in service.app.db.list(GIVEN, values![id(&request)]).await.unwrap() {
        assert!(row.bytes("stored").unwrap().is_empty());
    }
    assert!(nodes[1].turn().await.unwrap().is_idle());
}

/// However many ask at once, and whoever was killed before he tidied up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_leaves_once_and_what_it_came_from_goes() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    let path = format!("qt/requests/{}/document", id(&request));
    assert_eq!(service.get("second", &path).await.is(404).code(), "unknown-id", "another native did not ask for it");
    let asked = futures::future::join_all((0..4).map(|_| service.document(&request))).await;
    let given = asked.iter().filter(|answer| answer.status == 200 && answer.body == DOCUMENT).count();
    let closed = asked.iter().filter(|answer| answer.status == 409).count();
    assert_eq!((given, closed), (1, 3), "{asked:?}");

    // Used, and ended by a crash before what nodes released was destroyed.
    let request = service.reconstruct(&vault_id).await;
    service.prove(&request, &key).await.is(200);
    nodes[0].turn().await.unwrap();
    service.app.db.execute(USED, values![id(&request)]).await.unwrap();
    assert_eq!(service.count(KEYS).await, 1);
    let vault = testing::vault(&service.app).await;
    assert_eq!(crate::qt::sweep(&service.app, &vault).await.unwrap(), 1);
    assert_eq!((service.count(KEYS).await, crate::qt::sweep(&service.app, &vault).await.unwrap()), (0, 0));
    for row in service.app.db.list(GIVEN, values![id(&request)]).await.unwrap() {
        assert!(row.bytes("stored").unwrap().is_empty());
    }
}

/// The program itself: it pulls and keeps, and stops when it is told to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_runs_until_it_is_told_to_stop() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let config = service.config("a").await;
    let running = tokio::spawn(crate::node::run(config.clone(), async move { drop(stopped.await) }));
    for _ in 0..200 {
        if service.said("shard acknowledged").await == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    // Two of one folder would spend each nonce twice.
    assert!(Node::open(config, service.app.clock.clone()).is_err());
    stop.send(()).unwrap();
    running.await.unwrap().unwrap();
    assert_eq!(service.node("a").await.holds().unwrap().len(), 1);
    assert_eq!(service.get("node:a", &format!("qt/shard/{vault_id}")).await.is(409).code(), "in-custody");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_split_is_checked_before_anything_is_dealt() {
    let service = Service::new().await;
    let vault_id = service.seal().await;
    let split = |change: &dyn Fn(&mut Value)| {
        let mut body = service.splitting(&vault_id);
        change(&mut body);
        body
    };
    for (body, status) in [
        (split(&|body| body["m"] = json!(1)), 422),
        (split(&|body| body["m"] = json!(4)), 422),
        (split(&|body| body["n"] = json!(2)), 422),
        (split(&|body| body["node_urls"][2] = json!("stranger")), 422),
        (split(&|body| body["node_urls"][2] = json!("a")), 422),
        (split(&|body| body["more"] = json!(1)), 422),
        (split(&|body| body["vault_id"] = json!("00".repeat(32))), 404),
        (split(&|body| body["identity_id"] = json!("00".repeat(32))), 404),
    ] {
        service.post("native", "qt/split", &body).await.is(status);
    }
    assert_eq!(service.count(WAITING).await, 0);
    assert_eq!(service.post("decoy", "qt/split", &split(&|_| {})).await.is(404).code(), "unknown-id");
    service.post("native", "qt/split", &split(&|_| {})).await.is(201);
    assert_eq!(service.post("native", "qt/split", &split(&|_| {})).await.is(409).code(), "conflict");
    assert_eq!(service.count(WAITING).await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn splits_are_listed_to_their_owner_and_seals_verified_by_anybody() {
    let service = Service::new().await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(service.split().await.1);
        service.later(1);
    }
    let first = service.get("noble", "qt/vaults?limit=2").await.is(200).json();
    let names = |page: &Value| -> Vec<Value> {
        page["items"].as_array().unwrap().iter().map(|one| one["split_id"].clone()).collect()
    };
    assert_eq!(names(&first), [made[2]["split_id"].clone(), made[1]["split_id"].clone()]);
    let after = format!("qt/vaults?limit=2&after={}", first["next"].as_str().unwrap());
    let last = service.get("noble", &after).await.is(200).json();
    assert_eq!((names(&last), &last["next"]), (vec![made[0]["split_id"].clone()], &Value::Null));
    assert_eq!(names(&service.get("stranger", "qt/vaults").await.is(200).json()), Vec::<Value>::new());
    assert_eq!(names(&service.get("decoy", "qt/vaults").await.is(200).json()), Vec::<Value>::new());
    for bad in ["limit=0", "limit=201", "after=x"] {
        service.get("noble", &format!("qt/vaults?{bad}")).await.is(422);
    }

    let vault_id = made[0]["vault_id"].as_str().unwrap();
    let shard = service.get("node:a", &format!("qt/shard/{vault_id}")).await.is(200).json();
    let again = service.get("node:a", &format!("qt/shard/{vault_id}")).await.is(200).json();
    assert_eq!((&shard, service.said("shard pulled").await), (&again, 1));
    let seal = |shard_id: &Value| {
        let (vault_id, identity_id, seal) = (&shard["vault_id"], &shard["identity_id"], &shard["seal"]);
        json!({"shard_id": shard_id, "vault_id": vault_id, "identity_id": identity_id, "seal": seal})
    };
    let good = service.post("", "qt/verify", &seal(&shard["shard_id"])).await.is(200).json();
    assert_eq!(good, json!({"validan": true, "razlog": null}));
    let bad = service.post("", "qt/verify", &seal(&json!("11".repeat(32)))).await.is(200).json();
    assert_eq!(bad, json!({"validan": false, "razlog": "shard-seal"}));
    service.get("", "qt/health").await.is(200);
    // What is another node's is not there.
    assert_eq!(service.get("node:d", &format!("qt/shard/{vault_id}")).await.is(404).code(), "unknown-id");
    let ack = json!({"shard_id": shard["shard_id"], "said": "held"});
    assert_eq!(service.post("node:b", &format!("qt/shard/{vault_id}/ack"), &ack).await.is(404).code(), "unknown-id");
    service.post("node:a", &format!("qt/shard/{vault_id}/ack"), &ack).await.is(200);
    assert_eq!(service.get("node:a", &format!("qt/shard/{vault_id}")).await.is(409).code(), "in-custody");
}

/// What people need to decide, of what waits for them, and of nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_shown_what_waits_for_them() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let key = service.present(&mut nodes).await;
    let open = "qt/requests/open";
    assert_eq!(service.get("noble", open).await.is(200).json(), json!({"items": [], "next": null}));
    let first = service.reconstruct(&vault_id).await;
    service.later(1);
    let body = json!({"vault_id": vault_id, "identity_id": service.ana.to_hex(), "m": 3, "node_urls": ["a", "b", "d"]});
    let second = service.post("second", "qt/refresh/prepare", &body).await.is(202).json()["request"].clone();
    let by = |name: &str| service.app.log.domain().identity_id(b"", name, "").unwrap().to_hex();
    assert_eq!((text(&first, "opener"), text(&second, "opener")), (&*by("native"), &*by("second")));
    assert_eq!(text(&first, "opened"), "2026-11-21T09:01:01.000Z");
    assert_eq!(first["arguments"], json!({"m": null, "n": null, "node_urls": null}));
    assert_eq!(second["arguments"], json!({"m": 3, "n": 3, "node_urls": ["a", "b", "d"]}));

    // The newest first, a page at a time, to whoever may approve it.
    let page = service.get("noble", &format!("{open}?limit=1")).await.is(200).json();
    assert_eq!(page["items"], json!([second]));
    let page = service.get("noble", &format!("{open}?limit=1&after={}", text(&page, "next"))).await.is(200).json();
    assert_eq!((&page["items"], &page["next"]), (&json!([first]), &Value::Null));
    assert_eq!(service.get("native", open).await.is(200).json()["items"], json!([second, first]));
    assert_eq!(service.get("stranger", open).await.is(200).json()["items"], json!([]));
    assert_eq!(service.get("decoy", open).await.is(200).json()["items"], json!([]));

    // Not any more, once it is approved or over.
    service.prove(&second, &key).await.is(200);
    assert_eq!(service.get("noble", open).await.is(200).json()["items"], json!([first]));
    service.later(299);
    assert_eq!(service.get("noble", open).await.is(200).json()["items"], json!([]));
}
