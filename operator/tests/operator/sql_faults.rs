//! A database that has no room, and one that gives up in the middle of a transaction: all of a step is there or
//! nothing, and the next one goes on from it.

use crate::folder::copy_all;
use crate::log::{Fresh, Log, Person, at, fresh, key, one};
use crate::sql::{Failed, Sql};
use dualseal::SystemRng;
use dualseal_operator::step::{Step, StepError};
use rusqlite::ErrorCode;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

type Act<'a> = &'a dyn Fn(&mut Sql) -> Result<(), Failed>;

/// A log with one key and one signature.
pub(crate) fn begun(name: &str) -> (Log, Person, Fresh) {
    let (path, log) = (fresh(&format!("sql {name}")), Log::new());
    let ana = log.person("ana");
    let mut sql = Sql::new(&path.join("sound"), &log);
    step(&mut sql, &log, &ana, |step| step.add_key(&ana.id, ana.key().public_key()).map(drop)).unwrap();
    sign(&mut sql, &log, &ana).unwrap();
    (log, ana, path)
}

/// With a row of the caller's.
pub(crate) fn step(
    sql: &mut Sql,
    log: &Log,
    who: &Person,
    work: impl FnOnce(&mut Step<'_>) -> Result<(), StepError>,
) -> Result<(), Failed> {
    sql.transact(
        log,
        |opened| {
            let ((), state, changes) = one(opened.state, who.key(), work)?;
            Ok((state.head().size(), changes))
        },
        |db, size| {
            let values = rusqlite::params![i64::try_from(*size).unwrap(), "mine"];
            db.execute("INSERT INTO mine VALUES (?1, ?2)", values).map(drop)
        },
    )
    .map(drop)
}

pub(crate) fn sign(sql: &mut Sql, log: &Log, who: &Person) -> Result<(), Failed> {
    step(sql, log, who, |step| step.sign(&who.id, &log.domain.content_hash(&who.id, b"one contract")).map(drop))
}

/// How many entries, records and rows of the caller's there are, and whether there is a checkpoint.
pub(crate) fn seen(sql: &mut Sql, log: &Log) -> (u64, u64, u64, bool) {
    let state = sql.opened(log).unwrap().state;
    let count = |table: &str| -> i64 {
        sql.db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    let [entries, records, mine] = ["entries", "records", "mine"].map(|table| u64::try_from(count(table)).unwrap());
    assert_eq!(entries, state.head().size(), "what is there is what the state says");
    (entries, records, mine, state.last().is_some())
}

/// SQLite gives up at one of the moments when it asks whether it should: another one each time,
/// until none is left.
#[test]
fn whenever_a_database_gives_up_all_of_a_step_is_there_or_nothing() {
    let (log, ana, path) = begun("gives up");
    let rotated = Person { id: ana.id, keys: vec![key("ana", 1)] };
    let signs: Act<'_> = &|sql| sign(sql, &log, &ana);
    let rotates: Act<'_> =
        &|sql| step(sql, &log, &rotated, |step| step.rotate(&ana.id, rotated.key().public_key()).map(drop));
    let states: Act<'_> = &|sql| {
        sql.checkpoint(&log, |state, mark| {
            let signer = state.checkpoint_signer(&ana.id, ana.key()).unwrap();
            signer.sign(mark, at(9), &mut SystemRng).unwrap()
        })
    };
    let (old, folder) = ((2, 1, 2, false), path.join("log"));
    for (act, new) in [(signs, (3, 2, 3, false)), (rotates, (3, 1, 3, false)), (states, (2, 1, 2, true))] {
        let (mut before, mut after) = (0, 0);
        for at in 0.. {
            let _ = fs::remove_dir_all(&folder);
            copy_all(&path.join("sound"), &folder);
            let mut sql = Sql::new(&folder, &log);
            let counted = Arc::new(AtomicU64::new(0));
            let count = Arc::clone(&counted);
            sql.db.progress_handler(1, Some(move || count.fetch_add(1, Ordering::Relaxed) >= at)).unwrap();
            let failed = act(&mut sql).err();
            let interrupted = |failed: &Failed| match failed {
                Failed::Sql(error) => error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted),
                _ => false,
            };
            assert!(failed.as_ref().is_none_or(interrupted), "{at}: {failed:?}");
            drop(sql);
            // As another process finds it.
            let mut sql = Sql::new(&folder, &log);
            let found = seen(&mut sql, &log);
            assert!(found == old || found == new, "{at}: {found:?}, {failed:?}");
            assert!(failed.is_some() || found == new, "{at}: done, and not there");
            *if found == new { &mut after } else { &mut before } += u64::from(failed.is_some());
            let is_rotated = sql.opened(&log).unwrap().state.ring().info(&ana.id).unwrap().public_key;
            let signer = if is_rotated == *rotated.key().public_key() { &rotated } else { &ana };
            sign(&mut sql, &log, signer).unwrap();
            if failed.is_none() {
                break;
            }
        }
        assert!(before > 60 && after > 0, "{before} {after}");
        println!("given up at {} moments, {after} of them after it was done", before + after);
    }
}

/// Page by page, until there is room for all of it.
#[test]
fn a_database_without_room_changes_nothing() {
    let (log, ana, path) = begun("full");
    let mut sql = Sql::new(&path.join("sound"), &log);
    let (before, mut refused) = (seen(&mut sql, &log), 0);
    let pages: u32 = sql.db.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    for most in pages.. {
        sql.db.pragma_update_and_check(None, "max_page_count", most, |row| row.get::<_, u32>(0)).unwrap();
        let Err(failed) = sign(&mut sql, &log, &ana) else { break };
        assert!(
            matches!(&failed, Failed::Sql(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull)),
            "{failed:?}"
        );
        assert_eq!(seen(&mut sql, &log), before);
        refused += 1;
    }
    assert!(refused > 1, "{refused}");
    assert_eq!(seen(&mut sql, &log).0, before.0 + 1);
}
