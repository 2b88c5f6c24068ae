//! The binary forms: what is read is written again as the same bytes, and says what its JSON says.
#![no_main]

use dualseal::seal::Seal;
use dualseal::{Entry, PublicKey, SignatureRecord};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // The lengths that are read, which nobody finds by chance.
    for length in [5371, 3419, 3379, 70] {
        let mut padded = bytes.to_vec();
        padded.resize(length, 0);
        check(&padded);
    }
});

fn check(bytes: &[u8]) {
    if let Ok(record) = SignatureRecord::from_bytes(bytes) {
        assert_eq!(record.to_bytes(), bytes);
        assert_eq!(SignatureRecord::from_json(record.to_json().as_bytes()), Ok(record));
    }
    let key = PublicKey::from_slice(&[0; 1952]).expect("1952 bytes");
    if let Ok(record) = SignatureRecord::from_bytes_with_key(bytes, &key) {
        assert!(record.to_bytes() == bytes || record.to_bytes_without_key() == bytes);
    }
    if let Ok(entry) = Entry::from_bytes(bytes) {
        assert_eq!(entry.to_bytes().as_deref(), Ok(bytes));
        assert_eq!(Entry::from_json(entry.to_json().as_bytes()), Ok(entry));
    }
    if let Ok(seal) = Seal::from_bytes(bytes) {
        assert_eq!(seal.to_bytes(), bytes);
        assert_eq!(seal.to_string().parse(), Ok(seal));
    }
}
