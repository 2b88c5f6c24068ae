//! Encrypted streams of the second implementation, which C, Go and Python read too, made again and opened.

use dualseal::Domain;
use dualseal::field::Fp521;
use dualseal::hash::Sha3_256;
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::stream::{KeyMaterial, Purpose, open, seal};
use dualseal_tests::prelude::*;
use dualseal_tests::random::Given;
use dualseal_tests::vectors;
use serde_json::Value;

/// SHAKE-256 of a name, by the vectors' own making.
fn payload(length: usize) -> Vec<u8> {
    use sha3::digest::{ExtendableOutput, Update};
    let mut bytes = vec![0; length];
    let mut shake = shake::Shake256::default();
    shake.update(format!("payload {length}").as_bytes());
    shake.finalize_xof_into(&mut bytes);
    bytes
}

fn check_answer<K: KeyMaterial>(secret: &K, answer: &Value) {
    let identity_id = vectors::bytes(answer, "identity_id").try_into().expect("32 bytes");
    let domain = Domain::new(vectors::string(answer, "domain")).unwrap();
    let purpose = Purpose::new(&domain, &identity_id, vectors::string(answer, "type")).unwrap();
    let salt = vectors::bytes(answer, "salt");
    let payload = payload(usize::try_from(answer["payload_length"].as_u64().unwrap()).unwrap());
    let stored = seal(secret, &purpose, &payload, &mut Given(&salt)).unwrap();
    assert_eq!(answer["stored_length"], stored.len());
    assert_eq!(hex::encode(&stored[..stored.len().min(100)]), vectors::string(answer, "stored_begin"));
    assert_eq!(hex::encode(Sha3_256::digest(&stored)), vectors::string(answer, "stored_sha3_256"));
    assert_eq!(*open(secret, &purpose, &stored).unwrap(), payload);
}

#[cfg_attr(test, test)]
pub(crate) fn the_second_implementation_makes_the_same_streams() {
    let data = vectors::json("stream.json");
    for answer in vectors::items(&data, "streams") {
        let bytes = vectors::bytes(answer, "secret");
        if bytes.len() == 32 {
            check_answer(&Secret::<32>::from_slice("secret", &bytes).unwrap(), answer);
        } else {
            check_answer(&DrawnSecret::<Fp521>::draw(&mut Given(&bytes)).unwrap(), answer);
        }
    }
}
