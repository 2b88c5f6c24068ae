//! A door for test vectors, whose messages the library neither signs nor verifies: who could have it sign what he
//! likes could have it sign a statement of the library's. It is there with the feature `hazmat-vectors` alone.

use super::{Claim, Hedge, PublicKey, Signature, Statement, StatementKey, all_hold};
use crate::error::Error;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A signature over a message with the empty context (FIPS 204, algorithm 2), by what signs the library's statements;
/// without `rnd` the deterministic one.
///
/// # Errors
/// [`Misuse::UnfitKey`](crate::error::Misuse::UnfitKey).
pub fn sign<K: StatementKey>(key: &K, message: &[u8], rnd: Option<&[u8; 32]>) -> Result<Signature, Error> {
    let hedge = rnd.map_or_else(Hedge::deterministic, Hedge::given);
    key.sign_statement(&Statement::Whole(message), &hedge)
}

/// Whether a signature over a representative holds (FIPS 204, algorithm 8): alone, and as each of several that are
/// verified together.
#[must_use]
pub fn accepts(key: &PublicKey, representative: &[u8; 64], signature: &Signature) -> (bool, Vec<bool>) {
    let key = Arc::new(key.prepare());
    let claim = || Claim { key: Arc::clone(&key), mu: *representative, signature: signature.clone() };
    (claim().holds(), all_hold(&[claim(), claim(), claim(), claim(), claim()]))
}
