//! A clock that stands ahead, or did. Nothing in the log is dated before what stands there, so that what is written now
//! is dated as the last entry is, until time has caught up with that: for a year, where it was a year ahead.

use crate::App;
use crate::alarms::{self, Alarm};
use crate::silent::Told;
use dualseal::{Entry, Timestamp};
use platform::db::{Db, Statement, statements};
use platform::problem::Problem;
use platform::values;

statements! {
    LAST = "SELECT json FROM entries WHERE log = (SELECT MAX(id) FROM logs) ORDER BY seq DESC LIMIT 1";
}

/// All statements.
pub(crate) const STATEMENTS: &[Statement] = ALL;

/// Clocks of processes differ, and each dates the log: by so many milliseconds nobody is told.
const MOST: i64 = 60_000;
/// What of the service is told of.
const SUBJECT: &str = "log";

/// By how many milliseconds the last entry is dated ahead; 0 where it is not.
///
/// # Errors
/// The database; an entry that is none.
pub(crate) async fn ahead(db: &Db, now: i64) -> Result<i64, Problem> {
    let Some(row) = db.find(LAST, values![]).await? else { return Ok(0) };
    let last = Entry::from_json(row.text("json")?.as_bytes())?.time().as_millis();
    Ok(last.saturating_sub(now).max(0))
}

/// Why that is too much, where it is.
pub(crate) fn too_much(ahead: i64) -> Option<String> {
    (ahead > MOST).then(|| {
        let seconds = ahead / 1000;
        format!("the last entry is dated {seconds} s ahead: a clock was wrong, and dates are until then")
    })
}

/// Tells of it, and then each day again.
pub(crate) async fn turn(app: &App, told: &Told) -> Result<(), Problem> {
    let now = app.clock.millis();
    let ahead = ahead(&app.db, now).await?;
    let Some(why) = too_much(ahead) else {
        told.forget(SUBJECT);
        return Ok(());
    };
    if !told.is_due(SUBJECT, now) {
        return Ok(());
    }
    let until = Timestamp::from_millis(now.saturating_add(ahead)).unwrap_or(Timestamp::MIN);
    let written = alarms::write(app, Alarm::Clock.as_str(), SUBJECT, &format!("{why} ({until})")).await;
    if written.is_err() {
        told.forget(SUBJECT);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::House;
    use platform::access::World;
    use platform::authority::AddNode;

    const MINUTE: i64 = 60_000;

    #[tokio::test]
    async fn a_clock_that_was_ahead_is_told_of_each_day_until_time_has_caught_up() {
        let house = House::new().await;
        let (app, told) = (&house.app, Told::default());
        let clocks = async || {
            turn(app, &told).await.unwrap();
            let found = alarms::page(&app.db, World::Real, None, 100).await.unwrap();
            found.iter().filter(|one| one.kind == "clock" && one.subject == "log").count()
        };
        assert_eq!(clocks().await, 0);
        // Two days ahead while something was written.
        house.after(2 * 1440 * MINUTE);
        app.log.submit(AddNode::new(&app.authority, "n", house.ana, None).unwrap()).await.unwrap();
        house.after(-2 * 1440 * MINUTE);
        assert_eq!(ahead(&app.db, app.clock.millis()).await.unwrap(), 2 * 1440 * MINUTE);
        for (minutes, count) in [(0, 1), (30, 1), (1440, 2), (1439, 2), (1440, 2)] {
            house.after(minutes * MINUTE);
            assert_eq!(clocks().await, count, "{minutes}");
        }
        assert_eq!(ahead(&app.db, app.clock.millis()).await.unwrap(), 0);
        assert!(too_much(MOST).is_none() && too_much(MOST + 1).is_some());
    }
}
