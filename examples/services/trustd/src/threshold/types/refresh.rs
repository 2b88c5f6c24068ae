//! The secret dealt anew.

use super::Pair;
use dualseal::id::SessionId;
use dualseal::presence::Nonce;
use dualseal::threshold::{Session, SplitId};
use dualseal::{IdentityId, Timestamp};
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A secret to be dealt anew.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::RefreshPreparation)]
pub(crate) struct PrepareAsk {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// Who asks: of a request, whoever opened it said the same.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// The request, of the purpose `obnova`, that nodes gave their shares back for.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub(crate) request_id: Option<Uuid>,
    /// Or k shares as pairs.
    #[schema(max_items = 255)]
    pub(crate) udjeli: Option<Vec<Pair>>,
    /// The splitting that the pairs are of; the one in force unless it is named.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Option<Name<SplitId>>,
    /// The labels of the nodes that will hold the new shares; those that hold the present ones unless they are named.
    #[schema(min_items = 2, max_items = 255)]
    pub(crate) vlasnici: Option<Vec<String>>,
    /// How many of the new shares sign. Unless it is given, k and n stay what they are.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) k: Option<u8>,
}

/// New shares wait for their nodes, and do not count yet.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = threshold::RefreshPrepared)]
pub(crate) struct PreparedInfo {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The new splitting.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// Its record, without authority.
    #[schema(value_type = Object)]
    pub(crate) zapis: Session,
    /// Until when it can be committed.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) istice: Name<Timestamp>,
    /// The numbers of old shares that did not hold.
    pub(crate) culprits: Vec<u8>,
    /// The numbers of old shares that hold and are not the dealer's.
    pub(crate) misdealt: Vec<u8>,
}

/// What was prepared is to count.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::RefreshCommit)]
pub(crate) struct CommitAsk {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The splitting that was prepared.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// How many nodes must have acknowledged their new shares: at least the new k; all unless it is given.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) needed: Option<u8>,
}

/// A node that asks for the operator's word on which of its shares counts.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::ShareOrderAsk)]
pub(crate) struct OrderAsk {
    /// The splitting of the share that was prepared for it.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// Drawn by the node, and good once.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) nonce: Name<Nonce>,
}

/// The operator's word to let go of older shares: by the key that the node pinned, to it alone and for its nonce.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::ShareOrder)]
pub(crate) struct OrderInfo {
    /// The splitting in force.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// When the word expires.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expiry: Name<Timestamp>,
    /// Ed25519.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub(crate) signature: String,
    /// The record in force, with its authority.
    #[schema(value_type = Object)]
    pub(crate) zapis: Session,
}
