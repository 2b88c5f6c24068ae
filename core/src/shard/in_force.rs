//! Which splitting of a vault counts: the last one in the chain, under a checkpoint.

use super::record::fault;
use super::split::{beginning, message};
use crate::checkpoint::{ChainCheck, Checkpoint};
use crate::domain::Domain;
use crate::error::{Error, ShardFault};
use crate::id::{IdentityId, VaultId};
use crate::krunica::Entry;
use crate::shamir::SplitId;
use crate::verdict::Verified;
use alloc::string::String;
use core::fmt;

/// The last splitting of a vault below a verified checkpoint. Only a [`SplitCheck`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitInForce {
    message: String,
    seq: u64,
}

impl SplitInForce {
    /// The position of its chain entry.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub(super) fn is(&self, domain: &Domain, vault_id: &VaultId, split_id: &SplitId) -> bool {
        message(domain, vault_id, split_id) == self.message
    }
}

/// Streams a chain past a checkpoint and finds the last splitting of a vault.
pub struct SplitCheck<'a> {
    chain: ChainCheck<'a>,
}

impl<'a> SplitCheck<'a> {
    /// Begins at seq 0.
    #[must_use]
    pub fn new(
        domain: &Domain,
        vault_id: &VaultId,
        identity_id: &IdentityId,
        checkpoint: &'a Verified<Checkpoint>,
    ) -> Self {
        let (beginning, identity_id) = (beginning(domain, vault_id), *identity_id);
        let of_vault =
            move |entry: &Entry| *entry.identity_id() == identity_id && entry.message().starts_with(&beginning);
        Self { chain: ChainCheck::new(checkpoint).keeping(of_vault) }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.chain.push(entry)
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`ChainCheck::push_json`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        self.chain.push_json(text)
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// [`ShardFault::NoSplit`], and as [`ChainCheck::finish`].
    pub fn finish(self) -> Result<SplitInForce, Error> {
        let agreed = self.chain.finish()?;
        let last = agreed.places().last().ok_or_else(|| fault(ShardFault::NoSplit))?.entry();
        Ok(SplitInForce { message: String::from(last.message()), seq: last.seq() })
    }
}

impl fmt::Debug for SplitCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitCheck").field("chain", &self.chain).finish_non_exhaustive()
    }
}
