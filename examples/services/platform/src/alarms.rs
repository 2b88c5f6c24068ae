//! What natives are told: somebody uses a honeypot, a fragment was traced.

use crate::clock::Clock;
use crate::db::{Db, DbError, Row, statements};
use crate::values;
use uuid::Uuid;

statements! {
    RAISE = "INSERT INTO alarms (id, kind, subject, slot, time, count, detail) VALUES ($1, $2, $3, $4, $5, 1, $6) \
             ON CONFLICT (kind, subject, slot) DO UPDATE SET count = alarms.count + 1";
    PAGE = "SELECT id, kind, subject, time, count, detail FROM alarms \
            WHERE id < $1 ORDER BY id DESC LIMIT $2";
}

/// One message for each kind and subject in ten minutes.
const SLOT: i64 = 600_000;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlarmKind {
    /// A caller whose key is a honeypot did something.
    DecoyCaller,
    /// A record by a honeypot was shown for verification.
    DecoyRecord,
    /// A fragment of a vault record was found where it should not be.
    TracedFragment,
}

impl AlarmKind {
    /// As rows and answers have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DecoyCaller => "decoy-caller",
            Self::DecoyRecord => "decoy-record",
            Self::TracedFragment => "traced-fragment",
        }
    }
}

/// An alarm.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// Its name, which orders by time.
    pub id: String,
    /// What happened.
    pub kind: String,
    /// To whom, or by whom.
    pub subject: String,
    /// When first, in these ten minutes.
    pub time: i64,
    /// How often.
    pub count: u64,
    /// In words.
    pub detail: String,
}

/// Writes an alarm down after the answer is on its way, so that nobody sees by the time that there was one.
pub fn raise(db: &Db, clock: &Clock, kind: AlarmKind, subject: &str, detail: &str) {
    let (db, time, subject, detail) = (db.clone(), clock.millis(), subject.to_owned(), detail.to_owned());
    tokio::spawn(async move {
        let id = Uuid::now_v7().to_string();
        let values = values![id, kind.as_str(), subject, time / SLOT, time, detail];
        if let Err(error) = db.execute(RAISE, values).await {
            tracing::error!(%error, kind = kind.as_str(), "an alarm is not written down");
        }
    });
}

/// Alarms, the newest first, after the one of this name.
///
/// # Errors
/// The database.
pub async fn page(db: &Db, after: Option<&str>, limit: u64) -> Result<Vec<Alarm>, DbError> {
    // No name is greater.
    let rows = db.list(PAGE, values![after.unwrap_or("~"), limit]).await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Alarm, DbError> {
    Ok(Alarm {
        id: row.text("id")?,
        kind: row.text("kind")?,
        subject: row.text("subject")?,
        time: row.number("time")?,
        count: row.size("count")?,
        detail: row.text("detail")?,
    })
}

/// All statements.
pub const STATEMENTS: &[crate::db::Statement] = ALL;
