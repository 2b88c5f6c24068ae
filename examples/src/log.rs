//! The signer of a log: a key of its own that signs the heads of the chain, and what readers pinned of it.

use crate::{Fallible, now};
use dualseal::checkpoint::{AgreedChain, Checkpoint, CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
use dualseal::key::Unprepared;
use dualseal::{CheckedRing, Domain, Head, IdentityId, SigningKey, SystemRng, Verified};

/// A log with its signer.
#[derive(Debug)]
pub struct Log {
    domain: Domain,
    identity_id: IdentityId,
    key: SigningKey,
    pins: Pins,
}

impl Log {
    /// A new signer for the log of this name.
    ///
    /// # Errors
    /// When the names cannot be those of an identity and a log, or nothing can be drawn.
    pub fn new(domain: &Domain, origin: &str, creator: &str, context: &str) -> Fallible<Self> {
        let identity_id = domain.identity_id(b"log", creator, context)?;
        Ok(Self::with_key(domain, origin, &identity_id, SigningKey::generate(&mut SystemRng)?))
    }

    /// The log of a signer that was there before.
    #[must_use]
    pub fn with_key(domain: &Domain, origin: &str, identity_id: &IdentityId, key: SigningKey) -> Self {
        let (identity_id, key_hash) = (*identity_id, *key.public_key().hash());
        let pins = Pins { origin: origin.to_owned(), identity_id, key_hash, least_size: 0 };
        Self { domain: domain.clone(), identity_id, key, pins }
    }

    /// Who signs.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The key, for a store that signs its own checkpoints.
    #[must_use]
    pub fn key(&self) -> &SigningKey {
        &self.key
    }

    /// Signs a head for the first time, and verifies what was signed as a reader does.
    ///
    /// # Errors
    /// When the signer fails, or made what does not verify.
    pub fn sign_first(&self, head: &Head, ring: Option<&CheckedRing>) -> Fallible<Verified<Checkpoint>> {
        self.sign(&HighWaterMark::first(&self.pins.origin, head, ring)?)
    }

    /// As [`sign_first`](Self::sign_first), for a chain that agrees with the last checkpoint. A log that runs writes
    /// the mark to a place of its own before it is signed; here the last checkpoint stands for it.
    ///
    /// # Errors
    /// As [`sign_first`](Self::sign_first); when the ring is older than the last checkpoint's.
    pub fn sign_next(
        &self,
        last: &Verified<Checkpoint>,
        agreed: &AgreedChain,
        ring: Option<&CheckedRing>,
    ) -> Fallible<Verified<Checkpoint>> {
        self.sign(&HighWaterMark::of(last).next(&agreed.growth(), ring)?)
    }

    fn sign(&self, mark: &HighWaterMark) -> Fallible<Verified<Checkpoint>> {
        let signer = CheckpointSigner::new(&self.domain, &self.pins.origin, &self.identity_id, &self.key)?;
        self.verified(signer.sign(mark, now()?, &mut SystemRng)?)
    }

    /// Verifies a checkpoint as a reader does.
    ///
    /// # Errors
    /// When it is not one of this log.
    pub fn verified(&self, checkpoint: Checkpoint) -> Fallible<Verified<Checkpoint>> {
        let verdict = CheckpointVerifier::new(&self.domain, &self.pins, None, &Unprepared).verify(checkpoint);
        verdict.valid().ok_or_else(|| "the checkpoint is not by the log's own key".into())
    }
}
