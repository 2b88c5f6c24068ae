//! What nodes are told and say.

use super::Asked;
use crate::presence;
use crate::qt::rules::ShardState;
use dualseal::presence::Nonce;
use dualseal::shamir::SplitId;
use dualseal::shard::ShardId;
use dualseal::{IdentityId, Timestamp, VaultId};
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

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
    #[schema(value_type = String, format = "uuid", example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
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
    pub(crate) proofs: Vec<presence::types::Proof>,
}

/// An authenticator, to a node, which lets it count when it has known it long enough.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PollAuthenticator {
    /// Whose.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// `ed25519` or `webauthn`.
    pub(crate) kind: presence::Kind,
    /// Its public half: a key in hexadecimal, or a credential.
    pub(crate) material: String,
    /// Where the log says that it was enrolled, from 0: a node that does not know it yet asks for the proof.
    #[serde(default)]
    pub(crate) entry: Option<u64>,
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
