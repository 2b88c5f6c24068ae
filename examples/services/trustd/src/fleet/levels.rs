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
/// A row whose very name does not read, as alarms have it.
pub(super) const NAMELESS: &str = "nameless";
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
        let (ids, nameless): (Vec<_>, Vec<_>) = rows.iter().map(|row| row.text("id")).partition(Result::is_ok);
        if let Some(error) = nameless.into_iter().find_map(Result::err) {
            unread(app, None, now, &error).await?;
        }
        let ids: Vec<_> = ids.into_iter().flatten().collect();
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
    match app.log.submit(Levelled { app: App::clone(app), id: id.to_owned(), world, weeks, now }).await {
        Ok(None) => Ok(false),
        Ok(Some(level)) => {
            metrics::counter!("trustd_vehicle_levels_total", "level" => level.as_str()).increment(1);
            Ok(true)
        }
        // It moved meanwhile, and is looked at again.
        Err(problem) if problem.kind() == &kinds::CONFLICT => Ok(false),
        Err(problem) => match store::find(&app.db, id, world).await {
            Err(error @ DbError::Column(_)) => unread(app, Some(id), now, &error).await.map(|()| false),
            _ => Err(problem),
        },
    }
}

/// One row that does not read (a column was edited) keeps nobody from hearing of the others: natives and those on call
/// are told, each day until it reads.
async fn unread(app: &App, id: Option<&str>, now: i64, error: &DbError) -> Result<(), Problem> {
    let (named, later) = (id.unwrap_or(NAMELESS), now.saturating_add(DAY));
    tracing::error!(%error, vehicle = named, "a vehicle's row does not read, and nobody hears of its levels");
    let mut tx = app.db.begin().await?;
    alarms::write_in(app, &mut tx, Alarm::VehicleRow.as_str(), named, &error.to_string()).await?;
    match id {
        Some(id) => tx.execute(store::LATER, values![id, later]).await?,
        None => tx.execute(store::LATER_NAMELESS, values![now, later]).await?,
    };
    Ok(tx.commit().await?)
}
