//! Nodes that came no more: what they keep is missed when a document is to be rebuilt, which is late to hear of it.

use crate::App;
use crate::alarms::{self, Alarm};
use dualseal::Timestamp;
use platform::problem::Problem;

const HOUR: i64 = 3_600_000;
/// In hours: how often the same node is told of.
const AGAIN: i64 = 24;

/// Tells of each that came no more: once after an hour, and then each day. It is done each hour.
pub(crate) async fn turn(app: &App) -> Result<(), Problem> {
    let (now, mut silent) = (app.clock.millis(), 0_u32);
    for node in app.authority.nodes().await? {
        let since = node.last_seen.unwrap_or(node.added);
        let hours = now.saturating_sub(since) / HOUR;
        if hours < 1 {
            continue;
        }
        silent = silent.saturating_add(1);
        if is_told(hours) {
            let since = Timestamp::from_millis(since).unwrap_or(Timestamp::MIN);
            let detail = format!("it asked for nothing since {since}: does it run, and is its token of today?");
            alarms::write(app, Alarm::Node.as_str(), &node.label, &detail).await?;
        }
    }
    metrics::gauge!("trustd_nodes_silent").set(f64::from(silent));
    Ok(())
}

fn is_told(hours: i64) -> bool {
    hours % AGAIN == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{House, node};
    use platform::access::World;

    #[tokio::test]
    async fn a_node_that_came_no_more_is_told_of_once_a_day() {
        let house = House::new().await;
        node(&house.app, "berlin-1", &house.ana.to_hex(), house.clock.millis()).await;
        let mut told = Vec::new();
        for hour in 0..=50 {
            turn(&house.app).await.unwrap();
            let found = alarms::page(&house.app.db, World::Real, None, 100).await.unwrap();
            if found.len() > told.len() {
                told.push(hour);
            }
            assert!(found.iter().all(|one| one.kind == "node" && one.subject == "berlin-1"));
            house.after(HOUR);
        }
        assert_eq!(told, [1, 25, 49]);
    }
}
