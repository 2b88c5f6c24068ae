//! The power goes at each operation of a change, and the folder is opened again.

use super::*;
use std::cell::Cell;
use std::path::PathBuf;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

pub(super) fn operation() -> io::Result<()> {
    let left = LEFT.get().checked_sub(1).ok_or_else(|| io::Error::other("the power went"))?;
    LEFT.set(left);
    Ok(())
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dualseal-store-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).unwrap();
    path
}

fn change(folder: &Path, at: u64, mark: &str) -> Result<(), Failure> {
    let mut change = Change::new(folder);
    change.file("ring.json", Readers::Owner, mark.as_bytes())?;
    change.file("keys/ana.pem", Readers::Owner, mark.as_bytes())?;
    change.append(at, format!("{mark}\n"));
    change.commit()
}

fn state(folder: &Path) -> [String; 3] {
    ["ring.json", "keys/ana.pem", CHAIN].map(|name| fs::read_to_string(folder.join(name)).unwrap())
}

/// Whenever the power goes, everything is old or everything is new; once the journal stands, it is new.
#[test]
fn a_change_happens_as_a_whole() {
    let folder = folder("whole");
    change(&folder, 0, "old").unwrap();
    let old = state(&folder);
    let (mut seen_old, mut seen_new, mut operations) = (0, 0, 0);
    loop {
        LEFT.set(operations);
        let outcome = change(&folder, 4, "new");
        let written_down = folder.join(JOURNAL).exists();
        LEFT.set(u64::MAX);
        if outcome.is_ok() {
            break;
        }
        drop(Lock::take(&folder, false, Duration::ZERO).unwrap());
        let found = state(&folder);
        if found == old {
            assert!(!written_down, "after {operations}");
            seen_old += 1;
        } else {
            assert_eq!(found, ["new", "new", "old\nnew\n"].map(str::to_owned), "after {operations}");
            seen_new += 1;
            // Back to the old state.
            fs::write(folder.join(CHAIN), "old\n").unwrap();
            change(&folder, 0, "old").unwrap();
        }
        operations += 1;
    }
    assert!(seen_old >= 3 && seen_new >= 4, "{seen_old} {seen_new}");
    assert!(!folder.join(STAGED).exists() && !folder.join(JOURNAL).exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_has_one_writer_or_several_readers() {
    let folder = folder("lock");
    let writer = Lock::take(&folder, true, Duration::ZERO).unwrap();
    for to_write in [true, false] {
        assert_eq!(Lock::take(&folder, to_write, Duration::ZERO).unwrap_err().status(), BUSY);
    }
    drop(writer);
    let readers = [false; 2].map(|_| Lock::take(&folder, false, Duration::ZERO).unwrap());
    assert_eq!(Lock::take(&folder, true, Duration::ZERO).unwrap_err().status(), BUSY);
    drop(readers);
    Lock::take(&folder, true, Duration::ZERO).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_chain_that_was_cut_off_is_not_appended_to() {
    let folder = folder("cut");
    change(&folder, 0, "old").unwrap();
    let failure = change(&folder, 5, "new").unwrap_err();
    assert!(failure.message().contains("cut off"), "{failure:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_is_published_once() {
    let folder = folder("publish");
    let path = folder.join("record");
    Unpublished::write(&path, b"one", Readers::All, false).unwrap().publish().unwrap();
    assert_eq!(Unpublished::write(&path, b"two", Readers::All, false).unwrap_err().status(), crate::failure::WRITE);
    // Somebody else takes the name in between.
    let taken = folder.join("taken");
    let second = Unpublished::write(&taken, b"two", Readers::All, false).unwrap();
    fs::write(&taken, "theirs").unwrap();
    assert_eq!(second.publish().unwrap_err().status(), crate::failure::WRITE);
    assert_eq!(fs::read(&taken).unwrap(), b"theirs");
    fs::remove_file(taken).unwrap();
    Unpublished::write(&path, b"two", Readers::All, true).unwrap().publish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    drop(Unpublished::write(&folder.join("never"), b"x", Readers::All, false).unwrap());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

/// A home folder that somebody handed over: its journal moves nothing out of it, and writes through no link.
#[cfg(unix)]
#[test]
fn a_foreign_journal_reaches_nothing_outside() {
    let outside = folder("outside");
    let attempt = |name: &str| {
        let folder = folder("journal");
        fs::create_dir(folder.join(STAGED)).unwrap();
        fs::write(folder.join(STAGED).join("0"), "planted").unwrap();
        std::os::unix::fs::symlink(&outside, folder.join("keys")).unwrap();
        let journal = object([
            ("append", Value::Null),
            ("at", Value::Null),
            ("files", Value::Array(vec![Value::String(name.to_owned())])),
        ]);
        fs::write(folder.join(JOURNAL), canonical(&journal)).unwrap();
        Lock::take(&folder, false, Duration::ZERO).map(drop)
    };
    for name in
        ["../planted", "", "/", ".", "a/../../planted", "keys/planted", &outside.join("planted").to_string_lossy()]
    {
        attempt(name).unwrap_err();
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "{name:?}");
    }
    attempt("ring.json").unwrap();

    let folder = folder("linked-chain");
    let victim = outside.join("victim");
    fs::write(&victim, "mine").unwrap();
    std::os::unix::fs::symlink(&victim, folder.join(CHAIN)).unwrap();
    change(&folder, 0, "new").unwrap_err();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
}

/// Secrets do not go into a file that somebody else put where they are written.
#[cfg(unix)]
#[test]
fn a_file_that_waits_is_not_filled() {
    let folder = folder("waiting");
    let victim = folder.join("victim");
    fs::write(&victim, "").unwrap();
    std::os::unix::fs::symlink(&victim, folder.join("link")).unwrap();
    assert!(create(&folder.join("link"), Readers::Owner).is_err());
    assert!(create(&victim, Readers::Owner).is_err());
    let key = folder.join("key");
    assert_ne!(unpublished::drawn(&key).unwrap(), unpublished::drawn(&key).unwrap());
}
