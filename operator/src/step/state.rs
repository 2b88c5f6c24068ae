//! What an operator holds of one log.

use super::{Changes, RingRows, StepError};
use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, Growth, HighWaterMark, Pins};
use dualseal::error::Misuse;
use dualseal::key::Unprepared;
use dualseal::mldsa::StatementKey;
use dualseal::store::{LastCheckpoint, StoredState, mark_to_json};
use dualseal::vault::{LedgerHead, LedgerId};
use dualseal::{CheckedRing, Domain, Head, IdentityId};

/// What was loaded of a log, and is changed by steps: the ring, followed to the end of the chain, that end, those of
/// the ledgers, and the last checkpoint.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) domain: Domain,
    pub(super) ring: CheckedRing,
    pub(super) stored: StoredState,
    /// The text that the store has of it: what changes of it go on from.
    pub(super) text: String,
}

impl State {
    /// Of a ring that was held against its chain up to the end that was stored with it.
    ///
    /// # Errors
    /// [`StepError::OtherDomain`] for a ring of another domain, whose entries nobody would know for changes;
    /// [`Misuse::StaleRing`] and [`Misuse::StaleHead`] for one that was not followed to that end, or past it.
    pub fn new(domain: &Domain, ring: CheckedRing, stored: StoredState) -> Result<Self, StepError> {
        if ring.domain() != domain {
            return Err(StepError::OtherDomain);
        }
        // It is sealed at no other end.
        let text = stored.to_json(&ring)?;
        Ok(Self { domain: domain.clone(), ring, stored, text })
    }

    /// What a store writes first of all, before any step: the state and the seal of its ring.
    ///
    /// # Errors
    /// None that [`new`](Self::new) has not found.
    pub fn begin(&self) -> Result<Changes, StepError> {
        self.unchanged()
    }

    /// Begins a ledger, unless it is there.
    #[must_use]
    pub fn with_ledger(self, ledger: &LedgerId) -> Self {
        if self.ledger(ledger).is_some() {
            return self;
        }
        Self { stored: self.stored.with_ledger(LedgerHead::new(ledger)), ..self }
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

    /// What the store keeps of it.
    #[must_use]
    pub fn stored(&self) -> &StoredState {
        &self.stored
    }

    /// The text that the store has of this state ([`Changes::state`]), or is about to have.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The ring, decoys included.
    #[must_use]
    pub fn ring(&self) -> &CheckedRing {
        &self.ring
    }

    /// Where the chain ends.
    #[must_use]
    pub fn head(&self) -> &Head {
        self.stored.head()
    }

    /// Where a ledger ends; `None` for one that was not begun.
    #[must_use]
    pub fn ledger(&self, ledger: &LedgerId) -> Option<&LedgerHead> {
        self.stored.ledger(ledger)
    }

    /// The checkpoint that was signed last.
    #[must_use]
    pub fn last(&self) -> Option<&LastCheckpoint> {
        self.stored.last()
    }

    /// The mark of an empty log, and its text: written, to a place of its own, **before** the first changes
    /// ([`begin`](Self::begin)) are. No store opens without a mark.
    ///
    /// # Errors
    /// [`Misuse::StaleHead`] for a log that is not empty; as [`HighWaterMark::first`].
    pub fn first_mark(&self) -> Result<(HighWaterMark, String), StepError> {
        if *self.head() != Head::EMPTY {
            return Err(Misuse::StaleHead.into());
        }
        self.marked(HighWaterMark::first(self.origin(), self.head(), Some(&self.ring))?)
    }

    /// The mark of a log that never signed a checkpoint, and whose first mark was lost. Nothing is compared with
    /// anything: where the store is an old copy of one that did, what it signs from now on is a fork, and keys count
    /// that were called back since.
    ///
    /// # Errors
    /// [`Misuse::StaleHead`] for a log that has signed one; as [`HighWaterMark::first`].
    pub fn unsigned_mark(&self) -> Result<(HighWaterMark, String), StepError> {
        if self.last().is_some() {
            return Err(Misuse::StaleHead.into());
        }
        self.marked(HighWaterMark::first(self.origin(), self.head(), Some(&self.ring))?)
    }

    /// The mark of this state, whose chain was shown to go on from the last one, and its text: written **before** a
    /// checkpoint over it is signed, and after changes of the ring.
    ///
    /// # Errors
    /// As [`HighWaterMark::next`]: of a store that was restored from an old backup there is none.
    /// [`Misuse::StaleHead`] for growth to another end, [`Misuse::OtherOrigin`] for another log's mark.
    pub fn next_mark(&self, last: &HighWaterMark, growth: &Growth) -> Result<(HighWaterMark, String), StepError> {
        if last.origin() != self.origin() {
            return Err(Misuse::OtherOrigin.into());
        }
        if growth.head() != self.head() {
            return Err(Misuse::StaleHead.into());
        }
        self.marked(last.next(growth, Some(&self.ring))?)
    }

    fn marked(&self, mark: HighWaterMark) -> Result<(HighWaterMark, String), StepError> {
        let text = mark_to_json(&mark, &self.ring, self.head())?;
        Ok((mark, text))
    }

    /// Who signs the log's checkpoints: an identity of its ring, with its current key.
    ///
    /// # Errors
    /// As [`CheckpointSigner::current`].
    pub fn checkpoint_signer<'k>(
        &'k self,
        identity_id: &IdentityId,
        key: &'k dyn StatementKey,
    ) -> Result<CheckpointSigner<'k>, StepError> {
        Ok(CheckpointSigner::current(&self.domain, &self.ring, self.origin(), identity_id, key)?)
    }

    /// Takes the checkpoint that was signed over this state: what the store writes then.
    ///
    /// # Errors
    /// [`StepError::OtherCheckpoint`] for one that is over another state, or not by a valid key of the ring.
    pub fn take(mut self, checkpoint: Checkpoint) -> Result<(Self, Changes), StepError> {
        let key = checkpoint.public_key();
        let pins = Pins {
            origin: self.origin().to_owned(),
            identity_id: *checkpoint.identity_id(),
            key_hash: *key.hash(),
            least_size: self.head().size(),
        };
        let verifier = CheckpointVerifier::new(&self.domain, &pins, Some(&*self.ring), &Unprepared);
        let verified = verifier.verify(checkpoint).valid().ok_or(StepError::OtherCheckpoint)?;
        let checkpoint = verified.record();
        if *checkpoint.tree_head() != self.head().tree_head() || checkpoint.ring() != self.ring.ring_head().as_ref() {
            return Err(StepError::OtherCheckpoint);
        }
        self.stored = self.stored.with_checkpoint(LastCheckpoint::of(checkpoint));
        let changes = Changes { checkpoint: Some(checkpoint.clone()), ..self.unchanged()? };
        self.text.clone_from(&changes.state);
        Ok((self, changes))
    }

    /// Changes of nothing but what is sealed.
    pub(super) fn unchanged(&self) -> Result<Changes, StepError> {
        Ok(Changes {
            before: self.text.clone(),
            expected: self.head().clone(),
            head: self.head().clone(),
            state: self.stored.to_json(&self.ring)?,
            entries: Vec::new(),
            nodes: Vec::new(),
            ring: RingRows { seal: self.ring.seal_rows(self.head())?, rows: Vec::new() },
            records: Vec::new(),
            vault_records: Vec::new(),
            secrets: Vec::new(),
            secrets_before: *self.stored.secrets(),
            checkpoint: None,
        })
    }
}
