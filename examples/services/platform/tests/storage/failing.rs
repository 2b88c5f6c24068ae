//! A database that ends a transaction by itself, as SQLite does where its disk fails or is full.

use crate::harness::services;
use platform::db::{Db, DbError, Statement};
use platform::values;

const PUT: Statement = Statement::new("INSERT INTO voided (kind, before) VALUES ('one', $1)");
/// On SQLite alone.
const PUT_OR_END: Statement = Statement::new("INSERT OR ROLLBACK INTO voided (kind, before) VALUES ('one', $1)");
const END: Statement = Statement::new("ROLLBACK");
const ALL: Statement = Statement::new("SELECT before FROM voided");

/// Whoever comes next begins a transaction, whoever reads too, and nothing of the one that ended is there.
#[tokio::test]
async fn after_a_transaction_that_ended_by_itself_the_next_one_begins() {
    for service in services().await {
        let db = service.db().await;
        db.execute(PUT, values![0_i64]).await.unwrap();
        for number in 1..4_i64 {
            let mut tx = db.begin().await.unwrap();
            let refused = match &db {
                Db::Sqlite { .. } => tx.execute(PUT_OR_END, values![number]).await,
                Db::Postgres { .. } => tx.execute(PUT, values![number]).await,
            };
            assert!(matches!(refused, Err(DbError::Unique)), "{refused:?}");
            drop(tx);
            if matches!(&db, Db::Sqlite { .. }) {
                let mut reading = db.snapshot().await.unwrap();
                reading.execute(END, values![]).await.unwrap();
            }
            let mut tx = db.begin().await.unwrap();
            let changed = Statement::new("UPDATE voided SET before = $1");
            tx.execute(changed, values![number]).await.unwrap();
            tx.commit().await.unwrap();
            let mut reading = db.snapshot().await.unwrap();
            let rows = reading.list(ALL, values![]).await.unwrap();
            assert_eq!(rows.iter().map(|row| row.number("before").unwrap()).collect::<Vec<_>>(), [number]);
        }
    }
}
