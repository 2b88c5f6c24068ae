//! What is refused at opening, each by name.

use crate::log::{Fresh, Log, ORIGIN, Person, at, fresh, key};
use crate::sql::{Failed, Sql, put, text};
use dualseal::SystemRng;
use dualseal_operator::opening::{Opened, Refused};
use dualseal_operator::step::{Batch, Step, StepError};
use std::fs;

/// One step in a transaction of its own, signed with this key.
fn act<T>(
    sql: &mut Sql,
    log: &Log,
    who: &Person,
    work: impl FnOnce(&mut Step<'_>) -> Result<T, StepError>,
) -> Result<T, Failed> {
    sql.transact(
        log,
        |opened| {
            let mut batch = Batch::new(opened.state);
            let done = batch.step(at(0), work)?;
            let (placed, to_sign) = batch.place();
            let signed = to_sign.into_iter().map(|one| one.sign(who.key(), &mut SystemRng));
            let (_, changes) = placed.finish(signed.collect::<Result<Vec<_>, _>>()?)?;
            Ok((done, changes))
        },
        |_, _| Ok(()),
    )
}

fn sign_checkpoint(sql: &mut Sql, log: &Log, who: &Person) -> Result<(), Failed> {
    sql.checkpoint(log, |state, mark| {
        state.checkpoint_signer(&who.id, who.key()).unwrap().sign(mark, at(1), &mut SystemRng).unwrap()
    })
}

/// A log with a key, a signature, a checkpoint, and an entry after it.
fn begun(name: &str) -> (Log, Person, Sql, Fresh) {
    let folder = fresh(&format!("sql {name}"));
    let (log, ana) = (Log::new(), Log::new().person("ana"));
    let mut sql = Sql::new(&folder, &log);
    act(&mut sql, &log, &ana, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let contract = log.domain.content_hash(&ana.id, b"one contract");
    act(&mut sql, &log, &ana, |step| step.sign(&ana.id, &contract)).unwrap();
    sign_checkpoint(&mut sql, &log, &ana).unwrap();
    act(&mut sql, &log, &ana, |step| step.append(&ana.id, "after")).unwrap();
    (log, ana, sql, folder)
}

#[test]
fn what_was_written_opens_and_goes_on() {
    let (log, ana, mut sql, folder) = begun("opens");
    let Opened { state, mark } = sql.opened(&log).unwrap();
    assert_eq!((state.head().size(), mark.tree_head().size, state.last().unwrap().size), (3, 2, 2));
    drop(sql);
    let mut again = Sql::new(&folder, &log);
    sign_checkpoint(&mut again, &log, &ana).unwrap();
    assert_eq!(again.opened(&log).unwrap().state.last().unwrap().size, 3);
}

#[test]
fn every_edit_is_named() {
    type Edit = fn(&Sql);
    type Named = fn(&Refused) -> bool;
    let state: Edit = |sql| {
        let old = text(&sql.db, "state").unwrap().unwrap();
        put(&sql.db, "state", &old.replacen("\"size\":2", "\"size\":1", 1)).unwrap();
    };
    let unreadable: Edit = |sql| put(&sql.db, "state", "{}").unwrap();
    let row: Edit = |sql| {
        sql.db.execute("UPDATE ring SET json = replace(json, '\"istina\"', '\"laz\"')", []).map(drop).unwrap();
    };
    let no_row: Edit = |sql| sql.db.execute("DELETE FROM ring", []).map(drop).unwrap();
    let cut: Edit = |sql| sql.db.execute("DELETE FROM entries WHERE seq = 2", []).map(drop).unwrap();
    let other: Edit = |sql| {
        let sql = &sql.db;
        sql.execute("UPDATE entries SET json = replace(json, '\"after\"', '\"other\"') WHERE seq = 2", []).unwrap();
    };
    let longer: Edit = |sql| {
        sql.db.execute("INSERT INTO entries SELECT 3, json FROM entries WHERE seq = 2", []).map(drop).unwrap();
        let json = sql.db.query_row("SELECT json FROM entries WHERE seq = 3", [], |row| row.get::<_, String>(0));
        let json = json.unwrap().replacen("\"seq\":2", "\"seq\":3", 1);
        sql.db.execute("UPDATE entries SET json = ?1 WHERE seq = 3", [json]).map(drop).unwrap();
    };
    let no_checkpoint: Edit =
        |sql| sql.db.execute("DELETE FROM texts WHERE name = 'checkpoint'", []).map(drop).unwrap();
    let other_checkpoint: Edit = |sql| {
        let old = text(&sql.db, "checkpoint").unwrap().unwrap();
        put(&sql.db, "checkpoint", &old.replacen("2026-11-21T09:00:01", "2026-11-21T09:00:02", 1)).unwrap();
    };
    let no_mark: Edit = |sql| fs::remove_file(sql.mark()).unwrap();
    let mark: Edit = |sql| {
        let old = fs::read_to_string(sql.mark()).unwrap();
        fs::write(sql.mark(), old.replacen("\"revision\":1", "\"revision\":2", 1)).unwrap();
    };
    let seal: Edit = |sql| {
        let old = text(&sql.db, "ring seal").unwrap().unwrap();
        put(&sql.db, "ring seal", &old.replacen("\"size\":3", "\"size\":2", 1)).unwrap();
    };
    let cases: [(&str, Edit, Named); 12] = [
        ("state", state, |refused| matches!(refused, Refused::StateEdited)),
        ("unreadable", unreadable, |refused| matches!(refused, Refused::StateUnreadable(_))),
        ("row", row, |refused| matches!(refused, Refused::RingEdited | Refused::RingUnreadable(_))),
        ("no row", no_row, |refused| matches!(refused, Refused::RingUnreadable(_))),
        ("cut", cut, |refused| matches!(refused, Refused::ChainCut { found: 2, expected: 3 })),
        ("other end", other, |refused| matches!(refused, Refused::ChainOther { size: 3 })),
        ("longer", longer, |refused| matches!(refused, Refused::ChainLonger { found: 4, expected: 3 })),
        ("no checkpoint", no_checkpoint, |refused| matches!(refused, Refused::CheckpointMissing { size: 2 })),
        ("other checkpoint", other_checkpoint, |refused| matches!(refused, Refused::CheckpointOther)),
        ("no mark", no_mark, |refused| matches!(refused, Refused::MarkMissing)),
        ("mark", mark, |refused| matches!(refused, Refused::MarkEdited)),
        ("seal", seal, |refused| matches!(refused, Refused::RingOfAnotherTime { ring: 2, state: 3 })),
    ];
    for (name, edit, is_named) in cases {
        let (log, ana, mut sql, _folder) = begun(&format!("edit {name}"));
        edit(&sql);
        let refused = sql.opened(&log).expect_err(name);
        assert!(is_named(&refused), "{name}: {refused:?}");
        assert!(!refused.advice().is_empty() && !refused.to_string().is_empty());
        // And nothing is written over it.
        let failed = act(&mut sql, &log, &ana, |step| step.append(&ana.id, "more"));
        assert!(matches!(failed, Err(Failed::Refused(_))), "{name}");
    }
}

#[test]
fn another_logs_store_is_refused() {
    let (log, _, mut sql, _folder) = begun("another log");
    let other = Log { authority: dualseal::RingKey::generate(&log.domain, &mut SystemRng).unwrap(), ..Log::new() };
    assert!(matches!(sql.opened(&other), Err(Refused::StateEdited)));
    let seal = text(&sql.db, "ring seal").unwrap().unwrap();
    put(&sql.db, "ring seal", &seal.replace(ORIGIN, "example.org/other")).unwrap();
    assert!(matches!(sql.opened(&log), Err(Refused::OtherLog { .. })));
}

/// Everything of one moment is put back, but for the mark, which is where no backup of the store reaches.
#[test]
fn a_restored_store_signs_no_fork() {
    let (log, ana, mut sql, folder) = begun("restored");
    let backup = folder.join("backup.sqlite");
    sql.db.execute("VACUUM INTO ?1", [backup.to_str().unwrap()]).unwrap();
    act(&mut sql, &log, &ana, |step| step.rotate(&ana.id, key("ana", 1).public_key())).unwrap();
    let rotated = Person { keys: vec![key("ana", 1)], ..Log::new().person("ana") };
    sign_checkpoint(&mut sql, &log, &rotated).unwrap();
    drop(sql);
    for name in ["log.sqlite", "log.sqlite-wal", "log.sqlite-shm"] {
        let _ = fs::remove_file(folder.join(name));
    }
    fs::copy(&backup, folder.join("log.sqlite")).unwrap();
    let mut restored = Sql::new(&folder, &log);
    assert!(matches!(restored.opened(&log), Err(Refused::Restored { signed: 4, found: 3 })));
    assert!(matches!(sign_checkpoint(&mut restored, &log, &ana), Err(Failed::Refused(_))));
}

/// Of an old state beside a newer ring, and the other way round.
#[test]
fn parts_of_two_moments_are_told_apart() {
    for name in ["state", "ring seal", "checkpoint"] {
        let (log, ana, mut sql, _folder) = begun(&format!("old {name}"));
        let old = text(&sql.db, name).unwrap().unwrap();
        act(&mut sql, &log, &ana, |step| step.append(&ana.id, "more")).unwrap();
        sign_checkpoint(&mut sql, &log, &ana).unwrap();
        put(&sql.db, name, &old).unwrap();
        let refused = sql.opened(&log).expect_err(name);
        let expected = match name {
            "state" => matches!(refused, Refused::ChainLonger { .. }),
            "ring seal" => matches!(refused, Refused::RingOfAnotherTime { .. }),
            _ => matches!(refused, Refused::CheckpointOther),
        };
        assert!(expected, "{name}: {refused:?}");
    }
}
