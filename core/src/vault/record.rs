//! The vault record and its JSON.

mod block;
mod fragment;
mod ledger_head;

pub use block::{Encryption, Header, LayerHash, LedgerId, SessionMac, SessionTag, Tier};
pub use fragment::Fragment;
pub use ledger_head::LedgerHead;

pub(super) use block::Block;

use crate::ed25519::Ed25519PublicKey;
use crate::encoding::record::{self, record};
use crate::error::Error;
use crate::krunica::{Entry, KrunicaHash};
use crate::seal::{DualSeal, SealId};
use alloc::string::String;
use core::fmt;
use zeroize::Zeroizing;

/// A vault record: `{L5, L6, L7: {fragment}, L8, krunica_hash, seal_id, sealed}`, without the stored bytes. Holding one
/// says nothing about its validity.
///
/// The stored record holds the honeypot fragment. Whatever leaves the store is [`redacted`](Self::redacted), and
/// [`to_json`](Self::to_json) writes that; only [`to_stored_json`](Self::to_stored_json) writes the fragment.
pub struct VaultRecord {
    pub(super) block: Block,
    pub(super) seal: DualSeal,
    pub(super) handle: KrunicaHash,
    pub(super) fragment: Option<Fragment>,
    pub(super) entry: Entry,
    pub(super) seal_id: SealId,
    pub(super) krunica_hash: KrunicaHash,
}

impl VaultRecord {
    /// What the record is of.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.block.header
    }

    /// L0: the hash that the next record of the ledger names.
    #[must_use]
    pub fn hash(&self) -> &LayerHash {
        &self.block.hash
    }

    /// L0: the hash of the record before.
    #[must_use]
    pub fn prev(&self) -> &LayerHash {
        &self.block.prev
    }

    /// L1: what the perimeter reported. It may hold control characters: whoever prints it escapes them.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.block.note
    }

    /// L2: the drawn tag.
    #[must_use]
    pub fn session_tag(&self) -> &SessionTag {
        &self.block.tag
    }

    /// L2: the HMAC over tag and L0.
    #[must_use]
    pub fn session_mac(&self) -> &SessionMac {
        &self.block.hmac
    }

    /// L3: SHA3-256 over the stored bytes.
    #[must_use]
    pub fn baseline(&self) -> &LayerHash {
        &self.block.baseline
    }

    /// L4: the tier that the record claims.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.block.tier
    }

    /// L4: the key that the record names for it, which proves nothing: the verifier holds its own.
    #[must_use]
    pub fn tier_key(&self) -> Option<&Ed25519PublicKey> {
        self.block.access.as_ref().map(|(public_key, _)| public_key)
    }

    /// L5: the dual seal over the block.
    #[must_use]
    pub fn seal(&self) -> &DualSeal {
        &self.seal
    }

    /// The identifier of L5.
    #[must_use]
    pub fn seal_id(&self) -> &SealId {
        &self.seal_id
    }

    /// L7: SHA3-256 over the fragment.
    #[must_use]
    pub fn digest(&self) -> &LayerHash {
        &self.block.digest
    }

    /// L7: the fragment, in the stored record alone.
    #[must_use]
    pub fn fragment(&self) -> Option<&Fragment> {
        self.fragment.as_ref()
    }

    /// L8: the record's entry in the chain.
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The short handle of that entry, as the record gives it.
    #[must_use]
    pub fn krunica_hash(&self) -> &KrunicaHash {
        &self.krunica_hash
    }

    /// The head of the ledger after this record.
    #[must_use]
    pub fn ledger_head(&self) -> LedgerHead {
        let header = self.header();
        LedgerHead::from_parts(&header.ledger, header.seq.saturating_add(1), self.block.hash)
    }

    /// Whether it says that it follows.
    pub(super) fn follows(&self, head: &LedgerHead) -> bool {
        let header = self.header();
        header.ledger == *head.ledger() && header.seq == head.size() && *self.prev() == *head.top()
    }

    /// The record without its fragment: what may leave the store. It verifies as well.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self { block: self.block.clone(), seal: self.seal.clone(), fragment: None, entry: self.entry.clone(), ..*self }
    }

    /// The record with its fragment once more, for a caller who keeps one while a verification takes the other.
    #[must_use]
    pub fn duplicate(&self) -> Self {
        Self { fragment: self.fragment.as_ref().map(Fragment::duplicate), ..self.redacted() }
    }

    /// Canonical JSON without the fragment: what may leave the store. A program that writes its records in a hurry
    /// gives no trap away.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(&self.redacted())
    }

    /// Canonical JSON for the store, with the fragment where the record has it. Wiped when dropped.
    #[must_use]
    pub fn to_stored_json(&self) -> Zeroizing<String> {
        Zeroizing::new(record::to_json::<Self>(self))
    }

    /// Reads the JSON, in any spacing and member order. The caller wipes its own copy of the text where it holds a
    /// fragment.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; unknown layers, tiers, versions and
    /// encryptions, and a `required` list that is not the one of the tier.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |record: VaultRecord| "vault record" {
        "L5" seal: DualSeal,
        "L6" handle: KrunicaHash,
        "L7" { "fragment" fragment: Option<Fragment> },
        "L8" entry: Entry,
        "krunica_hash" krunica_hash: KrunicaHash,
        "seal_id" seal_id: SealId,
        "sealed" block: Block,
    } => {
        Ok(Self { block, seal, handle, fragment, entry, seal_id, krunica_hash })
    }
}

impl AsRef<Self> for VaultRecord {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl fmt::Debug for VaultRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultRecord")
            .field("header", &self.block.header)
            .field("tier", &self.block.tier)
            .field("seal_id", &self.seal_id)
            .field("fragment", &self.fragment)
            .finish_non_exhaustive()
    }
}
