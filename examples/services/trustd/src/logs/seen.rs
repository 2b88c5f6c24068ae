//! What pinned witnesses saw of the log. Which checkpoints have their lines is written down as these come: what is
//! verified for whoever asks depends neither on how many checkpoints were signed since, nor on how many were seen.

use crate::App;
use dualseal::Timestamp;
use dualseal::checkpoint::Checkpoint;
use dualseal::note::NoteKey;
use dualseal_operator::notes::Cosigned;
use platform::db::statements;
use platform::problem::Problem;
use platform::values;
use std::collections::BTreeMap;
use tokio::task::spawn_blocking;

/// How many that a witness saw are tried, of which the first one that holds is taken.
const TRIES: u32 = 3;
/// Among how many of each witness one is looked for that several saw.
const SHARED: u32 = 1000;

statements! {
    SIZES = "SELECT size FROM cosigned WHERE log = $1 AND witness = $2 ORDER BY size DESC LIMIT $3";
    SIGNED = "SELECT json, note FROM checkpoints WHERE log = $1 AND size = $2";
}

/// What witnesses saw of a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) note: String,
    /// Those whose lines hold, and when each saw it.
    pub(crate) by: Vec<(NoteKey, Timestamp)>,
}

/// Each witness that the log pins, with the newest checkpoint that has its line: its size, and when it was seen.
///
/// # Errors
/// The database.
pub(crate) async fn by_each(app: &App) -> Result<Vec<(NoteKey, Option<(u64, Timestamp)>)>, Problem> {
    let (log, mut all) = (app.log.reader().current().await?, Vec::new());
    for key in app.config.log.witness_keys() {
        let mut last = None;
        for size in sizes(app, log, &key, TRIES).await? {
            let seen = held(app, log, size, vec![key.clone()], 1).await?;
            last = seen.and_then(|seen| Some((size, seen.by.first()?.1)));
            if last.is_some() {
                break;
            }
        }
        all.push((key, last));
    }
    Ok(all)
}

/// The newest checkpoint that so many pinned witnesses saw, with the lines of all of them that did. Rows that name one
/// too many, and lines of a pin that was another's, hide none of the others'.
///
/// # Errors
/// The database.
pub(crate) async fn by_many(app: &App, least: usize) -> Result<Option<Seen>, Problem> {
    let log = app.log.reader().current().await?;
    let mut seen: BTreeMap<u64, Vec<NoteKey>> = BTreeMap::new();
    for key in app.config.log.witness_keys() {
        for size in sizes(app, log, &key, SHARED).await? {
            seen.entry(size).or_default().push(key.clone());
        }
    }
    let shared = seen.into_iter().rev().filter(|(_, by)| by.len() >= least).take(TRIES as usize);
    for (size, by) in shared {
        let found = held(app, log, size, by, least).await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

async fn sizes(app: &App, log: i64, key: &NoteKey, most: u32) -> Result<Vec<u64>, Problem> {
    let rows = app.db.list(SIZES, values![log, key.to_text(), most]).await?;
    Ok(rows.iter().map(|row| row.size("size")).collect::<Result<_, _>>()?)
}

/// A checkpoint with the lines of those of these that hold; none where it does not read, or fewer do than are wanted.
async fn held(app: &App, log: i64, size: u64, by: Vec<NoteKey>, least: usize) -> Result<Option<Seen>, Problem> {
    let Some(row) = app.db.find(SIGNED, values![log, size]).await? else { return Ok(None) };
    let (json, note) = (row.text("json")?, row.text("note")?);
    let read = spawn_blocking(move || {
        let checkpoint = Checkpoint::from_json(json.as_bytes()).ok()?;
        let merge = |by: &[NoteKey]| Cosigned::merge(&checkpoint, [&note], by).ok().flatten();
        let merged = merge(&by).or_else(|| {
            let hold = by.iter().filter(|key| merge(std::slice::from_ref(*key)).is_some());
            let hold: Vec<_> = hold.cloned().collect();
            if hold.len() >= least.max(1) { merge(&hold) } else { None }
        })?;
        let (by, note) = (merged.seen().to_vec(), merged.note().to_text());
        Some(Seen { checkpoint, note, by })
    });
    read.await.map_err(|error| Problem::internal("note", &error))
}
