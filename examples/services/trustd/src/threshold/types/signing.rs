//! Shares as pairs, signing with them, verifying.

use dualseal::IdentityId;
use dualseal::id::SessionId;
use dualseal::threshold::{SplitId, ThresholdResult};
use platform::web::{Base64, Name};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ArrayItems, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;
use zeroize::Zeroizing;

/// The value of a share, 132 hexadecimal characters: wiped when it is dropped, and shown nowhere.
#[derive(Clone, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 132)]
pub(crate) struct ShareValue(pub(crate) Zeroizing<String>);

impl<'de> Deserialize<'de> for ShareValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Zeroizing::new(text)))
    }
}

impl Serialize for ShareValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Debug for ShareValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareValue")
    }
}

/// A share: its number and its value.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Pair(pub(crate) u8, pub(crate) ShareValue);

impl PartialSchema for Pair {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(255));
        let value = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(132));
        let pair = ArrayBuilder::new()
            .prefix_items([Schema::from(number.build()), Schema::from(value.build())])
            .items(ArrayItems::False)
            .min_items(Some(2))
            .max_items(Some(2))
            .description(Some("A share: its number and its value in hexadecimal"));
        pair.into()
    }
}

impl ToSchema for Pair {
    fn name() -> Cow<'static, str> {
        "threshold.SharePair".into()
    }
}

/// Where the shares come from: pairs, with the splitting that they are of, or what nodes gave back for a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    pub(crate) udjeli: Option<Vec<Pair>>,
    pub(crate) split_id: Option<SplitId>,
    pub(crate) request_id: Option<Uuid>,
}

/// A message that k shares sign.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::QuorumSigning)]
pub(crate) struct SignAsk {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The message; with a request that of the request, which its nodes saw.
    #[schema(value_type = Option<String>, format = Byte, example = "cmVzb2x1dGlvbiA3")]
    pub(crate) poruka_b64: Option<Base64>,
    /// The shares as pairs `[indeks, vrijednost_hex]`, unless there is a request.
    #[schema(max_items = 255)]
    pub(crate) udjeli: Option<Vec<Pair>>,
    /// The splitting that the pairs are of, as their nodes were told beside them; the one in force unless it is named.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Option<Name<SplitId>>,
    /// The request that nodes gave their shares back for, in the place of pairs.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub(crate) request_id: Option<Uuid>,
    /// Who asks for the signature: of a request, whoever opened it said the same.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
}

/// A result to be verified.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = threshold::QuorumVerification)]
pub(crate) struct VerifyAsk {
    /// The session.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) session_id: Name<SessionId>,
    /// The message.
    #[schema(value_type = String, format = Byte, example = "cmVzb2x1dGlvbiA3")]
    pub(crate) poruka_b64: Base64,
    /// The result, as signing answered it.
    #[schema(value_type = Object)]
    pub(crate) rezultat: ThresholdResult,
    /// k shares: of an HMAC session alone.
    #[schema(max_items = 255)]
    pub(crate) udjeli: Option<Vec<Pair>>,
    /// The splitting that they are of; the one in force unless it is named.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) split_id: Option<Name<SplitId>>,
}

/// What verifying came to, as everybody is told it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = threshold::QuorumVerdict)]
pub(crate) struct Verified {
    /// Whether it verifies; null while the key is suspended.
    pub(crate) validan: Option<bool>,
    /// The identity whose key the quorum's is; of an HMAC session, whoever asked for the signature.
    pub(crate) identity_id: String,
    /// The algorithm.
    pub(crate) algoritam: String,
    /// The time that the result gives.
    pub(crate) timestamp: Option<String>,
    /// The state of the key; null of an HMAC session, which has none.
    pub(crate) bela_stanje: Option<String>,
    /// `rejected` where it does not verify, whatever the reason.
    pub(crate) razlog: Option<String>,
}
