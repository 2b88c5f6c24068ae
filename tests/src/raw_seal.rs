//! Seals made from the formulas alone, by the bare `ml-dsa` and `hmac` crates: also those that the library refuses to
//! make.

use dualseal::IdentityId;
use hmac::{KeyInit, Mac, SimpleHmac};
use ml_dsa::{MlDsa65, SigningKey};
use sha3::Sha3_512;

/// HMAC-SHA3-512 over the payload's hexadecimal, with a key of any length.
pub fn hmac_hex(seal_key: &[u8], payload: &[u8]) -> String {
    let mut mac = <SimpleHmac<Sha3_512> as KeyInit>::new_from_slice(seal_key).expect("any length");
    mac.update(hex::encode(payload).as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

/// `SEAL-L5::<hmac>`.
pub fn legacy(seal_key: &[u8], payload: &[u8]) -> String {
    format!("SEAL-L5::{}", hmac_hex(seal_key, payload))
}

/// `SEAL-DUAL::<hmac>::<signature>`, the signature by the key of this seed, deterministic, with the suffix of the
/// default domain.
pub fn dual(seal_key: &[u8], seed: [u8; 32], payload: &[u8], identity_id: &IdentityId) -> String {
    let hmac = hmac_hex(seal_key, payload);
    let statement = format!("{}::{hmac}::{identity_id}::DUALSEAL", hex::encode(payload));
    format!("SEAL-DUAL::{hmac}::{}", sign(seed, statement.as_bytes()))
}

/// An ML-DSA-65 signature over any bytes, deterministic, with an empty context.
pub fn sign(seed: [u8; 32], message: &[u8]) -> String {
    let key = SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(seed));
    hex::encode(key.expanded_key().sign_deterministic(message, &[]).expect("an empty context").encode())
}

/// Whether a public key accepts a signature over these bytes.
pub fn accepts(public_key: &[u8], signature: &[u8], message: &[u8]) -> bool {
    let key = ml_dsa::EncodedVerifyingKey::<MlDsa65>::try_from(public_key).expect("1952 bytes");
    let signature = ml_dsa::EncodedSignature::<MlDsa65>::try_from(signature).expect("3309 bytes");
    let signature = ml_dsa::Signature::<MlDsa65>::decode(&signature).expect("a well-formed signature");
    ml_dsa::VerifyingKey::<MlDsa65>::decode(&key).verify_with_context(message, &[], &signature)
}
