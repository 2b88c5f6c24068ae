//! What anybody may read of the log: entries, their places under a checkpoint, growth, tiles.

use super::moment::{Moment, Of, moment};
use super::nodes::{SizedNodes, place};
use super::store::{LogFault, LogRow, load_without_mark};
use super::{Held, found};
use crate::db::{DbError, Row, statements};
use crate::values;
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::krunica::KrunicaHash;
use dualseal::tree::{TreeHash, prove_growth, prove_leaf};
use dualseal::{Entry, Located, Verified};
use dualseal_operator::opening::Refused;
use dualseal_operator::own::OwnCheckpoint;
use dualseal_operator::step::State;
use std::sync::{Arc, PoisonError};

statements! {
    BY_SEQ = "SELECT log, seq, json FROM entries WHERE log = $1 AND seq = $2";
    BY_HANDLE = "SELECT log, seq, json FROM entries WHERE krunica = $1";
    RANGE = "SELECT log, seq, json FROM entries WHERE log = $1 AND seq >= $2 AND seq < $3 ORDER BY seq";
    CHECKPOINT = "SELECT json, note FROM checkpoints WHERE log = $1 ORDER BY size DESC LIMIT 1";
    NODES = "SELECT hash FROM tree WHERE log = $1 AND place >= $2 AND place < $3 ORDER BY place";
    LOG = "SELECT id, origin, state, ring_seal, checkpoint, note FROM logs WHERE id = $1";
    STATE_TEXT = "SELECT id, state FROM logs WHERE id = (SELECT MAX(id) FROM logs)";
}

/// Reads the log.
#[derive(Clone, Copy, Debug)]
pub struct LogReader<'a>(&'a Held);

/// An entry, and which of the service's logs it stands in.
#[derive(Clone, Debug)]
pub struct Found {
    /// The number of the log.
    pub log: i64,
    /// The entry.
    pub entry: Entry,
}

/// A log that is not written to any more: what it placed keeps its place there.
#[derive(Debug)]
pub struct Ended {
    /// As it ended.
    pub state: State,
    /// Its last checkpoint, where the key of that counted then.
    pub checkpoint: Option<Verified<Checkpoint>>,
}

impl<'a> LogReader<'a> {
    pub(super) fn new(held: &'a Held) -> Self {
        Self(held)
    }

    /// The last checkpoint of a log, with its note.
    ///
    /// # Errors
    /// The database; a row that is not of its form.
    pub async fn checkpoint(&self, log: i64) -> Result<Option<(Checkpoint, String)>, LogFault> {
        let Some(row) = self.0.db.find(CHECKPOINT, values![log]).await? else { return Ok(None) };
        Ok(Some((Checkpoint::from_json(row.text("json")?.as_bytes())?, row.text("note")?)))
    }

    /// The number of the log that is written to.
    ///
    /// # Errors
    /// The database.
    pub async fn current(&self) -> Result<i64, LogFault> {
        let row = self.0.db.find(STATE_TEXT, values![]).await?.ok_or(LogFault::NoLog)?;
        Ok(row.number("id")?)
    }

    /// The entry of this handle, in whichever log.
    ///
    /// # Errors
    /// The database.
    pub async fn by_handle(&self, krunica: &KrunicaHash) -> Result<Option<Found>, LogFault> {
        self.found(BY_HANDLE, values![&krunica.as_bytes()[..]]).await
    }

    /// The entry at a place.
    ///
    /// # Errors
    /// The database.
    pub async fn by_seq(&self, log: i64, seq: u64) -> Result<Option<Found>, LogFault> {
        self.found(BY_SEQ, values![log, seq]).await
    }

    /// Entries in order, from one place to before another.
    ///
    /// # Errors
    /// The database.
    pub async fn range(&self, log: i64, from: u64, to: u64) -> Result<Vec<Entry>, LogFault> {
        let rows = self.0.db.list(RANGE, values![log, from, to]).await?;
        rows.iter().map(|row| Ok(Entry::from_json(row.text("json")?.as_bytes())?)).collect()
    }

    /// The path of a leaf to the root over the first `size` leaves; `None` where there is no such leaf.
    ///
    /// # Errors
    /// The database; nodes that are missing.
    pub async fn path(&self, log: i64, seq: u64, size: u64) -> Result<Option<Vec<TreeHash>>, LogFault> {
        let mut nodes = SizedNodes::of_leaf_in(&self.0.db, log, size, seq).await?;
        prove_leaf(&mut nodes, size, seq)
    }

    /// Neighbouring nodes of one level, all of which are full.
    ///
    /// # Errors
    /// The database; nodes that are missing.
    pub async fn nodes(&self, log: i64, level: u8, first: u64, count: u64) -> Result<Vec<TreeHash>, LogFault> {
        let (from, to) = (place(level, first), place(level, first.saturating_add(count)));
        let rows = self.0.db.list(NODES, values![log, from, to]).await?;
        if rows.len() as u64 != count {
            return Err(LogFault::Refused(Refused::TreeEdited));
        }
        let hash = |row: &Row| row.bytes("hash")?.try_into().map_err(|_| DbError::Column("hash"));
        Ok(rows.iter().map(|row| hash(row).map(TreeHash::from_bytes)).collect::<Result<_, _>>()?)
    }

    /// The proof that the tree of `size` leaves begins with that of `before`.
    ///
    /// # Errors
    /// The database; nodes that are missing.
    pub async fn growth(&self, log: i64, before: u64, size: u64) -> Result<Option<Vec<TreeHash>>, LogFault> {
        let mut nodes = SizedNodes::of_growth_in(&self.0.db, log, before, size).await?;
        prove_growth(&mut nodes, before, size)
    }

    /// The last checkpoint of a log, where its key still counts: by the state of the log that is written to, or, of one
    /// that has ended, by its own.
    ///
    /// # Errors
    /// The database; a log that does not hold.
    pub async fn own_checkpoint(&self, log: i64, state: &State) -> Result<Option<Verified<Checkpoint>>, LogFault> {
        if let Some(ended) = self.ended(log).await? {
            return Ok(ended.checkpoint.clone());
        }
        let last = self.checkpoint(log).await?;
        Ok(last.and_then(|(checkpoint, _)| self.evidence(checkpoint, state)))
    }

    /// A log that ended when a loss was accepted; `None` of the one that is written to.
    ///
    /// # Errors
    /// The database; a log that does not hold.
    pub async fn ended(&self, log: i64) -> Result<Option<Arc<Ended>>, LogFault> {
        let known = self.0.ended.read().unwrap_or_else(PoisonError::into_inner).get(&log).cloned();
        if known.is_some() || log == self.current().await? {
            return Ok(known);
        }
        let mut tx = self.0.db.snapshot().await?;
        let row = LogRow::read(&tx.find(LOG, values![log]).await?.ok_or(LogFault::NoLog)?)?;
        let authority = found::authority(&self.0.secrets, &mut tx, &row.origin).await?;
        let state = load_without_mark(&mut tx, &row, &self.0.domain, &authority).await?;
        tx.roll_back().await?;
        let checkpoint = row.checkpoint()?.and_then(|checkpoint| self.evidence(checkpoint, &state));
        let ended = Arc::new(Ended { state, checkpoint });
        self.0.ended.write().unwrap_or_else(PoisonError::into_inner).insert(log, Arc::clone(&ended));
        Ok(Some(ended))
    }

    fn evidence(self, checkpoint: Checkpoint, state: &State) -> Option<Verified<Checkpoint>> {
        let own = OwnCheckpoint::judge(checkpoint, &self.0.domain, state.origin(), state.ring());
        own.ok().and_then(|own| own.as_evidence().ok())
    }

    /// The proof of an entry's place under the last checkpoint; `None` where it covers it not.
    ///
    /// # Errors
    /// The database; nodes that are missing.
    pub async fn place(&self, checkpoint: &Checkpoint, found: Found) -> Result<Option<PlaceProof>, LogFault> {
        let (seq, size) = (found.entry.seq(), checkpoint.tree_head().size);
        let Some(path) = self.path(found.log, seq, size).await? else { return Ok(None) };
        Ok(Some(PlaceProof::new(checkpoint.clone(), found.entry, path)?))
    }

    /// Where an entry stands in its log, as that one's last checkpoint proves; `None` where none does.
    ///
    /// # Errors
    /// The database; nodes that are missing.
    pub async fn located(&self, state: &State, krunica: &KrunicaHash) -> Result<Option<Located>, LogFault> {
        let Some(found) = self.by_handle(krunica).await? else { return Ok(None) };
        let Some(own) = self.own_checkpoint(found.log, state).await? else { return Ok(None) };
        let Some(proof) = self.place(own.record(), found).await? else { return Ok(None) };
        Ok(proof.verify(&own).ok())
    }

    async fn found(
        &self,
        statement: crate::db::Statement,
        values: Vec<crate::db::Value>,
    ) -> Result<Option<Found>, LogFault> {
        let Some(row) = self.0.db.find(statement, values).await? else { return Ok(None) };
        Ok(Some(Found { log: row.number("log")?, entry: Entry::from_json(row.text("json")?.as_bytes())? }))
    }
}

/// The state as the database has it now.
pub(super) async fn state(held: &Held) -> Result<Arc<State>, LogFault> {
    let row = held.db.look(STATE_TEXT, values![]).await?.pop().ok_or(LogFault::NoLog)?;
    state_of(held, &row.text("state")?).await
}

/// The state of which the database has this text now. Where this process saw it last, it is not read again.
pub(super) async fn state_of(held: &Held, text: &str) -> Result<Arc<State>, LogFault> {
    let seen = held.seen();
    if let Some(state) = seen.filter(|state| state.text() == text) {
        return Ok(state);
    }
    let now = moment(&held.db, &held.mark, &held.domain, &Of::Key(&held.authority)).await;
    let Moment { tx, opened, .. } = now.map_err(|(_, fault)| fault)?;
    tx.roll_back().await?;
    let state = Arc::new(opened.state);
    held.see(Arc::clone(&state));
    Ok(state)
}
