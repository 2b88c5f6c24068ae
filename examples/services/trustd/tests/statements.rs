//! Every statement, prepared on both databases: one text is to do for both.

use platform::db::{Db, Statement};
use std::path::Path;

fn all() -> Vec<Statement> {
    platform::statements().chain(trustd::router::statements()).collect()
}

async fn prepare_all(db: Db, more: &[&[Statement]]) {
    db.migrate().await.unwrap();
    let mut refused = Vec::new();
    for statement in all().into_iter().chain(more.concat()) {
        if let Err(error) = db.prepare(statement).await {
            refused.push(format!("{statement:?}: {error}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[tokio::test]
async fn every_statement_is_prepared_on_sqlite() {
    assert!(all().len() > 150, "{} statements: a list is missing", all().len());
    let folder = tempfile::tempdir().unwrap();
    prepare_all(Db::open("sqlite:test.sqlite", folder.path(), 2).await.unwrap(), &[]).await;
}

/// The suite starts a server and names it; whoever runs this test by itself does so too.
#[tokio::test]
async fn every_statement_is_prepared_on_postgresql() {
    let Ok(address) = std::env::var("TRUSTD_TEST_POSTGRES") else {
        assert!(std::env::var("CI").is_err(), "TRUSTD_TEST_POSTGRES names no server");
        return;
    };
    let schema = format!("statements_{}", std::process::id());
    let maker = Db::open(&address, Path::new("."), 3).await.unwrap();
    let Db::Postgres { pool, .. } = &maker else { panic!("a server") };
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"))).execute(pool).await.unwrap();
    let joined = if address.contains('?') { '&' } else { '?' };
    let own = format!("{address}{joined}options=-csearch_path%3D{schema}");
    prepare_all(Db::open(&own, Path::new("."), 3).await.unwrap(), platform::db::OF_SERVERS).await;
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("DROP SCHEMA {schema} CASCADE"))).execute(pool).await.unwrap();
}
