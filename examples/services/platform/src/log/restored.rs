//! Judging a database that came from a backup, before anything is written to it. Where a stranger has a checkpoint that
//! it goes on to, nothing is lost that was shown to anybody. Where more was signed since, it is refused, or its
//! operator accepts the loss: then a new log begins, whose first entry names where the old one ended, since the old
//! one's next entry would be a fork. Either way whatever was given out before counts no more: the rows that say what
//! was used up are old.

use super::found::{self, Founded, NewLog, found_after};
use super::mark::Standing;
use super::store::{self, CURRENT, LogFault, LogRow, load, load_without_mark};
use super::verify::{VerifyFault, verify_with};
use super::{MarkPlace, checkpoint};
use crate::clock::Clock;
use crate::db::{Db, Tx, statements};
use crate::secrets::Secrets;
use crate::values;
use dualseal::Verified;
use dualseal::checkpoint::{Checkpoint, HighWaterMark};
use dualseal_operator::opening::Refused;
use dualseal_operator::own::Unowned;
use dualseal_operator::step::{Batch, State};
use std::fmt;

statements! {
    VOID = "INSERT INTO voided (kind, before) VALUES ($1, $2) \
            ON CONFLICT (kind) DO UPDATE SET before = excluded.before WHERE excluded.before > voided.before";
    VOIDED = "SELECT before FROM voided WHERE kind = $1";
}

/// What is given out, and counts once: it is void after a restore.
const KINDS: [&str; 2] = ["tokens", "nonces"];

/// What a restored database is held against.
#[derive(Clone, Debug)]
pub enum Accepted {
    /// A checkpoint that somebody outside has seen: as it was exported, or from a witness.
    Checkpoint(Box<Checkpoint>),
    /// Nothing: its operator accepts that entries are lost.
    Loss,
}

/// What became of a restored database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The log that is written to from now on.
    pub origin: String,
    /// How many entries the restored log has.
    pub entries: u64,
    /// Where a new log began: its name, and how many keys it took over.
    pub began: Option<(String, usize)>,
}

/// Why a restored database is not taken.
#[derive(Debug)]
pub enum Restored {
    /// It does not hold together.
    Verify(VerifyFault),
    /// More was signed, or the ring changed, since it was made.
    Older {
        /// The entries that were signed, as the mark or the checkpoint has it.
        signed: u64,
        /// The entries that it has.
        found: u64,
    },
    /// The checkpoint is not one of this log's.
    Checkpoint(Unowned),
    /// The log itself.
    Log(LogFault),
}

impl<E: Into<LogFault>> From<E> for Restored {
    fn from(error: E) -> Self {
        Self::Log(error.into())
    }
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verify(fault) => write!(f, "the backup does not hold: {fault}"),
            Self::Older { signed, found } => write!(
                f,
                "the backup is older than what was signed: it has {found} entries, and {signed} were signed, or the \
                 ring was changed since; restore a later one, or give --accept-loss, which begins a new log"
            ),
            Self::Checkpoint(why) => write!(f, "the checkpoint is not one of this log's: {}", why.name()),
            Self::Log(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Restored {}

/// Judges it, and makes it ready: the mark where it was lost, a new log where loss was accepted.
///
/// # Errors
/// [`Restored`]; nothing was written then.
pub async fn judge(
    db: &Db,
    clock: &Clock,
    secrets: &Secrets,
    mark: &MarkPlace,
    accepted: Accepted,
) -> Result<Judged, Restored> {
    // Every entry: a backup may be damaged in its middle, whatever is accepted.
    verify_with(db, secrets, None).await.map_err(Restored::Verify)?;
    let mut tx = db.begin().await?;
    let row = LogRow::read(&tx.find(CURRENT, values![]).await?.ok_or(LogFault::NoLog)?)?;
    let authority = found::authority(secrets, &mut tx, &row.origin).await?;
    let state = load_without_mark(&mut tx, &row, secrets.domain(), &authority).await?;
    let entries = state.head().size();
    let standing = mark.read().await?;
    let last_mark = standing.of(&row.origin, &authority);
    let began = match accepted {
        Accepted::Checkpoint(seen) => {
            let seen = checkpoint::own(*seen, secrets, &row.origin, state.ring()).map_err(Restored::Checkpoint)?;
            seen_by_others(&mut tx, &row, &state, &seen).await?;
            if last_mark.is_none() {
                let growth = store::growth(&mut tx, row.id, &state, seen.record().tree_head()).await?;
                let (_, text) = state.next_mark(&HighWaterMark::of(&seen), &growth)?;
                mark.replace(standing.text(), &text).await?;
            }
            let mark = mark.read().await?;
            load(&mut tx, &row, secrets.domain(), &authority, &mark).await.map_err(|fault| older(fault, entries))?;
            None
        }
        Accepted::Loss => {
            let founded = begin_anew(&mut tx, clock, secrets, mark, (&row, &state), (&standing, last_mark)).await?;
            Some((founded.0.origin, founded.1))
        }
    };
    for kind in KINDS {
        tx.execute(VOID, values![kind, clock.millis()]).await?;
    }
    tx.commit().await?;
    let origin = began.as_ref().map_or(&row.origin, |(origin, _)| origin).clone();
    Ok(Judged { origin, entries, began })
}

/// Before which time what was given out of a kind, `tokens` or `nonces`, counts no more.
///
/// # Errors
/// The database.
pub async fn voids(db: &Db, kind: &str) -> Result<Option<i64>, crate::db::DbError> {
    db.find(VOIDED, values![kind]).await?.map(|row| row.number("before")).transpose()
}

/// What somebody outside has seen is in it.
async fn seen_by_others(tx: &mut Tx, row: &LogRow, state: &State, seen: &Verified<Checkpoint>) -> Result<(), Restored> {
    let (signed, found) = (seen.record().tree_head(), state.head().size());
    if signed.size > found {
        return Err(Restored::Older { signed: signed.size, found });
    }
    store::growth(tx, row.id, state, signed).await?;
    Ok(())
}

fn older(fault: LogFault, found: u64) -> Restored {
    match fault {
        LogFault::Refused(Refused::Restored { signed, found }) => Restored::Older { signed, found },
        LogFault::Refused(Refused::RingRestored { .. }) => Restored::Older { signed: found, found },
        fault => Restored::Log(fault),
    }
}

/// Begins the next log. Its ring takes over the current keys with their states: what was called back in the time that
/// is lost is called back again by the operator.
async fn begin_anew(
    tx: &mut Tx,
    clock: &Clock,
    secrets: &Secrets,
    mark: &MarkPlace,
    (row, old): (&LogRow, &State),
    (standing, last_mark): (&Standing, Option<&[u8]>),
) -> Result<(Founded, usize), Restored> {
    let id = row.id + 1;
    let base = row.origin.strip_suffix(&format!("/{}", row.id)).unwrap_or(&row.origin);
    let origin = format!("{base}/{id}");
    let end = old.head().tree_head();
    let message = format!(
        r#"{{"after":{{"origin":{:?},"root":"{}","size":{},"top":"{}"}},"loss":"accepted"}}"#,
        row.origin,
        end.root.to_hex(),
        end.size,
        end.top.to_hex()
    );
    let new = NewLog { id, origin: &origin, last_mark, standing, first_entry: Some(&message) };
    let founded = found_after(tx, clock, secrets, mark, new).await?;
    let row = LogRow::read(&tx.find(CURRENT, values![]).await?.ok_or(LogFault::NoLog)?)?;
    let authority = found::authority(secrets, tx, &origin).await?;
    let state = load_without_mark(tx, &row, secrets.domain(), &authority).await?;
    let signer = found::identity(secrets, old.origin())?;
    let mut batch = Batch::new(state);
    let taken = batch.step(clock.now(), |step| {
        let mut taken = 0;
        for identity in old.ring().identities().filter(|identity| **identity != signer) {
            let Some(info) = old.ring().info(identity) else { continue };
            step.add_key(identity, &info.public_key)?;
            if info.state != dualseal::KeyState::Valid {
                step.set_state(identity, None, info.state)?;
            }
            taken += 1;
        }
        Ok::<_, LogFault>(taken)
    })?;
    if taken > 0 {
        let (placed, _) = batch.place();
        let (_, changes) = placed.finish(Vec::new())?;
        store::write(tx, id, &changes).await?;
    }
    Ok((founded, taken))
}
