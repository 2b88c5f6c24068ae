//! What the service finds when it looks at itself, again and again: whether database, head, the checkpoint's age,
//! objects and disk are well. `GET /api/v1/auth/zdravlje` answers the share of them that are. The monitor, which
//! outlives it, takes its bounds from here.

use crate::{App, ahead};
use dualseal::Entry;
use platform::checks::SelfChecks;
use platform::db::{Db, Statement, statements};
use platform::objects::Objects;
use platform::problem::Problem;
use platform::values;
use std::future::Future;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM logs";
    UNCOVERED = "SELECT seq, json FROM entries WHERE log = (SELECT MAX(id) FROM logs) AND seq = COALESCE( \
                 (SELECT MAX(size) FROM checkpoints WHERE log = (SELECT MAX(id) FROM logs)), 0)";
}

/// All statements.
pub(crate) const STATEMENTS: &[Statement] = ALL;

/// What is looked at.
const NAMES: [&str; 5] = ["database", "head", "checkpoint", "objects", "disk"];
/// Self-checks of the head: what came since the last checkpoint, at the start, and all of the chain, daily.
const OF_THE_HEAD: [&str; 2] = ["recent", "chain"];
/// How often.
const EVERY: Duration = Duration::from_secs(10);
/// What does not answer for so long is not well.
const PATIENCE: Duration = Duration::from_secs(5);

/// The share of them that are well, from 0 to 1; 0 while nobody has looked.
pub(crate) fn share(checks: &SelfChecks) -> f64 {
    checks.share(&NAMES)
}

/// Looks again and again, for as long as the service runs.
pub async fn run(app: App, objects: Objects) {
    let waits = Waits::default();
    loop {
        Box::pin(look(&app, &objects, &waits)).await;
        tokio::time::sleep(EVERY).await;
    }
}

/// Looks once.
pub(crate) async fn look(app: &App, objects: &Objects, waits: &Waits) {
    let database = async { Ok(app.db.find(TOUCH, values![]).await.map(|_| true)?) };
    let head = async {
        app.log.state().await?;
        let found = app.checks.all();
        Ok(!found.iter().any(|(name, ok)| OF_THE_HEAD.contains(name) && !ok))
    };
    let checkpoint = async {
        let (now, every) = (app.clock.millis(), app.config.log.checkpoint_every.millis());
        Ok(overdue(now, waits.since(uncovered(&app.db).await?, now), every).is_none())
    };
    let dated = async {
        let ahead = ahead::ahead(&app.db, app.clock.millis()).await?;
        metrics::gauge!("trustd_clock_ahead_seconds").set(f64::from(i32::try_from(ahead / 1000).unwrap_or(i32::MAX)));
        Ok(true)
    };
    let stored = async { Ok(objects.health().await.map(|()| true)?) };
    let disk = async { Ok(full(&app.config.data, app.config.mesh.disk_free).is_none()) };
    is_well(dated).await;
    let found = [
        is_well(database).await,
        is_well(head).await,
        is_well(checkpoint).await,
        is_well(stored).await,
        is_well(disk).await,
    ];
    for (name, ok) in NAMES.into_iter().zip(found) {
        metrics::gauge!("trustd_well", "what" => name).set(if ok { 1.0 } else { 0.0 });
        if app.checks.all().iter().all(|(one, was)| *one != name || *was != ok) {
            // What goes on as it was is told once.
            app.checks.record(name, ok);
        }
    }
}

async fn is_well(looks: impl Future<Output = Result<bool, Problem>>) -> bool {
    matches!(tokio::time::timeout(PATIENCE, looks).await, Ok(Ok(true)))
}

/// Since when an entry waits, as this process saw it: of one that is dated ahead nothing else is known.
#[derive(Debug, Default)]
pub(crate) struct Waits(Mutex<Option<(i64, i64)>>);

impl Waits {
    fn since(&self, oldest: Option<Uncovered>, now: i64) -> Option<i64> {
        since(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), oldest, now)
    }
}

/// Since when an entry waits: by its own time, or since it was seen here first, which is noted with its place.
pub(crate) fn since(seen: &mut Option<(i64, i64)>, oldest: Option<Uncovered>, now: i64) -> Option<i64> {
    let Some(Uncovered { seq, time }) = oldest else {
        *seen = None;
        return None;
    };
    let first = match *seen {
        // A clock that was set back begins anew.
        Some((of, first)) if of == seq && first <= now => first,
        _ => now,
    };
    *seen = Some((seq, first));
    Some(time.min(first))
}

/// The oldest entry that no checkpoint covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uncovered {
    seq: i64,
    /// When, by the clock that dated it.
    time: i64,
}

/// The oldest entry that no checkpoint covers.
///
/// # Errors
/// The database; an entry that is none.
pub(crate) async fn uncovered(db: &Db) -> Result<Option<Uncovered>, Problem> {
    let Some(row) = db.find(UNCOVERED, values![]).await? else { return Ok(None) };
    let time = Entry::from_json(row.text("json")?.as_bytes())?.time().as_millis();
    Ok(Some(Uncovered { seq: row.number("seq")?, time }))
}

/// Why a checkpoint is due for long, where it is: by the oldest entry that none covers. Times are in milliseconds.
pub(crate) fn overdue(now: i64, uncovered: Option<i64>, every: i64) -> Option<String> {
    let waits = now.saturating_sub(uncovered?);
    (waits > every.saturating_mul(2))
        .then(|| format!("an entry waits for one since {} s, and one is due each {} s", waits / 1000, every / 1000))
}

/// Why the disk of a folder has no room, where it has none: so many percent of it are to be free.
pub(crate) fn full(folder: &Path, percent: u8) -> Option<String> {
    match rustix::fs::statvfs(folder) {
        Ok(stat) => {
            let bytes = |blocks: u64| blocks.saturating_mul(stat.f_frsize);
            short(bytes(stat.f_bavail), bytes(stat.f_blocks), percent)
        }
        Err(error) => Some(format!("{}: {error}", folder.display())),
    }
}

fn short(free: u64, all: u64, percent: u8) -> Option<String> {
    let wanted = u128::from(all) * u128::from(percent) / 100;
    (free == 0 || u128::from(free) < wanted)
        .then(|| format!("{} MiB of {} MiB are free, and {percent} % are wanted", free >> 20, all >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::founded;
    use dualseal::Timestamp;
    use platform::clock::Clock;
    use platform::config::Config;
    use std::fs;

    #[test]
    fn each_has_its_bound() {
        let due = |now, since| overdue(now, since, 3_600_000);
        assert!(due(7_200_000, Some(0)).is_none() && due(7_200_001, Some(0)).is_some());
        assert!(due(i64::MAX, None).is_none(), "a log that rests signs none");
        assert!(short(10, 100, 10).is_none() && short(9, 100, 10).is_some());
        assert!(short(0, 0, 0).is_some() && short(1, 100, 0).is_none());
        assert!(full(Path::new("/there/is/no/such/folder"), 0).is_some());
    }

    #[test]
    fn an_entry_that_is_dated_ahead_waits_from_when_it_was_seen() {
        let (waits, entry) = (Waits::default(), |seq, time| Some(Uncovered { seq, time }));
        assert_eq!(waits.since(entry(7, 50), 100), Some(50), "by its own time");
        assert_eq!(waits.since(entry(8, 900), 100), Some(100), "by when it was seen");
        assert_eq!(waits.since(entry(8, 900), 300), Some(100));
        assert!(overdue(301, waits.since(entry(8, 900), 301), 100).is_some());
        assert_eq!(waits.since(entry(9, 900), 300), Some(300), "another one");
        assert_eq!(waits.since(entry(9, 900), 200), Some(200), "the clock was set back");
        assert_eq!(waits.since(None, 400), None);
        assert_eq!(waits.since(entry(9, 900), 500), Some(500), "a checkpoint came between");
    }

    /// Each of those that a test can break, and mends again.
    #[tokio::test]
    async fn breaking_one_lowers_the_share() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let mut config = Config::default();
        // However full the disk of who runs this is.
        config.mesh.disk_free = 0;
        let app = founded(folder.path(), config, clock.clone()).await;
        let objects = Objects::open(&app.config, app.db.clone(), clock.clone()).unwrap();
        let waits = Waits::default();
        let is = async |share_: f64| {
            Box::pin(look(&app, &objects, &waits)).await;
            assert!((share(&app.checks) - share_).abs() < 1e-9, "{:?}", app.checks.all());
        };
        assert!(share(&app.checks).abs() < 1e-9);
        is(1.0).await;
        // An entry waits for a checkpoint.
        let every = app.config.log.checkpoint_every.millis();
        clock.set(Timestamp::from_millis(clock.millis() + 2 * every + 1).unwrap());
        is(0.8).await;
        app.log.checkpoint().await.unwrap();
        is(1.0).await;
        // The chain does not hold.
        app.checks.record("chain", false);
        is(0.8).await;
        app.checks.record("chain", true);
        is(1.0).await;
        // The store of objects is gone.
        let (there, gone) = (folder.path().join("objects"), folder.path().join("away"));
        fs::rename(&there, &gone).unwrap();
        is(0.8).await;
        fs::rename(&gone, &there).unwrap();
        is(1.0).await;
        app.db.close().await;
        is(0.4).await;
    }
}
