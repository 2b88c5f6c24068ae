//! The high-water mark against a second copy of the database, which has the same mark and goes on by itself.

use crate::harness::{Say, Service};
use platform::log::{Log, LogSettings};

async fn open(service: &Service, file: &str) -> Log {
    let database = format!("sqlite:{file}");
    let db = platform::db::Db::open(&database, &service.config.data, 4).await.unwrap();
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
