//! Rows of vehicles and crossings.

use super::rules::{Level, State, Weeks, level, next_due, state, weeks_away};
use super::types::{CrossingOut, OdometerOut, Stanje, StatusOut, VehicleOut};
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::values;
use platform::web::Name;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM vehicles WHERE id = ''";
    FIND = "SELECT id, world, registracija, maticna, vlasnik_id, contact, retired, version, left_at, returned_at, \
            told, krunica, created FROM vehicles WHERE id = $1 AND world = $2";
    BY_PLATE = "SELECT 1 AS one FROM vehicles WHERE registracija = $1 AND world = $2 AND id <> $3";
    PAGE = "SELECT id, world, registracija, maticna, vlasnik_id, contact, retired, version, left_at, returned_at, \
            told, krunica, created FROM vehicles WHERE world = $1 AND (created < $2 OR (created = $2 AND id < $3)) \
            ORDER BY created DESC, id DESC LIMIT $4";
    /// Those that are away for longest come first, and those at home last.
    AWAY = "SELECT id, world, registracija, maticna, vlasnik_id, contact, retired, version, left_at, returned_at, \
            told, krunica, created FROM vehicles WHERE world = $1 AND retired = 0 AND left_at BETWEEN $2 AND $3 \
            AND (left_at > $4 OR (left_at = $4 AND id > $5)) ORDER BY left_at, id LIMIT $6";
    COUNT = "SELECT COUNT(*) AS found FROM vehicles WHERE world = $1 AND retired = 0 AND left_at BETWEEN $2 AND $3";
    /// The vehicles of an identity, the longest away first.
    OF = "SELECT id, world, registracija, maticna, vlasnik_id, contact, retired, version, left_at, returned_at, told, \
          krunica, created FROM vehicles WHERE vlasnik_id = $1 AND world = 0 AND retired = 0 ORDER BY left_at, id \
          LIMIT 5";
    USED = "SELECT id, registracija FROM vehicles WHERE world = $1 AND retired = 0 AND registracija > $2 \
            ORDER BY registracija LIMIT $3";
    ADD = "INSERT INTO vehicles (id, world, registracija, maticna, vlasnik_id, contact, retired, version, left_at, \
           told, plan, krunica, created, changed) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 9223372036854775807, 'ok', $9, $10, $11, $11)";
    /// What changed is looked at now.
    CHANGE = "UPDATE vehicles SET vlasnik_id = $3, contact = $4, retired = $5, version = $6, krunica = $7, next_due \
              = $8, changed = $8, registracija = $9, maticna = $10, left_at = $11, returned_at = $12 \
              WHERE id = $1 AND world = $2 AND version = $6 - 1";
    /// What was reached is looked at now.
    MOVE = "UPDATE vehicles SET left_at = $2, returned_at = $3, next_due = $4, krunica = $5, changed = $4 WHERE id = \
            $1";
    CROSSED = "SELECT id FROM crossings WHERE vehicle = $1 AND time = $2 AND drzava = $3";
    CROSS = "INSERT INTO crossings (id, vehicle, time, drzava, izvor, krunica, created) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// The last one that led home, and the first one behind a time: the state follows from the two, however many are
    /// there.
    HOME = "SELECT MAX(time) AS time FROM crossings WHERE vehicle = $1 AND drzava = $2";
    AWAY_SINCE = "SELECT MIN(time) AS time FROM crossings WHERE vehicle = $1 AND time > $2";
    CROSSING = "SELECT c.vehicle, c.time, c.drzava, c.krunica FROM crossings c JOIN vehicles v ON v.id = c.vehicle \
                WHERE c.id = $1 AND v.world = $2";
    IS_BACK = "SELECT 1 AS one FROM crossings_taken_back c JOIN vehicles v ON v.id = c.vehicle \
               WHERE c.id = $1 AND v.world = $2";
    BACK = "INSERT INTO crossings_taken_back (id, vehicle, time, drzava, krunica, back, back_at) \
            SELECT id, vehicle, time, drzava, krunica, CAST($2 AS TEXT), CAST($3 AS BIGINT) FROM crossings \
            WHERE id = $1";
    DROP = "DELETE FROM crossings WHERE id = $1";
    CROSSINGS = "SELECT id, time, drzava, izvor, krunica, created FROM crossings WHERE vehicle = $1 \
                 AND (time < $2 OR (time = $2 AND id < $3)) ORDER BY time DESC, id DESC LIMIT $4";
    MEASURE = "INSERT INTO odometers (vehicle, time, kilometri, krunica, created) VALUES ($1, $2, $3, $4, $5) \
               ON CONFLICT (vehicle, time, kilometri) DO NOTHING";
    MEASURED = "SELECT time, kilometri, krunica FROM odometers WHERE vehicle = $1 ORDER BY time DESC, kilometri DESC \
                LIMIT 5";
    DUE = "SELECT id FROM vehicles WHERE next_due <= $1 AND retired = 0 AND world = 0 ORDER BY next_due, id LIMIT $2";
    /// Those whose next time was computed by other weeks than the settings' are looked at now.
    REPLAN = "UPDATE vehicles SET next_due = 0, plan = $1 WHERE id IN (SELECT id FROM vehicles \
              WHERE plan <> $1 AND world = 0 ORDER BY id LIMIT $2) AND plan <> $1 AND world = 0";
    LATER = "UPDATE vehicles SET next_due = $2 WHERE id = $1 AND world = 0";
    /// Those whose name is no text, which SQLite alone takes: bytes equal no text.
    LATER_NAMELESS = "UPDATE vehicles SET next_due = $2 \
                      WHERE next_due <= $1 AND world = 0 AND id <> CAST(id AS TEXT)";
    TOLD = "UPDATE vehicles SET told = $3, next_due = $4 WHERE id = $1 AND told = $2 AND left_at = $5 AND world = $6";
}

/// As rows have whoever is at home: behind all that are away.
const AT_HOME: i64 = i64::MAX;

/// A vehicle.
#[derive(Clone, Debug)]
pub(crate) struct Vehicle {
    pub(crate) id: String,
    pub(crate) world: World,
    pub(crate) registracija: String,
    pub(crate) maticna: String,
    pub(crate) vlasnik_id: IdentityId,
    pub(crate) contact: Option<String>,
    pub(crate) retired: bool,
    pub(crate) version: u64,
    pub(crate) state: State,
    /// The level that was told last.
    pub(crate) told: Level,
    pub(crate) krunica: String,
    pub(crate) created: i64,
}

impl Vehicle {
    pub(crate) fn of(row: &Row) -> Result<Self, DbError> {
        let left_at = row.number("left_at")?;
        Ok(Self {
            id: row.text("id")?,
            world: World::of_number(row.number("world")?),
            registracija: row.text("registracija")?.split(' ').next().unwrap_or_default().to_owned(),
            maticna: row.text("maticna")?,
            vlasnik_id: row.text("vlasnik_id")?.parse().map_err(|_| DbError::Column("vlasnik_id"))?,
            contact: row.maybe_text("contact")?,
            retired: row.number("retired")? == 1,
            version: row.size("version")?,
            state: State {
                left_at: (left_at != AT_HOME).then_some(left_at),
                returned_at: row.maybe_number("returned_at")?,
            },
            told: row.text("told")?.parse().map_err(|_| DbError::Column("told"))?,
            krunica: row.text("krunica")?,
            created: row.number("created")?,
        })
    }

    /// Its plate, as its row has it: of a retired vehicle with its name behind it, so that the plate is free.
    pub(crate) fn plate(&self) -> String {
        if self.retired { format!("{} {}", self.registracija, self.id) } else { self.registracija.clone() }
    }

    /// When it left, as its row has it.
    pub(crate) fn left_at(&self) -> i64 {
        self.state.left_at.unwrap_or(AT_HOME)
    }

    /// Writes what follows from its crossings, whose level is looked at now.
    pub(crate) async fn follow(&mut self, tx: &mut Tx, krunica: &str, now: i64) -> Result<(), DbError> {
        self.state = state_of(tx, self).await?;
        let values = values![&self.id, self.left_at(), self.state.returned_at, now, krunica];
        tx.execute(MOVE, values).await.map(drop)
    }

    /// As answers have it.
    pub(crate) fn out(&self) -> VehicleOut {
        VehicleOut {
            vehicle_id: self.id.clone(),
            registracija: self.registracija.clone(),
            maticna_drzava: self.maticna.clone(),
            vlasnik_id: Name(self.vlasnik_id),
            contact_id: self.contact.clone(),
            stanje: if self.retired { Stanje::Povuceno } else { Stanje::Aktivno },
            verzija: self.version,
            krunica_hash: self.krunica.clone(),
        }
    }

    /// Its clock.
    pub(crate) fn status(&self, now: i64, weeks: Weeks) -> StatusOut {
        let State { left_at, returned_at } = self.state;
        let next = if self.retired { None } else { next_due(left_at, now, weeks) };
        StatusOut {
            vehicle_id: self.id.clone(),
            registracija: self.registracija.clone(),
            maticna_drzava: self.maticna.clone(),
            status: level(left_at, now, weeks),
            tjedni_odsutni: weeks_away(left_at, now),
            odsutno_od: left_at.map(moment),
            zadnji_povratak: returned_at.map(moment),
            sljedeca_razina: next.map(moment),
        }
    }
}

/// A moment, as answers have it.
pub(crate) fn moment(millis: i64) -> String {
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string()
}

/// One vehicle.
pub(crate) async fn find(db: &Db, id: &str, world: World) -> Result<Option<Vehicle>, DbError> {
    db.find(FIND, values![id, world.number()]).await?.as_ref().map(Vehicle::of).transpose()
}

/// The same within a transaction.
pub(crate) async fn find_in(tx: &mut Tx, id: &str, world: World) -> Result<Option<Vehicle>, DbError> {
    tx.find(FIND, values![id, world.number()]).await?.as_ref().map(Vehicle::of).transpose()
}

/// A page, the newest first.
pub(crate) async fn page(
    db: &Db,
    world: World,
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<Vehicle>, DbError> {
    let (created, id) = after.unwrap_or((i64::MAX, String::new()));
    db.list(PAGE, values![world.number(), created, id, most]).await?.iter().map(Vehicle::of).collect()
}

/// A page of those that left between two moments, the longest away first.
pub(crate) async fn away(
    db: &Db,
    world: World,
    (from, to): (i64, i64),
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<Vehicle>, DbError> {
    let (left_at, id) = after.unwrap_or((i64::MIN, String::new()));
    db.list(AWAY, values![world.number(), from, to, left_at, id, most]).await?.iter().map(Vehicle::of).collect()
}

/// How many left between two moments.
pub(crate) async fn count(db: &Db, world: World, (from, to): (i64, i64)) -> Result<u64, DbError> {
    db.find(COUNT, values![world.number(), from, to]).await?.map_or(Ok(0), |row| row.size("found"))
}

/// What follows from the crossings of a vehicle.
pub(crate) async fn state_of(tx: &mut Tx, vehicle: &Vehicle) -> Result<State, DbError> {
    let home = time(tx.find(HOME, values![&vehicle.id, &vehicle.maticna]).await?)?;
    let away = time(tx.find(AWAY_SINCE, values![&vehicle.id, home.unwrap_or(i64::MIN)]).await?)?;
    Ok(state(home.map(|time| (time, true)).into_iter().chain(away.map(|time| (time, false)))))
}

fn time(row: Option<Row>) -> Result<Option<i64>, DbError> {
    row.map_or(Ok(None), |row| row.maybe_number("time"))
}

/// The crossings of a vehicle, the latest first, each with its time in milliseconds.
pub(crate) async fn crossings(
    db: &Db,
    vehicle: &str,
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<(i64, CrossingOut)>, DbError> {
    let (time, id) = after.unwrap_or((i64::MAX, String::new()));
    let read = |row: &Row| {
        let time = row.number("time")?;
        let out = CrossingOut {
            crossing_id: row.text("id")?,
            drzava: row.text("drzava")?,
            vrijeme: moment(time),
            izvor: row.text("izvor")?.parse().map_err(|_| DbError::Column("izvor"))?,
            krunica_hash: row.text("krunica")?,
        };
        Ok((time, out))
    };
    db.list(CROSSINGS, values![vehicle, time, id, most]).await?.iter().map(read).collect()
}

/// What the odometer of a vehicle said, the latest first: the last five.
pub(crate) async fn odometer(db: &Db, vehicle: &str) -> Result<Vec<OdometerOut>, DbError> {
    let read = |row: &Row| {
        Ok(OdometerOut {
            kilometri: u32::try_from(row.number("kilometri")?).map_err(|_| DbError::Column("kilometri"))?,
            vrijeme: moment(row.number("time")?),
            krunica_hash: row.text("krunica")?,
        })
    };
    db.list(MEASURED, values![vehicle]).await?.iter().map(read).collect()
}
