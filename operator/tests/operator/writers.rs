//! Several at once on one log: each with a handle of its own, or a process of its own.

use crate::folder::place;
use crate::log::{Log, at, fresh};
use crate::sql::Sql;
use dualseal::SignatureRecord;
use dualseal::krunica::Checker;
use dualseal::mldsa::StatementKey;
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::{Folder, Reading};
use dualseal_operator::opening::Opened;
use dualseal_operator::step::{Batch, ToSign};
use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

fn record(reading: &Reading, seq: u64) -> SignatureRecord {
    SignatureRecord::from_json(&reading.record(seq).unwrap().unwrap()).unwrap()
}

/// Twenty writers on one folder, each with a handle of its own.
#[test]
fn twenty_writers_make_one_chain() {
    let log = Log::new();
    let (ana, folder) = (log.person("ana"), fresh("twenty"));
    let first = Folder::found(Disk::new(), place(&folder, &log), Log::new().authority).unwrap();
    let keys = |_: &ToSign| Some(ana.key() as &dyn StatementKey);
    first.step(at(0), &keys, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    thread::scope(|scope| {
        for writer in 0..20_u8 {
            let (place, keys, ana, log) = (place(&folder, &log), &keys, &ana, &log);
            scope.spawn(move || {
                let folder = Folder::new(Disk::new(), place, Log::new().authority);
                for number in 0..5_u8 {
                    let content = log.domain.content_hash(&ana.id, &[writer, number]);
                    folder.step(at(1), keys, |step| step.sign(&ana.id, &content)).unwrap();
                }
            });
        }
    });
    let audited = first.audit().unwrap();
    assert_eq!((audited.entries, audited.records), (101, 100));
    let reading = first.read().unwrap();
    assert_eq!(reading.state().head().size(), 101);
    // What each signed is there once.
    let signed: BTreeSet<_> = (1..101).map(|seq| record(&reading, seq).content_hash().to_hex()).collect();
    assert_eq!(signed.len(), 100);
    let mut checker = Checker::new();
    for entry in reading.entries(0).unwrap() {
        checker.push(&entry.unwrap()).unwrap();
    }
    assert_eq!(checker.head(), reading.state().head());
}

/// Processes on one database: each writes entries and rows of its own, in one transaction.
#[test]
fn processes_on_one_database_make_one_chain() {
    const WRITER: &str = "DUALSEAL_SQL_WRITER";
    const EACH: i64 = 20;
    if let Ok(writer) = env::var(WRITER) {
        let (number, folder) = writer.split_once(' ').unwrap();
        return write(Path::new(folder), number.parse().unwrap(), EACH);
    }
    let (log, folder) = (Log::new(), fresh("processes on sql"));
    Sql::new(&folder, &log);
    let writers: Vec<_> = (1..=3)
        .map(|number| {
            Command::new(env::current_exe().unwrap())
                .args(["writers::processes_on_one_database_make_one_chain", "--exact"])
                .env(WRITER, format!("{number} {}", folder.display()))
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let mut sql = Sql::new(&folder, &log);
    let state = sql.opened(&log).unwrap().state;
    let (entries, mut checker) = (sql.entries(), Checker::new());
    entries.iter().try_for_each(|entry| checker.push(entry)).unwrap();
    assert_eq!((checker.head(), entries.len()), (state.head(), 60));
    // The caller's row and its entry are there together, each once.
    let mut said: Vec<_> = entries.iter().map(|entry| entry.message().to_owned()).collect();
    let mut select = sql.db.prepare("SELECT handle FROM mine ORDER BY number").unwrap();
    let mine: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(said != mine, "they took turns");
    said.sort_by_key(|row| row.parse::<i64>().unwrap());
    assert_eq!(said, mine);
    let all: Vec<_> = (1..=3).flat_map(|writer| (0..EACH).map(move |number| row(writer, number).to_string())).collect();
    assert_eq!(mine, all);
}

fn row(writer: i64, number: i64) -> i64 {
    writer * 100 + number
}

/// What one of the processes does.
fn write(folder: &Path, writer: i64, each: i64) {
    let (log, ana) = (Log::new(), Log::new().person("ana"));
    let mut sql = Sql::new(folder, &log);
    for number in 0..each {
        let row = row(writer, number);
        let work = |opened: Opened| {
            let mut batch = Batch::new(opened.state);
            let entry = batch.step(at(1), |step| step.append(&ana.id, &row.to_string()))?;
            Ok((entry, batch.place().0.finish([])?.1))
        };
        let mine = |db: &rusqlite::Transaction<'_>, entry: &dualseal::Entry| {
            db.execute("INSERT INTO mine VALUES (?1, ?2)", rusqlite::params![row, entry.message()]).map(drop)
        };
        sql.transact(&log, work, mine).unwrap();
        // A process that begins earlier must not be through before the others are there.
        thread::sleep(Duration::from_millis(2));
    }
}
