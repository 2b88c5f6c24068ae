//! Public keys prepared for verification, and verification itself.

use super::verifying::{VerifyingKey, accept_all};
#[cfg(all(test, feature = "std", feature = "getrandom"))]
use super::work;
use super::{KeyHash, Mu, PublicKey, Signature};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// A public key expanded for verification (37 to 45 KB on the heap).
#[derive(Clone)]
pub struct PreparedKey {
    hash: KeyHash,
    inner: VerifyingKey,
}

impl PublicKey {
    /// Expands the key for verification, the larger part of a single verification's work.
    #[must_use]
    pub fn prepare(&self) -> PreparedKey {
        PreparedKey { hash: *self.hash(), inner: VerifyingKey::expand(self.as_bytes()) }
    }
}

impl PreparedKey {
    /// Bytes of memory that a prepared key takes, for the budget of a cache.
    pub const BYTES: usize = VerifyingKey::BYTES;

    /// SHA3-256 over the public key that this was prepared from.
    #[must_use]
    pub fn hash(&self) -> &KeyHash {
        &self.hash
    }

    /// `ML-DSA.Verify` with an empty context (FIPS 204, algorithm 3) of a statement made for this key. What it answers
    /// is no verdict: it knows nothing of the key's state.
    pub(crate) fn accepts(&self, mu: Mu, signature: &Signature) -> bool {
        #[cfg(all(test, feature = "std", feature = "getrandom"))]
        work::count_verified();
        self.inner.accepts(&mu.finish(), signature.as_bytes())
    }
}

/// What is to be verified: as [`PreparedKey::accepts`] takes it.
pub(crate) struct Claim {
    pub(crate) key: Arc<PreparedKey>,
    pub(crate) mu: [u8; 64],
    pub(crate) signature: Signature,
}

impl Claim {
    /// [`PreparedKey::accepts`].
    pub(crate) fn holds(&self) -> bool {
        #[cfg(all(test, feature = "std", feature = "getrandom"))]
        work::count_verified();
        self.key.inner.accepts(&self.mu, self.signature.as_bytes())
    }
}

/// As [`Claim::holds`], of several claims at once, which takes less time for each.
pub(crate) fn all_hold(claims: &[Claim]) -> Vec<bool> {
    #[cfg(all(test, feature = "std", feature = "getrandom"))]
    for _ in claims {
        work::count_verified();
    }
    accept_all(claims.iter().map(|claim| (&claim.key.inner, &claim.mu, claim.signature.as_bytes())))
}

impl fmt::Debug for PreparedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedKey(sha3-256 {})", self.hash)
    }
}
