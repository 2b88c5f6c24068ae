//! Requests and answers of vault shards.
//!
//! | file | what it is |
//! |---|---|
//! | `nodes` | what nodes are told and say |
//! | `requests` | rebuilding |

mod nodes;
mod requests;

pub(crate) use nodes::{AckIn, AckOut, OrderIn, OrderOut, PollAuthenticator, PollOut, PollRequest, PollVault, Said};
pub(crate) use requests::{ArgumentsOut, Asked, GivenOut, ReconstructIn, RequestOut};

use super::rules::{ShardState, SplitState};
use dualseal::seal::LegacySeal;
use dualseal::shamir::SplitId;
use dualseal::shard::ShardId;
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
    /// When it was dealt, for the cursor of a list.
    #[serde(skip)]
    #[schema(ignore)]
    pub(crate) created: i64,
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
    #[schema(value_type = String, pattern = "^SEAL-L5::[0-9a-f]{128}$")]
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
    #[schema(value_type = Option<String>, format = "uuid", example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
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
