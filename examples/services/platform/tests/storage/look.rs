//! A few rows, read at once: what `look` reads is what the pools read.

use crate::harness::services;
use platform::db::{Statement, Value};
use platform::values;

const PUT: Statement = Statement::new(
    "INSERT INTO voided (kind, before) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET before = excluded.before",
);
const ALL: Statement = Statement::new("SELECT kind, before FROM voided WHERE before >= $1 ORDER BY kind");
/// The second value comes first in the text.
const MIXED: Statement = Statement::new(
    "SELECT kind AS name, before AS number, CAST(NULL AS TEXT) AS missing FROM voided WHERE before < $2 AND kind = $1",
);

/// Of two processes the one reads what the other has written, at once, and none of what it has not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_has_just_written_is_read() {
    for service in services().await {
        let (one, two) = (service.db().await, service.db().await);
        for number in 0..100_i64 {
            one.execute(PUT, values!["one", number]).await.unwrap();
            let rows = two.look(ALL, values![0_i64]).await.unwrap();
            assert_eq!(rows.len(), 1);
            assert_eq!((rows[0].text("kind").unwrap(), rows[0].number("before").unwrap()), ("one".to_owned(), number));
        }
        let mut tx = one.begin().await.unwrap();
        tx.execute(PUT, values!["two", 7_i64]).await.unwrap();
        assert_eq!(two.look(ALL, values![0_i64]).await.unwrap().len(), 1);
        tx.commit().await.unwrap();
        assert_eq!(two.look(ALL, values![0_i64]).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_value_stands_where_its_number_says() {
    for service in services().await {
        let db = service.db().await;
        db.execute(PUT, values!["one", 5_i64]).await.unwrap();
        for rows in [db.look(MIXED, values!["one", 6_i64]).await, db.list(MIXED, values!["one", 6_i64]).await] {
            let [row] = &rows.unwrap()[..] else { panic!("one row") };
            assert_eq!((row.text("name").unwrap(), row.size("number").unwrap()), ("one".to_owned(), 5));
            assert_eq!(
                (row.maybe_text("missing").unwrap(), row.maybe_text("name").unwrap()),
                (None, Some("one".into()))
            );
            assert!(row.number("name").is_err() && row.text("other").is_err());
        }
        assert!(db.look(MIXED, values!["two", 6_i64]).await.unwrap().is_empty());
        assert!(db.look(MIXED, values!["one", Value::Number(None)]).await.unwrap().is_empty(), "nothing is below none");
    }
}

/// What cannot be read is an error, and what was closed stays so.
#[tokio::test]
async fn what_cannot_be_read_is_told() {
    for service in services().await {
        let db = service.db().await;
        assert!(db.look(Statement::new("SELECT before FROM nowhere"), values![]).await.is_err());
        db.close().await;
        assert!(db.look(ALL, values![0_i64]).await.is_err());
    }
}
