//! Requests and answers.

use super::rules::PeerState;
use dualseal::Timestamp;
use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature};
use dualseal::presence::Nonce;
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Who wants to register.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PeerChallengeRequest {
    /// Its name.
    #[schema(pattern = "^[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$", example = "split.example")]
    pub agent_id: String,
}

/// What is signed over, with the audience, the name and the address.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PeerChallenge {
    /// What makes it usable once.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Name<Nonce>,
    /// Until when it is answered: 60 seconds.
    #[schema(value_type = String, format = DateTime)]
    pub expiry: Name<Timestamp>,
    /// The audience of the statement.
    #[schema(example = "https://trust.example/")]
    pub audience: String,
    /// The domain, whose constants the statement has.
    #[schema(example = "TRUST")]
    pub domain: String,
}

/// A statement, signed: `P::PEER::<audience>::<H3(agent_id)>::<H3(url)>::<nonce>::<expiry>::S`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PeerProof {
    /// The challenge's.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Name<Nonce>,
    /// The challenge's.
    #[schema(value_type = String, format = DateTime)]
    pub expiry: Name<Timestamp>,
    /// The Ed25519 signature: 128 hexadecimal characters.
    #[schema(value_type = String, pattern = "^[0-9a-f]{128}$")]
    pub signature: Name<Ed25519Signature>,
}

/// A service that says who it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PeerIn {
    /// Its name.
    #[schema(pattern = "^[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$", example = "split.example")]
    pub agent_id: String,
    /// Its address, https.
    #[schema(max_length = 255, pattern = "^https?://[a-z0-9.:-]+/[!-~]*$", example = "https://trust.split.example/")]
    pub url: String,
    /// Its Ed25519 key: 64 hexadecimal characters.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub public_key: Name<Ed25519PublicKey>,
    /// That it has the key.
    pub proof: PeerProof,
}

/// A peer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PeerOut {
    /// Its name.
    #[schema(example = "split.example")]
    pub agent_id: String,
    /// Its address.
    #[schema(example = "https://trust.split.example/")]
    pub url: String,
    /// Its Ed25519 key.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub public_key: String,
    /// Its state: `listed` peers alone are called.
    pub state: PeerState,
    /// When it registered, or was heard of.
    #[schema(format = DateTime)]
    pub registered: String,
    /// Which service told of it, where it did not register here.
    pub source: Option<String>,
    /// The entry of its approval.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: Option<String>,
}

/// Which peers.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeersQuery {
    /// In which state; `listed` without it. The others are a native's to see.
    pub state: Option<PeerState>,
}
