//! Vehicles, for another module: which are used, that one entered a state, and what its odometer said.

use super::told::{INSPECTION, tell};
use super::types::Izvor;
use super::work::{WORTH, enter};
use super::{store, texts};
use crate::App;
use crate::alarms::Alarm;
use crate::messaging::{Language, Notice};
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx};
use platform::problem::{Problem, kinds};
use platform::values;

/// A vehicle that is used.
#[derive(Clone, Debug)]
pub(crate) struct Used {
    pub(crate) id: String,
    pub(crate) registracija: String,
}

/// That a driver's vehicle entered a state, by his document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered<'a> {
    pub(crate) vehicle: &'a str,
    pub(crate) world: World,
    pub(crate) time: i64,
    pub(crate) drzava: &'a str,
    /// The document's entry.
    pub(crate) krunica: &'a str,
    pub(crate) now: i64,
}

/// That somebody read the odometer of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured<'a> {
    pub(crate) vehicle: &'a str,
    pub(crate) time: i64,
    pub(crate) kilometri: u32,
    /// The document's entry.
    pub(crate) krunica: &'a str,
    pub(crate) now: i64,
}

/// The vehicles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vehicles;

impl Vehicles {
    /// One that is used.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn find(tx: &mut Tx, id: &str, world: World) -> Result<Option<Used>, DbError> {
        let found = store::find_in(tx, id, world).await?.filter(|vehicle| !vehicle.retired);
        Ok(found.map(|vehicle| Used { id: vehicle.id, registracija: vehicle.registracija }))
    }

    /// Whether there is one of this name, used or not.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn is_there(db: &Db, id: &str, world: World) -> Result<bool, DbError> {
        Ok(store::find(db, id, world).await?.is_some())
    }

    /// Those that are used, by plate, behind one of them.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn used(db: &Db, world: World, after: Option<&str>, most: u32) -> Result<Vec<Used>, DbError> {
        let read = |row: &Row| Ok(Used { id: row.text("id")?, registracija: row.text("registracija")? });
        let values = values![world.number(), after.unwrap_or_default(), most];
        db.list(store::USED, values).await?.iter().map(read).collect()
    }

    /// Writes that one entered a state: the clock follows. What was known already counts once.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn entered(tx: &mut Tx, entered: Entered<'_>) -> Result<(), Problem> {
        let Entered { vehicle, world, time, drzava, krunica, now } = entered;
        if tx.find(store::CROSSED, values![vehicle, time, drzava]).await?.is_some() {
            return Ok(());
        }
        let vehicle = store::find_in(tx, vehicle, world).await?;
        let mut vehicle = vehicle.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        enter(tx, &mut vehicle, (time, drzava, Izvor::Vozac), krunica, now).await
    }

    /// Writes what an odometer said. The same reading once more counts once.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn measured(tx: &mut Tx, measured: Measured<'_>) -> Result<(), DbError> {
        let Measured { vehicle, time, kilometri, krunica, now } = measured;
        tx.execute(store::MEASURE, values![vehicle, time, kilometri, krunica, now]).await.map(drop)
    }

    /// Tells whoever hears of one that an inspection keeps it where it is, once a document. Of a thief's nobody hears.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn stays(
        app: &App,
        tx: &mut Tx,
        id: &str,
        world: World,
        (of, now): (&str, i64),
    ) -> Result<(), Problem> {
        let found = store::find_in(tx, id, world).await?.filter(|_| world == World::Real);
        let Some(vehicle) = found else { return Ok(()) };
        let plate = &vehicle.registracija;
        let notice = |language: Language| Notice {
            once: format!("{INSPECTION}{id}:{of}"),
            subject: texts::subject(plate, language),
            text: texts::stays(plate, language),
            is_alarm: false,
            expires: now.saturating_add(WORTH),
        };
        let detail = format!("an inspection of {plate} says NO_GO, and nobody is there to be told");
        tell(app, tx, &vehicle, now, notice, (Alarm::Inspection, &detail)).await
    }
}
