//! Nodes that came no more: what they keep is missed when a document is to be rebuilt, which is late to hear of it.

use crate::App;
use crate::alarms::{self, Alarm};
use dualseal::Timestamp;
use platform::problem::Problem;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

const HOUR: i64 = 3_600_000;
const APART: i64 = 60_000;
/// How often the same node is told of.
const AGAIN: i64 = 24 * HOUR;

/// When this process told of which.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<HashMap<String, i64>>);

impl Told {
    /// Whether this one is to be told of: those that came again are forgotten.
    pub(crate) fn is_due(&self, label: &str, now: i64) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = told.get(label).copied();
        // A clock that was ahead keeps nothing back.
        let is_due = last.is_none_or(|last| !(last..last.saturating_add(AGAIN)).contains(&now));
        if is_due {
            told.insert(label.to_owned(), now);
        }
        is_due
    }

    /// What is over is told of at once where it comes again.
    pub(crate) fn forget(&self, label: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(label);
    }
}

/// Tells of each that came no more: after an hour, and then each day. It is done each hour.
pub(crate) async fn turn(app: &App, told: &Told) -> Result<(), Problem> {
    let (now, mut silent) = (app.clock.millis(), 0_u32);
    let mut done = Ok(());
    for node in app.authority.nodes().await? {
        // When it was seen is in no tag: a time to come, by more than clocks differ, says nothing.
        let since = node.last_seen.filter(|seen| *seen <= now.saturating_add(APART)).unwrap_or(node.added);
        if now.saturating_sub(since) < HOUR {
            told.forget(&node.label);
            continue;
        }
        silent = silent.saturating_add(1);
        if told.is_due(&node.label, now) {
            let since = Timestamp::from_millis(since).unwrap_or(Timestamp::MIN);
            let detail = format!("it asked for nothing since {since}: does it run, and does it sign in?");
            let written = alarms::write(app, Alarm::Node.as_str(), &node.label, &detail).await;
            if written.is_err() {
                told.forget(&node.label);
                done = written;
            }
        }
    }
    metrics::gauge!("trustd_nodes_silent").set(f64::from(silent));
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{House, node};
    use platform::access::World;
    use platform::db::statements;
    use platform::values;

    statements! {
        SEEN = "UPDATE custodians SET last_seen = $1";
        GONE = "ALTER TABLE alarms RENAME TO gone";
        BACK = "ALTER TABLE gone RENAME TO alarms";
    }

    #[tokio::test]
    async fn a_node_that_came_no_more_is_told_of_once_a_day() {
        let house = House::new().await;
        node(&house.app, "berlin-1", &house.ana.to_hex(), house.clock.millis()).await;
        house.app.db.execute(SEEN, values![9_000_000_000_000_000_000_i64]).await.unwrap();
        let (kept, mut told) = (Told::default(), Vec::new());
        for hour in 0..=50 {
            // The hour in which it was due was missed.
            if hour == 1 {
                house.after(HOUR);
                continue;
            }
            turn(&house.app, &kept).await.unwrap();
            let found = alarms::page(&house.app.db, World::Real, None, 100).await.unwrap();
            if found.len() > told.len() {
                told.push(hour);
            }
            assert!(found.iter().all(|one| one.kind == "node" && one.subject == "berlin-1"));
            house.after(HOUR);
        }
        assert_eq!(told, [2, 26, 50]);
    }

    /// Another process, whose clock is a little ahead, has seen it while this one looks; one that cannot be told of is
    /// told of at the next look.
    #[tokio::test]
    async fn a_node_that_comes_is_not_told_of() {
        let house = House::new().await;
        node(&house.app, "berlin-1", &house.ana.to_hex(), house.clock.millis()).await;
        house.after(3 * HOUR);
        let (kept, now, db) = (Told::default(), house.clock.millis(), &house.app.db);
        let told = async || alarms::page(db, World::Real, None, 100).await.unwrap().len();
        for (seen, expected) in [(now + APART, 0), (now + APART + 1, 1)] {
            db.execute(SEEN, values![seen]).await.unwrap();
            turn(&house.app, &kept).await.unwrap();
            assert_eq!(told().await, expected);
        }
        db.execute(GONE, values![]).await.unwrap();
        house.after(25 * HOUR);
        assert!(turn(&house.app, &kept).await.is_err());
        db.execute(BACK, values![]).await.unwrap();
        turn(&house.app, &kept).await.unwrap();
        assert_eq!(told().await, 2);
    }
}
