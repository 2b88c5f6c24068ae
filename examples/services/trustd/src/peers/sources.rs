//! Services whose peers are not read: nobody looks at a line of the log each ten minutes. Each process counts for
//! itself, so that whoever writes the database has no word in it.

use crate::App;
use crate::alarms::{self, Alarm};
use platform::problem::Problem;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What fails twice may be a restart.
const TURNS: u32 = 3;

/// Those that this process did not read.
#[derive(Debug, Default)]
pub struct Sources(Mutex<BTreeMap<String, Unread>>);

#[derive(Debug, Default)]
struct Unread {
    /// So many turns in a row.
    turns: u32,
    /// Whether an alarm says so.
    is_told: bool,
}

impl Sources {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Unread>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One was not read: three turns in a row are an alarm, once until it is read again. One that comes too soon after
    /// another is told by a later turn.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn unread(&self, app: &App, source: &str, reason: &str) -> Result<(), Problem> {
        let is_due = {
            let mut all = self.all();
            let one = all.entry(source.to_owned()).or_default();
            one.turns = one.turns.saturating_add(1);
            one.turns >= TURNS && !one.is_told
        };
        if is_due {
            let detail = format!("its peers were not read in {TURNS} turns: {reason}");
            let mut tx = app.db.begin().await?;
            let is_told = alarms::write_in(app, &mut tx, Alarm::Peers.as_str(), source, &detail).await?;
            tx.commit().await?;
            self.all().entry(source.to_owned()).or_default().is_told = is_told;
        }
        Ok(())
    }

    /// One was read.
    pub(super) fn read(&self, source: &str) {
        self.all().remove(source);
    }
}
