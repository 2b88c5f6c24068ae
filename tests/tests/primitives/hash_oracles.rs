//! HMAC and HKDF over SHA3 against the crates `hmac` and `hkdf`, with keys around the block sizes (72 bytes of
//! SHA3-512, 136 of SHA3-256) and messages in every way of cutting them.

use dualseal::hash::{Hmac, HmacSha3_256, HmacSha3_512, hkdf_sha3_256};
use hkdf::SimpleHkdf;
use hmac::{KeyInit, Mac, SimpleHmac};
use proptest::collection::vec;
use proptest::prelude::*;

fn oracle_256(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = <SimpleHmac<sha3::Sha3_256> as KeyInit>::new_from_slice(key).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

fn oracle_512(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = <SimpleHmac<sha3::Sha3_512> as KeyInit>::new_from_slice(key).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

fn ours<H: dualseal::hash::HashFunction>(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<H>::new(key);
    for part in parts {
        mac.update(part);
    }
    mac.finish().as_ref().to_vec()
}

#[test]
fn every_key_length_around_a_block() {
    let key: Vec<u8> = (0..=255).chain(0..=255).collect();
    for length in 0..=300 {
        let (key, message) = (&key[..length], &key[length..]);
        assert_eq!(ours::<dualseal::hash::Sha3_256>(key, &[message]), oracle_256(key, message), "{length}");
        assert_eq!(ours::<dualseal::hash::Sha3_512>(key, &[message]), oracle_512(key, message), "{length}");
    }
}

#[test]
fn every_cut_of_a_message() {
    let message: Vec<u8> = (0..=255).collect();
    for cut in 0..=message.len() {
        let (one, two) = message.split_at(cut);
        assert_eq!(ours::<dualseal::hash::Sha3_256>(b"key", &[one, &[], two]), oracle_256(b"key", &message), "{cut}");
        assert_eq!(ours::<dualseal::hash::Sha3_512>(b"key", &[one, &[], two]), oracle_512(b"key", &message), "{cut}");
    }
}

proptest! {
    #[test]
    fn any_key_and_any_chunks(
        key in vec(any::<u8>(), 0..400),
        message in vec(any::<u8>(), 0..600),
        step in 1usize..200,
    ) {
        let (mut short, mut long) = (HmacSha3_256::new(&key), HmacSha3_512::new(&key));
        for part in message.chunks(step) {
            short.update(part);
            long.update(part);
        }
        prop_assert_eq!(short.finish().to_vec(), oracle_256(&key, &message));
        prop_assert_eq!(long.finish().to_vec(), oracle_512(&key, &message));
    }

    #[test]
    fn any_derivation(
        ikm in vec(any::<u8>(), 0..200),
        salt in vec(any::<u8>(), 0..300),
        info in vec(any::<u8>(), 0..300),
        cut: prop::sample::Index,
    ) {
        // 8160 = 255 * 32 is the most that HKDF gives. An empty salt stands for the default one of zeros.
        let salt_or_default = (!salt.is_empty()).then_some(salt.as_slice());
        let oracle = SimpleHkdf::<sha3::Sha3_256>::new(salt_or_default, &ikm);
        let mut expected = vec![0; 8160];
        oracle.expand(&info, &mut expected).unwrap();
        let parts = info.split_at(cut.index(info.len() + 1));
        let info: [&[u8]; 3] = [parts.0, &[], parts.1];
        prop_assert!(hkdf_sha3_256::<8160>(&ikm, &salt, &info).expose()[..] == expected);
        prop_assert!(hkdf_sha3_256::<0>(&ikm, &salt, &info).expose().is_empty());
        prop_assert!(hkdf_sha3_256::<1>(&ikm, &salt, &info).expose()[..] == expected[..1]);
        prop_assert!(hkdf_sha3_256::<31>(&ikm, &salt, &info).expose()[..] == expected[..31]);
        prop_assert!(hkdf_sha3_256::<32>(&ikm, &salt, &info).expose()[..] == expected[..32]);
        prop_assert!(hkdf_sha3_256::<33>(&ikm, &salt, &info).expose()[..] == expected[..33]);
        prop_assert!(hkdf_sha3_256::<64>(&ikm, &salt, &info).expose()[..] == expected[..64]);
    }
}
