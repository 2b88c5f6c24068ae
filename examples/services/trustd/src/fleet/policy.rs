//! The policy in force: a row that every process reads. Two with other settings, as while a change of them rolls out,
//! would tell each vehicle's level back and forth.

use super::rules::{Weeks, plan};
use crate::App;
use crate::alarms::{self, Alarm};
use crate::personal::Personal;
use dualseal::Entry;
use dualseal_operator::step::{Changes, State, Step};
use platform::config::FleetConfig;
use platform::db::{DbError, Row, Tx, statements};
use platform::log::Work;
use platform::problem::Problem;
use platform::values;
use serde_json::json;

statements! {
    HELD = "SELECT revision, weeks, basis FROM fleet_policies ORDER BY revision DESC LIMIT 1";
    ADD = "INSERT INTO fleet_policies (revision, weeks, basis, krunica, since) VALUES ($1, $2, $3, $4, $5)";
    /// Without vehicles there is nothing that it says.
    NEEDED = "SELECT 1 AS one FROM vehicles LIMIT 1";
}

/// Its rows in the log of persons.
const TABLE: &str = "fleet_policies";

/// From which week on a vehicle is at which level, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    /// Grows with each change; 0 where none is written down.
    revision: u64,
    pub(super) weeks: Weeks,
    pub(super) basis: String,
    /// Whether its row reads.
    is_read: bool,
}

/// Weeks as a row has them: three, each later than the one before.
fn written(text: &str) -> Option<Weeks> {
    let weeks = text.split(' ').map(|one| one.parse().ok()).collect::<Option<Vec<u16>>>()?;
    weeks.try_into().ok().filter(|weeks: &Weeks| weeks.is_sorted_by(|one, next| one < next))
}

impl Policy {
    fn of_settings(config: &FleetConfig) -> Self {
        Self { revision: 0, weeks: config.weeks, basis: config.basis.clone(), is_read: true }
    }

    fn of(row: Option<&Row>, app: &App) -> Result<Self, DbError> {
        let config = &app.config.fleet;
        let Some(row) = row else { return Ok(Self::of_settings(config)) };
        let revision = row.size("revision")?;
        let (weeks, basis) = (row.text("weeks").ok().and_then(|text| written(&text)), row.text("basis").ok());
        let (Some(weeks), Some(basis)) = (weeks, basis) else {
            // Whoever changed it silences no vehicle. A process that starts writes it anew.
            tracing::error!(revision, "the policy in force does not read, and that of the settings counts");
            return Ok(Self { revision, weeks: config.weeks, basis: config.basis.clone(), is_read: false });
        };
        Ok(Self { revision, weeks, basis, is_read: true })
    }

    /// The one in force; that of the settings until one is written down.
    pub(super) async fn held(app: &App) -> Result<Self, DbError> {
        Self::of(app.db.find(HELD, values![]).await?.as_ref(), app)
    }

    /// The same within a transaction.
    pub(super) async fn held_in(app: &App, tx: &mut Tx) -> Result<Self, DbError> {
        Self::of(tx.find(HELD, values![]).await?.as_ref(), app)
    }

    /// The same for the loop: the first that finds vehicles writes its settings down.
    pub(super) async fn founded(app: &App) -> Result<Self, Problem> {
        let held = Self::held(app).await?;
        if !held.is_read {
            alarms::write(app, Alarm::VehicleRow.as_str(), "policy", "the weeks in force do not read").await?;
        }
        if held.revision > 0 || app.db.find(NEEDED, values![]).await?.is_none() {
            return Ok(held);
        }
        app.log.submit(Put { app: App::clone(app), is_first: true }).await?;
        Ok(Self::held(app).await?)
    }

    fn is_set(&self, app: &App) -> bool {
        self.is_read && (self.weeks, &self.basis) == (app.config.fleet.weeks, &app.config.fleet.basis)
    }
}

/// At the start of a process: where its settings are others than the policy in force, they are from now on, in every
/// process, with an entry that says so.
///
/// # Errors
/// The database, the log.
pub async fn begin(app: &App) -> Result<(), Problem> {
    let held = Policy::held(app).await?;
    if held.revision == 0 || held.is_set(app) {
        return Policy::founded(app).await.map(drop);
    }
    app.log.submit(Put { app: App::clone(app), is_first: false }).await
}

struct Put {
    app: App,
    /// Whether it is written where there is none alone.
    is_first: bool,
}

impl Work for Put {
    type Read = Option<(u64, Personal)>;
    type Made = Option<(u64, Personal, Entry)>;
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let held = Policy::held_in(&self.app, tx).await?;
        if held.revision > 0 && (self.is_first || held.is_set(&self.app)) {
            return Ok(None);
        }
        let (revision, config) = (held.revision + 1, &self.app.config.fleet);
        let said = json!({"policy": revision, "weeks": config.weeks, "basis": config.basis});
        Ok(Some((revision, Personal::draw(said.to_string())?)))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        let Some((revision, personal)) = read else { return Ok(None) };
        let entry = personal.append(step)?;
        Ok(Some((revision, personal, entry)))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<(), Problem> {
        let Some((revision, personal, entry)) = made else { return Ok(()) };
        let (config, krunica) = (&self.app.config.fleet, entry.krunica_hash().to_string());
        let values = values![revision, plan(config.weeks), &config.basis, krunica, self.app.clock.millis()];
        tx.execute(ADD, values).await?;
        personal.keep(tx, &entry, (TABLE, &revision.to_string())).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::rules::WEEK;
    use crate::fleet::turn;
    use crate::testing::House;
    use platform::Platform;
    use platform::config::Config;
    use std::sync::Arc;

    fn with(app: &App, weeks: Weeks) -> App {
        let mut config = Config::clone(&app.config);
        config.fleet.weeks = weeks;
        Arc::new(Platform { config: Arc::new(config), ..Platform::clone(app) })
    }

    /// While one process has the settings of yesterday and another those of today, a level is told once.
    #[tokio::test]
    async fn two_processes_with_other_weeks_tell_once() {
        let house = House::new().await;
        let id = house.vehicle("ZG1", house.ana).await;
        house.cross(&id, "AT", house.clock.millis()).await.unwrap();
        let (old, new) = (with(&house.app, [6, 7, 8]), with(&house.app, [3, 4, 6]));
        begin(&old).await.unwrap();
        turn(&old).await.unwrap();
        house.after(5 * WEEK);
        begin(&new).await.unwrap();
        for _ in 0..10 {
            turn(&new).await.unwrap();
            turn(&old).await.unwrap();
        }
        assert_eq!(house.sent().await, ["ZG1: critical, 5 weeks away from its home state. Bring it home."]);
        assert_eq!(Policy::held(&old).await.unwrap().weeks, [3, 4, 6]);
        // Whoever begins again with the same changes nothing.
        begin(&new).await.unwrap();
        assert_eq!(Policy::held(&new).await.unwrap().revision, 2);
    }
}
