//! The high-water mark against a second copy of the database, which has the same mark and goes on by itself.

use crate::harness::{ORIGIN, Say, Service, services};
use dualseal_operator::opening::Refused;
use platform::db::{Db, Tx};
use platform::log::{Accepted, Log, LogFault, LogSettings, found, judge};

async fn open(service: &Service, file: &str) -> Log {
    let database = format!("sqlite:{file}");
    let db = Db::open(&database, &service.config.data, 4).await.unwrap();
    let settings = LogSettings::default();
    Log::open(db, service.clock.clone(), service.secrets(), service.mark(), settings).await.unwrap()
}

/// Both had opened the store before either of them signed: the second one has nothing of what the first one signed, and
/// signs no fork.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_second_copy_signs_no_fork() {
    let service = Service::new("sqlite:trustd.sqlite".into());
    let first = service.found().await;
    first.submit(Say("shared".into())).await.unwrap();
    first.checkpoint().await.unwrap();
    assert!(service.db().await.copy_into(&service.path("copy.sqlite")).await.unwrap());
    let second = open(&service, "copy.sqlite").await;
    first.submit(Say("one".into())).await.unwrap();
    second.submit(Say("two".into())).await.unwrap();
    second.submit(Say("three".into())).await.unwrap();
    assert_eq!(first.checkpoint().await.unwrap(), 3);
    assert_eq!(second.checkpoint().await.unwrap_err().status().as_u16(), 500);
    // Nor after it was longer than the first.
    assert!(second.submit(Say("four".into())).await.is_err(), "it is not written to any more");
    first.submit(Say("goes on".into())).await.unwrap();
    assert_eq!(first.checkpoint().await.unwrap(), 4);
}

/// A mark that is gone is not made anew by the next checkpoint: an old copy would begin with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_mark_is_not_made_by_itself() {
    let service = Service::new("sqlite:trustd.sqlite".into());
    let log = service.found().await;
    log.submit(Say("one".into())).await.unwrap();
    std::fs::remove_file(service.path("apart/high-water-mark")).unwrap();
    assert!(log.checkpoint().await.is_err());
    assert!(!service.path("apart/high-water-mark").exists());
}

async fn database(service: &Service, file: &str) -> Db {
    let db = Db::open(&format!("sqlite:{file}"), &service.config.data, 4).await.unwrap();
    db.migrate().await.unwrap();
    db
}

async fn begin(service: &Service, db: &Db) -> Result<Tx, LogFault> {
    let (mut tx, secrets) = (db.begin().await.unwrap(), service.secrets());
    secrets.check(&mut tx, service.clock.millis()).await.unwrap();
    found(&mut tx, &service.clock, &secrets, &service.mark(), 1, ORIGIN).await?;
    Ok(tx)
}

fn mark(service: &Service) -> String {
    std::fs::read_to_string(service.path("apart/high-water-mark")).unwrap()
}

/// Killed before the transaction was written, nothing was founded; killed behind it, the log is opened as it stands.
/// Once it was opened, a database without it is a loss, however it came.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_founding_that_was_cut_off_is_done_again_and_a_loss_is_not_one() {
    for service in services().await {
        let db = service.db().await;
        for _ in 0..2 {
            begin(&service, &db).await.unwrap().roll_back().await.unwrap();
        }
        begin(&service, &db).await.unwrap().commit().await.unwrap();
        let log = service.open().await;
        let lost = database(&service, "lost.sqlite").await;
        assert!(matches!(begin(&service, &lost).await.err(), Some(LogFault::Lost)), "nothing was signed yet");
        log.submit(Say("one".into())).await.unwrap();
        log.checkpoint().await.unwrap();
        assert!(matches!(begin(&service, &lost).await.err(), Some(LogFault::Lost)));
        service.open().await.submit(Say("two".into())).await.unwrap();
    }
}

/// The same of the log that begins after an accepted loss: until it is written down, the old mark counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_accepted_loss_that_was_cut_off_is_accepted_again() {
    let service = Service::new("sqlite:trustd.sqlite".into());
    let log = service.found().await;
    log.submit(Say("one".into())).await.unwrap();
    for copy in ["old.sqlite", "same.sqlite"] {
        assert!(service.db().await.copy_into(&service.path(copy)).await.unwrap());
    }
    log.submit(Say("two".into())).await.unwrap();
    log.checkpoint().await.unwrap();
    let (secrets, settings, before) = (service.secrets(), LogSettings::default(), mark(&service));
    let accept = async |db: &Db| judge(db, &service.clock, &secrets, &service.mark(), Accepted::Loss).await.unwrap();
    let began = accept(&database(&service, "same.sqlite").await).await.began;
    assert_eq!(began.unwrap().0, format!("{ORIGIN}/2"));
    assert_ne!(mark(&service), before);

    // As if that had never been written down.
    let old = database(&service, "old.sqlite").await;
    let lost = database(&service, "lost.sqlite").await;
    assert!(matches!(begin(&service, &lost).await.err(), Some(LogFault::Lost)));
    let opened = Log::open(old.clone(), service.clock.clone(), secrets.clone(), service.mark(), settings.clone()).await;
    assert!(matches!(opened.err(), Some(LogFault::Refused(Refused::Restored { signed: 3, found: 2 }))));
    assert_eq!(mark(&service), before);
    assert!(accept(&old).await.began.is_some());
    let log = open(&service, "old.sqlite").await;
    log.submit(Say("goes on".into())).await.unwrap();
    log.checkpoint().await.unwrap();
}
