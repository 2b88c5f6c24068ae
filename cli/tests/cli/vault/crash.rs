//! Writers that are killed, that meet a full disk, and that are several.

use crate::run::Place;
use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn records(place: &Place) -> usize {
    let verified = place.json(&["vault", "verify"]);
    assert_eq!(verified["status"], 0, "{verified}");
    usize::try_from(verified["records"].as_u64().unwrap()).unwrap()
}

/// Killed at any moment, the ledger verifies, its secrets and stored bytes are those of its records, and the next
/// document goes in after them.
#[test]
fn nothing_is_lost_when_a_seal_is_killed() {
    let place = Place::with_vault("vault-killed");
    let document = vec![5; 3 << 20];
    place.write("large", &document);
    let start = Instant::now();
    place.good(&["vault", "seal", "large"]);
    let takes = start.elapsed().max(Duration::from_millis(8));
    let (mut done, mut killed) = (0, 0);
    for round in 0..40 {
        let mut command = place.command(&["vault", "seal", "large"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // One in twenty is let alone, however slow the machine is.
        if round % 20 != 19 {
            std::thread::sleep(takes * (round % 20) / 14);
            child.kill().unwrap();
        }
        if child.wait().unwrap().success() {
            done += 1;
        } else {
            killed += 1;
        }
        if round % 10 == 9 {
            // Killed between a record and its checkpoint, one is signed later.
            place.good(&["checkpoint", "sign", "-o", "checkpoint.json", "--force"]);
            let count = records(&place);
            for folder in ["records", "stored"] {
                let files = fs::read_dir(place.path(format!("home/vaults/main/{folder}"))).unwrap().count();
                assert_eq!(files, count, "{folder}");
            }
            let last = (count - 1).to_string();
            place.good(&["vault", "unseal", &last, "-o", "last", "--force"]);
            assert!(fs::read(place.path("last")).unwrap() == document);
        }
    }
    assert!(done > 0 && killed > 0, "{done} {killed}");
    place.good(&["vault", "seal", "contract.pdf"]);
    assert!(!place.path("home/staged").exists() && !place.path("home/journal").exists());
    place.good(&["chain", "check", "--with-ring"]);
    records(&place);
}

/// Killed while it erases, a record is erased and says so, or neither.
#[test]
fn an_erasure_happens_as_a_whole() {
    let place = Place::with_vault("vault-erase-killed");
    let start = Instant::now();
    records(&place);
    let takes = start.elapsed().max(Duration::from_millis(8));
    for round in 0..24 {
        let seq = place.json(&["vault", "seal", "contract.pdf"])["record"].as_u64().unwrap();
        let which = seq.to_string();
        let mut command = place.command(&["vault", "erase", &which, "--yes"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(takes * (round % 12) / 8);
        child.kill().unwrap();
        child.wait().unwrap();
        let list = place.json(&["vault", "list"]);
        let said = list["records"].as_array().unwrap().len() as u64 > seq + 1;
        let state = list["records"][usize::try_from(seq).unwrap()]["state"].as_str().unwrap().to_owned();
        // The checkpoint over it is signed after it.
        let expected = if said { &["erased", "erased, not covered"][..] } else { &["encrypted"] };
        assert!(expected.contains(&state.as_str()), "{round}: {state}");
        let out = place.run(&["vault", "unseal", &which, "-o", "out", "--force"]);
        assert_eq!(out.status, if said { 77 } else { 0 }, "{round}: {out:?}");
    }
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json", "--force"]);
    records(&place);
}

/// What was written stays, and an erased secret is overwritten, whatever becomes of the checkpoint.
#[test]
#[cfg(unix)]
fn what_is_written_stays_without_its_checkpoint() {
    let place = Place::with_vault("vault-uncovered");
    place.good(&["vault", "seal", "deed.pdf"]);
    let secret = "home/vaults/main/secrets/000002.key";
    let mut was = fs::File::open(place.path(secret)).unwrap();
    place.write("home/note.key", "no key");
    let sealed = place.json(&["vault", "seal", "contract.pdf"]);
    assert_eq!((&sealed["status"], &sealed["record"], &sealed["checkpoint"]), (&0.into(), &3.into(), &false.into()));
    assert!(sealed["notes"].to_string().contains("IT IS WRITTEN"), "{sealed}");
    let erased = place.json(&["vault", "erase", "2", "--yes"]);
    assert_eq!((&erased["status"], &erased["checkpoint"]), (&0.into(), &false.into()), "{erased}");
    assert!(erased["notes"].to_string().contains("IT IS WRITTEN"), "{erased}");
    let mut left = Vec::new();
    was.read_to_end(&mut left).unwrap();
    assert!(!left.is_empty() && left.iter().all(|byte| *byte == 0));
}

/// What comes out has its name when all of it was found to hold: not when it is killed, nor when the disk is full.
#[test]
fn no_partial_output_is_left() {
    let place = Place::with_vault("vault-partial");
    place.write("large", vec![9; 8 << 20]);
    place.good(&["vault", "seal", "large"]);
    let ran = place.shell("trap '' XFSZ; ulimit -f 1024; dualseal vault unseal 2 -o out");
    assert!(ran.status == 73 && ran.err.contains("free some space"), "{ran:?}");
    let left =
        |place: &Place| fs::read_dir(place.path("")).unwrap().map(|e| e.unwrap().file_name()).collect::<Vec<_>>();
    assert!(!left(&place).iter().any(|name| name.to_string_lossy().contains("out")), "{:?}", left(&place));
    for round in 0..12 {
        let mut child = place.command(&["vault", "unseal", "2", "-o", "out"]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round * 8));
        child.kill().unwrap();
        child.wait().unwrap();
        let whole = fs::metadata(place.path("out")).map(|metadata| metadata.len());
        assert!(whole.as_ref().map_or(true, |length| *length == 8 << 20), "{whole:?}");
        let _ = fs::remove_file(place.path("out"));
    }
    // Sealing on a full disk changes nothing.
    let before = records(&place);
    let ran = place.shell("trap '' XFSZ; ulimit -f 1024; dualseal vault seal large");
    assert!(ran.status == 73 && ran.err.contains("free some space"), "{ran:?}");
    assert_eq!(records(&place), before);
}

#[test]
fn two_writers_take_turns() {
    let place = Place::with_vault("vault-writers");
    let mut children = Vec::new();
    for index in 0..6 {
        let name = format!("document-{index}");
        place.write(&name, &name);
        let mut command = place.command(&["vault", "seal", &name, "--lock-wait=60"]);
        children.push(command.stdout(Stdio::null()).spawn().unwrap());
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(records(&place), 8);
    let lock = fs::File::open(place.path("home/lock")).unwrap();
    fs4::FileExt::lock(&lock).unwrap();
    place.refused(&["vault", "seal", "contract.pdf", "--lock-wait=0"], 75, "another process is writing");
    drop(lock);
    assert_eq!(records(&place), 8);
}
