//! Who is told of what, whatever the rows say and whether they can be written.

use super::*;
use crate::alarms::are_untold;
use crate::integrity::rules::Difference;
use crate::integrity::store::keep;
use std::collections::BTreeMap;

const SECOND: i64 = 1000;

fn differs(path: &str, found: &str) -> Difference {
    Difference { path: path.to_owned(), expected: Some("file 1".to_owned()), found: Some(found.to_owned()) }
}

/// Keeps what differs on a machine now; how many alarms there are then.
async fn told(machine: &Machine, host: &str, differences: &[Difference]) -> usize {
    let now = machine.house.clock.now().as_millis();
    let given = (differences, &BTreeMap::new());
    keep(&machine.house.app, (host, "baseline"), given, now).await.unwrap();
    machine.alarms().await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_machine_is_told_of_and_each_content() {
    let machine = Machine::unsigned().await;
    assert_eq!(told(&machine, "a", &[differs("/x", "file 2")]).await, 1);
    assert_eq!(told(&machine, "b", &[differs("/x", "file 2")]).await, 2, "at the same time, of another machine");
    // What comes at once is told when ten minutes are over, and not forgotten.
    machine.house.after(SECOND);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 2);
    machine.house.after(MINUTES);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 3);
    machine.house.after(MINUTES);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 3, "once");
    // As it was for a moment, and then otherwise again.
    assert_eq!(told(&machine, "a", &[]).await, 3);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 4);
    machine.house.after(SECOND);
    assert_eq!(told(&machine, "a", &[]).await, 4);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 4);
    machine.house.after(MINUTES);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_tree_is_told_of_in_a_thousand_alarms_and_a_sum() {
    const SUM: Statement = Statement::new("SELECT detail FROM alarms WHERE subject = 'a:'");
    let machine = Machine::unsigned().await;
    let all: Vec<_> = (0..1500).map(|number| differs(&format!("/{number:04}"), "file 2")).collect();
    assert_eq!(told(&machine, "a", &all).await, 1001);
    let sum = machine.house.app.db.find(SUM, values![]).await.unwrap().unwrap();
    assert_eq!(sum.text("detail").unwrap(), "500 more files are not as they were");
    assert_eq!(told(&machine, "a", &all).await, 1001, "once");
}

/// Whoever writes into the database has the rows not read, or takes them away.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_is_said_whatever_the_rows_are() {
    const SPOILT: Statement = Statement::new("UPDATE integrity_anomalies SET since = 'x'");
    const GONE: Statement = Statement::new("DROP TABLE integrity_anomalies");
    let machine = Machine { house: House::of_file().await, ..Machine::new().await };
    assert_eq!(machine.look().await.0.status, Stands::Ok);
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    let (said, _) = machine.look().await;
    let since = said.anomalies[0].since.clone();
    assert_eq!(machine.house.app.db.execute(SPOILT, values![]).await.unwrap(), 1);
    let (said, names) = machine.look().await;
    assert_eq!((said.status, names), (Stands::Anomaly, vec!["a".to_owned()]));
    assert_eq!(said.anomalies[0].since, since, "it is known still since when");
    assert_eq!(machine.alarms().await, 2, "of a row that does not read it is told once more");
    machine.look().await;
    assert_eq!(machine.alarms().await, 2, "and it reads again");
    machine.house.app.db.execute(GONE, values![]).await.unwrap();
    fs::write(machine.at("tree/b"), "TWO").unwrap();
    machine.house.after(MINUTES);
    assert!(machine.watch.turn(&machine.house.app).await.is_err());
    assert_eq!((machine.said().status, machine.said().count), (Stands::Anomaly, 2));
}

/// Whoever writes into the database says beforehand what will be found.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_somebody_else_wrote_knows_nothing() {
    const FORGED: Statement = Statement::new(
        "INSERT INTO integrity_anomalies (host, baseline, path, expected, found, since, seen) \
         VALUES ('a', 'baseline', '/x', 'file 1', 'file 2', 1, 1)",
    );
    const CHANGED: Statement = Statement::new("UPDATE integrity_anomalies SET found = 'file 3'");
    let machine = Machine::unsigned().await;
    machine.house.app.db.execute(FORGED, values![]).await.unwrap();
    assert_eq!(told(&machine, "a", &[differs("/x", "file 2")]).await, 1);
    machine.house.after(MINUTES);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 2")]).await, 1, "it is known");
    machine.house.app.db.execute(CHANGED, values![]).await.unwrap();
    machine.house.after(MINUTES);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_looked_is_not_well() {
    const TAKEN: Statement = Statement::new("ALTER TABLE alarms RENAME TO taken");
    const GIVEN: Statement = Statement::new("ALTER TABLE taken RENAME TO alarms");
    // A server's connections know the table still that was renamed.
    let machine = Machine { house: House::of_file().await, ..Machine::new().await };
    assert_eq!(machine.look().await.0.status, Stands::Ok);
    // Nobody looks any more.
    machine.house.after(2 * MINUTES + 60 * SECOND);
    assert_eq!(machine.said().status, Stands::Ok);
    machine.house.after(SECOND);
    let said = machine.said();
    assert_eq!((said.status, said.signed), (Stands::Unsigned, false), "{said:?}");
    assert_eq!(machine.look().await.0.status, Stands::Ok);
    // What lies apart does not read.
    let [mark] = &fs::read_dir(machine.at("apart")).unwrap().map(|file| file.unwrap().path()).collect::<Vec<_>>()[..]
    else {
        panic!("there is one")
    };
    let whole = fs::read(mark).unwrap();
    fs::write(mark, "{}").unwrap();
    // Neither is the alarm written, at first.
    for (is_written, alarms) in [(true, 0), (false, 0), (true, 1), (true, 1)] {
        if !is_written {
            machine.house.app.db.execute(TAKEN, values![]).await.unwrap();
        }
        assert!(machine.watch.turn(&machine.house.app).await.is_err());
        if !is_written {
            machine.house.app.db.execute(GIVEN, values![]).await.unwrap();
        }
        let said = machine.said();
        assert_eq!((said.status, said.signed, said.reason.is_some()), (Stands::Unsigned, false, true));
        assert_eq!(machine.alarms().await, alarms);
    }
    fs::write(mark, whole).unwrap();
    assert_eq!(machine.look().await.0.status, Stands::Ok);
}

/// Whoever writes into the database writes alarms of a time to come, and takes the places of those to come.
#[tokio::test(flavor = "multi_thread")]
async fn alarms_that_somebody_else_wrote_silence_nobody() {
    const FORGED: Statement = Statement::new(
        "INSERT INTO alarms (id, time, kind, subject, detail, slot) VALUES ($1, $2, 'integrity', 'a:/x', 'x', $3)",
    );
    const MOVED: Statement = Statement::new("UPDATE alarms SET time = time + $1 WHERE detail <> 'x'");
    let machine = Machine::unsigned().await;
    let now = machine.house.clock.millis();
    for (number, time) in [(0, i64::MAX), (1, now), (2, now - 1), (3, now + MINUTES), (-1, now)] {
        let values = values![format!("forged {number}"), time, now / MINUTES + number];
        machine.house.app.db.execute(FORGED, values).await.unwrap();
    }
    assert_eq!(told(&machine, "a", &[differs("/x", "file 2")]).await, 5 + 1);
    // What was told is told anew as soon as the file is another, whatever time the row of before says.
    machine.house.app.db.execute(MOVED, values![5 * MINUTES]).await.unwrap();
    machine.house.after(2 * MINUTES);
    assert_eq!(told(&machine, "a", &[differs("/x", "file 3")]).await, 5 + 2);
}

/// Whoever may do more with the database has no alarm be written at all.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_cannot_tell_is_not_well() {
    const EATEN: Statement =
        Statement::new("CREATE TRIGGER eats BEFORE INSERT ON alarms BEGIN SELECT RAISE(IGNORE); END");
    const AGAIN: Statement = Statement::new("DROP TRIGGER eats");
    const TAKEN: Statement = Statement::new("DROP TABLE alarms");
    let machine = Machine { house: House::of_file().await, ..Machine::new().await };
    let (app, db) = (&machine.house.app, &machine.house.app.db);
    machine.look().await;
    fs::write(machine.at("tree/a"), "ONE").unwrap();
    db.execute(EATEN, values![]).await.unwrap();
    machine.look().await;
    assert!(!are_untold(app), "another alarm may keep it back for ten minutes");
    machine.house.after(1);
    machine.look().await;
    assert!(are_untold(app));
    db.execute(AGAIN, values![]).await.unwrap();
    machine.look().await;
    assert_eq!((are_untold(app), machine.alarms().await), (false, 1));
    db.execute(TAKEN, values![]).await.unwrap();
    fs::write(machine.at("tree/a"), "one more").unwrap();
    for _ in 0..3 {
        machine.house.after(MINUTES);
        assert!(machine.watch.turn(app).await.is_err());
    }
    assert!(are_untold(app));
}
