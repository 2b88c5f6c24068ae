//! The power goes at each operation of a disk.

use super::*;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dualseal-disk-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).unwrap();
    path
}

/// Whenever the power goes, the old text is there or the new one, whole.
#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = folder("replace");
    let path = folder.join("state");
    let write = |disk: &Disk, text: &str| {
        disk.replace(&path, Readers::Owner, |file| {
            for part in text.as_bytes().chunks(3) {
                file.write_all(part)?;
            }
            Ok(())
        })
    };
    write(&Disk::new(), "the old text").unwrap();
    let mut operations = 0;
    while write(&Disk::with_power_for(operations), "another text").is_err() {
        let found = fs::read_to_string(&path).unwrap();
        assert!(found == "the old text" || found == "another text", "after {operations}: {found:?}");
        operations += 1;
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "another text");
    assert!(operations >= 7, "{operations}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_is_there_as_a_whole() {
    let folder = folder("commit");
    let path = folder.join("000001");
    let make = |disk: &Disk| {
        let new = disk.begin_folder(&path)?;
        new.write("a", "first", Readers::All)?;
        new.write("b", "second", Readers::Owner)?;
        new.commit()
    };
    let mut operations = 0;
    while make(&Disk::with_power_for(operations)).is_err() {
        if path.exists() {
            assert_eq!(fs::read_to_string(path.join("b")).unwrap(), "second", "after {operations}");
            fs::remove_dir_all(&path).unwrap();
        }
        operations += 1;
    }
    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "first");
    assert!(make(&Disk::new()).unwrap_err().to_string().contains("exists already"));
    fs::create_dir(folder.join("x.unfinished")).unwrap();
    fs::write(folder.join("y.unfinished"), "").unwrap();
    Disk::new().remove_unfinished(&folder).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert!(Disk::new().remove(&path.join("a")).unwrap() && !Disk::new().remove(&path.join("a")).unwrap());
    fs::remove_dir_all(folder).unwrap();
}

/// The disk of the tests would find a writer that renames before it forces.
#[test]
fn what_is_not_forced_is_lost() {
    let folder = folder("unforced");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let disk = Disk::with_power_for(4);
    let mut file = disk.create(&from, Readers::All).unwrap();
    file.write_all(b"text").unwrap();
    disk.rename(&from, &to).unwrap();
    assert!(disk.remove(&to).is_err());
    assert_eq!(fs::read(&to).unwrap(), b"");
    fs::remove_dir_all(folder).unwrap();
}
