//! The loop over levels: each that is reached is an entry and a message, once, over all processes and restarts.

use super::policy::Policy;
use super::rules::{Weeks, plan};
use super::store;
use super::work::Levelled;
use crate::App;
use crate::alarms::{self, Alarm};
use futures::future::join_all;
use platform::access::World;
use platform::db::DbError;
use platform::problem::{Problem, kinds};
use platform::values;

/// So many go to the log's writer at once.
const TOGETHER: u32 = 200;
/// After so long a row that did not read is looked at again.
const DAY: i64 = 24 * 3_600_000;

/// Tells the levels that are reached, and says how many those were.
///
/// # Errors
/// The database, the log.
pub async fn turn(app: &App) -> Result<usize, Problem> {
    let (now, weeks, mut told) = (app.clock.millis(), Policy::founded(app).await?.weeks, 0);
    let plan = plan(weeks);
    while app.db.execute(store::REPLAN, values![&plan, TOGETHER]).await? > 0 {}
    loop {
        let rows = app.db.list(store::DUE, values![now, TOGETHER]).await?;
        if rows.is_empty() {
            return Ok(told);
        }
        let ids = rows.iter().map(|row| row.text("id")).collect::<Result<Vec<_>, _>>()?;
        let done = join_all(ids.iter().map(|id| tell(app, (id, World::Real), weeks, now))).await;
        // Whatever is wrong with one keeps nobody from hearing of the others of this round.
        for one in done.into_iter().collect::<Result<Vec<_>, _>>()? {
            told += usize::from(one);
        }
    }
}

/// Looks at one whose crossings changed, so that its level is told at once; of all the others the loop tells.
///
/// # Errors
/// The database, the log.
pub async fn look(app: &App, id: &str, world: World) -> Result<(), Problem> {
    let weeks = Policy::held(app).await?.weeks;
    tell(app, (id, world), weeks, app.clock.millis()).await.map(drop)
}

/// Whether another level of one vehicle was reached, which was told.
async fn tell(app: &App, (id, world): (&str, World), weeks: Weeks, now: i64) -> Result<bool, Problem> {
    match app.log.submit(Levelled { id: id.to_owned(), world, weeks, now }).await {
        Ok(None) => Ok(false),
        Ok(Some(level)) => {
            metrics::counter!("trustd_vehicle_levels_total", "level" => level.as_str()).increment(1);
            Ok(true)
        }
        // It moved meanwhile, and is looked at again.
        Err(problem) if problem.kind() == &kinds::CONFLICT => Ok(false),
        Err(problem) => match store::find(&app.db, id, world).await {
            Err(error @ DbError::Column(_)) => unread(app, id, now, &error).await.map(|()| false),
            _ => Err(problem),
        },
    }
}

/// One row that does not read (a column was edited) keeps nobody from hearing of the others: natives and those on call
/// are told, each day until it reads.
async fn unread(app: &App, id: &str, now: i64, error: &DbError) -> Result<(), Problem> {
    tracing::error!(%error, vehicle = id, "a vehicle's row does not read, and nobody hears of its levels");
    let mut tx = app.db.begin().await?;
    alarms::write_in(&mut tx, now, Alarm::VehicleRow.as_str(), id, &error.to_string()).await?;
    tx.execute(store::LATER, values![id, now.saturating_add(DAY)]).await?;
    Ok(tx.commit().await?)
}
