//! The gate before every operation that rebuilds a vault secret: what is asked for, exactly, and whoever answers.

use crate::domain::Domain;
use crate::encoding::hex_newtype;
use crate::encoding::json::Value;
use crate::error::{Error, Problem};
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
        let number = |number: Option<u8>| number.map_or(Value::Null, |number| Value::counter(number.into()));
        let urls = self.node_urls.as_ref();
        let json = Value::object([
            ("indeks", number(self.index)),
            ("m", number(self.m)),
            ("n", number(self.n)),
            (
                "node_urls",
                urls.map_or(Value::Null, |urls| {
                    Value::Array(urls.iter().map(|url| Value::text(url.as_str())).collect())
                }),
            ),
        ]);
        ArgumentsHash::from_bytes(Sha3_256::digest(json.canonical().as_bytes()))
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
    /// The shards that are given, ascending, each once.
    pub shard_ids: Vec<ShardId>,
    /// The hash of the operation's arguments.
    pub arguments: ArgumentsHash,
    /// The identity whose vault it is.
    pub identity_id: IdentityId,
}

impl Request {
    /// Canonical JSON: `{args, identity_id, op, shard_ids, split_id, vault_id}`, for whoever makes the proofs
    /// elsewhere. Nonce and expiry go beside it. It is no secret, and holding one says nothing about what it names.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().canonical()
    }

    /// Reads the JSON.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form; shard identifiers that do not ascend
    /// are [`Problem::Order`], and more than 255 of them [`Problem::Range`], with the position.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Self::from_value(Value::parse(text)?)
    }

    pub(crate) fn to_value(&self) -> Value {
        Value::object(self.to_members())
    }

    pub(crate) fn from_value(value: Value) -> Result<Self, Error> {
        let names = ["args", "identity_id", "op", "shard_ids", "split_id", "vault_id"];
        Self::from_members(value.members("presence request", names)?)
    }

    /// What a proof repeats of it.
    pub(crate) fn to_members(&self) -> [(&'static str, Value); 6] {
        [
            ("args", self.arguments.to_member()),
            ("identity_id", self.identity_id.to_member()),
            ("op", Value::text(self.operation.as_str())),
            ("shard_ids", Value::Array(self.shard_ids.iter().map(|id| id.to_member()).collect())),
            ("split_id", self.split_id.to_member()),
            ("vault_id", self.vault_id.to_member()),
        ]
    }

    /// From the members of these names, in their order.
    pub(crate) fn from_members(members: [Value; 6]) -> Result<Self, Error> {
        let [args, identity_id, op, shard_ids, split_id, vault_id] = members;
        let operation = Operation::from_name(&op.into_text("op")?);
        let mut ids = Vec::new();
        for (index, id) in (0..).zip(shard_ids.into_array("shard_ids")?) {
            // A splitting has no more shards.
            if index >= 255 {
                return Err(Error::malformed_at("shard_ids", index, Problem::Range));
            }
            let id = ShardId::from_member(id, "shard_ids")?;
            if ids.last().is_some_and(|last| *last >= id) {
                return Err(Error::malformed_at("shard_ids", index, Problem::Order));
            }
            ids.push(id);
        }
        Ok(Self {
            operation: operation.ok_or_else(|| Error::malformed("op", Problem::UnknownValue))?,
            vault_id: VaultId::from_member(vault_id, "vault_id")?,
            split_id: SplitId::from_member(split_id, "split_id")?,
            shard_ids: ids,
            arguments: ArgumentsHash::from_member(args, "args")?,
            identity_id: IdentityId::from_member(identity_id, "identity_id")?,
        })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Request);

/// Lets a request pass, or not. It is asked last, when everything else has been checked, and once.
///
/// [`Presence`](crate::presence::Presence) is the gate of this library, and it denies by default. Another gate stands
/// for whatever its author put there.
pub trait Gate {
    /// Decides on a request.
    ///
    /// # Errors
    /// Whatever keeps the secret from being rebuilt.
    fn pass(&mut self, domain: &Domain, request: &Request) -> Result<(), Error>;
}
