//! Two at once, and whoever waits for the other.

use crate::place::{Place, expected};
use dualseal_operator::disk::{CommitError, Disk, Error, Existing, FileError, Hold, Operation, Readers, Refused};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

fn lock(place: &Path, hold: Hold) -> Result<dualseal_operator::disk::Lock, Error> {
    Disk::new().lock(place, hold, Duration::ZERO)
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> Refused {
    result.unwrap_err().refused().unwrap()
}

#[test]
fn a_folder_has_one_writer_or_several_readers() {
    let place = Place::new("lock");
    let writer = lock(&place, Hold::Exclusive).unwrap();
    for hold in [Hold::Exclusive, Hold::Shared] {
        assert_eq!(refused(lock(&place, hold)), Refused::Busy);
    }
    drop(writer);
    let readers = [Hold::Shared; 2].map(|hold| lock(&place, hold).unwrap());
    assert_eq!(refused(lock(&place, Hold::Exclusive)), Refused::Busy);
    assert_eq!(refused(readers[0].change()), Refused::ReadOnly);
    drop(readers);
    let writer = lock(&place, Hold::Exclusive).unwrap();
    let change = writer.change().unwrap();
    assert_eq!(refused(writer.change()), Refused::Changing);
    drop(change);
    writer.change().unwrap();
}

/// Nothing can be written into a read-only copy, and nobody needs to lock it.
#[test]
fn a_reader_makes_no_file() {
    let place = Place::new("read-only");
    lock(&place, Hold::Shared).unwrap();
    assert!(place.state().is_empty());
}

#[test]
fn whoever_waits_gets_the_lock() {
    let place = Place::new("wait");
    let writer = lock(&place, Hold::Exclusive).unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| Disk::new().lock(&place, Hold::Exclusive, Duration::from_secs(60)).map(drop));
        thread::sleep(Duration::from_millis(60));
        assert!(!waiting.is_finished());
        drop(writer);
        waiting.join().unwrap().unwrap();
    });
    let start = Instant::now();
    let _writer = lock(&place, Hold::Exclusive).unwrap();
    let waited = Disk::new().lock(&place, Hold::Shared, Duration::from_millis(50));
    assert!(refused(waited) == Refused::Busy && start.elapsed() >= Duration::from_millis(50));
}

/// Each adds its line to what the one before left, and nothing is lost.
#[test]
fn writers_take_turns() {
    const EACH: usize = 10;
    let place = Place::new("turns");
    let add = |writer: usize, turn: usize| {
        let lock = Disk::new().lock(&place, Hold::Exclusive, Duration::from_secs(60)).unwrap();
        let at = fs::metadata(place.join("lines")).map_or(0, |found| found.len());
        let mut change = lock.change().unwrap();
        change.append("lines", at, format!("{writer}.{turn}\n").as_bytes()).unwrap();
        change.file("last", Readers::All, format!("{writer}.{turn}").as_bytes()).unwrap();
        change.commit().unwrap();
        let lines = fs::read_to_string(place.join("lines")).unwrap();
        assert_eq!(lines.lines().last().unwrap(), fs::read_to_string(place.join("last")).unwrap());
    };
    thread::scope(|scope| {
        for writer in 0..4 {
            scope.spawn(move || (0..EACH).for_each(|turn| add(writer, turn)));
        }
    });
    assert_eq!(fs::read_to_string(place.join("lines")).unwrap().lines().count(), 4 * EACH);
}

/// Without a lock the file is that of one of the writers, and nothing lies beside it.
#[test]
fn a_file_of_two_writers_is_that_of_one() {
    for disk in [Disk::new(), Disk::new().with_names_only()] {
        let place = Place::new("both");
        let path = place.join("state");
        let both = Barrier::new(2);
        thread::scope(|scope| {
            for mark in [b'a', b'b'] {
                let (disk, path, both) = (&disk, &path, &both);
                scope.spawn(move || {
                    for _ in 0..50 {
                        both.wait();
                        let write = |file: &mut dyn Write| {
                            file.write_all(&[mark; 10_000]).map_err(|error| Error::writing(path, error))
                        };
                        disk.replace(path, Readers::All, write).unwrap();
                    }
                });
            }
        });
        let found = fs::read(&path).unwrap();
        assert!(found == [b'a'; 10_000] || found == [b'b'; 10_000]);
        assert_eq!(place.state().len(), 1);
    }
}

/// A new file and a new folder are made by one of two.
#[test]
fn a_new_name_is_given_once() {
    for disk in [Disk::new(), Disk::new().with_names_only()] {
        let place = Place::new("once");
        let begin = || disk.new_file(&place.join("file"), Readers::All, Existing::Kept).unwrap();
        let (first, second) = (begin(), begin());
        first.publish().unwrap();
        let Err(FileError::Failed(error)) = second.publish() else { panic!("it was published") };
        assert_eq!(error.refused(), Some(Refused::Exists));
        let mut folders = [0, 1].map(|_| disk.new_folder(&place.join("folder")).unwrap());
        folders[1].write("second", Readers::All, b"").unwrap();
        let [first, second] = folders;
        // Empty: a plain rename would replace it.
        first.publish().unwrap();
        let Err(FileError::Failed(error)) = second.publish() else { panic!("it was published") };
        assert_eq!(error.refused(), Some(Refused::Exists));
        assert_eq!(place.state(), expected(&[("file", ""), ("folder/", "")]));
    }
}

/// What somebody else appended or cut off is neither overwritten nor filled up.
#[test]
fn a_file_of_another_length_is_not_appended_to() {
    let place = Place::new("length");
    place.write("lines", "1234");
    let lock = lock(&place, Hold::Exclusive).unwrap();
    for at in [0, 3, 5] {
        assert_eq!(refused(lock.change().unwrap().append("lines", at, b"x")), Refused::Length, "{at}");
    }
    let mut change = lock.change().unwrap();
    change.append("lines", 4, b"x").unwrap();
    assert_eq!(refused(change.append("lines", 4, b"y")), Refused::Length);
    let Err(CommitError::Not(error)) = change.commit() else { panic!("it was committed") };
    assert_eq!(error.refused(), Some(Refused::Broken));
    assert_eq!(fs::read(place.join("lines")).unwrap(), b"1234");
    assert_eq!(place.state().len(), 2);
}

/// Half of it would be done, and the rest never: nobody could open the folder again.
#[test]
fn parts_of_a_change_are_not_in_each_others_way() {
    let place = Place::new("twice");
    let lock = lock(&place, Hold::Exclusive).unwrap();
    let pairs = [["a", "a/b"], ["a/b/c", "a"], ["a", "+a"], ["+a", "a/b"], ["a", "+a/b"]];
    let put = [["=a", "=a/b"], ["=a", "a/b"], ["a", "=a/b"], ["=a", "+a"], ["+a", "=a/b"], ["+a/b", "=a"]];
    for names in pairs.into_iter().chain(put) {
        let mut change = lock.change().unwrap();
        for name in names {
            match (name.strip_prefix('+'), name.strip_prefix('=')) {
                (Some(name), _) => change.append(name, 0, b"x").unwrap(),
                (_, Some(name)) => change.put(name, Readers::All, b"x").unwrap(),
                _ => change.file(name, Readers::All, b"").unwrap(),
            }
        }
        let Err(CommitError::Not(error)) = change.commit() else { panic!("{names:?}") };
        assert_eq!(error.refused(), Some(Refused::Twice), "{names:?}");
        assert_eq!(place.state(), expected(&[("lock", "")]));
    }
    // The last of one name counts.
    let mut change = lock.change().unwrap();
    for (name, content) in [("a", "first"), ("a-b", ""), ("a", "second")] {
        change.file(name, Readers::All, content.as_bytes()).unwrap();
    }
    change.commit().unwrap();
    assert_eq!(place.state(), expected(&[("a", "second"), ("a-b", ""), ("lock", "")]));
    // However each of them is written, also where it is too long for the journal.
    let long = "x".repeat(65_537);
    for (names, last) in [
        (["=first", "=second"], "second"),
        (["first", "=second"], "second"),
        (["=first", "second"], "second"),
        (["=first", &format!("={long}")], &long),
        ([&format!("={long}"), "=second"], "second"),
    ] {
        let mut change = lock.change().unwrap();
        change.put("b", Readers::All, b"beside").unwrap();
        for content in names {
            match content.strip_prefix('=') {
                Some(content) => change.put("a", Readers::All, content.as_bytes()).unwrap(),
                None => change.file("a", Readers::All, content.as_bytes()).unwrap(),
            }
        }
        change.commit().unwrap();
        assert_eq!(place.state(), expected(&[("a", last), ("a-b", ""), ("b", "beside"), ("lock", "")]));
    }
}

/// A change waits for the disk at four places, however many files it has: the journal, its name, all that it says, and
/// its end.
#[test]
fn what_a_journal_holds_is_forced_once() {
    let place = Place::new("forced");
    let disk = Disk::failing_at(u64::MAX);
    let lock = disk.lock(&place, Hold::Exclusive, Duration::ZERO).unwrap();
    let mut change = lock.change().unwrap();
    for name in ["a", "b", "c"] {
        change.put(name, Readers::Owner, name.as_bytes()).unwrap();
        change.append(&format!("lines/{name}"), 0, b"line\n").unwrap();
    }
    change.commit().unwrap();
    let is_forced = |operation| matches!(operation, Operation::Force | Operation::ForceFolder);
    let forced: Vec<_> = disk.history().into_iter().map(|(operation, _)| is_forced(operation)).collect();
    // Those that follow each other with nothing but a folder's opening in between are forced at once.
    let history = disk.history();
    let mut waits = 0;
    let mut at_once = false;
    for ((operation, _), is_forced) in history.iter().zip(forced) {
        if is_forced && !at_once {
            waits += 1;
        }
        at_once = is_forced || at_once && *operation == Operation::OpenFolder;
    }
    assert_eq!(waits, 4, "{history:?}");
}

/// It would be written down and never be done: nobody could open the folder again.
#[test]
fn a_journal_that_is_too_long_to_be_read_is_not_written() {
    let place = Place::new("many");
    let lock = lock(&place, Hold::Exclusive).unwrap();
    let mut change = lock.change().unwrap();
    change.file("a", Readers::All, b"").unwrap();
    // As long as the names of very many files.
    change.append(&format!("folder/{}", "x".repeat(64 << 20)), 0, b"x").unwrap();
    let Err(CommitError::Not(error)) = change.commit() else { panic!("it was written down") };
    assert_eq!(error.refused(), Some(Refused::Many));
    assert_eq!(place.state(), expected(&[("lock", "")]));
    lock.change().unwrap();
}

/// A part that failed is not left out because nobody looked.
#[test]
fn half_of_it_is_not_published() {
    let place = Place::new("half");
    let failing = |_: &mut dyn Write| Err::<(), _>(Error::writing(Path::new("x"), std::io::Error::other("no")));
    let mut folder = Disk::new().new_folder(&place.join("folder")).unwrap();
    folder.streamed("a", Readers::All, failing).unwrap_err();
    assert_eq!(refused(folder.write("b", Readers::All, b"b")), Refused::Broken);
    let Err(FileError::Failed(error)) = folder.publish() else { panic!("it was published") };
    assert_eq!(error.refused(), Some(Refused::Broken));
    assert!(place.state().is_empty());
    let lock = lock(&place, Hold::Exclusive).unwrap();
    let mut change = lock.change().unwrap();
    change.streamed("a", Readers::All, failing).unwrap_err();
    assert_eq!(refused(change.file("b", Readers::All, b"b")), Refused::Broken);
    assert!(matches!(change.commit(), Err(CommitError::Not(_))));
    assert_eq!(place.state(), expected(&[("lock", "")]));
}
