//! Nodes that hold shares of quorums, by the same program: pulled, acknowledged, given back by their keepers' rule.

use super::*;
use std::os::unix::fs::PermissionsExt as _;

/// `resolution 7`, as a request has it.
const MESSAGE: &str = "cmVzb2x1dGlvbiA3";

impl Service {
    /// A node whose keeper says yes to one message, and to dealing anew.
    async fn signs(&self, label: &str) -> Node {
        let program = self.folder.path().join("gives-back");
        std::fs::write(&program, format!("#!/bin/sh\ngrep -q -e {MESSAGE} -e obnova\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        let config = NodeConfig { gives_back: Some(program), ..self.config(label).await };
        Node::open(config, self.app.clock.clone()).unwrap()
    }

    async fn ask(&self, session_id: &Value, what: Value) -> Value {
        let mut body = json!({"session_id": session_id, "identity_id": self.ana.to_hex()});
        body.as_object_mut().unwrap().extend(what.as_object().unwrap().clone());
        self.post("native", "threshold/requests", &body).await.is(201).json()
    }

    fn of(&self, session_id: &Value, request: &Value) -> Value {
        json!({"session_id": session_id, "identity_id": self.ana.to_hex(), "request_id": request["request_id"]})
    }
}

fn potpis(message: &str) -> Value {
    json!({"namjena": "potpis", "poruka_b64": message})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_keep_shares_and_give_them_back_by_their_keepers_rule() {
    let service = Service::new().await;
    let founded = service.post("native", "threshold/sesija", &json!({"n": 3, "k": 2})).await.is(201).json();
    let session = &founded["session_id"];
    for mut node in service.nodes(["a", "b", "c"]).await {
        assert!(node.turn().await.unwrap().is_idle(), "it has its share");
    }
    let kvorum = format!("threshold/borg/kvorum?session_id={}", text(&founded, "session_id"));
    let info = service.get("native", &format!("threshold/sesija/{}", text(&founded, "session_id"))).await;
    assert_eq!(info.is(200).json()["stanje"], "active");

    // Without a rule nothing is given back, and nobody is asked twice.
    let request = service.ask(session, potpis(MESSAGE)).await;
    let mut silent = service.node("a").await;
    let turn = silent.turn().await.unwrap();
    assert_eq!((turn.given.len(), turn.refused), (0, vec!["not-allowed".to_owned()]));
    assert!(silent.turn().await.unwrap().is_idle());
    drop(silent);

    // The keeper's rule says yes to one message, and the service signs nothing else.
    let other = service.ask(session, potpis("YW5vdGhlcg==")).await;
    let mut nodes = vec![service.signs("a").await, service.signs("b").await];
    for node in &mut nodes {
        let turn = node.turn().await.unwrap();
        assert_eq!((turn.given.len(), turn.refused), (1, vec!["not-allowed".to_owned()]));
    }
    let signed = service.post("native", "threshold/potpisi", &service.of(session, &request)).await;
    assert_eq!(signed.is(201).json()["ok"], true);
    let refused = service.post("native", "threshold/potpisi", &service.of(session, &other)).await;
    assert_eq!(refused.is(200).json()["ok"], false);

    // Dealt anew: the older share stays until the operator's word.
    let request = service.ask(session, json!({"namjena": "obnova"})).await;
    for node in &mut nodes {
        assert_eq!(node.turn().await.unwrap().given.len(), 1);
    }
    let prepared = service.of(session, &request);
    let prepared = service.post("native", "threshold/refresh/prepare", &prepared).await.is(201).json();
    nodes.push(service.signs("c").await);
    for node in &mut nodes {
        assert_eq!(node.turn().await.unwrap().shares.len(), 1);
    }
    let files = || {
        std::fs::read_to_string(
            service.folder.path().join(format!("node-a/sessions/{}-1.json", text(&founded, "session_id"))),
        )
        .unwrap()
    };
    assert!(!files().contains("\"current\":null") && !files().contains("\"prepared\":null"));
    let commit = json!({"session_id": session, "split_id": prepared["split_id"]});
    service.post("native", "threshold/refresh/commit", &commit).await.is(200);
    service.app.log.checkpoint().await.unwrap();
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    assert!(files().contains("\"prepared\":null") && files().contains(text(&prepared, "split_id")));
    let request = service.ask(session, potpis(MESSAGE)).await;
    for node in &mut nodes[1..] {
        assert_eq!(node.turn().await.unwrap().given.len(), 1);
    }
    let signed = service.post("native", "threshold/potpisi", &service.of(session, &request)).await;
    assert_eq!(signed.is(201).json()["ok"], true);

    // Each says again that it has its share, and a share that was prepared and never committed goes.
    service.later(660);
    assert_eq!(service.get("native", &kvorum).await.is(200).json()["present"], json!([]));
    for node in &mut nodes {
        node.turn().await.unwrap();
    }
    assert_eq!(service.get("native", &kvorum).await.is(200).json()["present"], json!([1, 2, 3]));
    let request = service.ask(session, json!({"namjena": "obnova"})).await;
    for node in &mut nodes {
        assert_eq!(node.turn().await.unwrap().given.len(), 1);
    }
    service.post("native", "threshold/refresh/prepare", &service.of(session, &request)).await.is(201);
    nodes[0].turn().await.unwrap();
    assert!(!files().contains("\"prepared\":null"));
    service.later(1201);
    crate::threshold::sweep(&service.app).await.unwrap();
    nodes[0].turn().await.unwrap();
    assert!(files().contains("\"prepared\":null") && files().contains(text(&prepared, "split_id")));
}
