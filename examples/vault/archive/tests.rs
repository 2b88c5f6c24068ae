//! Whenever the power goes or the disk fails, the ledger is as it was before or after what was being done.

use super::{Archive, Disk, beside, shard};
use dualseal::vault::LedgerHead;
use dualseal_examples::Fallible;
use dualseal_operator::disk::Lost;
use std::fs;
use std::path::{Path, PathBuf};

/// In memory where there is such a place: what is tried is what is written and in which order, not how long a disk
/// takes.
fn folder(name: &str) -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let within = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let path = within.join(format!("dualseal-vault-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
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
    let view = archive.view().unwrap();
    let summary = view.check().unwrap();
    assert_eq!(summary.valid, view.records.len() as u64);
    let ledger = view.state().ledger(&archive.keys.ledger);
    assert_eq!(summary.head.size(), ledger.map_or(0, LedgerHead::size));
    assert!(ledger.is_none_or(|head| *head == summary.head));
    assert_eq!(view.state().last().unwrap().size, view.state().head().size());
    let shards = view.records.keys().map(|seq| view.shards(*seq).unwrap().len());
    (summary.head.size(), shards.collect())
}

/// A disk that fails at an operation, or stops there.
type Bad = fn(u64) -> Disk;

const BAD: [Bad; 2] = [Disk::failing_at, |at| Disk::stopping_at(at, Lost::Everything)];

/// Does something on copies of a folder whose disk is bad at operation 0, 1, 2 …, until there are no more.
fn with_every_crash(
    begun: &Path,
    act: impl Fn(&Archive) -> Fallible<()>,
    before: &(u64, Vec<usize>),
    after: &(u64, Vec<usize>),
) {
    for bad in BAD {
        let (mut operations, mut seen) = (0, [false; 2]);
        loop {
            let copied = begun.with_extension("crash");
            let _ = fs::remove_dir_all(&copied);
            copy(begun, &copied);
            let disk = bad(operations);
            let done = Archive::open(&copied, disk.clone()).and_then(|archive| act(&archive));
            let state = found(&copied);
            assert!(state == *before || state == *after, "after {operations} operations: {state:?}");
            assert!(done.is_err() || state == *after, "after {operations} operations");
            seen = [seen[0] || state == *before, seen[1] || state == *after];
            fs::remove_dir_all(&copied).unwrap();
            if disk.history().len() as u64 <= operations {
                assert!(done.is_ok());
                break;
            }
            operations += 1;
        }
        assert!(operations > 100 && seen == [true, true], "{operations} {seen:?}");
    }
}

/// A ledger with one record, and a document.
fn begun(name: &str) -> (PathBuf, PathBuf) {
    let (ledger, document) = (folder(name), folder(&format!("{name}-document")));
    fs::write(&document, vec![7; 150_000]).unwrap();
    Archive::open(&ledger, Disk::new()).unwrap().seal(&document, "DOCUMENT").unwrap();
    assert_eq!(found(&ledger), (1, vec![3]));
    (ledger, document)
}

fn remove(ledger: &Path, document: &Path) {
    fs::remove_dir_all(ledger).unwrap();
    fs::remove_file(document).unwrap();
}

#[test]
fn a_crash_while_sealing() {
    let (begun, document) = begun("sealing");
    let seal = |archive: &Archive| archive.seal(&document, "DOCUMENT").map(drop);
    with_every_crash(&begun, seal, &(1, vec![3]), &(2, vec![3, 3]));
    remove(&begun, &document);
}

#[test]
fn a_crash_while_erasing() {
    let (begun, document) = begun("erasing");
    let erase = |archive: &Archive| {
        let first = archive.view()?.records.keys().next().copied();
        archive.erase(first.ok_or("a record")?).map(drop)
    };
    with_every_crash(&begun, erase, &(1, vec![3]), &(2, vec![0, 0]));
    remove(&begun, &document);
}

/// Two at once would give one place in the ledger to two records.
#[test]
fn programs_take_turns() {
    let (ledger, document) = begun("turns");
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..2 {
                    let archive = Archive::open(&ledger, Disk::new()).unwrap();
                    archive.seal(&document, "DOCUMENT").unwrap();
                }
            });
        }
    });
    assert_eq!(found(&ledger), (7, vec![3; 7]));
    remove(&ledger, &document);
}

/// Whoever writes the disk puts what an earlier step wrote, whose own MAC is good, in the place of the last: it lacks
/// the last record's decoy, and whoever signs with that key would pass.
#[test]
fn what_an_earlier_step_wrote_is_refused() {
    let (ledger, document) = begun("older");
    let (old, new, log) = (folder("older-log"), folder("newer-log"), ledger.join("log"));
    copy(&log, &old);
    Archive::open(&ledger, Disk::new()).unwrap().seal(&document, "DOCUMENT").unwrap();
    copy(&log, &new);
    let refused = |files: &[&str]| {
        for file in files {
            fs::copy(old.join(file), log.join(file)).unwrap();
        }
        let refused = Archive::open(&ledger, Disk::new()).map(drop).unwrap_err().to_string();
        fs::remove_dir_all(&log).unwrap();
        copy(&new, &log);
        refused
    };
    assert_eq!(refused(&["decoys.jsonl"]), "a row of the ring was edited, is missing, or is an old one");
    assert_eq!(refused(&["decoys.jsonl", "state.jsonl"]), "the chain has 6 entries, of which steps wrote 4");
    let all = ["decoys.jsonl", "state.jsonl", "chain.jsonl", "chain.index", "chain.tree", "checkpoint.json"];
    assert_eq!(refused(&all), "the signer's mark is of 6 entries, and the store, with 4, is an old copy or another");
    assert_eq!(found(&ledger), (2, vec![3, 3]));
    fs::remove_dir_all(&old).unwrap();
    fs::remove_dir_all(&new).unwrap();
    remove(&ledger, &document);
}

/// The shards hang on a key that no backup of the log holds.
#[test]
fn what_is_erased_stays_so_in_a_backup() {
    let (ledger, document) = begun("erased");
    let backup = folder("erased-backup");
    copy(&ledger.join("log"), &backup);
    let archive = Archive::open(&ledger, Disk::new()).unwrap();
    let first = *archive.view().unwrap().records.keys().next().unwrap();
    archive.erase(first).unwrap();
    let names = || (1..=3).map(|number| beside(first, &shard(number)));
    for name in names() {
        assert!(!ledger.join("log").join(&name).exists());
        fs::copy(backup.join(&name), ledger.join("log").join(&name)).unwrap();
    }
    assert_eq!(archive.view().unwrap().shards(first).unwrap().len(), 0);
    // And whoever opens it next removes them.
    assert_eq!(found(&ledger), (2, vec![0, 0]));
    assert!(names().all(|name| !ledger.join("log").join(name).exists()));
    fs::remove_dir_all(&backup).unwrap();
    remove(&ledger, &document);
}

/// Founding is as safe: the next one who opens the folder founds it, or finds it founded.
#[test]
fn a_crash_while_founding() {
    for bad in BAD {
        let mut operations = 0;
        loop {
            let (new, disk) = (folder("founding"), bad(operations));
            let done = Archive::open(&new, disk.clone()).is_ok();
            assert_eq!(found(&new), (0, vec![]), "after {operations} operations");
            fs::remove_dir_all(&new).unwrap();
            if disk.history().len() as u64 <= operations {
                assert!(done);
                break;
            }
            operations += 1;
        }
        assert!(operations > 100, "{operations}");
    }
}
