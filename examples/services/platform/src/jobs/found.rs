//! What a job found, as its row has it, for those who look at the same.

use crate::db::{Db, DbError, statements};
use crate::values;

statements! {
    NOTE_WELL = "UPDATE jobs SET fault = NULL, well_run = $2 WHERE name = $1 \
                 AND (fault IS NULL OR found_run IS NULL OR found_run < $3 OR found_run > $4)";
    NOTE_FAULT = "UPDATE jobs SET fault = $2, found_run = $3 WHERE name = $1";
    DUE = "UPDATE jobs SET due_at = -1 WHERE name = $1";
    FAULT = "SELECT fault, well_run FROM jobs WHERE name = $1";
}

/// Clocks differ by less.
pub(super) const APART: i64 = 60_000;
/// What is dated further ahead is of a clock that was wrong, and older.
pub(super) const DAY: i64 = 86_400_000;

/// Notes what somebody else found of what a job looks at, and when he began to look. Where another found something who
/// began no earlier, the job is to look.
///
/// # Errors
/// The database.
pub async fn note(db: &Db, name: &str, fault: Option<String>, began: i64) -> Result<(), DbError> {
    let Some(fault) = fault else {
        let values = values![name, began, began.saturating_sub(APART), began.saturating_add(DAY)];
        return if db.execute(NOTE_WELL, values).await? == 0 { make_due(db, name).await } else { Ok(()) };
    };
    db.execute(NOTE_FAULT, values![name, fault, began]).await.map(drop)
}

/// Has a job run at the next look, and tell by itself what it finds.
///
/// # Errors
/// The database.
pub async fn make_due(db: &Db, name: &str) -> Result<(), DbError> {
    db.execute(DUE, values![name]).await.map(drop)
}

/// What the last run of a job said, where it failed, or what it found before; and when it was well last. `None` where
/// it is no job of this database yet, or somebody took its row away.
///
/// # Errors
/// The database.
pub async fn stands(db: &Db, name: &str) -> Result<Option<(Option<String>, Option<i64>)>, DbError> {
    let row = db.find(FAULT, values![name]).await?;
    row.map(|row| Ok((row.maybe_text("fault")?, row.maybe_number("well_run")?))).transpose()
}
