//! The gate before every operation that rebuilds a vault secret: what is asked for, exactly, and whoever answers.

use crate::domain::Domain;
use crate::encoding::hex_newtype;
use crate::encoding::record::{self, Ascending, record, wire_names};
use crate::encoding::time::Timestamp;
use crate::error::Error;
use crate::hash::Sha3_256;
use crate::id::{IdentityId, VaultId};
use crate::shamir::SplitId;
use alloc::string::String;
use alloc::vec::Vec;

hex_newtype! {
    /// A shard's identifier: 32 bytes, 64 hexadecimal characters.
    ShardId, 32, "shard_id"
}

hex_newtype! {
    /// SHA3-256 over the canonical JSON of an operation's arguments: 64 hexadecimal characters.
    ArgumentsHash, 32, "args"
}

hex_newtype! {
    /// Who receives the shards: SHA3-256 of its public key, 32 bytes, 64 hexadecimal characters.
    Recipient, 32, "primatelj"
}

impl Recipient {
    /// Of the public key that was pinned and that the channel authenticated: of TLS the SubjectPublicKeyInfo in DER, of
    /// a service on the same machine its ML-DSA-65 key of 1,952 bytes. Never of what a request says of itself.
    #[must_use]
    pub fn of_key(public_key: &[u8]) -> Self {
        Self::from_bytes(Sha3_256::digest(public_key))
    }
}

/// An operation during which the vault secret exists in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Gives the secret back.
    Rebuild,
    /// Deals the same secret anew.
    Refresh,
    /// Gives one lost shard back.
    Repair,
    /// Deals the same secret anew with other numbers.
    Rethreshold,
}

impl Operation {
    const ALL: [Self; 4] = [Self::Rebuild, Self::Refresh, Self::Repair, Self::Rethreshold];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rebuild => "rebuild",
            Self::Refresh => "refresh",
            Self::Repair => "repair",
            Self::Rethreshold => "rethreshold",
        }
    }

    /// The operation of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.as_str() == name)
    }
}

wire_names! { Operation: Self::ALL }

/// What an operation was called with, beside the shards. What it does not take is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The index of the shard to repair.
    pub index: Option<u8>,
    /// The new m of a rethreshold.
    pub m: Option<u8>,
    /// The new n of a rethreshold.
    pub n: Option<u8>,
    /// The node URLs of the new shards, in shard order, of a refresh or rethreshold.
    pub node_urls: Option<Vec<String>>,
}

impl Arguments {
    /// `SHA3-256` over the canonical JSON of `{"indeks","m","n","node_urls"}`, with `null` for what is not used.
    #[must_use]
    pub fn hash(&self) -> ArgumentsHash {
        ArgumentsHash::from_bytes(Sha3_256::digest(record::to_json::<Self>(self).as_bytes()))
    }
}

record! {
    |arguments: Arguments| "arguments" {
        "indeks" index: Option<u8>,
        "m" m: Option<u8>,
        "n" n: Option<u8>,
        "node_urls" node_urls: Option<Vec<String>>,
    }
}

/// What is asked of the gate. Proofs of presence are made for one request and fit no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The operation.
    pub operation: Operation,
    /// The vault whose secret is rebuilt.
    pub vault_id: VaultId,
    /// The splitting that the shards are of.
    pub split_id: SplitId,
    /// The shards that may take part, ascending, each once: m to n of them.
    pub shard_ids: Vec<ShardId>,
    /// The hash of the operation's arguments.
    pub arguments: ArgumentsHash,
    /// Who receives the shards.
    pub recipient: Recipient,
    /// The identity whose vault it is.
    pub identity_id: IdentityId,
}

impl Request {
    /// Canonical JSON: `{args, identity_id, op, primatelj, shard_ids, split_id, vault_id}`, for the nodes and for
    /// whoever makes the proofs elsewhere. Nonce and expiry go beside it. It is no secret, and holding one says nothing
    /// about what it names.
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
    |request: Request| "presence request" {
        "args" arguments: ArgumentsHash,
        "identity_id" identity_id: IdentityId,
        "op" operation: Operation,
        "primatelj" recipient: Recipient,
        "shard_ids" shard_ids: ShardIds,
        "split_id" split_id: SplitId,
        "vault_id" vault_id: VaultId,
    }
}

/// A splitting has no more shards.
pub(crate) type ShardIds = Ascending<ShardId, 255>;

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Request);

/// Lets a request pass, or not. It is asked last, when everything else has been checked, and once:
/// [`Shard::release`](super::Shard::release) asks it for a node, [`Rebuilding`](super::Rebuilding) for whoever
/// rebuilds.
///
/// A gate knows nothing of shards. What passes it may be asked for by somebody who is enrolled for himself, of a vault
/// that is not his: a node that asks its gate alone gives everybody's shards away.
///
/// [`Presence`](crate::presence::Presence) is the gate of this library, and it denies by default. Another gate stands
/// for whatever its author put there.
pub trait Gate {
    /// Decides on a request, at this time.
    ///
    /// # Errors
    /// Whatever keeps the secret from being rebuilt.
    fn pass(&mut self, domain: &Domain, request: &Request, now: Timestamp) -> Result<(), Error>;
}
