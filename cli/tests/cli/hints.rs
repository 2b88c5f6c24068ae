//! What an error says to do next is done, and then the command goes on.

use crate::run::Place;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// The command that a hint names, with its placeholders filled in.
fn named(next: &str) -> String {
    let command = next.split('`').find(|part| part.starts_with("dualseal ")).unwrap_or_else(|| panic!("{next}"));
    command.replace("NAME", "ana").trim().to_owned()
}

#[test]
fn hints_lead_on() {
    let cases: [(&[&str], &[&str], &str); 5] = [
        (&[], &["sign", "contract.pdf"], ""),
        (&["key new ana", "key new bo"], &["sign", "contract.pdf"], ""),
        (&["key new ana", "key state ana suspended"], &["sign", "contract.pdf"], " ana valid"),
        (&["key new ana", "sign contract.pdf"], &["evidence", "make", "contract.pdf.sig.json"], ""),
        (&["key new ana"], &["vault", "list"], ""),
    ];
    for (number, (before, command, more)) in cases.iter().enumerate() {
        let place = Place::new(&format!("hints-{number}"));
        place.write("contract.pdf", "one contract");
        for line in *before {
            place.good(&line.split(' ').collect::<Vec<_>>());
        }
        let failed = place.json(command);
        assert_ne!(failed["status"], 0, "{failed}");
        let next = failed["next"].as_str().unwrap_or_else(|| panic!("{failed}"));
        let line = format!("{}{more}", named(next));
        let ran = place.shell(&line);
        assert_eq!(ran.status, 0, "{command:?}: {next}: {line}: {ran:?}");
        place.good(command);
    }
}

/// Every failure of the program's own says what to do, in words that name something.
#[test]
fn every_failure_says_what_to_do() {
    let place = Place::with_records("hints-every");
    for args in [
        &["sign", "none"][..],
        &["sign", "contract.pdf"],
        &["sign", "contract.pdf", "--as", "x"],
        &["verify", "none.sig.json"],
        &["verify", "ring.json", "contract.pdf"],
        &["verify", "contract.pdf.sig.json", "--key", "contract.pdf"],
        &["audit", "none"],
        &["audit", "contract.pdf"],
        &["key", "rotate", "x"],
        &["key", "export", "x", "-o", "y"],
        &["combine", "contract.pdf", "-o", "x"],
        &["vault", "list"],
        &["chain", "check", "contract.pdf"],
        &["checkpoint", "check", "contract.pdf"],
        &["session", "verify", "contract.pdf", "contract.pdf"],
        &["evidence", "make", "contract.pdf"],
        &["witness", "follow", "none", "--in", "x", "--log", "y"],
        &["--home=none", "sign", "contract.pdf"],
    ] {
        let answer = place.json(args);
        assert_ne!(answer["status"], 0, "{args:?}");
        assert!(answer["next"].as_str().is_some_and(|next| next.len() > 10), "{args:?}: {answer}");
    }
}

/// Bytes of a name that are no text are seen in an error as they are: no two names look alike.
#[test]
fn raw_bytes_of_a_name_are_seen() {
    let place = Place::with_ana("hints-raw");
    let name = OsStr::from_bytes(b"a\xff\x1bb.sig.json");
    for command in ["sign", "seal", "inspect", "audit", "verify"] {
        let ran = place.run(&[OsStr::new(command), name]);
        assert!(ran.status != 0 && ran.err.contains(r"a\xff\u{1b}b"), "{command}: {ran:?}");
        let ran = place.run(&[OsStr::new(command), name, OsStr::new("--json")]);
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        assert!(answer["error"].as_str().unwrap().contains("a\\xff\u{1b}b"), "{command}: {answer}");
    }
    // So is that of a file which is there already, and of the home folder.
    std::fs::write(place.path(name), "x").unwrap();
    let ran = place.run(&[OsStr::new("sign"), OsStr::new("contract.pdf"), OsStr::new("-o"), name]);
    assert!(ran.status == 73 && ran.err.contains(r"a\xff\u{1b}b"), "{ran:?}");
    let ran = place.run(&[OsStr::new("--home"), name, OsStr::new("key"), OsStr::new("list")]);
    assert!(ran.status != 0 && ran.err.contains(r"a\xff\u{1b}b"), "{ran:?}");
}
