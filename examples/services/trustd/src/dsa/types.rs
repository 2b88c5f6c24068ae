//! Requests and answers.

use dualseal::checkpoint::PlaceProof;
use dualseal::{IdentityId, KeyState, PublicKey, SignatureRecord};
use platform::web::{Base64, Name};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// The state of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stanje {
    /// Valid.
    Istina,
    /// Revoked.
    Laz,
    /// A honeypot.
    Oboje,
    /// Suspended.
    Nijedno,
}

impl From<Stanje> for KeyState {
    fn from(stanje: Stanje) -> Self {
        match stanje {
            Stanje::Istina => Self::Valid,
            Stanje::Laz => Self::Revoked,
            Stanje::Oboje => Self::Decoy,
            Stanje::Nijedno => Self::Suspended,
        }
    }
}

/// Whose key pair is made or fetched: an identity, or what it is computed from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeypairRequest {
    /// The identity.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Option<Name<IdentityId>>,
    /// Or its content,
    pub content_b64: Option<Base64>,
    /// creator: without `::`,
    #[schema(max_length = 4096, example = "ana@acme.example")]
    pub creator: Option<String>,
    /// and context: without `::`.
    #[schema(max_length = 4096, example = "9f0c2d")]
    pub context: Option<String>,
}

/// Content to be signed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignRequest {
    /// Who signs.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The content.
    pub content_b64: Base64,
}

/// An object to be signed in its canonical form (RFC 8785).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignJsonRequest {
    /// Who signs.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The object: integers within 2^53, no repeated names, at most 32 levels.
    #[schema(value_type = Object)]
    pub object: Box<RawValue>,
}

/// A record to be verified with its content.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyRequest {
    /// The record,
    #[schema(value_type = Option<crate::records::SignatureRecordDoc>)]
    pub record: Option<SignatureRecord>,
    /// or an evidence bundle, which is verified as this service's own.
    #[schema(value_type = Option<Object>)]
    pub evidence: Option<Box<RawValue>>,
    /// Whose record it must be.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The content: a hash alone is not content.
    pub content_b64: Base64,
    /// Its place in the log, of a record by a key that was rotated since; the service looks in its own log without one.
    #[schema(value_type = Option<Object>)]
    pub place: Option<PlaceProof>,
}

/// A change of a key's state.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BelaRequest {
    /// Whose key.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The state from now on.
    pub stanje: Stanje,
    /// Why.
    #[schema(max_length = 1000)]
    pub napomena: Option<String>,
    /// With `laz`: the position in the log since which the key counts as compromised.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub opozvan_od: Option<u64>,
    /// The retired key that is meant, 3904 hexadecimal characters; the current one without it.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{3904}$")]
    pub javni_kljuc: Option<Name<HexKey>>,
}

/// A public key in hexadecimal.
#[derive(Clone, Debug)]
pub(crate) struct HexKey(pub PublicKey);

impl std::str::FromStr for HexKey {
    type Err = dualseal::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        PublicKey::from_hex(text).map(Self)
    }
}

/// Whose key is replaced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RotateRequest {
    /// The identity.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
}

/// One alarm.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Alarm)]
pub(crate) struct AlarmOut {
    /// Its name.
    pub id: String,
    /// What happened: `decoy-caller`, `decoy-key`, `fragment`, `enrolled`, `copied`, `secret`,
    /// `panic`, `document` or `document-row`.
    #[schema(example = "decoy-caller")]
    pub kind: String,
    /// By whom, or of what.
    pub subject: String,
    /// When: another of this kind and subject is told of after ten minutes.
    #[schema(example = "2026-11-21T09:00:00.000Z")]
    pub time: String,
    /// In words.
    pub detail: String,
}

impl std::fmt::Display for HexKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}
