//! Nodes: each is an entry of the log and a row, and its tokens stand with it.

use crate::house::{House, grant, identity};
use dualseal::ed25519::Ed25519SigningKey;
use platform::access::{Scope, Tier};
use platform::authority::{AddNode, Grant, RemoveNode};

#[tokio::test]
async fn a_node_is_an_entry_and_a_row() {
    let house = House::new().await;
    let key = *Ed25519SigningKey::from_seed(&[7; 32]).unwrap().public_key();
    let add = |label: &str| AddNode::new(&house.authority, label, identity("node"), Some(key)).unwrap();
    let seq = house.log.submit(add("https://one.example")).await.unwrap();
    let entry = house.log.reader().by_seq(1, seq).await.unwrap().unwrap().entry;
    let said: serde_json::Value = serde_json::from_str(entry.message()).unwrap();
    let expected = serde_json::json!({
        "identity_id": identity("node").to_hex(), "key": key.to_hex(), "label": "https://one.example",
        "what": "node-added",
    });
    assert_eq!(said, expected);
    assert_eq!(house.log.submit(add("https://one.example")).await.unwrap_err().kind().code, "conflict");
    let size = house.log.state().await.unwrap().head().size();
    assert_eq!(size, seq + 1, "what was refused left no entry");
    let both = [add("two"), add("two")].map(|add| house.log.submit(add));
    let answers = futures::future::join_all(both).await;
    assert_eq!(answers.iter().flatten().count(), 1, "of two at once one is added");
    let nodes = house.authority.nodes().await.unwrap();
    assert_eq!(nodes.iter().map(|node| node.label.as_str()).collect::<Vec<_>>(), ["https://one.example", "two"]);
    assert_eq!(house.authority.node("two").await.unwrap().unwrap().key, Some(key));
    assert!(house.authority.node("three").await.unwrap().is_none());
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let weak = dualseal::ed25519::Ed25519PublicKey::from_bytes(neutral);
    assert!(AddNode::new(&house.authority, "four", identity("node"), Some(weak)).is_err());
}

#[tokio::test]
async fn a_nodes_token_stands_with_the_node() {
    let house = House::new().await;
    let add = AddNode::new(&house.authority, "one", identity("node"), None).unwrap();
    house.log.submit(add).await.unwrap();
    let of = |subject, label: &str| Grant {
        subject: identity(subject),
        node: Some(label.to_owned()),
        ..grant(Tier::Noble, &[Scope::Node])
    };
    let token = house.grant(&of("node", "one")).await.text;
    assert_eq!(house.get("/node", &token).await.body["node"], "one");
    let seen = || async { house.authority.node("one").await.unwrap().unwrap().last_seen };
    let first = seen().await.unwrap();
    house.later(59_999);
    assert_eq!(house.get("/node", &token).await.status, 200);
    assert_eq!(seen().await, Some(first), "it is written once a minute");
    house.later(1);
    assert_eq!(house.get("/node", &token).await.status, 200);
    assert_eq!(seen().await, Some(first + 60_000));
    // A clock that was ahead, or whoever wrote the row, says nothing of it for ever.
    let far = platform::db::Statement::new("UPDATE custodians SET last_seen = 9000000000000000000");
    house.db.execute(far, platform::values![]).await.unwrap();
    assert_eq!(house.get("/node", &token).await.status, 200);
    assert_eq!(seen().await, Some(first + 60_000));
    for (subject, label) in [("eva", "one"), ("node", "two")] {
        let token = house.grant(&of(subject, label)).await.text;
        assert!(house.get("/node", &token).await.is(401, "bad-token"), "{subject} is not {label}");
    }
}

#[tokio::test]
async fn a_removed_node_calls_no_more_and_keeps_its_label() {
    let house = House::new().await;
    let add = |who: &str| AddNode::new(&house.authority, "one", identity(who), None).unwrap();
    let (log, tags) = (*house.log.identity(), house.authority.tags().clone());
    let remove = |label: &str| {
        let (label, tags) = (label.to_owned(), tags.clone());
        RemoveNode { label, log, tags, lost: true, holds: &[], gone: &[] }
    };
    house.log.submit(add("node")).await.unwrap();
    let of_node =
        || Grant { subject: identity("node"), node: Some("one".to_owned()), ..grant(Tier::Noble, &[Scope::Node]) };
    let token = house.grant(&of_node()).await.text;
    assert_eq!(house.get("/node", &token).await.status, 200);
    assert_eq!(house.log.submit(remove("two")).await.unwrap_err().kind().code, "unknown-id");
    house.later(1);
    let seq = house.log.submit(remove("one")).await.unwrap();
    let entry = house.log.reader().by_seq(1, seq).await.unwrap().unwrap().entry;
    let said: serde_json::Value = serde_json::from_str(entry.message()).unwrap();
    let id = identity("node").to_hex();
    let expected = serde_json::json!({"identity_id": id, "label": "one", "lost": true, "what": "node-removed"});
    assert_eq!(said, expected);
    assert!(house.get("/node", &token).await.is(401, "bad-token"));
    assert!(house.authority.nodes().await.unwrap().is_empty());
    assert!(house.authority.node("one").await.unwrap().is_none());
    assert_eq!(house.log.submit(remove("one")).await.unwrap_err().kind().code, "unknown-id");
    // Who comes back is the same one, with another token; nobody else gets its label.
    assert_eq!(house.log.submit(add("eva")).await.unwrap_err().kind().code, "conflict");
    house.log.submit(add("node")).await.unwrap();
    assert!(house.get("/node", &token).await.is(401, "bad-token"));
    let token = house.grant(&of_node()).await.text;
    assert_eq!(house.get("/node", &token).await.status, 200);
}

#[tokio::test]
async fn every_statement_is_one_of_the_database() {
    let house = House::new().await;
    for statement in platform::authority::STATEMENTS.iter().copied().flatten() {
        house.db.prepare(*statement).await.unwrap_or_else(|error| panic!("{statement:?}: {error}"));
    }
}
