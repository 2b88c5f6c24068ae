//! More than one must be present: each once, whatever he sends.

use super::*;

/// A request that two must approve, with the keys of both.
struct Asked {
    service: Service,
    nodes: Vec<Node>,
    request: Value,
    keys: [Ed25519SigningKey; 2],
}

async fn asked() -> Asked {
    let service = Service::asking(2).await;
    let (vault_id, _) = service.split().await;
    let mut nodes = service.nodes(["a", "b", "c"]).await;
    let first = service.present(&mut nodes).await;
    let body = json!({"identity_id": service.ana.to_hex()});
    let begun = service.post("noble", "presence/vouch/begin", &body).await.is(201).json();
    let voucher = service.enrolment(&begun, &first)["authenticator"].clone();
    let vouch = json!({"enrolment_id": begun["enrolment_id"], "voucher": voucher});
    let invited = service.post("noble", "presence/vouch/finish", &vouch).await.is(201).json();
    let begin = json!({"invitation": invited["invitation"], "kind": "ed25519"});
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    let second = Ed25519SigningKey::generate(&mut SystemRng).unwrap();
    service.post("", "presence/enrol/finish", &service.enrolment(&begun, &second)).await.is(201);
    service.app.log.checkpoint().await.unwrap();
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    service.later(61);
    let request = service.reconstruct(&vault_id).await;
    Asked { service, nodes, request, keys: [first, second] }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_are_present_and_each_counts_once() {
    let Asked { service, mut nodes, request, keys } = asked().await;
    for _ in 0..2 {
        let told = service.prove(&request, &keys[0]).await.is(200).json();
        assert_eq!((&told["state"], &told["proofs"]), (&json!("open"), &json!(1)));
        assert!(nodes[0].turn().await.unwrap().is_idle(), "no node is asked");
        assert_eq!(service.document(&request).await.is(409).code(), "conflict");
    }
    let told = service.prove(&request, &keys[1]).await.is(200).json();
    assert_eq!((&told["state"], &told["proofs"]), (&json!("approved"), &json!(2)));
    for node in &mut nodes[..2] {
        assert_eq!(node.turn().await.unwrap().released.len(), 1);
    }
    assert_eq!(service.document(&request).await.is(200).body, DOCUMENT);
}

/// A service that was taken over says that it is approved, and shows one proof twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_counts_nobody_twice() {
    const AGAIN: platform::db::Statement = platform::db::Statement::new(
        "INSERT INTO qt_proofs (request_id, authenticator, proof) SELECT request_id, $2, proof FROM qt_proofs \
         WHERE request_id = $1",
    );
    const APPROVED: platform::db::Statement =
        platform::db::Statement::new("UPDATE qt_requests SET state = 'approved' WHERE id = $1");
    let Asked { service, mut nodes, request, keys } = asked().await;
    service.prove(&request, &keys[0]).await.is(200);
    service.app.db.execute(AGAIN, values![id(&request), "other"]).await.unwrap();
    service.app.db.execute(APPROVED, values![id(&request)]).await.unwrap();
    let turn = nodes[0].turn().await.unwrap();
    assert_eq!((turn.released.len(), turn.refused), (0, vec!["presence-too-few".to_owned()]));
    assert_eq!(service.document(&request).await.is(409).code(), "conflict");
}
