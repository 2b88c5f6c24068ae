//! One moment of the log: what stands in the database, and the signer's mark, which lies apart from it.

use super::found;
use super::mark::{MarkPlace, Standing};
use super::store::{CURRENT, LogFault, LogRow, load};
use crate::db::{Db, Tx};
use crate::secrets::Secrets;
use crate::values;
use dualseal::Domain;
use dualseal::key::RingKey;
use dualseal_operator::opening::{Opened, Refused};
use std::time::Duration;

/// How often it is looked again where another process may have signed between the two readings.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);

/// The key that the log's ring is under.
pub(super) enum Of<'a> {
    Key(&'a RingKey),
    /// It is read first.
    Log(&'a Secrets),
}

/// What stands there.
pub(super) struct Moment {
    /// Reads on at the same moment.
    pub(super) tx: Tx,
    pub(super) row: LogRow,
    pub(super) mark: Standing,
    pub(super) opened: Opened,
}

/// Reads both. They are read one after the other, and another process may sign between: the one is newer than the other
/// then, as it is of a store that was put back. That stays so, and what was signed meanwhile does not.
///
/// # Errors
/// [`LogFault`], with the origin of the log where there is one.
pub(super) async fn moment(
    db: &Db,
    mark: &MarkPlace,
    domain: &Domain,
    of: &Of<'_>,
) -> Result<Moment, (Option<String>, LogFault)> {
    let mut tries = 0;
    loop {
        tries += 1;
        match once(db, mark, domain, of).await {
            Err((_, LogFault::Refused(why))) if tries < TRIES && is_of_two(&why) => tokio::time::sleep(PAUSE).await,
            done => return done,
        }
    }
}

fn is_of_two(why: &Refused) -> bool {
    matches!(why, Refused::Restored { .. } | Refused::RingRestored { .. } | Refused::MarkOther { .. })
}

async fn once(db: &Db, mark: &MarkPlace, domain: &Domain, of: &Of<'_>) -> Result<Moment, (Option<String>, LogFault)> {
    let nameless = |fault: LogFault| (None, fault);
    let mut tx = db.snapshot().await.map_err(|error| nameless(error.into()))?;
    let row = tx.find(CURRENT, values![]).await.map_err(|error| nameless(error.into()))?;
    let row = LogRow::read(&row.ok_or_else(|| nameless(LogFault::NoLog))?).map_err(|error| nameless(error.into()))?;
    let opened = async {
        let mark = mark.read().await?;
        let opened = match of {
            Of::Key(authority) => load(&mut tx, &row, domain, authority, &mark).await?,
            Of::Log(secrets) => {
                let authority = found::authority(secrets, &mut tx, &row.origin).await?;
                load(&mut tx, &row, domain, &authority, &mark).await?
            }
        };
        Ok((mark, opened))
    };
    match opened.await {
        Ok((mark, opened)) => Ok(Moment { tx, row, mark, opened }),
        Err(fault) => Err((Some(row.origin), fault)),
    }
}
