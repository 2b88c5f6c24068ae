//! Verifying checkpoints against what the verifier pinned.

use super::record::Checkpoint;
use crate::domain::Domain;
use crate::id::IdentityId;
use crate::key::{Algorithm, Found, KeyRing, KeyState, PreparedKeys, Role, prepared};
use crate::mldsa::{KeyHash, Mu};
use crate::verdict::{Checks, InvalidReason, Placed, Subject, Verdict, decide, invalid};
use alloc::string::String;
use core::fmt;

/// What a verifier knows of a log beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pins {
    /// The name of the log.
    pub origin: String,
    /// The identity of its signer.
    pub identity_id: IdentityId,
    /// SHA3-256 over its signer's public key.
    pub key_hash: KeyHash,
    /// The least size that is accepted: that of the last checkpoint seen. Otherwise an old one passes.
    pub least_size: u64,
}

/// Verifies the checkpoints of one log.
#[derive(Clone)]
pub struct CheckpointVerifier<'a> {
    domain: &'a Domain,
    pins: &'a Pins,
    ring: Option<&'a KeyRing>,
    keys: &'a dyn PreparedKeys,
}

impl<'a> CheckpointVerifier<'a> {
    /// The pins say which key it must be; a ring, where there is one, adds that key's state and nothing else.
    #[must_use]
    pub fn new(domain: &'a Domain, pins: &'a Pins, ring: Option<&'a KeyRing>, keys: &'a dyn PreparedKeys) -> Self {
        Self { domain, pins, ring, keys }
    }

    /// Verifies a checkpoint: pins, size, signature, then the state of the key, and the first that fails decides. A
    /// retired key's checkpoint is [`InvalidReason::RetiredKey`].
    pub fn verify(&self, checkpoint: Checkpoint) -> Verdict<Checkpoint> {
        let Checkpoint { origin, head, time, identity_id, public_key, signature, .. } = &checkpoint;
        let subject =
            Subject { identity_id: *identity_id, algorithm: Algorithm::MlDsa65, time: Some(*time), state: None };
        // Pins, size and signature come before the state: a wrong one is `Invalid` whatever the key's state is.
        let key = *public_key.hash();
        if *origin != self.pins.origin || *identity_id != self.pins.identity_id || key != self.pins.key_hash {
            return invalid(subject, InvalidReason::Pin);
        }
        if head.size < self.pins.least_size {
            return invalid(subject, InvalidReason::Size);
        }
        let mu = Mu::of(public_key, checkpoint.statement(self.domain).as_bytes());
        if !prepared(self.keys, public_key).accepts(mu, signature) {
            return invalid(subject, InvalidReason::Signature);
        }
        let pinned = Found { state: KeyState::Valid, role: Role::Current };
        let found = self.ring.map_or(Ok(pinned), |ring| ring.find(identity_id, public_key).0);
        let checks = Checks { reserved: false, content: true, signature: true, placed: Placed::Unknown };
        decide(checkpoint, subject, key, found, &checks).verdict
    }
}

impl fmt::Debug for CheckpointVerifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckpointVerifier").field("pins", &self.pins).finish_non_exhaustive()
    }
}
