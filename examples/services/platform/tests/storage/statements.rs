//! Every statement is one that both databases take.

use crate::harness::services;
use platform::{backup, jobs, log, objects, outbox, secrets};

#[tokio::test]
async fn both_databases_prepare_every_statement() {
    for service in services().await {
        let db = service.db().await;
        let lists = [log::STATEMENTS, objects::STATEMENTS, secrets::STATEMENTS, jobs::STATEMENTS].concat();
        let lists = lists.into_iter().chain([backup::STATEMENTS, outbox::STATEMENTS]);
        let mut many = 0;
        for statement in lists.flatten() {
            db.prepare(*statement).await.unwrap_or_else(|error| panic!("{statement:?}: {error}"));
            many += 1;
        }
        assert!(many > 60, "{many}");
    }
}
