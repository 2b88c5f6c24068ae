//! What becomes of files that somebody names, and what is said of those that are not written.

use super::*;
use std::fs;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dualseal-store-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).unwrap();
    path
}

#[test]
fn a_file_is_published_once() {
    let folder = folder("publish");
    let path = folder.join("record");
    Unpublished::write(&path, b"one", Readers::All, false).unwrap().publish().unwrap();
    assert_eq!(Unpublished::write(&path, b"two", Readers::All, false).unwrap_err().status(), WRITE);
    // Somebody else takes the name in between.
    let taken = folder.join("taken");
    let second = Unpublished::write(&taken, b"two", Readers::All, false).unwrap();
    fs::write(&taken, "theirs").unwrap();
    let failure = second.publish().unwrap_err();
    assert!(failure.status() == WRITE && failure.next().contains("--force"), "{failure:?}");
    assert_eq!(fs::read(&taken).unwrap(), b"theirs");
    fs::remove_file(taken).unwrap();
    Unpublished::write(&path, b"two", Readers::All, true).unwrap().publish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    drop(Unpublished::write(&folder.join("never"), b"x", Readers::All, false).unwrap());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_refused_has_a_status_and_a_hint() {
    let folder = folder("refused");
    let writer = lock(&folder, true, Duration::ZERO).unwrap();
    let busy = lock(&folder, false, Duration::ZERO).unwrap_err();
    assert!(busy.status() == BUSY && busy.next().contains("--lock-wait"), "{busy:?}");
    let outside = Failure::from(writer.change().unwrap().file("../x", Readers::All, b"").unwrap_err());
    assert!(outside.status() == WRITE && outside.message().contains("does not lead down"), "{outside:?}");
    let cut_off = Failure::from(writer.change().unwrap().append(CHAIN, 5, b"").unwrap_err());
    assert!(cut_off.message().contains("cut off") && cut_off.next().contains("copy"), "{cut_off:?}");
    let exists = new_folder(&folder).unwrap_err();
    assert!(exists.status() == WRITE && exists.next().contains("--out FOLDER"), "{exists:?}");
    fs::remove_dir_all(folder).unwrap();
}
