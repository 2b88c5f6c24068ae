//! A clock that is set back, and one that was ahead: nothing in the log is dated before what stands there.

use crate::harness::{Say, services};
use dualseal::Timestamp;
use platform::db::Statement;
use platform::values;

const TIMES: Statement = Statement::new("SELECT json FROM entries ORDER BY seq");
const LAST: Statement = Statement::new("SELECT checkpoint FROM logs");

#[tokio::test]
async fn no_time_of_the_log_goes_back() {
    for service in services().await {
        let (log, db, begin) = (service.found().await, service.db().await, service.clock.now());
        log.submit(Say("first".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        let signed = || async {
            let row = db.find(LAST, values![]).await.unwrap().unwrap();
            dualseal::checkpoint::Checkpoint::from_json(row.text("checkpoint").unwrap().as_bytes()).unwrap().time()
        };
        let times = || async {
            let rows = db.list(TIMES, values![]).await.unwrap();
            let time = |json: String| dualseal::Entry::from_json(json.as_bytes()).unwrap().time();
            rows.iter().map(|row| time(row.text("json").unwrap())).collect::<Vec<Timestamp>>()
        };
        assert_eq!(signed().await, begin);
        service.later(-3_600_000);
        log.submit(Say("set back".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        assert_eq!((times().await.last(), signed().await), (Some(&begin), begin));
        // As another process has it, which knows of the last entry by the database alone.
        let other = service.open().await;
        service.later(-365 * 24 * 3_600_000);
        other.submit(Say("and again".into())).await.unwrap();
        other.checkpoint().await.unwrap();
        assert_eq!((times().await.last(), signed().await), (Some(&begin), begin));
        service.clock.set(Timestamp::from_millis(begin.as_millis() + 1).unwrap());
        log.submit(Say("right again".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        let now = service.clock.now();
        assert_eq!((times().await.last(), signed().await), (Some(&now), now));
        assert!(times().await.is_sorted());
    }
}

/// What was signed an hour after the last entry is what the next one is not dated before, also by another process.
#[tokio::test]
async fn what_was_signed_last_counts_too() {
    for service in services().await {
        let (log, db) = (service.found().await, service.db().await);
        log.submit(Say("first".into())).await.unwrap();
        service.later(3_600_000);
        log.checkpoint().await.unwrap();
        let signed = service.clock.now();
        service.later(-7_200_000);
        service.open().await.submit(Say("set back".into())).await.unwrap();
        let rows = db.list(TIMES, values![]).await.unwrap();
        let last = dualseal::Entry::from_json(rows.last().unwrap().text("json").unwrap().as_bytes()).unwrap();
        assert_eq!(last.time(), signed);
    }
}

/// A row that was edited while a process runs has no say in when the next checkpoint is signed.
#[tokio::test]
async fn the_time_of_an_edited_checkpoint_dates_nothing() {
    for service in services().await {
        let (log, db) = (service.found().await, service.db().await);
        log.submit(Say("first".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        let edit = "UPDATE logs SET checkpoint = REPLACE(checkpoint, '2026-11-23T12', '2099-11-23T12')";
        assert_eq!(db.execute(Statement::new(edit), values![]).await.unwrap(), 1);
        log.submit(Say("second".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        let row = db.find(LAST, values![]).await.unwrap().unwrap();
        let text = row.text("checkpoint").unwrap();
        let signed = dualseal::checkpoint::Checkpoint::from_json(text.as_bytes()).unwrap();
        assert_eq!(signed.time(), service.clock.now());
    }
}

/// The hash of an entry does not cover its time, and the tree does: whoever writes the database dates nothing to come.
#[tokio::test]
async fn a_time_that_was_edited_dates_nothing() {
    for service in services().await {
        let (log, db) = (service.found().await, service.db().await);
        log.submit(Say("first".into())).await.unwrap();
        drop(log);
        let edit = "UPDATE entries SET json = REPLACE(json, '2026-11-23T12', '2099-11-23T12') \
                    WHERE seq = (SELECT MAX(seq) FROM entries)";
        assert_eq!(db.execute(Statement::new(edit), values![]).await.unwrap(), 1);
        let opened = service.try_open().await.unwrap_err();
        assert!(opened.to_string().contains("tree"), "{opened}");
    }
}
