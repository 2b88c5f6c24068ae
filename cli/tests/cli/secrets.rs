//! Secret files: modes, passphrases, and what is never printed.

use crate::run::Place;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;

fn mode(place: &Place, name: &str) -> u32 {
    fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777
}

fn key_file(place: &Place) -> String {
    let mut names = fs::read_dir(place.path("home/keys")).unwrap().map(|entry| entry.unwrap().file_name());
    format!("home/keys/{}", names.next().unwrap().into_string().unwrap())
}

#[test]
fn secrets_are_for_the_owner_alone() {
    let place = Place::with_ana("modes");
    assert_eq!(mode(&place, "home"), 0o700);
    let key = key_file(&place);
    let row = place.row("ana");
    let ring = ["home/state.jsonl", "home/decoys.jsonl", "home/records.jsonl", "home.mark", &row];
    for name in ["home/ring.key", "home/seal.key", "home/note.key", "home/names.json", &key].into_iter().chain(ring) {
        assert_eq!(mode(&place, name), 0o600, "{name}");
    }
    place.good(&["key", "export", "--secret", "-o", "secret.pem"]);
    assert_eq!(mode(&place, "secret.pem"), 0o600);
    fs::set_permissions(place.path(&key), fs::Permissions::from_mode(0o644)).unwrap();
    let ran = place.good(&["sign", "contract.pdf"]);
    assert!(ran.err.contains("warning: ") && ran.err.contains("mode 644"), "{ran:?}");
}

#[test]
fn passphrases() {
    let place = Place::new("passphrase");
    place.write("contract.pdf", "one contract");
    place.write("good.txt", "correct horse\r\nignored\n");
    place.write("bad.txt", "wrong horse\n");
    place.write("none.txt", "\n");
    place.good(&["key", "new", "ana", "--passphrase-file=good.txt"]);
    let key = place.read(&key_file(&place));
    assert!(key.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----"), "{key}");
    for name in ["home/ring.key", "home/seal.key"] {
        assert!(place.read(name).starts_with("-----BEGIN ENCRYPTED DUALSEAL SECRET-----"));
    }
    place.good(&["sign", "contract.pdf", "--passphrase-file=good.txt"]);
    // From a descriptor, so that it is in no file.
    let ran = place.shell("echo 'correct horse' | dualseal seal contract.pdf --passphrase-file /dev/stdin");
    assert_eq!(ran.status, 0, "{ran:?}");
    let ran = place.shell("dualseal verify contract.pdf.seal --passphrase-file /dev/fd/3 3<good.txt");
    assert_eq!(ran.status, 0, "{ran:?}");
    place.refused(&["sign", "contract.pdf", "--force", "--passphrase-file=bad.txt"], 77, "does not open");
    place.refused(&["sign", "contract.pdf", "--force", "--passphrase-file=none.txt"], 77, "has no passphrase");
    let ran = place.refused(&["sign", "contract.pdf", "--force"], 77, "no terminal to ask for it");
    assert!(ran.err.contains(".pem needs a passphrase") && ran.err.contains("--key FILE"), "{ran:?}");
    place.refused(&["verify", "contract.pdf.sig.json"], 77, "home/ring.key needs a passphrase");
    // What is added beside protected secrets is protected as well, or not made.
    place.refused(&["key", "rotate", "ana"], 77, "no terminal to ask for it");
    place.refused(&["key", "new", "bo"], 77, "no terminal to ask for it");
    place.good(&["key", "rotate", "ana", "--passphrase-file=good.txt"]);
    for entry in fs::read_dir(place.path("home/keys")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----"));
    }
    place.good(&["key", "export", "--secret", "-o", "secret.pem", "--passphrase-file=good.txt"]);
    assert!(place.read("secret.pem").contains("ENCRYPTED"));
    place.refused(&["key", "new", "ana", "--protect", "--home=other"], 77, "no terminal to ask for it");
    // What the ring says is held against the chain, which takes its key; whoever verifies with a key file is asked for
    // nothing.
    place.refused(&["key", "export", "-o", "ana.pem"], 77, "no terminal to ask for it");
    place.good(&["key", "export", "-o", "ana.pem", "--passphrase-file=good.txt"]);
    place.good(&["sign", "contract.pdf", "--force", "--passphrase-file=good.txt"]);
    place.good(&["verify", "contract.pdf.sig.json", "--key=ana.pem"]);
}

/// What a passphrase costs stands in the file. Nobody is asked for one that would cost gigabytes, and a cost of 0 does
/// not end the program.
#[test]
fn a_passphrase_has_its_price() {
    // N 2^40, and N 0.
    const GIGABYTES: &str = "\
        MIGPMFsGCSqGSIb3DQEFDTBOMC0GCSsGAQQB2kcECzAgBBAAAAAAAAAAAAAAAAAA\n\
        AAAAAgYBAAAAAAACAQgCAQEwHQYJYIZIAWUDBAEqBBAAAAAAAAAAAAAAAAAAAAAA\n\
        BDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n\
        AAA=\n";
    const NOTHING: &str = "\
        MIGKMFYGCSqGSIb3DQEFDTBJMCgGCSsGAQQB2kcECzAbBBAAAAAAAAAAAAAAAAAA\n\
        AAAAAgEAAgEIAgEBMB0GCWCGSAFlAwQBKgQQAAAAAAAAAAAAAAAAAAAAAAQwAAAA\n\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n";
    let place = Place::with_ana("price");
    place.write("p", "correct horse\n");
    for (body, told) in [(GIGABYTES, "more memory or time than it may"), (NOTHING, "not PEM of this form")] {
        let label = "ENCRYPTED PRIVATE KEY-----\n";
        place.write("key.pem", format!("-----BEGIN {label}{body}-----END {label}"));
        place.refused(&["key", "import", "bo", "key.pem"], 77, told);
        place.refused(&["key", "import", "bo", "key.pem", "--passphrase-file=p"], 77, told);
        let ran = place.run(&["inspect", "key.pem"]);
        assert!(ran.out.contains(told), "{ran:?}");
    }
}

/// Nothing that is printed holds a secret, and nothing secret is an argument.
#[test]
fn secrets_are_not_printed() {
    let place = Place::with_ana("printed");
    let seed = place.read(&key_file(&place));
    let body: String = seed.lines().filter(|line| !line.starts_with('-')).collect();
    for args in [
        &["key", "show", "ana"][..],
        &["key", "show", "--json"],
        &["inspect", &key_file(&place)],
        &["inspect", "home/ring.key", "--json"],
        &["key", "export"],
    ] {
        let ran = place.good(args);
        assert!(!ran.out.contains(&body[..40]) && !ran.err.contains(&body[..40]), "{args:?}");
    }
    for word in ["--passphrase ", "--password", "--seed", "--secret <"] {
        let help = place.good(&["key", "new", "--help"]).out + &place.good(&["sign", "--help"]).out;
        assert!(!help.contains(word), "{word}");
    }
}

#[test]
fn a_passphrase_that_others_may_read_is_told_of() {
    let place = Place::new("passphrase-mode");
    place.write("contract.pdf", "one contract");
    place.write("p", "correct horse\n");
    let set = |mode| fs::set_permissions(place.path("p"), fs::Permissions::from_mode(mode)).unwrap();
    set(0o600);
    let ran = place.good(&["key", "new", "ana", "--passphrase-file=p"]);
    assert!(!ran.err.contains("warning"), "{ran:?}");
    for (mode, told) in [(0o644, true), (0o640, true), (0o400, false)] {
        set(mode);
        let ran = place.good(&["sign", "contract.pdf", "--force", "--passphrase-file=p"]);
        assert_eq!(ran.err.matches(&format!("p has mode {mode:03o}")).count(), usize::from(told), "{mode:o}: {ran:?}");
    }
    set(0o644);
    let ran = place.shell("dualseal sign contract.pdf --force --passphrase-file /dev/fd/3 3<p | cat");
    assert!(ran.status == 0, "{ran:?}");
    // A pipe has no mode that says something.
    let ran = place.shell("cat p | dualseal seal contract.pdf --passphrase-file /dev/stdin");
    assert!(ran.status == 0 && !ran.err.contains("warning"), "{ran:?}");
}

#[test]
fn a_home_that_others_may_write_to_is_told_of() {
    let place = Place::with_ana("home-mode");
    let set = |mode| fs::set_permissions(place.path("home"), fs::Permissions::from_mode(mode)).unwrap();
    for (mode, told) in [(0o777, true), (0o770, true), (0o702, true), (0o755, false), (0o700, false)] {
        set(mode);
        for args in [&["sign", "contract.pdf", "--force"][..], &["key", "show"], &["verify", "contract.pdf.sig.json"]] {
            let ran = place.good(args);
            let count = ran.err.matches(&format!("home has mode {mode:03o}")).count();
            assert_eq!(count, usize::from(told), "{mode:o} {args:?}: {ran:?}");
        }
    }
}

/// A private key is known by what it is, not by a word.
#[test]
fn a_secret_key_is_no_public_one() {
    let place = Place::with_records("secret-given");
    place.good(&["key", "export", "--secret", "-o", "secret.pem"]);
    let (public, secret) = (place.read("ana.pem"), place.read("secret.pem"));
    let mention = "Nobody needs your -----BEGIN PRIVATE KEY----- file.\nNever send -----END PRIVATE KEY----- lines.\n";
    place.write("mention.pem", format!("{mention}{public}"));
    place.good(&["verify", "contract.pdf.sig.json", "--key=mention.pem"]);
    let relabelled = |label: &str| secret.replace("PRIVATE KEY", label);
    for (name, text) in [
        ("plain.pem", secret.clone()),
        ("after.pem", format!("{public}{secret}")),
        ("before.pem", format!("{secret}{public}")),
        ("mentioned.pem", format!("{mention}{secret}")),
        ("encrypted.pem", relabelled("ENCRYPTED PRIVATE KEY")),
        ("ec.pem", relabelled("EC PRIVATE KEY")),
        ("crlf.pem", secret.replace('\n', "\r\n")),
        ("ring.key", place.read("home/ring.key")),
    ] {
        place.write(name, text);
        for option in ["--key", "--ring"] {
            place.refused(&["verify", "contract.pdf.sig.json", option, name], 66, "is a secret");
        }
        place.refused(&["checkpoint", "check", "checkpoint.json", "--log-key", name], 66, "is a secret");
    }
}

/// A home folder that was founded without a passphrase gets one with its first key: what stood there in plain is
/// overwritten.
#[test]
#[cfg(unix)]
fn what_stood_in_plain_is_overwritten() {
    let place = Place::new("secrets-protected");
    place.write("pass.txt", "correct horse");
    place.good(&["id", "--creator=x", "--draw", "--save=x"]);
    let names = ["ring.key", "seal.key", "note.key"];
    let mut was = names.map(|name| {
        assert!(place.read(&format!("home/{name}")).contains("BEGIN DUALSEAL SECRET"), "{name}");
        fs::File::open(place.path("home").join(name)).unwrap()
    });
    // Nothing is written under a name that may be of something else: its owner says whether it stays.
    let (sound, other) = (place.read("home/seal.key"), place.path("other"));
    fs::hard_link(place.path("home/seal.key"), &other).unwrap();
    let protect = ["key", "new", "ana", "--protect", "--passphrase-file=pass.txt"];
    place.refused(&protect, 73, "seal.key: it has another name too (a hard link)");
    assert_eq!((fs::read_to_string(&other).unwrap(), place.read("home/seal.key")), (sound.clone(), sound));
    fs::remove_file(&other).unwrap();
    place.good(&protect);
    for (name, was) in names.iter().zip(&mut was) {
        assert!(place.read(&format!("home/{name}")).contains("BEGIN ENCRYPTED DUALSEAL SECRET"), "{name}");
        let mut left = Vec::new();
        was.read_to_end(&mut left).unwrap();
        assert!(!left.is_empty() && left.iter().all(|byte| *byte == 0), "{name}");
    }
    place.good(&["chain", "check", "--with-ring", "--passphrase-file=pass.txt"]);
}
