//! Where a ledger ends.

use super::block::{LayerHash, LedgerId};
use crate::encoding::record::record;
use crate::error::{Error, Problem};

/// Where a ledger ends: all that is needed to seal its next record, or to check it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerHead {
    ledger: LedgerId,
    size: u64,
    top: LayerHash,
}

record! {
    |head: LedgerHead| "ledger head" {
        "ledger" ledger: LedgerId,
        "size" size: u64,
        "top" top: LayerHash,
    } => {
        if (size == 0) == (top == LayerHash::ZERO) {
            Ok(Self { ledger, size, top })
        } else {
            Err(Error::malformed("top", Problem::Range))
        }
    }
}

impl LedgerHead {
    /// The head of an empty ledger.
    #[must_use]
    pub fn new(ledger: &LedgerId) -> Self {
        Self::from_parts(ledger, 0, LayerHash::ZERO)
    }

    /// A head that the caller stored. Nothing is checked here: a wrong head forks the ledger.
    #[must_use]
    pub fn from_parts(ledger: &LedgerId, size: u64, top: LayerHash) -> Self {
        Self { ledger: *ledger, size, top }
    }

    /// The ledger.
    #[must_use]
    pub fn ledger(&self) -> &LedgerId {
        &self.ledger
    }

    /// The number of records, which is the `seq` of the next one.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// L0 of the last record; zeros when there is none.
    #[must_use]
    pub fn top(&self) -> &LayerHash {
        &self.top
    }
}
