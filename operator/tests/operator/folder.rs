//! The driver over a folder.

use crate::log::{Fresh, Log, ORIGIN, Person, at, fresh, key};
use dualseal::SystemRng;
use dualseal::Verified;
use dualseal::checkpoint::{Checkpoint, CheckpointVerifier, Pins};
use dualseal::key::Unprepared;
use dualseal::krunica::Checker;
use dualseal::mldsa::StatementKey;
use dualseal::secret::Secret;
use dualseal::tree::{TreeHash, holds_growth, holds_leaf};
use dualseal::vault::{Encryption, LedgerId, VaultMaster, VaultRecord, VaultSealer};
use dualseal_operator::disk::{self, Disk, Lost};
use dualseal_operator::folder::{Folder, FolderError, Place};
use dualseal_operator::opening::Refused;
use dualseal_operator::step::{Batch, Commit, MAX_MESSAGE, Step, StepError, ToSign};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn place(folder: &Path, log: &Log) -> Place {
    let (path, mark) = (folder.join("log"), folder.join("mark.json"));
    Place { path, mark, domain: log.domain.clone(), origin: ORIGIN.to_owned(), wait: Duration::from_secs(60) }
}

pub(crate) fn authority() -> dualseal::RingKey {
    Log::new().authority
}

pub(crate) fn act<T>(
    folder: &Folder,
    who: &Person,
    work: impl FnOnce(&mut Step<'_>) -> Result<T, StepError>,
) -> Result<T, FolderError> {
    let keys = |_: &ToSign| Some(who.key() as &dyn StatementKey);
    folder.step(at(0), &keys, work).map(|(done, _)| done)
}

/// A log with a key, a signature, a checkpoint, and an entry after it.
pub(crate) fn begun(name: &str) -> (Log, Person, Fresh) {
    let (path, log) = (fresh(&format!("folder {name}")), Log::new());
    let ana = log.person("ana");
    let folder = Folder::found(Disk::new(), place(&path, &log), authority()).unwrap();
    act(&folder, &ana, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    let contract = log.domain.content_hash(&ana.id, b"one contract");
    act(&folder, &ana, |step| step.sign(&ana.id, &contract)).unwrap();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(1), |signer| signer).unwrap();
    act(&folder, &ana, |step| step.append(&ana.id, "after")).unwrap();
    (log, ana, path)
}

/// Without it nobody can tell from which record a leaked fragment is.
#[test]
fn a_vault_record_is_kept_with_its_fragment() {
    let (log, ana, path) = begun("vault");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let master = VaultMaster::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let (ledger, mut stored) = (LedgerId::from_bytes([4; 32]), Vec::new());
    let held = folder.hold().unwrap();
    let state = held.state().clone().with_ledger(&ledger);
    let vault = VaultSealer::new(&master, &ana.id, ana.key());
    let sealing = vault.begin("CONTRACT", Encryption::None, &mut SystemRng, &mut stored).unwrap();
    let end = state.ledger(&ledger).unwrap();
    let unplaced = sealing.finish_unplaced(end, "", at(5), &mut SystemRng, &mut stored).unwrap();
    let mut batch = Batch::new(state);
    let made = batch.step(at(5), |step| step.vault(unplaced)).unwrap();
    held.finish(batch, &|_| None).unwrap();
    let kept = folder.read().unwrap().record(made.entry.seq()).unwrap().unwrap();
    assert!(VaultRecord::from_json(&kept).unwrap().fragment().is_some());
}

#[test]
fn a_folder_gives_its_entries_and_any_proof() {
    let (log, ana, path) = begun("reads");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    assert!(matches!(Folder::found(Disk::new(), place(&path, &log), authority()), Err(FolderError::Exists(_))));
    for number in 0..70 {
        act(&folder, &ana, |step| {
            (0..number % 3).try_for_each(|more| step.append(&ana.id, &format!("{number} {more}")).map(drop))?;
            step.append(&ana.id, &format!("{number}"))
        })
        .unwrap();
    }
    let reading = folder.read().unwrap();
    let size = reading.state().head().size();
    let entries: Vec<_> = reading.entries(0).unwrap().map(Result::unwrap).collect();
    assert_eq!(entries.len() as u64, size);
    let mut checker = Checker::new();
    let mut roots = vec![TreeHash::empty()];
    for entry in &entries {
        checker.push(entry).unwrap();
        roots.push(checker.head().root());
    }
    assert_eq!(checker.head(), reading.state().head());
    let root = checker.head().root();
    for (seq, entry) in (0..).zip(&entries) {
        assert_eq!(&reading.entries(seq).unwrap().next().unwrap().unwrap(), entry);
        let path = reading.prove_entry(size, seq).unwrap().unwrap();
        assert!(holds_leaf(&root, size, seq, &entry.leaf_hash(), &path));
        let growth = reading.prove_growth(seq, size).unwrap().unwrap();
        assert!(holds_growth(&roots[usize::try_from(seq).unwrap()], seq, &root, size, &growth));
    }
    assert!(reading.prove_entry(size, size).unwrap().is_none());
}

#[test]
fn every_edit_is_named() {
    fn refused(error: &FolderError) -> Option<&Refused> {
        match error {
            FolderError::Refused(refused) => Some(refused),
            _ => None,
        }
    }
    let cases: [(&str, Edit, Named); 17] = [
        (
            "state.jsonl",
            |file| swap(file, "\"size\":2", "\"size\":1"),
            |e| matches!(refused(e), Some(Refused::StateEdited)),
        ),
        (
            "state.jsonl",
            |file| swap_last(file, "\"size\":3", "\"size\":2"),
            |e| matches!(refused(e), Some(Refused::RingOfAnotherTime { ring: 2, state: 3 })),
        ),
        (
            "ring",
            |folder| swap(&only(folder), "istina", "laz"),
            |e| matches!(refused(e), Some(Refused::RingEdited | Refused::RingUnreadable(_))),
        ),
        (
            "ring",
            |folder| fs::remove_file(only(folder)).unwrap(),
            |e| matches!(refused(e), Some(Refused::RingUnreadable(_))),
        ),
        ("decoys.jsonl", |file| fs::write(file, "{}").unwrap(), |e| matches!(e, FolderError::Broken(_))),
        (
            "chain.jsonl",
            |file| cut(file, 1),
            |e| matches!(refused(e), Some(Refused::ChainCut { found: 2, expected: 3 })),
        ),
        (
            "chain.jsonl",
            |file| fs::write(file, fs::read_to_string(file).unwrap().split_inclusive('\n').next().unwrap()).unwrap(),
            |e| matches!(refused(e), Some(Refused::ChainCut { found: 1, expected: 3 })),
        ),
        (
            "chain.jsonl",
            |file| fs::write(file, "").unwrap(),
            |e| matches!(refused(e), Some(Refused::ChainCut { found: 0, expected: 3 })),
        ),
        (
            "chain.jsonl",
            |file| fs::write(file, fs::read_to_string(file).unwrap().repeat(2)).unwrap(),
            |e| matches!(refused(e), Some(Refused::ChainLonger { found: 6, expected: 3 })),
        ),
        (
            "chain.jsonl",
            |file| swap(file, "after", "other"),
            |e| matches!(refused(e), Some(Refused::ChainOther { size: 3 })),
        ),
        ("chain.index", |file| cut(file, 16), |e| matches!(e, FolderError::Broken(_))),
        (
            "chain.index",
            |file| fs::remove_file(file).unwrap(),
            |e| matches!(refused(e), Some(Refused::ChainCut { found: 0, expected: 3 })),
        ),
        ("chain.tree", |file| cut(file, 32), |e| matches!(e, FolderError::Broken(_))),
        (
            "checkpoint.json",
            |file| fs::remove_file(file).unwrap(),
            |e| matches!(refused(e), Some(Refused::CheckpointMissing { size: 2 })),
        ),
        (
            "checkpoint.json",
            |file| swap(file, "09:00:01", "09:00:02"),
            |e| matches!(refused(e), Some(Refused::CheckpointOther)),
        ),
        ("../mark.json", |file| fs::remove_file(file).unwrap(), |e| matches!(refused(e), Some(Refused::MarkMissing))),
        (
            "../mark.json",
            |file| swap(file, "\"revision\":1", "\"revision\":2"),
            |e| matches!(refused(e), Some(Refused::MarkEdited)),
        ),
    ];
    for (number, (name, edit, is_named)) in cases.into_iter().enumerate() {
        let (log, ana, path) = begun(&format!("edit {number}"));
        edit(&path.join("log").join(name));
        let folder = Folder::new(Disk::new(), place(&path, &log), authority());
        let error = act(&folder, &ana, |step| step.append(&ana.id, "more")).expect_err(name);
        assert!(is_named(&error), "{number} {name}: {error:?}");
        assert!(error.commit() == Commit::Not && !error.advice().is_empty());
    }
}

/// What somebody does to a file, and how that is named.
type Edit = fn(&Path);
type Named = fn(&FolderError) -> bool;

fn swap(file: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(old), "{text}");
    fs::write(file, text.replacen(old, new, 1)).unwrap();
}

fn swap_last(file: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(file).unwrap();
    let (before, after) = text.rsplit_once(old).unwrap();
    fs::write(file, [before, new, after].concat()).unwrap();
}

fn cut(file: &Path, bytes: u64) {
    let file = fs::OpenOptions::new().write(true).open(file).unwrap();
    file.set_len(file.metadata().unwrap().len() - bytes).unwrap();
}

fn only(folder: &Path) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap();
    files.next().unwrap().unwrap().path()
}

/// What a handle keeps of the folder does not outlive what others do to it.
#[test]
fn two_handles_go_on_from_each_other() {
    let (log, ana, path) = begun("two handles");
    let [one, two] = [(); 2].map(|()| Folder::new(Disk::new(), place(&path, &log), authority()));
    for round in 0..5 {
        for folder in [&one, &two] {
            act(folder, &ana, |step| step.append(&ana.id, &format!("round {round}"))).unwrap();
        }
    }
    act(&one, &ana, |step| step.rotate(&ana.id, key("ana", 1).public_key())).unwrap();
    let contract = log.domain.content_hash(&ana.id, b"another");
    let stale = act(&two, &ana, |step| step.sign(&ana.id, &contract));
    assert!(matches!(stale, Err(FolderError::Step(_))), "{stale:?}");
    assert_eq!(two.read().unwrap().state().head().size(), 14);
}

/// The whole folder of an earlier day is put back; the mark is elsewhere.
#[test]
fn a_restored_folder_signs_no_fork() {
    let (log, ana, path) = begun("restored");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let copy = path.join("copy");
    copy_all(&path.join("log"), &copy);
    act(&folder, &ana, |step| step.append(&ana.id, "later")).unwrap();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    fs::remove_dir_all(path.join("log")).unwrap();
    copy_all(&copy, &path.join("log"));
    for folder in [&folder, &Folder::new(Disk::new(), place(&path, &log), authority())] {
        let error = folder.hold().expect_err("it is an old one");
        assert!(matches!(error, FolderError::Refused(Refused::Restored { signed: 4, found: 3 })), "{error:?}");
    }
}

pub(crate) fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() { copy_all(&entry.path(), &to) } else { fs::copy(entry.path(), to).map(drop).unwrap() }
    }
}

/// What is done to a log, on a disk that may fail.
type Work<'a> = &'a dyn Fn(&Folder) -> Result<(), FolderError>;

/// A disk that is bad from an operation on.
type Bad = fn(u64) -> Disk;

/// At every operation of every kind of change: what is there afterwards is the state before it or the one after it.
#[test]
fn no_failure_and_no_loss_of_power_leaves_half_a_step() {
    let (log, ana, path) = begun("power");
    let contract = log.domain.content_hash(&ana.id, b"another");
    let rotated = Person { id: ana.id, keys: vec![key("ana", 1)] };
    let sign: Work<'_> = &|folder| act(folder, &ana, |step| step.sign(&ana.id, &contract)).map(drop);
    let rotate: Work<'_> = &|folder| {
        act(folder, &rotated, |step| {
            step.rotate(&ana.id, rotated.key().public_key())?;
            step.sign(&ana.id, &contract)
        })
        .map(drop)
    };
    let checkpoint: Work<'_> =
        &|folder| folder.hold()?.checkpoint(&ana.id, ana.key(), at(9), |signer| signer).map(drop);
    let sound = path.join("sound");
    copy_all(&path.join("log"), &sound);
    fs::copy(path.join("mark.json"), path.join("sound mark")).unwrap();
    let disks: [Bad; 3] =
        [Disk::failing_at, |at| Disk::stopping_at(at, Lost::Everything), |at| Disk::stopping_at(at, Lost::Nothing)];
    let (mut before, mut after) = (0, 0);
    for work in [sign, rotate, checkpoint] {
        for disk in disks {
            for operation in 0.. {
                fs::remove_dir_all(path.join("log")).unwrap();
                copy_all(&sound, &path.join("log"));
                fs::copy(path.join("sound mark"), path.join("mark.json")).unwrap();
                let folder = Folder::new(disk(operation), place(&path, &log), authority());
                let failed = work(&folder);
                let told = failed.as_ref().err().map(FolderError::commit);
                // The next one finds what it was or what it is, and goes on.
                let again = Folder::new(Disk::new(), place(&path, &log), authority());
                let (size, last) = {
                    let held = again.hold().unwrap();
                    (held.state().head().size(), held.state().last().unwrap().size)
                };
                let happened = size > 3 || last > 2;
                match told {
                    None | Some(Commit::Done) => assert!(happened, "{operation}"),
                    Some(Commit::Not) => assert!(!happened, "{operation}: {failed:?}"),
                    Some(Commit::Unknown) => {}
                }
                let reading = again.read().unwrap();
                assert_eq!(reading.entries(0).unwrap().map(Result::unwrap).count() as u64, size);
                drop(reading);
                let signer = if happened && size == 5 { &rotated } else { &ana };
                act(&again, signer, |step| step.sign(&ana.id, &contract)).unwrap();
                let held = again.hold().unwrap();
                held.checkpoint(&ana.id, signer.key(), at(10), |signer| signer).unwrap();
                *if happened { &mut after } else { &mut before } += 1;
                if failed.is_ok() {
                    break;
                }
            }
        }
    }
    assert!(before > 100 && after > 20, "{before} {after}");
}

/// A checkpoint leaves the head where it is: what was begun before it is stale all the same.
#[test]
fn a_state_from_before_a_checkpoint_writes_nothing() {
    let (log, ana, path) = begun("stale state");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let stale = folder.read().unwrap().state().clone();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    let keys = |_: &ToSign| Some(ana.key() as &dyn StatementKey);
    let mut batch = Batch::new(stale.clone());
    batch.step(at(3), |step| step.append(&ana.id, "stale")).unwrap();
    let refused = folder.hold().unwrap().finish(batch, &keys);
    assert!(matches!(refused, Err(FolderError::Step(_))), "{refused:?}");
    // Nor is another state taken for that of the changes.
    let held = folder.hold().unwrap();
    let (_, changes) = Batch::new(held.state().clone()).place().0.finish([]).unwrap();
    assert!(held.commit(stale, &changes, |_| Ok(())).is_err());
    for folder in [&folder, &Folder::new(Disk::new(), place(&path, &log), authority())] {
        assert_eq!(folder.hold().unwrap().state().last().unwrap().size, 3);
    }
}

/// Two copies of a folder have one mark: the second that would sign is refused, however late it looked.
#[test]
fn a_second_copy_signs_nothing() {
    let (log, ana, path) = begun("second copy");
    copy_all(&path.join("log"), &path.join("copy"));
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let copy = Place { path: path.join("copy"), ..place(&path, &log) };
    let copy = Folder::new(Disk::new(), copy, authority());
    for (folder, message) in [(&folder, "one"), (&copy, "two")] {
        act(folder, &ana, |step| step.append(&ana.id, message)).unwrap();
    }
    let (held, late) = (folder.hold().unwrap(), copy.hold().unwrap());
    held.checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    let refused = late.checkpoint(&ana.id, ana.key(), at(2), |signer| signer);
    assert!(matches!(refused, Err(FolderError::Refused(Refused::MarkMoved))), "{refused:?}");
    assert!(matches!(copy.hold(), Err(FolderError::Refused(Refused::Restored { .. }))));
}

/// What a store could not read again is not written.
#[test]
fn what_is_too_long_is_refused_before_it_is_written() {
    let (log, ana, path) = begun("long");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let long = "x".repeat(MAX_MESSAGE);
    act(&folder, &ana, |step| step.append(&ana.id, &long)).unwrap();
    let refused = act(&folder, &ana, |step| step.append(&ana.id, &(long.clone() + "x")));
    assert!(matches!(refused, Err(FolderError::Step(StepError::TooLong))), "{refused:?}");
    let again = Folder::new(Disk::new(), place(&path, &log), authority());
    assert_eq!(again.read().unwrap().entries(3).unwrap().next().unwrap().unwrap().message().len(), MAX_MESSAGE);
}

/// Somebody appends to a file behind the back of a handle that has it open: nothing is written behind that.
#[test]
fn a_warm_handle_sees_what_somebody_else_appended() {
    for name in ["chain.jsonl", "records.jsonl", "decoys.jsonl"] {
        let (log, ana, path) = begun(&format!("appended {name}"));
        let folder = Folder::new(Disk::new(), place(&path, &log), authority());
        act(&folder, &ana, |step| step.append(&ana.id, "warm")).unwrap();
        let file = path.join("log").join(name);
        let was = fs::read(&file).unwrap();
        fs::write(&file, [was.as_slice(), b"{}\n"].concat()).unwrap();
        let refused = act(&folder, &ana, |step| step.append(&ana.id, "more"));
        // Of the records the state says nothing: new ones are found behind what somebody wrote there, and an audit
        // names it.
        assert_eq!(refused.is_err(), name != "records.jsonl", "{name}: {refused:?}");
        assert!(folder.audit().is_err(), "{name}");
    }
}

/// Whoever may write to the folder gives another file, of which its owner knows nothing, a name in it.
#[test]
fn no_step_writes_through_a_hard_link() {
    let (log, ana, path) = begun("hard links");
    let folder = || Folder::new(Disk::new(), place(&path, &log), authority());
    for name in ["chain.jsonl", "chain.index", "chain.tree", "records.jsonl", "state.jsonl", "../mark.json"] {
        let (file, other) = (path.join("log").join(name), path.join("other name"));
        let was = fs::read(&file).unwrap();
        fs::hard_link(&file, &other).unwrap();
        let content = log.domain.content_hash(&ana.id, name.as_bytes());
        let signed = act(&folder(), &ana, |step| step.sign(&ana.id, &content));
        match &signed {
            // A new file takes the place of the old one.
            Ok(_) => assert!(["state.jsonl", "../mark.json"].contains(&name), "{name}"),
            Err(FolderError::Disk(error)) => assert_eq!(error.refused(), Some(disk::Refused::Linked), "{name}"),
            Err(error) => panic!("{name}: {error:?}"),
        }
        assert_eq!(signed.is_err(), !["state.jsonl", "../mark.json"].contains(&name), "{name}");
        folder().hold().unwrap().checkpoint(&ana.id, ana.key(), at(9), |signer| signer).unwrap();
        assert_eq!(fs::read(&other).unwrap(), was, "{name}");
        fs::remove_file(&other).unwrap();
    }
    act(&folder(), &ana, |step| step.append(&ana.id, "on")).unwrap();
    folder().audit().unwrap();
}

/// An index that was edited gives no other entry's record, and no record is taken away unseen.
#[test]
fn a_record_is_that_of_its_entry_or_none() {
    let (log, ana, path) = begun("records");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    for number in 0..3_u8 {
        let content = log.domain.content_hash(&ana.id, &[number]);
        act(&folder, &ana, |step| step.sign(&ana.id, &content)).unwrap();
    }
    // Entries 1, 3, 4 and 5 have one.
    let index = path.join("log/chain.index");
    let sound = fs::read(&index).unwrap();
    let mut swapped = sound.clone();
    swapped.copy_within(3 * 16 + 8..4 * 16, 4 * 16 + 8);
    fs::write(&index, swapped).unwrap();
    let again = || Folder::new(Disk::new(), place(&path, &log), authority());
    let other = again().read().unwrap().record(4);
    assert!(matches!(other, Err(FolderError::Broken(_))), "{other:?}");
    assert!(again().audit().is_err());
    // All of them taken away, and the index with them.
    let mut emptied = sound.clone();
    emptied.chunks_mut(16).for_each(|place| place[8..].fill(0xff));
    fs::write(&index, emptied).unwrap();
    fs::write(path.join("log/records.jsonl"), "").unwrap();
    let taken = again().read().unwrap().record(4);
    assert!(matches!(taken, Err(FolderError::Broken(_))), "{taken:?}");
    assert!(again().read().unwrap().record(2).unwrap().is_none());
    assert!(again().audit().is_err());
}

/// As some programs copy it: without what is empty.
#[test]
fn a_lost_file_is_not_made_anew() {
    for name in ["records.jsonl", "decoys.jsonl"] {
        let (log, ana, path) = begun(&format!("lost {name}"));
        let folder = Folder::new(Disk::new(), place(&path, &log), authority());
        fs::remove_file(path.join("log").join(name)).unwrap();
        for folder in [&folder, &Folder::new(Disk::new(), place(&path, &log), authority())] {
            let refused = act(folder, &ana, |step| step.append(&ana.id, "more"));
            assert!(matches!(refused, Err(FolderError::Missing(_))), "{name}: {refused:?}");
        }
    }
}

/// A backup of the folder would bring it back.
#[test]
fn a_mark_within_the_folder_is_refused() {
    let (path, log) = (fresh("folder mark within"), Log::new());
    for mark in ["log/mark.json", "log/../log/mark.json"] {
        let within = Place { mark: path.join(mark), ..place(&path, &log) };
        fs::create_dir_all(path.join("log")).unwrap();
        let refused = Folder::found(Disk::new(), within, authority());
        assert!(matches!(refused, Err(FolderError::MarkWithin(_))), "{mark}: {refused:?}");
    }
    assert!(Folder::found(Disk::new(), place(&path, &log), authority()).is_ok());
}

#[cfg(unix)]
#[test]
fn what_is_for_the_owner_alone_is_so_in_every_folder() {
    use std::os::unix::fs::PermissionsExt;
    let (path, log) = (fresh("folder open"), Log::new());
    fs::create_dir(path.join("log")).unwrap();
    fs::set_permissions(path.join("log"), fs::Permissions::from_mode(0o755)).unwrap();
    Folder::found(Disk::new(), place(&path, &log), authority()).unwrap();
    for name in ["records.jsonl", "decoys.jsonl", "secrets.list", "state.jsonl"] {
        let mode = fs::metadata(path.join("log").join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
}

/// The checkpoint that a follower has of it.
pub(crate) fn seen(log: &Log, folder: &Path) -> Verified<Checkpoint> {
    let checkpoint = Checkpoint::from_json(&fs::read(folder.join("log/checkpoint.json")).unwrap()).unwrap();
    let pins = Pins {
        origin: ORIGIN.to_owned(),
        identity_id: *checkpoint.identity_id(),
        key_hash: *checkpoint.public_key().hash(),
        least_size: 0,
    };
    CheckpointVerifier::new(&log.domain, &pins, None, &Unprepared).verify(checkpoint).valid().unwrap()
}

#[test]
fn a_lost_mark_is_made_anew_from_what_others_have_seen() {
    let (log, ana, path) = begun("lost mark");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let old = seen(&log, &path);
    copy_all(&path.join("log"), &path.join("backup"));
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    let newest = seen(&log, &path);
    fs::remove_file(path.join("mark.json")).unwrap();
    assert!(matches!(folder.hold(), Err(FolderError::Refused(Refused::MarkMissing))));
    let older = folder.renew_mark(&old);
    assert!(matches!(older, Err(FolderError::Refused(Refused::MarkOther { mark: 2, checkpoint: 3 }))), "{older:?}");
    folder.renew_mark(&newest).unwrap();
    act(&folder, &ana, |step| step.append(&ana.id, "on")).unwrap();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(3), |signer| signer).unwrap();
    let last = seen(&log, &path);
    // A folder that was restored gets none from what was signed after it.
    fs::remove_file(path.join("mark.json")).unwrap();
    fs::remove_dir_all(path.join("log")).unwrap();
    copy_all(&path.join("backup"), &path.join("log"));
    let refused = folder.renew_mark(&last);
    assert!(matches!(refused, Err(FolderError::Refused(Refused::Restored { signed: 4, found: 3 }))), "{refused:?}");
}

#[test]
fn an_audit_reads_everything_and_names_what_was_edited_in_the_middle() {
    let (log, ana, path) = begun("audit");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    for number in 0..20_u8 {
        let content = log.domain.content_hash(&ana.id, &[number]);
        act(&folder, &ana, |step| {
            step.append(&ana.id, "between")?;
            step.sign(&ana.id, &content)
        })
        .unwrap();
    }
    let audited = folder.audit().unwrap();
    assert_eq!((audited.entries, audited.records, audited.vault_records), (43, 21, 0));
    copy_all(&path.join("log"), &path.join("sound"));
    let flip = |file: &Path, at: usize| {
        let mut bytes = fs::read(file).unwrap();
        bytes[at] ^= 1;
        fs::write(file, bytes).unwrap();
    };
    let length = |name: &str| fs::read(path.join("sound").join(name)).unwrap().len();
    let records = fs::read_to_string(path.join("log/records.jsonl")).unwrap();
    let bound = ["krunica_hash", "identity_id", "javni_kljuc", "sadrzaj_hash"];
    let bound = bound.map(|member| records.rfind(&format!("\"{member}\":\"")).unwrap() + member.len() + 10);
    for name in ["chain.jsonl", "chain.index", "chain.tree", "records.jsonl"] {
        for part in 1..8 {
            fs::remove_dir_all(path.join("log")).unwrap();
            copy_all(&path.join("sound"), &path.join("log"));
            // Of a record all that its entry binds; whether the signature holds is its verifier's question.
            let at = if name == "records.jsonl" { bound[part % 4] } else { length(name) * part / 9 };
            flip(&path.join("log").join(name), at);
            let again = Folder::new(Disk::new(), place(&path, &log), authority());
            // It opens, since no entry is read for that, and few nodes are.
            match again.hold() {
                Err(FolderError::Refused(Refused::TreeEdited)) => assert_eq!(name, "chain.tree"),
                opened => drop(opened.unwrap()),
            }
            let error = again.audit().expect_err(name);
            assert!(error.commit() == Commit::Not, "{name} {part}: {error:?}");
        }
    }
}

/// What a handle remembers is no evidence of what is on the disk.
#[test]
fn an_audit_takes_nothing_from_what_its_handle_remembers() {
    let edits: [fn(&Path); 2] = [|file| fs::remove_file(file).unwrap(), |file| swap(file, "09:00:01", "09:00:02")];
    for edit in edits {
        let (log, _, path) = begun("audit warm");
        let folder = Folder::new(Disk::new(), place(&path, &log), authority());
        folder.audit().unwrap();
        edit(&path.join("log/checkpoint.json"));
        let named = folder.audit();
        assert!(
            matches!(
                named,
                Err(FolderError::Refused(Refused::CheckpointMissing { size: 2 } | Refused::CheckpointOther))
            ),
            "{named:?}"
        );
    }
}
