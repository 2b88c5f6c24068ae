//! The commands of an operator, one after the other, over a service's storage.

use dualseal::{Domain, SystemRng};
use dualseal_operator::secrets::{Master, Place};
use dualseal_operator::step::{Changes, State, Step};
use platform::apart::Apart;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::{Db, Statement, Tx};
use platform::jobs::Jobs;
use platform::log::{Log, LogSettings, MarkPlace, Work, found};
use platform::problem::Problem;
use platform::{secrets, values};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use trustd::commands::chain::Found;
use trustd::commands::restore::Against;
use trustd::commands::{Stored, backup, chain, restore, rotate};
use trustd::upkeep::{Record, Upkeep};

struct Say(&'static str);

impl Work for Say {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        let ana = step.domain().identity_id(b"", "ana", "")?;
        step.append(&ana, self.0)?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

fn config(folder: &Path) -> Config {
    Config { data: folder.to_owned(), ..Config::default() }
}

async fn open(config: &Config) -> Log {
    let stored = Stored::open(config, &Clock::system()).await.unwrap();
    stored.log(config).await.unwrap()
}

async fn founded(config: &Config) -> Log {
    let domain = Domain::new(&config.domain).unwrap();
    let master = Master::draw(&domain, &mut SystemRng).unwrap().to_pem(None, &mut SystemRng).unwrap();
    std::fs::write(config.data.join("master.pem"), master.as_bytes()).unwrap();
    let secrets = secrets::open(config).unwrap();
    let db = Db::open(&config.database, &config.data, 4).await.unwrap();
    db.migrate().await.unwrap();
    let mark = MarkPlace::Apart(Apart::open(config).unwrap());
    let mut tx = db.begin().await.unwrap();
    let clock = Clock::system();
    secrets.check(&mut tx, clock.millis()).await.unwrap();
    found(&mut tx, &clock, &secrets, &mark, 1, &config.log.origin).await.unwrap();
    let row = secrets.seal(Place::new("tokens", b"1", "key").unwrap(), b"one").unwrap();
    secrets.put(&mut tx, &row.into()).await.unwrap();
    tx.commit().await.unwrap();
    Log::open(db, clock, secrets, mark, LogSettings::default()).await.unwrap()
}

async fn verified(config: &Config) -> (Found, String) {
    let mut out = Vec::new();
    let found = chain::verify_chain(config, &Clock::system(), &mut out).await.unwrap();
    (found, String::from_utf8(out).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_is_backed_up_restored_rotated_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let (first, clock) = (config(&folder.path().join("first")), Clock::system());
    std::fs::create_dir_all(&first.data).unwrap();
    assert!(chain::verify_chain(&first, &clock, &mut Vec::new()).await.is_err(), "there is nothing");
    assert_eq!(std::fs::read_dir(&first.data).unwrap().count(), 0, "and nothing was made");
    let log = founded(&first).await;
    log.submit(Say("before")).await.unwrap();
    log.checkpoint().await.unwrap();
    let seen = folder.path().join("checkpoint.json");
    let (checkpoint, _) = log.reader().checkpoint(1).await.unwrap().unwrap();
    std::fs::write(&seen, format!("{}\n", checkpoint.to_json())).unwrap();

    let copy = folder.path().join("copy");
    let mut out = Vec::new();
    backup::make(&first, &clock, &copy, &mut out).await.unwrap();
    assert!(backup::make(&first, &clock, &copy, &mut out).await.is_err(), "it is not written over");
    backup::list(&first, &clock, &mut out).await.unwrap();
    let told = String::from_utf8(out).unwrap();
    let id = told.split([' ', ':']).nth(1).unwrap();
    assert_eq!(told.lines().count(), 3, "{told}");

    // On another host, with the mirror of what lies apart.
    let second = config(&folder.path().join("second"));
    std::fs::create_dir_all(second.data.join("apart")).unwrap();
    for file in ["master.pem", "apart/high-water-mark"] {
        std::fs::copy(first.data.join(file), second.data.join(file)).unwrap();
    }
    let mut out = Vec::new();
    let against = Against::Checkpoint(seen.clone());
    restore::restore(&second, &clock, &copy, &against, &mut out).await.unwrap();
    assert!(restore::restore(&second, &clock, &copy, &against, &mut out).await.is_err(), "there is one");
    assert!(String::from_utf8(out).unwrap().contains("localhost/trustd goes on"));
    let (found, told) = verified(&second).await;
    assert_eq!((found, told.contains("localhost/trustd: 2 entries, 0 records, 1 checkpoints")), (Found::Whole, true));

    // One that is older than what was signed.
    log.submit(Say("after")).await.unwrap();
    log.checkpoint().await.unwrap();
    let third = config(&folder.path().join("third"));
    std::fs::create_dir_all(third.data.join("apart")).unwrap();
    for file in ["master.pem", "apart/high-water-mark"] {
        std::fs::copy(first.data.join(file), third.data.join(file)).unwrap();
    }
    let refused = restore::restore(&third, &clock, &copy, &against, &mut Vec::new()).await.unwrap_err();
    assert!(refused.to_string().contains("older than what was signed"), "{refused}");
    let mut out = Vec::new();
    restore::restore(&third, &clock, &copy, &Against::Loss, &mut out).await.unwrap();
    assert!(String::from_utf8(out).unwrap().contains("localhost/trustd/2 begins"));
    let (found, told) = verified(&third).await;
    assert_eq!((found, told.lines().count()), (Found::Whole, 6), "{told}");
    backup::forget(&first, &clock, id, &mut Vec::new()).await.unwrap();
    assert!(backup::forget(&first, &clock, id, &mut Vec::new()).await.is_err());

    // From one master to the next.
    drop(log);
    let mut out = Vec::new();
    rotate::master(&first, &clock, false, &mut out).await.unwrap();
    rotate::master(&first, &clock, false, &mut out).await.unwrap();
    let told = String::from_utf8(out).unwrap();
    assert!(told.contains("call this again") && told.contains("5 secrets and 0 erasure keys"), "{told}");
    std::fs::rename(first.data.join("master.pem.before"), folder.path().join("kept")).unwrap();
    open(&first).await.submit(Say("under the next one")).await.unwrap();
    assert_eq!(verified(&first).await.0, Found::Whole);

    // What is edited is named.
    let stored = Stored::open(&first, &clock).await.unwrap();
    let Db::Sqlite { write, .. } = &stored.db else { panic!("a file") };
    sqlx::query("UPDATE entries SET json = REPLACE(json, 'after', 'never')").execute(write).await.unwrap();
    let (found, told) = verified(&first).await;
    assert_eq!((found.exit_code(), told.starts_with("entry: localhost/trustd: the entry 2")), (1, true), "{told}");
}

/// What the upkeep of a service does is counted as self-checks, and its jobs run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_checks_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (config, clock) = (config(folder.path()), Clock::system());
    let log = founded(&config).await;
    log.submit(Say("one;")).await.unwrap();
    let stored = Stored::open(&config, &clock).await.unwrap();
    let (objects, mark) = (stored.objects(&config).unwrap(), stored.mark());
    let upkeep = Upkeep { db: stored.db.clone(), log, mark, objects, keys: stored.keys() };
    let seen: Arc<Mutex<Vec<(&'static str, bool)>>> = Arc::default();
    let into = Arc::clone(&seen);
    let record: Record = Arc::new(move |name, fault| into.lock().unwrap().push((name, fault.is_none())));
    assert_eq!(upkeep.begin(&record, false, 0).await.unwrap(), 2);
    let jobs =
        upkeep.jobs(Jobs::new(stored.db.clone(), clock.clone()), &clock, Duration::from_hours(1), record.clone());
    jobs.begin().await.unwrap();
    let ran = jobs.tick(clock.millis()).await.unwrap();
    assert_eq!(ran, ["checkpoint", "collect-objects", "end-erasures", "sweep-outbox", "verify-chain"]);
    assert!(jobs.list().await.unwrap().iter().all(|job| job.fault.is_none()));
    assert_eq!(upkeep.log.reader().checkpoint(1).await.unwrap().unwrap().0.tree_head().size, 2);
    // The one in the background ends when it likes.
    tokio::time::timeout(Duration::from_secs(20), async {
        while seen.lock().unwrap().len() < 3 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    assert!(seen.lock().unwrap().iter().all(|(_, passed)| *passed), "{seen:?}");
    upkeep.log.submit(Say("two;")).await.unwrap();
    let Db::Sqlite { write, .. } = &stored.db else { panic!("a file") };
    sqlx::query("UPDATE entries SET json = REPLACE(json, 'two;', 'one;') WHERE seq = 2").execute(write).await.unwrap();
    assert!(upkeep.begin(&record, false, 0).await.is_err());
    assert!(upkeep.verify(&record).await.is_err());
    assert_eq!(seen.lock().unwrap()[3..], [("recent", false), ("chain", false)]);
}

const AS_BEFORE: Statement =
    Statement::new("DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)");
const LATER: Statement = Statement::new(
    "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
     SELECT version + $1, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1",
);
const COUNT: Statement = Statement::new("SELECT COUNT(*) AS many FROM _sqlx_migrations");

/// A program that was deployed and not started yet changes no table under the service that runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_migrates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    founded(&config).await;
    let stored = Stored::open(&config, &Clock::system()).await.unwrap();
    for (statement, values, says) in
        [(LATER, values![9000_i64], "another schema"), (AS_BEFORE, values![], ""), (AS_BEFORE, values![], "earlier")]
    {
        assert_eq!(stored.db.execute(statement, values).await.unwrap(), 1);
        let count = async || stored.db.find(COUNT, values![]).await.unwrap().unwrap().size("many").unwrap();
        let before = count().await;
        match Stored::open(&config, &Clock::system()).await {
            Ok(_) => assert_eq!(says, ""),
            Err(fault) => assert!(!says.is_empty() && fault.to_string().contains(says), "{fault}"),
        }
        assert_eq!(count().await, before);
    }
}
