//! Presence ("biometric proofs"): people show that they are there before a vault secret is rebuilt.
//!
//! A proof is access control, not cryptography: m shards rebuild the secret anywhere. Nodes check proofs before they
//! let a shard go, which [`Shard::release`](crate::shard::Shard::release) does.

mod challenge;
mod ed25519;
mod node;
mod node_shares;
mod proof;
mod statement;

pub use challenge::{Challenge, Nonce};
pub use ed25519::EnrolledKeys;
pub use node::{DropOrder, NodeShards};
pub use node_shares::NodeShares;
pub use proof::PresenceProof;
pub use statement::Statement;

use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, PresenceFault, Problem};
use crate::id::IdentityId;
use crate::shard::{Gate, Request};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use challenge::{check_expiry, refused};
use core::fmt;

/// As many as can be required.
const MOST_PROOFS: usize = 255;

/// An enrolled authenticator, by 32 bytes that differ for each: its public key, or a hash of its credential.
pub type AuthenticatorId = [u8; 32];

/// Checks the proofs of one kind of authenticator.
pub trait PresenceVerifier {
    /// What such an authenticator makes.
    type Proof;

    /// The enrolled authenticator of this identity that made this proof for exactly this challenge; `None` for every
    /// other proof.
    fn verify(
        &self,
        domain: &Domain,
        identity_id: &IdentityId,
        challenge: &Challenge,
        proof: &Self::Proof,
    ) -> Option<AuthenticatorId>;
}

/// The gate that asks for proofs of presence. See [`EnrolledKeys`] for an example.
pub struct Presence<'a, V: PresenceVerifier> {
    /// Checks each proof.
    pub verifier: &'a V,
    /// The proofs, all for one challenge: 255 at most.
    pub proofs: &'a [V::Proof],
    /// The nonce of that challenge.
    pub nonce: Nonce,
    /// Its expiry: at most 300 seconds after the operation, and refused from that moment on.
    pub expiry: Timestamp,
    /// How many different enrolled authenticators must have made one, at least 1.
    pub required: u8,
    /// Marks the nonce as used and says whether it was unused until then, in one step that nobody can come between. It
    /// is asked last, once, and only when all else is good.
    pub consume: &'a mut dyn FnMut(&Nonce) -> bool,
}

impl<V: PresenceVerifier> Gate for Presence<'_, V> {
    fn pass(&mut self, domain: &Domain, request: &Request, now: Timestamp) -> Result<(), Error> {
        if self.required == 0 {
            return Err(Misuse::NoProofsRequired.into());
        }
        check_expiry(self.expiry, now)?;
        if self.proofs.len() > MOST_PROOFS {
            return Err(Error::malformed("proofs", Problem::Range));
        }
        let challenge = Challenge::new(domain, request, &self.nonce, self.expiry);
        let (mut good, mut bad) = (BTreeSet::new(), Vec::new());
        for (index, proof) in (0..=u8::MAX).zip(self.proofs) {
            match self.verifier.verify(domain, &request.identity_id, &challenge, proof) {
                Some(authenticator) => drop(good.insert(authenticator)),
                None => bad.push(index),
            }
        }
        if good.len() < usize::from(self.required) {
            // Fewer than `required`, which is a byte.
            let good = u8::try_from(good.len()).unwrap_or(u8::MAX);
            return Err(refused(PresenceFault::TooFew { required: self.required, good, bad }));
        }
        if !(self.consume)(&self.nonce) {
            return Err(refused(PresenceFault::NonceUsed));
        }
        Ok(())
    }
}

impl<V: PresenceVerifier> fmt::Debug for Presence<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presence")
            .field("proofs", &self.proofs.len())
            .field("nonce", &self.nonce)
            .field("expiry", &self.expiry)
            .field("required", &self.required)
            .finish_non_exhaustive()
    }
}
