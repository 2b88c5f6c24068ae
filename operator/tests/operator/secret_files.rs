//! Secret files: both kinds, other programs' ways to encrypt them, and those that would cost too much.

use crate::at_rest::Failing;
use dualseal::secret::Secret;
use dualseal::{Error, SigningKey, SystemRng};
use dualseal_operator::secrets::{
    PemFault, SECRET_FILE_BYTES, SecretFile, SecretKind, is_secret, key_to_pem, seed_to_pem,
};
use pkcs8::der::asn1::OctetString;
use pkcs8::der::{Encode, pem};
use pkcs8::pkcs5::{EncryptionScheme, pbes1, pbes2};
use pkcs8::{EncryptedPrivateKeyInfoOwned, LineEnding};

fn seed() -> Secret<32> {
    Secret::from_slice("seed", &[7; 32]).unwrap()
}

fn key() -> SigningKey {
    SigningKey::from_seed(&[7; 32]).unwrap()
}

fn parse(text: &str) -> Result<SecretFile, PemFault> {
    SecretFile::parse(text.as_bytes())
}

/// The DER of a seed, which is what is encrypted.
fn seed_der() -> Vec<u8> {
    [&[0x30, 0x22, 0x04, 0x20][..], &[7; 32]].concat()
}

/// A file as somebody else makes it.
fn encrypted(scheme: EncryptionScheme, data: &[u8]) -> String {
    let encrypted_data = OctetString::new(data).unwrap();
    let info = EncryptedPrivateKeyInfoOwned { encryption_algorithm: scheme, encrypted_data };
    pem::encode_string("ENCRYPTED DUALSEAL SECRET", LineEnding::LF, &info.to_der().unwrap()).unwrap()
}

fn aes() -> pbes2::EncryptionScheme {
    pbes2::EncryptionScheme::Aes256Cbc { iv: [1; 16] }
}

fn scrypt(cost_parameter: u64, block_size: u16, parallelization: u16) -> String {
    let salt = pbes2::Salt::new([2; 16]).unwrap();
    let kdf = pbes2::ScryptParams { salt, cost_parameter, block_size, parallelization, key_length: None };
    encrypted(pbes2::Parameters { kdf: kdf.into(), encryption: aes() }.into(), &[3; 48])
}

fn pbkdf2(rounds: u32) -> pbes2::Parameters {
    let salt = pbes2::Salt::new([2; 16]).unwrap();
    let prf = pbes2::Pbkdf2Prf::HmacWithSha256;
    let kdf = pbes2::Pbkdf2Params { salt, iteration_count: rounds, key_length: None, prf };
    pbes2::Parameters { kdf: kdf.into(), encryption: aes() }
}

#[test]
fn both_kinds_with_and_without_a_passphrase() {
    for passphrase in [None, Some("correct horse"), Some("")] {
        let text = seed_to_pem(&seed(), passphrase, &mut SystemRng).unwrap();
        let file = parse(&text).unwrap();
        assert_eq!((file.kind(), file.is_protected()), (SecretKind::Seed, passphrase.is_some()));
        assert_eq!(file.seed(passphrase).unwrap().expose(), seed().expose());
        assert_eq!(file.signing_key(passphrase).unwrap_err(), PemFault::OtherKind { found: SecretKind::Seed });

        let text = key_to_pem(&key(), passphrase, &mut SystemRng).unwrap();
        let file = parse(&text).unwrap();
        assert_eq!((file.kind(), file.is_protected()), (SecretKind::SigningKey, passphrase.is_some()));
        assert_eq!(file.signing_key(passphrase).unwrap().public_key(), key().public_key());
        assert_eq!(file.seed(passphrase).unwrap_err(), PemFault::OtherKind { found: SecretKind::SigningKey });
        assert!(is_secret(&text));
        if passphrase.is_some() {
            assert_eq!(file.signing_key(None).unwrap_err(), PemFault::PassphraseNeeded);
            assert_eq!(file.signing_key(Some("wrong")).unwrap_err(), PemFault::WrongPassphrase);
        }
    }
    assert!(!is_secret(&key().public_key().to_spki_pem().unwrap()));
}

/// Of the wrong passphrases some give bytes whose padding holds: they give no secret either.
#[test]
fn no_wrong_passphrase_opens() {
    let parameters = pbkdf2(1);
    let text = encrypted(parameters.clone().into(), &parameters.encrypt("correct horse", &seed_der()).unwrap());
    let file = parse(&text).unwrap();
    assert_eq!(file.seed(Some("correct horse")).unwrap().expose(), seed().expose(), "as other programs write it");
    for number in 0..2000 {
        assert_eq!(file.seed(Some(&format!("horse {number}"))).unwrap_err(), PemFault::WrongPassphrase, "{number}");
    }
}

/// What a file costs stands in it, so whoever made it says; it is read before anybody is asked for a passphrase.
#[test]
fn a_file_does_not_ask_for_gigabytes_or_hours() {
    for (n, r, p, fault) in [
        (1 << 14, 8, 1, None),
        (1 << 17, 8, 1, None),
        (1 << 18, 8, 1, None),
        (1 << 18, 8, 4, None),
        (1 << 18, 8, 5, Some(PemFault::TooCostly)),
        (1 << 19, 8, 1, Some(PemFault::TooCostly)),
        (1 << 18, 9, 1, Some(PemFault::TooCostly)),
        (1 << 40, 8, 1, Some(PemFault::TooCostly)),
        (1 << 63, u16::MAX, u16::MAX, Some(PemFault::TooCostly)),
        (2, u16::MAX, u16::MAX, Some(PemFault::TooCostly)),
        // Little work, and 560 MB: each of p has a block of its own.
        (2, u16::MAX, 64, Some(PemFault::TooCostly)),
        (2, u16::MAX, 31, Some(PemFault::TooCostly)),
        (2, u16::MAX, 30, None),
        (0, 8, 1, Some(PemFault::Form)),
        (1, 8, 1, Some(PemFault::Form)),
        (3, 8, 1, Some(PemFault::Form)),
        (u64::MAX, 8, 1, Some(PemFault::Form)),
        (1 << 14, 0, 1, Some(PemFault::Form)),
        (1 << 14, 8, 0, Some(PemFault::Form)),
    ] {
        assert_eq!(parse(&scrypt(n, r, p)).err(), fault, "N {n}, r {r}, p {p}");
    }
    for (rounds, fault) in [
        (1, None),
        (10_000_000, None),
        (10_000_001, Some(PemFault::TooCostly)),
        (u32::MAX, Some(PemFault::TooCostly)),
        (0, Some(PemFault::Form)),
    ] {
        assert_eq!(parse(&encrypted(pbkdf2(rounds).into(), &[3; 48])).err(), fault, "{rounds} rounds");
    }
}

#[test]
fn what_is_no_secret_file_is_told() {
    let good = seed_to_pem(&seed(), None, &mut SystemRng).unwrap();
    let of = |label: &str, der: &[u8]| pem::encode_string(label, LineEnding::LF, der).unwrap();
    for (text, fault) in [
        (String::new(), PemFault::NoSecretFile),
        ("secret".to_owned(), PemFault::NoSecretFile),
        (good.replace("DUALSEAL SECRET", "EC PRIVATE KEY"), PemFault::NoSecretFile),
        (good.replace("-----END DUALSEAL", "-----END OTHER"), PemFault::NoSecretFile),
        (of("PUBLIC KEY", &seed_der()), PemFault::NoSecretFile),
        (of("PRIVATE KEY", &vec![0; SECRET_FILE_BYTES]), PemFault::NoSecretFile),
        (of("DUALSEAL SECRET", &seed_der()[..35]), PemFault::Form),
        (of("DUALSEAL SECRET", &[&seed_der()[..], &[0]].concat()), PemFault::Form),
        (of("DUALSEAL SECRET", &[7; 36]), PemFault::Form),
        (of("ENCRYPTED DUALSEAL SECRET", &seed_der()), PemFault::Form),
    ] {
        assert_eq!(parse(&text).unwrap_err(), fault, "{text}");
    }
    let old = pbes1::Algorithm {
        encryption: pbes1::EncryptionScheme::PbeWithSha1AndDesCbc,
        parameters: pbes1::Parameters { salt: [1; 8], iteration_count: 1 },
    };
    assert_eq!(parse(&encrypted(old.into(), &[3; 48])).unwrap_err(), PemFault::UnknownScheme);
    let pbes2::Kdf::Pbkdf2(kdf) = pbkdf2(1).kdf else { unreachable!() };
    let kdf = pbes2::Pbkdf2Params { prf: pbes2::Pbkdf2Prf::HmacWithSha1, ..kdf };
    let sha1 = encrypted(pbes2::Parameters { kdf: kdf.into(), encryption: aes() }.into(), &[3; 48]);
    assert_eq!(parse(&sha1).unwrap().seed(Some("p")).unwrap_err(), PemFault::UnknownScheme);
    // A signing key that is none, under a passphrase that is right.
    let parameters = pbkdf2(1);
    let text = encrypted(parameters.clone().into(), &parameters.encrypt("p", &seed_der()).unwrap());
    let file = parse(&text.replace("DUALSEAL SECRET", "PRIVATE KEY")).unwrap();
    assert!(matches!(file.signing_key(Some("p")), Err(PemFault::Library(Error::Malformed(_)))));
    let text = encrypted(parameters.clone().into(), &parameters.encrypt("p", &[0x04, 0x01, 7]).unwrap());
    assert_eq!(parse(&text).unwrap().seed(Some("p")).unwrap_err(), PemFault::Form);
}

#[test]
fn without_randomness_nothing_is_made() {
    let fault = PemFault::Library(Error::Randomness);
    assert_eq!(seed_to_pem(&seed(), Some("p"), &mut Failing).unwrap_err(), fault);
    assert_eq!(key_to_pem(&key(), Some("p"), &mut Failing).unwrap_err(), fault);
}
