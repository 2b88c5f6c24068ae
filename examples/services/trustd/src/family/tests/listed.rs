//! A row that does not read.

use super::super::listed::shown;
use super::{House, born};
use platform::db::Statement;
use platform::values;
use std::time::Duration;

#[tokio::test]
async fn a_row_that_does_not_read_hides_no_other_child() {
    const SPOILT: Statement = Statement::new("UPDATE family_children SET seal = 'x' WHERE id = $1");
    const TOLD: Statement = Statement::new("SELECT subject FROM alarms WHERE kind = 'child-row'");
    let house = House::new().await;
    let other = born(&house.app, house.ana).await;
    let mut tx = house.app.db.begin().await.unwrap();
    tx.for_guardian(&house.ana.id.to_hex()).await.unwrap();
    assert_eq!(tx.execute(SPOILT, values![house.child.to_hex()]).await.unwrap(), 1);
    tx.commit().await.unwrap();
    let found = house.ana.children(&house.app, None, 9).await.unwrap();
    assert_eq!(found.len(), 2, "it has its place in a page");
    let shown = shown(&house.app, &found).await.unwrap();
    let names: Vec<_> = shown.iter().map(|child| child.identity_id.as_str()).collect();
    assert_eq!(names, [other.to_hex()]);
    let mut told = Vec::new();
    for _ in 0..200 {
        told = house.app.db.list(TOLD, values![]).await.unwrap();
        if !told.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].text("subject").unwrap(), house.child.to_hex());
}
