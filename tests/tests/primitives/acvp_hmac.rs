//! HMAC-SHA3-512 against NIST's ACVP vectors, whose tags are truncated and whose keys are up to 256 bytes long.

use dualseal::hash::HmacSha3_512;
use dualseal_tests::vectors;

fn mac(key: &[u8], message: &[u8]) -> HmacSha3_512 {
    let mut mac = HmacSha3_512::new(key);
    mac.update(message);
    mac
}

#[test]
fn every_tag() {
    let vectors = vectors::json("acvp/hmac-sha3-512.json");
    let tests = vectors::items(&vectors, "tests");
    println!("ACVP HMAC-SHA3-512: {} tags", tests.len());
    assert_eq!(tests.len(), 150);
    for test in tests {
        let (key, message) = (vectors::bytes(test, "key"), vectors::bytes(test, "msg"));
        let expected = vectors::bytes(test, "mac");
        let tag = mac(&key, &message).finish();
        assert_eq!(&tag[..expected.len()], expected, "{}", test["tcId"]);
        assert!(bool::from(mac(&key, &message).verify(&tag)), "{}", test["tcId"]);
        // A truncated tag is not the tag.
        assert!(!bool::from(mac(&key, &message).verify(&expected)), "{}", test["tcId"]);
    }
}

#[test]
fn no_altered_tag_is_accepted() {
    let vectors = vectors::json("acvp/hmac-sha3-512.json");
    let test = &vectors::items(&vectors, "tests")[0];
    let (key, message) = (vectors::bytes(test, "key"), vectors::bytes(test, "msg"));
    let tag = mac(&key, &message).finish();
    for bit in 0..512 {
        let mut altered = tag;
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(!bool::from(mac(&key, &message).verify(&altered)), "bit {bit}");
    }
    assert!(!bool::from(mac(&key, &message).verify(&[])));
    assert!(!bool::from(mac(&key, &message).verify(&[&tag[..], &[0]].concat())));
}
