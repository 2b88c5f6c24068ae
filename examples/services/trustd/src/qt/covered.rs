//! Which split of a vault is in force under the last checkpoint: what rebuilding, releasing and deleting go by. The
//! chain is read once for each vault, and then from the last checkpoint on for all of them together. It is long: while
//! it is read for a new vault, those that are known wait for nobody.

use super::store::Line;
use super::work::of_chain;
use crate::App;
use dualseal::checkpoint::Checkpoint;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shard::{CoveredSplits, ShardKey};
use dualseal::{Head, Timestamp, Verified};
use dualseal_operator::own::OwnCheckpoint;
use platform::problem::{Problem, kinds};
use std::collections::HashMap;
use std::sync::{Arc, Mutex as Brief, PoisonError};
use tokio::sync::Mutex;

/// As many are remembered; of further ones the chain is read again.
const MOST: usize = 4096;
/// Entries at once: so many are held against each other in some milliseconds, in which a thread serves nobody else.
const PORTION: u64 = 512;
/// So many entries behind a checkpoint are read under the log's lock, in some milliseconds; where there are more,
/// another checkpoint is signed first.
const NEAR: u64 = 512;
/// How often that is tried, while others append.
const TURNS: usize = 4;

/// The splits of vaults under the last checkpoint that was seen.
#[derive(Debug)]
pub(crate) struct Covered {
    most: usize,
    seen: Brief<Option<Arc<Seen>>>,
    /// Held by whoever reads on from there.
    goes_on: Mutex<()>,
    /// Held by whoever reads the chain from its beginning.
    begins: Mutex<()>,
    /// What logs that have ended say of vaults of which the one that is written to says nothing.
    ended: Mutex<HashMap<Line, Option<Told>>>,
}

#[derive(Clone, Debug)]
struct Seen {
    log: i64,
    head: Head,
    walks: HashMap<Line, CoveredSplits>,
}

/// The splits of one vault, and the time of the checkpoint that covers them.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) splits: CoveredSplits,
    pub(crate) at: Timestamp,
}

impl Default for Covered {
    fn default() -> Self {
        Self::remembering(MOST)
    }
}

impl Covered {
    /// One that remembers so many vaults.
    pub(super) fn remembering(most: usize) -> Self {
        Self {
            most,
            seen: Brief::default(),
            goes_on: Mutex::default(),
            begins: Mutex::default(),
            ended: Mutex::default(),
        }
    }

    /// The splits of a vault under the last checkpoint.
    ///
    /// # Errors
    /// [`kinds::NOT_COVERED`] where none was signed yet; what the log says.
    pub(crate) async fn of(&self, app: &App, line: &Line, key: &ShardKey) -> Result<Told, Problem> {
        let mut all = self.of_all(app, &[(*line, key.clone())]).await?;
        all.remove(line).ok_or_else(|| Problem::internal("qt", &"a walk is not there that was made"))
    }

    /// The splits of a vault under a checkpoint that covers the log but for its last few entries: whoever appends by
    /// them reads these alone while nobody else may append.
    ///
    /// # Errors
    /// What the log says.
    pub(crate) async fn nearly_all(&self, app: &App, line: &Line, key: &ShardKey) -> Result<CoveredSplits, Problem> {
        let wanted = [(*line, key.clone())];
        let mut found = None;
        for _ in 0..TURNS {
            let log = app.log.reader().current().await?;
            found = match self.here(app, log, &wanted).await {
                Ok(mut here) => here.remove(line).map(|told| told.splits),
                // None was signed yet.
                Err(problem) if problem.kind() == &kinds::NOT_COVERED => None,
                Err(problem) => return Err(problem),
            };
            // Reading may have taken long.
            let most = if found.is_some() { NEAR } else { 0 };
            if !app.log.checkpoint_beyond(most).await? && found.is_some() {
                break;
            }
        }
        found.ok_or_else(|| Problem::new(&kinds::NOT_COVERED).retry_after(1))
    }

    /// The same of several vaults: the chain is read once for all that are new here.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(crate) async fn of_all(&self, app: &App, wanted: &[(Line, ShardKey)]) -> Result<HashMap<Line, Told>, Problem> {
        let log = app.log.reader().current().await?;
        let mut told = self.here(app, log, wanted).await?;
        for (line, key) in wanted {
            let splits = told.get(line).map(|told| &told.splits);
            let is_silent = splits.is_none_or(|one| one.in_force().is_err() && one.splits().erased_at().is_none());
            if is_silent && let Some(before) = self.before(app, log, (*line, key.clone())).await? {
                told.insert(*line, before);
            }
        }
        Ok(told)
    }

    /// What the log that is written to says of vaults, under its last checkpoint.
    async fn here(&self, app: &App, log: i64, wanted: &[(Line, ShardKey)]) -> Result<HashMap<Line, Told>, Problem> {
        let (mut seen, mut at) = self.gone_on(app, log, None).await?;
        if !new(seen.as_deref(), wanted).is_empty() {
            let _turn = self.begins.lock().await;
            // Whoever read before may have read the same.
            (seen, at) = self.gone_on(app, log, None).await?;
            let mut new = new(seen.as_deref(), wanted);
            if !new.is_empty() {
                // What is known is forgotten for the new ones: what is asked for with them is read with them.
                if seen.as_ref().map_or(0, |seen| seen.walks.len()) + new.len() > self.most {
                    new = wanted.iter().collect();
                }
                let verified = judge(app, last(app, log).await?).await?;
                let (head, walks) = walk(app, log, &verified, &new).await?;
                (seen, at) = self.gone_on(app, log, Some(Seen { log, head, walks })).await?;
            }
        }
        let walks = seen.as_ref().map(|seen| &seen.walks);
        let mut told = HashMap::with_capacity(wanted.len());
        for (line, _) in wanted {
            // Where another process began a log meanwhile it may be gone, which does not say that it is silent.
            let splits = walks.and_then(|walks| walks.get(line)).cloned();
            let splits = splits.ok_or_else(|| Problem::new(&kinds::BUSY).retry_after(1))?;
            told.insert(*line, Told { splits, at });
        }
        Ok(told)
    }

    /// What is known under the last checkpoint, with what was read of further vaults, and the time of that checkpoint.
    async fn gone_on(
        &self,
        app: &App,
        log: i64,
        more: Option<Seen>,
    ) -> Result<(Option<Arc<Seen>>, Timestamp), Problem> {
        let _turn = self.goes_on.lock().await;
        let checkpoint = last(app, log).await?;
        let (size, at) = (checkpoint.tree_head().size, checkpoint.time());
        let known = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let known = known.filter(|seen| seen.log == log && seen.head.size() <= size);
        let is_behind = known.as_ref().is_some_and(|seen| seen.head.size() < size);
        if more.is_none() && !is_behind {
            return Ok((known, at));
        }
        let verified = judge(app, checkpoint).await?;
        let count = |seen: &Seen| seen.walks.len();
        let is_room = |seen: &Arc<Seen>| count(seen) + more.as_ref().map_or(0, count) <= self.most;
        let mut seen = match known.filter(is_room) {
            Some(known) => Some(go_on(app, &verified, Seen::clone(&known)).await?),
            None => None,
        };
        if let Some(more) = more {
            let Seen { log, head, walks } = go_on(app, &verified, more).await?;
            seen.get_or_insert_with(|| Seen { log, head, walks: HashMap::new() }).walks.extend(walks);
        }
        let seen = seen.map(Arc::new);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&seen);
        Ok((seen, at))
    }

    /// As if somebody read the chain for a new vault, until this is dropped.
    #[cfg(test)]
    pub(crate) async fn reading(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.begins.lock().await
    }

    /// The splits of a vault under the last checkpoint of the newest log before this one that tells of any: nodes hold
    /// their shards, whatever log a restore began.
    async fn before(&self, app: &App, log: i64, vault: (Line, ShardKey)) -> Result<Option<Told>, Problem> {
        let mut ended = self.ended.lock().await;
        if let Some(known) = ended.get(&vault.0) {
            return Ok(known.clone());
        }
        let mut found = None;
        for number in (1..log).rev() {
            let before = app.log.reader().ended(number).await?;
            let Some(checkpoint) = before.and_then(|before| before.checkpoint.clone()) else { continue };
            let at = checkpoint.record().time();
            let (_, mut walks) = walk(app, number, &checkpoint, &[&vault]).await?;
            let splits = walks.remove(&vault.0);
            let splits = splits.filter(|one| one.in_force().is_ok() || one.splits().erased_at().is_some());
            if let Some(splits) = splits {
                found = Some(Told { splits, at });
                break;
            }
        }
        if ended.len() >= self.most {
            ended.clear();
        }
        ended.insert(vault.0, found.clone());
        Ok(found)
    }
}

/// Those of which nothing was read yet.
fn new<'w>(seen: Option<&Seen>, wanted: &'w [(Line, ShardKey)]) -> Vec<&'w (Line, ShardKey)> {
    wanted.iter().filter(|(line, _)| seen.is_none_or(|seen| !seen.walks.contains_key(line))).collect()
}

async fn last(app: &App, log: i64) -> Result<Checkpoint, Problem> {
    let last = app.log.reader().checkpoint(log).await?;
    last.map(|(checkpoint, _)| checkpoint).ok_or_else(|| Problem::new(&kinds::NOT_COVERED).retry_after(1))
}

async fn judge(app: &App, checkpoint: Checkpoint) -> Result<Verified<Checkpoint>, Problem> {
    let state = app.log.state().await?;
    let own = OwnCheckpoint::judge(checkpoint, app.log.domain(), state.origin(), state.ring());
    own.and_then(OwnCheckpoint::as_evidence).map_err(|unowned| Problem::internal("qt", &unowned.name()))
}

/// Reads the splits of vaults from the beginning.
async fn walk(
    app: &App,
    log: i64,
    checkpoint: &Verified<Checkpoint>,
    vaults: &[&(Line, ShardKey)],
) -> Result<(Head, HashMap<Line, CoveredSplits>), Problem> {
    let mut reader =
        ChainReader::new(app.log.domain(), &TrustedHead::beginning()).under(checkpoint).map_err(of_chain)?;
    let mut watched = Vec::with_capacity(vaults.len());
    for (line, key) in vaults {
        watched.push((*line, reader.splits(Some(key), &line.0).map_err(of_chain)?));
    }
    push(app, log, &mut reader, checkpoint).await?;
    let mut proofs = reader.finish().map_err(of_chain)?;
    let head = proofs.agreed().map(|agreed| agreed.signed_head().clone());
    let head = head.ok_or_else(|| Problem::internal("qt", &"no checkpoint was agreed with"))?;
    let mut walks = HashMap::with_capacity(watched.len());
    for (line, watched) in watched {
        walks.insert(line, proofs.take(watched).map_err(of_chain)?);
    }
    Ok((head, walks))
}

/// Goes on from the checkpoint before, for all vaults that are known.
async fn go_on(app: &App, checkpoint: &Verified<Checkpoint>, before: Seen) -> Result<Seen, Problem> {
    if before.head.size() == checkpoint.record().tree_head().size {
        return Ok(before);
    }
    let Seen { log, head, walks } = before;
    let mut reader =
        ChainReader::new(app.log.domain(), &TrustedHead::stored(&head)).under(checkpoint).map_err(of_chain)?;
    let mut watched = Vec::with_capacity(walks.len());
    for (line, walk) in &walks {
        watched.push((*line, reader.splits_since(walk).map_err(of_chain)?));
    }
    push(app, log, &mut reader, checkpoint).await?;
    let mut proofs = reader.finish().map_err(of_chain)?;
    let head = proofs.agreed().map_or(head, |agreed| agreed.signed_head().clone());
    let mut walks = HashMap::with_capacity(watched.len());
    for (line, watched) in watched {
        walks.insert(line, proofs.take(watched).map_err(of_chain)?);
    }
    Ok(Seen { log, head, walks })
}

async fn push(
    app: &App,
    log: i64,
    reader: &mut ChainReader<'_>,
    checkpoint: &Verified<Checkpoint>,
) -> Result<(), Problem> {
    let size = checkpoint.record().tree_head().size;
    let mut from = reader.size();
    while from < size {
        let to = size.min(from + PORTION);
        for entry in app.log.reader().range(log, from, to).await? {
            reader.push(&entry).map_err(of_chain)?;
        }
        if reader.size() != to {
            return Err(Problem::internal("qt", &"entries are missing"));
        }
        from = to;
    }
    Ok(())
}
