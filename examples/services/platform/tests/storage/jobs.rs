//! Jobs: one process runs each, missed runs are run once.

use crate::harness::services;
use platform::clock::Clock;
use platform::db::Db;
use platform::jobs::{Jobs, make_due, note, stands};
use platform::problem::{Problem, kinds};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const HOUR: i64 = 3_600_000;

pub(crate) fn jobs(db: &Db, clock: &Clock, ran: &Arc<AtomicUsize>) -> Jobs {
    let ran = Arc::clone(ran);
    Jobs::new(db.clone(), clock.clone()).with("count", Duration::from_hours(1), Duration::from_mins(1), move || {
        let ran = Arc::clone(&ran);
        async move {
            ran.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            Ok(())
        }
    })
}

/// Eight processes with connections of their own look at the same moment, ten times.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_processes_one_runs_a_job() {
    for service in services().await {
        let ran = Arc::new(AtomicUsize::new(0));
        let mut processes = Vec::new();
        for _ in 0..8 {
            let jobs = jobs(&service.db().await, &service.clock, &ran);
            jobs.begin().await.unwrap();
            processes.push(jobs);
        }
        for slot in 1..=10 {
            let now = service.clock.millis();
            let ticks =
                processes.iter().cloned().map(|jobs| tokio::spawn(async move { jobs.tick(now).await.unwrap() }));
            let ticks = futures::future::join_all(ticks).await;
            let who = ticks.into_iter().filter(|tick| !tick.as_ref().unwrap().is_empty()).count();
            assert_eq!((who, ran.load(Ordering::SeqCst)), (1, slot));
            service.later(HOUR);
        }
    }
}

#[tokio::test]
async fn what_was_missed_is_run_once_and_then_in_its_rhythm() {
    for service in services().await {
        let ran = Arc::new(AtomicUsize::new(0));
        let jobs = jobs(&service.db().await, &service.clock, &ran);
        jobs.begin().await.unwrap();
        let begun = service.clock.millis();
        assert_eq!(jobs.tick(begun).await.unwrap(), ["count"]);
        assert!(jobs.tick(begun + HOUR - 1).await.unwrap().is_empty());
        assert_eq!(jobs.tick(begun + 5 * HOUR + 7).await.unwrap(), ["count"]);
        assert!(jobs.tick(begun + 5 * HOUR + 8).await.unwrap().is_empty());
        assert_eq!(jobs.list().await.unwrap()[0].due_at, begun + 6 * HOUR);
        assert_eq!(jobs.tick(begun + 6 * HOUR).await.unwrap(), ["count"]);
        assert_eq!(ran.load(Ordering::SeqCst), 3);
        // A process that begins again does not begin the rhythm again.
        jobs.begin().await.unwrap();
        assert!(jobs.tick(begun + 6 * HOUR + 1).await.unwrap().is_empty());
    }
}

/// Whoever has something done more often does not wait for its next time of before.
#[tokio::test]
async fn a_shorter_time_counts_from_the_next_start_on() {
    for service in services().await {
        let (db, every) = (service.db().await, |hours| Duration::from_hours(hours));
        let jobs = |hours| {
            let jobs = Jobs::new(db.clone(), service.clock.clone());
            jobs.with("one", every(hours), Duration::from_mins(1), || async { Ok(()) })
        };
        jobs(24).begin().await.unwrap();
        assert_eq!(jobs(24).tick(service.clock.millis()).await.unwrap(), ["one"]);
        jobs(1).begin().await.unwrap();
        let now = service.later(HOUR);
        assert_eq!(jobs(1).tick(now).await.unwrap(), ["one"]);
        // A longer one leaves what is near.
        jobs(24).begin().await.unwrap();
        let now = service.later(HOUR);
        assert_eq!(jobs(24).tick(now).await.unwrap(), ["one"]);
    }
}

#[tokio::test]
async fn a_job_that_fails_or_hangs_is_told_and_others_run() {
    for service in services().await {
        let ran = Arc::new(AtomicUsize::new(0));
        let every = Duration::from_hours(1);
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        let fails = Jobs::new(service.db().await, service.clock.clone())
            .telling(Arc::new(move |name, _| hears.lock().unwrap().push(name)))
            .with("fails", every, every, || async { Err(Problem::new(&kinds::BUSY)) })
            .with("hangs", every / 2, Duration::from_millis(20), std::future::pending);
        let other = jobs(&service.db().await, &service.clock, &ran);
        fails.begin().await.unwrap();
        other.begin().await.unwrap();
        assert_eq!(fails.tick(service.clock.millis()).await.unwrap(), ["fails", "hangs"]);
        assert_eq!(other.tick(service.clock.millis()).await.unwrap(), ["count"]);
        let states = other.list().await.unwrap();
        assert!(states[0].fault.is_none() && states[1].fault.as_ref().is_some_and(|fault| fault.contains("busy")));
        assert_eq!(states[2].fault.as_deref(), Some("it took too long"));
        // What comes each hour is told each time, what comes more often after three, and once.
        assert_eq!(*heard.lock().unwrap(), ["fails"]);
        for halves in 1..=4 {
            fails.tick(service.clock.millis() + halves * HOUR / 2).await.unwrap();
        }
        assert_eq!(*heard.lock().unwrap(), ["fails", "fails", "hangs", "fails"]);
        let (db, begun) = (service.db().await, service.clock.millis());
        let (fault, well) = stands(&db, "fails").await.unwrap().unwrap();
        assert_eq!((fault.as_deref().is_some_and(|fault| fault.contains("busy")), well), (true, Some(begun)));
        note(&db, "fails", None, 7).await.unwrap();
        assert_eq!(stands(&db, "fails").await.unwrap(), Some((None, Some(7))));
        assert_eq!(stands(&db, "none").await.unwrap(), None);
    }
}

/// Behind a clock that was ahead, or is set back, and beside a row that somebody wrote.
#[tokio::test]
async fn no_job_waits_for_a_clock() {
    for service in services().await {
        let (db, ran) = (service.db().await, Arc::new(AtomicUsize::new(0)));
        let jobs = jobs(&db, &service.clock, &ran);
        jobs.begin().await.unwrap();
        let now = service.clock.millis();
        assert_eq!(jobs.tick(now).await.unwrap(), ["count"]);
        assert!(jobs.tick(now - 30_000).await.unwrap().is_empty(), "clocks differ by less");
        let before = now - 365 * 24 * HOUR;
        assert_eq!(jobs.tick(before).await.unwrap(), ["count"]);
        assert!(jobs.tick(before + HOUR - 1).await.unwrap().is_empty());
        crate::harness::run(&db, "UPDATE jobs SET due_at = 9000000000000000000").await;
        assert_eq!(jobs.tick(before + HOUR).await.unwrap(), ["count"]);
        assert_eq!(jobs.list().await.unwrap()[0].due_at, before + 2 * HOUR);
    }
}

/// Whatever a row says of its rhythm or of its next time.
#[tokio::test]
async fn no_row_keeps_a_job() {
    for service in services().await {
        let (db, ran) = (service.db().await, Arc::new(AtomicUsize::new(0)));
        let jobs = jobs(&db, &service.clock, &ran);
        jobs.begin().await.unwrap();
        let mut now = service.clock.millis();
        assert_eq!(jobs.tick(now).await.unwrap(), ["count"]);
        for text in [
            "UPDATE jobs SET every = 9223372036854775807, due_at = 9000000000000000000",
            "UPDATE jobs SET due_at = -9223372036854775807",
            "UPDATE jobs SET every = 0, due_at = 0",
            "UPDATE jobs SET last_run = 9000000000000000000, due_at = 9000000000000000000",
        ] {
            crate::harness::run(&db, text).await;
            now += 1000;
            assert_eq!(jobs.tick(now).await.unwrap(), ["count"], "{text}");
            let due_at = jobs.list().await.unwrap()[0].due_at;
            assert!((now..=now + HOUR).contains(&due_at), "{text}: {due_at}");
        }
        make_due(&db, "count").await.unwrap();
        assert_eq!(jobs.tick(now + 1).await.unwrap(), ["count"]);
    }
}

/// Of two clocks that differ by more than a rhythm, neither takes what the other is doing.
#[tokio::test]
async fn a_run_is_taken_from_nobody() {
    for service in services().await {
        let (db, ran) = (service.db().await, Arc::new(AtomicUsize::new(0)));
        let jobs = jobs(&db, &service.clock, &ran);
        jobs.begin().await.unwrap();
        let now = service.clock.millis();
        assert_eq!(jobs.tick(now + HOUR + 61_000).await.unwrap(), ["count"]);
        crate::harness::run(&db, "UPDATE jobs SET ended_run = NULL").await;
        assert!(jobs.tick(now).await.unwrap().is_empty());
        crate::harness::run(&db, "UPDATE jobs SET ended_run = last_run").await;
        assert_eq!(jobs.tick(now).await.unwrap(), ["count"]);
    }
}

/// Until it is well again; a run that could not look says nothing of it.
#[tokio::test]
async fn what_was_found_stays() {
    for service in services().await {
        let (db, next) = (service.db().await, Arc::new(AtomicUsize::new(0)));
        let says = Arc::clone(&next);
        let jobs = Jobs::new(db.clone(), service.clock.clone()).with(
            "looks",
            Duration::from_hours(1),
            Duration::from_millis(20),
            move || {
                let says = says.fetch_add(1, Ordering::SeqCst);
                async move {
                    match says {
                        0 | 4 => Err(Problem::new(&kinds::UNHEALTHY).detail(format!("found {says}"))),
                        1 => Err(Problem::new(&kinds::BUSY)),
                        2 => std::future::pending().await,
                        _ => Ok(()),
                    }
                }
            },
        );
        jobs.begin().await.unwrap();
        let begun = service.clock.millis();
        for (number, found) in
            [Some("found 0"), Some("found 0"), Some("found 0"), None, Some("found 4")].into_iter().enumerate()
        {
            let now = begun + i64::try_from(number).unwrap() * HOUR;
            assert_eq!(jobs.tick(now).await.unwrap(), ["looks"]);
            let (fault, well) = stands(&db, "looks").await.unwrap().unwrap();
            assert_eq!(fault.is_some(), found.is_some(), "{number}");
            assert!(found.is_none_or(|found| fault.unwrap().contains(found)), "{number}");
            assert_eq!(well, Some(if number < 3 { begun } else { begun + 3 * HOUR }));
        }
    }
}

/// One whose process died is taken over, when nobody can be running it any more.
#[tokio::test]
async fn a_run_that_never_ended_is_taken_over() {
    for service in services().await {
        let (db, ran) = (service.db().await, Arc::new(AtomicUsize::new(0)));
        let jobs = jobs(&db, &service.clock, &ran);
        jobs.begin().await.unwrap();
        let begun = service.clock.millis();
        jobs.tick(begun).await.unwrap();
        crate::harness::run(&db, "UPDATE jobs SET ended_run = NULL").await;
        assert!(jobs.tick(begun + 119_999).await.unwrap().is_empty());
        assert_eq!(jobs.tick(begun + 120_000).await.unwrap(), ["count"]);
        assert!(jobs.tick(begun + 300_000).await.unwrap().is_empty());
        assert_eq!(jobs.list().await.unwrap()[0].due_at, begun + HOUR, "the rhythm stays");
    }
}
