//! Two writers at once, writers that are killed, and homes that cannot be written to.

use crate::run::{DUALSEAL, Place};
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn entries(place: &Place) -> usize {
    usize::try_from(place.json(&["chain", "check"])["size"].as_u64().unwrap()).unwrap()
}

#[test]
fn writers_wait_for_one_another() {
    let place = Place::with_ana("two-writers");
    let mut children = Vec::new();
    for index in 0..8 {
        let name = format!("document-{index}");
        place.write(&name, &name);
        let mut command = place.command(&["sign", &name, "--lock-wait=60"]);
        children.push(command.stdout(Stdio::null()).spawn().unwrap());
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(entries(&place), 9);
    for index in 0..8 {
        place.good(&["verify", &format!("document-{index}.sig.json")]);
    }
}

#[test]
fn a_held_lock_is_waited_for_only_so_long() {
    let place = Place::with_ana("held");
    let lock = File::open(place.path("home/lock")).unwrap();
    fs4::FileExt::lock(&lock).unwrap();
    place.refused(&["sign", "contract.pdf", "--lock-wait=0"], 75, "another process is writing");
    place.refused(&["key", "show", "--lock-wait=0"], 75, "another process is writing");
    assert!(!place.path("contract.pdf.sig.json").exists());
    drop(lock);
    place.good(&["sign", "contract.pdf", "--lock-wait=0"]);
}

/// Killed at any moment, by whatever signal, the home folder is what it was or what it was to become, and the record of
/// every entry is there.
#[test]
fn nothing_is_lost_when_a_writer_is_killed() {
    let place = Place::with_ana("killed");
    let start = Instant::now();
    place.good(&["sign", "contract.pdf"]);
    let takes = start.elapsed().max(Duration::from_millis(8));
    let (mut done, mut killed) = (0, 0);
    for round in 0..60 {
        let mut command = place.command(&["sign", "contract.pdf", "--force"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(takes * (round % 30) / 20);
        if round % 10 == 9 {
            // This one is left alone.
        } else if round % 2 == 0 {
            child.kill().unwrap();
        } else {
            let pid = child.id().to_string();
            Command::new("kill").args(["-INT", &pid]).stderr(Stdio::null()).status().unwrap();
        }
        if child.wait().unwrap().success() {
            done += 1;
        } else {
            killed += 1;
        }
        if round % 5 == 4 {
            let signed = entries(&place) - 1;
            assert_eq!(fs::read_dir(place.path("home/records")).unwrap().count(), signed);
            place.good(&["verify", "contract.pdf.sig.json"]);
        }
    }
    assert!(done > 0 && killed > 0, "{done} {killed}");
    place.good(&["sign", "contract.pdf", "--force"]);
    assert!(!place.path("home/staged").exists() && !place.path("home/journal").exists());
    // A checkpoint covers all of it, and the ring is the one that the chain vouches for.
    place.good(&["checkpoint", "sign", "-o", "c.json"]);
    place.good(&["chain", "check", "--with-ring"]);
}

/// Runs as somebody who may not write there: root may write anywhere.
#[test]
fn a_read_only_home_is_read() {
    let place = Place::with_records("read-only");
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    let nobody = 65_534;
    let root = fs::metadata("/proc/self").unwrap();
    let root = std::os::unix::fs::MetadataExt::uid(&root) == 0;
    let program = place.path("dualseal");
    // By a process of its own: a program that this one still holds open for writing, through a child that another test
    // is just starting, cannot be run.
    assert!(Command::new("cp").arg(DUALSEAL).arg(&program).status().unwrap().success());
    let mut folders = vec![place.path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if root {
                chown(&path, Some(nobody), Some(nobody)).unwrap();
            }
        }
        if root {
            chown(&folder, Some(nobody), Some(nobody)).unwrap();
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    }
    let run = |args: &[&str]| {
        let mut command = Command::new(&program);
        if root {
            command.uid(nobody).gid(nobody);
        }
        let output = command.args(args).current_dir(place.path("")).env("DUALSEAL_HOME", place.path("home")).output();
        let output = output.unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for args in [
        &["key", "show"][..],
        &["chain", "check", "--with-ring"],
        &["verify", "contract.pdf.sig.json"],
        &["vault", "verify"],
        &["vault", "list"],
    ] {
        assert_eq!(run(args), (0, String::new()), "{args:?}");
    }
    for args in [
        &["sign", "contract.pdf", "--force"][..],
        &["key", "rotate", "ana"],
        &["chain", "append", "x"],
        &["vault", "init", "--ledger=other"],
        &["vault", "seal", "contract.pdf"],
        &["vault", "erase", "0", "--yes"],
    ] {
        let (status, told) = run(args);
        assert_eq!(status, 73, "{args:?}: {told}");
        assert!(told.contains("name a place that you may write to; nothing was changed"), "{told}");
    }
    let mut folders = vec![place.path("")];
    while let Some(folder) = folders.pop() {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        folders.extend(fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|path| path.is_dir()));
    }
}
