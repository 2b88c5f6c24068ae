//! The proof that erasing takes.

use super::policy::OperatorRecord;
use crate::vault::record::{Header, VaultRecord};
use crate::verdict::Verified;

/// The proof that erasing takes: every layer of this record passed under the operator's policy, with a key that is
/// valid, revoked or suspended. A compromised key is what most calls for erasing. A decoy key, which is what a leaked
/// fragment signs with, gives none. Only a report does
/// ([`VaultReport::erasable`](crate::vault::VaultReport::erasable)), or what it found Valid.
#[derive(Clone, Debug)]
pub struct Erasable {
    header: Header,
    entry: u64,
}

impl Erasable {
    pub(super) fn of(record: &VaultRecord) -> Self {
        Self { header: record.header().clone(), entry: record.entry().seq() }
    }

    /// What the record says of itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The position of the record's entry in the chain.
    #[must_use]
    pub fn entry(&self) -> u64 {
        self.entry
    }
}

impl From<&Verified<OperatorRecord>> for Erasable {
    fn from(verified: &Verified<OperatorRecord>) -> Self {
        Self::of(verified.record().record())
    }
}
