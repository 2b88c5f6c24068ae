//! Rows of what is not as it was.

use super::rules::Difference;
use crate::App;
use crate::alarms::{self, Alarm};
use platform::db::{DbError, Row, statements};
use platform::problem::Problem;
use platform::values;
use std::collections::BTreeMap;

statements! {
    KNOWN = "SELECT path, found, since FROM integrity_anomalies WHERE host = $1 AND baseline = $2";
    WRITE = "INSERT INTO integrity_anomalies (host, baseline, path, expected, found, since, seen) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (host, baseline, path) DO UPDATE SET \
             expected = EXCLUDED.expected, found = EXCLUDED.found, since = EXCLUDED.since, seen = EXCLUDED.seen";
    GONE = "DELETE FROM integrity_anomalies WHERE host = $1 AND baseline = $2 AND path = $3";
    SEEN = "UPDATE integrity_anomalies SET seen = $3 WHERE host = $1 AND baseline = $2";
    SWEEP = "DELETE FROM integrity_anomalies WHERE host = $1 AND seen < $2";
}

/// What is said of baselines that nobody holds any more goes after this time.
const KEPT: i64 = 30 * 24 * 3_600_000;
/// So many are told one by one, and of the others how many there are: whoever puts a whole tree in another's place has
/// nobody drown in messages.
const TOLD: usize = 1000;

/// Writes down what differs, with an alarm for each that was not known as it is, and says since when each is known.
/// `before` says so of what no row does. An alarm that comes too soon after another one of its file is raised by a
/// later look: until then no row knows of what it is to tell.
pub(super) async fn keep(
    app: &App,
    (host, baseline): (&str, &str),
    (differences, before): (&[Difference], &BTreeMap<String, i64>),
    now: i64,
) -> Result<BTreeMap<String, i64>, Problem> {
    let mut tx = app.db.begin().await?;
    let mut known = BTreeMap::new();
    for row in tx.list(KNOWN, values![host, baseline]).await? {
        match read(&row) {
            Ok((path, found, since)) => drop(known.insert(path, (found, since))),
            // It is written anew where its file differs still.
            Err(error) => tracing::error!(%error, "the row of a file does not read"),
        }
    }
    let (told, others) = differences.split_at(differences.len().min(TOLD));
    let rest = (!others.is_empty()).then(|| rest(others.len()));
    let mut since = BTreeMap::new();
    for one in told.iter().chain(&rest) {
        let (path, found) = (one.path.as_str(), one.found.clone());
        let row = known.remove(path);
        let first = row.as_ref().map(|(_, first)| *first).or(before.get(path).copied()).unwrap_or(now);
        since.insert(one.path.clone(), first);
        if row.is_some_and(|(known, _)| known == found) {
            continue;
        }
        let (subject, detail) = (format!("{host}:{path}"), told_of(one));
        if alarms::write_in(&mut tx, now, Alarm::Integrity.as_str(), &subject, &detail).await? {
            tx.execute(WRITE, values![host, baseline, path, one.expected.clone(), found, first, now]).await?;
        }
    }
    for path in known.keys() {
        tx.execute(GONE, values![host, baseline, path]).await?;
    }
    tx.execute(SEEN, values![host, baseline, now]).await?;
    tx.execute(SWEEP, values![host, now.saturating_sub(KEPT)]).await?;
    tx.commit().await?;
    Ok(since)
}

fn read(row: &Row) -> Result<(String, Option<String>, i64), DbError> {
    Ok((row.text("path")?, row.maybe_text("found")?, row.number("since")?))
}

/// Those that are not told one by one, under a name that no file has.
fn rest(count: usize) -> Difference {
    Difference { path: String::new(), expected: None, found: Some(format!("{count} more files are not as they were")) }
}

fn told_of(one: &Difference) -> String {
    let found = one.found.as_deref().unwrap_or("nothing is there");
    if one.path.is_empty() { found.to_owned() } else { format!("{}: {found}", one.word()) }
}
