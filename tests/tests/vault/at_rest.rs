//! Secrets at rest and secret files of the second implementation (`tests/second/make_at_rest_answers.py`), made again
//! byte for byte, and opened.

use dualseal::Domain;
use dualseal::hash::Sha3_256;
use dualseal::secret::Secret;
use dualseal_operator::secrets::{Master, Place, SecretFile, Vaulted, seed_to_pem};
use dualseal_tests::random::Given;
use dualseal_tests::vectors::{bytes, items, json, string};
use sha3::digest::{ExtendableOutput, Update};

const FILE: &str = "known_answers_at_rest.json";

/// SHAKE-256 of a name, by the vectors' own making.
fn fixed(name: &str, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let mut shake = shake::Shake256::default();
    shake.update(name.as_bytes());
    shake.finalize_xof_into(&mut bytes);
    bytes
}

#[test]
fn the_second_implementation_makes_the_same_secrets_at_rest() {
    for answer in items(&json(FILE), "secrets") {
        let domain = Domain::new(string(answer, "domain")).unwrap();
        let master = Master::new(&domain, Secret::from_slice("master", &bytes(answer, "master")).unwrap()).unwrap();
        let (table, row, purpose) = (string(answer, "table"), bytes(answer, "row"), string(answer, "purpose"));
        assert_eq!(domain.identity_id(&row, table, purpose).unwrap().to_hex(), string(answer, "identity_id"));
        let length = usize::try_from(answer["secret_length"].as_u64().unwrap()).unwrap();
        let secret = fixed(&format!("{table} {} secret", hex::encode(&row)), length);
        assert_eq!(hex::encode(Sha3_256::digest(&secret)), string(answer, "secret_sha3_256"));

        let place = Place::new(table, &row, purpose).unwrap();
        let made = Vaulted::seal(&master, place.clone(), &secret, &mut Given(&bytes(answer, "salt"))).unwrap();
        assert_eq!(answer["stored_length"], made.stored().len());
        assert_eq!(hex::encode(&made.stored()[..made.stored().len().min(116)]), string(answer, "stored_begin"));
        assert_eq!(hex::encode(Sha3_256::digest(made.stored())), string(answer, "stored_sha3_256"));
        if length == 32 {
            let stored = Vaulted::read(place, bytes(answer, "stored_begin")).unwrap();
            assert_eq!(stored.open_secret::<32>(&master).unwrap().expose(), secret.as_slice());
        }
    }
}

#[test]
fn the_second_implementation_writes_the_same_files() {
    for answer in items(&json(FILE), "files") {
        let (secret, text) = (bytes(answer, "secret"), string(answer, "text"));
        let secret = Secret::<32>::from_slice("secret", &secret).unwrap();
        let passphrase = answer["passphrase"].as_str();
        let file = SecretFile::parse(text.as_bytes()).unwrap();
        assert_eq!(file.is_protected(), passphrase.is_some());
        assert_eq!(file.seed(passphrase).unwrap().expose(), secret.expose());
        // The initialisation vector is drawn first, then the salt.
        let drawn = [fixed("file iv", 16), fixed("file salt", 16)].concat();
        assert_eq!(*seed_to_pem(&secret, passphrase, &mut Given(&drawn)).unwrap(), *text);
    }
}
