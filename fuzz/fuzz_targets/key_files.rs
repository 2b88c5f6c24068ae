//! PKCS#8 and SPKI, DER and PEM: one spelling of a key each.
#![no_main]

use dualseal::{PublicKey, SigningKey};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(key) = SigningKey::from_pkcs8_der(bytes) {
        assert_eq!(key.to_pkcs8_der().as_slice(), bytes);
    }
    if let Ok(key) = PublicKey::from_spki_der(bytes) {
        assert_eq!(key.to_spki_der().expect("written"), bytes);
    }
    if let Ok(text) = core::str::from_utf8(bytes) {
        if let Ok(key) = SigningKey::from_pkcs8_pem(text) {
            let pem = key.to_pkcs8_pem().expect("written");
            assert_eq!(SigningKey::from_pkcs8_pem(&pem).expect("read").public_key(), key.public_key());
        }
        if let Ok(key) = PublicKey::from_spki_pem(text) {
            let pem = key.to_spki_pem().expect("written");
            assert_eq!(PublicKey::from_spki_pem(&pem).as_ref(), Ok(&key));
        }
    }
});
