//! What is pinned of a log.

use super::error::EvidenceError;
use crate::trust::PublicKeyFile;
use dualseal::checkpoint::{Checkpoint, CheckpointVerifier, LogFingerprint, Pins};
use dualseal::key::Unprepared;
use dualseal::{Domain, KeyRing, Verdict};

/// What a verifier knows of a log, so that a checkpoint is its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct PinnedLog<'a> {
    /// The public key file of its signer.
    pub key: Option<&'a PublicKeyFile>,
    /// Its fingerprint, which says its name, its signer and his key at once: a checkpoint carries all three.
    pub fingerprint: Option<LogFingerprint>,
    /// Its name, where the file says none or another one.
    pub origin: Option<&'a str>,
    /// The name of the verifier's own log: where no key is pinned, a checkpoint is of that, by a key of its ring.
    pub own: Option<&'a str>,
    /// The least size of a checkpoint, in entries: that of the last one seen.
    pub least_size: u64,
}

impl PinnedLog<'_> {
    /// Verifies a checkpoint. A ring that knows whoever signed it tells the state of his key. Where no key is pinned,
    /// that ring alone says whose the checkpoint is: it must be the verifier's own, and not one that he was given.
    ///
    /// # Errors
    /// [`EvidenceError::OtherLog`], [`EvidenceError::Unpinned`] and [`EvidenceError::NotOwn`];
    /// [`EvidenceError::NoOrigin`] and [`EvidenceError::NoIdentity`] for a key file that says too little.
    pub fn judge(
        &self,
        checkpoint: Checkpoint,
        domain: &Domain,
        ring: Option<&KeyRing>,
    ) -> Result<Verdict<Checkpoint>, EvidenceError> {
        let knows = |ring: &&KeyRing| ring.identities().any(|known| known == checkpoint.identity_id());
        // A pinned key has no state, and says nothing of whom it does not name.
        let ring = ring.filter(|ring| ring.origin().is_some()).filter(knows);
        let is_meant = |log: LogFingerprint| checkpoint.fingerprint(domain) == log;
        let mut pins = match (self.key, self.own) {
            // Of another log it is whatever else was pinned.
            _ if self.fingerprint.is_some_and(|log| !is_meant(log)) => return Err(EvidenceError::OtherLog),
            (Some(key), _) => self.pins(key)?,
            _ if self.fingerprint.is_some() => own_pins(checkpoint.origin(), &checkpoint),
            (None, Some(own)) if ring.is_some_and(|ring| ring.origin() == Some(own)) => own_pins(own, &checkpoint),
            (None, Some(_)) => return Err(EvidenceError::NotOwn),
            (None, None) => return Err(EvidenceError::Unpinned),
        };
        pins.least_size = self.least_size;
        Ok(CheckpointVerifier::new(domain, &pins, ring, &Unprepared).verify(checkpoint))
    }

    fn pins(&self, file: &PublicKeyFile) -> Result<Pins, EvidenceError> {
        let origin = self.origin.or(file.origin.as_deref()).ok_or(EvidenceError::NoOrigin)?;
        let identity_id = file.identity_id.ok_or(EvidenceError::NoIdentity)?;
        Ok(Pins { origin: origin.to_owned(), identity_id, key_hash: *file.key.hash(), least_size: 0 })
    }
}

/// What a checkpoint says of itself, where that is known to be so: of the verifier's own log, whose ring says whether
/// the key is one of its own, and of a log whose fingerprint is its own.
#[must_use]
pub fn own_pins(origin: &str, checkpoint: &Checkpoint) -> Pins {
    let (identity_id, key_hash) = (*checkpoint.identity_id(), *checkpoint.public_key().hash());
    Pins { origin: origin.to_owned(), identity_id, key_hash, least_size: 0 }
}
