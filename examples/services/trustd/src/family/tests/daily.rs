//! What is kept for a guardian in a day has a bound.

use super::super::work::{Kept, remember};
use super::born;
use crate::testing::founded;
use platform::access::World;
use platform::clock::Clock;
use platform::config::Config;
use platform::idempotency::Idempotency;

pub(super) fn most(memories_daily: u32) -> Config {
    let mut config = Config::default();
    config.limits.memories_daily = memories_daily;
    config
}

#[tokio::test]
async fn so_much_is_kept_for_somebody_in_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::still("2026-11-21T23:59:00.000Z".parse().unwrap());
    let app = founded(folder.path(), most(2), clock.clone()).await;
    let ana = app.log.domain().identity_id(b"", "ana", "").unwrap();
    let ana = super::Guardian { id: ana, world: World::Real };
    let child = born(&app, ana).await;
    let keep = async || remember(&app, ana, child, &Kept::Text("dan".into()), Idempotency::default()).await;
    keep().await.unwrap();
    let told = keep().await.unwrap_err();
    assert_eq!((told.kind().code, told.comes_back_after()), ("rate-limited", Some(60)));
    clock.set("2026-11-22T00:00:00.000Z".parse().unwrap());
    keep().await.unwrap();
}

#[tokio::test]
async fn those_who_ask_at_once_are_counted_too() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::still("2026-11-21T12:00:00.000Z".parse().unwrap());
    let app = founded(folder.path(), most(3), clock).await;
    let ana = app.log.domain().identity_id(b"", "ana", "").unwrap();
    let ana = super::Guardian { id: ana, world: World::Real };
    // The child is the first.
    let child = born(&app, ana).await;
    let text = Kept::Text("dan".into());
    let kept = (0..16).map(|_| remember(&app, ana, child, &text, Idempotency::default()));
    let kept = futures::future::join_all(kept).await;
    assert_eq!(kept.iter().filter(|kept| kept.is_ok()).count(), 2);
    let refused = kept.into_iter().filter_map(Result::err);
    assert!(refused.into_iter().all(|refused| refused.kind().code == "rate-limited"));
}
