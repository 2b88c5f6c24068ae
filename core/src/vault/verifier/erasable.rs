//! The proof that erasing takes.

use super::policy::OperatorRecord;
use crate::vault::record::Header;
use crate::verdict::Verified;

/// The proof that erasing takes: every layer of this record passed under the operator's policy, with a key that is
/// valid, revoked or suspended. A compromised key is what most calls for erasing. A decoy key, which is what a leaked
/// fragment signs with, gives none. Only a report does
/// ([`VaultReport::erasable`](crate::vault::VaultReport::erasable)), or what it found Valid.
#[derive(Clone, Debug)]
pub struct Erasable(Header);

impl Erasable {
    pub(super) fn new(header: Header) -> Self {
        Self(header)
    }

    /// What the record says of itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.0
    }
}

impl From<&Verified<OperatorRecord>> for Erasable {
    fn from(verified: &Verified<OperatorRecord>) -> Self {
        Self(verified.record().record().header().clone())
    }
}
