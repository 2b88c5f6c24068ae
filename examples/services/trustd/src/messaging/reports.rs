//! Crossings that people reported by message, for whoever keeps the clock of vehicles.

use platform::db::{Db, DbError, Row, Tx, statements};
use platform::values;

statements! {
    OPEN = "SELECT id, contact, country, text, time FROM trip_reports WHERE state = 'proposed' AND (id < $1 OR $1 = \
            '') ORDER BY id DESC LIMIT $2";
    FIND = "SELECT id, contact, country, text, time FROM trip_reports WHERE id = $1";
    DECIDE = "UPDATE trip_reports SET state = $2 WHERE id = $1 AND state = 'proposed'";
}

/// A crossing that somebody reported.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name, which orders by time.
    pub id: String,
    /// Who wrote.
    pub contact: String,
    /// The state that the message names.
    pub country: Option<String>,
    /// What it says.
    pub text: String,
    /// When it came, in milliseconds since 1970.
    pub time: i64,
}

/// The reports, for another module.
#[derive(Clone, Copy, Debug)]
pub struct Reports;

impl Reports {
    /// Those that nobody decided on, the latest first, behind the one of this name.
    ///
    /// # Errors
    /// The database.
    pub async fn open(db: &Db, after: Option<&str>, most: u32) -> Result<Vec<Report>, DbError> {
        db.list(OPEN, values![after.unwrap_or_default(), most]).await?.iter().map(read).collect()
    }

    /// One of them, decided on or not.
    ///
    /// # Errors
    /// The database.
    pub async fn find(db: &Db, id: &str) -> Result<Option<Report>, DbError> {
        db.find(FIND, values![id]).await?.as_ref().map(read).transpose()
    }

    /// Decides on one, in the transaction that takes it. False where somebody did.
    ///
    /// # Errors
    /// The database.
    pub async fn decide(tx: &mut Tx, id: &str, state: &'static str) -> Result<bool, DbError> {
        Ok(tx.execute(DECIDE, values![id, state]).await? == 1)
    }
}

fn read(row: &Row) -> Result<Report, DbError> {
    let (id, contact, text) = (row.text("id")?, row.text("contact")?, row.text("text")?);
    Ok(Report { id, contact, country: row.maybe_text("country")?, text, time: row.number("time")? })
}
