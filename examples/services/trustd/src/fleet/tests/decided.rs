//! What somebody decides of a vehicle: a crossing that never was, another home, a plate that comes back.

use super::super::decided::TakenBack;
use super::super::look;
use super::*;

statements! {
    CROSSING = "SELECT id FROM crossings WHERE vehicle = $1 AND drzava = $2";
}

impl House {
    async fn take_back(&self, id: &str) -> Result<(), Problem> {
        let (id, razlog, by) = (id.to_owned(), "another vehicle was meant".to_owned(), self.ana);
        let (weeks, now, idempotency) = ([6, 7, 8], self.clock.millis(), Idempotency::default());
        let back = TakenBack { id, world: World::Real, razlog, by, weeks, now, idempotency };
        let clock = self.app.log.submit(back).await?;
        look(&self.app, &clock.vehicle_id, World::Real).await
    }

    async fn put(&self, vehicle: Vehicle) -> Result<(), Problem> {
        let (plan, now, idempotency) = (String::new(), self.clock.millis(), Idempotency::default());
        self.app.log.submit(Written { vehicle, plan, now, idempotency }).await.map(drop)
    }
}

/// A crossing that was a mistake resets no clock: its level is told again, and its entries say who took it back and
/// why. It may be recorded again.
#[tokio::test]
async fn a_crossing_that_is_taken_back_never_was() {
    let house = House::new().await;
    let (id, now) = (house.vehicle("ZG1", house.ana).await, house.clock.millis());
    for (drzava, days) in [("AT", 52), ("HR", 1)] {
        house.cross(&id, drzava, now - days * 24 * HOUR).await.unwrap();
        look(&house.app, &id, World::Real).await.unwrap();
    }
    assert_eq!(house.found(&id).await.told, Level::Ok);
    let row = house.app.db.find(CROSSING, values![&id, "HR"]).await.unwrap().unwrap();
    let crossing = row.text("id").unwrap();
    house.take_back(&crossing).await.unwrap();
    let sent = house.sent().await;
    assert_eq!(sent.len(), 3, "{sent:?}");
    assert!(sent[0].starts_with("ZG1: critical") && sent[2].starts_with("ZG1: critical"), "{sent:?}");
    assert_eq!(house.take_back(&crossing).await.unwrap_err().kind().status, 409);
    assert_eq!(house.take_back(&Uuid::now_v7().to_string()).await.unwrap_err().kind().status, 404);
    let entries = house.app.db.list(ENTRIES, values![]).await.unwrap();
    let said: Vec<String> = entries.iter().map(|row| row.text("text").unwrap()).collect();
    let back = said.iter().find(|text| text.contains("another vehicle was meant")).unwrap();
    assert!(back.contains(&crossing) && back.contains(&house.ana.to_hex()), "{back}");
    assert!(said.iter().any(|text| text.contains("\"source\":\"ured\"") && text.contains(&house.ana.to_hex())));
    assert!(house.cross(&id, "HR", now - 24 * HOUR).await.unwrap());
}

/// A home state that was mistyped is mended, and the clock follows from the same crossings.
#[tokio::test]
async fn another_home_is_another_clock() {
    let house = House::new().await;
    let (id, now) = (house.vehicle("ZG1", house.ana).await, house.clock.millis());
    for (drzava, days) in [("SI", 50), ("AT", 9)] {
        house.cross(&id, drzava, now - days * 24 * HOUR).await.unwrap();
    }
    let vehicle = house.found(&id).await;
    house.put(Vehicle { maticna: "SI".into(), registracija: "LJ1".into(), version: 2, ..vehicle }).await.unwrap();
    let found = house.found(&id).await;
    let state = State { left_at: Some(now - 9 * 24 * HOUR), returned_at: Some(now - 50 * 24 * HOUR) };
    assert_eq!((found.state, found.registracija.as_str()), (state, "LJ1"));
}

/// A plate is one vehicle's among those that are used, and comes back with another truck.
#[tokio::test]
async fn a_plate_comes_back() {
    let house = House::new().await;
    let id = house.vehicle("ZG1", house.ana).await;
    let other = house.vehicle("ZG2", house.ana).await;
    let second = house.found(&other).await;
    let taken = Vehicle { registracija: "ZG1".into(), version: 2, ..second };
    assert_eq!(house.put(taken.clone()).await.unwrap_err().kind().status, 409);
    let first = house.found(&id).await;
    house.put(Vehicle { retired: true, version: 2, ..first.clone() }).await.unwrap();
    house.put(taken).await.unwrap();
    let back = Vehicle { retired: false, version: 3, ..first };
    assert_eq!(house.put(back).await.unwrap_err().kind().status, 409);
}
