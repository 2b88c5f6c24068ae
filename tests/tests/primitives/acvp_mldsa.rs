//! ML-DSA-65 against NIST's ACVP vectors.
//!
//! The library signs and verifies nothing but its own statements: messages of the vectors go through the door for tests
//! (`dualseal::mldsa::vectors`), and through `ml-dsa` and `libcrux-ml-dsa` beside it.

use dualseal::{ExpandedSigningKey, PublicKey, Signature, SigningKey};
use dualseal_tests::{primitive, vectors};

#[test]
fn key_generation() {
    let vectors = vectors::json("acvp/mldsa65-keygen.json");
    let tests = vectors::items(&vectors, "tests");
    println!("ACVP keyGen: {} keys", tests.len());
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
    let tests = vectors::items(&vectors, "tests");
    assert_eq!(tests.len(), 30);
    for test in tests {
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
    let (mut hedged, mut by_core) = (0, 0);
    let tests = vectors::items(&vectors, "tests");
    for test in tests {
        let key = ExpandedSigningKey::from_slice(&vectors::bytes(test, "sk")).unwrap();
        let (message, context) = (vectors::bytes(test, "message"), vectors::bytes(test, "context"));
        let mu = primitive::mu(key.public_key(), &context, &message).unwrap();
        let rnd = (!test["rnd"].is_null()).then(|| vectors::bytes(test, "rnd"));
        hedged += usize::from(rnd.is_some());
        let signature = primitive::sign(&key, mu, rnd.as_deref());
        assert_eq!(hex::encode(signature), vectors::string(test, "signature"), "{}", test["tcId"]);
        let signature = primitive::sign_message(&key, &context, &message, rnd.as_deref());
        assert_eq!(hex::encode(signature), vectors::string(test, "signature"), "{}", test["tcId"]);
        if context.is_empty() {
            let signature = primitive::sign_by_core(&key, &message, rnd.as_deref());
            assert_eq!(signature.to_hex(), vectors::string(test, "signature"), "{}", test["tcId"]);
            by_core += 1;
        }
    }
    println!("ACVP sigGen: {} signatures, {hedged} of them hedged, {by_core} by core's own door", tests.len());
    assert_eq!((tests.len(), hedged, by_core), (30, 15, 2));
}

#[test]
fn verification() {
    let vectors = vectors::json("acvp/mldsa65-sigver.json");
    let (mut accepted, mut refused) = (0, 0);
    for test in vectors::items(&vectors, "tests") {
        let key = PublicKey::from_hex(vectors::string(test, "pk")).unwrap();
        let signature = Signature::from_hex(vectors::string(test, "signature")).unwrap();
        let holds = if test["mu"].is_null() {
            primitive::accepts(&key, &vectors::bytes(test, "context"), &vectors::bytes(test, "message"), &signature)
        } else {
            primitive::by_core(&key, &vectors::bytes(test, "mu").try_into().unwrap(), &signature)
        };
        assert_eq!(holds, test["testPassed"].as_bool().unwrap(), "{}", test["tcId"]);
        *if holds { &mut accepted } else { &mut refused } += 1;
    }
    println!("ACVP sigVer: {accepted} accepted, {refused} refused");
    assert_eq!((accepted, refused), (6, 24));
}
