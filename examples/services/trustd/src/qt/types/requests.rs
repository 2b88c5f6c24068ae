//! Rebuilding: what is asked of people and nodes.

use crate::qt::rules::RequestState;
use dualseal::presence::{Challenge, Nonce};
use dualseal::shamir::SplitId;
use dualseal::shard::{Operation, Request, ShardId};
use dualseal::{IdentityId, Timestamp, VaultId};
use platform::web::{Hex64, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

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
    #[schema(value_type = Vec<Hex64>, max_items = 255)]
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

/// How a secret is to be dealt anew: empty where it is rebuilt.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArgumentsOut {
    /// How many shards are to rebuild the secret; as many as now where there is none.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) m: Option<u8>,
    /// How many shards there are to be; as many as now where there is none.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) n: Option<u8>,
    /// The labels of their nodes.
    pub(crate) node_urls: Option<Vec<String>>,
}

/// A request for shards: what people approve and nodes are asked.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RequestOut {
    /// Its name.
    #[schema(value_type = String, format = "uuid", example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) request_id: Uuid,
    /// What became of it.
    pub(crate) state: RequestState,
    /// Who opened it, and alone gets what comes of it.
    #[schema(value_type = String)]
    pub(crate) opener: Name<IdentityId>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) opened: Name<Timestamp>,
    /// What is asked.
    pub(crate) request: Asked,
    /// The operation's arguments, of which `request` has the hash.
    pub(crate) arguments: ArgumentsOut,
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
