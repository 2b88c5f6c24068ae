//! The one log of the service, and its writer: every process takes what waits, places all of it under the log's lock,
//! signs it on all cores and writes it in one transaction, so that nobody's change is half there and the chain has no
//! fork, however many processes append.
//!
//! | file | what it is |
//! |---|---|
//! | `work` | what a caller has the writer do |
//! | `writer` | the task that does it, several callers' at once |
//! | `store` | the rows: loaded, held against themselves, written |
//! | `nodes` | the nodes of the tree, for proofs |
//! | `keys` | the keys that sign |
//! | `mark` | the signer's high-water mark, apart from the database |
//! | `checkpoint` | signing a checkpoint and its note |
//! | `found` | a log's beginning |
//! | `moment` | what stands there, with the mark that belongs to it |
//! | `verify` | reading all of it, and holding it against each other |
//! | `restored` | judging a database that came from a backup |
//! | `read` | what anybody may read of it: entries, places, growth |
//! | `together` | what several callers ask of its state, in one question |

mod checkpoint;
mod found;
mod keys;
mod mark;
mod moment;
mod nodes;
mod read;
mod restored;
mod store;
mod together;
mod verify;
mod work;
mod writer;

pub use found::{Founded, decoy_place, found, is_founded};
pub use keys::{Keys, seed_place};
pub use mark::MarkPlace;
pub use read::{Ended, Found, LogReader};
pub use restored::{Accepted, Judged, Restored, judge, voids};
pub use store::LogFault;
pub use together::TOGETHER;
pub use verify::{Verified, VerifiedLog, VerifyFault, verify, verify_recent};
pub use work::Work;

use crate::clock::Clock;
use crate::config::LogConfig;
use crate::db::{Db, Statement, Under};
use crate::problem::{Problem, kinds};
use crate::secrets::Secrets;
use dualseal::ed25519::{Ed25519PublicKey, Ed25519SigningKey};
use dualseal::key::PreparedKeyCache;
use dualseal::{Domain, IdentityId, RingKey};
use dualseal_operator::step::State;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use together::Together;
use tokio::sync::{mpsc, oneshot};
use work::{Job, Waiting};

/// All statements of the log.
pub const STATEMENTS: &[&[Statement]] = &[nodes::ALL, read::ALL, restored::ALL, store::ALL, verify::ALL];
/// As many wait as would be served in some seconds; whoever comes then comes again.
const MOST_WAITING: usize = 1024;

/// How the log is kept.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// Seconds after which a checkpoint is signed where something was appended.
    pub checkpoint_every: u64,
    /// Entries after which it is signed before that.
    pub checkpoint_entries: u64,
    /// How many callers' work goes into one transaction.
    pub batch: usize,
}

impl LogSettings {
    /// As the service's settings say.
    #[must_use]
    pub fn of(config: &LogConfig) -> Self {
        Self {
            checkpoint_every: config.checkpoint_every.0,
            checkpoint_entries: config.checkpoint_entries,
            batch: config.batch,
        }
    }
}

impl Default for LogSettings {
    fn default() -> Self {
        Self { checkpoint_every: 3600, checkpoint_entries: 10_000, batch: 64 }
    }
}

/// What the writer works with.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) domain: Domain,
    pub(crate) secrets: Secrets,
    pub(crate) authority: RingKey,
    /// Who signs checkpoints.
    pub(crate) identity: IdentityId,
    pub(crate) note_key: Ed25519SigningKey,
    pub(crate) mark: MarkPlace,
    pub(crate) keys: Keys,
    pub(crate) prepared: PreparedKeyCache,
    pub(crate) settings: LogSettings,
    /// The state as this process saw it last.
    pub(crate) seen: RwLock<Option<Arc<State>>>,
    /// Who waits for the next question about the state.
    together: Together,
    /// The logs that have ended, by their numbers: nothing changes them any more.
    pub(crate) ended: RwLock<BTreeMap<i64, Arc<Ended>>>,
}

impl Held {
    fn seen(&self) -> Option<Arc<State>> {
        self.seen.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn see(&self, state: Arc<State>) {
        *self.seen.write().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }
}

enum Message {
    Job(Box<dyn Job>),
    /// Sign a checkpoint now, if anything was appended since the last one.
    Checkpoint(oneshot::Sender<Result<u64, Problem>>),
}

/// The log of the service.
#[derive(Clone, Debug)]
pub struct Log {
    sender: mpsc::Sender<Message>,
    held: Arc<Held>,
}

impl Log {
    /// Opens the log that was [`found`]ed, holds what stands there against itself, and begins to write.
    ///
    /// # Errors
    /// [`LogFault`].
    pub async fn open(
        db: Db,
        clock: Clock,
        secrets: Secrets,
        mark: MarkPlace,
        settings: LogSettings,
    ) -> Result<Self, LogFault> {
        let held = Arc::new(found::held(db, clock, secrets, mark, settings).await?);
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        let writer = writer::Writer::open(Arc::clone(&held)).await?;
        tokio::spawn(writer.run(receiver));
        Ok(Self { sender, held })
    }

    /// Has the writer do a caller's work, and waits until it is written down.
    ///
    /// # Errors
    /// What the work says; [`kinds::BUSY`] where too much waits.
    pub async fn submit<W: Work>(&self, work: W) -> Result<W::Answer, Problem> {
        let (job, waits) = Waiting::new(work);
        self.send(Message::Job(Box::new(job)))?;
        waits.await.unwrap_or_else(|_| Err(Problem::new(&kinds::BUSY).retry_after(1)))
    }

    /// Signs a checkpoint, if anything was appended since the last one, and says how many entries it covers.
    ///
    /// # Errors
    /// What the log says.
    pub async fn checkpoint(&self) -> Result<u64, Problem> {
        let (answer, waits) = oneshot::channel();
        self.send(Message::Checkpoint(answer))?;
        waits.await.unwrap_or_else(|_| Err(Problem::new(&kinds::BUSY).retry_after(1)))
    }

    /// Signs one where more than some entries came since the last, and says whether it did: whoever appends by what a
    /// checkpoint covers reads the others while nobody else may append.
    ///
    /// # Errors
    /// What the log says.
    pub async fn checkpoint_beyond(&self, most: u64) -> Result<bool, Problem> {
        let state = self.state().await?;
        let covered = state.last().map_or(0, |last| last.size);
        if state.head().size().saturating_sub(covered) <= most {
            return Ok(false);
        }
        self.checkpoint().await?;
        Ok(true)
    }

    /// Makes sure that a checkpoint covers what an answer tells, before the answer is given again: the first time
    /// none may have been signed.
    ///
    /// # Errors
    /// What the log says; [`kinds::CONFLICT`] of a log that has ended, which none will cover.
    pub(crate) async fn cover(&self, under: Under) -> Result<(), Problem> {
        let signed = self.reader().checkpoint(under.log).await?;
        if signed.is_some_and(|(signed, _)| signed.tree_head().size >= under.size) {
            return Ok(());
        }
        if self.reader().current().await? != under.log {
            return Err(Problem::new(&kinds::CONFLICT).detail("the log that it was written to has ended"));
        }
        self.checkpoint().await.map(drop)
    }

    /// How many callers' work waits for the writer.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.sender.max_capacity().saturating_sub(self.sender.capacity())
    }

    /// Reads it.
    #[must_use]
    pub fn reader(&self) -> LogReader<'_> {
        LogReader::new(&self.held)
    }

    /// The state, with its ring, as the database has it now: what another process changed is seen.
    ///
    /// # Errors
    /// [`LogFault`].
    pub async fn state(&self) -> Result<Arc<State>, LogFault> {
        read::state(&self.held).await
    }

    /// The state, and what a statement has for a hash, in one question with what others ask: each way to the database
    /// costs more than a verification. Both are as they are after this was called, or later.
    ///
    /// The statement has [`TOGETHER`] parameters for hashes. Each of its rows has the `state` of the log that is
    /// written to, which is the one with the greatest `id`, a hash as `asked`, or NULL, and a text as `told`.
    ///
    /// # Errors
    /// What the log says; [`kinds::BUSY`] where the asking broke off.
    pub async fn state_beside(
        &self,
        statement: Statement,
        asked: [u8; 32],
    ) -> Result<(Arc<State>, Option<String>), Problem> {
        together::ask(&self.held, statement, asked).await
    }

    /// The domain of the log.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.held.domain
    }

    /// Who signs its checkpoints.
    #[must_use]
    pub fn identity(&self) -> &IdentityId {
        &self.held.identity
    }

    /// The key of its notes.
    #[must_use]
    pub fn note_key(&self) -> &Ed25519PublicKey {
        self.held.note_key.public_key()
    }

    /// The ring key.
    #[must_use]
    pub fn authority(&self) -> &RingKey {
        &self.held.authority
    }

    /// The keys that sign.
    #[must_use]
    pub fn keys(&self) -> &Keys {
        &self.held.keys
    }

    /// Keys that verify, expanded.
    #[must_use]
    pub fn prepared(&self) -> &PreparedKeyCache {
        &self.held.prepared
    }

    /// Secrets at rest.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.held.secrets
    }

    fn send(&self, message: Message) -> Result<(), Problem> {
        self.sender.try_send(message).map_err(|_| Problem::new(&kinds::BUSY).retry_after(1))
    }
}
