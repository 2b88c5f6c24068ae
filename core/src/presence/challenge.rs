//! The challenge: what an authenticator answers, bound to everything that the operation will do.

use crate::domain::{Domain, Row};
use crate::encoding::hex_newtype;
use crate::encoding::time::Timestamp;
use crate::error::{Error, PresenceFault, Rejected};
use crate::hash::Sha3_256;
use crate::secret::Secret;
use crate::shard::Request;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use rand_core::TryCryptoRng;

hex_newtype! {
    /// What makes a challenge usable once: 32 drawn bytes, 64 hexadecimal characters.
    Nonce, 32, "nonce"
}

hex_newtype! {
    /// A challenge: SHA3-256 over the operation, vault, split, shards, arguments, recipient, identity, nonce and
    /// expiry. 64 hexadecimal characters.
    Challenge, 32, "challenge"
}

impl Nonce {
    /// Draws a nonce.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails.
    pub fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::from_bytes(*Secret::random(rng)?.expose()))
    }
}

impl Challenge {
    /// SHA3-256, with the presence row's constants, of `P::<op>::<vault_id>::<split_id>::<shard_ids joined by
    /// ,>::<args>::<primatelj>::<identity_id>::<nonce>::<expiry>::S`.
    #[must_use]
    pub fn new(domain: &Domain, request: &Request, nonce: &Nonce, expiry: Timestamp) -> Self {
        let shard_ids: Vec<String> = request.shard_ids.iter().map(ToString::to_string).collect();
        let text = domain.join(
            Row::Presence,
            &[
                request.operation.as_str(),
                &request.vault_id.to_hex(),
                &request.split_id.to_hex(),
                &shard_ids.join(","),
                &request.arguments.to_hex(),
                &request.recipient.to_hex(),
                &request.identity_id.to_hex(),
                &nonce.to_hex(),
                &expiry.to_string(),
            ],
        );
        Self::from_bytes(Sha3_256::digest(text.as_bytes()))
    }
}

/// The longest that a challenge may live, in milliseconds.
const LONGEST_LIFE: i64 = 300_000;

/// Refuses what has expired, and what would live longer than a challenge may.
pub(super) fn check_expiry(expiry: Timestamp, now: Timestamp) -> Result<(), Error> {
    if now >= expiry {
        return Err(refused(PresenceFault::Expired));
    }
    if expiry.as_millis().saturating_sub(now.as_millis()) > LONGEST_LIFE {
        return Err(refused(PresenceFault::ExpiryTooFar));
    }
    Ok(())
}

pub(super) fn refused(fault: PresenceFault) -> Error {
    Error::Rejected(Rejected::Presence(fault))
}
