//! Whenever the power goes, the ledger is as it was before or after what was being done.

use super::{Archive, Disk};
use dualseal_examples::Fallible;
use dualseal_operator::disk::{Lost, Readers};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dualseal-vault-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// What anybody who opens the folder finds: the head of the ledger, and how many shards each record has.
fn found(folder: &Path) -> (u64, Vec<usize>) {
    let archive = Archive::open(folder, Disk::new()).unwrap();
    let summary = archive.check().unwrap();
    assert_eq!(summary.valid, archive.state.records.len() as u64);
    assert_eq!(summary.head, archive.ledger);
    let shards = archive.state.records.iter().map(|step| archive.shards(*step).unwrap().len());
    (summary.head.size(), shards.collect())
}

/// Does something on copies of a folder whose power goes after 0, 1, 2 … operations, until it is done.
fn with_every_crash(
    begun: &Path,
    act: impl Fn(&mut Archive) -> Fallible<()>,
    before: &(u64, Vec<usize>),
    after: &(u64, Vec<usize>),
) {
    let (mut operations, mut seen) = (0, [false; 2]);
    loop {
        let copied = folder(&format!("crash-{operations}"));
        copy(begun, &copied);
        let done = Archive::open(&copied, Disk::stopping_at(operations, Lost::Everything))
            .and_then(|mut archive| act(&mut archive));
        let state = found(&copied);
        assert!(state == *before || state == *after, "after {operations} operations: {state:?}");
        seen = [seen[0] || state == *before, seen[1] || state == *after];
        fs::remove_dir_all(&copied).unwrap();
        if done.is_ok() {
            assert_eq!(state, *after);
            break;
        }
        operations += 1;
    }
    assert!(operations > 5 && seen == [true, true], "{operations} {seen:?}");
}

#[test]
fn a_crash_leaves_the_old_state_or_the_new_one() {
    let begun = folder("begun");
    let document = folder("document");
    fs::write(&document, vec![7; 150_000]).unwrap();
    let mut archive = Archive::open(&begun, Disk::new()).unwrap();
    archive.seal(&document, "DOCUMENT").unwrap();
    drop(archive);
    assert_eq!(found(&begun), (1, vec![3]));

    let seal = |archive: &mut Archive| archive.seal(&document, "DOCUMENT").map(drop);
    with_every_crash(&begun, seal, &(1, vec![3]), &(2, vec![3, 3]));
    let erase = |archive: &mut Archive| archive.erase(archive.state.records[0]).map(drop);
    with_every_crash(&begun, erase, &(1, vec![3]), &(2, vec![0, 0]));
    fs::remove_dir_all(&begun).unwrap();
    fs::remove_file(&document).unwrap();
}

/// Two at once would give one place in the ledger to two records, and remove each other's steps.
#[test]
fn a_ledger_is_open_once() {
    let (ledger, document) = (folder("once"), folder("once-document"));
    fs::write(&document, "a deed").unwrap();
    let mut first = Archive::open(&ledger, Disk::new()).unwrap();
    let mut step = first.store.begin().unwrap();
    step.write("record.json", Readers::Owner, b"in the making").unwrap();
    let refused = Archive::open(&ledger, Disk::new()).map(drop).unwrap_err().to_string();
    assert_eq!(refused, format!("another program has the ledger {} open; wait until it is done", ledger.display()));
    let mut record = String::new();
    std::io::Read::read_to_string(&mut step.open("record.json").unwrap(), &mut record).unwrap();
    assert_eq!(record, "in the making");
    drop(step);
    first.seal(&document, "DOCUMENT").unwrap();
    drop(first);
    Archive::open(&ledger, Disk::new()).unwrap().seal(&document, "DOCUMENT").unwrap();
    assert_eq!(found(&ledger), (2, vec![3, 3]));
    fs::remove_dir_all(&ledger).unwrap();
    fs::remove_file(&document).unwrap();
}

/// Whoever writes the disk puts the ring file of an earlier step, whose own MAC is good, in the place of the last: it
/// lacks the last record's decoy, and whoever signs with that key would pass.
#[test]
fn an_older_ring_file_is_refused() {
    let (ledger, document) = (folder("older"), folder("older-document"));
    fs::write(&document, "a deed").unwrap();
    let mut archive = Archive::open(&ledger, Disk::new()).unwrap();
    archive.seal(&document, "DOCUMENT").unwrap();
    archive.seal(&document, "DOCUMENT").unwrap();
    drop(archive);
    fs::copy(ledger.join("steps/000001/ring.json"), ledger.join("steps/000002/ring.json")).unwrap();
    let refused = Archive::open(&ledger, Disk::new()).map(drop).unwrap_err().to_string();
    assert!(refused.starts_with("the ring is an old one"), "{refused}");
    fs::remove_dir_all(&ledger).unwrap();
    fs::remove_file(&document).unwrap();
}

/// Founding is as safe: the next one who opens the folder founds it, or finds it founded.
#[test]
fn a_crash_while_founding() {
    let mut operations = 0;
    loop {
        let new = folder("founding");
        let done = Archive::open(&new, Disk::stopping_at(operations, Lost::Everything)).is_ok();
        assert_eq!(found(&new), (0, vec![]), "after {operations} operations");
        fs::remove_dir_all(&new).unwrap();
        if done {
            break;
        }
        operations += 1;
    }
    assert!(operations > 20, "{operations}");
}
