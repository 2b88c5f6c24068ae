//! Vehicles over a real log and a clock that is set: levels, and what is told of them.

mod decided;
mod many;

use super::rules::{Level, State, WEEK};
use super::store::{self, Vehicle};
use super::turn;
use super::types::Izvor;
use super::work::{Crossed, Written};
use crate::testing::House;
use dualseal::IdentityId;
use futures::future::join_all;
use platform::access::World;
use platform::db::statements;
use platform::idempotency::Idempotency;
use platform::problem::Problem;
use platform::values;
use uuid::Uuid;

statements! {
    ENTRIES = "SELECT p.text, e.json FROM personal_entries p JOIN entries e ON e.krunica = p.krunica \
               WHERE p.tbl = 'vehicles' ORDER BY p.time, p.krunica";
    UNHEARD = "SELECT kind FROM alarms";
    /// As one that was planned by other settings.
    PLANNED = "UPDATE vehicles SET plan = '9 9 9', next_due = NULL";
}

const HOUR: i64 = 3_600_000;

impl House {
    pub(super) async fn vehicle(&self, plate: &str, vlasnik_id: IdentityId) -> String {
        let vehicle = Vehicle {
            id: Uuid::now_v7().to_string(),
            world: World::Real,
            registracija: plate.into(),
            maticna: "HR".into(),
            vlasnik_id,
            contact: None,
            retired: false,
            version: 1,
            state: State::default(),
            told: Level::Ok,
            krunica: String::new(),
            created: self.clock.millis(),
        };
        let (now, idempotency) = (self.clock.millis(), Idempotency::default());
        let written = Written { vehicle, plan: super::rules::plan([6, 7, 8]), now, idempotency };
        self.app.log.submit(written).await.unwrap().vehicle_id
    }

    pub(super) async fn cross(&self, vehicle: &str, drzava: &str, time: i64) -> Result<bool, Problem> {
        let crossed = Crossed {
            vehicle: vehicle.to_owned(),
            world: World::Real,
            time,
            drzava: drzava.into(),
            izvor: Izvor::Ured,
            by: self.ana,
            report: None,
            weeks: [6, 7, 8],
            now: self.clock.millis(),
            idempotency: Idempotency::default(),
        };
        Ok(self.app.log.submit(crossed).await?.1)
    }

    async fn found(&self, id: &str) -> Vehicle {
        store::find(&self.app.db, id, World::Real).await.unwrap().unwrap()
    }
}

/// Hour by hour over ten weeks, and home: each level is one entry and one message, at its time.
#[tokio::test]
async fn each_level_is_told_once_at_its_time() {
    let house = House::new().await;
    let id = house.vehicle("ZG1", house.ana).await;
    let left = house.clock.millis();
    assert!(house.cross(&id, "AT", left).await.unwrap());
    let mut told = Vec::new();
    for _ in 0..(10 * 7 * 24) {
        house.after(HOUR);
        if turn(&house.app).await.unwrap() > 0 {
            told.push((house.clock.millis() - left, house.found(&id).await.told));
        }
    }
    let expected = [(6 * WEEK, Level::Warning), (7 * WEEK, Level::Critical), (8 * WEEK + HOUR, Level::Violation)];
    assert_eq!(told, expected);
    house.cross(&id, "HR", house.clock.millis()).await.unwrap();
    assert_eq!((turn(&house.app).await.unwrap(), turn(&house.app).await.unwrap()), (1, 0));
    let sent = house.sent().await;
    assert_eq!(sent.len(), 4);
    assert_eq!(sent[0], "ZG1: warning, 6 weeks away from its home state. Bring it home.");
    assert!(sent[3].starts_with("ZG1: in order"), "{sent:?}");
}

/// Late ones, repeated ones and ones that come before others: rows and the pure rule say the same, and what came before
/// leaves no second entry.
#[tokio::test]
async fn crossings_come_late_twice_and_in_any_order() {
    let house = House::new().await;
    let now = house.clock.millis();
    let all = [
        ("AT", now - 9 * WEEK),
        ("HR", now - 5 * WEEK),
        ("SI", now - 4 * WEEK),
        ("HR", now - 4 * WEEK),
        ("IT", now - WEEK),
    ];
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1], [3, 2, 4, 1, 0]] {
        let id = house.vehicle(&format!("ZG{order:?}").replace([' ', ',', '[', ']'], ""), house.ana).await;
        for place in order {
            let (drzava, time) = all[place];
            assert!(house.cross(&id, drzava, time).await.unwrap());
            assert!(!house.cross(&id, drzava, time).await.unwrap(), "it was there");
        }
        let state = State { left_at: Some(now - WEEK), returned_at: Some(now - 4 * WEEK) };
        assert_eq!(house.found(&id).await.state, state, "{order:?}");
    }
    let entries = house.app.db.list(ENTRIES, values![]).await.unwrap();
    assert_eq!(entries.len(), 4 * 6);
}

/// Several loops at once over what is reached at once: each level is told once.
#[tokio::test]
async fn however_many_look_each_level_is_told_once() {
    let house = House::new().await;
    for number in 0..250 {
        let id = house.vehicle(&format!("ZG{number}"), house.ana).await;
        house.cross(&id, "AT", house.clock.millis()).await.unwrap();
    }
    turn(&house.app).await.unwrap();
    house.after(7 * WEEK);
    let counts = join_all((0..3).map(|_| turn(&house.app))).await;
    let told: usize = counts.into_iter().map(Result::unwrap).sum();
    assert_eq!((told, house.sent().await.len()), (250, 250), "the tightest alone");
}

/// Where nobody is there to be told natives are, what is retired is told no more, and other weeks count at the next
/// look.
#[tokio::test]
async fn nothing_is_told_to_nobody() {
    let house = House::new().await;
    let bo = house.app.log.domain().identity_id(b"", "bo", "").unwrap();
    let id = house.vehicle("ZG1", bo).await;
    house.cross(&id, "AT", house.clock.millis()).await.unwrap();
    turn(&house.app).await.unwrap();
    house.app.db.execute(PLANNED, values![]).await.unwrap();
    house.after(6 * WEEK);
    assert_eq!(turn(&house.app).await.unwrap(), 1);
    let rows = house.app.db.list(UNHEARD, values![]).await.unwrap();
    assert_eq!((rows.len(), rows[0].text("kind").unwrap().as_str()), (1, "vehicle"));
    let mut vehicle = house.found(&id).await;
    (vehicle.retired, vehicle.version) = (true, 2);
    let (now, idempotency) = (house.clock.millis(), Idempotency::default());
    house.app.log.submit(Written { vehicle, plan: String::new(), now, idempotency }).await.unwrap();
    house.after(6 * WEEK);
    assert_eq!(turn(&house.app).await.unwrap(), 0);
    assert_eq!(house.cross(&id, "HR", now).await.unwrap_err().kind().status, 409);
}

/// What the log has of a vehicle names neither plate nor state.
#[tokio::test]
async fn a_tile_confirms_no_guess_of_a_journey() {
    let house = House::new().await;
    let id = house.vehicle("ZG1234AB", house.ana).await;
    house.cross(&id, "AT", house.clock.millis()).await.unwrap();
    for row in &house.app.db.list(ENTRIES, values![]).await.unwrap() {
        let entry = row.text("json").unwrap();
        for guess in ["ZG1234AB", "\"AT\"", &id] {
            assert!(entry.contains("personal ") && !entry.contains(guess), "{entry}");
        }
    }
}
