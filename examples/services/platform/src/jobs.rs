//! What is done again and again: each run by one process, also where several have the same jobs. What was missed while
//! none was up is run once, and then at its next time.
//!
//! | file | what it is |
//! |---|---|
//! | `found` | what a job found, for those who look at the same |

mod found;

use found::{APART, DAY};
pub use found::{make_due, note, stands};

use crate::clock::Clock;
use crate::db::{Db, DbError, Statement, statements};
use crate::problem::Problem;
use crate::problem::kinds::UNHEALTHY;
use crate::values;
use futures::future::{BoxFuture, join_all};
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

statements! {
    BEGIN = "INSERT INTO jobs (name, every, due_at, well_run) VALUES ($1, $2, $3, $3) \
             ON CONFLICT (name) DO UPDATE SET every = excluded.every, due_at = CASE \
             WHEN jobs.every > excluded.every AND jobs.due_at > excluded.due_at + excluded.every \
             THEN excluded.due_at + excluded.every \
             ELSE jobs.due_at END";
    /// Of one whose row somebody took away nobody knows when it was well.
    BEGIN_AGAIN = "INSERT INTO jobs (name, every, due_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING";
    /// Asked first, since claiming takes the lock of the one that writes.
    LOOK = "SELECT CAST(CASE \
            WHEN due_at <= $2 OR (due_at > $4 AND (COALESCE(ended_run, -1) >= COALESCE(last_run, -1) \
            OR last_run <= $3 OR last_run > $5)) OR (last_run <= $3 AND COALESCE(ended_run, -1) < last_run) \
            THEN 1 ELSE 0 END AS BIGINT) AS due FROM jobs WHERE name = $1";
    /// Due, or further away than its rhythm is long, by more than clocks differ, where nobody does it now: a clock was
    /// set back, or was ahead. Or begun by a process that died: it had ended by now. The next time is the first one of
    /// its rhythm to come. What the row says of the rhythm counts for nothing.
    CLAIM = "UPDATE jobs SET last_run = $2, due_at = CASE WHEN due_at < 0 OR due_at > $4 THEN CAST($7 AS BIGINT) \
             WHEN due_at <= $2 THEN due_at + CAST($6 AS BIGINT) * ((CAST($2 AS BIGINT) - due_at) / CAST($6 AS BIGINT) \
             + 1) ELSE due_at END \
             WHERE name = $1 AND (due_at <= $2 OR (due_at > $4 AND (COALESCE(ended_run, -1) >= COALESCE(last_run, -1) \
             OR last_run <= $3 OR last_run > $5)) OR (last_run <= $3 AND COALESCE(ended_run, -1) < last_run)) \
             RETURNING due_at";
    /// What somebody found who began to look later stays.
    WELL = "UPDATE jobs SET ended_run = $2, \
            well_run = CASE WHEN found_run > $2 AND found_run <= $3 THEN well_run ELSE $2 END, \
            fault = CASE WHEN found_run > $2 AND found_run <= $3 THEN fault END WHERE name = $1 AND last_run = $2";
    /// What was found stays until a run finds it well: one that could not look found nothing else.
    FAILED = "UPDATE jobs SET ended_run = $2, \
              found_run = CASE WHEN fault LIKE $4 AND CAST($3 AS TEXT) NOT LIKE $4 THEN found_run ELSE $2 END, \
              fault = CASE WHEN fault LIKE $4 AND CAST($3 AS TEXT) NOT LIKE $4 THEN fault ELSE $3 END \
              WHERE name = $1 AND last_run = $2";
    LIST = "SELECT name, due_at, last_run, ended_run, fault FROM jobs ORDER BY name";
}

/// All statements of the jobs.
pub const STATEMENTS: &[&[Statement]] = &[ALL, found::ALL];

const LOOKS: Duration = Duration::from_secs(1);
/// What comes so seldom is told each time that it fails; of what comes more often this many in a row, and no more.
const SELDOM: Duration = Duration::from_hours(1);
const IN_A_ROW: [u32; 5] = [3, 30, 300, 3_000, 30_000];
/// A database that does not answer is told at the first look, and then after so many.
const LOOKS_UNTOLD: u32 = 60;
/// Whoever hears of jobs that fail hears of it behind the first of these, and once an hour.
const LOOKS_TOLD: u32 = 3600;

type Run = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Problem>> + Send + Sync>;

/// One that is done again and again.
#[derive(Clone)]
struct Job {
    name: &'static str,
    every: Duration,
    longest: Duration,
    run: Run,
    /// How often it failed in this process since it did not.
    failed: Arc<AtomicU32>,
    /// When this process told last that its row was gone.
    gone: Arc<AtomicI64>,
}

/// Whoever is told of a job that fails: its name, and what it said.
pub type Told = Arc<dyn Fn(&'static str, &str) + Send + Sync>;

/// The jobs of this process.
#[derive(Clone)]
pub struct Jobs {
    db: Db,
    clock: Clock,
    jobs: Vec<Job>,
    told: Option<Told>,
}

/// How a job stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    /// Its name.
    pub name: String,
    /// When it runs next.
    pub due_at: i64,
    /// When it began last.
    pub last_run: Option<i64>,
    /// Which run ended last.
    pub ended_run: Option<i64>,
    /// What that one said, where it failed.
    pub fault: Option<String>,
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.jobs.iter().map(|job| job.name)).finish()
    }
}

impl Jobs {
    /// None yet.
    #[must_use]
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock, jobs: Vec::new(), told: None }
    }

    /// Tells of one that failed: each time where it comes each hour or less often, and else of three in a row.
    #[must_use]
    pub fn telling(mut self, told: Told) -> Self {
        self.told = Some(told);
        self
    }

    /// Adds one, which takes at most `longest`: it is stopped then, so that whoever takes over a run of a process that
    /// died is alone. A job is safe to be done again from its beginning.
    #[must_use]
    pub fn with<F, R>(mut self, name: &'static str, every: Duration, longest: Duration, run: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Problem>> + Send + 'static,
    {
        let (run, gone): (Run, _) = (Arc::new(move || Box::pin(run())), Arc::new(AtomicI64::new(i64::MIN)));
        self.jobs.push(Job { name, every, longest, run, failed: Arc::default(), gone });
        self
    }

    /// Writes them down, each due at once where it is new.
    ///
    /// # Errors
    /// The database.
    pub async fn begin(&self) -> Result<(), DbError> {
        for job in &self.jobs {
            let every = millis(job.every).max(1);
            self.db.execute(BEGIN, values![job.name, every, self.clock.millis()]).await?;
        }
        Ok(())
    }

    /// Runs what is due at this time, one after the other, and says which. A job that fails fails alone.
    ///
    /// # Errors
    /// The database.
    pub async fn tick(&self, now: i64) -> Result<Vec<&'static str>, DbError> {
        let mut ran = Vec::new();
        for job in &self.jobs {
            if self.run_due(job, now).await? {
                ran.push(job.name);
            }
        }
        Ok(ran)
    }

    /// Looks each second, until it is dropped; no job waits for another.
    pub async fn run(self) {
        let loops = self.jobs.iter().map(|job| async {
            let mut unread: u32 = 0;
            loop {
                self.look(job, &mut unread).await;
                tokio::time::sleep(LOOKS).await;
            }
        });
        let _: Vec<()> = join_all(loops).await;
    }

    async fn look(&self, job: &Job, unread: &mut u32) {
        let Err(error) = self.run_due(job, self.clock.millis()).await else {
            *unread = 0;
            return;
        };
        if unread.is_multiple_of(LOOKS_UNTOLD) {
            tracing::error!(job = job.name, %error, "the job is not read");
        }
        if *unread % LOOKS_TOLD == LOOKS_UNTOLD
            && let Some(told) = &self.told
        {
            told(job.name, &format!("it is not read: {error}"));
        }
        *unread = unread.wrapping_add(1);
    }

    async fn run_due(&self, job: &Job, now: i64) -> Result<bool, DbError> {
        if !self.claim(job, now).await? {
            return Ok(false);
        }
        let done = tokio::time::timeout(job.longest, (job.run)()).await;
        let fault = match done {
            Ok(Ok(())) => None,
            Ok(Err(problem)) => Some(problem.to_string()),
            Err(_) => Some("it took too long".to_owned()),
        };
        let failed = match &fault {
            None => 0,
            Some(fault) => {
                tracing::error!(job = job.name, %fault, "a job failed");
                job.failed.load(Ordering::Relaxed).saturating_add(1)
            }
        };
        job.failed.store(failed, Ordering::Relaxed);
        metrics::gauge!("trustd_job_failed", "job" => job.name).set(f64::from(failed));
        if let (Some(told), Some(fault)) = (&self.told, &fault)
            && (IN_A_ROW.contains(&failed) || job.every >= SELDOM)
        {
            told(job.name, fault);
        }
        let found = format!("{}%", UNHEALTHY.code);
        match fault {
            None => self.db.execute(WELL, values![job.name, now, now.saturating_add(DAY)]).await?,
            Some(fault) => self.db.execute(FAILED, values![job.name, now, fault, found]).await?,
        };
        Ok(true)
    }

    /// How all of them stand, those of other processes too.
    ///
    /// # Errors
    /// The database.
    pub async fn list(&self) -> Result<Vec<JobState>, DbError> {
        let rows = self.db.list(LIST, values![]).await?;
        rows.iter()
            .map(|row| {
                Ok(JobState {
                    name: row.text("name")?,
                    due_at: row.number("due_at")?,
                    last_run: row.maybe_number("last_run")?,
                    ended_run: row.maybe_number("ended_run")?,
                    fault: row.maybe_text("fault")?,
                })
            })
            .collect()
    }

    /// Once an hour, however often somebody takes it away.
    fn tell_gone(&self, job: &Job, now: i64) {
        let last = job.gone.load(Ordering::Relaxed);
        if (last..last.saturating_add(millis(SELDOM))).contains(&now) {
            return;
        }
        job.gone.store(now, Ordering::Relaxed);
        tracing::error!(job = job.name, "the job's row was gone, and is begun again");
        if let Some(told) = &self.told {
            told(job.name, "its row was gone, and is begun again: somebody writes the database");
        }
    }

    async fn claim(&self, job: &Job, now: i64) -> Result<bool, DbError> {
        let (every, twice) = (millis(job.every).max(1), millis(job.longest).saturating_mul(2));
        let next = now.saturating_add(every);
        let far = next.saturating_add(APART);
        let mut values = values![job.name, now, now.saturating_sub(twice), far, far.saturating_add(twice)];
        match self.db.find(LOOK, values.clone()).await? {
            Some(row) if row.number("due")? == 0 => return Ok(false),
            Some(_) => {}
            None => {
                self.db.execute(BEGIN_AGAIN, values![job.name, every, now]).await?;
                self.tell_gone(job, now);
            }
        }
        let mut tx = self.db.begin().await?;
        values.extend(values![every, next]);
        let claimed = tx.find(CLAIM, values).await?.is_some();
        tx.commit().await?;
        Ok(claimed)
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
