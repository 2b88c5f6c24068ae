//! The signer's mark of a folder, from its founding on.

use crate::folder::{act, authority, begun, copy_all, place, seen};
use crate::log::{Log, ORIGIN, at, fresh};
use dualseal::checkpoint::{Checkpoint, HighWaterMark};
use dualseal::store::{LastCheckpoint, mark_to_json};
use dualseal::{KeyState, RingKey, SystemRng};
use dualseal_operator::disk::{Disk, Hold, Lost, Readers};
use dualseal_operator::folder::{Folder, FolderError, Place};
use dualseal_operator::opening::Refused;
use dualseal_operator::step::{Batch, Commit};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

fn refused(error: FolderError) -> Refused {
    match error {
        FolderError::Refused(refused) => refused,
        error => panic!("{error:?}"),
    }
}

/// No crash leaves a log that nobody can open, nor one without a mark.
#[test]
fn a_log_is_founded_with_its_mark_or_not_at_all() {
    let (path, log) = (fresh("mark founded"), Log::new());
    let disks: [fn(u64) -> Disk; 3] =
        [Disk::failing_at, |at| Disk::stopping_at(at, Lost::Everything), |at| Disk::stopping_at(at, Lost::Nothing)];
    let (mut found, mut again) = (0, 0);
    for disk in disks {
        for operation in 0.. {
            let _ = fs::remove_dir_all(path.join("log"));
            let _ = fs::remove_file(path.join("mark.json"));
            let failed = Folder::found(disk(operation), place(&path, &log), authority());
            let is_sound = failed.is_ok();
            if path.join("log/state.jsonl").exists() || path.join("log/journal").exists() {
                assert_ne!(failed.err().map(|error| error.commit()), Some(Commit::Not), "{operation}");
                found += 1;
            } else {
                Folder::found(Disk::new(), place(&path, &log), authority()).unwrap();
                again += 1;
            }
            let folder = Folder::new(Disk::new(), place(&path, &log), authority());
            assert_eq!(folder.read().unwrap().state().head().size(), 0, "{operation}");
            assert!(path.join("mark.json").exists() && !path.join("log/founding.json").exists(), "{operation}");
            folder.audit().unwrap();
            if is_sound {
                break;
            }
        }
    }
    assert!(found > 10 && again > 30, "{found} {again}");
}

/// From the beginning on: without it nothing tells whether the folder is an old one.
#[test]
fn a_log_without_its_mark_is_not_opened() {
    let (path, log) = (fresh("mark gone"), Log::new());
    let folder = Folder::found(Disk::new(), place(&path, &log), authority()).unwrap();
    assert!(folder.hold().is_ok());
    fs::remove_file(path.join("mark.json")).unwrap();
    for folder in [&folder, &Folder::new(Disk::new(), place(&path, &log), authority())] {
        assert!(matches!(refused(folder.hold().unwrap_err()), Refused::MarkMissing));
    }
    // Nor is another log founded over one that is there.
    let other = Place { path: path.join("other"), ..place(&path, &log) };
    assert!(Folder::found(Disk::new(), other.clone(), authority()).is_ok());
    let third = Place { path: path.join("third"), ..other };
    let exists = Folder::found(Disk::new(), third, authority());
    assert!(matches!(exists, Err(FolderError::MarkThere(there)) if there == path.join("mark.json")));
}

/// No checkpoint was signed since, and yet the key that was called back is not valid again.
#[test]
fn an_old_copy_does_not_undo_a_revocation() {
    let (log, ana, path) = begun("undone");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    copy_all(&path.join("log"), &path.join("copy"));
    act(&folder, &ana, |step| step.set_state(&ana.id, None, KeyState::Revoked)).unwrap();
    fs::remove_dir_all(path.join("log")).unwrap();
    copy_all(&path.join("copy"), &path.join("log"));
    for folder in [&folder, &Folder::new(Disk::new(), place(&path, &log), authority())] {
        assert!(matches!(refused(folder.hold().unwrap_err()), Refused::Restored { signed: 4, found: 3 }));
    }
}

/// It went on while nobody had raised the mark yet, so that it is longer than what the mark is of.
#[test]
fn an_old_copy_that_went_on_is_known_by_its_ring() {
    let (log, ana, path) = begun("went on");
    copy_all(&path.join("log"), &path.join("copy"));
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let copy = Place { path: path.join("copy"), ..place(&path, &log) };
    let copy = || Folder::new(Disk::new(), copy.clone(), authority());
    for message in ["one", "two", "three"] {
        act(&copy(), &ana, |step| step.append(&ana.id, message)).unwrap();
    }
    act(&folder, &ana, |step| step.set_state(&ana.id, None, KeyState::Revoked)).unwrap();
    assert!(matches!(refused(copy().hold().unwrap_err()), Refused::RingRestored { marked: 2, found: 1 }));
}

/// It is longer than what was signed, with the ring that was signed: the log's tree tells.
#[test]
fn a_second_copy_that_grew_past_the_mark_is_told_at_opening() {
    let (log, ana, path) = begun("past the mark");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    copy_all(&path.join("log"), &path.join("copy"));
    let copy = Place { path: path.join("copy"), ..place(&path, &log) };
    let copy = || Folder::new(Disk::new(), copy.clone(), authority());
    for message in ["one", "two", "three"] {
        act(&copy(), &ana, |step| step.append(&ana.id, message)).unwrap();
    }
    act(&folder, &ana, |step| step.append(&ana.id, "another")).unwrap();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    assert!(matches!(refused(copy().hold().unwrap_err()), Refused::NotGrown { signed: 4, found: 6 }));
    act(&folder, &ana, |step| step.append(&ana.id, "on")).unwrap();
    assert!(Folder::new(Disk::new(), place(&path, &log), authority()).hold().is_ok());
    // The nodes that tell it cannot be those of another tree.
    let tree = path.join("log/chain.tree");
    let mut nodes = fs::read(&tree).unwrap();
    // Five leaves have eight nodes: the last is the leaf that is behind the mark.
    nodes[7 * 32] ^= 1;
    fs::write(&tree, nodes).unwrap();
    let again = Folder::new(Disk::new(), place(&path, &log), authority());
    assert!(matches!(refused(again.hold().unwrap_err()), Refused::TreeEdited));
}

/// And the mark that tells it is not made anew from what both have.
#[test]
fn a_second_copy_gets_no_mark_of_its_own() {
    let (log, ana, path) = begun("no mark of its own");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    copy_all(&path.join("log"), &path.join("copy"));
    let copy = Folder::new(Disk::new(), Place { path: path.join("copy"), ..place(&path, &log) }, authority());
    for message in ["one", "two"] {
        act(&copy, &ana, |step| step.append(&ana.id, message)).unwrap();
    }
    let before = seen(&log, &path);
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    act(&folder, &ana, |step| step.append(&ana.id, "another")).unwrap();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(3), |signer| signer).unwrap();
    let mark = fs::read(path.join("mark.json")).unwrap();
    assert!(matches!(refused(copy.renew_mark(&before).unwrap_err()), Refused::NotGrown { signed: 4, found: 5 }));
    assert_eq!(fs::read(path.join("mark.json")).unwrap(), mark);
}

/// Of a log that never had a checkpoint nobody else has one: its owner alone can say that nothing was signed.
#[test]
fn a_mark_that_was_lost_before_any_checkpoint_is_made_anew_by_its_owner_alone() {
    let (path, log) = (fresh("mark lost unsigned"), Log::new());
    let (ana, mark) = (log.person("ana"), path.join("mark.json"));
    let folder = Folder::found(Disk::new(), place(&path, &log), authority()).unwrap();
    act(&folder, &ana, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    copy_all(&path.join("log"), &path.join("copy"));
    act(&folder, &ana, |step| step.append(&ana.id, "one")).unwrap();
    fs::remove_file(&mark).unwrap();
    assert!(matches!(refused(folder.hold().unwrap_err()), Refused::MarkMissing));
    folder.renew_unsigned_mark().unwrap();
    assert_eq!(folder.hold().unwrap().state().head().size(), 2);
    // It is of where the log was, so that a copy from before is known again.
    let copy = Folder::new(Disk::new(), Place { path: path.join("copy"), ..place(&path, &log) }, authority());
    let made = fs::read(&mark).unwrap();
    assert!(matches!(refused(copy.hold().unwrap_err()), Refused::Restored { signed: 2, found: 1 }));
    assert!(matches!(refused(copy.renew_unsigned_mark().unwrap_err()), Refused::Restored { signed: 2, found: 1 }));
    assert_eq!(fs::read(&mark).unwrap(), made);
    // Once something was signed, that is what it is made anew from.
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    fs::remove_file(&mark).unwrap();
    let known = refused(folder.renew_unsigned_mark().unwrap_err());
    assert!(matches!(known, Refused::MarkOther { mark: 0, checkpoint: 2 }), "{known:?}");
    fs::remove_file(path.join("log/checkpoint.json")).unwrap();
    assert!(matches!(refused(folder.renew_unsigned_mark().unwrap_err()), Refused::CheckpointMissing { size: 2 }));
    assert!(!mark.exists());
}

/// It looked before the other one raised the mark.
#[test]
fn a_second_copy_that_changes_its_ring_is_told() {
    let (log, ana, path) = begun("raised twice");
    copy_all(&path.join("log"), &path.join("copy"));
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let copy = Folder::new(Disk::new(), Place { path: path.join("copy"), ..place(&path, &log) }, authority());
    let late = copy.hold().unwrap();
    act(&folder, &ana, |step| step.set_state(&ana.id, None, KeyState::Revoked)).unwrap();
    let mut batch = Batch::new(late.state().clone());
    batch.step(at(3), |step| step.set_state(&ana.id, None, KeyState::Suspended)).unwrap();
    let told = late.finish(batch, &|_| None).unwrap_err();
    assert!(matches!(&told, FolderError::NotRaised(_)), "{told:?}");
    assert_eq!((told.commit(), told.name()), (Commit::Done, "not-raised"));
    // What it wrote is there, and goes no further.
    assert!(matches!(refused(copy.hold().unwrap_err()), Refused::Restored { .. }));
}

/// Whoever replaces the mark keeps others from looking at it meanwhile.
#[test]
fn the_mark_is_replaced_by_one_at_a_time() {
    let (log, ana, path) = begun("one at a time");
    let hurried = Place { wait: Duration::from_millis(50), ..place(&path, &log) };
    let folder = Folder::new(Disk::new(), hurried, authority());
    let mark = fs::read(path.join("mark.json")).unwrap();
    let other = Disk::new().lock_beside(&path.join("mark.json"), Duration::ZERO).unwrap();
    let busy = folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer);
    assert!(matches!(&busy, Err(FolderError::Disk(_))), "{busy:?}");
    assert_eq!(fs::read(path.join("mark.json")).unwrap(), mark);
    drop(other);
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
}

/// As a program does that keeps files of its own in the folder.
#[test]
fn a_lock_that_its_caller_has_serves() {
    let (path, log) = (fresh("mark lock"), Log::new());
    let (disk, place) = (Disk::new(), place(&path, &log));
    disk.make_folder(&place.path, Readers::Owner).unwrap();
    let lock = Arc::new(disk.lock(&place.path, Hold::Exclusive, Duration::ZERO).unwrap());
    let folder = Folder::found_under(&lock, place.clone(), authority(), |change| {
        Ok(change.file("about.json", Readers::All, b"{}\n")?)
    });
    let folder = folder.unwrap();
    assert_eq!(fs::read(place.path.join("about.json")).unwrap(), b"{}\n");
    assert_eq!(folder.hold_under(&lock).unwrap().state().head().size(), 0);
    assert_eq!(folder.read_under(&lock).unwrap().state().head().size(), 0);
    drop(lock);
    let reading = Arc::new(disk.lock(&place.path, Hold::Shared, Duration::ZERO).unwrap());
    assert!(folder.read_under(&reading).is_ok());
    assert_eq!(folder.audit_under(&reading).unwrap().entries, 0);
    assert_eq!(Folder::ring_file(&reading).unwrap().revision(), 0);
    assert_eq!(*Folder::unchecked_state(&reading).unwrap().head(), dualseal::Head::EMPTY);
    assert!(matches!(folder.hold_under(&reading), Err(FolderError::OtherLock(_))));
    drop(reading);
    disk.make_folder(&path.join("elsewhere"), Readers::Owner).unwrap();
    let elsewhere = Arc::new(disk.lock(&path.join("elsewhere"), Hold::Exclusive, Duration::ZERO).unwrap());
    assert!(matches!(folder.hold_under(&elsewhere), Err(FolderError::OtherLock(_))));
    assert!(matches!(folder.read_under(&elsewhere), Err(FolderError::OtherLock(_))));
    assert!(matches!(folder.audit_under(&elsewhere), Err(FolderError::OtherLock(_))));
}

/// A copy in which the founding has not ended gives no first mark to a log that went on: under it every old copy of the
/// folder would open.
#[test]
fn a_log_that_went_on_is_not_founded_again() {
    let (path, log) = (fresh("mark founded again"), Log::new());
    let (folder, place) = (|disk| Folder::new(disk, place(&path, &log), authority()), place(&path, &log));
    let founding = path.join("log/founding.json");
    let first = (0..).find_map(|operation| {
        let _ = fs::remove_dir_all(path.join("log"));
        let _ = fs::remove_file(path.join("mark.json"));
        let disk = Disk::stopping_at(operation, Lost::Nothing);
        let _ = Folder::found(disk, place.clone(), authority());
        fs::read(&founding).ok()
    });
    let ana = log.person("ana");
    act(&folder(Disk::new()), &ana, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    fs::remove_file(path.join("mark.json")).unwrap();
    fs::write(&founding, first.unwrap()).unwrap();
    assert!(matches!(refused(folder(Disk::new()).hold().unwrap_err()), Refused::MarkMissing));
    assert!(!path.join("mark.json").exists());
}

/// Two copies may end it at once: the second would lower a mark that the first has raised meanwhile.
#[test]
fn a_founding_ends_under_the_lock_of_its_mark() {
    let (path, log) = (fresh("mark founded locked"), Log::new());
    let hurried = Place { wait: Duration::from_millis(50), ..place(&path, &log) };
    let other = Disk::new().lock_beside(&path.join("mark.json"), Duration::ZERO).unwrap();
    let busy = Folder::found(Disk::new(), hurried.clone(), authority());
    assert!(matches!(&busy, Err(FolderError::NotRaised(_))), "{busy:?}");
    assert!(!path.join("mark.json").exists());
    drop(other);
    assert!(Folder::new(Disk::new(), hurried, authority()).hold().is_ok());
}

/// The mark that is there says more than any checkpoint that somebody shows for it.
#[test]
fn a_mark_that_holds_is_not_lowered() {
    let (log, ana, path) = begun("lowered");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    copy_all(&path.join("log"), &path.join("copy"));
    let old = seen(&log, &path);
    folder.renew_mark(&old).unwrap();
    act(&folder, &ana, |step| step.append(&ana.id, "later")).unwrap();
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    let mark = fs::read(path.join("mark.json")).unwrap();
    fs::remove_dir_all(path.join("log")).unwrap();
    copy_all(&path.join("copy"), &path.join("log"));
    assert!(matches!(refused(folder.renew_mark(&old).unwrap_err()), Refused::Restored { signed: 4, found: 3 }));
    assert_eq!(fs::read(path.join("mark.json")).unwrap(), mark);
}

/// Nor is one that the disk did not give out once.
#[test]
fn a_mark_that_cannot_be_read_is_not_lowered() {
    let (log, ana, path) = begun("lowered unread");
    copy_all(&path.join("log"), &path.join("copy"));
    let (old, place) = (seen(&log, &path), place(&path, &log));
    let folder = Folder::new(Disk::new(), place.clone(), authority());
    act(&folder, &ana, |step| step.set_state(&ana.id, None, KeyState::Revoked)).unwrap();
    let mark = fs::read(path.join("mark.json")).unwrap();
    fs::remove_dir_all(path.join("log")).unwrap();
    copy_all(&path.join("copy"), &path.join("log"));
    for operation in 0.. {
        let disk = Disk::failing_at(operation);
        let error = Folder::new(disk.clone(), place.clone(), authority()).renew_mark(&old).unwrap_err();
        assert!(fs::read(path.join("mark.json")).unwrap() == mark, "{operation}: {:?}", disk.history().last());
        if disk.history().len() as u64 <= operation {
            assert!(matches!(refused(error), Refused::Restored { signed: 4, found: 3 }));
            break;
        }
    }
}

/// Under a lock that lasts, the next one finds a change that the disk did not finish as whoever locks the folder does.
#[test]
fn what_was_not_finished_is_finished_under_its_callers_lock() {
    let (log, ana, path) = begun("unfinished");
    let (sound, mark) = (path.join("sound"), path.join("mark.json"));
    copy_all(&path.join("log"), &sound);
    let sound_mark = fs::read(&mark).unwrap();
    let mut unfinished = 0;
    for operation in 0.. {
        fs::remove_dir_all(path.join("log")).unwrap();
        copy_all(&sound, &path.join("log"));
        fs::write(&mark, &sound_mark).unwrap();
        let (disk, place) = (Disk::failing_at(operation), place(&path, &log));
        let Ok(lock) = disk.lock(&place.path, Hold::Exclusive, Duration::ZERO).map(Arc::new) else { continue };
        let folder = Folder::new(disk, place.clone(), authority());
        let held = folder.hold_under(&lock);
        let made = held.and_then(|held| held.checkpoint(&ana.id, ana.key(), at(2), |signer| signer));
        let Err(told) = made.map_err(|error| error.commit()) else { break };
        let held = folder.hold_under(&lock).unwrap();
        let size = held.state().last().unwrap().size;
        match told {
            Commit::Done => assert_eq!(size, 3, "{operation}"),
            Commit::Not => assert_eq!(size, 2, "{operation}"),
            Commit::Unknown => {}
        }
        unfinished += u32::from(told == Commit::Done);
        let (_, changes) = Batch::new(held.state().clone()).place().0.finish([]).unwrap();
        let state = held.state().clone();
        held.commit(state, &changes, |_| Ok(())).unwrap();
        drop(lock);
        Folder::new(Disk::new(), place, authority()).audit().unwrap();
    }
    assert!(unfinished > 5, "{unfinished}");
}

/// Two who share a lock open one state: the second does not write over what the first made of it.
#[test]
fn who_shares_a_lock_writes_over_nothing() {
    let (log, ana, path) = begun("shared lock");
    let place = place(&path, &log);
    let lock = Arc::new(Disk::new().lock(&place.path, Hold::Exclusive, Duration::ZERO).unwrap());
    let folder = Folder::new(Disk::new(), place, authority());
    let [first, second] = [(); 2].map(|()| folder.hold_under(&lock).unwrap());
    first.checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
    let mut batch = Batch::new(second.state().clone());
    batch.step(at(3), |step| step.append(&ana.id, "stale")).unwrap();
    let stale = second.finish(batch, &|_| None);
    assert!(matches!(stale, Err(FolderError::Step(_))), "{stale:?}");
    assert_eq!(folder.hold_under(&lock).unwrap().state().last().unwrap().size, 3);
}

/// Somebody who writes to the mark's place has a link or a pipe wait there: nothing is read or written through it, and
/// nobody waits.
#[cfg(unix)]
#[test]
fn nothing_but_a_file_is_a_mark_or_its_lock() {
    let (log, ana, path) = begun("planted");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let mark = fs::read(path.join("mark.json")).unwrap();
    let inside = path.join("log/mark.json");
    for name in ["mark.json", "mark.json.lock"] {
        fs::write(&inside, &mark).unwrap();
        let planted = path.join(name);
        for is_link in [true, false] {
            fs::remove_file(&planted).unwrap();
            if is_link {
                std::os::unix::fs::symlink(&inside, &planted).unwrap();
            } else {
                assert!(std::process::Command::new("mkfifo").arg(&planted).status().unwrap().success());
            }
            let held = folder.hold();
            let signed = held.and_then(|held| held.checkpoint(&ana.id, ana.key(), at(2), |signer| signer));
            assert!(matches!(&signed, Err(FolderError::Disk(_))), "{name}: {signed:?}");
            assert_eq!(fs::read(&inside).unwrap(), mark, "{name}");
        }
        fs::remove_file(&planted).unwrap();
        fs::write(path.join("mark.json"), &mark).unwrap();
    }
    folder.hold().unwrap().checkpoint(&ana.id, ana.key(), at(2), |signer| signer).unwrap();
}

/// Whoever has the ring key and no signing key writes another chain, its state and a mark of it; what was signed is
/// still there.
#[test]
fn no_other_chain_is_signed_under_a_mark_of_its_own() {
    let (log, ana, path) = begun("other chain");
    let signed = fs::read(path.join("log/checkpoint.json")).unwrap();
    let checkpoint = Checkpoint::from_json(signed.trim_ascii_end()).unwrap();
    let forged = fresh("other chain forged");
    let folder = Folder::found(Disk::new(), place(&forged, &log), authority()).unwrap();
    act(&folder, &ana, |step| step.add_key(&ana.id, ana.key().public_key())).unwrap();
    for message in ["one", "two", "three"] {
        act(&folder, &ana, |step| step.append(&ana.id, message)).unwrap();
    }
    let state = folder.read().unwrap().state().clone();
    let stored = state.stored().clone().with_checkpoint(LastCheckpoint::of(&checkpoint));
    let seal = state.ring().seal_rows(state.head()).unwrap();
    fs::write(forged.join("log/state.jsonl"), format!("{}\n{seal}\n", stored.to_json(state.ring()).unwrap())).unwrap();
    fs::write(forged.join("log/checkpoint.json"), signed).unwrap();
    let mark = HighWaterMark::first(ORIGIN, state.head(), Some(state.ring())).unwrap();
    let mark = mark_to_json(&mark, state.ring(), state.head()).unwrap();
    fs::write(forged.join("mark.json"), &mark).unwrap();
    let again = Folder::new(Disk::new(), place(&forged, &log), authority());
    let signed = again.hold().unwrap().checkpoint(&ana.id, ana.key(), at(5), |signer| signer);
    let told = format!("{signed:?}");
    assert!(signed.is_err() && told.contains("NotGrown"), "{told}");
    assert_eq!(fs::read_to_string(forged.join("mark.json")).unwrap(), mark);
}

/// A mark that this log's authority did not write may be another log's, which would be without one then.
#[test]
fn another_logs_mark_is_not_renewed_over() {
    let (log, _ana, path) = begun("another mark");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let seen = seen(&log, &path);
    let other = fresh("another mark other");
    let theirs = RingKey::generate(&log.domain, &mut SystemRng).unwrap();
    Folder::found(Disk::new(), place(&other, &log), theirs).unwrap();
    let mark = fs::read(other.join("mark.json")).unwrap();
    for there in [mark.as_slice(), b"{}"] {
        fs::write(path.join("mark.json"), there).unwrap();
        let renewed = refused(folder.renew_mark(&seen).unwrap_err());
        assert!(matches!(renewed, Refused::MarkEdited | Refused::MarkUnreadable(_)), "{renewed:?}");
        assert_eq!(fs::read(path.join("mark.json")).unwrap(), there);
    }
    fs::remove_file(path.join("mark.json")).unwrap();
    folder.renew_mark(&seen).unwrap();
}
