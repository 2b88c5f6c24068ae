//! Endpoints, statements, bad input.

use super::{Service, native, person};
use crate::health::Health;
use crate::table::TABLE;
use crate::threshold::{STATEMENTS, router};
use platform::problem;
use serde_json::json;
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Every endpoint of the table is served and documented, and no other.
#[test]
fn the_table_and_the_router_agree() {
    let (_, api) = router().split_for_parts();
    let mut served = BTreeSet::new();
    for (path, item) in &api.paths.paths {
        let item = serde_json::to_value(item).unwrap();
        let methods = ["get", "post", "patch", "delete"].into_iter().filter(|method| item.get(method).is_some());
        served.extend(methods.map(|method| (method.to_uppercase(), path.clone())));
    }
    let rows = TABLE.iter().filter(|row| row.path.starts_with("/api/v1/threshold/"));
    assert_eq!(served, rows.map(|row| (row.method.to_owned(), row.path.to_owned())).collect());
    // Other modules have types of the same names.
    let names = api.components.unwrap().schemas.into_keys();
    let others = names.filter(|name| !name.starts_with("threshold.")).collect::<BTreeSet<_>>();
    let of_all =
        [<problem::Body as ToSchema>::name(), <problem::Field as ToSchema>::name(), <Health as ToSchema>::name()];
    assert_eq!(others, of_all.map(String::from).into_iter().collect());
}

#[tokio::test]
async fn every_statement_is_prepared() {
    let service = Service::new(0).await;
    for statement in STATEMENTS.iter().copied().flatten() {
        service.app.db.prepare(*statement).await.unwrap_or_else(|error| panic!("{statement:?}: {error}"));
    }
}

#[tokio::test]
async fn bad_input_is_told_by_its_field() {
    let service = Service::new(2).await;
    let native = native();
    for (ask, pointer) in [
        (json!({"n": 1, "k": 1}), "/n"),
        (json!({"n": 2, "k": 3}), "/k"),
        (json!({"n": 300, "k": 2}), "/n"),
        (json!({"n": 3, "k": 2}), "/n"),
        (json!({"n": 2, "k": 2, "more": 1}), "/more"),
        (json!({"n": 2, "k": 2, "algoritam": "MD5"}), "/algoritam"),
        (json!({"n": 2, "k": 2, "algoritam": "SHAMIR-2^521-1-ML-DSA-65"}), "/identity_id"),
        (json!({"n": 2, "k": 2, "identity_id": person("board").to_hex()}), "/identity_id"),
        (json!({"n": 2, "k": 2, "vlasnici": ["node-0"]}), "/vlasnici"),
        (json!({"n": 2, "k": 2, "vlasnici": ["node-0", "nobody"]}), "/vlasnici/1"),
        (json!({"n": 2, "k": 2, "vlasnici": ["node-0", "node-0"]}), "/vlasnici/1"),
    ] {
        let refused = service.post("sesija", &native, ask.clone()).await.refused(422, "invalid-field");
        assert_eq!(refused["errors"][0]["pointer"], pointer, "{ask}");
    }
    assert_eq!(service.messages().await.len(), 1, "nothing was founded");
    let unknown = "0".repeat(64);
    for path in [format!("sesija/{unknown}"), "sesija/x".into(), format!("borg/kvorum?session_id={unknown}")] {
        service.get(&path, &native).await.refused(404, "unknown-id");
    }
    service.get("borg/kvorum", &native).await.refused(422, "invalid-field");
    service.get("borg/kvorum?session_id=x&more=1", &native).await.refused(422, "invalid-field");
    service.get(&format!("udio/{unknown}/1"), &service.nodes[0].caller()).await.refused(404, "unknown-id");
    service.get("udio/x/1", &service.nodes[0].caller()).await.refused(404, "unknown-id");
    service.get(&format!("udio/{unknown}/1"), &native).await.refused(403, "not-this-node");
    assert_eq!(service.get("health", &native).await.ok(200), json!({"status": "ok"}));
}
