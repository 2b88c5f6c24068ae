//! Secrets at rest, and the secret files and sources that their masters come from.

use crate::{bytes, forms, leaks, padded};
use dualseal::secret::Secret;
use dualseal::{Domain, SigningKey, SystemRng};
use dualseal_operator::secrets::{
    ErasureKey, Master, MasterSource, Passphrase, Place, RecordSecret, Rewrapped, Rotation, SecretFile, Vaulted,
    key_to_pem,
};
use dualseal_tests::random::Given;
use zeroize::Zeroizing;

/// A master from each of its sources, an erasure key, and what is under them: made, opened, put under other keys.
#[test]
fn secrets_at_rest() {
    let domain = Domain::default();
    let [first, second, erasure, secret]: [[u8; 32]; 4] = ["first", "second", "erasure", "at rest"].map(bytes);
    let passphrase = hex::encode(bytes::<32>("passphrase"));
    let master = |bytes: &[u8; 32]| Master::new(&domain, Secret::from_slice("master", bytes).unwrap()).unwrap();
    let text = master(&first).to_pem(None, &mut SystemRng).unwrap();
    let protected = master(&first).to_pem(Some(&passphrase), &mut SystemRng).unwrap();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("freed-memory.key");
    std::fs::write(&path, text.as_bytes()).unwrap();
    let key = SigningKey::from_seed(&secret).unwrap();
    let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
    let needles = [
        padded("first master", &first),
        padded("second master", &second),
        padded("erasure key", &erasure),
        forms("secret", &secret),
        forms("passphrase", passphrase.as_bytes()),
        // Whole groups of four characters, the first of which begin as every secret file does.
        vec![("pem", body.as_bytes()[8..].to_vec())],
    ]
    .concat();
    let place = |row: &str| Place::new("table", row.as_bytes(), "purpose").unwrap();
    let asked = || Passphrase::new(|| Ok(Zeroizing::new(passphrase.clone())));
    let found = leaks(&needles, || {
        let old = MasterSource::file(&path).open(&domain).unwrap();
        let given = MasterSource::callback(|| Ok(Secret::from_slice("master", &second)?));
        let new = given.open(&domain).unwrap();
        drop(MasterSource::passphrase(protected.as_bytes(), asked()).open(&domain).unwrap());
        let wrong = Passphrase::new(|| Ok(Zeroizing::new("wrong".to_owned())));
        assert!(MasterSource::passphrase(protected.as_bytes(), wrong).open(&domain).is_err());
        assert!(MasterSource::passphrase(text.as_bytes(), asked()).open(&domain).is_err());
        assert!(SecretFile::parse(&text.as_bytes()[..text.len() - 40]).is_err());
        for passphrase in [None, Some(passphrase.as_str())] {
            drop(old.to_pem(passphrase, &mut SystemRng).unwrap());
            let text = key_to_pem(&key, passphrase, &mut SystemRng).unwrap();
            let file = SecretFile::parse(text.as_bytes()).unwrap();
            drop(file.signing_key(passphrase).unwrap());
            assert!(file.seed(passphrase).is_err());
        }

        let row = Vaulted::seal(&old, place("1"), &secret, &mut SystemRng).unwrap();
        drop(row.open_secret::<32>(&old).unwrap());
        assert!(row.open_secret::<64>(&old).is_err() && row.open(&new).is_err());
        let rotation = Rotation::new(&old, &new).unwrap();
        let Rewrapped::Now(row) = rotation.rewrap(&row, &mut SystemRng).unwrap() else {
            panic!("it was under the old")
        };
        assert!(matches!(rotation.rewrap(&row, &mut SystemRng), Ok(Rewrapped::Already)));
        drop(rotation.open(&row).unwrap());
        let mut cut = row.into_stored();
        cut.pop();
        assert!(Vaulted::read(place("1"), cut).unwrap().open(&new).is_err());

        let kept = ErasureKey::draw(&domain, &mut Given(&erasure)).unwrap();
        let kept = kept.seal(&new, place("key"), &mut SystemRng).unwrap();
        let kept = ErasureKey::open(&new, &kept).unwrap();
        let row = RecordSecret::seal(&kept, place("1"), &secret, &mut SystemRng).unwrap();
        assert_eq!(row.open(&kept).unwrap().as_slice(), secret);
    });
    assert_eq!(found, [] as [&str; 0]);
    std::fs::remove_file(path).unwrap();
}
