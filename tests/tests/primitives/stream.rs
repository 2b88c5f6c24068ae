//! Encrypted streams: every way to change one, and what leaves before it is refused.

use chacha20poly1305::ChaCha20Poly1305;
use chacha20poly1305::aead::{Aead, KeyInit};
use dualseal::error::{Error, Malformed, Misuse, Problem, Rejected, StreamFault};
use dualseal::hash::hkdf_sha3_256;
use dualseal::secret::Secret;
use dualseal::stream::{
    CHUNK_BYTES, Decryptor, Encryptor, HEADER_BYTES, MAGIC, Purpose, TAG_BYTES, open, seal, stored_length,
};
use dualseal::{Domain, SystemRng};
use dualseal_tests::random::{Constant, FAILING, Given};
use dualseal_tests::vectors;

const SEALED: usize = CHUNK_BYTES + TAG_BYTES;

fn purpose(domain: &str, identity_id: &[u8], kind: &str) -> Purpose {
    let identity_id = identity_id.try_into().expect("32 bytes");
    Purpose::new(&Domain::new(domain).unwrap(), identity_id, kind).unwrap()
}

fn usual() -> Purpose {
    purpose("DUALSEAL", &[1; 32], "CONTRACT")
}

fn secret(byte: u8) -> Secret<32> {
    Secret::from_slice("secret", &[byte; 32]).unwrap()
}

fn other_key() -> Error {
    Error::Rejected(Rejected::Stream(StreamFault::OtherKey))
}

fn chunk(index: u64) -> Error {
    Error::Rejected(Rejected::Stream(StreamFault::Chunk { index }))
}

fn payload(length: usize) -> Vec<u8> {
    (0..=250_u8).cycle().take(length).collect()
}

/// Parts of every size give the same bytes in, and the same bytes out.
#[test]
fn parts_do_not_matter() {
    let (secret, purpose, salt) = (secret(2), usual(), [3; 32]);
    for length in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 3 * CHUNK_BYTES + 5] {
        let payload = payload(length);
        let whole = seal(&secret, &purpose, &payload, &mut Given(&salt)).unwrap();
        assert_eq!(whole.len(), HEADER_BYTES + length + TAG_BYTES * length.div_ceil(CHUNK_BYTES).max(1));
        assert_eq!(whole.len(), stored_length(length));
        for part in [17, 4096, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, SEALED, 4 * SEALED] {
            let mut stored = Vec::new();
            let mut encryptor = Encryptor::new(&secret, &purpose, &mut Given(&salt), &mut stored).unwrap();
            for part in payload.chunks(part) {
                encryptor.update(part, &mut stored).unwrap();
                encryptor.update(&[], &mut stored).unwrap();
            }
            encryptor.finish(&mut stored).unwrap();
            assert!(stored == whole, "{length} in parts of {part}");

            let mut plain = Vec::new();
            let mut decryptor = Decryptor::new(&secret, &purpose);
            for part in stored.chunks(part) {
                decryptor.update(part, &mut plain).unwrap();
                decryptor.update(&[], &mut plain).unwrap();
            }
            decryptor.finish(&mut plain).unwrap();
            assert!(plain == payload, "{length} in parts of {part}");
        }
    }
}

/// A secret of 66 bytes is a key as one of 32 is, with every byte of it.
#[test]
fn a_long_secret_is_a_key() {
    let long = |last: u8| {
        let mut bytes = [2; 66];
        bytes[65] = last;
        Secret::<66>::from_slice("secret", &bytes).unwrap()
    };
    let (purpose, salt, payload) = (usual(), [3; 32], payload(100));
    let stored = seal(&long(2), &purpose, &payload, &mut Given(&salt)).unwrap();
    assert_eq!(*open(&long(2), &purpose, &stored).unwrap(), payload);
    assert_eq!(open(&long(3), &purpose, &stored).unwrap_err(), other_key());
    assert_eq!(stored[HEADER_BYTES - 32..HEADER_BYTES], derived(&[2; 66], &salt, &[1; 32])[32..]);
}

/// What a decryptor gives out before it refuses.
fn released(stored: &[u8], part: usize) -> (Vec<u8>, Error) {
    let (secret, purpose, mut plain) = (secret(2), usual(), Vec::new());
    let mut decryptor = Decryptor::new(&secret, &purpose);
    for part in stored.chunks(part) {
        if let Err(error) = decryptor.update(part, &mut plain) {
            let before = plain.len();
            assert_eq!(decryptor.update(&[0], &mut plain).unwrap_err(), Error::Misuse(Misuse::StreamEnded));
            assert_eq!(decryptor.finish(&mut plain).unwrap_err(), Error::Misuse(Misuse::StreamEnded));
            assert_eq!(plain.len(), before, "nothing after a refusal");
            return (plain, error);
        }
    }
    let error = decryptor.finish(&mut plain).unwrap_err();
    (plain, error)
}

/// Refused with this error, by `open` without a byte, and by the decryptor after the chunks before the bad one.
fn refused(stored: &[u8], payload: &[u8], error: &Error) {
    assert_eq!(open(&secret(2), &usual(), stored).unwrap_err(), *error);
    let good = match error {
        Error::Rejected(Rejected::Stream(StreamFault::Chunk { index })) => {
            usize::try_from(*index).unwrap() * CHUNK_BYTES
        }
        _ => 0,
    };
    for part in [1000, SEALED, stored.len().max(1)] {
        let (plain, found) = released(stored, part);
        assert_eq!(found, *error);
        assert!(plain == payload[..good], "{} bytes left, {good} are good", plain.len());
    }
}

fn four_chunks() -> (Vec<u8>, Vec<u8>) {
    let payload = payload(3 * CHUNK_BYTES + 100);
    let stored = seal(&secret(2), &usual(), &payload, &mut Given(&[3; 32])).unwrap();
    (payload, stored)
}

fn place(index: usize) -> usize {
    HEADER_BYTES + index * SEALED
}

#[test]
fn truncated_streams_are_refused() {
    let (payload, stored) = four_chunks();
    for (length, bad) in [
        (stored.len() - 1, 3),
        (place(3) + TAG_BYTES + 1, 3),
        (place(3) + TAG_BYTES, 3),
        (place(3) + 1, 3),
        (place(3), 2),
        (place(3) - 1, 2),
        (place(2), 1),
        (place(1), 0),
        (place(0) + TAG_BYTES, 0),
        (place(0) + 1, 0),
        (place(0), 0),
    ] {
        refused(&stored[..length], &payload, &chunk(bad));
    }
    for length in 0..HEADER_BYTES {
        let problem = Problem::Length { expected: HEADER_BYTES, found: length };
        let error = Error::Malformed(Malformed::new("stream", None, problem));
        assert_eq!(open(&secret(2), &usual(), &stored[..length]).unwrap_err(), error);
    }
}

#[test]
fn extended_streams_are_refused() {
    let (payload, stored) = four_chunks();
    for more in [1, TAG_BYTES, CHUNK_BYTES, SEALED] {
        refused(&[&stored[..], &vec![0; more]].concat(), &payload, &chunk(3));
    }
    // A second last chunk, and the first ones again.
    refused(&[&stored[..], &stored[place(3)..]].concat(), &payload, &chunk(3));
    refused(&[&stored[..], &stored[place(0)..place(1)]].concat(), &payload, &chunk(3));
    // A full chunk that was made as the last is not one that others may follow.
    let whole = seal(&secret(2), &usual(), &payload[..CHUNK_BYTES], &mut Given(&[3; 32])).unwrap();
    refused(&[&whole[..], &stored[place(1)..]].concat(), &payload, &chunk(0));
}

/// An empty last chunk after full ones would be a second form of the same plaintext.
#[test]
fn an_empty_chunk_stands_for_an_empty_payload_only() {
    let (payload, stored) = four_chunks();
    let derived = derived(&[2; 32], &[3; 32], &[1; 32]);
    let cipher = ChaCha20Poly1305::new_from_slice(&derived[..32]).unwrap();
    let mut nonce = [0; 12];
    nonce[10] = 1;
    nonce[11] = 1;
    let empty = cipher.encrypt((&nonce).into(), &[][..]).unwrap();
    // Position 1, last, with a tag that holds.
    refused(&[&stored[..place(1)], &empty].concat(), &payload, &chunk(1));
    nonce[10] = 0;
    let empty = cipher.encrypt((&nonce).into(), &[][..]).unwrap();
    assert!(open(&secret(2), &usual(), &[&stored[..place(0)], &empty].concat()).unwrap().is_empty());
}

#[test]
fn moved_chunks_are_refused() {
    let (payload, stored) = four_chunks();
    let piece = |index: usize| &stored[place(index)..place(index + 1).min(stored.len())];
    let order = |indices: &[usize]| {
        let pieces: Vec<&[u8]> = indices.iter().map(|index| piece(*index)).collect();
        [&stored[..HEADER_BYTES], &pieces.concat()].concat()
    };
    assert_eq!(order(&[0, 1, 2, 3]), stored);
    for (indices, bad) in [
        (&[1, 0, 2, 3][..], 0),
        (&[0, 2, 1, 3], 1),
        (&[0, 1, 1, 3], 2),
        (&[0, 0, 1, 2, 3], 1),
        (&[0, 1, 3], 2),
        (&[1, 2, 3], 0),
        (&[3], 0),
    ] {
        refused(&order(indices), &payload, &chunk(bad));
    }
    // The same chunk of another stream: other salt, other key.
    let other = seal(&secret(2), &usual(), &payload, &mut Given(&[4; 32])).unwrap();
    let mut swapped = stored.clone();
    swapped[place(1)..place(2)].copy_from_slice(&other[place(1)..place(2)]);
    refused(&swapped, &payload, &chunk(1));
}

#[test]
fn every_changed_bit_is_refused() {
    let payload = payload(40);
    let stored = seal(&secret(2), &usual(), &payload, &mut Given(&[3; 32])).unwrap();
    for (place, bit) in (0..stored.len()).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
        let mut bad = stored.clone();
        bad[place] ^= 1 << bit;
        let error = match place {
            0..4 => Error::Malformed(Malformed::new("stream", None, Problem::StreamHeader)),
            4..HEADER_BYTES => other_key(),
            _ => chunk(0),
        };
        refused(&bad, &payload, &error);
    }
    let (payload, stored) = four_chunks();
    for place in [place(0), place(1) - 1, place(1), place(2) + 7, place(3), stored.len() - 1] {
        let mut bad = stored.clone();
        bad[place] ^= 0x80;
        refused(&bad, &payload, &chunk(((place - HEADER_BYTES) / SEALED) as u64));
    }
}

#[test]
fn another_secret_or_use_opens_nothing() {
    let (payload, stored) = four_chunks();
    assert_eq!(*open(&secret(2), &usual(), &stored).unwrap(), payload);
    assert_eq!(open(&secret(5), &usual(), &stored).unwrap_err(), other_key());
    for other in [
        purpose("ACME", &[1; 32], "CONTRACT"),
        purpose("DUALSEAL", &[2; 32], "CONTRACT"),
        purpose("DUALSEAL", &[1; 32], "CONTRACT "),
        purpose("DUALSEAL", &[1; 32], "contract"),
    ] {
        assert_eq!(open(&secret(2), &other, &stored).unwrap_err(), other_key());
    }
    // The refusal comes with the header, before there is anything to decrypt.
    let (secret, purpose, mut plain) = (secret(5), usual(), Vec::new());
    let mut decryptor = Decryptor::new(&secret, &purpose);
    decryptor.update(&stored[..HEADER_BYTES - 1], &mut plain).unwrap();
    assert_eq!(decryptor.update(&stored[HEADER_BYTES - 1..HEADER_BYTES], &mut plain).unwrap_err(), other_key());
    // A stranger's file is told from a wrong key at its first byte.
    let mut decryptor = Decryptor::new(&secret, &purpose);
    let stranger = decryptor.update(b"P", &mut plain).unwrap_err();
    assert_eq!(stranger, Error::Malformed(Malformed::new("stream", None, Problem::StreamHeader)));
}

fn derived(secret: &[u8], salt: &[u8], identity_id: &[u8]) -> [u8; 64] {
    let info = format!("DUALSEAL-VAULT::AEAD::{}::CONTRACT::DUALSEAL", hex::encode(identity_id));
    *hkdf_sha3_256::<64>(secret, salt, &[info.as_bytes()]).expose()
}

/// The published chunk is one that the cipher takes under both keys. The stream opens under the one it commits to.
#[test]
fn a_blob_made_to_open_under_two_keys_is_refused() {
    let data = vectors::json("stream.json");
    let attack = &data["two_keys"];
    let (salt, chunk) = (vectors::bytes(attack, "salt"), vectors::bytes(attack, "chunk"));
    let identity_id = vectors::bytes(attack, "identity_id");
    let purpose = purpose("DUALSEAL", &identity_id, vectors::string(attack, "type"));
    let secrets = vectors::items(attack, "secrets");
    let payloads = vectors::items(attack, "payloads");
    let nonce = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    for (place, secret) in secrets.iter().enumerate() {
        let secret = hex::decode(secret.as_str().unwrap()).unwrap();
        let derived = derived(&secret, &salt, &identity_id);
        let plain = ChaCha20Poly1305::new_from_slice(&derived[..32]).unwrap().decrypt((&nonce).into(), &chunk[..]);
        assert_eq!(payloads[place], hex::encode(plain.expect("the tag holds under this key too")));

        let stored = [&MAGIC[..], &salt, &derived[32..], &chunk].concat();
        for (reader, secret) in secrets.iter().enumerate() {
            let secret = Secret::<32>::from_slice("secret", &hex::decode(secret.as_str().unwrap()).unwrap()).unwrap();
            let opened = open(&secret, &purpose, &stored);
            if reader == place {
                assert_eq!(payloads[place], hex::encode(opened.unwrap().as_slice()));
            } else {
                assert_eq!(opened.unwrap_err(), other_key());
            }
        }
    }
    assert_eq!(secrets.len(), 2);
}

#[test]
fn types_follow_the_rule_for_short_texts() {
    let made = |kind: &str| match Purpose::new(&Domain::default(), &[1; 32], kind) {
        Err(Error::Malformed(Malformed { field: "type", problem, .. })) => Some(problem),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    };
    for good in ["A", "a:b", "č", "x y", &"x".repeat(255)] {
        assert_eq!(made(good), None);
    }
    assert_eq!(made(""), Some(Problem::Range));
    assert_eq!(made(&"x".repeat(256)), Some(Problem::Range));
    assert_eq!(made("a::b"), Some(Problem::Ambiguous));
    assert_eq!(made(":a"), Some(Problem::Ambiguous));
    assert_eq!(made("a\nb"), Some(Problem::Control));
}

#[test]
fn a_broken_generator_encrypts_nothing() {
    let (secret, purpose) = (secret(2), usual());
    let mut out = Vec::new();
    assert_eq!(seal(&secret, &purpose, b"x", &mut FAILING.clone()).unwrap_err(), Error::Randomness);
    assert_eq!(Encryptor::new(&secret, &purpose, &mut Constant(0), &mut out).unwrap_err(), Error::Randomness);
    assert!(out.is_empty());
    let [one, two] = [(); 2].map(|()| seal(&secret, &purpose, b"x", &mut SystemRng).unwrap());
    assert_ne!(one[4..HEADER_BYTES], two[4..HEADER_BYTES]);
}
