//! Requests and answers of vault shards.

use super::rules::{RequestState, ShardState, SplitState};
use dualseal::presence::{Challenge, Nonce};
use dualseal::seal::LegacySeal;
use dualseal::shamir::SplitId;
use dualseal::shard::{Operation, Request, ShardId};
use dualseal::{IdentityId, Timestamp, VaultId};
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What is to be split, and among whom.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitIn {
    /// The document of the vault.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// The identity whose document it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// How many shards rebuild the secret.
    #[schema(minimum = 2, maximum = 255, example = 2)]
    pub(crate) m: u8,
    /// How many shards there are: as many as nodes.
    #[schema(minimum = 2, maximum = 255, example = 3)]
    pub(crate) n: u8,
    /// The labels of the nodes, in the order of their shards. Nothing dials them.
    #[schema(min_items = 2, max_items = 255)]
    pub(crate) node_urls: Vec<String>,
}

/// A split, and what became of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SplitOut {
    /// The document of the vault.
    #[schema(value_type = String)]
    pub(crate) vault_id: Name<VaultId>,
    /// The identity whose document it is.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// The split.
    #[schema(value_type = String)]
    pub(crate) split_id: Name<SplitId>,
    /// The split that it replaces.
    #[schema(value_type = Option<String>)]
    pub(crate) previous: Option<Name<SplitId>>,
    /// How many shards rebuild the secret.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) m: u8,
    /// How many shards there are.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) n: u8,
    /// What became of it.
    pub(crate) state: SplitState,
    /// Whether the nodes alone have the secret: the service's copy is destroyed.
    pub(crate) custody: bool,
    /// The place in the log of the entry that put it in force.
    pub(crate) seq: Option<u64>,
    /// Until when nodes keep its shards if it is not put in force.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) until: Name<Timestamp>,
    /// Its shards, in the order of their numbers.
    pub(crate) shards: Vec<ShardOut>,
}

/// A shard, without its value.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ShardOut {
    /// Its identifier.
    #[schema(value_type = String)]
    pub(crate) shard_id: Name<ShardId>,
    /// Its number.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// The label of its node.
    pub(crate) node_url: String,
    /// What became of it.
    pub(crate) state: ShardState,
}

/// A page of splits, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SplitsOut {
    /// The splits.
    pub(crate) items: Vec<SplitOut>,
    /// What stands behind this page; null where nothing does.
    pub(crate) next: Option<String>,
}

/// What a node says of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Said {
    /// It holds it, on its disk.
    Held,
    /// It has deleted it.
    Deleted,
}

/// A node's acknowledgement.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AckIn {
    /// The shard.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) shard_id: Name<ShardId>,
    /// What the node says of it.
    pub(crate) said: Said,
}

/// What became of a shard.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct AckOut {
    /// The shard.
    #[schema(value_type = String)]
    pub(crate) shard_id: Name<ShardId>,
    /// What became of it.
    pub(crate) state: ShardState,
    /// Whether the nodes alone have the secret now.
    pub(crate) custody: bool,
}

/// A shard's seal, and what it is said to seal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyIn {
    /// The shard.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) shard_id: Name<ShardId>,
    /// The vault.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// The identity whose vault it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// The seal, as the shard has it.
    #[schema(value_type = String)]
    pub(crate) seal: Name<LegacySeal>,
}

/// Whether a seal holds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VerifyOut {
    /// Whether it does.
    pub(crate) validan: bool,
    /// Why it does not.
    #[schema(example = "shard-seal")]
    pub(crate) razlog: Option<&'static str>,
}

/// A vault that is to be rebuilt.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReconstructIn {
    /// The vault.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// The identity whose vault it is, whose people show that they are present.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// The shards that may take part, m to n of them; all of the split in force where none are named.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 255)]
    pub(crate) shard_ids: Vec<Name<ShardId>>,
}

/// What is asked of nodes and people, as the library's record has it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The hash of the operation's arguments.
    pub(crate) args: String,
    /// The identity whose vault it is.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// What is to be done: `rebuild`, `refresh` or `rethreshold`.
    #[schema(value_type = String)]
    pub(crate) op: String,
    /// Who receives the shards: the hash of its key.
    pub(crate) primatelj: String,
    /// The shards, ascending.
    #[schema(value_type = Vec<String>)]
    pub(crate) shard_ids: Vec<Name<ShardId>>,
    /// The split.
    #[schema(value_type = String)]
    pub(crate) split_id: Name<SplitId>,
    /// The vault.
    #[schema(value_type = String)]
    pub(crate) vault_id: Name<VaultId>,
}

impl Asked {
    pub(crate) fn of(request: &Request) -> Self {
        Self {
            args: request.arguments.to_hex(),
            identity_id: Name(request.identity_id),
            op: request.operation.as_str().to_owned(),
            primatelj: request.recipient.to_hex(),
            shard_ids: request.shard_ids.iter().copied().map(Name).collect(),
            split_id: Name(request.split_id),
            vault_id: Name(request.vault_id),
        }
    }

    /// The same as the library's.
    pub(crate) fn request(&self) -> Option<Request> {
        Some(Request {
            operation: Operation::from_name(&self.op)?,
            vault_id: self.vault_id.0,
            split_id: self.split_id.0,
            shard_ids: self.shard_ids.iter().map(|id| id.0).collect(),
            arguments: self.args.parse().ok()?,
            recipient: self.primatelj.parse().ok()?,
            identity_id: self.identity_id.0,
        })
    }
}

/// A request for shards: what people approve and nodes are asked.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RequestOut {
    /// Its name.
    #[schema(value_type = String, example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) request_id: Uuid,
    /// What became of it.
    pub(crate) state: RequestState,
    /// What is asked.
    pub(crate) request: Asked,
    /// What makes its challenge usable once.
    #[schema(value_type = String)]
    pub(crate) nonce: Name<Nonce>,
    /// When it ends: 300 seconds after it was opened.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expiry: Name<Timestamp>,
    /// The name of the deployment in what an Ed25519 key signs.
    pub(crate) domain: String,
    /// What an authenticator answers: 32 bytes over all of it.
    #[schema(value_type = String)]
    pub(crate) challenge: Name<Challenge>,
    /// How many different authenticators must answer.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) required: u8,
    /// How many did.
    pub(crate) proofs: usize,
    /// What nodes released.
    pub(crate) shards: Vec<GivenOut>,
}

/// What a node released.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GivenOut {
    /// The shard that was asked for.
    #[schema(value_type = String)]
    pub(crate) shard_id: Name<ShardId>,
    /// Its number.
    pub(crate) indeks: u8,
    /// The label of the node.
    pub(crate) node_url: String,
    /// Whether it is the shard that was dealt: where it is not, the node lied or its disk did.
    pub(crate) holds: bool,
}

/// What a node is told when it polls.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PollOut {
    /// The vaults of which it has shards, or is to have.
    pub(crate) vaults: Vec<PollVault>,
    /// The requests that people approved and that name a shard of its.
    pub(crate) requests: Vec<PollRequest>,
    /// The authenticators of the identities of those vaults.
    pub(crate) authenticators: Vec<PollAuthenticator>,
}

/// A vault, to a node.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PollVault {
    /// The vault.
    #[schema(value_type = String)]
    pub(crate) vault_id: Name<VaultId>,
    /// The split in force under the last checkpoint; 64 zeros where the vault was erased, null where no checkpoint
    /// covers a split of it yet.
    #[schema(value_type = Option<String>)]
    pub(crate) split_id: Option<Name<SplitId>>,
    /// The time of that checkpoint.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) told: Option<Name<Timestamp>>,
    /// Whether a shard waits for the node.
    pub(crate) waits: bool,
    /// The shards that the service believes the node to hold.
    #[schema(value_type = Vec<String>)]
    pub(crate) held: Vec<Name<ShardId>>,
}

/// A request, to a node: it judges for itself.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PollRequest {
    /// Its name.
    #[schema(value_type = String, example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) request_id: Uuid,
    /// What is asked.
    pub(crate) request: Asked,
    /// The nonce, which the node spends for itself.
    #[schema(value_type = String)]
    pub(crate) nonce: Name<Nonce>,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expiry: Name<Timestamp>,
    /// The proofs of presence, as they were made.
    pub(crate) proofs: Vec<crate::presence::types::Proof>,
}

/// An authenticator, to a node, which lets it count when it has known it long enough.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PollAuthenticator {
    /// Whose.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// `ed25519` or `webauthn`.
    pub(crate) kind: crate::presence::rules::Kind,
    /// Its public half: a key in hexadecimal, or a credential.
    pub(crate) material: String,
}

/// A node's question for the operator's word.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrderIn {
    /// Drawn by the node, and good once.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) nonce: Name<Nonce>,
}

/// The operator's word to delete older shards, or, where the split is 64 zeros, all.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct OrderOut {
    /// The split in force.
    #[schema(value_type = String)]
    pub(crate) split_id: Name<SplitId>,
    /// When the word expires.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expiry: Name<Timestamp>,
    /// Ed25519, by the key of orders: 128 hexadecimal characters.
    pub(crate) signature: String,
}

/// A new split of a vault: of the same secret among other nodes, or with another m and n.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrepareIn {
    /// The vault.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// The identity whose vault it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// How many shards rebuild the secret; as many as now where it is left out.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) m: Option<u8>,
    /// The labels of the nodes, in the order of their shards.
    #[schema(min_items = 2, max_items = 255)]
    pub(crate) node_urls: Vec<String>,
    /// The request that the nodes answered, where they alone have the secret.
    #[schema(value_type = Option<String>, example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) request_id: Option<Uuid>,
}

/// What was prepared, or what people and nodes are asked before.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PreparedOut {
    /// The new split, which is not in force yet.
    pub(crate) split: Option<SplitOut>,
    /// The request for the shards of the split in force, where the nodes alone have the secret.
    pub(crate) request: Option<RequestOut>,
}

/// A prepared split that is to be put in force.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommitIn {
    /// The vault.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// The split.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// How many nodes must have acknowledged theirs, m to n; all where it is left out.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) najmanje: Option<u8>,
}
