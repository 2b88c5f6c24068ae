//! Requests and answers.
//!
//! | file | what it is |
//! |---|---|
//! | `signing` | shares as pairs, signing, verifying |
//! | `nodes` | what nodes are asked, pull, acknowledge and give back |
//! | `refresh` | the secret dealt anew |

mod nodes;
mod refresh;
mod signing;

pub(crate) use nodes::{AckAsk, Acked, GiveAsk, Given, NodeRequest, Poll, RequestAsk, RequestInfo, WaitingShare};
pub(crate) use refresh::{CommitAsk, OrderAsk, OrderInfo, PrepareAsk, PreparedInfo};
pub(crate) use signing::{Pair, ShareValue, Shares, SignAsk, Verified, VerifyAsk};

use dualseal::id::SessionId;
use dualseal::krunica::KrunicaHash;
use dualseal::threshold::{Session, SplitId};
use dualseal::{IdentityId, Timestamp};
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

macro_rules! states {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "lowercase")]
        #[schema(as = threshold::$name)]
        pub(crate) enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            /// As rows have it.
            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            pub(crate) fn of(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }
    };
}

states! {
    /// Where a session is: `founded`, until a node pulls its share; `distributing`, until all nodes have theirs;
    /// `active`; `refreshing`, while a dealing anew is prepared; `retired`, once its key was called back or its log has
    /// ended.
    SessionState {
        /// No node has a share.
        Founded = "founded",
        /// Some have.
        Distributing = "distributing",
        /// All have, and the service has none.
        Active = "active",
        /// Its secret was dealt anew, which does not count yet.
        Refreshing = "refreshing",
        /// It signs no more.
        Retired = "retired",
    }
}

states! {
    /// Where a share is: `waiting` at the service, `pulled` by its node, `acknowledged` by it.
    ShareState {
        /// Nobody pulled it yet.
        Waiting = "waiting",
        /// Its node pulled it.
        Pulled = "pulled",
        /// Its node has it.
        Acknowledged = "acknowledged",
    }
}

states! {
    /// What nodes are asked to give their shares back for: `potpis`, to sign a message, or `obnova`, to deal the secret
    /// anew.
    Purpose {
        /// A signature.
        Potpis = "potpis",
        /// A dealing anew.
        Obnova = "obnova",
    }
}

/// The algorithms of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = threshold::SessionKind)]
pub(crate) enum Kind {
    /// k shares verify what it signs.
    #[default]
    #[serde(rename = "SHAMIR-2^521-1-HMAC-SHA3-512")]
    Hmac,
    /// Anybody does, by its public key.
    #[serde(rename = "SHAMIR-2^521-1-ML-DSA-65")]
    MlDsa,
}

/// A new session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::SessionFounding)]
pub(crate) struct FoundAsk {
    /// How many shares there are.
    #[schema(minimum = 2, maximum = 255, example = 3)]
    pub(crate) n: u8,
    /// How many of them sign, at most n.
    #[schema(minimum = 2, maximum = 255, example = 2)]
    pub(crate) k: u8,
    /// The labels of n different nodes, in the order of the shares; the first n that were registered unless they are
    /// named.
    #[schema(min_items = 2, max_items = 255, example = json!(["https://node-1.example", "https://node-2.example",
        "https://node-3.example"]))]
    pub(crate) vlasnici: Option<Vec<String>>,
    /// What it signs with.
    #[serde(default)]
    #[schema(example = "SHAMIR-2^521-1-HMAC-SHA3-512")]
    pub(crate) algoritam: Kind,
    /// Whose key the quorum's is: of the ML-DSA kind, and an identity that has none yet.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Option<Name<IdentityId>>,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = threshold::SessionInfo)]
pub(crate) struct SessionInfo {
    /// Its name, which stays when its secret is dealt anew.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// How many shares there are.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) n: u8,
    /// How many of them sign.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) k: u8,
    /// The anchor of its secret.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub(crate) javni_sidro: String,
    /// What it signs with.
    pub(crate) algoritam: &'static str,
    /// When the record in force was made.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) kreiran: Name<Timestamp>,
    /// The splitting in force.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// Where it is.
    pub(crate) stanje: SessionState,
    /// The handle of its founding's entry: whoever relies on the session pins it.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) krunica_hash: Name<KrunicaHash>,
    /// Who holds its shares, in their order.
    pub(crate) vlasnici: Vec<HolderInfo>,
    /// The record in force, as the library has it.
    #[schema(value_type = Object)]
    pub(crate) zapis: Session,
}

/// Who holds a share.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = threshold::HolderInfo)]
pub(crate) struct HolderInfo {
    /// The number of the share.
    #[schema(minimum = 1, maximum = 255)]
    pub(crate) indeks: u8,
    /// The custodian.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vlasnik: Name<IdentityId>,
    /// The label of its node.
    pub(crate) node: String,
    /// Where the share is.
    pub(crate) stanje: ShareState,
}

/// Whose quorum.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QuorumQuery {
    /// The session.
    #[param(pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: String,
}

/// Whether a quorum can be had.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = threshold::QuorumInfo)]
pub(crate) struct QuorumInfo {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The splitting in force.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Name<SplitId>,
    /// How many shares there are.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) n: u8,
    /// How many of them sign.
    #[schema(minimum = 2, maximum = 255)]
    pub(crate) k: u8,
    /// Shares that their nodes said they have, within ten minutes.
    pub(crate) present: Vec<u8>,
    /// Shares of which nobody said so.
    pub(crate) missing: Vec<u8>,
    /// Shares whose nodes gave back something else.
    pub(crate) invalid: Vec<u8>,
    /// Whether k of them are present.
    pub(crate) kvorum: bool,
}
