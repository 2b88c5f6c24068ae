//! The loop over levels: each that is reached is an entry and a message, once, over all processes and restarts.

use super::rules::Weeks;
use super::store;
use super::work::Levelled;
use crate::App;
use futures::future::join_all;
use platform::problem::{Problem, kinds};
use platform::values;

/// So many go to the log's writer at once.
const TOGETHER: u32 = 200;

/// The weeks as a row has them by which its next time was computed.
pub(super) fn plan(weeks: Weeks) -> String {
    weeks.map(|one| one.to_string()).join(" ")
}

/// Tells the levels that are reached, and says how many those were.
///
/// # Errors
/// The database, the log.
pub async fn turn(app: &App) -> Result<usize, Problem> {
    let (now, weeks, mut told) = (app.clock.millis(), app.config.fleet.weeks, 0);
    let plan = plan(weeks);
    while app.db.execute(store::REPLAN, values![&plan, TOGETHER]).await? > 0 {}
    loop {
        let rows = app.db.list(store::DUE, values![now, TOGETHER]).await?;
        if rows.is_empty() {
            return Ok(told);
        }
        let ids = rows.iter().map(|row| row.text("id")).collect::<Result<Vec<_>, _>>()?;
        let done = join_all(ids.into_iter().map(|id| app.log.submit(Levelled { id, weeks, now }))).await;
        let mut fault = None;
        for one in done {
            match one {
                Ok(None) => {}
                Ok(Some(level)) => {
                    told += 1;
                    metrics::counter!("trustd_vehicle_levels_total", "level" => level.as_str()).increment(1);
                }
                // It moved meanwhile, and is looked at again.
                Err(problem) if problem.kind() == &kinds::CONFLICT => {}
                // Whoever changed a row of one vehicle keeps nobody from hearing of the others.
                Err(problem) => fault = Some(problem),
            }
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
    }
}
