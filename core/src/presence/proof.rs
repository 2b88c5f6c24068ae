//! The proof of the Ed25519 authenticator.

use super::challenge::{Challenge, Nonce};
use crate::domain::{Domain, Label, Row};
use crate::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use crate::encoding::json::Value;
use crate::encoding::time::Timestamp;
use crate::encoding::time_member;
use crate::error::Error;
use crate::shard::Request;
use alloc::string::{String, ToString};

/// A proof: `{args, expiry, identity_id, nonce, op, public_key, shard_ids, signature, split_id, vault_id}`. It repeats
/// what it was made for, so that whoever gets one can see it.
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
        self.to_value().canonical()
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; shard identifiers that do not ascend
    /// are [`Order`](crate::error::Problem::Order), and more than 255 of them
    /// [`Range`](crate::error::Problem::Range), with the position.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Self::from_value(Value::parse(text)?)
    }

    pub(crate) fn to_value(&self) -> Value {
        let [args, identity_id, op, shard_ids, split_id, vault_id] = self.request.to_members();
        Value::object([
            args,
            ("expiry", Value::text(self.expiry.to_string())),
            identity_id,
            ("nonce", self.nonce.to_member()),
            op,
            ("public_key", self.public_key.to_member()),
            shard_ids,
            ("signature", self.signature.to_member()),
            split_id,
            vault_id,
        ])
    }

    pub(crate) fn from_value(value: Value) -> Result<Self, Error> {
        let [args, expiry, identity_id, nonce, op, public_key, shard_ids, signature, split_id, vault_id] = value
            .members(
                "presence proof",
                [
                    "args",
                    "expiry",
                    "identity_id",
                    "nonce",
                    "op",
                    "public_key",
                    "shard_ids",
                    "signature",
                    "split_id",
                    "vault_id",
                ],
            )?;
        Ok(Self {
            request: Request::from_members([args, identity_id, op, shard_ids, split_id, vault_id])?,
            nonce: Nonce::from_member(nonce, "nonce")?,
            expiry: time_member(expiry, "expiry")?,
            public_key: Ed25519PublicKey::from_member(public_key, "public_key")?,
            signature: Ed25519Signature::from_member(signature, "signature")?,
        })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(PresenceProof);

/// `P::<ED25519>::<challenge>::S`, so that a signature over a bare challenge is no proof.
pub(super) fn statement(domain: &Domain, challenge: &Challenge) -> String {
    domain.join(Row::Presence, &[domain.label(Label::PresenceEd25519), &challenge.to_hex()])
}
