//! Requests and answers of the vault.

use super::decoy;
use super::rules::State;
use super::store::Line;
use dualseal::shamir::SplitId;
use dualseal::vault::{VaultOutcome, VaultRecord};
use dualseal::{IdentityId, Timestamp, VaultId};
use platform::problem::Problem;
use platform::web::{Base64, Hex64, Name};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// A document to be sealed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SealRequest {
    /// The document: here at most what a body of JSON takes; up to 64 MiB in the streamed form.
    pub(crate) payload_b64: Base64,
    /// What it is: 1 to 255 bytes of text without `::`, a leading `:` and control characters; not `ERASURE`.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 255, pattern = r"^[^\u0000-\u001f\u007f-\u009f]+$", example = "CONTRACT")]
    pub(crate) kind: String,
    /// Whose it is; the identity has a key here.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
        example = "7d0f3c2bb0a3f7f7b3a1a3d0a6d9e8c5f4b3a2918070605040302010f0e0d0c0")]
    pub(crate) identity_id: Name<IdentityId>,
}

/// The streamed form, its parts in this order.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "the form of a body, for its documentation")]
#[serde(deny_unknown_fields)]
pub(crate) struct SealForm {
    /// Whose it is.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "7d0f3c2bb0a3f7f7b3a1a3d0a6d9e8c5f4b3a2918070605040302010f0e0d0c0")]
    identity_id: String,
    /// What it is.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 255, pattern = r"^[^\u0000-\u001f\u007f-\u009f]+$", example = "CONTRACT")]
    kind: String,
    /// The document, up to 64 MiB.
    #[schema(value_type = String, format = Binary)]
    payload: Vec<u8>,
}

/// A record of the vault, as the service keeps it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VaultAnswer {
    #[serde(flatten)]
    pub(crate) line: VaultLine,
    /// The library's record: without its fragment, and without the document.
    #[schema(value_type = Object)]
    pub(crate) record: Box<RawValue>,
}

/// What a list says of a record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VaultLine {
    /// Its identifier.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// Whose it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// What it is.
    #[serde(rename = "type")]
    #[schema(example = "CONTRACT")]
    pub(crate) kind: String,
    /// Its place in the ledger, from 0.
    #[schema(minimum = 0, example = 17)]
    pub(crate) seq: u64,
    /// What became of it.
    pub(crate) state: State,
    /// When it was sealed.
    #[schema(value_type = String, format = DateTime, example = "2026-11-21T09:00:00.000Z")]
    pub(crate) created_at: Name<Timestamp>,
}

impl From<Line> for VaultLine {
    fn from(line: Line) -> Self {
        let Line { vault_id, identity_id, kind, seq, state, created } = line;
        let (vault_id, identity_id) = (Name(vault_id), Name(identity_id));
        Self { vault_id, identity_id, kind, seq, state, created_at: Name(created) }
    }
}

impl VaultLine {
    /// What a list goes on behind.
    pub(crate) fn cursor(&self) -> (i64, String) {
        (self.created_at.0.as_millis(), self.vault_id.0.to_hex())
    }
}

impl VaultAnswer {
    /// Of a record, whose fragment stays here.
    pub(crate) fn new(line: Line, record: &VaultRecord) -> Result<Self, Problem> {
        let record = raw(decoy::erase::json(&line.kind, record))?;
        Ok(Self { line: line.into(), record })
    }

    /// Of one that was sealed just now.
    pub(crate) fn sealed(record: &VaultRecord) -> Result<Self, Problem> {
        let header = record.header();
        let line = Line {
            vault_id: header.vault_id,
            identity_id: header.identity_id,
            kind: header.kind.clone(),
            seq: header.seq,
            state: State::Sealed,
            created: header.created_at,
        };
        Self::new(line, record)
    }
}

fn raw(json: String) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(json).map_err(|error| Problem::internal("vault", &error))
}

/// Which records a list has.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// Of this type.
    #[serde(rename = "type")]
    #[param(min_length = 1, max_length = 255, example = "CONTRACT")]
    pub(crate) kind: Option<String>,
    /// Of this identity.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Option<Name<IdentityId>>,
    /// Sealed then or later.
    #[param(value_type = Option<String>, format = DateTime, example = "2026-11-01T00:00:00.000Z")]
    pub(crate) from: Option<Name<Timestamp>>,
    /// Sealed before then.
    #[param(value_type = Option<String>, format = DateTime, example = "2026-12-01T00:00:00.000Z")]
    pub(crate) to: Option<Name<Timestamp>>,
}

/// What is to be verified: a record that stands here, by its `vault_id`, or a record with the bytes that are stored of
/// it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = vault::VerifyRequest)]
pub(crate) struct VerifyRequest {
    /// One that stands here.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Option<Name<VaultId>>,
    /// Whose it should be; needed with a record.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Option<Name<IdentityId>>,
    /// The record.
    #[schema(value_type = Option<Object>)]
    pub(crate) record: Option<Box<RawValue>>,
    /// The bytes that are stored of it, with a record.
    pub(crate) stored_b64: Option<Base64>,
}

/// The streamed form, its parts in this order.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "the form of a body, for its documentation")]
#[serde(deny_unknown_fields)]
#[schema(as = vault::VerifyForm)]
pub(crate) struct VerifyForm {
    /// Whose it should be.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    identity_id: String,
    /// The record, as JSON.
    record: String,
    /// The bytes that are stored of it, up to 64 MiB.
    #[schema(value_type = String, format = Binary)]
    stored: Vec<u8>,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct VerifyAnswer {
    /// Whether it holds; null where the key is suspended.
    pub(crate) validan: Option<bool>,
    /// Why not; null where it does. Others than natives are told `rejected` or `suspended`.
    pub(crate) razlog: Option<String>,
    /// Every layer, L0 to L8; for natives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layers: Option<BTreeMap<&'static str, LayerAnswer>>,
}

/// What came of a layer.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LayerAnswer {
    /// `pass`, `fail`, `recorded`, `not_checked` or `not_required`.
    #[schema(example = "pass")]
    pub(crate) outcome: &'static str,
    /// Why.
    pub(crate) reason: Option<&'static str>,
}

impl From<VaultOutcome> for LayerAnswer {
    fn from(outcome: VaultOutcome) -> Self {
        Self { outcome: outcome.as_str(), reason: outcome.reason() }
    }
}

/// Whose document is given back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnsealRequest {
    /// Whose it is: a record of anybody else is not found.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
}

/// What is erased.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EraseRequest {
    /// Whose it is: a record of anybody else is not found.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
    /// Splits of its secret that were prepared, and that no entry of the log tells of. Those that the log tells of are
    /// found there.
    #[serde(default)]
    #[schema(value_type = Vec<Hex64>, max_items = 1000)]
    pub(crate) splits: Vec<Name<SplitId>>,
}

/// What was erased.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EraseAnswer {
    /// The record that was erased.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) vault_id: Name<VaultId>,
    /// `erased`, or `erasing` until nodes have deleted enough shards.
    pub(crate) state: State,
    /// The record that says so, of type `ERASURE`.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) erasure: Name<VaultId>,
}
