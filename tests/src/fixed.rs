//! Fixed keys, identities and times, and what is changed in a text.

use crate::prelude::*;
use dualseal::{Domain, Head, IdentityId, SignatureRecord, Signed, Signer, SigningKey, Timestamp};

/// A signing key of its own for every number but 0.
pub fn key(number: u8) -> SigningKey {
    SigningKey::from_seed(&[number; 32]).expect("no seed is all zeros")
}

/// An identity of the default domain.
pub fn identity(name: &str) -> IdentityId {
    Domain::default().identity_id(b"", name, "").expect("an unambiguous name")
}

/// So many minutes after 2026-11-21T09:00Z.
pub fn minute(minutes: i64) -> Timestamp {
    let start: Timestamp = "2026-11-21T09:00:00.000Z".parse().expect("a time");
    Timestamp::from_millis(start.as_millis() + minutes * 60_000).expect("a time")
}

/// A record over `content` in the default domain, at the head of an empty chain.
pub fn signed(identity_id: &IdentityId, key: &SigningKey, content: &[u8]) -> Signed {
    let domain = Domain::default();
    let signer = Signer::new(&domain, identity_id, key);
    let content = signer.content_hash(content);
    signer.sign_deterministic(&content, &Head::EMPTY, minute(1)).expect("a fit key")
}

/// As [`signed`], the record alone.
pub fn record(identity_id: &IdentityId, key: &SigningKey, content: &[u8]) -> SignatureRecord {
    signed(identity_id, key, content).record
}

/// A JSON text with one member of its outermost object set to another value.
pub fn with_member(json: &str, name: &str, value: serde_json::Value) -> String {
    let mut object: serde_json::Value = serde_json::from_str(json).expect("JSON");
    object.as_object_mut().expect("an object").insert(name.to_string(), value);
    object.to_string()
}

/// The hexadecimal with the digit at `index` replaced by the next one.
pub fn next_digit(text: &str, index: usize) -> String {
    let mut digits: Vec<char> = text.chars().collect();
    let digit = digits[index].to_digit(16).expect("hexadecimal");
    digits[index] = char::from_digit((digit + 1) % 16, 16).expect("below 16");
    digits.into_iter().collect()
}
