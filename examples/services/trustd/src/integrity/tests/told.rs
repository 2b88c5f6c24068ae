//! Who is told of what, whatever the rows say and whether they can be written.

use super::*;
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
    let machine = Machine::new().await;
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
