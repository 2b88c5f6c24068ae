//! The ring key, and the keyed tags by which a chain vouches for the states in a ring without showing them.

use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::encoding::json::MAX_INTEGER;
use crate::error::Error;
use crate::hash::HmacSha3_512;
use crate::secret::Secret;
use alloc::string::{String, ToString};
use core::fmt;
use rand_core::TryCryptoRng;

/// The authority over a ring's changes: 32 drawn bytes, kept apart from the ring, and the domain of its chain.
///
/// Every change of current or retired keys appends a tag made with it to the chain. Whoever restores an old ring or
/// edits one in a database cannot make the tag that the chain then asks for.
pub struct RingKey {
    domain: Domain,
    key: Secret<32>,
}

impl RingKey {
    /// From 32 secret bytes that were drawn before.
    #[must_use]
    pub fn new(domain: &Domain, key: Secret<32>) -> Self {
        Self { domain: domain.clone(), key }
    }

    /// Draws a ring key.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails.
    pub fn generate<R: TryCryptoRng + ?Sized>(domain: &Domain, rng: &mut R) -> Result<Self, Error> {
        Ok(Self::new(domain, Secret::random(rng)?))
    }

    /// The 32 bytes, to be stored apart from the ring.
    #[must_use]
    pub fn secret(&self) -> &Secret<32> {
        &self.key
    }

    /// Whether a chain message has the beginning of a ring entry.
    pub(crate) fn is_ring_entry(&self, message: &str) -> bool {
        self.tail(message).is_some()
    }

    /// The revision of a ring entry; `None` when it has not the form of one. The tag is compared as a whole later.
    pub(crate) fn revision(&self, message: &str) -> Option<u64> {
        let tail = self.tail(message)?;
        let revision = tail.split("::").next()?.parse::<u64>().ok()?;
        // Written again, so that no second spelling of a number passes.
        let plain = tail.starts_with(&alloc::format!("{revision}::"));
        (plain && (1..=MAX_INTEGER.unsigned_abs()).contains(&revision)).then_some(revision)
    }

    fn tail<'a>(&self, message: &'a str) -> Option<&'a str> {
        let rest = message.strip_prefix(self.domain.prefix(Row::Signature))?.strip_prefix("::")?;
        rest.strip_prefix(self.domain.label(Label::SignatureRing))?.strip_prefix("::")
    }

    /// The message of the chain entry for an identity's keys as they stand: `P::<RING>::<revision>::<tag>::S`, the tag
    /// being the first 64 hexadecimal characters of `HMAC-SHA3-512(ring key, P::<RING>::<revision>::S ‖ keys)`.
    pub(super) fn message(&self, revision: u64, keys: &str) -> String {
        let label = self.domain.label(Label::SignatureRing);
        let revision = revision.to_string();
        let mut mac = HmacSha3_512::new(self.key.expose());
        mac.update(self.domain.join(Row::Signature, &[label, &revision]).as_bytes());
        mac.update(keys.as_bytes());
        let tag = mac.finish();
        let tag = hex::encode(tag.first_chunk::<32>().unwrap_or(&[0; 32]));
        self.domain.join(Row::Signature, &[label, &revision, &tag])
    }
}

impl fmt::Debug for RingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingKey").field("domain", &self.domain).finish_non_exhaustive()
    }
}
