//! What the log's writer does where somebody decides: a crossing is taken back, a report is set aside. Each leaves an
//! entry that says who did, and why.

use super::rules::Weeks;
use super::store::{self, Vehicle, moment};
use super::types::{DecidedOut, StatusOut};
use super::work::TABLE;
use crate::messaging::Reports;
use crate::personal::Personal;
use dualseal::{Entry, IdentityId};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::World;
use platform::db::{Row, Tx};
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use serde_json::json;

/// A crossing that never was: the clock is as it would be without it.
pub(crate) struct TakenBack {
    pub(crate) id: String,
    pub(crate) world: World,
    pub(crate) razlog: String,
    pub(crate) by: IdentityId,
    pub(crate) weeks: Weeks,
    pub(crate) now: i64,
    pub(crate) idempotency: Idempotency,
}

impl TakenBack {
    async fn crossing(&self, tx: &mut Tx) -> Result<Row, Problem> {
        if let Some(row) = tx.find(store::CROSSING, values![&self.id, self.world.number()]).await? {
            return Ok(row);
        }
        if tx.find(store::IS_BACK, values![&self.id, self.world.number()]).await?.is_some() {
            return Err(Problem::new(&kinds::CONFLICT).detail("the crossing was taken back"));
        }
        Err(Problem::new(&kinds::UNKNOWN_ID))
    }
}

impl Work for TakenBack {
    type Read = (String, Personal);
    type Made = (String, Personal, Entry);
    type Answer = StatusOut;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let row = self.crossing(tx).await?;
        let vehicle = row.text("vehicle")?;
        let said = json!({"vehicle": vehicle, "taken_back": self.id, "crossing": row.text("drzava")?,
            "time": moment(row.number("time")?), "entry": row.text("krunica")?, "reason": self.razlog,
            "by": self.by.to_hex()});
        Ok((vehicle, Personal::draw(said.to_string())?))
    }

    fn step(&self, step: &mut Step<'_>, (vehicle, personal): Self::Read) -> Result<Self::Made, Problem> {
        let entry = personal.append(step)?;
        Ok((vehicle, personal, entry))
    }

    async fn rows(
        &self,
        tx: &mut Tx,
        (vehicle, personal, entry): Self::Made,
        _: &Changes,
    ) -> Result<StatusOut, Problem> {
        self.crossing(tx).await?;
        let krunica = entry.krunica_hash().to_string();
        tx.execute(store::BACK, values![&self.id, &krunica, self.now]).await?;
        tx.execute(store::DROP, values![&self.id]).await?;
        let vehicle = store::find_in(tx, &vehicle, self.world).await?;
        let mut vehicle: Vehicle = vehicle.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        vehicle.follow(tx, &krunica, self.now).await?;
        personal.keep(tx, &entry, (TABLE, &vehicle.id)).await?;
        let answer = vehicle.status(self.now, self.weeks);
        self.idempotency.store(tx, StatusCode::OK, &answer).await?;
        Ok(answer)
    }
}

/// A report that nothing comes of.
pub(crate) struct SetAside {
    pub(crate) id: String,
    pub(crate) by: IdentityId,
    pub(crate) idempotency: Idempotency,
}

impl Work for SetAside {
    type Read = Personal;
    type Made = (Personal, Entry);
    type Answer = DecidedOut;

    async fn read(&self, _: &mut Tx, _: &State) -> Result<Personal, Problem> {
        let said = json!({"report": self.id, "what": "set aside", "by": self.by.to_hex()});
        Personal::draw(said.to_string())
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<Self::Made, Problem> {
        let entry = personal.append(step)?;
        Ok((personal, entry))
    }

    async fn rows(&self, tx: &mut Tx, (personal, entry): Self::Made, _: &Changes) -> Result<DecidedOut, Problem> {
        if !Reports::decide(tx, &self.id, "refused").await? {
            return Err(Problem::new(&kinds::CONFLICT).detail("the report was decided on"));
        }
        personal.keep(tx, &entry, ("trip_reports", &self.id)).await?;
        let answer = DecidedOut::set_aside(&self.id);
        self.idempotency.store(tx, StatusCode::OK, &answer).await?;
        Ok(answer)
    }
}
