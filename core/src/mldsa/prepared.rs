//! Public keys prepared for verification, and verification itself.

#[cfg(all(test, feature = "std", feature = "getrandom"))]
use super::work;
use super::{KeyHash, Mu, PUBLIC_KEY_BYTES, PublicKey, Signature};
use core::fmt;
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa65, VerifyingKey};

/// A public key expanded for verification (about 43 KB on the heap).
#[derive(Clone)]
pub struct PreparedKey {
    hash: KeyHash,
    inner: VerifyingKey<MlDsa65>,
}

impl PublicKey {
    /// Expands the key for verification, the larger part of a single verification's work.
    #[must_use]
    pub fn prepare(&self) -> PreparedKey {
        PreparedKey {
            hash: *self.hash(),
            inner: VerifyingKey::decode(&EncodedVerifyingKey::<MlDsa65>::from(*self.as_bytes())),
        }
    }
}

impl PreparedKey {
    /// Bytes of memory that a prepared key takes, for the budget of a cache: the matrix of 6 x 5 polynomials, twelve
    /// more polynomials, of 256 coefficients of 4 bytes each, and the key itself.
    pub const BYTES: usize = (6 * 5 + 12) * 256 * 4 + PUBLIC_KEY_BYTES;

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
        let encoded = EncodedSignature::<MlDsa65>::from(*signature.as_bytes());
        ml_dsa::Signature::decode(&encoded).is_some_and(|s| self.inner.verify_mu(&mu.finish().into(), &s))
    }
}

impl fmt::Debug for PreparedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedKey(sha3-256 {})", self.hash)
    }
}
