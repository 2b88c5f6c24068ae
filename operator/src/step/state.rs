//! What an operator holds of one log.

use super::StepError;
use dualseal::checkpoint::{CheckpointSigner, Growth, HighWaterMark};
use dualseal::error::Misuse;
use dualseal::mldsa::StatementKey;
use dualseal::vault::{LedgerHead, LedgerId};
use dualseal::{CheckedRing, Domain, Head, IdentityId};
use std::collections::BTreeMap;

/// What was loaded of a log, and is changed by steps: the ring, followed to the head, the head itself, and the ends of
/// those ledgers that are written to.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) domain: Domain,
    pub(super) ring: CheckedRing,
    pub(super) head: Head,
    pub(super) ledgers: BTreeMap<LedgerId, LedgerHead>,
}

impl State {
    /// Of a ring that was held against its chain up to this head.
    ///
    /// # Errors
    /// [`Misuse::StaleRing`] and [`Misuse::StaleHead`] for a ring that was not followed to `head`, or past it.
    pub fn new(domain: &Domain, ring: CheckedRing, head: Head) -> Result<Self, StepError> {
        // The stored form is made at no other head.
        ring.seal_rows(&head)?;
        Ok(Self { domain: domain.clone(), ring, head, ledgers: BTreeMap::new() })
    }

    /// With the end of a ledger as the store has it: a new one's is [`LedgerHead::new`].
    #[must_use]
    pub fn with_ledger(mut self, ledger: LedgerHead) -> Self {
        self.ledgers.insert(*ledger.ledger(), ledger);
        self
    }

    /// The domain of the log.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.ring.origin().unwrap_or_default()
    }

    /// The ring, decoys included.
    #[must_use]
    pub fn ring(&self) -> &CheckedRing {
        &self.ring
    }

    /// Where the chain ends.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Where a ledger ends; `None` for one that was not loaded.
    #[must_use]
    pub fn ledger(&self, ledger: &LedgerId) -> Option<&LedgerHead> {
        self.ledgers.get(ledger)
    }

    /// The mark that is written, to a place of its own, before a checkpoint over this state is signed: of a log that
    /// never had one, or of a chain that was shown to go on from the last mark.
    ///
    /// # Errors
    /// As [`HighWaterMark::first`] and [`HighWaterMark::next`]: of a store that was restored from an old backup there
    /// is none.
    pub fn mark(&self, last: Option<(&HighWaterMark, &Growth)>) -> Result<HighWaterMark, StepError> {
        Ok(match last {
            None => HighWaterMark::first(self.origin(), &self.head, Some(&self.ring))?,
            Some((last, _)) if last.origin() != self.origin() => return Err(Misuse::OtherOrigin.into()),
            Some((_, growth)) if *growth.head() != self.head => return Err(Misuse::StaleHead.into()),
            Some((last, growth)) => last.next(growth, Some(&self.ring))?,
        })
    }

    /// Who signs the log's checkpoints: an identity of its ring, with its current key.
    ///
    /// # Errors
    /// As [`KeyRing::check_signer`](dualseal::KeyRing::check_signer).
    pub fn checkpoint_signer<'k>(
        &'k self,
        identity_id: &IdentityId,
        key: &'k dyn StatementKey,
    ) -> Result<CheckpointSigner<'k>, StepError> {
        self.ring.check_signer(identity_id, key.public_key())?;
        Ok(CheckpointSigner::new(&self.domain, self.origin(), identity_id, key)?)
    }
}
