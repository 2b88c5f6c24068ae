//! The secrets at rest of a folder, against the list of them.

use crate::folder::{act, authority, begun, place};
use crate::log::{Fresh, Log, Person, key, one};
use dualseal::SystemRng;
use dualseal::encoding::hex;
use dualseal::secret::Secret;
use dualseal::store::SecretsEnd;
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::{Folder, FolderError};
use dualseal_operator::opening::SecretsList;
use dualseal_operator::secrets::{self, Master, Vaulted};
use dualseal_operator::step::{Commit, SecretRow};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

#[test]
fn a_secret_is_kept_and_read_in_its_place() {
    let (log, ana, path) = begun("secret");
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let master = Master::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let at = |row: &[u8]| secrets::Place::new("records", row, "vault").unwrap();
    let sealed = Vaulted::seal(&master, at(b"1"), b"a vault secret", &mut SystemRng).unwrap();
    act(&folder, &ana, |step| {
        step.keep(sealed.clone());
        step.append(&ana.id, "with a secret")
    })
    .unwrap();
    let reading = folder.read().unwrap();
    let stored = reading.secret(&at(b"1")).unwrap().unwrap();
    let read: Vaulted = Vaulted::read(at(b"1"), stored).unwrap();
    assert_eq!(read.open(&master).unwrap().as_slice(), b"a vault secret");
    assert_eq!(reading.secret(&at(b"2")).unwrap(), None);
}

/// A log with so many secrets, of which the last two stand in the place of others.
fn with_secrets(name: &str, secrets: u32) -> (Log, Person, Fresh) {
    let (log, ana, path) = begun(name);
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    for number in 0..secrets {
        keep(&folder, &ana, &(number % (secrets - 2)).to_string());
    }
    (log, ana, path)
}

fn keep(folder: &Folder, who: &Person, row: &str) {
    let master = Master::new(&Log::new().domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let secret: Vaulted = Vaulted::seal(&master, secret_place(row), &[7; 32], &mut SystemRng).unwrap();
    act(folder, who, |step| {
        step.keep(secret);
        Ok(())
    })
    .unwrap();
}

fn secret_place(row: &str) -> secrets::Place {
    secrets::Place::new("identities", row.as_bytes(), "seed").unwrap()
}

fn secret_file(path: &Path, row: &str) -> PathBuf {
    path.join("log/secrets").join(hex::encode(&secret_place(row).hash()))
}

/// Among those that were kept last; an audit asks for all.
#[test]
fn an_edited_missing_swapped_or_old_secret_is_named() {
    type Swap = fn(&Path, &Path);
    let edits: [(&str, Swap); 5] = [
        ("secret-other", |file, _| {
            let mut stored = fs::read(file).unwrap();
            stored[80] ^= 1;
            fs::write(file, stored).unwrap();
        }),
        ("secret-other", |file, other| fs::copy(other, file).map(drop).unwrap()),
        ("secret-other", |file, _| fs::copy(file.with_file_name("../../older"), file).map(drop).unwrap()),
        ("secret-other", |file, _| fs::write(file, "").unwrap()),
        ("secret-missing", |file, _| fs::remove_file(file).unwrap()),
    ];
    for (number, (named, edit)) in edits.into_iter().enumerate() {
        let (log, ana, path) = with_secrets(&format!("secrets {number}"), 5);
        let folder = |_: u8| Folder::new(Disk::new(), place(&path, &log), authority());
        fs::copy(secret_file(&path, "0"), path.join("older")).unwrap();
        keep(&folder(0), &ana, "0");
        assert_eq!(folder(0).audit().unwrap().secrets, 3);
        edit(&secret_file(&path, "0"), &secret_file(&path, "1"));
        let refused = act(&folder(1), &ana, |step| step.append(&ana.id, "more")).unwrap_err();
        assert_eq!((refused.name(), refused.commit()), (named, Commit::Not), "{number}");
        assert!(refused.to_string().contains("secrets/") && !refused.advice().is_empty());
        assert_eq!(folder(2).audit().unwrap_err().name(), named, "{number}");
    }
}

/// Opening reads as much of a hundred secrets as of a hundred thousand.
#[test]
fn a_secret_of_long_ago_is_named_by_an_audit() {
    let (log, ana, path) = with_secrets("secrets of long ago", 80);
    let folder = || Folder::new(Disk::new(), place(&path, &log), authority());
    assert_eq!(folder().audit().unwrap().secrets, 78);
    let old = secret_file(&path, "3");
    let sound = fs::read(&old).unwrap();
    fs::write(&old, b"another").unwrap();
    assert!(folder().hold().is_ok());
    assert_eq!(folder().audit().unwrap_err().name(), "secret-other");
    fs::write(&old, sound).unwrap();
    act(&folder(), &ana, |step| step.append(&ana.id, "more")).unwrap();
    folder().audit().unwrap();
}

/// Nor can the list be made to say what somebody put there.
#[test]
fn the_list_of_secrets_is_the_states() {
    let (log, _, path) = with_secrets("secrets list", 70);
    let (list, folder) = (path.join("log/secrets.list"), || Folder::new(Disk::new(), place(&path, &log), authority()));
    let sound = fs::read(&list).unwrap();
    assert_eq!(sound.len(), 70 * 96);
    // The last row; the first that is looked at; the top from which that goes on.
    for at in [69 * 96 + 40, 69 * 96 + 70, 6 * 96, 5 * 96 + 64] {
        let mut edited = sound.clone();
        edited[at] ^= 1;
        fs::write(&list, edited).unwrap();
        assert!(matches!(folder().hold(), Err(FolderError::Broken(named)) if named == list), "{at}");
    }
    for length in [0, 69 * 96, 70 * 96 - 1] {
        fs::write(&list, &sound[..length]).unwrap();
        assert!(matches!(folder().hold(), Err(FolderError::Broken(named)) if named == list), "{length}");
    }
    fs::write(&list, [&sound[..], &sound[..96]].concat()).unwrap();
    assert!(matches!(folder().hold(), Err(FolderError::Broken(named)) if named == list));
    let mut edited = sound.clone();
    edited[30] ^= 1;
    fs::write(&list, edited).unwrap();
    assert!(folder().hold().is_ok());
    assert!(matches!(folder().audit(), Err(FolderError::Broken(named)) if named == list));
    // Made anew, up to its end, for what somebody put there.
    let row = |number: usize| <[[u8; 32]; 3]>::try_from(sound[number * 96..][..96].as_chunks().0).unwrap();
    let before = SecretsEnd { size: 69, top: row(68)[2] };
    let (edited, [named, ..]) = (b"theirs", row(69));
    let stored = SecretRow::listed(edited);
    let forged = [named, stored, before.after(&named, &stored).top];
    fs::write(&list, [&sound[..69 * 96], forged.as_flattened()].concat()).unwrap();
    fs::write(path.join("log/secrets").join(hex::encode(&named)), edited).unwrap();
    assert!(matches!(folder().hold(), Err(FolderError::Broken(named)) if named == list));
    fs::write(&list, &sound).unwrap();
    assert_eq!(folder().hold().unwrap_err().name(), "secret-other");
}

#[test]
fn a_secret_that_is_forgotten_is_wiped_and_does_not_come_back() {
    let (log, ana, path) = with_secrets("secrets forgotten", 4);
    let folder = || Folder::new(Disk::new(), place(&path, &log), authority());
    let file = secret_file(&path, "1");
    let was = fs::read(&file).unwrap();
    act(&folder(), &ana, |step| {
        step.forget(secret_place("1"));
        Ok(())
    })
    .unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"");
    assert_eq!(folder().read().unwrap().secret(&secret_place("1")).unwrap(), None);
    assert_eq!(folder().audit().unwrap().secrets, 1);
    // Without bytes, a file says no more than none.
    fs::remove_file(&file).unwrap();
    folder().audit().unwrap();
    fs::write(&file, was).unwrap();
    assert_eq!(folder().hold().unwrap_err().name(), "secret-other");
}

/// The bytes that stood there are overwritten, and do not only lose their name; unless they have another one, which may
/// be of something else.
#[test]
fn what_a_secret_takes_the_place_of_is_overwritten() {
    let (log, ana, path) = with_secrets("secrets overwritten", 6);
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let [mut forgotten, mut replaced] = ["0", "1"].map(|row| fs::File::open(secret_file(&path, row)).unwrap());
    let (linked, other) = (fs::read(secret_file(&path, "2")).unwrap(), path.join("another name"));
    fs::hard_link(secret_file(&path, "2"), &other).unwrap();
    act(&folder, &ana, |step| {
        step.forget(secret_place("0"));
        step.forget(secret_place("2"));
        Ok(())
    })
    .unwrap();
    keep(&folder, &ana, "1");
    for was in [&mut forgotten, &mut replaced] {
        let mut bytes = Vec::new();
        was.read_to_end(&mut bytes).unwrap();
        assert!(bytes.len() == 116 && bytes.iter().all(|byte| *byte == 0), "{bytes:?}");
    }
    assert_eq!(fs::read(other).unwrap(), linked);
    assert_eq!(folder.audit().unwrap().secrets, 2);
}

/// A folder with it would not be opened again.
#[test]
fn a_secret_that_could_not_be_read_again_is_not_kept() {
    let (log, ana, path) = begun("secret too long");
    let folder = || Folder::new(Disk::new(), place(&path, &log), authority());
    let master = Master::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let sealed: Vaulted = Vaulted::seal(&master, secret_place("long"), &[7; 32], &mut SystemRng).unwrap();
    let mut stored = sealed.into_stored();
    stored.resize((64 << 20) + 1, 0);
    let long: Vaulted = Vaulted::read(secret_place("long"), stored).unwrap();
    let told = act(&folder(), &ana, |step| {
        step.keep(long);
        Ok(())
    });
    let told = told.unwrap_err();
    assert_eq!((told.name(), told.commit()), ("too-long", Commit::Not));
    assert_eq!(folder().hold().unwrap().state().stored().secrets().size, 0);
}

/// Such as the one of another log under the same master.
#[test]
fn a_secret_that_no_step_kept_is_named_by_an_audit() {
    let (log, _, path) = with_secrets("secrets planted", 4);
    let planted = secret_file(&path, "9");
    fs::copy(secret_file(&path, "1"), &planted).unwrap();
    let told = Folder::new(Disk::new(), place(&path, &log), authority()).audit().unwrap_err();
    assert_eq!(told.name(), "secret-other");
    assert!(told.to_string().contains(planted.file_name().unwrap().to_str().unwrap()));
}

/// By a handle too that has opened the folder before, and finds nothing else changed.
#[test]
fn an_old_secret_is_named_where_it_is_read() {
    let (log, ana, path) = with_secrets("secrets read warm", 4);
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let file = secret_file(&path, "1");
    let older = fs::read(&file).unwrap();
    keep(&folder, &ana, "1");
    assert!(folder.read().unwrap().secret(&secret_place("1")).unwrap().is_some());
    fs::write(&file, older).unwrap();
    let told = folder.read().unwrap().secret(&secret_place("1")).unwrap_err();
    assert_eq!(told.name(), "secret-other");
    fs::remove_file(&file).unwrap();
    let told = folder.read().unwrap().secret(&secret_place("1")).unwrap_err();
    assert_eq!(told.name(), "secret-missing");
}

/// However long ago it was kept, and where nothing was kept: no other program than this one looks there.
#[test]
fn what_was_not_kept_in_a_place_is_not_read_there() {
    let (log, ana, path) = with_secrets("secrets read", 140);
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let secret = |row: &str| folder.read().unwrap().secret(&secret_place(row));
    for row in 0..138 {
        let row = row.to_string();
        assert_eq!(secret(&row).unwrap().unwrap(), fs::read(secret_file(&path, &row)).unwrap());
    }
    act(&folder, &ana, |step| {
        step.forget(secret_place("2"));
        step.forget(secret_place("100"));
        Ok(())
    })
    .unwrap();
    // The first rows, and those at the ends of what is read at once.
    for row in ["2", "3", "13", "14", "77", "78", "100", "never kept"] {
        let (file, kept) = (secret_file(&path, row), secret(row).unwrap());
        assert_eq!(kept.is_none(), ["2", "100", "never kept"].contains(&row), "{row}");
        fs::write(&file, b"another").unwrap();
        let told = secret(row).unwrap_err();
        assert_eq!(told.name(), "secret-other", "{row}");
        assert!(told.to_string().contains(file.file_name().unwrap().to_str().unwrap()));
        fs::remove_file(&file).unwrap();
        match kept {
            Some(kept) => {
                assert_eq!(secret(row).unwrap_err().name(), "secret-missing", "{row}");
                fs::write(&file, kept).unwrap();
            }
            None => assert_eq!(secret(row).unwrap(), None, "{row}"),
        }
    }
}

/// Though opening does not look at it.
#[test]
fn a_row_of_long_ago_is_the_states_where_it_is_read() {
    let (log, _, path) = with_secrets("secrets list read", 140);
    let folder = Folder::new(Disk::new(), place(&path, &log), authority());
    let secret = |row: &str| folder.read().unwrap().secret(&secret_place(row));
    let list = path.join("log/secrets.list");
    let sound = fs::read(&list).unwrap();
    // In the place, the stored bytes and the top of a row, in others, and in what is read first, as opening does.
    for at in [2 * 96, 2 * 96 + 32, 2 * 96 + 64, 11 * 96 + 40, 12 * 96 + 95, 75 * 96 + 64, 76 * 96 + 64] {
        let mut edited = sound.clone();
        edited[at] ^= 1;
        fs::write(&list, edited).unwrap();
        for row in ["2", "never kept"] {
            assert!(matches!(secret(row), Err(FolderError::Broken(named)) if named == list), "{at} {row}");
        }
        assert_eq!(secret("137").is_ok(), at < 75 * 96, "{at}");
        fs::write(&list, &sound).unwrap();
        assert!(secret("2").unwrap().is_some(), "{at}");
    }
}

/// As a database keeps it: a row for each secret that a step kept or forgot.
#[test]
fn secrets_are_held_against_a_list_that_ends_where_the_state_says() {
    let log = Log::new();
    let master = Master::new(&log.domain, Secret::from_slice("master", &[3; 32]).unwrap()).unwrap();
    let (mut state, mut kept) = (log.empty(), Vec::new());
    for (row, is_kept) in [("ana", true), ("bo", true), ("ana", true), ("bo", false)] {
        let secret: Vaulted = Vaulted::seal(&master, secret_place(row), &[7; 32], &mut SystemRng).unwrap();
        let done = one(state, &key("ana", 0), |step| {
            if is_kept {
                step.keep(secret);
            } else {
                step.forget(secret_place(row));
            }
            Ok(())
        });
        let ((), after, changes) = done.unwrap();
        assert_eq!(changes.secrets_before.size, kept.len() as u64);
        kept.extend(changes.secrets);
        state = after;
    }
    let rows: Vec<_> = kept.iter().map(|secret| (secret.place().hash(), SecretRow::listed(secret.stored()))).collect();
    let read = |rows: &[([u8; 32], [u8; 32])]| {
        let mut list = SecretsList::new();
        for (place, listed) in rows {
            list.push(place, listed);
        }
        list.finish(&state)
    };
    let (mut swapped, mut edited) = (rows.clone(), rows.clone());
    swapped.swap(0, 1);
    edited[2].1 = rows[0].1;
    for lie in [&rows[..3], &rows[1..], &[], &swapped, &edited, &[&rows[..], &rows[3..]].concat()] {
        assert_eq!(read(lie).unwrap_err().name(), "secrets-other");
    }
    let mut list = read(&rows).unwrap();
    assert_eq!(list.count(), 1);
    assert_eq!(list.missing().collect::<Vec<_>>(), [hex::encode(&secret_place("ana").hash())]);
    let (old, gone, last) = (kept[0].stored(), kept[1].stored(), kept[2].stored());
    let mut check = |row, stored: &[u8]| list.check(&secret_place(row), stored).map_err(|refused| refused.name());
    assert_eq!(check("ana", b""), Err("secret-missing"));
    for (row, stored) in [("ana", old), ("ana", gone), ("bo", gone), ("eva", gone)] {
        assert_eq!(check(row, stored), Err("secret-other"), "{row}");
    }
    for (row, stored) in [("ana", last), ("bo", b""), ("eva", b"")] {
        assert_eq!(check(row, stored), Ok(()), "{row}");
    }
    assert_eq!(list.missing().count(), 0);
}
