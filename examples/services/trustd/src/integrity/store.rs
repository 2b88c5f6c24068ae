//! Rows of what is not as it was. Each has a tag: whoever writes the database alone has nothing be known already.

use super::rules::Difference;
use crate::App;
use crate::alarms::{self, Alarm};
use platform::db::{Row, Value, statements};
use platform::problem::Problem;
use platform::secrets::{Kind, Tagged};
use platform::values;
use std::collections::{BTreeMap, BTreeSet};

statements! {
    KNOWN = "SELECT host, baseline, path, found, since, tag FROM integrity_anomalies \
             WHERE host = $1 AND baseline = $2";
    WRITE = "INSERT INTO integrity_anomalies (host, baseline, path, found, since, tag, expected, seen) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (host, baseline, path) DO UPDATE SET \
             expected = EXCLUDED.expected, found = EXCLUDED.found, since = EXCLUDED.since, seen = EXCLUDED.seen, \
             tag = EXCLUDED.tag";
    GONE = "DELETE FROM integrity_anomalies WHERE host = $1 AND baseline = $2 AND path = $3";
    SEEN = "UPDATE integrity_anomalies SET seen = $3 WHERE host = $1 AND baseline = $2";
    SWEEP = "DELETE FROM integrity_anomalies WHERE host = $1 AND seen < $2";
}

const TABLE: Tagged = Tagged {
    table: "integrity_anomalies",
    columns: &[
        ("host", Kind::Text),
        ("baseline", Kind::Text),
        ("path", Kind::Text),
        ("found", Kind::Text),
        ("since", Kind::Number),
    ],
    tag: "tag",
};

/// What is said of baselines that nobody holds any more goes after this time.
const KEPT: i64 = 30 * 24 * 3_600_000;
/// So many are told one by one, and of the others how many there are: whoever puts a whole tree in another's place has
/// nobody drown in messages.
const TOLD: usize = 1000;

/// What became of what differs.
pub(super) struct Kept {
    /// Since when each is known.
    pub(super) since: BTreeMap<String, i64>,
    /// Of which nobody was told as they are.
    pub(super) untold: BTreeSet<String>,
}

/// Writes down what differs, with an alarm for each that was not known as it is, and says since when each is known.
/// `before` says so of what no row does. An alarm that comes too soon after another one of its file is raised by a
/// later look: until then no row knows of what it is to tell.
pub(super) async fn keep(
    app: &App,
    (host, baseline): (&str, &str),
    (differences, before): (&[Difference], &BTreeMap<String, i64>),
    now: i64,
) -> Result<Kept, Problem> {
    let mut tx = app.db.begin().await?;
    let mut known = BTreeMap::new();
    for row in tx.list(KNOWN, values![host, baseline]).await? {
        // What does not read, or somebody else wrote, is written anew where its file differs still.
        match held(app, &row) {
            Ok(Some((path, found, since))) => drop(known.insert(path, (found, since))),
            Ok(None) => tracing::error!(host, "the row of a file is not as the service wrote it"),
            Err(problem) => tracing::error!(%problem, "the row of a file does not read"),
        }
    }
    let (told, others) = differences.split_at(differences.len().min(TOLD));
    let rest = (!others.is_empty()).then(|| rest(others.len()));
    let (mut since, mut untold) = (BTreeMap::new(), BTreeSet::new());
    for one in told.iter().chain(&rest) {
        let (path, found) = (one.path.as_str(), one.found.clone());
        let row = known.remove(path);
        let first = row.as_ref().map(|(_, first)| *first).or(before.get(path).copied()).unwrap_or(now);
        since.insert(one.path.clone(), first);
        if row.is_some_and(|(known, _)| known == found) {
            continue;
        }
        let (subject, detail) = (format!("{host}:{path}"), told_of(one));
        if alarms::write_in(app, &mut tx, Alarm::Integrity.as_str(), &subject, &detail).await? {
            let mut values = values![host, baseline, path, found, first];
            let tag: Value = app.authority.tags().tag(&TABLE, &values).into();
            values.push(tag);
            values.extend(values![one.expected.clone(), now]);
            tx.execute(WRITE, values).await?;
        } else {
            untold.insert(one.path.clone());
        }
    }
    for path in known.keys() {
        tx.execute(GONE, values![host, baseline, path]).await?;
    }
    tx.execute(SEEN, values![host, baseline, now]).await?;
    tx.execute(SWEEP, values![host, now.saturating_sub(KEPT)]).await?;
    tx.commit().await?;
    Ok(Kept { since, untold })
}

/// Path, what was found, and since when; none where it has not the service's tag.
fn held(app: &App, row: &Row) -> Result<Option<(String, Option<String>, i64)>, Problem> {
    let read = (row.text("path")?, row.maybe_text("found")?, row.number("since")?);
    Ok(app.authority.tags().hold(&TABLE, row)?.then_some(read))
}

/// Tells of a machine, and whether that was written: what comes too soon after another alarm of it is not.
pub(super) async fn tell(app: &App, host: &str, what: &str) -> Result<bool, Problem> {
    let mut tx = app.db.begin().await?;
    let is_told = alarms::write_in(app, &mut tx, Alarm::Integrity.as_str(), host, what).await?;
    tx.commit().await?;
    Ok(is_told)
}

/// Those that are not told one by one, under a name that no file has.
fn rest(count: usize) -> Difference {
    Difference { path: String::new(), expected: None, found: Some(format!("{count} more files are not as they were")) }
}

fn told_of(one: &Difference) -> String {
    let found = one.found.as_deref().unwrap_or("nothing is there");
    if one.path.is_empty() { found.to_owned() } else { format!("{}: {found}", one.word()) }
}
