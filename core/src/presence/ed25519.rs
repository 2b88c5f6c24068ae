//! The authenticator of this library: Ed25519 keys enrolled for identities.

use super::challenge::Challenge;
use super::proof::{PresenceProof, statement};
use super::{AuthenticatorId, PresenceVerifier};
use crate::domain::Domain;
use crate::ed25519::Ed25519PublicKey;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use alloc::collections::{BTreeMap, BTreeSet};

/// The Ed25519 keys that may prove presence, for each identity. A proof by any other key is worth nothing.
///
/// ```
/// use dualseal::ed25519::Ed25519SigningKey;
/// use dualseal::presence::{EnrolledKeys, Nonce, Presence, PresenceProof};
/// use dualseal::shard::{Arguments, Gate, Operation, Recipient, Request, ShardId, SplitId};
/// use dualseal::{Domain, SystemRng, Timestamp};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let phone = Ed25519SigningKey::from_seed(&[7; 32])?;
/// let mut enrolled = EnrolledKeys::new();
/// enrolled.enrol(&ana, phone.public_key())?;
///
/// let request = Request {
///     operation: Operation::Rebuild,
///     vault_id: domain.vault_id(b"", "ana", "", 0)?,
///     split_id: SplitId::from_bytes([1; 32]),
///     shard_ids: vec![ShardId::from_bytes([2; 32]), ShardId::from_bytes([3; 32])],
///     arguments: Arguments::default().hash(),
///     recipient: Recipient::of_key(b"the public key of the service that rebuilds"),
///     identity_id: ana,
/// };
/// let nonce = Nonce::draw(&mut SystemRng)?;
/// let (now, expiry) = (Timestamp::MIN, "1970-01-01T00:01:00.000Z".parse()?);
/// let proof = PresenceProof::sign(&domain, &request, &nonce, expiry, &phone);
///
/// let mut used = false;
/// let mut gate = Presence {
///     verifier: &enrolled,
///     proofs: &[proof],
///     nonce,
///     expiry,
///     required: 1,
///     consume: &mut |_| !std::mem::replace(&mut used, true),
/// };
/// // What `Shard::release` and `Rebuilding` ask, when they have compared the request: nobody else asks a gate.
/// gate.pass(&domain, &request, now)?;
/// assert!(gate.pass(&domain, &request, now).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnrolledKeys(BTreeMap<IdentityId, BTreeSet<Ed25519PublicKey>>);

impl EnrolledKeys {
    /// None enrolled: everything is denied.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Enrols a key for an identity.
    ///
    /// # Errors
    /// [`Problem::Range`] for 32 bytes that are no strict key: see [`Ed25519PublicKey::is_strict`].
    pub fn enrol(&mut self, identity_id: &IdentityId, key: &Ed25519PublicKey) -> Result<(), Error> {
        if !key.is_strict() {
            return Err(Error::malformed("public_key", Problem::Range));
        }
        self.0.entry(*identity_id).or_default().insert(*key);
        Ok(())
    }

    /// Takes a key away.
    pub fn remove(&mut self, identity_id: &IdentityId, key: &Ed25519PublicKey) {
        if let Some(keys) = self.0.get_mut(identity_id) {
            keys.remove(key);
        }
    }
}

impl PresenceVerifier for EnrolledKeys {
    type Proof = PresenceProof;

    fn verify(
        &self,
        domain: &Domain,
        identity_id: &IdentityId,
        challenge: &Challenge,
        proof: &PresenceProof,
    ) -> Option<AuthenticatorId> {
        let PresenceProof { request, nonce, expiry, public_key, signature } = proof;
        // Nothing here is secret, so that a stranger's proof costs no more than a look.
        let enrolled = self.0.get(identity_id).is_some_and(|keys| keys.contains(public_key));
        // Everything that the proof says of itself is in its challenge.
        let good = enrolled
            && Challenge::new(domain, request, nonce, *expiry) == *challenge
            && public_key.accepts(statement(domain, challenge).as_bytes(), signature);
        good.then_some(*public_key.as_bytes())
    }
}
