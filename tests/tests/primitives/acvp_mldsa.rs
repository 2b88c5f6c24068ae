//! ML-DSA-65 against NIST's ACVP vectors.
//!
//! Key generation is the library's own. The library signs nothing but its own statements, so the signing vectors, which
//! sign arbitrary messages, test `ml-dsa` and `libcrux-ml-dsa` with the calls that core makes; what they test of the
//! library is the reading of expanded keys and of the public keys computed from them.

use dualseal::{ExpandedSigningKey, Signature, SigningKey};
use dualseal_tests::{primitive, vectors};

#[test]
fn key_generation() {
    let vectors = vectors::json("acvp/mldsa65-keygen.json");
    let tests = vectors::items(&vectors, "tests");
    assert_eq!(tests.len(), 25);
    for test in tests {
        let key = SigningKey::from_seed(&vectors::bytes(test, "seed")).unwrap();
        let expanded = vectors::bytes(test, "sk");
        assert_eq!(key.public_key().to_hex(), vectors::string(test, "pk"), "{}", test["tcId"]);
        assert!(key.expand().to_bytes().expose()[..] == expanded, "{}", test["tcId"]);

        let read = ExpandedSigningKey::from_slice(&expanded).unwrap();
        assert_eq!(read.public_key(), key.public_key(), "{}", test["tcId"]);
        assert!(read.to_bytes().expose()[..] == expanded, "{}", test["tcId"]);
    }
}

#[test]
fn signatures_hold_under_the_public_key_of_an_expanded_key() {
    let vectors = vectors::json("acvp/mldsa65-siggen.json");
    for test in vectors::items(&vectors, "tests") {
        let key = ExpandedSigningKey::from_slice(&vectors::bytes(test, "sk")).unwrap();
        let signature = Signature::from_hex(vectors::string(test, "signature")).unwrap();
        let (message, context) = (vectors::bytes(test, "message"), vectors::bytes(test, "context"));
        let accepts =
            |context: &[u8], message: &[u8]| primitive::accepts(key.public_key(), context, message, &signature);
        assert!(accepts(&context, &message), "{}", test["tcId"]);
        assert!(!accepts(&context, &[&message[..], b"."].concat()), "{}", test["tcId"]);
        assert!(!accepts(&[&context[..], b"."].concat(), &message), "{}", test["tcId"]);
    }
}

#[test]
fn signing() {
    let vectors = vectors::json("acvp/mldsa65-siggen.json");
    let mut hedged = 0;
    for test in vectors::items(&vectors, "tests") {
        let key = ExpandedSigningKey::from_slice(&vectors::bytes(test, "sk")).unwrap();
        let (message, context) = (vectors::bytes(test, "message"), vectors::bytes(test, "context"));
        let mu = primitive::mu(key.public_key(), &context, &message).unwrap();
        let rnd = (!test["rnd"].is_null()).then(|| vectors::bytes(test, "rnd"));
        hedged += usize::from(rnd.is_some());
        let signature = primitive::sign(&key, mu, rnd.as_deref());
        assert_eq!(hex::encode(signature), vectors::string(test, "signature"), "{}", test["tcId"]);
        let signature = primitive::sign_message(&key, &context, &message, rnd.as_deref());
        assert_eq!(hex::encode(signature), vectors::string(test, "signature"), "{}", test["tcId"]);
    }
    assert_eq!(hedged, 9);
}
