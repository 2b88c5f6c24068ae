//! Rows of what is not as it was.

use super::rules::Difference;
use crate::App;
use crate::alarms::{self, Alarm};
use platform::db::statements;
use platform::problem::Problem;
use platform::values;
use std::collections::BTreeMap;

statements! {
    KNOWN = "SELECT path, found, since FROM integrity_anomalies WHERE host = $1 AND baseline = $2";
    ADD = "INSERT INTO integrity_anomalies (host, baseline, path, expected, found, since, seen) \
           VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (host, baseline, path) DO NOTHING";
    CHANGE = "UPDATE integrity_anomalies SET found = $4, seen = $5 WHERE host = $1 AND baseline = $2 AND path = $3 \
              AND COALESCE(found, '') <> COALESCE(CAST($4 AS TEXT), '')";
    GONE = "DELETE FROM integrity_anomalies WHERE host = $1 AND baseline = $2 AND path = $3";
    SEEN = "UPDATE integrity_anomalies SET seen = $3 WHERE host = $1 AND baseline = $2";
    SWEEP = "DELETE FROM integrity_anomalies WHERE host = $1 AND seen < $2";
}

/// What is said of baselines that nobody holds any more goes after this time.
const KEPT: i64 = 30 * 24 * 3_600_000;

/// Writes down what differs, with an alarm for each that was not known as it is, and says since when each is known.
pub(super) async fn keep(
    app: &App,
    (host, baseline): (&str, &str),
    differences: &[Difference],
    now: i64,
) -> Result<BTreeMap<String, i64>, Problem> {
    let mut tx = app.db.begin().await?;
    let mut known = BTreeMap::new();
    for row in tx.list(KNOWN, values![host, baseline]).await? {
        known.insert(row.text("path")?, (row.maybe_text("found")?, row.number("since")?));
    }
    let mut since = BTreeMap::new();
    for one in differences {
        let (path, found) = (one.path.as_str(), one.found.clone());
        let is_new = if let Some((before, first)) = known.remove(path) {
            since.insert(one.path.clone(), first);
            let is_other = before != found;
            is_other && tx.execute(CHANGE, values![host, baseline, path, found, now]).await? > 0
        } else {
            since.insert(one.path.clone(), now);
            tx.execute(ADD, values![host, baseline, path, one.expected.clone(), found, now]).await? > 0
        };
        if is_new {
            let detail = format!("{} on {host}: {}", one.word(), one.found.as_deref().unwrap_or("nothing is there"));
            alarms::write_in(&mut tx, now, Alarm::Integrity.as_str(), path, &detail).await?;
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
