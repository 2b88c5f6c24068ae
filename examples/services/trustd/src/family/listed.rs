//! A guardian's children, a page at a time: one row that does not read keeps no other from being listed.

use super::profile::{profile, told};
use super::store::{CHILDREN, Child, Guardian};
use super::types::ChildOut;
use crate::App;
use crate::alarms::{self, Alarm};
use platform::db::DbError;
use platform::problem::{Problem, kinds};
use platform::values;

/// A row of a page, which has its place there also where it does not read.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) created: i64,
    pub(super) id: String,
    child: Result<Child, DbError>,
    /// It is being erased: it is told as gone.
    is_leaving: bool,
}

impl Guardian {
    /// A page of his children, the newest first.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn children(
        &self,
        app: &App,
        after: Option<(i64, String)>,
        most: u32,
    ) -> Result<Vec<Found>, DbError> {
        let (created, id) = after.unwrap_or((i64::MAX, String::new()));
        let values = values![self.id.to_hex(), self.world.number(), created, id, most];
        let rows = self.list(&app.db, CHILDREN, values).await?;
        let leaving = self.leaving(&app.db, app.authority.tags()).await?;
        let found = rows.iter().map(|row| {
            let (created, id) = (row.number("created")?, row.text("id")?);
            let is_leaving = leaving.contains(&id);
            Ok(Found { created, id, child: Child::of(row), is_leaving })
        });
        found.collect()
    }
}

/// As answers have them. Natives are told of one that does not read; another's is not shown.
///
/// # Errors
/// The database, the place apart.
pub(super) async fn shown(app: &App, found: &[Found]) -> Result<Vec<ChildOut>, Problem> {
    let (now, mut shown) = (app.clock.millis(), Vec::with_capacity(found.len()));
    for row in found.iter().filter(|row| !row.is_leaving) {
        let child = match &row.child {
            Ok(child) => child,
            Err(error) => {
                alarms::raise(app, Alarm::ChildRow, row.id.clone(), format!("its row does not read: {error}"));
                continue;
            }
        };
        match profile(app, child).await {
            Ok(profile) => shown.push(told(child, profile, now)),
            Err(problem) if problem.kind() == &kinds::NOT_GUARDIAN => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(shown)
}
