//! Dealing anew.

use super::{Service, native, person};
use crate::threshold::sweep;
use dualseal::id::SessionId;
use dualseal::threshold::Session;
use platform::access::World;
use platform::db::Statement;
use platform::values;
use serde_json::{Value, json};

const SIGNED: Statement = Statement::new("SELECT COUNT(*) AS many FROM checkpoints WHERE size >= $1");
const MESSAGE: &str = "cmVzb2x1dGlvbiA4";

async fn service(kind: Option<&str>) -> (Service, SessionId) {
    let mut service = Service::new(4).await;
    let mut ask = json!({"n": 3, "k": 2});
    if let Some(kind) = kind {
        ask["algoritam"] = kind.into();
        ask["identity_id"] = person("board").to_hex().into();
    }
    let founded = service.held(&native(), ask).await;
    (service, founded["session_id"].as_str().unwrap().parse().unwrap())
}

/// Opens a request, has nodes give their shares back for it, and prepares.
async fn prepare(service: &Service, session_id: &SessionId, more: &[(&str, Value)]) -> Value {
    let request = open(service, session_id).await;
    service.nodes[0].give(service, session_id, 1, &request).await;
    service.nodes[1].give(service, session_id, 2, &request).await;
    let ask = preparing(session_id, &request, more);
    let given = service.secrets_of("given_shares").await;
    let prepared = service.post("refresh/prepare", &native(), ask.clone()).await.ok(201);
    assert_eq!(service.secrets_of("given_shares").await, given - 2, "what was given back for it is wiped");
    service.post("refresh/prepare", &native(), ask).await.refused(409, "request-closed");
    prepared
}

async fn open(service: &Service, session_id: &SessionId) -> Value {
    let ask = json!({"session_id": session_id.to_hex(), "identity_id": native().subject.to_hex(), "namjena": "obnova"});
    service.post("requests", &native(), ask).await.ok(201)
}

fn preparing(session_id: &SessionId, request: &Value, more: &[(&str, Value)]) -> Value {
    let mut ask = json!({
        "session_id": session_id.to_hex(), "identity_id": native().subject.to_hex(),
        "request_id": request["request_id"],
    });
    for (member, value) in more {
        ask[*member] = value.clone();
    }
    ask
}

fn committing(session_id: &SessionId, prepared: &Value) -> Value {
    json!({"session_id": session_id.to_hex(), "split_id": prepared["split_id"]})
}

async fn sign(service: &Service, session_id: &SessionId, numbers: &[u8], prepared: bool) -> bool {
    let held = numbers.iter().map(|n| service.nodes[usize::from(*n) - 1].pair(session_id, *n, prepared));
    let (splits, pairs): (Vec<_>, Vec<_>) = held.unzip();
    let ask = json!({"session_id": session_id.to_hex(), "identity_id": native().subject.to_hex(),
        "poruka_b64": MESSAGE, "udjeli": pairs, "split_id": splits[0].to_hex()});
    let answer = service.post("potpisi", &native(), ask).await;
    let status = answer.status.as_u16();
    let result = answer.ok(status);
    assert_eq!(status, if result["ok"] == true { 201 } else { 200 }, "{result}");
    result["ok"] == true
}

async fn state(service: &Service, session_id: &SessionId) -> Value {
    service.get(&format!("sesija/{session_id}"), &native()).await.ok(200)["stanje"].clone()
}

/// Whoever holds a number of the splitting in force gets no share of it that is prepared for another node.
#[tokio::test]
async fn a_number_that_goes_to_another_node_is_pulled_by_that_one_alone() {
    let (service, session_id) = service(None).await;
    let turned = json!(["node-1", "node-0", "node-2"]);
    let prepared = prepare(&service, &session_id, &[("vlasnici", turned)]).await;
    for (number, before, now) in [(1, 0, 1), (2, 1, 0)] {
        assert!(service.nodes[before].pull(&service, &session_id, number).await.is_none(), "{number}");
        let (split_id, _) = service.nodes[now].pull(&service, &session_id, number).await.unwrap();
        assert_eq!(prepared["split_id"], split_id.to_hex());
    }
}

#[tokio::test]
async fn new_shares_count_from_their_commitment_on() {
    for kind in [None, Some("SHAMIR-2^521-1-ML-DSA-65")] {
        let (mut service, session_id) = service(kind).await;
        let prepared = prepare(&service, &session_id, &[]).await;
        let record = Session::from_json(prepared["zapis"].to_string().as_bytes()).unwrap();
        assert!(record.authority_hex().is_none(), "the coordinator alone has it");
        assert_eq!(state(&service, &session_id).await, "refreshing");
        let refused = service.post("refresh/commit", &native(), committing(&session_id, &prepared)).await;
        assert!(refused.refused(409, "conflict")["detail"].as_str().unwrap().contains("3 must"));
        service.distribute(World::Real).await;
        assert_eq!(service.secrets_of("holdings").await, 0);
        // The old shares sign until then, and the new ones do not.
        assert!(sign(&service, &session_id, &[1, 2], false).await);
        assert!(!sign(&service, &session_id, &[1, 2], true).await);
        // Others append between, in the same transactions and out of them.
        service.others_append(600).await;
        let size = service.app.log.state().await.unwrap().head().size();
        let ask = committing(&session_id, &prepared);
        let native = native();
        let committing = service.post("refresh/commit", &native, ask.clone());
        let (committed, ()) = tokio::join!(committing, service.others_append(3));
        let committed = committed.ok(200);
        assert_eq!((&committed["split_id"], &committed["stanje"]), (&prepared["split_id"], &json!("active")));
        let signed = service.app.db.find(SIGNED, values![size]).await.unwrap().unwrap().size("many").unwrap();
        assert_eq!(signed, 2, "one before, so that little is read while others wait, and one that is answered under");
        let record = Session::from_json(committed["zapis"].to_string().as_bytes()).unwrap();
        assert!(record.authority_hex().is_some());
        assert!(sign(&service, &session_id, &[2, 3], true).await);
        assert!(!sign(&service, &session_id, &[1, 2], false).await);
        service.post("refresh/commit", &native, ask).await.refused(409, "conflict");
        // A process that was started anew finds the same in the log.
        service.restarted();
        assert!(sign(&service, &session_id, &[1, 3], true).await);
        assert!(!sign(&service, &session_id, &[1, 3], false).await);
    }
}

#[tokio::test]
async fn another_process_commits_what_one_prepared() {
    for kind in [None, Some("SHAMIR-2^521-1-ML-DSA-65")] {
        let (mut service, session_id) = service(kind).await;
        let replaced = prepare(&service, &session_id, &[]).await;
        service.restarted();
        let mut before = None;
        for _ in 0..2 {
            let prepared = prepare(&service, &session_id, &[]).await;
            let waiting = (service.secrets_of("holdings").await, service.secrets_of("generations").await);
            assert_eq!(waiting, (3, 1), "what was replaced has left nothing");
            service.restarted();
            service.distribute(World::Real).await;
            service.post("refresh/commit", &native(), committing(&session_id, &prepared)).await.ok(200);
            assert_eq!(service.secrets_of("generations").await, 0, "it ends with its commitment");
            service.restarted();
            assert!(sign(&service, &session_id, &[1, 2], true).await);
            assert_eq!(let_go(&mut service, &session_id, &[1, 2, 3]).await, [200; 3]);
            if let Some(before) = before.replace(prepared["split_id"].clone()) {
                let ask = json!({"split_id": before, "nonce": "1".repeat(64)});
                let order = service.post(&format!("udio/{session_id}/order"), &service.nodes[0].caller(), ask).await;
                order.refused(403, "not-this-node");
            }
        }
        let ask = committing(&session_id, &replaced);
        service.post("refresh/commit", &native(), ask).await.refused(404, "unknown-id");
    }
}

#[tokio::test]
async fn what_is_not_committed_lapses() {
    let (mut service, session_id) = service(None).await;
    let prepared = prepare(&service, &session_id, &[]).await;
    service.pass(15 * 60);
    service.distribute(World::Real).await;
    let ask = committing(&session_id, &prepared);
    service.post("refresh/commit", &native(), ask.clone()).await.refused(409, "conflict");
    assert_eq!(state(&service, &session_id).await, "refreshing");
    service.pass(5 * 60);
    assert_eq!(sweep(&service.app).await.unwrap(), 1);
    assert_eq!(state(&service, &session_id).await, "active");
    assert_eq!(service.secrets_of("generations").await, 0);
    service.post("refresh/commit", &native(), ask).await.refused(404, "unknown-id");
    assert!(sign(&service, &session_id, &[1, 2], false).await);
    let again = prepare(&service, &session_id, &[]).await;
    service.pass(20 * 60);
    assert_eq!(service.secrets_of("holdings").await, 3);
    assert_eq!(sweep(&service.app).await.unwrap(), 1);
    assert_eq!(service.secrets_of("holdings").await, 0, "{again}");
}

#[tokio::test]
async fn numbers_change_where_they_are_named() {
    let (mut service, session_id) = service(None).await;
    let all = json!(["node-0", "node-1", "node-2", "node-3"]);
    let request = open(&service, &session_id).await;
    service.nodes[0].give(&service, &session_id, 1, &request).await;
    for (more, pointer) in [
        (vec![("vlasnici", all.clone())], "/k"),
        (vec![("vlasnici", json!(["node-0", "other"])), ("k", json!(2))], "/vlasnici/1"),
        (vec![("k", json!(4))], "/k"),
        (vec![("split_id", json!("0".repeat(64)))], "/split_id"),
        (vec![("udjeli", json!([]))], "/udjeli"),
        // One share is too few.
        (vec![], "/udjeli"),
    ] {
        let ask = preparing(&session_id, &request, &more);
        let refused = service.post("refresh/prepare", &native(), ask).await.refused(422, "invalid-field");
        assert_eq!(refused["errors"][0]["pointer"], pointer, "{more:?}");
    }
    let prepared = prepare(&service, &session_id, &[("vlasnici", all), ("k", json!(3))]).await;
    // Three of four are asked to have theirs: the fourth pulls later.
    let mut nodes = std::mem::take(&mut service.nodes);
    for node in &mut nodes[..3] {
        node.take_all(&service).await;
    }
    service.nodes = nodes;
    let mut ask = committing(&session_id, &prepared);
    service.post("refresh/commit", &native(), ask.clone()).await.refused(409, "conflict");
    for (needed, pointer) in [(2, "/needed"), (5, "/needed")] {
        ask["needed"] = needed.into();
        let refused = service.post("refresh/commit", &native(), ask.clone()).await.refused(422, "invalid-field");
        assert_eq!(refused["errors"][0]["pointer"], pointer);
    }
    ask["needed"] = 3.into();
    let committed = service.post("refresh/commit", &native(), ask).await.ok(200);
    assert_eq!(
        (&committed["n"], &committed["k"], &committed["stanje"]),
        (&json!(4), &json!(3), &json!("distributing"))
    );
    assert!(!sign(&service, &session_id, &[1, 2], true).await);
    assert!(sign(&service, &session_id, &[1, 2, 3], true).await);
    service.nodes[3].pull(&service, &session_id, 4).await.expect("it waits");
    service.distribute(World::Real).await;
    assert_eq!(state(&service, &session_id).await, "active");
    assert!(sign(&service, &session_id, &[4, 2, 3], true).await);
}

#[tokio::test]
async fn nothing_is_dealt_anew_before_any_node_has_a_share() {
    let service = Service::new(3).await;
    let founded = service.post("sesija", &native(), json!({"n": 3, "k": 2})).await.ok(201);
    let session_id: SessionId = founded["session_id"].as_str().unwrap().parse().unwrap();
    let request = open(&service, &session_id).await;
    service.post("refresh/prepare", &native(), preparing(&session_id, &request, &[])).await.refused(409, "conflict");
}

/// Has these nodes ask for the operator's word on their prepared shares, and says what they were answered.
async fn let_go(service: &mut Service, session_id: &SessionId, numbers: &[u8]) -> Vec<u16> {
    let mut nodes = std::mem::take(&mut service.nodes);
    let mut statuses = Vec::new();
    for n in numbers {
        statuses.push(nodes[usize::from(*n) - 1].let_go(service, session_id, *n).await.status.as_u16());
    }
    service.nodes = nodes;
    statuses
}

#[tokio::test]
async fn old_shares_go_on_the_operators_word_alone() {
    for kind in [None, Some("SHAMIR-2^521-1-ML-DSA-65")] {
        let (mut service, session_id) = service(kind).await;
        let prepared = prepare(&service, &session_id, &[]).await;
        service.distribute(World::Real).await;
        assert_eq!(let_go(&mut service, &session_id, &[1, 2, 3]).await, [409; 3], "it does not count yet");
        service.post("refresh/commit", &native(), committing(&session_id, &prepared)).await.ok(200);
        let stranger = service.nodes[3].caller();
        let ask = json!({"split_id": prepared["split_id"], "nonce": "1".repeat(64)});
        let path = format!("udio/{session_id}/order");
        service.post(&path, &stranger, ask.clone()).await.refused(403, "not-this-node");
        service.post(&path, &native(), ask).await.refused(403, "not-this-node");
        assert_eq!(let_go(&mut service, &session_id, &[1]).await, [200]);
        // The log and the service's own commitment tell it, in every process and at any time after it.
        service.restarted();
        service.pass(60 * 60);
        assert_eq!(let_go(&mut service, &session_id, &[2]).await, [200]);
        // Who obeyed gives the new share back, and takes the next one.
        let again = prepare(&service, &session_id, &[]).await;
        let mut nodes = std::mem::take(&mut service.nodes);
        for node in &mut nodes[..2] {
            node.take_all(&service).await;
        }
        service.nodes = nodes;
        let mut ask = committing(&session_id, &again);
        ask["needed"] = 2.into();
        service.post("refresh/commit", &native(), ask).await.ok(200);
        assert!(sign(&service, &session_id, &[1, 2], true).await);
    }
}
