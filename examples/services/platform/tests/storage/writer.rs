//! The log's writer, when something in it goes wrong.

use crate::harness::{Say, identity, services};
use dualseal_operator::step::{Changes, State, Step};
use futures::future::{join, join_all};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Panics before it does anything, or when its rows are written.
struct Panics {
    early: bool,
}

impl Work for Panics {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        assert!(!self.early, "as it was told to");
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.append(&identity("ana"), "never written")?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        panic!("as it was told to")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_panics_ends_alone() {
    for service in services().await {
        let log = service.found().await;
        for early in [true, false] {
            let before = log.state().await.unwrap().head().size();
            let told = log.submit(Panics { early }).await.unwrap_err();
            assert_eq!(told.kind().code, "busy");
            assert_eq!(log.submit(Say("after".into())).await.unwrap(), before + 1);
        }
    }
}

/// Refused when its rows are written; counts how often its entry was made.
struct Refused(Arc<AtomicUsize>);

impl Work for Refused {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        self.0.fetch_add(1, Ordering::Relaxed);
        step.append(&identity("ana"), "never written")?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Err(Problem::new(&kinds::UNKNOWN_ID))
    }
}

/// Many that are refused at once cost the others a few rounds, not one for each.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_are_refused_hold_up_nobody() {
    const MANY: usize = 40;
    for service in services().await {
        let (log, steps) = (service.found().await, Arc::new(AtomicUsize::new(0)));
        let before = log.state().await.unwrap().head().size();
        let refused = join_all((0..MANY).map(|_| log.submit(Refused(Arc::clone(&steps)))));
        let (refused, said) = join(refused, log.submit(Say("among them".into()))).await;
        assert!(refused.iter().all(|told| told.as_ref().unwrap_err().kind().code == "unknown-id"));
        assert_eq!((said.unwrap(), log.state().await.unwrap().head().size()), (before + 1, before + 1));
        let steps = steps.load(Ordering::Relaxed);
        assert!((MANY..=4 * MANY).contains(&steps), "{steps} entries were made for {MANY}");
    }
}

/// The state has all of the ring, which grows with identities and documents: the writer and whoever reads have one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writer_and_readers_share_one_state() {
    for service in services().await {
        let log = service.found().await;
        for checkpoint in [false, true] {
            log.submit(Say("one more".into())).await.unwrap();
            if checkpoint {
                log.checkpoint().await.unwrap();
            }
            let state = log.state().await.unwrap();
            assert_eq!(Arc::strong_count(&state), 3, "the writer's, the last that was seen, and this one");
        }
    }
}
