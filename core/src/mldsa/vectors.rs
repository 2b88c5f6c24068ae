//! A door for test vectors, whose messages the library neither signs nor verifies: who could have it sign what he
//! likes could have it sign a statement of the library's. It is there with the feature `hazmat-vectors` alone.

#[cfg(feature = "libcrux")]
pub use super::signing::CLEARED;
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

/// Which signatures over representatives hold (FIPS 204, algorithm 8): each alone, and all verified together.
#[must_use]
pub fn accept(key: &PublicKey, claims: &[([u8; 64], Signature)]) -> (Vec<bool>, Vec<bool>) {
    let key = Arc::new(key.prepare());
    let of_key = |(mu, signature): &([u8; 64], Signature)| Claim {
        key: Arc::clone(&key),
        mu: *mu,
        signature: signature.clone(),
    };
    let claims: Vec<_> = claims.iter().map(of_key).collect();
    (claims.iter().map(Claim::holds).collect(), all_hold(&claims))
}
