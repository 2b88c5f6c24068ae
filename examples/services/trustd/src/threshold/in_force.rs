//! Which generation of a session counts: what the log says, from the session's founding on, under the last checkpoint.
//!
//! The library reads every entry since, of whomever it is, since any could be a generation. A process reads them once,
//! some hundred at a time, and goes on from there: what it found is kept for the sessions that were used last.

use super::store::{self, SessionRow};
use crate::App;
use dualseal::checkpoint::Checkpoint;
use dualseal::id::SessionId;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::threshold::{Session, SessionAtHead, SessionInForce, SessionKind};
use dualseal::{Entry, Head, KeyRing, Located, Verified};
use dualseal_operator::own::{OwnCheckpoint, may_sign};
use dualseal_operator::step::State;
use platform::access::World;
use platform::db::{Tx, statements};
use platform::log::Log;
use platform::problem::{Problem, kinds};
use platform::values;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{Mutex as Turn, Semaphore};
use tokio::time::timeout;

statements! {
    RANGE = "SELECT json FROM entries WHERE log = $1 AND seq >= $2 AND seq < $3 ORDER BY seq";
}

/// Entries that are read at once.
const PORTION: u64 = 500;
/// Sessions that are kept: their records have up to some 40 kB each.
const MOST_KNOWN: usize = 256;

/// How many sessions are read from their founding at once for anybody who asks, and how long one waits for that.
const AT_ONCE: usize = 1;
const PATIENCE: Duration = Duration::from_secs(2);

/// What this process read of the log.
#[derive(Debug)]
pub(super) struct Sessions {
    known: Mutex<Lately<SessionId, Known>>,
    /// Of those that strangers ask for, who push out nothing that others need: the names of all are in the log.
    strangers: Mutex<Lately<SessionId, Known>>,
    turns: Semaphore,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { known: Mutex::default(), strangers: Mutex::default(), turns: Semaphore::new(AT_ONCE) }
    }
}

/// What was found of a session; whoever looks on holds it meanwhile.
type Known = Arc<Turn<Option<Arc<SessionInForce>>>>;

/// A map that forgets what was used least lately.
#[derive(Debug)]
struct Lately<K, V> {
    values: HashMap<K, (u64, V)>,
    turn: u64,
}

impl<K, V> Default for Lately<K, V> {
    fn default() -> Self {
        Self { values: HashMap::new(), turn: 0 }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Lately<K, V> {
    fn get(&mut self, key: &K) -> Option<V> {
        self.turn += 1;
        let (used, value) = self.values.get_mut(key)?;
        *used = self.turn;
        Some(value.clone())
    }

    fn put(&mut self, key: K, value: V, most: usize) {
        self.turn += 1;
        if self.values.len() >= most && !self.values.contains_key(&key) {
            let oldest = self.values.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| *key);
            oldest.and_then(|oldest| self.values.remove(&oldest));
        }
        self.values.insert(key, (self.turn, value));
    }
}

impl Sessions {
    /// What is in force of a session under the last checkpoint, by the ring as it is now.
    ///
    /// # Errors
    /// [`kinds::NOT_COVERED`] where no checkpoint covers its founding yet; [`kinds::LOG_ENDED`].
    pub(super) async fn in_force(&self, app: &App, session: &SessionRow) -> Result<Found, Problem> {
        let turn = place(&self.known, &session.session_id);
        found(app, session, &turn).await
    }

    /// The same for anybody: who asks for one of which nothing is known yet waits for his turn.
    ///
    /// # Errors
    /// [`kinds::BUSY`] where it does not come; as [`in_force`](Self::in_force).
    pub(super) async fn for_anybody(&self, app: &App, session: &SessionRow) -> Result<Found, Problem> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&session.session_id);
        let turn = known.unwrap_or_else(|| place(&self.strangers, &session.session_id));
        if turn.try_lock().is_ok_and(|known| known.is_some()) {
            return found(app, session, &turn).await;
        }
        let busy = || Problem::new(&kinds::BUSY).retry_after(PATIENCE.as_secs());
        let _turn = timeout(PATIENCE, self.turns.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
        found(app, session, &turn).await
    }

    /// As if strangers had one read, until this is dropped.
    #[cfg(test)]
    pub(super) async fn one(&self) -> tokio::sync::SemaphorePermit<'_> {
        self.turns.acquire().await.unwrap()
    }
}

/// Where what is found of a session stands.
fn place(known: &Mutex<Lately<SessionId, Known>>, session_id: &SessionId) -> Known {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.get(session_id).unwrap_or_else(|| {
        let new = Known::default();
        known.put(*session_id, Arc::clone(&new), MOST_KNOWN);
        new
    })
}

/// What is in force, by what was found before.
async fn found(app: &App, session: &SessionRow, turn: &Known) -> Result<Found, Problem> {
    let mut tx = app.db.snapshot().await?;
    let records = store::records(&mut tx, &session.session_id).await?;
    let is_current = store::is_current(&mut tx, session).await?;
    tx.roll_back().await?;
    if !is_current {
        return Err(Problem::new(&kinds::LOG_ENDED));
    }
    let records = records.into_iter().filter(|row| row.counts).map(|row| row.record).collect::<Vec<_>>();
    // One reads, and the others wait for what he finds.
    let mut known = turn.lock().await;
    let state = app.log.state().await?;
    let checkpoint = own_checkpoint(app, session.log, &state).await?;
    let ends = checkpoint.record().tree_head().size;
    if session.begins.size() >= ends {
        return Err(Problem::new(&kinds::NOT_COVERED).retry_after(1));
    }
    // A checkpoint that was read before that of what is known proves nothing new.
    let from = known.clone().filter(|found| found.covered().size() <= ends);
    let (log, handle, session, ring) = (app.log.clone(), Handle::current(), session.clone(), Arc::clone(&state));
    let under = checkpoint.clone();
    let walked = tokio::task::spawn_blocking(move || {
        Walk { log: &log, session: &session, records: &records, under: &under, ring: ring.ring() }
            .go(from.as_deref(), &handle)
    });
    let found = Arc::new(walked.await.map_err(|error| Problem::internal("walk", &error))??);
    *known = Some(Arc::clone(&found));
    Ok(Found { session: found, state, checkpoint })
}

/// What is in force, and by what it was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) session: Arc<SessionInForce>,
    pub(super) state: Arc<State>,
    pub(super) checkpoint: Verified<Checkpoint>,
}

/// The ring by which a session is judged. That of a decoy world has the quorum's own key: no change of the real ring
/// was made for it.
pub(super) fn ring_of<'a>(founder: &Session, world: i64, ring: &'a KeyRing) -> Cow<'a, KeyRing> {
    match founder.kind() {
        SessionKind::MlDsa65 { identity_id, public_key } if world == World::Decoy.number() => {
            Cow::Owned(KeyRing::pinned(identity_id, public_key.clone()))
        }
        _ => Cow::Borrowed(ring),
    }
}

/// Refuses a quorum whose key was called back, is suspended, or was replaced.
pub(super) fn check_key(founder: &Session, world: i64, ring: &KeyRing) -> Result<(), Problem> {
    let SessionKind::MlDsa65 { identity_id, public_key } = founder.kind() else { return Ok(()) };
    Ok(may_sign(&ring_of(founder, world, ring), identity_id, public_key)?)
}

/// The last checkpoint of a log, by a key of the log's own ring.
async fn own_checkpoint(app: &App, log: i64, state: &State) -> Result<Verified<Checkpoint>, Problem> {
    let found = app.log.reader().checkpoint(log).await?;
    let (checkpoint, _) = found.ok_or_else(|| Problem::new(&kinds::NOT_COVERED).retry_after(1))?;
    let judged = OwnCheckpoint::judge(checkpoint, app.log.domain(), state.origin(), state.ring());
    judged.and_then(OwnCheckpoint::as_evidence).map_err(|unowned| Problem::internal("checkpoint", &unowned))
}

/// The place of an entry under a checkpoint; `None` where it is not there.
pub(super) async fn located(
    app: &App,
    found: &Found,
    krunica: &dualseal::krunica::KrunicaHash,
) -> Result<Option<Located>, Problem> {
    let reader = app.log.reader();
    let size = found.checkpoint.record().tree_head().size;
    let Some(entry) = reader.by_handle(krunica).await? else { return Ok(None) };
    if entry.log != reader.current().await? || entry.entry.seq() >= size {
        return Ok(None);
    }
    let path = reader.path(entry.log, entry.entry.seq(), size).await?;
    let path = path.ok_or_else(|| Problem::internal("tree", &"a leaf is missing"))?;
    let proof = dualseal::checkpoint::PlaceProof::new(found.checkpoint.record().clone(), entry.entry, path);
    let located = proof.and_then(|proof| proof.verify(&found.checkpoint));
    located.map(Some).map_err(|error| Problem::internal("tree", &error))
}

/// One reading of the log.
struct Walk<'a> {
    log: &'a Log,
    session: &'a SessionRow,
    records: &'a [Session],
    under: &'a Verified<Checkpoint>,
    ring: &'a KeyRing,
}

impl Walk<'_> {
    /// From the founding, or from where reading ended before.
    fn go(&self, from: Option<&SessionInForce>, handle: &Handle) -> Result<SessionInForce, Problem> {
        let Self { log, session, under, .. } = *self;
        let begun = TrustedHead::stored(from.map_or(&session.begins, SessionInForce::covered));
        let mut reader = ChainReader::new(log.domain(), &begun).under(under).map_err(broken)?;
        let watched = match from {
            Some(from) => reader.session_since(from),
            None => reader.session(&session.session_id, &session.founding),
        };
        let (watched, ends) = (watched.map_err(broken)?, under.record().tree_head().size);
        while reader.size() < ends {
            let to = ends.min(reader.size().saturating_add(PORTION));
            let entries = handle.block_on(log.reader().range(session.log, reader.size(), to))?;
            if entries.is_empty() {
                return Err(broken("entries are missing"));
            }
            entries.iter().try_for_each(|entry| reader.push(entry)).map_err(broken)?;
        }
        let located = reader.finish().and_then(|mut proofs| proofs.take(watched)).map_err(broken)?;
        let founder = self.records.first().ok_or_else(|| broken("the founder's record is missing"))?;
        let ring = ring_of(founder, session.world, self.ring);
        located.in_force(self.records, &ring).map_err(broken)
    }
}

/// What is in force at the head, within the transaction that appends there: read on from what was found under a
/// checkpoint, some hundred entries at most.
pub(super) async fn at_head(
    tx: &mut Tx,
    session: &SessionRow,
    from: &SessionInForce,
    state: &State,
) -> Result<SessionAtHead, Problem> {
    let rows = store::records(tx, &session.session_id).await?;
    let records = rows.into_iter().filter(|row| row.counts).map(|row| row.record).collect::<Vec<_>>();
    let head: &Head = state.head();
    let begun = TrustedHead::stored(from.covered());
    let mut reader = ChainReader::new(state.domain(), &begun).up_to(head);
    let watched = reader.session_since(from).map_err(broken)?;
    while reader.size() < head.size() {
        let to = head.size().min(reader.size().saturating_add(PORTION));
        let rows = tx.list(RANGE, values![session.log, reader.size(), to]).await?;
        if rows.is_empty() {
            return Err(broken("entries are missing"));
        }
        for row in rows {
            let entry = Entry::from_json(row.text("json")?.as_bytes()).map_err(broken)?;
            reader.push(&entry).map_err(broken)?;
        }
    }
    let located = reader.finish().and_then(|mut proofs| proofs.take(watched)).map_err(broken)?;
    let ring = ring_of(from.founder(), session.world, state.ring());
    let at = located.at_head(&records, &ring).map_err(broken)?;
    // All of them were founded or committed here.
    at.settled(records.last().ok_or_else(|| broken("the founder's record is missing"))?).map_err(broken)
}

/// A chain that does not hold is the service's fault, whatever was asked.
fn broken(error: impl std::fmt::Display) -> Problem {
    Problem::internal("threshold chain", &error)
}
