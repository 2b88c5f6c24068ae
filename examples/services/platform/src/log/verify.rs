//! Reading everything that the database has of its logs, and holding all of it against each other: each entry against
//! the one before it, the ring, the state and the mark against the chain, the nodes of the tree, the checkpoints, the
//! records and the secrets. What the log's writer trusts between two of these is what it wrote itself.
//!
//! | file | what it is |
//! |---|---|
//! | `fault` | what does not hold |
//! | `chain` | one log, from its first entry to its last |
//! | `recent` | what came since the last checkpoint, when a service starts |
//! | `kept` | the secrets, against their lists |

mod chain;
mod fault;
mod kept;
mod recent;

pub use fault::VerifyFault;

use super::MarkPlace;
use super::moment::{Moment, Of, moment};
use super::store::{LOGS, LogRow};
use crate::db::{Db, statements};
use crate::secrets::Secrets;
use crate::values;
use std::future::Future;
use tokio::runtime::Handle;

statements! {
    ENTRIES = "SELECT e.seq, e.krunica, e.prev, e.json, r.json AS record FROM entries e \
               LEFT JOIN records r ON r.krunica = e.krunica \
               WHERE e.log = $1 AND e.seq >= $2 AND e.seq < $3 ORDER BY e.seq";
    CHECKPOINTS = "SELECT size, json FROM checkpoints WHERE log = $1 AND size > $2 AND size <= $3 ORDER BY size";
    RECORDS = "SELECT COUNT(*) AS many FROM records";
    LISTED = "SELECT number, place, listed FROM secret_list WHERE log = $1 AND number >= $2 ORDER BY number LIMIT $3";
    LAST = "SELECT json FROM checkpoints WHERE log = $1 ORDER BY size DESC LIMIT 1";
}

/// What was read, all of which holds together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The logs, the first one first; the last is the one that is written to.
    pub logs: Vec<VerifiedLog>,
    /// The secrets that steps kept.
    pub secrets: u64,
}

/// What was read of one log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedLog {
    /// Its name.
    pub origin: String,
    /// Its entries.
    pub entries: u64,
    /// Its records.
    pub records: u64,
    /// Its checkpoints.
    pub checkpoints: u64,
    /// The entries that the last one covers.
    pub covered: u64,
}

/// Reads all of it, on a thread of its own: as many entries as there are, a few hundred in memory. `mark` is that of
/// the log which is written to.
///
/// # Errors
/// [`VerifyFault`] names the first that does not hold.
pub async fn verify(db: &Db, secrets: &Secrets, mark: &MarkPlace) -> Result<Verified, VerifyFault> {
    verify_with(db, secrets, Some(mark)).await
}

/// The same, whatever the mark is: of a database that was restored.
pub(super) async fn verify_with(db: &Db, secrets: &Secrets, mark: Option<&MarkPlace>) -> Result<Verified, VerifyFault> {
    let (db, secrets, mark) = (db.clone(), secrets.clone(), mark.cloned());
    on_a_thread(async move || {
        let (mut tx, mark) = match &mark {
            Some(mark) => {
                let Moment { tx, mark, .. } = of_now(&db, &secrets, mark).await?;
                (tx, Some(mark))
            }
            None => (db.snapshot().await?, None),
        };
        let rows = tx.list(LOGS, values![]).await?;
        let rows = rows.iter().map(LogRow::read).collect::<Result<Vec<_>, _>>()?;
        let Some(last) = rows.last().map(|row| row.id) else { return Err(super::LogFault::NoLog.into()) };
        let (mut verified, mut listed) = (Verified::default(), kept::Listed::default());
        for row in &rows {
            let mark = mark.as_ref().filter(|_| row.id == last);
            let (log, state) = chain::read(&mut tx, &secrets, row, mark).await?;
            kept::read(&mut tx, row.id, state.stored().secrets(), &mut listed).await?;
            verified.logs.push(log);
        }
        let records = tx.find(RECORDS, values![]).await?.map_or(Ok(0), |row| row.size("many"))?;
        let known = verified.logs.iter().map(|log| log.records).sum();
        if records != known {
            return Err(VerifyFault::Records { found: records, expected: known });
        }
        verified.secrets = kept::hold(&mut tx, &listed).await?;
        Ok(verified)
    })
    .await
}

/// Reads what came since the last checkpoint, from the head that it signed: what a start of the service waits for. Says
/// how many entries that is.
///
/// # Errors
/// As [`verify`].
pub async fn verify_recent(db: &Db, secrets: &Secrets, mark: &MarkPlace) -> Result<u64, VerifyFault> {
    let (db, secrets, mark) = (db.clone(), secrets.clone(), mark.clone());
    on_a_thread(async move || {
        let now = of_now(&db, &secrets, &mark).await?;
        recent::read(&secrets, now).await
    })
    .await
}

async fn of_now(db: &Db, secrets: &Secrets, mark: &MarkPlace) -> Result<Moment, VerifyFault> {
    let found = moment(db, mark, secrets.domain(), &Of::Log(secrets)).await;
    found.map_err(|(origin, fault)| VerifyFault::Log { origin: origin.unwrap_or_default(), fault })
}

/// Hashing and parsing take seconds, for which nobody else waits.
async fn on_a_thread<T, F>(work: impl FnOnce() -> F + Send + 'static) -> Result<T, VerifyFault>
where
    T: Send + 'static,
    F: Future<Output = Result<T, VerifyFault>>,
{
    let done = tokio::task::spawn_blocking(move || Handle::current().block_on(work()));
    done.await.map_err(|_| VerifyFault::Stopped)?
}
