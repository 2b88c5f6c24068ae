//! What is served is what the table and the documentation say.

use super::*;
use std::collections::BTreeSet;

#[tokio::test]
async fn the_table_has_every_address_and_no_other() {
    let service = Service::new().await;
    let (_, document) = router(Arc::clone(&service.vault)).split_for_parts();
    let document: Value = serde_json::to_value(&document).unwrap();
    let mut served = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            served.insert((method.to_uppercase(), path.clone()));
            assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{path}");
            let statuses: BTreeSet<_> = operation["responses"].as_object().unwrap().keys().cloned().collect();
            assert!(statuses.contains("422") || path.ends_with("/health"), "{path}: {statuses:?}");
        }
    }
    let rows = crate::table::TABLE.iter().filter(|row| row.path.starts_with("/api/v1/vault/"));
    let rows: BTreeSet<_> = rows.map(|row| (row.method.to_owned(), row.path.to_owned())).collect();
    assert_eq!(served, rows);
}

#[tokio::test]
async fn every_statement_is_prepared() {
    let service = Service::new().await;
    for statement in super::super::STATEMENTS.iter().flat_map(|list| list.iter()) {
        service.app.db.prepare(*statement).await.unwrap_or_else(|error| panic!("{statement:?}: {error}"));
    }
}
