//! A disk that fails, and one that loses its power, at every single operation.

use crate::place::{Place, expected};
use dualseal_operator::disk::{CommitError, Disk, Error, Existing, FileError, Hold, Lost, Operation, Readers};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

type State = BTreeMap<String, Vec<u8>>;

/// What has become of something, as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// It is done.
    Done,
    /// Nothing happened.
    Not,
    /// It happened; the power may take it back.
    There,
    /// It happened, and is finished by whoever comes next.
    Later,
    /// One of the two.
    Unknown,
}

impl<T> From<Result<T, Error>> for Told {
    fn from(result: Result<T, Error>) -> Self {
        if result.is_ok() { Self::Done } else { Self::Not }
    }
}

impl<T> From<Result<T, FileError<T>>> for Told {
    fn from(result: Result<T, FileError<T>>) -> Self {
        match result {
            Ok(_) => Self::Done,
            Err(FileError::Failed(_)) => Self::Not,
            Err(FileError::NotForced { .. }) => Self::There,
        }
    }
}

impl From<Result<(), CommitError>> for Told {
    fn from(result: Result<(), CommitError>) -> Self {
        match result {
            Ok(()) => Self::Done,
            Err(CommitError::Not(_)) => Self::Not,
            Err(CommitError::Unfinished(_)) => Self::Later,
            Err(CommitError::Unknown(_)) => Self::Unknown,
        }
    }
}

/// Makes the disk that stops or fails at an operation.
type Kind = (&'static str, fn(u64) -> Disk);

const KINDS: [Kind; 5] = [
    ("fails", Disk::failing_at),
    ("fails-named", |at| Disk::failing_at(at).with_names_only()),
    ("is killed", |at| Disk::stopping_at(at, Lost::Nothing)),
    ("loses contents", |at| Disk::stopping_at(at, Lost::Contents)),
    ("loses everything", |at| Disk::stopping_at(at, Lost::Everything)),
];

/// Does the same thing on every kind of disk, at every operation of it, each time from the beginning. What is found
/// when the folder is opened again is one of the two states, and what was told of it is true.
fn at_every_operation(
    name: &str,
    prepare: impl Fn(&Place),
    act: impl Fn(&Disk, &Path) -> Told,
    [old, new]: [&State; 2],
    least: u64,
) {
    let named: Kind = ("loses everything, named", |at| Disk::stopping_at(at, Lost::Everything).with_names_only());
    for (kind, disk) in KINDS.into_iter().chain([named]) {
        for at in 0.. {
            let place = Place::new(name);
            prepare(&place);
            let disk = disk(at);
            let told = act(&disk, &place);
            // Were the power to go now, nothing is lost of what was told to be done.
            let operations = disk.history().len() as u64;
            let case = format!("{name} {kind} at {at}, {:?}: {told:?}", disk.history().last());
            let _ = disk.remove(&place.join("nothing"));
            let fails = kind.starts_with("fails");
            let cleared = |(operation, path): &(Operation, _)| {
                matches!(operation, Operation::Remove | Operation::RemoveFolder).then_some(path).is_some()
            };
            let failed_to_clear = disk.history().get(usize::try_from(at).unwrap()).is_some_and(cleared);
            if fails && told == Told::Not && !failed_to_clear {
                assert_eq!(seen(&place), *old, "{case}: it left something");
            }
            if told == Told::There && kind != "loses everything" && kind != "loses everything, named" {
                assert_eq!(seen(&place), *new, "{case}");
            }
            reopen(&place);
            let found = seen(&place);
            match told {
                Told::Done | Told::Later => assert_eq!(found, *new, "{case}"),
                // The power may also go after the last of it, before anybody is told.
                Told::Not if fails => assert_eq!(found, *old, "{case}"),
                _ => assert!(found == *old || found == *new, "{case}: {found:?}"),
            }
            if operations <= at {
                assert!(told == Told::Done && operations >= least, "{case}: {operations}");
                break;
            }
        }
    }
}

fn seen(place: &Place) -> State {
    let mut state = place.state();
    state.retain(|name, _| name != "lock");
    state
}

/// As the next one does.
fn reopen(place: &Path) {
    // A disk for tests forces nothing, which takes time.
    let disk = Disk::stopping_at(u64::MAX, Lost::Nothing);
    // A process that another test begins has the locks of this one for a moment.
    let lock = disk.lock(place, Hold::Exclusive, Duration::from_secs(9)).unwrap();
    lock.disk().clear_unfinished(place).unwrap();
}

fn parts(file: &mut dyn Write, text: &str) -> Result<usize, Error> {
    for part in text.as_bytes().chunks(5) {
        file.write_all(part).map_err(|error| Error::writing(Path::new("state"), error))?;
    }
    Ok(text.len())
}

#[test]
fn a_file_is_replaced_as_a_whole() {
    let (old, new) = (expected(&[("state", "the old one")]), expected(&[("state", "another one")]));
    at_every_operation(
        "replace",
        |place| drop(place.write("state", "the old one")),
        |disk, folder| disk.replace(&folder.join("state"), Readers::Owner, |file| parts(file, "another one")).into(),
        [&old, &new],
        9,
    );
}

#[test]
fn a_file_is_made_as_a_whole() {
    let (old, new) = (expected(&[]), expected(&[("state", "the first one")]));
    for existing in [Existing::Kept, Existing::Replaced] {
        at_every_operation(
            "create",
            |_| {},
            |disk, folder| {
                let write = || -> Result<(), FileError<()>> {
                    let mut file = disk.new_file(&folder.join("state"), Readers::All, existing)?;
                    parts(&mut file, "the first one")?;
                    file.force()?;
                    file.publish()
                };
                write().into()
            },
            [&old, &new],
            8,
        );
    }
    let whole = |disk: &Disk, folder: &Path| {
        disk.create_whole(&folder.join("state"), Readers::All, |file| parts(file, "the first one")).into()
    };
    at_every_operation("create-whole", |_| {}, whole, [&old, &new], 8);
}

#[test]
fn a_folder_is_made_as_a_whole() {
    let new = expected(&[("made/", ""), ("made/a", "first"), ("made/b", "second one")]);
    at_every_operation(
        "folder",
        |_| {},
        |disk, folder| {
            let make = || {
                let mut new = disk.new_folder(&folder.join("made"))?;
                new.write("a", Readers::All, b"first")?;
                new.streamed("b", Readers::Owner, |file| parts(file, "second one"))?;
                new.publish()
            };
            make().into()
        },
        [&expected(&[]), &new],
        12,
    );
}

/// A step of an operator: a ring that is replaced, a key in a new folder, entries in two files, one of them new, and
/// two short files that the journal holds itself, one in the place of another.
fn change(disk: &Disk, folder: &Path) -> Told {
    let begin = || -> Result<_, Error> { disk.lock(folder, Hold::Exclusive, Duration::ZERO) };
    let Ok(lock) = begin() else { return Told::Not };
    let stage = || {
        let mut change = lock.change()?;
        change.file("ring.json", Readers::Owner, b"new")?;
        change.append("chain.jsonl", 4, b"next\n")?;
        change.append("vaults/a/ledger", 0, &[0, 10, 255])?;
        change.append("chain.jsonl", 9, b"last\n")?;
        change.put("state", Readers::Owner, b"after it")?;
        change.put("vaults/a/made", Readers::All, b"put")?;
        change.streamed("keys/of/ana.pem", Readers::Owner, |file| parts(file, "a new key"))?;
        Ok(change)
    };
    match stage() {
        Ok(change) => change.commit().into(),
        Err(error) => Told::from(Err::<(), Error>(error)),
    }
}

fn begun(place: &Place) {
    place.write("ring.json", "old");
    place.write("chain.jsonl", "old\n");
    place.write("state", "before");
}

fn changed() -> State {
    let mut state = expected(&[
        ("ring.json", "new"),
        ("chain.jsonl", "old\nnext\nlast\n"),
        ("keys/", ""),
        ("keys/of/", ""),
        ("keys/of/ana.pem", "a new key"),
        ("state", "after it"),
        ("vaults/", ""),
        ("vaults/a/", ""),
        ("vaults/a/made", "put"),
    ]);
    state.insert("vaults/a/ledger".to_owned(), vec![0, 10, 255]);
    state
}

#[test]
fn a_change_happens_as_a_whole() {
    let old = expected(&[("ring.json", "old"), ("chain.jsonl", "old\n"), ("state", "before")]);
    at_every_operation("change", begun, change, [&old, &changed()], 90);
}

/// Whoever finishes a change may be interrupted himself.
#[test]
fn a_change_is_finished_as_a_whole() {
    let written_down = |place: &Place| {
        begun(place);
        // The first disk that only has to finish it.
        let at = (0..200).find(|at| {
            let copy = Place::new("finish-at");
            begun(&copy);
            change(&Disk::stopping_at(*at, Lost::Nothing), &copy) == Told::Later
        });
        assert_eq!(change(&Disk::stopping_at(at.unwrap(), Lost::Nothing), place), Told::Later);
    };
    for at in 0.. {
        let place = Place::new("finish");
        written_down(&place);
        let disk = Disk::stopping_at(at, Lost::Everything);
        let done = disk.lock(&place, Hold::Shared, Duration::ZERO).is_ok();
        reopen(&place);
        assert_eq!(seen(&place), changed(), "{at}: {:?}", disk.history().last());
        if disk.history().len() as u64 <= at {
            assert!(done && at > 25, "{at}");
            break;
        }
    }
}

/// Whoever finishes a change finds names that the one before him made and did not force: what he has finished does not
/// go with them, and of what he has not, the journal is still there.
#[test]
fn a_change_that_another_finishes_lasts() {
    let old = expected(&[("ring.json", "old"), ("chain.jsonl", "old\n"), ("state", "before")]);
    let begin = |at, first| {
        let place = Place::new("finish-after");
        begun(&place);
        let disk = Disk::stopping_at(at, Lost::Everything).failing_first_at(first);
        let told = change(&disk, &place);
        (place, disk, told)
    };
    let mut tried = BTreeSet::new();
    for first in 0.. {
        let (_, disk, told) = begin(u64::MAX, first);
        let operations = disk.history().len() as u64;
        if operations <= first {
            break;
        }
        let failed = disk.history()[usize::try_from(first).unwrap()].0;
        if ![Told::Later, Told::Unknown].contains(&told) || !tried.insert((told == Told::Later, failed)) {
            continue;
        }
        for at in operations.. {
            let (place, disk, _) = begin(at, first);
            let done = disk.lock(&place, Hold::Exclusive, Duration::from_secs(9)).is_ok();
            let before = seen(&place);
            let _ = disk.remove(&place.join("nothing"));
            reopen(&place);
            let (found, last) = (seen(&place), disk.history().len() as u64 <= at);
            let case = format!("{told:?} at {first}, then {at}: {:?}", disk.history().last());
            if done || told == Told::Later {
                assert_eq!(found, changed(), "{case}, {before:?}");
            } else {
                assert!(found == old || found == changed(), "{case}: {found:?}");
            }
            if last {
                break;
            }
        }
    }
    assert!(tried.len() > 10, "{tried:?}");
}

/// A journal that came back would not know the file that was put in place since, and shut everybody out.
#[test]
fn a_change_that_is_done_stays_done() {
    for at in 0.. {
        let place = Place::new("stays");
        place.write("chain.jsonl", "old\n");
        let disk = Disk::stopping_at(at, Lost::Everything);
        if change(&disk, &place) == Told::Done {
            let ledger = place.join("vaults/a/ledger");
            let replaced = disk.replace(&ledger, Readers::Owner, |file| parts(file, "begun again"));
            let _ = disk.remove(&place.join("nothing"));
            reopen(&place);
            if replaced.is_ok() {
                assert_eq!(fs::read(ledger).unwrap(), b"begun again", "{at}");
            }
        }
        if disk.history().len() as u64 <= at {
            assert!(at > 60, "{at}");
            break;
        }
    }
}

/// Nothing that was removed comes back.
#[test]
fn a_file_is_removed_for_good() {
    at_every_operation(
        "remove",
        |place| drop(place.write("secret", "a key")),
        |disk, folder| disk.remove(&folder.join("secret")).into(),
        [&expected(&[("secret", "a key")]), &expected(&[])],
        4,
    );
}

#[test]
fn folders_are_made_to_last() {
    for at in 0.. {
        let place = Place::new("make-folder");
        let disk = Disk::stopping_at(at, Lost::Everything);
        let done = disk.make_folder(&place.join("a/b/c"), Readers::Owner);
        let _ = disk.remove(&place.join("nothing"));
        if done.is_ok() {
            assert!(place.join("a/b/c").is_dir() && at >= 9, "{at}");
            break;
        }
        Disk::new().make_folder(&place.join("a/b/c"), Readers::Owner).unwrap();
    }
}

#[test]
fn what_is_spooled_leaves_nothing() {
    for named in [false, true] {
        let place = Place::new("spool");
        let disk = if named { Disk::new().with_names_only() } else { Disk::new() };
        let mut spool = disk.spool(&place).unwrap();
        spool.write_all(b"slowly").unwrap();
        assert!(place.state().is_empty());
        let mut read = String::new();
        spool.rewind().unwrap();
        spool.read_to_string(&mut read).unwrap();
        assert_eq!(read, "slowly");
        for at in 0..5 {
            let disk = Disk::failing_at(at);
            let disk = if named { disk.with_names_only() } else { disk };
            if let Err(error) = disk.spool(&place) {
                assert!(error.to_string().ends_with("the disk failed"), "{error}");
            }
            Disk::new().clear_unfinished(&place).unwrap();
            assert!(place.state().is_empty(), "{at}");
        }
    }
}

/// What was there under the name is overwritten after the change that replaced it, not before.
#[test]
fn what_is_doomed_is_overwritten() {
    let place = Place::new("doomed");
    let (secret, kept) = (place.write("secret", "a key"), place.join("kept"));
    let doomed = Disk::new().doomed(&secret).unwrap().unwrap();
    fs::hard_link(&secret, &kept).unwrap();
    Disk::new().replace(&secret, Readers::Owner, |file| parts(file, "")).unwrap();
    assert_eq!(fs::read(&kept).unwrap(), b"a key");
    doomed.wipe().unwrap();
    assert_eq!((fs::read(&kept).unwrap(), fs::read(&secret).unwrap()), (vec![0; 5], Vec::new()));
    assert!(Disk::new().doomed(&place.join("none")).unwrap().is_none());
}

/// The disk of these tests would find a writer that names before it forces, or forces no folder.
#[test]
fn a_disk_loses_what_is_not_forced() {
    use Operation::{Create, Force, ForceFolder, Look, OpenFolder, Rename, Write};
    let place = Place::new("unforced");
    let path = place.write("state", "the old one");
    let before = |operation, lost| {
        let write = |disk: &Disk| disk.replace(&path, Readers::All, |file| parts(file, "another one"));
        let probe = Disk::stopping_at(u64::MAX, lost);
        write(&probe).unwrap();
        fs::write(&path, "the old one").unwrap();
        let at = probe.history().iter().position(|(done, _)| *done == operation).unwrap();
        write(&Disk::stopping_at(at as u64, lost)).unwrap_err();
        fs::read_to_string(&path).unwrap()
    };
    assert_eq!(before(ForceFolder, Lost::Everything), "the old one");
    assert_eq!(before(ForceFolder, Lost::Contents), "another one");
    assert_eq!(before(ForceFolder, Lost::Nothing), "another one");
    assert_eq!(before(Force, Lost::Contents), "the old one");
    let probe = Disk::stopping_at(u64::MAX, Lost::Nothing).with_names_only();
    probe.replace(&path, Readers::All, |file| parts(file, "x")).unwrap();
    let order: Vec<_> = probe.history().into_iter().map(|(operation, _)| operation).collect();
    assert_eq!(order, [Look, OpenFolder, Create, Write, Force, Look, Rename, ForceFolder]);
}
