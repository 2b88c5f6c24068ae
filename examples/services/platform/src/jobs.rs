//! What is done again and again: each run by one process, also where several have the same jobs. What was missed while
//! none was up is run once, and then at its next time.

use crate::clock::Clock;
use crate::db::{Db, DbError, Statement, statements};
use crate::problem::Problem;
use crate::values;
use futures::future::{BoxFuture, join_all};
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

statements! {
    BEGIN = "INSERT INTO jobs (name, every, due_at) VALUES ($1, $2, $3) \
             ON CONFLICT (name) DO UPDATE SET every = excluded.every, due_at = CASE \
             WHEN jobs.every > excluded.every AND jobs.due_at > excluded.due_at + excluded.every \
             THEN excluded.due_at + excluded.every \
             ELSE jobs.due_at END";
    /// Asked first, since claiming takes the lock of the one that writes.
    LOOK = "SELECT 1 AS one FROM jobs \
            WHERE name = $1 AND (due_at <= $2 OR due_at > $2 + every + 60000 \
            OR (last_run <= $3 AND COALESCE(ended_run, -1) < last_run))";
    /// Due, or further away than its rhythm is long, by more than clocks differ: a clock was set back, or was ahead. Or
    /// begun by a process that died: it had ended by now. The next time is the first one of its rhythm to come.
    CLAIM = "UPDATE jobs SET last_run = $2, due_at = CASE WHEN due_at <= $2 \
             THEN due_at + every * ((($2 - due_at) / every) + 1) \
             WHEN due_at > $2 + every + 60000 THEN $2 + every ELSE due_at END \
             WHERE name = $1 AND (due_at <= $2 OR due_at > $2 + every + 60000 \
             OR (last_run <= $3 AND COALESCE(ended_run, -1) < last_run)) \
             RETURNING due_at";
    END = "UPDATE jobs SET ended_run = $2, fault = $3 WHERE name = $1 AND last_run = $2";
    NOTE = "UPDATE jobs SET fault = $2 WHERE name = $1";
    FAULT = "SELECT fault FROM jobs WHERE name = $1";
    LIST = "SELECT name, due_at, last_run, ended_run, fault FROM jobs ORDER BY name";
}

/// All statements of the jobs.
pub const STATEMENTS: &[Statement] = ALL;

const LOOKS: Duration = Duration::from_secs(1);
/// What comes so seldom is told each time that it fails; of what comes more often this many in a row, and no more.
const SELDOM: Duration = Duration::from_hours(1);
const IN_A_ROW: [u32; 5] = [3, 30, 300, 3_000, 30_000];
/// A database that does not answer is told at the first look, and then after so many.
const LOOKS_UNTOLD: u32 = 60;

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
        self.jobs.push(Job { name, every, longest, run: Arc::new(move || Box::pin(run())), failed: Arc::default() });
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
                match self.run_due(job, self.clock.millis()).await {
                    Ok(_) => unread = 0,
                    Err(error) => {
                        if unread.is_multiple_of(LOOKS_UNTOLD) {
                            tracing::error!(job = job.name, %error, "the job is not read");
                        }
                        unread = unread.wrapping_add(1);
                    }
                }
                tokio::time::sleep(LOOKS).await;
            }
        });
        let _: Vec<()> = join_all(loops).await;
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
        self.db.execute(END, values![job.name, now, fault]).await?;
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

    async fn claim(&self, job: &Job, now: i64) -> Result<bool, DbError> {
        let died = now.saturating_sub(millis(job.longest).saturating_mul(2));
        if self.db.find(LOOK, values![job.name, now, died]).await?.is_none() {
            return Ok(false);
        }
        let mut tx = self.db.begin().await?;
        let claimed = tx.find(CLAIM, values![job.name, now, died]).await?.is_some();
        tx.commit().await?;
        Ok(claimed)
    }
}

/// Notes what somebody else found of what a job looks at.
///
/// # Errors
/// The database.
pub async fn note(db: &Db, name: &str, fault: Option<String>) -> Result<(), DbError> {
    db.execute(NOTE, values![name, fault]).await.map(drop)
}

/// What the last run of a job said, where it failed.
///
/// # Errors
/// The database.
pub async fn fault(db: &Db, name: &str) -> Result<Option<String>, DbError> {
    db.find(FAULT, values![name]).await?.map_or(Ok(None), |row| row.maybe_text("fault"))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
