//! What nodes are asked, pull, acknowledge and give back.

use super::{Purpose, ShareState, ShareValue};
use dualseal::id::{MessageHash, SessionId, ThresholdBinding};
use dualseal::threshold::{Session, SplitId};
use dualseal::{IdentityId, Timestamp};
use platform::web::{Base64, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A share that a node gives back.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::ShareGivenBack)]
pub(crate) struct GiveAsk {
    /// The request that it is for, and no other.
    #[schema(value_type = String, format = "uuid")]
    pub(crate) request_id: Uuid,
    /// The session of the request.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The splitting, as the share's header said when it was pulled.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// The number of the share.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// Its value.
    #[schema(value_type = String, min_length = 1, max_length = 132)]
    pub(crate) vrijednost_hex: ShareValue,
    /// The custodian.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
}

/// A share waits for its request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = threshold::ShareReceived)]
pub(crate) struct Given {
    /// The request.
    #[schema(value_type = String, format = "uuid")]
    pub(crate) request_id: Uuid,
    /// The number of the share.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// When the service wipes it, unless the request was served before.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) istice: Name<Timestamp>,
}

/// That a node has its share: the library's acknowledgement, and the number of the share. A node says so again to be
/// counted as present.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::ShareAcknowledgement)]
pub(crate) struct AckAsk {
    /// The number of the share.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// Its splitting.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// The commitment to it, as the session's record has it.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub(crate) udio_sidra: String,
}

/// What became of an acknowledgement.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::ShareAcknowledged)]
pub(crate) struct Acked {
    /// The number of the share.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// Its splitting.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// Where the share is.
    pub(crate) stanje: ShareState,
    /// Whether all nodes have theirs, so that the service has none any more.
    pub(crate) u_skrbi: bool,
}

/// What nodes are asked to give their shares back for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::QuorumRequestOpening)]
pub(crate) struct RequestAsk {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// Who asks.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// What for.
    pub(crate) namjena: Purpose,
    /// The message, at most 65,536 bytes, which the nodes see before they give anything back: of `potpis` alone.
    #[schema(value_type = Option<String>, format = Byte, example = "cmVzb2x1dGlvbiA3")]
    pub(crate) poruka_b64: Option<Base64>,
}

/// A request to nodes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::QuorumRequest)]
pub(crate) struct RequestInfo {
    /// Its name.
    #[schema(value_type = String, format = "uuid")]
    pub(crate) request_id: Uuid,
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// Who asks.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// What for.
    pub(crate) namjena: Purpose,
    /// The SHA3-512 of the message.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{128}$")]
    pub(crate) poruka_hash: Option<Name<MessageHash>>,
    /// What binds the message to the session.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) binding: Option<Name<ThresholdBinding>>,
    /// When it expires, and what was given back for it is wiped.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) istice: Name<Timestamp>,
}

/// What a node finds when it polls.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::NodeWork)]
pub(crate) struct Poll {
    /// Shares that wait for it, until it acknowledges them.
    pub(crate) udjeli: Vec<WaitingShare>,
    /// Requests for shares that it has, those that expire first before the others.
    pub(crate) zahtjevi: Vec<NodeRequest>,
}

/// A share that waits for its node.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::WaitingShare)]
pub(crate) struct WaitingShare {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The number of the share.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// Its splitting.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// The custodian, whom the commitment to the share names.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vlasnik: Name<IdentityId>,
    /// The record by which the node checks it; what was prepared has no `ovlast` yet.
    #[schema(value_type = Object)]
    pub(crate) zapis: Session,
    /// Of what was prepared: until when the node keeps it, unless it is committed before.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) cuva_se_do: Option<Name<Timestamp>>,
}

/// A request, with the message.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::NodeRequest)]
pub(crate) struct NodeRequest {
    /// The request.
    #[serde(flatten)]
    pub(crate) zahtjev: RequestInfo,
    /// The message.
    #[schema(value_type = Option<String>, format = Byte)]
    pub(crate) poruka_b64: Option<String>,
    /// The numbers of the node's own shares of the splitting in force, which it has not given back for it yet.
    pub(crate) indeksi: Vec<u8>,
    /// That splitting.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
}
