//! Jobs whose rows are taken away, and what others found meanwhile.

use crate::harness::{run, services};
use crate::jobs::{HOUR, jobs};
use platform::jobs::{Jobs, note, stands};
use platform::problem::{Problem, kinds};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Who takes its row away has it run at once; nobody knows then when it was well, and somebody is told, once an hour.
#[tokio::test]
async fn a_job_whose_row_is_gone_begins_again() {
    for service in services().await {
        let (db, ran) = (service.db().await, Arc::new(AtomicUsize::new(0)));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        let jobs =
            jobs(&db, &service.clock, &ran).telling(Arc::new(move |_, why| hears.lock().unwrap().push(why.to_owned())));
        jobs.begin().await.unwrap();
        let now = service.clock.millis();
        assert_eq!(jobs.tick(now).await.unwrap(), ["count"]);
        for (later, told) in [(1000, 1), (2000, 1), (HOUR + 1000, 2)] {
            run(&db, "DELETE FROM jobs").await;
            assert_eq!(stands(&db, "count").await.unwrap(), None);
            assert_eq!(jobs.tick(now + later).await.unwrap(), ["count"]);
            assert_eq!(stands(&db, "count").await.unwrap(), Some((None, Some(now + later))));
            assert_eq!(heard.lock().unwrap().len(), told, "{later}");
        }
        assert!(heard.lock().unwrap()[0].contains("its row was gone"));
        // While it cannot look it was well at no time.
        let fails = Jobs::new(db.clone(), service.clock.clone());
        let fails = fails.with("count", Duration::from_hours(1), Duration::from_mins(1), || async {
            Err(Problem::new(&kinds::BUSY))
        });
        run(&db, "DELETE FROM jobs").await;
        assert_eq!(fails.tick(now + 2 * HOUR).await.unwrap(), ["count"]);
        assert!(matches!(stands(&db, "count").await.unwrap(), Some((Some(_), None))));
    }
}

/// A start that began to look before another found something clears nothing, nor does a run; what is older, it does.
#[tokio::test]
async fn what_another_found_meanwhile_stays() {
    for service in services().await {
        let (db, now) = (service.db().await, service.clock.millis());
        let looks = |found: Option<i64>| {
            let db = db.clone();
            Jobs::new(db.clone(), service.clock.clone()).with(
                "looks",
                Duration::from_hours(24),
                Duration::from_hours(6),
                move || {
                    let db = db.clone();
                    async move {
                        match found {
                            Some(began) => Ok(note(&db, "looks", Some("unhealthy: it".to_owned()), began).await?),
                            None => Ok(()),
                        }
                    }
                },
            )
        };
        let stands = async || stands(&db, "looks").await.unwrap().unwrap();
        looks(None).begin().await.unwrap();
        looks(None).tick(now).await.unwrap();
        note(&db, "looks", Some("unhealthy: it".to_owned()), now + HOUR).await.unwrap();
        for began in [now, now + HOUR, now + HOUR + 59_000] {
            note(&db, "looks", None, began).await.unwrap();
            assert_eq!(stands().await, (Some("unhealthy: it".to_owned()), Some(now)), "{began}");
        }
        // Whoever found nothing has the job look, which clears what is older than its own run.
        assert_eq!(looks(None).tick(now + HOUR + 1).await.unwrap(), ["looks"]);
        assert_eq!(stands().await, (None, Some(now + HOUR + 1)));
        note(&db, "looks", Some("unhealthy: it".to_owned()), now + 2 * HOUR).await.unwrap();
        note(&db, "looks", None, now + 2 * HOUR + 61_000).await.unwrap();
        assert_eq!(stands().await, (None, Some(now + 2 * HOUR + 61_000)));
        // A start finds something while the job runs that began before.
        let run = now + 30 * HOUR;
        assert_eq!(looks(Some(run + 1)).tick(run).await.unwrap(), ["looks"]);
        assert_eq!(stands().await, (Some("unhealthy: it".to_owned()), Some(now + 2 * HOUR + 61_000)));
        let run = now + 60 * HOUR;
        assert_eq!(looks(Some(run - 1)).tick(run).await.unwrap(), ["looks"]);
        assert_eq!(stands().await, (None, Some(run)));
        // What is dated a day ahead is of a clock that was wrong, and stays no longer than until the next run.
        let run = now + 90 * HOUR;
        assert_eq!(looks(Some(run + 24 * HOUR + 1)).tick(run).await.unwrap(), ["looks"]);
        assert_eq!(stands().await, (None, Some(run)));
        // A run that could not look found nothing later: a start that began behind what was found clears it.
        let found = now + 120 * HOUR;
        note(&db, "looks", Some("unhealthy: it".to_owned()), found).await.unwrap();
        let fails = Jobs::new(db.clone(), service.clock.clone());
        let fails = fails.with("looks", Duration::from_hours(24), Duration::from_hours(6), || async {
            Err(Problem::new(&kinds::BUSY))
        });
        assert_eq!(fails.tick(found + HOUR).await.unwrap(), ["looks"]);
        assert_eq!(stands().await, (Some("unhealthy: it".to_owned()), Some(run)));
        note(&db, "looks", None, found + 61_000).await.unwrap();
        assert_eq!(stands().await, (None, Some(found + 61_000)));
    }
}
