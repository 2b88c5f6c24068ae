//! What the log's writer does for vehicles: each that is added or changed leaves an entry, each crossing, and each
//! level that is reached, under pseudonyms.

use super::rules::{Level, Weeks, level, next_due, weeks_away};
use super::store::{self, Vehicle};
use super::texts;
use super::told::{LEVEL, tell};
use super::types::{DecidedOut, Izvor, StatusOut, VehicleOut};
use crate::App;
use crate::alarms::Alarm;
use crate::messaging::{Language, Notice, Reports};
use crate::personal::Personal;
use dualseal::{Entry, IdentityId};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::World;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use serde_json::json;
use uuid::Uuid;

/// Its rows in the log of persons.
pub(super) const TABLE: &str = "vehicles";
/// How long a level, or what an inspection says, is worth to be told.
pub(super) const WORTH: i64 = 72 * 3_600_000;

/// A vehicle as it is from now on; its version is the next one, and 1 where it is new.
pub(crate) struct Written {
    pub(crate) vehicle: Vehicle,
    pub(crate) plan: String,
    pub(crate) now: i64,
    pub(crate) idempotency: Idempotency,
}

impl Work for Written {
    type Read = Personal;
    type Made = (Personal, Entry);
    type Answer = VehicleOut;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Personal, Problem> {
        let Vehicle { id, registracija, maticna, vlasnik_id, contact, retired, version, world, .. } = &self.vehicle;
        if !retired && tx.find(store::BY_PLATE, values![registracija, world.number(), id]).await?.is_some() {
            return Err(Problem::new(&kinds::CONFLICT).detail("another vehicle has this plate"));
        }
        let said = json!({"vehicle": id, "plate": registracija, "home": maticna, "owner": vlasnik_id.to_hex(),
            "contact": contact, "retired": retired, "version": version});
        Personal::draw(said.to_string())
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(Personal, Entry), Problem> {
        let entry = personal.append(step)?;
        Ok((personal, entry))
    }

    async fn rows(&self, tx: &mut Tx, (personal, entry): Self::Made, _: &Changes) -> Result<VehicleOut, Problem> {
        let mut vehicle = self.vehicle.clone();
        vehicle.krunica = entry.krunica_hash().to_string();
        // Of another home state another clock follows from the same crossings.
        vehicle.state = store::state_of(tx, &vehicle).await?;
        let Vehicle { id, world, maticna, vlasnik_id, retired, version, krunica, .. } = &vehicle;
        let (world, retired, owner, contact) =
            (world.number(), i64::from(*retired), vlasnik_id.to_hex(), vehicle.contact.clone());
        let plate = vehicle.plate();
        let (statement, values) = if *version == 1 {
            let mut values = values![id, world, plate, maticna, owner, contact, retired, *version];
            values.extend(values![&self.plan, krunica, self.now]);
            (store::ADD, values)
        } else {
            let mut values = values![id, world, owner, contact, retired, *version, krunica, self.now];
            values.extend(values![plate, maticna, vehicle.left_at(), vehicle.state.returned_at]);
            (store::CHANGE, values)
        };
        if tx.execute(statement, values).await? != 1 {
            return Err(Problem::new(&kinds::CONFLICT).detail("the vehicle was changed meanwhile"));
        }
        personal.keep(tx, &entry, (TABLE, id)).await?;
        let status = if *version == 1 { StatusCode::CREATED } else { StatusCode::OK };
        let answer = vehicle.out();
        self.idempotency.store(tx, status, &answer).await?;
        Ok(answer)
    }
}

/// A crossing: the state of its vehicle follows, whenever it came.
pub(crate) struct Crossed {
    pub(crate) vehicle: String,
    pub(crate) world: World,
    pub(crate) time: i64,
    pub(crate) drzava: String,
    pub(crate) izvor: Izvor,
    /// Who says so.
    pub(crate) by: IdentityId,
    /// The report that it was taken from.
    pub(crate) report: Option<String>,
    pub(crate) weeks: Weeks,
    pub(crate) now: i64,
    pub(crate) idempotency: Idempotency,
}

impl Work for Crossed {
    type Read = Option<Personal>;
    type Made = Option<(Personal, Entry)>;
    /// The clock, and whether the crossing is new.
    type Answer = (StatusOut, bool);

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Option<Personal>, Problem> {
        let vehicle = store::find_in(tx, &self.vehicle, self.world).await?;
        let vehicle = vehicle.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        if vehicle.retired {
            return Err(Problem::new(&kinds::CONFLICT).detail("the vehicle is retired"));
        }
        // One that came before leaves no second entry.
        if tx.find(store::CROSSED, values![&self.vehicle, self.time, &self.drzava]).await?.is_some() {
            return Ok(None);
        }
        let said = json!({"vehicle": self.vehicle, "crossing": self.drzava, "time": store::moment(self.time),
            "source": self.izvor.as_str(), "by": self.by.to_hex()});
        Personal::draw(said.to_string()).map(Some)
    }

    fn step(&self, step: &mut Step<'_>, read: Option<Personal>) -> Result<Self::Made, Problem> {
        let Some(personal) = read else { return Ok(None) };
        let entry = personal.append(step)?;
        Ok(Some((personal, entry)))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<Self::Answer, Problem> {
        let mut vehicle = store::find_in(tx, &self.vehicle, self.world).await?;
        let vehicle = vehicle.as_mut().ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        let is_new = made.is_some();
        if let Some((personal, entry)) = made {
            let krunica = entry.krunica_hash().to_string();
            enter(tx, vehicle, (self.time, &self.drzava, self.izvor), &krunica, self.now).await?;
            personal.keep(tx, &entry, (TABLE, &vehicle.id)).await?;
        }
        if let Some(report) = &self.report
            && !Reports::decide(tx, report, "accepted").await?
        {
            return Err(Problem::new(&kinds::CONFLICT).detail("the report was decided on meanwhile"));
        }
        let answer = vehicle.status(self.now, self.weeks);
        if let Some(report) = &self.report {
            self.idempotency.store(tx, StatusCode::OK, &DecidedOut::taken(report, answer.clone())).await?;
        } else {
            let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
            self.idempotency.store(tx, status, &answer).await?;
        }
        Ok((answer, is_new))
    }
}

/// Writes a crossing, and what follows for its vehicle, whose level is looked at now.
///
/// # Errors
/// The database; the same one, which was written meanwhile.
pub(super) async fn enter(
    tx: &mut Tx,
    vehicle: &mut Vehicle,
    (time, drzava, izvor): (i64, &str, Izvor),
    krunica: &str,
    now: i64,
) -> Result<(), Problem> {
    let id = Uuid::now_v7().to_string();
    tx.execute(store::CROSS, values![id, &vehicle.id, time, drzava, izvor.as_str(), krunica, now]).await?;
    Ok(vehicle.follow(tx, krunica, now).await?)
}

/// Another level is reached: its entry, its message, and when the next one comes. In the decoy's world it has an entry
/// as in the real one, or whoever opens a vehicle's entries would know where he is; and nobody hears of it.
pub(crate) struct Levelled {
    pub(crate) app: App,
    pub(crate) id: String,
    pub(crate) world: World,
    pub(crate) weeks: Weeks,
    pub(crate) now: i64,
}

impl Work for Levelled {
    type Read = Option<(Vehicle, Level, Personal)>;
    type Made = Option<(Vehicle, Level, Personal, Entry)>;
    /// The level that was told, where one was.
    type Answer = Option<Level>;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let found = store::find_in(tx, &self.id, self.world).await?;
        let Some(vehicle) = found.filter(|vehicle| !vehicle.retired) else { return Ok(None) };
        let level = level(vehicle.state.left_at, self.now, self.weeks);
        if level == vehicle.told {
            return Ok(None);
        }
        let said = json!({"vehicle": vehicle.id, "level": level.as_str(), "before": vehicle.told.as_str(),
            "left": vehicle.state.left_at.map(store::moment)});
        Ok(Some((vehicle, level, Personal::draw(said.to_string())?)))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        let Some((vehicle, level, personal)) = read else { return Ok(None) };
        let entry = personal.append(step)?;
        Ok(Some((vehicle, level, personal, entry)))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<Option<Level>, Problem> {
        let Some((vehicle, level, personal, entry)) = made else {
            let found = store::find_in(tx, &self.id, self.world).await?;
            if let Some(vehicle) = found {
                self.next(tx, &vehicle, vehicle.told).await?;
            }
            return Ok(None);
        };
        if !self.next(tx, &vehicle, level).await? {
            return Err(Problem::new(&kinds::CONFLICT).detail("the vehicle moved meanwhile"));
        }
        personal.keep(tx, &entry, (TABLE, &vehicle.id)).await?;
        if self.world == World::Decoy {
            return Ok(Some(level));
        }
        let (plate, away) = (&vehicle.registracija, weeks_away(vehicle.state.left_at, self.now));
        let notice = |language: Language| Notice {
            once: format!("{LEVEL}{}:{}", vehicle.id, entry.krunica_hash()),
            subject: texts::subject(plate, language),
            text: texts::reached(plate, level, away, language),
            is_alarm: false,
            expires: self.now.saturating_add(WORTH),
        };
        let detail = format!("{plate} is at the level {}, and nobody is there to be told", level.as_str());
        tell(&self.app, tx, &vehicle, self.now, notice, (Alarm::Vehicle, &detail)).await?;
        Ok(Some(level))
    }
}

impl Levelled {
    async fn next(&self, tx: &mut Tx, vehicle: &Vehicle, level: Level) -> Result<bool, Problem> {
        let due = next_due(vehicle.state.left_at, self.now, self.weeks);
        let (told, level) = (vehicle.told.as_str(), level.as_str());
        let values = values![&vehicle.id, told, level, due, vehicle.left_at(), self.world.number()];
        Ok(tx.execute(store::TOLD, values).await? == 1)
    }
}
