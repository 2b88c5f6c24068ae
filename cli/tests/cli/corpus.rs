//! Files of every kind, whole and broken, past `inspect` and `verify`: no crash, one answer, a status that is listed.

use crate::run::Place;
use std::fs;
use std::path::{Path, PathBuf};

/// The seeds of all fuzz targets.
fn seeds() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    assert!(files.len() > 40, "{}", files.len());
    files
}

/// Whole, cut off, with a byte changed, with one added.
fn variants(bytes: &[u8]) -> Vec<Vec<u8>> {
    let half = bytes.len() / 2;
    let mut changed = bytes.to_vec();
    if let Some(byte) = changed.get_mut(half) {
        *byte ^= 0x55;
    }
    vec![bytes.to_vec(), bytes[..half].to_vec(), changed, [bytes, b"\xff"].concat()]
}

#[test]
fn inspect_takes_anything() {
    let place = Place::new("inspect-corpus");
    let mut well_formed = 0;
    for seed in seeds() {
        for (index, bytes) in variants(&fs::read(&seed).unwrap()).into_iter().enumerate() {
            place.write("file", bytes);
            let answer = place.json(&["inspect", "file"]);
            let status = answer["status"].as_u64().unwrap();
            assert!([0, 1, 66].contains(&status), "{} {index}: {answer}", seed.display());
            assert_eq!(status == 0, answer["findings"].as_array().unwrap().is_empty());
            if index == 0 && seed.parent().unwrap().ends_with("inspect") {
                assert_eq!(status, 0, "{}: {answer}", seed.display());
                well_formed += 1;
            }
        }
    }
    assert!(well_formed >= 17, "{well_formed}");
}

/// Nothing of a corpus is valid for a signer who made none of it.
#[test]
fn verify_takes_anything() {
    let place = Place::with_records("verify-corpus");
    for seed in seeds() {
        for (index, bytes) in variants(&fs::read(&seed).unwrap()).into_iter().enumerate() {
            place.write("file", bytes);
            let answer = place.json(&["verify", "file", "contract.pdf", "--key=ana.pem"]);
            let status = answer["status"].as_u64().unwrap();
            assert!([1, 66].contains(&status), "{} {index}: {answer}", seed.display());
        }
    }
}

#[test]
fn keys_and_secrets_are_told_apart() {
    let place = Place::with_records("inspect-keys");
    let kind = |name: &str| {
        let answer = place.json(&["inspect", name]);
        (answer["kind"].as_str().unwrap().to_owned(), answer["status"].as_u64().unwrap())
    };
    place.good(&["key", "export", "--secret", "-o", "secret.pem"]);
    place.write("p", "passphrase");
    place.good(&["key", "export", "--secret", "-o", "locked.pem", "--passphrase-file=p"]);
    assert_eq!(kind("ana.pem"), ("public key file".to_owned(), 0));
    assert_eq!(kind("secret.pem"), ("secret key file".to_owned(), 0));
    assert_eq!(kind("locked.pem"), ("secret key file under a passphrase".to_owned(), 0));
    assert_eq!(kind("home/ring.key"), ("secret of a home folder".to_owned(), 0));
    assert_eq!(kind("contract.pdf.sig.json"), ("signature record".to_owned(), 0));
    assert_eq!(kind("contract.pdf.seal"), ("dual seal".to_owned(), 0));
    assert_eq!(kind("chain.jsonl"), ("chain (JSON lines)".to_owned(), 0));
    assert_eq!(kind("ring.json"), ("key ring".to_owned(), 0));
    assert_eq!(kind("contract.pdf"), ("unknown".to_owned(), 66));
    for name in ["ana.pem", "secret.pem", "locked.pem", "home/ring.key"] {
        let text = place.read(name);
        place.write("broken.pem", text.replacen("\n-----END", "A\n-----END", 1));
        let answer = place.json(&["inspect", "broken.pem"]);
        assert_ne!(answer["status"], 0, "{name}: {answer}");
    }
    place.refused(&["inspect", "none"], 66, "cannot read none");
}
