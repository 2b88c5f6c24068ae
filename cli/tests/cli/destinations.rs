//! Destinations that are no regular files: what is written goes into them, and they stay what they are.

use crate::run::Place;
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::{Child, Command, Stdio};

/// A folder of its own with a pipe in it, and somebody who reads what comes out.
struct Pipe<'a> {
    place: &'a Place,
    reader: Child,
}

impl<'a> Pipe<'a> {
    fn new(place: &'a Place, name: &str) -> Self {
        let path = place.path(name);
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = Command::new("timeout").args(["20", "cat"]).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
        Self { place, reader }
    }

    /// What came out; it is still a pipe, and nothing lies beside it.
    fn read(self, name: &str) -> Vec<u8> {
        let out = self.reader.wait_with_output().unwrap();
        assert!(fs::symlink_metadata(self.place.path(name)).unwrap().file_type().is_fifo(), "{name}");
        for entry in fs::read_dir(self.place.path("")).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(!name.to_string_lossy().contains("unfinished"), "{}", name.display());
        }
        out.stdout
    }
}

#[test]
fn a_pipe_gets_the_bytes_and_stays_a_pipe() {
    let place = Place::with_vault("pipe-out");
    place.good(&["vault", "redact", "0", "-o", "copy.vault.json"]);
    place.good(&["key", "export", "--secret", "-o", "secret.pem"]);
    place.good(&["split", "contract.pdf", "--threshold=2", "--shares=2", "-o", "made"]);
    let expected = |name: &str| fs::read(place.path(name)).unwrap();
    let shares = ["made/share-1.txt", "made/share-2.txt", "--dealing=made/dealing.json"];
    let combine = [&["combine"], &shares[..], &["--wrapped=made/contract.pdf.wrapped"]].concat();
    let cases: [(&[&str], Vec<u8>); 6] = [
        (&["key", "export"], expected("ana.pem")),
        (&["key", "export", "--secret"], expected("secret.pem")),
        (&["vault", "unseal", "0"], b"one contract".to_vec()),
        (&["vault", "redact", "0"], expected("copy.vault.json")),
        (&["combine", "made/share-1.txt", "made/share-2.txt", "--dealing=made/dealing.json", "--secret"], Vec::new()),
        (&combine, b"one contract".to_vec()),
    ];
    for (args, expected) in cases {
        for force in [&["--force"][..], &[]] {
            let pipe = Pipe::new(&place, "pipe");
            let ran = place.run(&[args, &["-o", "pipe"], force].concat());
            assert_eq!(ran.status, 0, "{args:?}: {ran:?}");
            let found = pipe.read("pipe");
            if expected.is_empty() {
                assert_eq!(found.len(), 133, "{args:?}");
            } else {
                assert!(found == expected, "{args:?}");
            }
        }
    }
}

/// What a command makes is there although nobody reads the pipe to its end.
#[test]
fn what_was_made_for_a_pipe_is_kept() {
    let place = Place::with_ana("pipe-made");
    for (command, words) in [("sign", "BEGIN"), ("seal", "SEAL-")] {
        let pipe = Pipe::new(&place, "pipe");
        let answer = place.json(&[command, "contract.pdf", "-o", "pipe", "--force"]);
        assert_eq!(answer["status"], 0, "{answer}");
        let found = String::from_utf8(pipe.read("pipe")).unwrap();
        assert_eq!(found, fs::read_to_string(answer["copy"].as_str().unwrap()).unwrap());
        assert!(command == "sign" || found.starts_with(words));
    }
    assert_eq!(place.json(&["chain", "check"])["size"], 3);
}

#[test]
fn a_link_to_a_pipe_is_followed() {
    let place = Place::with_ana("pipe-link");
    let pipe = Pipe::new(&place, "pipe");
    symlink("pipe", place.path("link")).unwrap();
    place.good(&["key", "export", "-o", "link", "--force"]);
    assert!(pipe.read("pipe").starts_with(b"dualseal-identity: "));
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    // A link to anything else is neither replaced nor followed: who put it there does not choose what is overwritten.
    place.write("precious", "precious");
    for to in ["precious", "nothing"] {
        fs::remove_file(place.path("link")).unwrap();
        symlink(to, place.path("link")).unwrap();
        for force in [&["--force"][..], &[]] {
            place.refused(&[&["key", "export", "-o", "link"], force].concat(), 73, "name a regular file");
        }
        assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    }
    assert_eq!(place.read("precious"), "precious");
    assert!(!place.path("nothing").exists());
}

/// A pipe cannot take back what it was given: nothing goes in before all of it was found to hold.
#[test]
fn a_pipe_gets_nothing_that_does_not_hold() {
    let place = Place::with_ana("pipe-damaged");
    place.write("large", vec![7; 300_000]);
    place.good(&["split", "large", "--threshold=2", "--shares=2", "-o", "made"]);
    let mut wrapped = fs::read(place.path("made/large.wrapped")).unwrap();
    let last = wrapped.len() - 1;
    wrapped[last] ^= 1;
    place.write("made/large.wrapped", wrapped);
    let pipe = Pipe::new(&place, "pipe");
    let shares = ["combine", "made/share-1.txt", "made/share-2.txt", "--dealing=made/dealing.json"];
    let ran = place.run(&[&shares[..], &["--wrapped=made/large.wrapped", "-o", "pipe", "--force"]].concat());
    assert_ne!(ran.status, 0, "{ran:?}");
    // Whoever waits for the pipe is let go.
    fs::OpenOptions::new().write(true).open(place.path("pipe")).unwrap();
    assert_eq!(pipe.read("pipe"), b"");
}

/// Shares make a folder of their own, which takes nothing's place.
#[test]
fn a_pipe_is_no_folder() {
    let place = Place::with_ana("pipe-folder");
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    place.refused(&["split", "contract.pdf", "--threshold=2", "--shares=2", "-o", "pipe"], 73, "already");
    assert!(fs::symlink_metadata(place.path("pipe")).unwrap().file_type().is_fifo());
}

#[test]
fn a_folder_is_no_destination() {
    let place = Place::with_ana("folder-out");
    fs::create_dir(place.path("folder")).unwrap();
    for force in [&["--force"][..], &[]] {
        place.refused(&[&["key", "export", "-o", "folder"], force].concat(), 73, "folder");
    }
    assert!(fs::read_dir(place.path("folder")).unwrap().next().is_none());
}

/// The name that programs give to standard output is no file to be put in another's place.
#[test]
fn standard_output_has_two_names() {
    let place = Place::with_ana("stdout-out");
    // Without --force: nothing that is there is replaced, whatever becomes of this.
    for (file, status) in [("got", 0), ("/dev/full", 73)] {
        let ran = place.shell(&format!("dualseal key export -o /dev/stdout >{file}"));
        assert_eq!(ran.status, status, "{ran:?}");
    }
    assert_eq!(place.read("got"), place.good(&["key", "export"]).out);
    // Other names of what the shell opened are refused where it is a file: they are not to be replaced.
    let ran = place.shell("dualseal key export -o /dev/fd/3 3>got");
    assert!(ran.status == 73 && ran.err.contains("name the file itself"), "{ran:?}");
}
