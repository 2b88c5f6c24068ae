//! The ring key, and the keyed tags by which a chain vouches for the states in a ring without showing them.

use super::RingHead;
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::encoding::json::MAX_INTEGER;
use crate::error::Error;
use crate::hash::{HmacKey, Sha3_256, Sha3_512};
use crate::id::IdentityId;
use crate::krunica::{ChainHash, Entry, IgnoredReason, TreeHead};
use crate::mldsa::KeyHash;
use crate::secret::Secret;
use crate::tree::TreeHash;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;

/// The authority over a ring's changes: 32 drawn bytes, kept apart from the ring, and the domain of its chain.
///
/// Every change of current or retired keys appends an entry to the chain, with a tag over the keys and a mac over the
/// entry's own place, both made with it. Whoever restores an old ring or edits one in a database cannot make the tag
/// that the chain then asks for, and an entry that somebody else writes counts for nothing.
pub struct RingKey {
    domain: Domain,
    /// Shared by every ring that it has authority over.
    key: Arc<Key>,
}

struct Key {
    secret: Secret<32>,
    mac: HmacKey<Sha3_512>,
}

impl RingKey {
    /// From 32 secret bytes that were drawn before.
    #[must_use]
    pub fn new(domain: &Domain, key: Secret<32>) -> Self {
        let mac = HmacKey::new(key.expose());
        Self { domain: domain.clone(), key: Arc::new(Key { secret: key, mac }) }
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
        &self.key.secret
    }

    /// Whether this is the MAC over what an operator keeps beside the ring, as [`store_mac`](Self::store_mac) makes it.
    pub(crate) fn is_store_mac(&self, origin: &str, end: &TreeHead, text: &[u8], mac: &[u8; 32]) -> bool {
        self.store_mac(origin, end, text).ct_eq(mac).into()
    }

    /// The first 64 hexadecimal characters of `HMAC-SHA3-512(ring key,
    /// P::STORE::<origin>::<size>::<top>::<root>::<H3(text)>::S)`.
    pub(super) fn store_mac(&self, origin: &str, end: &TreeHead, text: &[u8]) -> [u8; 32] {
        let hash = hex::encode(&Sha3_256::digest(text));
        let label = self.domain.label(Label::SignatureStore);
        let parts = [label, origin, &end.size.to_string(), &end.top.to_hex(), &end.root.to_hex(), &hash];
        self.truncated(&[self.domain.join(Row::Signature, &parts).as_bytes()])
    }

    /// The same authority, held once more: the secret stands once in memory.
    #[must_use]
    pub fn shared(&self) -> Self {
        Self { domain: self.domain.clone(), key: Arc::clone(&self.key) }
    }

    pub(super) fn domain(&self) -> &Domain {
        &self.domain
    }

    /// What a chain entry is to this ring: `None` when its message has not the beginning of a ring entry.
    pub(crate) fn judge<'e>(&self, entry: &'e Entry) -> Option<Result<RingEntry<'e>, IgnoredReason>> {
        let tail = tail(&self.domain, entry.message())?;
        let read = read(&self.domain, tail).ok_or(IgnoredReason::Form);
        Some(read.and_then(|(found, mac)| {
            let expected = self.mac(entry.prev(), entry.identity_id(), found.revision, found.tag, &found.root);
            if bool::from(expected.as_bytes().ct_eq(mac.as_bytes())) { Ok(found) } else { Err(IgnoredReason::Tag) }
        }))
    }

    /// The tag over an identity's keys: the first 64 hexadecimal characters of
    /// `HMAC-SHA3-512(ring key, P::<RING>::<revision>::S ‖ keys)`.
    pub(super) fn tag(&self, revision: u64, keys: &str) -> String {
        let label = self.domain.label(Label::SignatureRing);
        let statement = self.domain.join(Row::Signature, &[label, &revision.to_string()]);
        self.keyed(&[statement.as_bytes(), keys.as_bytes()])
    }

    /// The message of the chain entry after `prev`: `P::<RING>::<revision>::<tag>::<ring root>::<mac>::S`.
    pub(super) fn message(
        &self,
        prev: &ChainHash,
        identity_id: &IdentityId,
        revision: u64,
        tag: &str,
        root: &TreeHash,
    ) -> String {
        let mac = self.mac(prev, identity_id, revision, tag, root);
        let label = self.domain.label(Label::SignatureRing);
        self.domain.join(Row::Signature, &[label, &revision.to_string(), tag, &root.to_hex(), &mac])
    }

    /// The salt of a key's public object, which keeps anybody without the ring key from hashing what it would be if a
    /// decoy were none: the first 64 hexadecimal characters of
    /// `HMAC-SHA3-512(ring key, P::<SALT>::<revision of the identity>::<H3(key)>::S)`.
    pub(super) fn salt(&self, revision: u64, key: &KeyHash) -> [u8; 32] {
        let label = self.domain.label(Label::SignatureSalt);
        let statement = self.domain.join(Row::Signature, &[label, &revision.to_string(), &key.to_hex()]);
        self.truncated(&[statement.as_bytes()])
    }

    /// The MAC of a ring file, with the size and top of its chain: the first 32 bytes of
    /// `HMAC-SHA3-512(ring key, P::<STATE>::<origin>::<revision>::<size>::<top>::<state root>::S)`.
    pub(super) fn state_mac(
        &self,
        origin: &str,
        revision: u64,
        (size, top): (u64, &ChainHash),
        state_root: &TreeHash,
    ) -> [u8; 32] {
        let label = self.domain.label(Label::SignatureState);
        let parts = [label, origin, &revision.to_string(), &size.to_string(), &top.to_hex(), &state_root.to_hex()];
        self.truncated(&[self.domain.join(Row::Signature, &parts).as_bytes()])
    }

    /// Binds an entry to its place, so that a good message repeated elsewhere is worth nothing.
    fn mac(&self, prev: &ChainHash, identity_id: &IdentityId, revision: u64, tag: &str, root: &TreeHash) -> String {
        let label = self.domain.label(Label::SignatureEntry);
        let (prev, revision) = (prev.to_hex(), revision.to_string());
        let parts = [label, &prev, &identity_id.to_hex(), &revision, tag, &root.to_hex()];
        self.keyed(&[self.domain.join(Row::Signature, &parts).as_bytes()])
    }

    fn keyed(&self, parts: &[&[u8]]) -> String {
        hex::encode(&self.truncated(parts))
    }

    fn truncated(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.key.mac.start();
        for part in parts {
            mac.update(part);
        }
        *mac.finish().first_chunk::<32>().unwrap_or(&[0; 32])
    }
}

/// What a ring entry says of the ring, whoever made its mac, which only the ring key can check.
pub(crate) fn stated_ring(domain: &Domain, entry: &Entry) -> Option<RingHead> {
    let (RingEntry { revision, root, .. }, _) = read(domain, tail(domain, entry.message())?)?;
    Some(RingHead { revision, root })
}

/// Whether an entry begins as a ring's change does, whoever wrote it.
pub(crate) fn claims_ring(domain: &Domain, entry: &Entry) -> bool {
    tail(domain, entry.message()).is_some()
}

fn tail<'a>(domain: &Domain, message: &'a str) -> Option<&'a str> {
    let rest = message.strip_prefix(domain.prefix(Row::Signature))?.strip_prefix("::")?;
    rest.strip_prefix(domain.label(Label::SignatureRing))?.strip_prefix("::")
}

/// What follows the beginning of a ring entry, and its mac.
fn read<'a>(domain: &Domain, tail: &'a str) -> Option<(RingEntry<'a>, &'a str)> {
    let mut parts = tail.split("::");
    let mut part = || parts.next();
    let (number, tag, root, mac, suffix) = (part()?, part()?, part()?, part()?, part()?);
    let revision: u64 = number.parse().ok()?;
    // Written again, so that no second spelling of a number passes.
    let plain = number == revision.to_string() && (1..=MAX_INTEGER.unsigned_abs()).contains(&revision);
    let is_hash = |text: &str| hex::check("poruka", text, 32).is_ok();
    let well_formed = plain && is_hash(tag) && is_hash(mac) && suffix == domain.suffix(Row::Signature);
    let root = root.parse().ok()?;
    (well_formed && part().is_none()).then_some((RingEntry { revision, tag, root }, mac))
}

/// A ring entry whose mac holds: the ring's own key made it, for this place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RingEntry<'a> {
    pub(crate) revision: u64,
    /// Over the keys of the entry's identity, 64 hexadecimal characters.
    pub(crate) tag: &'a str,
    /// The ring root after the change.
    pub(crate) root: TreeHash,
}

impl fmt::Debug for RingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingKey").field("domain", &self.domain).finish_non_exhaustive()
    }
}
