//! Many vehicles, and many crossings of one: nobody waits for what is not his, and one row stops nobody.

use super::super::look;
use super::super::policy::begin;
use super::*;
use std::time::{Duration, Instant};

statements! {
    FILL = "INSERT INTO crossings (id, vehicle, time, drzava, izvor, krunica, created) \
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) \
            SELECT CAST(i AS TEXT), CAST($1 AS TEXT), CAST($2 AS BIGINT) + i, 'AT', 'ured', '', 0 FROM n";
    UNREAD = "UPDATE vehicles SET told = 'x' WHERE id = $1";
    KINDS = "SELECT kind, subject FROM alarms";
    NAMELESS = "UPDATE vehicles SET id = CAST(id AS BLOB), next_due = 0 WHERE registracija = 'ZG1'";
    WEEKS = "UPDATE fleet_policies SET weeks = $1";
}

/// A crossing is written as fast behind a hundred thousand of its vehicle as behind one.
#[tokio::test]
async fn the_state_follows_from_two_crossings_of_many() {
    let house = House::new().await;
    let (id, now) = (house.vehicle("ZG1", house.ana).await, house.clock.millis());
    house.app.db.execute(FILL, values![&id, now - 1_000_000]).await.unwrap();
    let begun = Instant::now();
    for number in 0..20 {
        house.cross(&id, "SI", now + number).await.unwrap();
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let state = State { left_at: Some(now - 1_000_000), returned_at: None };
    assert_eq!(house.found(&id).await.state, state);
}

/// Whoever records a crossing waits for its vehicle alone, and one row that does not read keeps nobody from hearing.
#[tokio::test]
async fn one_vehicle_keeps_no_other_waiting() {
    let house = House::new().await;
    let mut all = Vec::new();
    for number in 0..210 {
        let id = house.vehicle(&format!("ZG{number}"), house.ana).await;
        house.cross(&id, "AT", house.clock.millis()).await.unwrap();
        all.push(id);
    }
    turn(&house.app).await.unwrap();
    house.after(7 * WEEK);
    look(&house.app, &all[7], World::Real).await.unwrap();
    assert_eq!(house.sent().await.len(), 1);
    house.app.db.execute(UNREAD, values![&all[0]]).await.unwrap();
    assert_eq!(turn(&house.app).await.unwrap(), 208);
    assert_eq!((turn(&house.app).await.unwrap(), house.sent().await.len()), (0, 209));
    let rows = house.app.db.list(KINDS, values![]).await.unwrap();
    let [row] = &rows[..] else { panic!("{} alarms", rows.len()) };
    assert_eq!((row.text("kind").unwrap(), row.text("subject").unwrap()), ("vehicle-row".into(), all[0].clone()));
}

/// Nor does a row without a name that reads, which only a file takes.
#[tokio::test]
async fn a_vehicle_without_a_name_silences_no_other() {
    let house = House::of_file().await;
    house.vehicle("ZG1", house.ana).await;
    house.app.db.execute(NAMELESS, values![]).await.unwrap();
    let id = house.vehicle("ZG2", house.ana).await;
    house.cross(&id, "AT", house.clock.millis() - 7 * WEEK).await.unwrap();
    for told in [1, 0] {
        assert_eq!(turn(&house.app).await.unwrap(), told);
        let rows = house.app.db.list(KINDS, values![]).await.unwrap();
        let subjects: Vec<_> = rows.iter().map(|row| row.text("subject").unwrap()).collect();
        assert_eq!(subjects, ["nameless"]);
    }
}

/// Nor do weeks in force that do not read: those of the settings count, natives hear of it, and a start mends it.
#[tokio::test]
async fn weeks_that_do_not_read_silence_nobody() {
    let house = House::new().await;
    let id = house.vehicle("ZG1", house.ana).await;
    turn(&house.app).await.unwrap();
    for weeks in ["6 x 8", "8 7 6", "6 7", ""] {
        assert_eq!(house.app.db.execute(WEEKS, values![weeks]).await.unwrap(), 1);
        turn(&house.app).await.unwrap();
    }
    house.cross(&id, "AT", house.clock.millis() - 7 * WEEK).await.unwrap();
    assert_eq!(turn(&house.app).await.unwrap(), 1);
    let subjects = async || {
        let rows = house.app.db.list(KINDS, values![]).await.unwrap();
        rows.iter().map(|row| row.text("subject").unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(subjects().await, ["policy"]);
    begin(&house.app).await.unwrap();
    house.after(HOUR);
    turn(&house.app).await.unwrap();
    assert_eq!(subjects().await, ["policy"]);
}
