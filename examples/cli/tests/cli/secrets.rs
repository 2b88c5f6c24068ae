//! Secret files: modes, passphrases, and what is never printed.

use crate::run::Place;
use std::fs;
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
    for name in ["home/ring.key", "home/seal.key", "home/ring.json", "home/names.json", &key] {
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
    place.refused(&["sign", "contract.pdf", "--force"], 77, "no terminal to ask for it");
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
    // Whoever verifies with a key file is asked for nothing.
    place.good(&["key", "export", "-o", "ana.pem"]);
    place.good(&["sign", "contract.pdf", "--force", "--passphrase-file=good.txt"]);
    place.good(&["verify", "contract.pdf.sig.json", "--key=ana.pem"]);
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
