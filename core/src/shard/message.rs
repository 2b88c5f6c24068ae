//! The messages by which a chain tells the generations of a split: who made one, and where.

use super::record::ShardKey;
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::id::VaultId;
use crate::krunica::{ChainHash, Entry, IgnoredReason};
use crate::shamir::SplitId;
use alloc::string::String;
use subtle::ConstantTimeEq;

/// The predecessor of a vault's first split, and the successor of its last one: no split.
pub(super) const NO_SPLIT: SplitId = SplitId::from_bytes([0; 32]);

/// Makes and reads the split messages of one vault.
#[derive(Clone)]
pub(crate) struct SplitMessages {
    domain: Domain,
    vault_id: VaultId,
    beginning: String,
    end: String,
}

/// A well-formed split message.
pub(super) struct SplitMessage {
    pub(super) previous: SplitId,
    pub(super) split_id: SplitId,
    tag: [u8; 32],
}

impl SplitMessages {
    pub(crate) fn new(domain: &Domain, vault_id: &VaultId) -> Self {
        let (prefix, label, suffix) =
            (domain.prefix(Row::Shard), domain.label(Label::ShardSplit), domain.suffix(Row::Shard));
        Self {
            domain: domain.clone(),
            vault_id: *vault_id,
            beginning: alloc::format!("{prefix}::{label}::{vault_id}::"),
            end: alloc::format!("::{suffix}"),
        }
    }

    /// Whether they are those of this domain.
    pub(super) fn is_in(&self, domain: &Domain) -> bool {
        self.domain == *domain
    }

    /// `P::<SPLIT>::<vault_id>::<previous split_id or Z64>::<split_id or Z64>::<tag>::S`, for the entry after `prev`.
    pub(crate) fn write(&self, key: &ShardKey, previous: &SplitId, split_id: &SplitId, prev: &ChainHash) -> String {
        self.join(previous, split_id, &hex::encode(&self.tag(key, previous, split_id, prev)))
    }

    /// The message of an entry that begins as a split message of the vault.
    pub(super) fn read(&self, entry: &Entry) -> Option<Result<SplitMessage, IgnoredReason>> {
        let rest = entry.message().strip_prefix(self.beginning.as_str())?;
        Some(self.parse(rest).ok_or(IgnoredReason::Form))
    }

    /// Whether the message's tag is the one that the key gives it at this place.
    pub(super) fn holds(&self, key: &ShardKey, message: &SplitMessage, entry: &Entry) -> bool {
        let expected = self.tag(key, &message.previous, &message.split_id, entry.prev());
        expected.ct_eq(&message.tag).into()
    }

    fn parse(&self, rest: &str) -> Option<SplitMessage> {
        let mut parts = rest.strip_suffix(self.end.as_str())?.split("::");
        let (previous, split_id, tag) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let tag = hex::decode_public("tag", tag).ok()?;
        Some(SplitMessage { previous: previous.parse().ok()?, split_id: split_id.parse().ok()?, tag })
    }

    /// The first 32 bytes of an HMAC-SHA3-512 that binds the place: a good message repeated elsewhere is worth nothing.
    fn tag(&self, key: &ShardKey, previous: &SplitId, split_id: &SplitId, prev: &ChainHash) -> [u8; 32] {
        key.tag(&self.join(previous, split_id, &prev.to_hex()))
    }

    fn join(&self, previous: &SplitId, split_id: &SplitId, last: &str) -> String {
        let (vault_id, previous, split_id) = (self.vault_id.to_hex(), previous.to_hex(), split_id.to_hex());
        let label = self.domain.label(Label::ShardSplit);
        self.domain.join(Row::Shard, &[label, &vault_id, &previous, &split_id, last])
    }
}
