//! The proof of the Ed25519 authenticator.

use super::challenge::{Challenge, Nonce};
use crate::domain::{Domain, Label, Row};
use crate::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::id::{IdentityId, VaultId};
use crate::shard::{ArgumentsHash, Operation, Recipient, Request, ShardIds, SplitId};
use alloc::string::String;

/// A proof: `{args, expiry, identity_id, nonce, op, primatelj, public_key, shard_ids, signature, split_id, vault_id}`.
/// It repeats what it was made for, so that whoever gets one can see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenceProof {
    pub(super) request: Request,
    pub(super) nonce: Nonce,
    pub(super) expiry: Timestamp,
    pub(super) public_key: Ed25519PublicKey,
    pub(super) signature: Ed25519Signature,
}

impl PresenceProof {
    /// Answers a challenge: the signature is over `P::<ED25519>::<challenge>::S` with the presence row's constants.
    #[must_use]
    pub fn sign(domain: &Domain, request: &Request, nonce: &Nonce, expiry: Timestamp, key: &Ed25519SigningKey) -> Self {
        let challenge = Challenge::new(domain, request, nonce, expiry);
        Self {
            request: request.clone(),
            nonce: *nonce,
            expiry,
            public_key: *key.public_key(),
            signature: key.sign(statement(domain, &challenge).as_bytes()),
        }
    }

    /// What it was made for.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The nonce of its challenge.
    #[must_use]
    pub fn nonce(&self) -> &Nonce {
        &self.nonce
    }

    /// The expiry of its challenge.
    #[must_use]
    pub fn expiry(&self) -> Timestamp {
        self.expiry
    }

    /// The key that it says made it.
    #[must_use]
    pub fn public_key(&self) -> &Ed25519PublicKey {
        &self.public_key
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; shard identifiers that do not ascend
    /// are [`Order`](crate::error::Problem::Order), and more than 255 of them
    /// [`Range`](crate::error::Problem::Range), with the position.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

record! {
    |proof: PresenceProof| "presence proof" {
        "args" arguments: ArgumentsHash = proof.request.arguments,
        "expiry" expiry: Timestamp,
        "identity_id" identity_id: IdentityId = proof.request.identity_id,
        "nonce" nonce: Nonce,
        "op" operation: Operation = proof.request.operation,
        "primatelj" recipient: Recipient = proof.request.recipient,
        "public_key" public_key: Ed25519PublicKey,
        "shard_ids" shard_ids: ShardIds = proof.request.shard_ids,
        "signature" signature: Ed25519Signature,
        "split_id" split_id: SplitId = proof.request.split_id,
        "vault_id" vault_id: VaultId = proof.request.vault_id,
    } => {
        let request = Request { operation, vault_id, split_id, shard_ids, arguments, recipient, identity_id };
        Ok(Self { request, nonce, expiry, public_key, signature })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(PresenceProof);

/// `P::<ED25519>::<challenge>::S`, so that a signature over a bare challenge is no proof.
pub(super) fn statement(domain: &Domain, challenge: &Challenge) -> String {
    domain.join(Row::Presence, &[domain.label(Label::PresenceEd25519), &challenge.to_hex()])
}
