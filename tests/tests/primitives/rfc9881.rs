//! The example keys of RFC 9881: the seed form and the public key are read and written again to the byte; the forms
//! with an expanded key are refused by name, though the expanded key inside them is the same key.

use dualseal::error::{Malformed, Problem};
use dualseal::{Error, ExpandedSigningKey, PublicKey, Signature, SigningKey};
use dualseal_tests::{primitive, vectors};
use spki::Document;

fn key() -> SigningKey {
    SigningKey::from_pkcs8_pem(&vectors::text("rfc9881/ML-DSA-65-seed.priv")).unwrap()
}

fn der(file: &str, label: &str) -> Vec<u8> {
    let text = vectors::text(file);
    let (found, document) = Document::from_pem(&text).unwrap();
    assert_eq!(found, label);
    document.into_vec()
}

#[test]
fn the_seed_form_is_read_and_written() {
    let key = key();
    assert_eq!(key.seed().expose()[..], std::array::from_fn::<u8, 32, _>(|i| u8::try_from(i).unwrap()));
    assert_eq!(*key.to_pkcs8_pem().unwrap(), vectors::text("rfc9881/ML-DSA-65-seed.priv"));
    let der = der("rfc9881/ML-DSA-65-seed.priv", "PRIVATE KEY");
    assert_eq!(*key.to_pkcs8_der(), der);
    assert_eq!(SigningKey::from_pkcs8_der(&der).unwrap().public_key(), key.public_key());
}

#[test]
fn the_public_key_is_read_and_written() {
    let text = vectors::text("rfc9881/ML-DSA-65.pub");
    let public = PublicKey::from_spki_pem(&text).unwrap();
    assert_eq!(&public, key().public_key());
    assert_eq!(public.to_spki_pem().unwrap(), text);
    let der = der("rfc9881/ML-DSA-65.pub", "PUBLIC KEY");
    assert_eq!(public.to_spki_der().unwrap(), der);
    assert_eq!(PublicKey::from_spki_der(&der).unwrap(), public);
}

#[test]
fn forms_with_the_expanded_key_are_refused() {
    for file in ["rfc9881/ML-DSA-65-both.priv", "rfc9881/ML-DSA-65-expanded.priv"] {
        let der = der(file, "PRIVATE KEY");
        let errors = [SigningKey::from_pkcs8_pem(&vectors::text(file)), SigningKey::from_pkcs8_der(&der)];
        for error in errors.map(Result::unwrap_err) {
            let Error::Malformed(Malformed { field, problem, .. }) = error else { panic!("{file}: {error}") };
            assert_eq!((field, problem), ("private key", Problem::Der), "{file}");
        }
        // Both end with the 4032 bytes.
        let expanded = ExpandedSigningKey::from_slice(&der[der.len() - 4032..]).unwrap();
        assert_eq!(expanded.public_key(), key().public_key(), "{file}");
        assert!(expanded.to_bytes().expose() == key().expand().to_bytes().expose(), "{file}");
    }
}

#[test]
fn a_file_of_one_kind_is_not_read_as_the_other() {
    let private = SigningKey::from_pkcs8_pem(&vectors::text("rfc9881/ML-DSA-65.pub")).unwrap_err();
    assert_eq!(private.to_string(), "private key: is not PEM with the right label");
    for file in ["rfc9881/ML-DSA-65-seed.priv", "rfc9881/ML-DSA-65.crt"] {
        let public = PublicKey::from_spki_pem(&vectors::text(file)).unwrap_err();
        assert_eq!(public.to_string(), "public key: is not PEM with the right label", "{file}");
    }
}

/// The certificate is self-signed, by another implementation: its signature holds under the key that this library
/// derives from the seed. The check is the `ml-dsa` crate's, with the calls that core makes.
#[test]
fn the_certificate_is_signed_by_the_key() {
    let certificate = der("rfc9881/ML-DSA-65.crt", "CERTIFICATE");
    let key = key();
    let spki = key.public_key().to_spki_der().unwrap();
    assert!(certificate.windows(spki.len()).any(|w| w == spki));

    // SEQUENCE { tbsCertificate SEQUENCE, AlgorithmIdentifier, BIT STRING }, lengths of two bytes.
    let [0x30, 0x82, _, _, signed @ ..] = &certificate[..] else { panic!("not a certificate") };
    let [0x30, 0x82, high, low, ..] = signed else { panic!("not a tbsCertificate") };
    let signed = &signed[..4 + usize::from(u16::from_be_bytes([*high, *low]))];
    let signature = Signature::from_slice(&certificate[certificate.len() - 3309..]).unwrap();
    assert!(primitive::accepts(key.public_key(), &[], signed, &signature));
    assert!(!primitive::accepts(key.public_key(), &[], &signed[..signed.len() - 1], &signature));
}
