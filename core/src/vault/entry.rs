//! L8: the message by which the chain vouches for a record, and the tag that only the holder of the master can make.

use super::keys::VaultMaster;
use super::record::LedgerId;
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex;
use crate::encoding::json::MAX_INTEGER;
use crate::hash::HmacSha3_512;
use crate::id::IdentityId;
use crate::krunica::{ChainHash, Entry};
use alloc::string::{String, ToString};
use subtle::ConstantTimeEq;

/// What the chain says of a record: `P::<L8>::<ledger>::<seq>::<SHA3-256(L5 string)>::<tag>::S`, seq the ledger's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordEntry {
    pub(super) ledger: LedgerId,
    pub(super) seq: u64,
    /// SHA3-256 over the L5 string.
    pub(super) seal: [u8; 32],
}

impl RecordEntry {
    /// The message of the entry that stands after `prev`.
    pub(super) fn message(&self, master: &VaultMaster, identity_id: &IdentityId, prev: &ChainHash) -> String {
        let domain = master.domain();
        let tag = hex::encode(&self.tag(master, identity_id, prev));
        self.join(domain, &tag)
    }

    /// Whether an entry has this message, with any tag; with the right one at its place where there is a master.
    pub(super) fn is_of(&self, entry: &Entry, domain: &Domain, master: Option<&VaultMaster>) -> bool {
        let read = tail(domain, &self.ledger, entry.message()).and_then(|tail| Self::read(&self.ledger, domain, tail));
        read.is_some_and(|(read, tag)| {
            let holds = |master| bool::from(self.tag(master, entry.identity_id(), entry.prev()).ct_eq(&tag));
            read == *self && master.is_none_or(holds)
        })
    }

    /// The first 32 bytes of `HMAC-SHA3-512(key L8, P::<L8>::<ledger>::<seq>::<SHA3-256(L5 string)>::<prev>::S)`: a
    /// good message repeated elsewhere is worth nothing.
    pub(super) fn tag(&self, master: &VaultMaster, identity_id: &IdentityId, prev: &ChainHash) -> [u8; 32] {
        let mut mac = HmacSha3_512::new(master.entry_key(identity_id).expose());
        mac.update(self.join(master.domain(), &prev.to_hex()).as_bytes());
        let tag = mac.finish();
        *tag.first_chunk().unwrap_or(&[0; 32])
    }

    /// Reads what follows the beginning of a ledger's messages: `<seq>::<64 hex>::<64 hex>::S`, written in one way
    /// only.
    pub(super) fn read(ledger: &LedgerId, domain: &Domain, tail: &str) -> Option<(Self, [u8; 32])> {
        let mut parts = tail.splitn(4, "::");
        let (number, seal, tag, end) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let seq: u64 = number.parse().ok()?;
        let plain = seq.to_string() == number && seq <= MAX_INTEGER.unsigned_abs();
        let (seal, tag) = (hex::decode_public("poruka", seal).ok()?, hex::decode_public("poruka", tag).ok()?);
        (plain && end == domain.suffix(Row::Vault)).then_some((Self { ledger: *ledger, seq, seal }, tag))
    }

    fn join(&self, domain: &Domain, last: &str) -> String {
        let (ledger, seal) = (self.ledger.to_hex(), hex::encode(&self.seal));
        domain.join(Row::Vault, &[domain.label(Label::VaultL8), &ledger, &self.seq.to_string(), &seal, last])
    }
}

/// What follows the beginning of a ledger's messages.
pub(super) fn tail<'m>(domain: &Domain, ledger: &LedgerId, message: &'m str) -> Option<&'m str> {
    let rest = message.strip_prefix(domain.prefix(Row::Vault))?.strip_prefix("::")?;
    let rest = rest.strip_prefix(domain.label(Label::VaultL8))?.strip_prefix("::")?;
    rest.strip_prefix(ledger.to_hex().as_str())?.strip_prefix("::")
}

impl VaultMaster {
    /// Whether an entry is that of a vault record, with a tag by this master that holds at its place: what a
    /// [ring's watcher](crate::reader::ChainReader::ring) asks of every master of its log.
    #[must_use]
    pub fn vouches_for(&self, entry: &Entry) -> bool {
        let Some((read, tag)) = of_any_ledger(self.domain(), entry) else { return false };
        read.tag(self, entry.identity_id(), entry.prev()).ct_eq(&tag).into()
    }
}

/// Whether an entry has the form of a vault record's, whatever master made its tag: anybody may write one.
#[must_use]
pub fn claims_record(domain: &Domain, entry: &Entry) -> bool {
    of_any_ledger(domain, entry).is_some()
}

fn of_any_ledger(domain: &Domain, entry: &Entry) -> Option<(RecordEntry, [u8; 32])> {
    let beginning = [domain.prefix(Row::Vault), "::", domain.label(Label::VaultL8), "::"].concat();
    let ledger: LedgerId = entry.message().strip_prefix(&*beginning)?.split("::").next()?.parse().ok()?;
    RecordEntry::read(&ledger, domain, tail(domain, &ledger, entry.message())?)
}
