//! Folders that somebody else prepared: links, pipes, devices and folders where a file should be, and journals of his.

use crate::place::{Place, expected};
use dualseal_operator::disk::{Disk, Error, Existing, FileError, Hold, Readers, Refused};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What may lie where a file should be.
pub(crate) const PLANTED: [&str; 7] =
    ["pipe", "device", "socket", "folder", "link", "link to nothing", "link to a device"];

/// Puts it there, and what a link leads to beside the folder.
pub(crate) fn plant(what: &str, path: &Path, outside: &Path) {
    let victim = outside.join("victim");
    let node = |kind, device| mknodat(CWD, path, kind, Mode::from_bits_truncate(0o600), device);
    match what {
        "pipe" => node(FileType::Fifo, 0).unwrap(),
        // The null device, where this process may make one.
        "device" => {
            if node(FileType::CharacterDevice, rustix::fs::makedev(1, 3)).is_err() {
                node(FileType::Fifo, 0).unwrap();
            }
        }
        "socket" => drop(UnixListener::bind(path).unwrap()),
        "folder" => fs::create_dir(path).unwrap(),
        "link" => {
            fs::write(&victim, "mine").unwrap();
            symlink(&victim, path).unwrap();
        }
        "link to nothing" => symlink(outside.join("nothing"), path).unwrap(),
        "link to a device" => symlink("/dev/null", path).unwrap(),
        other => panic!("{other}"),
    }
}

/// What it is, so that it is seen to be the same afterwards.
fn identity(path: &Path) -> (u64, u32) {
    let found = path.symlink_metadata().unwrap();
    (found.ino(), found.mode())
}

fn write(file: &mut dyn std::io::Write) -> Result<(), Error> {
    file.write_all(b"planted").map_err(|error| Error::writing(Path::new("x"), error))
}

fn lock(place: &Path) -> Result<dualseal_operator::disk::Lock, Error> {
    Disk::new().lock(place, Hold::Exclusive, Duration::ZERO)
}

fn failed<T: std::fmt::Debug>(result: Result<T, FileError<T>>) -> Error {
    match result {
        Err(FileError::Failed(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// Every kind of write to one name.
fn writes(place: &Path, name: &str) -> Vec<(&'static str, Error)> {
    let (disk, path) = (Disk::new(), place.join(name));
    let locked = lock(place).unwrap();
    let mut found = vec![
        ("replace", failed(disk.replace(&path, Readers::All, write))),
        ("create", failed(disk.create_whole(&path, Readers::All, write))),
        ("named", failed(disk.clone().with_names_only().replace(&path, Readers::All, write))),
        ("remove", failed(disk.remove(&path))),
        ("doomed", disk.doomed(&path).unwrap_err()),
    ];
    let staged = locked.change().unwrap().file(name, Readers::All, b"planted");
    found.push(("change", staged.unwrap_err()));
    let appended = locked.change().unwrap().append(name, 0, b"planted");
    found.push(("append", appended.unwrap_err()));
    let put = locked.change().unwrap().put(name, Readers::All, b"planted");
    found.push(("put", put.unwrap_err()));
    // It is planted while the file is written.
    let (aside, outside) = (place.join("aside"), place.join("outside"));
    for (how, disk) in [("meanwhile", Disk::new()), ("meanwhile, named", Disk::new().with_names_only())] {
        fs::rename(&path, &aside).unwrap();
        let mut file = disk.new_file(&path, Readers::All, Existing::Replaced).unwrap();
        write(&mut file).unwrap();
        fs::rename(&aside, &path).unwrap();
        found.push((how, failed(file.publish())));
    }
    assert!(!outside.exists());
    found
}

#[test]
fn nothing_but_a_file_is_replaced() {
    for what in PLANTED {
        let (place, outside) = (Place::new("planted"), Place::new("planted-outside"));
        let path = place.join("state");
        plant(what, &path, &outside);
        let before = (identity(&path), outside.state());
        for (how, error) in writes(&place, "state") {
            assert_eq!(error.refused(), Some(Refused::NotAFile), "{what}: {how}: {error}");
            assert_eq!(error.io().kind(), std::io::ErrorKind::InvalidInput);
            assert_eq!((identity(&path), outside.state()), before, "{what}: {how}");
        }
        let refused = Disk::new().new_folder(&path).unwrap_err();
        assert_eq!(refused.refused(), Some(Refused::Exists), "{what}");
        assert_eq!(fs::read_dir(&*place).unwrap().count(), 2, "{what}");
    }
}

/// The other name of a file keeps what it has: a new file takes the place of the first name alone, and nothing is
/// appended to a file, cut off of it or wiped that has another name.
#[test]
fn the_other_name_of_a_file_keeps_its_bytes() {
    let (place, outside) = (Place::new("hard"), Place::new("hard-outside"));
    let victim = outside.write("victim", "mine");
    let is_mine = || assert_eq!(outside.state(), expected(&[("victim", "mine")]));
    let path = place.join("state");
    let plant = || fs::hard_link(&victim, &path).unwrap();
    for disk in [Disk::new(), Disk::new().with_names_only()] {
        plant();
        disk.replace(&path, Readers::All, write).unwrap();
        is_mine();
        assert_eq!(fs::read(&path).unwrap(), b"planted");
        fs::remove_file(&path).unwrap();
    }
    plant();
    let locked = lock(&place).unwrap();
    let mut change = locked.change().unwrap();
    change.file("state", Readers::All, b"planted").unwrap();
    change.commit().unwrap();
    is_mine();
    assert_eq!(fs::read(&path).unwrap(), b"planted");
    fs::remove_file(&path).unwrap();
    plant();
    let refused = locked.change().unwrap().append("state", 4, b"planted").unwrap_err();
    assert_eq!(refused.refused(), Some(Refused::Linked), "{refused}");
    assert!(!refused.next().is_empty() && refused.to_string().contains("hard link"));
    assert_eq!(Disk::new().doomed(&path).unwrap_err().refused(), Some(Refused::Linked));
    is_mine();
    // It is planted after a crash, before the journal is done.
    drop(locked);
    with_journal(&place, b"{\"appends\":[{\"at\":2,\"bytes\":7,\"file\":\"state\"}],\"files\":[]}\nplanted");
    assert_eq!(lock(&place).unwrap_err().refused(), Some(Refused::Linked));
    is_mine();
    // Without it, the change is finished.
    fs::remove_file(&path).unwrap();
    fs::write(&path, "mi").unwrap();
    lock(&place).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"miplanted");
    is_mine();
}

/// Journals of the present form, and of the earlier ones.
fn journals(name: &str) -> [Vec<u8>; 5] {
    let append = format!("{{\"appends\":[{{\"at\":0,\"bytes\":7,\"file\":{name:?}}}],\"files\":[]}}\nplanted");
    let file = format!("{{\"appends\":[],\"files\":[{name:?}]}}\n");
    let old = format!("{{\"append\":null,\"at\":null,\"files\":[{name:?}]}}");
    let both = format!("{{\"append\":\"planted\",\"at\":0,\"files\":[\"fine\",{name:?}]}}");
    let put = format!("{{\"bytes\":7,\"file\":{name:?},\"readers\":\"all\"}}");
    let put = format!("{{\"appends\":[],\"files\":[],\"puts\":[{put}]}}\nplanted");
    [append, file, old, both, put].map(String::into_bytes)
}

fn with_journal(place: &Place, journal: &[u8]) -> PathBuf {
    place.write("staged/0", "planted");
    place.write("staged/1", "planted");
    place.write("journal", journal)
}

/// A folder that somebody handed over: its journal takes the place of nothing that is no file.
#[test]
fn a_journal_replaces_nothing_but_files() {
    for what in PLANTED {
        for (index, journal) in journals("state").into_iter().enumerate() {
            let (place, outside) = (Place::new("recover"), Place::new("recover-outside"));
            let path = place.join("state");
            plant(what, &path, &outside);
            let before = (identity(&path), outside.state());
            with_journal(&place, &journal);
            for hold in [Hold::Exclusive, Hold::Shared] {
                let error = Disk::new().lock(&place, hold, Duration::ZERO).unwrap_err();
                assert_eq!(error.refused(), Some(Refused::NotAFile), "{what} {index}");
            }
            assert_eq!((identity(&path), outside.state()), before, "{what} {index}");
            assert!(!place.join("fine").exists() && !place.join("chain.jsonl").exists(), "{what} {index}");
        }
    }
}

/// It reaches nothing outside of the folder, through no name and no link, and not the folder's own files.
#[test]
fn a_journal_reaches_nothing_outside() {
    let outside = Place::new("journal-outside");
    let victim = outside.write("victim", "mine");
    let absolute = victim.to_str().unwrap();
    let names = [
        "../planted",
        "",
        "/",
        ".",
        "..",
        "a/../../planted",
        "linked/planted",
        "linked/in/planted",
        absolute,
        "lock",
        "journal",
        "staged/1",
        "a//b",
        "a/",
        "./a",
        "linked",
        "file/planted",
        "pipe/planted",
    ];
    for name in names {
        for (index, journal) in journals(name).into_iter().enumerate() {
            let place = Place::new("journal");
            symlink(&*outside, place.join("linked")).unwrap();
            plant("pipe", &place.join("pipe"), &outside);
            place.write("file", "a file");
            with_journal(&place, &journal);
            let error = lock(&place).unwrap_err();
            assert!(error.refused().is_some(), "{name:?} {index}: {error}");
            assert!(!error.next().is_empty());
            assert_eq!(outside.state(), expected(&[("victim", "mine")]), "{name:?} {index}");
            let left = [("file", "a file"), ("staged/0", "planted"), ("staged/1", "planted")];
            for (name, content) in left {
                assert_eq!(fs::read_to_string(place.join(name)).unwrap(), content, "{name:?} {index}");
            }
            // A change does not reach there either.
            for file in ["staged", "journal"] {
                let path = place.join(file);
                if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
            }
            let locked = lock(&place).unwrap();
            let file = locked.change().unwrap().file(name, Readers::All, b"planted").unwrap_err();
            let append = locked.change().unwrap().append(name, 0, b"planted").unwrap_err();
            let put = locked.change().unwrap().put(name, Readers::All, b"planted").unwrap_err();
            for error in [file, append, put] {
                let refused = error.refused().unwrap();
                let linked = name.starts_with("linked/") || ["file/planted", "pipe/planted"].contains(&name);
                let expected = match name {
                    _ if linked => Refused::NotAFolder,
                    "linked" => Refused::NotAFile,
                    _ => Refused::Outside,
                };
                assert_eq!(refused, expected, "{name:?}");
            }
        }
    }
    let place = Place::new("journal-good");
    let [_, file, _, _, put] = journals("keys/ana.pem");
    for journal in [file, put] {
        with_journal(&place, &journal);
        lock(&place).unwrap();
        let made = [("lock", ""), ("keys/", ""), ("keys/ana.pem", "planted")];
        assert_eq!(place.state(), expected(&made));
    }
}

#[test]
fn a_journal_that_is_none_does_nothing() {
    let good = "{\"appends\":[{\"at\":4,\"bytes\":3,\"file\":\"lines\"}],\"files\":[]}\nnew";
    let puts = "{\"appends\":[],\"files\":[],\"puts\":[{\"bytes\":3,\"file\":\"lines\",\"readers\":\"all\"}]}\nnew";
    let journals = [
        puts.replace("\nnew", "\nne"),
        puts.replace("\nnew", "\nnewer"),
        puts.replace("\"bytes\":3", "\"bytes\":-3"),
        puts.replace("\"all\"", "\"all\",\"more\":1"),
        puts.replace("\"all\"", "\"nobody\""),
        puts.replace(",\"readers\":\"all\"", ""),
        puts.replace(":3", &format!(":{}", i64::MAX)),
        String::new(),
        "{}".to_owned(),
        "[]\n".to_owned(),
        good.replace("\nnew", "\nne"),
        good.replace("\nnew", "\nnewer"),
        good.replace("\nnew", ""),
        good.replace("\"at\":4", "\"at\":-4"),
        good.replace("\"bytes\":3", "\"bytes\":-3"),
        good.replace("\"bytes\":3", "\"bytes\":3,\"more\":1"),
        good.replace("\"files\":[]", "\"files\":[1]"),
        good.replace("\"files\":[]", "\"files\":[],\"more\":[]"),
        "{\"append\":\"new\",\"at\":null,\"files\":[]}".to_owned(),
        "{\"append\":null,\"at\":4,\"files\":[]}".to_owned(),
        "{\"append\":\"new\",\"at\":-1,\"files\":[]}".to_owned(),
        "{\"append\":\"new\",\"at\":4}".to_owned(),
    ];
    for journal in journals {
        let place = Place::new("no-journal");
        place.write("lines", "old\n");
        place.write("journal", &journal);
        let error = lock(&place).unwrap_err();
        assert_eq!(error.refused(), Some(Refused::Journal), "{journal:?}");
        assert_eq!(fs::read(place.join("lines")).unwrap(), b"old\n");
    }
    // Of a file that has fewer bytes than it must have, or more than it gets, nobody knows what they are.
    for (lines, refused) in
        [("old", true), ("old\n", false), ("old\nne", false), ("old\nnew", false), ("old\nnewer", true)]
    {
        let place = Place::new("journal-length");
        place.write("lines", lines);
        place.write("journal", good);
        if refused {
            assert_eq!(lock(&place).unwrap_err().refused(), Some(Refused::Length), "{lines:?}");
        } else {
            lock(&place).unwrap();
            assert_eq!(place.state(), expected(&[("lines", "old\nnew"), ("lock", "")]), "{lines:?}");
        }
    }
    for names in ["\"a\",\"a/b\"", "\"lines\""] {
        let place = Place::new("journal-twice");
        place.write("lines", "old\n");
        place.write("staged/0", "");
        place.write("staged/1", "");
        place.write("journal", good.replace("\"files\":[]", &format!("\"files\":[{names}]")));
        assert_eq!(lock(&place).unwrap_err().refused(), Some(Refused::Twice), "{names}");
        assert_eq!(fs::read(place.join("lines")).unwrap(), b"old\n");
    }
    for other in
        ["\"appends\":[{\"at\":4,\"bytes\":0,\"file\":\"lines\"}],\"files\":[]", "\"appends\":[],\"files\":[\"lines\"]"]
    {
        let place = Place::new("journal-twice");
        place.write("lines", "old\n");
        place.write("staged/0", "");
        place.write("journal", puts.replace("\"appends\":[],\"files\":[]", other));
        assert_eq!(lock(&place).unwrap_err().refused(), Some(Refused::Twice), "{other}");
        assert_eq!(fs::read(place.join("lines")).unwrap(), b"old\n");
    }
    let place = Place::new("journal-gone");
    place.write("journal", "{\"appends\":[],\"files\":[\"gone\"]}\n");
    assert_eq!(lock(&place).unwrap_err().refused(), Some(Refused::Gone));
}

/// What earlier versions wrote down is done by this one.
#[test]
fn an_earlier_journal_is_finished() {
    for chain in ["old\n", "old\nn", "old\nnew\n"] {
        let place = Place::new("earlier");
        place.write("chain.jsonl", chain);
        place.write("staged/0", "a ring");
        place.write("staged/1", "a key");
        let files = "[\"ring.json\",\"keys/ana.pem\"]";
        place.write("journal", format!("{{\"append\":\"new\\n\",\"at\":4,\"files\":{files}}}"));
        drop(Disk::new().lock(&place, Hold::Shared, Duration::ZERO).unwrap());
        let mut state = place.state();
        state.remove("lock");
        let files = [("chain.jsonl", "old\nnew\n"), ("keys/", ""), ("keys/ana.pem", "a key"), ("ring.json", "a ring")];
        assert_eq!(state, expected(&files), "{chain:?}");
    }
    // A home folder that was being founded.
    let place = Place::new("founded");
    place.write("staged/0", "a ring");
    place.write("journal", "{\"append\":\"\",\"at\":0,\"files\":[\"ring.json\"]}");
    lock(&place).unwrap();
    assert_eq!(place.state(), expected(&[("chain.jsonl", ""), ("lock", ""), ("ring.json", "a ring")]));
    // What was only staged is cleared.
    place.write("staged/0", "another ring");
    lock(&place).unwrap();
    assert_eq!(place.state().len(), 3);
}

/// The folder's own names are no way out either, and nobody waits for a pipe.
#[test]
fn the_names_of_the_folder_itself_are_files() {
    for what in PLANTED {
        for name in ["lock", "journal", "staged"] {
            let (place, outside) = (Place::new("own"), Place::new("own-outside"));
            let path = place.join(name);
            plant(what, &path, &outside);
            let before = (identity(&path), outside.state());
            let error = match (what, name) {
                // It is what a crash leaves, and goes away.
                ("folder", "staged") => {
                    lock(&place).unwrap();
                    continue;
                }
                _ => lock(&place).unwrap_err(),
            };
            let expected = if name == "staged" { Refused::NotAFolder } else { Refused::NotAFile };
            assert_eq!(error.refused(), Some(expected), "{what} {name}: {error}");
            assert_eq!((identity(&path), outside.state()), before, "{what} {name}");
        }
    }
    // What lies in the staged folder is not followed where it is cleared.
    let (place, outside) = (Place::new("own-staged"), Place::new("own-staged-outside"));
    outside.write("victim", "mine");
    fs::create_dir(place.join("staged")).unwrap();
    symlink(&*outside, place.join("staged/0")).unwrap();
    lock(&place).unwrap();
    assert_eq!(outside.state(), expected(&[("victim", "mine")]));
    // Nor is it given a name.
    place.write("journal", "{\"appends\":[],\"files\":[\"a\"]}\n");
    plant(
        "link",
        &{
            fs::create_dir(place.join("staged")).unwrap();
            place.join("staged/0")
        },
        &outside,
    );
    assert_eq!(lock(&place).unwrap_err().refused(), Some(Refused::NotAFile));
}

/// A name that is drawn is not foreseen; a file that waits under a fixed one is not filled.
#[test]
fn nothing_waits_where_a_file_is_written() {
    let place = Place::new("waiting");
    let outside = Place::new("waiting-outside");
    for name in ["state.unfinished", ".state.unfinished"] {
        symlink(outside.join("nothing"), place.join(name)).unwrap();
    }
    Disk::new().with_names_only().replace(&place.join("state"), Readers::Owner, write).unwrap();
    assert_eq!(fs::read(place.join("state")).unwrap(), b"planted");
    assert_eq!(fs::metadata(place.join("state")).unwrap().mode() & 0o777, 0o600);
    assert!(outside.state().is_empty());
    // What only looks like what this module leaves stays.
    Disk::new().clear_unfinished(&place).unwrap();
    assert!(place.join("state.unfinished").symlink_metadata().unwrap().is_symlink());
}

/// The folders above a name are what the caller chose, links included.
#[test]
fn the_way_to_a_file_may_have_links() {
    let (place, outside) = (Place::new("way"), Place::new("way-outside"));
    symlink(&*outside, place.join("linked")).unwrap();
    Disk::new().replace(&place.join("linked/state"), Readers::All, write).unwrap();
    Disk::new().make_folder(&place.join("linked/a/b"), Readers::All).unwrap();
    assert_eq!(outside.state(), expected(&[("state", "planted"), ("a/", ""), ("a/b/", "")]));
    for name in ["/", "..", ""] {
        for refused in [
            Disk::new().new_file(Path::new(name), Readers::All, Existing::Replaced).unwrap_err(),
            Disk::new().new_folder(Path::new(name)).unwrap_err(),
        ] {
            assert_eq!(refused.refused(), Some(Refused::NoName), "{name:?}");
        }
    }
    place.write("file", "");
    let refused = Disk::new().make_folder(&place.join("file/a"), Readers::All).unwrap_err();
    assert!(refused.refused() == Some(Refused::NotAFolder) || refused.io().kind() == std::io::ErrorKind::NotADirectory);
    assert!(!fs::symlink_metadata("/dev/null").unwrap().file_type().is_file());
    assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device());
}
