//! SHA3-256 and SHA3-512 against NIST's ACVP vectors, the Monte Carlo test included.

use dualseal::hash::{HashFunction, Sha3_256, Sha3_512};
use dualseal_tests::vectors;

fn messages<H: HashFunction>(file: &str, expected: usize) {
    let vectors = vectors::json(file);
    let tests = vectors::items(&vectors, "aft");
    println!("ACVP {file}: {} messages", tests.len());
    assert_eq!(tests.len(), expected);
    for test in tests {
        let (message, expected) = (vectors::bytes(test, "msg"), vectors::bytes(test, "md"));
        // In one piece, in pieces of a prime length, and twice with one state: `finish` must reset it.
        let mut hash = H::default();
        hash.update(&message);
        assert_eq!(hash.finish().as_ref(), expected, "{file} {}", test["tcId"]);
        for part in message.chunks(7) {
            hash.update(part);
        }
        assert_eq!(hash.finish().as_ref(), expected, "{file} {} in parts", test["tcId"]);
    }
}

/// Each result is the thousandth hash of the one before.
fn monte_carlo<H: HashFunction>(file: &str) {
    let vectors = vectors::json(file);
    let mut digest = vectors::bytes(&vectors["mct"], "seed");
    let results = vectors::items(&vectors["mct"], "md");
    println!("ACVP {file}: {} results of the Monte Carlo test", results.len());
    assert_eq!(results.len(), 100);
    for (round, expected) in results.iter().enumerate() {
        for _ in 0..1000 {
            let mut hash = H::default();
            hash.update(&digest);
            digest = hash.finish().as_ref().to_vec();
        }
        assert_eq!(hex::encode(&digest), expected.as_str().unwrap(), "{file} round {round}");
    }
}

#[test]
fn sha3_256_messages() {
    messages::<Sha3_256>("acvp/sha3-256.json", 151);
}

#[test]
fn sha3_512_messages() {
    messages::<Sha3_512>("acvp/sha3-512.json", 86);
}

#[test]
fn sha3_256_monte_carlo() {
    monte_carlo::<Sha3_256>("acvp/sha3-256.json");
}

#[test]
fn sha3_512_monte_carlo() {
    monte_carlo::<Sha3_512>("acvp/sha3-512.json");
}
