//! What a running service does by itself: checkpoints, collecting, ending what a crash interrupted, and reading all
//! that it has.

use platform::db::{Db, DbError};
use platform::jobs::{Jobs, make_due, note};
use platform::log::{Log, MarkPlace, VerifyFault, verify, verify_recent};
use platform::objects::Objects;
use platform::outbox::Outbox;
use platform::problem::Problem;
use platform::problem::kinds::{BUSY, UNHEALTHY};
use platform::secrets::ErasureKeys;
use std::sync::Arc;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
/// How long a message is kept, and waits for somebody to send it to.
const KEPT: i64 = 30 * 24 * 3600 * 1000;

/// What the upkeep works on.
#[derive(Clone, Debug)]
pub struct Upkeep {
    /// The database.
    pub db: Db,
    /// The log.
    pub log: Log,
    /// Its mark.
    pub mark: MarkPlace,
    /// The objects.
    pub objects: Objects,
    /// The owners' keys.
    pub keys: ErasureKeys,
}

/// Whoever counts self-checks: the name of one, and why it did not pass.
pub type Record = Arc<dyn Fn(&'static str, Option<&VerifyFault>) + Send + Sync>;

/// The job that reads all of the chain: what it found last stands in its row.
pub(crate) const VERIFIES: &str = "verify-chain";

/// Whether what that job said is that the chain does not hold, and not that it could not be read.
pub(crate) fn is_found(fault: &str) -> bool {
    fault.starts_with(UNHEALTHY.code)
}

impl Upkeep {
    /// Its jobs, beside those of the modules.
    #[must_use]
    pub fn jobs(&self, jobs: Jobs, clock: &platform::clock::Clock, checkpoint_every: Duration, record: Record) -> Jobs {
        let (upkeep, now) = (self.clone(), clock.clone());
        let log = upkeep.log.clone();
        let jobs = jobs.with("checkpoint", checkpoint_every, MINUTE, move || {
            let log = log.clone();
            async move { log.checkpoint().await.map(drop) }
        });
        let (objects, clock) = (upkeep.objects.clone(), now.clone());
        let jobs = jobs.with("collect-objects", HOUR, HOUR, move || {
            let (objects, now) = (objects.clone(), clock.millis());
            async move { Ok(objects.collect(now).await.map(drop)?) }
        });
        let (keys, db, log) = (upkeep.keys.clone(), upkeep.db.clone(), upkeep.log.clone());
        let jobs = jobs.with("end-erasures", 10 * MINUTE, HOUR, move || {
            let (keys, db, log) = (keys.clone(), db.clone(), log.clone());
            async move { keys.end_erasures(&db, &log).await.map(drop) }
        });
        let (db, clock) = (upkeep.db.clone(), now);
        let jobs = jobs.with("sweep-outbox", DAY, HOUR, move || {
            let (outbox, before) = (Outbox::new(db.clone()), clock.millis().saturating_sub(KEPT));
            async move { Ok(outbox.sweep(before).await.map(drop)?) }
        });
        jobs.with(VERIFIES, DAY, 6 * HOUR, move || {
            let (upkeep, record) = (upkeep.clone(), Arc::clone(&record));
            async move { upkeep.verify(&record).await }
        })
    }

    /// At a start, before anything is served: what came since the last checkpoint is read, and says how many entries
    /// that is; erasures that a crash interrupted are ended, unless nothing is written, and where one cannot be, a job
    /// goes on with it; the rest is read in the background.
    ///
    /// # Errors
    /// [`VerifyFault`]: nothing is served.
    pub async fn begin(&self, record: &Record, is_read_only: bool, now: i64) -> Result<u64, VerifyFault> {
        let recent = verify_recent(&self.db, self.log.secrets(), &self.mark).await;
        record("recent", recent.as_ref().err());
        let recent = recent?;
        if !is_read_only {
            // A key that does not open is no reason to serve nobody.
            if let Err(problem) = self.keys.end_erasures(&self.db, &self.log).await {
                tracing::error!(%problem, "an erasure is not ended");
            }
        }
        let (upkeep, record) = (self.clone(), Arc::clone(record));
        // What it finds is counted, told, and noted for the monitor; who serves goes on until an operator has looked.
        tokio::spawn(async move {
            let fault = upkeep.verify(&record).await.err();
            if !is_read_only && let Err(error) = upkeep.note(fault, now).await {
                tracing::error!(%error, "what was found of the chain is not noted");
            }
        });
        Ok(recent)
    }

    async fn note(&self, fault: Option<Problem>, now: i64) -> Result<(), DbError> {
        match fault.map(|fault| fault.to_string()) {
            // What could not be read is read by the job at once, which tells where it cannot either.
            Some(fault) if !is_found(&fault) => make_due(&self.db, VERIFIES).await,
            fault => note(&self.db, VERIFIES, fault, now).await,
        }
    }

    /// Reads all of it, and has it counted: once at the start, in the background, and daily.
    ///
    /// # Errors
    /// [`platform::problem::kinds::UNHEALTHY`].
    pub async fn verify(&self, record: &Record) -> Result<(), Problem> {
        let read = verify(&self.db, self.log.secrets(), &self.mark).await;
        match read {
            Ok(verified) => {
                record("chain", None);
                tracing::info!(logs = verified.logs.len(), secrets = verified.secrets, "all of the chain holds");
                Ok(())
            }
            Err(fault) if fault.is_unread() => {
                tracing::warn!(%fault, "the store was not read");
                Err(Problem::new(&BUSY).detail(fault.to_string()))
            }
            Err(fault) => {
                record("chain", Some(&fault));
                tracing::error!(name = fault.name(), %fault, "the store does not hold");
                Err(Problem::new(&UNHEALTHY).detail(fault.name()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::House;
    use platform::clock::Clock;
    use platform::db::statements;
    use platform::jobs::stands;
    use platform::values;
    use std::sync::Mutex;

    statements! {
        GONE = "ALTER TABLE tree RENAME TO gone";
        BACK = "ALTER TABLE gone RENAME TO tree";
    }

    /// A damaged store is found and told of; one that cannot be read now is neither, and is read again at once.
    #[tokio::test]
    async fn what_is_not_read_is_not_found() {
        let house = House::new().await;
        let (app, now) = (&house.app, house.clock.millis());
        let upkeep = Upkeep {
            db: app.db.clone(),
            log: app.log.clone(),
            mark: MarkPlace::File(app.config.data.join("mark")),
            objects: Objects::open(&app.config, app.db.clone(), house.clock.clone()).unwrap(),
            keys: app.owners.clone(),
        };
        let told: Arc<Mutex<Vec<(&str, bool)>>> = Arc::default();
        let tells = Arc::clone(&told);
        let record: Record = Arc::new(move |name, fault| tells.lock().unwrap().push((name, fault.is_some())));
        let jobs = Jobs::new(app.db.clone(), Clock::still(dualseal::Timestamp::from_millis(now).unwrap()));
        let jobs = jobs.with(VERIFIES, DAY, HOUR, || async { Err(Problem::new(&BUSY)) });
        jobs.begin().await.unwrap();
        assert_eq!(jobs.tick(now).await.unwrap(), [VERIFIES]);
        app.db.execute(GONE, values![]).await.unwrap();
        let found = upkeep.verify(&record).await.unwrap_err();
        upkeep.note(Some(found), now).await.unwrap();
        app.db.execute(BACK, values![]).await.unwrap();
        assert!(is_found(&stands(&app.db, VERIFIES).await.unwrap().unwrap().0.unwrap()));
        assert!(jobs.tick(now).await.unwrap().is_empty());
        upkeep.note(Some(Problem::new(&BUSY)), now).await.unwrap();
        assert_eq!(jobs.tick(now).await.unwrap(), [VERIFIES]);
        assert!(is_found(&stands(&app.db, VERIFIES).await.unwrap().unwrap().0.unwrap()));
        // A start clears what is older than its own look, by more than clocks differ.
        let later = now + 61_000;
        upkeep.note(upkeep.verify(&record).await.err(), later).await.unwrap();
        assert_eq!(stands(&app.db, VERIFIES).await.unwrap(), Some((None, Some(later))));
        app.db.close().await;
        assert!(!is_found(&upkeep.verify(&record).await.unwrap_err().to_string()));
        assert_eq!(*told.lock().unwrap(), [("chain", true), ("chain", false)]);
    }
}
