//! The task that does what callers submit: all that waits goes into one transaction.

use super::checkpoint::{self, Known};
use super::store::{LogRow, last_time, load, write};
use super::work::Job;
use super::{Held, LogFault, Message};
use crate::db::{DbError, Tx, Under};
use crate::problem::{Problem, kinds};
use dualseal::Timestamp;
use dualseal::mldsa::{KeyHash, StatementKey};
use dualseal_operator::step::{Batch, Changes, RingRow, State, ToSign, sign_all};
use futures::FutureExt as _;
use std::any::Any;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio::sync::mpsc;

pub(super) struct Writer {
    held: Arc<Held>,
    /// What was loaded, with the state after this process's last change. Its text tells whether another changed it.
    opened: Option<Known>,
    log: i64,
    /// The entries that the last checkpoint of this process's knowledge covers, and when it was signed.
    signed: (u64, i64),
}

/// So often those that share a transaction are signed again because the rows of one were refused. After that each goes
/// alone, or many that are refused had all others signed once for each of them.
const ROUNDS: u32 = 2;

type Answer = (Box<dyn Job>, Result<Box<dyn Any + Send>, Problem>);

/// Why a whole transaction did not happen.
enum Failed {
    /// For everybody.
    All(LogFault),
    /// Through the rows of one: the others are done again without it.
    One(usize, Problem),
    /// Through a rule of the schema that the rows of one met: it is done again after the others.
    Met(usize),
}

impl<E: Into<LogFault>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::All(error.into())
    }
}

impl Writer {
    pub(super) async fn open(held: Arc<Held>) -> Result<Self, LogFault> {
        let mut writer = Self { held, opened: None, log: 0, signed: (0, 0) };
        let mut tx = writer.held.db.begin().await?;
        writer.hold(&mut tx).await?;
        tx.roll_back().await?;
        writer.signed.1 = writer.held.clock.millis();
        Ok(writer)
    }

    pub(super) async fn run(mut self, mut receiver: mpsc::Receiver<Message>) {
        let mut messages = Vec::new();
        while receiver.recv_many(&mut messages, self.held.settings.batch).await > 0 {
            let (mut jobs, mut checkpoints) = (Vec::new(), Vec::new());
            for message in messages.drain(..) {
                match message {
                    Message::Job(job) => jobs.push(job),
                    Message::Checkpoint(answer) => checkpoints.push(answer),
                }
            }
            let (alone, together): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.is_alone());
            self.guarded(together).await;
            for job in alone {
                self.guarded(vec![job]).await;
            }
            if !checkpoints.is_empty() {
                let signed = self.checkpoint().await;
                for answer in checkpoints {
                    drop(answer.send(signed.as_ref().map_err(Clone::clone).copied()));
                }
            }
        }
    }

    /// Does all of them. One that panics ends with those that shared its transaction, who may come again, and the
    /// writer goes on: without it nothing would ever be written again.
    async fn guarded(&mut self, jobs: Vec<Box<dyn Job>>) {
        if AssertUnwindSafe(self.serve(jobs)).catch_unwind().await.is_err() {
            self.opened = None;
        }
    }

    /// Does all of them; those that met each other are done again, one after the other.
    async fn serve(&mut self, mut jobs: Vec<Box<dyn Job>>) {
        let (mut alone, mut rounds) = (Vec::new(), 0);
        while !jobs.is_empty() {
            match self.transact(&mut jobs).await {
                Ok(answers) => {
                    self.answer(answers).await;
                    break;
                }
                Err(Failed::One(index, problem)) => {
                    jobs.remove(index).answer(Err(problem));
                    rounds += 1;
                    if rounds == ROUNDS {
                        alone.append(&mut jobs);
                    }
                }
                Err(Failed::Met(index)) => {
                    let mut job = jobs.remove(index);
                    if job.again() {
                        job.answer(Err(Problem::new(&kinds::CONFLICT)));
                    } else {
                        alone.push(job);
                    }
                }
                Err(Failed::All(fault)) => {
                    // What is there is loaded anew before anything else is done.
                    self.opened = None;
                    let problem = Problem::from(fault);
                    for job in jobs.drain(..) {
                        job.answer(Err(problem.clone()));
                    }
                }
            }
        }
        for job in alone {
            Box::pin(self.serve(vec![job])).await;
        }
    }

    /// Answers what was written; first those that need no checkpoint.
    async fn answer(&mut self, answers: Vec<Answer>) {
        let (sealed, others): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|(job, answer)| answer.is_ok() && job.is_sealed());
        for (job, answer) in others {
            job.answer(answer);
        }
        let size = self.opened.as_ref().map_or(0, |opened| opened.state.head().size());
        let is_due = size.saturating_sub(self.signed.0) >= self.held.settings.checkpoint_entries;
        if sealed.is_empty() && !is_due {
            return;
        }
        let signed = self.checkpoint().await;
        for (job, answer) in sealed {
            // It is written, and no stranger sees it yet: it is asked for again, and told under the next checkpoint.
            job.answer(signed.as_ref().map_err(Clone::clone).and(answer));
        }
    }

    /// One transaction over all of them.
    async fn transact(&mut self, jobs: &mut Vec<Box<dyn Job>>) -> Result<Vec<Answer>, Failed> {
        let mut tx = self.held.db.begin().await?;
        let Known { state, mark, time } = self.hold(&mut tx).await?.clone();
        // The one copy of all that the ring has: others read it meanwhile, and what fails leaves it as it was.
        let mut batch = Batch::new(State::clone(&state));
        let (now, mut refused) = (self.held.clock.now().max(time), Vec::new());
        for (index, job) in jobs.iter_mut().enumerate() {
            if let Err(problem) = job.read(&mut tx, batch.state()).await {
                // A statement that failed may have ended the transaction.
                if problem.status().is_server_error() {
                    return Err(Failed::One(index, problem));
                }
                refused.push((index, problem));
            } else if let Err(problem) = batch.step(now, |step| job.step(step)) {
                refused.push((index, problem));
            }
        }
        for (index, problem) in refused.into_iter().rev() {
            jobs.remove(index).answer(Err(problem));
        }
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let is_empty = batch.is_empty();
        let (placed, to_sign) = batch.place();
        let keys = self.keys(&mut tx, &to_sign).await?;
        let finished = tokio::task::spawn_blocking(move || {
            let find = |one: &ToSign| keys.get(one.public_key().hash()).map(|key| &**key as &dyn StatementKey);
            placed.finish(sign_all(to_sign, &find)?)
        });
        let finished = finished.await.map_err(|_| LogFault::Moved)?;
        let (state, changes) = finished?;
        if !is_empty {
            write(&mut tx, self.log, &changes).await?;
        }
        let mut answers = Vec::with_capacity(jobs.len());
        let under = Under { log: self.log, size: state.head().size() };
        for (index, job) in jobs.iter_mut().enumerate() {
            tx.tell_under(job.is_sealed().then_some(under));
            match job.rows(&mut tx, &changes).await {
                Ok(answer) => answers.push(answer),
                Err(problem) if problem.is_unique() => return Err(Failed::Met(index)),
                Err(problem) => return Err(Failed::One(index, problem)),
            }
        }
        tx.commit().await?;
        metrics::histogram!("trustd_log_batch").record(u32::try_from(jobs.len()).unwrap_or(u32::MAX));
        if !is_empty {
            self.after(Known { state: Arc::new(state), mark, time: now }, &changes).await?;
        }
        Ok(jobs.drain(..).zip(answers.into_iter().map(Ok)).collect())
    }

    /// What this process knows now. A change of the ring raises the mark, so that no old copy goes on in its stead.
    async fn after(&mut self, known: Known, changes: &Changes) -> Result<(), LogFault> {
        self.held.see(Arc::clone(&known.state));
        self.opened = Some(known);
        if changes.ring.rows.iter().any(|row| matches!(row, RingRow::Identity(..))) {
            let mut tx = self.held.db.begin().await?;
            let raised = self.raise(&mut tx).await;
            tx.roll_back().await?;
            // The change is written: a mark that is behind is raised by the next change or checkpoint.
            if let Err(fault) = raised {
                tracing::warn!(%fault, "a change of the ring is written, and its mark not raised");
                self.opened = None;
            }
        }
        Ok(())
    }

    async fn raise(&mut self, tx: &mut Tx) -> Result<(), LogFault> {
        let log = self.log;
        let (held, opened) = (Arc::clone(&self.held), self.hold(tx).await?);
        checkpoint::raise(&held, tx, log, opened).await
    }

    /// Signs a checkpoint where something was appended since the last one.
    async fn checkpoint(&mut self) -> Result<u64, Problem> {
        let signed = self.sign().await;
        if let Err(fault) = &signed {
            tracing::error!(%fault, "no checkpoint was signed");
            self.opened = None;
        }
        Ok(signed?)
    }

    async fn sign(&mut self) -> Result<u64, LogFault> {
        let mut tx = self.held.db.begin().await?;
        self.hold(&mut tx).await?;
        let (held, log) = (Arc::clone(&self.held), self.log);
        let opened = self.opened.as_mut().ok_or(LogFault::NoLog)?;
        let size = checkpoint::sign(&held, &mut tx, log, opened).await?;
        tx.commit().await?;
        self.held.see(Arc::clone(&opened.state));
        self.signed = (size, self.held.clock.millis());
        Ok(size)
    }

    /// Takes the lock, and what stands there: as this process left it, or loaded anew where another has changed it.
    async fn hold(&mut self, tx: &mut Tx) -> Result<&mut Known, LogFault> {
        let row = LogRow::hold(tx).await?;
        let is_known =
            self.log == row.id && self.opened.as_ref().is_some_and(|opened| opened.state.text() == row.state);
        if !is_known {
            self.opened = None;
            self.log = row.id;
            let mark = self.held.mark.read().await?;
            let opened = load(tx, &row, &self.held.domain, &self.held.authority, &mark).await?;
            self.signed.0 = opened.state.last().map_or(0, |last| last.size);
            // The state names what was signed last, and was compared with the row.
            let signed = row.checkpoint()?.map(|checkpoint| checkpoint.time());
            let time = last_time(tx, row.id, &opened.state).await?.max(signed.unwrap_or(Timestamp::MIN));
            let known = Known { state: Arc::new(opened.state), mark: opened.mark, time };
            self.held.see(Arc::clone(&known.state));
            self.opened = Some(known);
        }
        self.opened.as_mut().ok_or(LogFault::NoLog)
    }

    async fn keys(
        &self,
        tx: &mut Tx,
        to_sign: &[ToSign],
    ) -> Result<HashMap<KeyHash, Arc<dualseal::ExpandedSigningKey>>, Failed> {
        let mut keys = HashMap::new();
        for one in to_sign {
            let public_key = one.public_key();
            if keys.contains_key(public_key.hash()) {
                continue;
            }
            let key = self.held.keys.get(&self.held.secrets, tx, public_key).await;
            // Without it `sign_all` says whose is missing.
            if let Some(key) = key.map_err(|_| LogFault::Db(DbError::Column("stored")))? {
                keys.insert(*public_key.hash(), key);
            }
        }
        Ok(keys)
    }
}
