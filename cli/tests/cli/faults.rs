//! What the machine does wrong: full disks, broken pipes, no terminal, names that are not UTF-8, sizes.

use crate::run::Place;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Nobody reads the answer: no noise, and the status stands.
#[test]
fn a_broken_pipe_is_quiet() {
    let place = Place::with_records("pipe");
    for (line, status) in [
        ("chain show", 0),
        ("key export", 0),
        ("completions bash", 0),
        ("--help", 0),
        ("verify contract.pdf.sig.json ana.pem", 1),
    ] {
        // The reader is gone before the program writes; the status is written to a file because the pipe hides it.
        let line = format!("{{ sleep 0.3; dualseal {line}; echo $? >status; }} 2>err | true");
        place.shell(&line);
        assert_eq!(place.read("status").trim(), status.to_string(), "{line}");
        let told = place.read("err");
        assert!(!told.contains("error") && !told.contains("panicked"), "{line}: {told}");
    }
}

/// A full disk changes nothing: `/dev/full` for the answer, a limit on the size of files for the home folder.
#[test]
fn a_full_disk_changes_nothing() {
    let place = Place::with_ana("full");
    let ran = place.shell("dualseal key show >/dev/full");
    assert_eq!((ran.status, ran.err.contains("could not be printed")), (73, true), "{ran:?}");
    let ran = place.shell("dualseal key export -o - >/dev/full");
    assert_eq!((ran.status, ran.err.contains("next: ")), (73, true), "{ran:?}");
    let before = snapshot(&place);
    let same = |command: &str| assert!(snapshot(&place) == before, "{command} changed the home folder");
    // A record has some 11 KiB, a seal 7, the ring 8: of blocks of 512 bytes or 1 KiB, four are too few.
    for command in ["sign contract.pdf", "seal contract.pdf", "key rotate ana", "checkpoint sign -o c.json"] {
        let ran = place.shell(&format!("trap '' XFSZ; ulimit -f 4; dualseal {command}"));
        assert_eq!(ran.status, 73, "{command}: {ran:?}");
        assert!(ran.err.contains("free some space"), "{command}: {ran:?}");
        place.good(&["chain", "check"]);
        same(command);
        // The signal that is not caught kills it in the middle of a write.
        let ran = place.shell(&format!("ulimit -c 0; ulimit -f 4; dualseal {command}"));
        assert_ne!(ran.status, 0, "{command}: {ran:?}");
        place.good(&["chain", "append", "the disk has room again"]);
        let entries = place.json(&["chain", "check"])["size"].as_u64().unwrap();
        fs::remove_dir_all(place.path("home")).unwrap();
        restore(&place, &before);
        assert!(entries <= 3, "{command}: {entries}");
    }
    place.good(&["sign", "contract.pdf"]);
}

fn snapshot(place: &Place) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![place.path("home")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(place.path("")).unwrap().to_str().unwrap().to_owned();
                files.push((name, fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn restore(place: &Place, files: &[(String, Vec<u8>)]) {
    use std::os::unix::fs::PermissionsExt;
    for (name, content) in files {
        fs::create_dir_all(place.path(name).parent().unwrap()).unwrap();
        place.write(name, content);
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// Colours are for terminals; `--color always` says otherwise, `NO_COLOR` does not stop it.
#[test]
fn no_terminal_no_colours() {
    let place = Place::with_records("colour");
    for args in [
        "key show",
        "verify contract.pdf.sig.json",
        "verify none --key ana.pem",
        "verify contract.pdf.sig.json ana.pem",
    ] {
        let ran = place.shell(&format!("dualseal {args}"));
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{args}: {ran:?}");
        let ran = place.shell(&format!("dualseal {args} --color always"));
        assert!(ran.out.contains('\u{1b}') || ran.err.contains('\u{1b}'), "{args}: {ran:?}");
    }
}

#[test]
fn names_that_are_not_utf8() {
    let place = Place::with_ana("names");
    let document = Path::new(OsStr::from_bytes(b"uge\xf0vor \xff.pdf"));
    let record = Path::new(OsStr::from_bytes(b"uge\xf0vor \xff.pdf.sig.json"));
    place.write(document, "one contract");
    let ran = place.run(&[OsStr::new("sign"), document.as_os_str()]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(place.path(record).exists());
    let ran = place.run(&[OsStr::new("verify"), record.as_os_str()]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let ran = place.run(&[OsStr::new("inspect"), record.as_os_str(), OsStr::new("--json")]);
    assert_eq!(ran.status, 0, "{ran:?}");
    serde_json::from_str::<serde_json::Value>(&ran.out).unwrap();
    let ran = place.run(&[OsStr::new("key"), OsStr::new("new"), OsStr::from_bytes(b"\xff")]);
    assert_eq!(ran.status, 64, "{ran:?}");
}

/// Empty, and large: 64 MiB, or as many MiB as `DUALSEAL_CLI_MIB` says.
#[test]
fn documents_of_any_size() {
    let place = Place::with_ana("sizes");
    let mebibytes = std::env::var("DUALSEAL_CLI_MIB").map_or(64, |text| text.parse::<u64>().unwrap());
    place.write("empty", "");
    File::create(place.path("large")).unwrap().set_len(mebibytes << 20).unwrap();
    for name in ["empty", "large"] {
        place.good(&["sign", name]);
        place.good(&["seal", name]);
        place.good(&["verify", &format!("{name}.sig.json")]);
        place.good(&["verify", &format!("{name}.seal")]);
    }
    place.refused(&["verify", "large.sig.json", "empty"], 1, "not the one that was signed");
    File::options().write(true).open(place.path("large")).unwrap().set_len((mebibytes << 20) + 1).unwrap();
    place.refused(&["verify", "large.sig.json"], 1, "not the one that was signed");
    place.refused(&["sign", "home"], 64, "changes with every signature");
    place.refused(&["seal", "home"], 64, "changes with every signature");
}
