//! ML-DSA-65 against NIST's ACVP vectors of the interfaces that the library has no use for: messages that are hashed
//! before, the internal interface, and representatives. What is signed and verified is a representative each time, so
//! that they ask the same code by other inputs.

use dualseal::{ExpandedSigningKey, PublicKey, Signature};
use dualseal_tests::primitive::{self, shake256};
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use sha3::{Digest, Sha3_224, Sha3_256, Sha3_384, Sha3_512};
use shake::{ExtendableOutput, Shake128, Update, XofReader};
use std::collections::BTreeSet;

/// The hash of a message, and the last number of the function's identifier, all of which begin alike.
fn hashed(name: &str, message: &[u8]) -> (u8, Vec<u8>) {
    match name {
        "SHA2-256" => (1, Sha256::digest(message).to_vec()),
        "SHA2-384" => (2, Sha384::digest(message).to_vec()),
        "SHA2-512" => (3, Sha512::digest(message).to_vec()),
        "SHA2-224" => (4, Sha224::digest(message).to_vec()),
        "SHA2-512/224" => (5, Sha512_224::digest(message).to_vec()),
        "SHA2-512/256" => (6, Sha512_256::digest(message).to_vec()),
        "SHA3-224" => (7, Sha3_224::digest(message).to_vec()),
        "SHA3-256" => (8, Sha3_256::digest(message).to_vec()),
        "SHA3-384" => (9, Sha3_384::digest(message).to_vec()),
        "SHA3-512" => (10, Sha3_512::digest(message).to_vec()),
        "SHAKE-128" => {
            let (mut hash, mut output) = (Shake128::default(), vec![0; 32]);
            hash.update(message);
            hash.finalize_xof().read(&mut output);
            (11, output)
        }
        "SHAKE-256" => (12, shake256(&[message]).to_vec()),
        other => panic!("no hash function {other}"),
    }
}

/// What is signed of a test (FIPS 204, algorithms 4, 5 and 7).
fn representative(test: &Value, key: &PublicKey) -> [u8; 64] {
    let tr = shake256(&[key.as_bytes()]);
    let text = |member: &str| if test[member].is_null() { Vec::new() } else { bytes(test, member) };
    match string(test, "kind") {
        "mu" => bytes(test, "mu").try_into().unwrap(),
        "internal" => shake256(&[&tr, &bytes(test, "message")]),
        "preHash" => {
            let (context, (function, hash)) =
                (text("context"), hashed(string(test, "hashAlg"), &bytes(test, "message")));
            let identifier = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, function];
            let length = u8::try_from(context.len()).unwrap();
            shake256(&[&tr, &[1, length], &context, &identifier, &hash])
        }
        other => panic!("no interface {other}"),
    }
}

#[test]
fn signing() {
    let vectors = json("acvp/mldsa65-siggen-others.json");
    let (mut functions, mut hedged) = (BTreeSet::new(), 0);
    let tests = items(&vectors, "tests");
    for test in tests {
        let key = ExpandedSigningKey::from_slice(&bytes(test, "sk")).unwrap();
        let mu = representative(test, key.public_key());
        let rnd = (!test["rnd"].is_null()).then(|| bytes(test, "rnd"));
        hedged += usize::from(rnd.is_some());
        functions.extend(test["hashAlg"].as_str());
        let signature = primitive::sign(&key, mu, rnd.as_deref());
        assert_eq!(hex::encode(&signature), string(test, "signature"), "{}", test["tcId"]);
        assert!(primitive::by_core(key.public_key(), &mu, &Signature::from_slice(&signature).unwrap()));
    }
    println!("ACVP sigGen, other interfaces: {} signatures, {hedged} of them hedged", tests.len());
    assert_eq!((tests.len(), functions.len(), hedged), (90, 12, 45));
}

#[test]
fn verification() {
    let vectors = json("acvp/mldsa65-sigver-others.json");
    let (mut accepted, mut refused, mut functions) = (0, 0, BTreeSet::new());
    for test in items(&vectors, "tests") {
        let key = PublicKey::from_hex(string(test, "pk")).unwrap();
        let signature = Signature::from_hex(string(test, "signature")).unwrap();
        let holds = primitive::by_core(&key, &representative(test, &key), &signature);
        assert_eq!(holds, test["testPassed"].as_bool().unwrap(), "{}", test["tcId"]);
        functions.extend(test["hashAlg"].as_str());
        *if holds { &mut accepted } else { &mut refused } += 1;
    }
    println!("ACVP sigVer, other interfaces: {accepted} accepted, {refused} refused");
    assert_eq!((accepted, refused, functions.len()), (6, 24, 12));
}
