//! What natives ask for and get: logins, invitations, revocations.

use dualseal::ed25519::Ed25519PublicKey;
use dualseal::{IdentityId, Timestamp};
use platform::access::{Scope, Tier};
use platform::web::{Bearer, Name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A way to get tokens: a login key, or a subject of an outside issuer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginKey {
    /// Its name: logins state it, and it is removed by it.
    #[schema(value_type = String, format = "uuid", example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub key_id: Uuid,
    /// Whose.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The highest tier of its tokens.
    pub tier: Tier,
    /// Their scopes.
    pub scopes: BTreeSet<Scope>,
    /// The login key; none of an outside subject.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub public_key: Option<Name<Ed25519PublicKey>>,
    /// The outside issuer.
    #[schema(example = "https://login.example")]
    pub issuer: Option<String>,
    /// Its subject.
    #[schema(example = "248289761001")]
    pub subject: Option<String>,
    /// What its holder calls it.
    #[schema(max_length = 255, example = "laptop")]
    pub label: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime, example = "2026-11-23T09:00:00.000Z")]
    pub added: Name<Timestamp>,
    /// Who invited its holder, or took the subject for the identity; nobody but the command line of the host.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub invited_by: Option<Name<IdentityId>>,
    /// Whether it logs nobody in, and is enrolled anew by invitation: a restore of the service from a backup ended it,
    /// or it is not as the service wrote it.
    #[serde(rename = "void")]
    #[schema(example = false)]
    pub is_void: bool,
}

/// Which login keys and outside subjects are listed.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct KeysQuery {
    /// Those of one identity.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Option<Name<IdentityId>>,
}

/// What was enrolled.
#[derive(Debug, Serialize, ToSchema)]
pub struct Enrolled {
    /// Its name, for logins.
    #[schema(value_type = String, format = "uuid", example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub key_id: Uuid,
    /// Whose.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The highest tier of its tokens.
    pub tier: Tier,
    /// Their scopes.
    pub scopes: BTreeSet<Scope>,
}

/// A subject of an outside issuer, to be taken for an identity. Its tokens are of noble tier.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OutsideRequest {
    /// The issuer, as the settings name it.
    #[schema(example = "https://login.example")]
    pub issuer: String,
    /// Its subject.
    #[schema(min_length = 1, max_length = 255, example = "248289761001")]
    pub subject: String,
    /// The identity.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The scopes of its tokens.
    #[schema(value_type = Vec<Scope>, min_items = 1)]
    pub scopes: BTreeSet<Scope>,
}

/// Which tokens are revoked: one by `jti`, or those of a subject.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeRequest {
    /// One token.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub jti: Option<Uuid>,
    /// All tokens of an identity.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub subject: Option<Name<IdentityId>>,
    /// With `subject`: those alone that were issued at that time or later.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub from: Option<Name<Timestamp>>,
    /// With `subject`: those alone that were issued at that time or before.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub before: Option<Name<Timestamp>>,
}

/// How many were revoked.
#[derive(Debug, Serialize, ToSchema)]
pub struct Revoked {
    /// Tokens that lived.
    #[schema(minimum = 0, example = 1)]
    pub revoked: u64,
}

/// Who is invited.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    /// Whose key it enrols.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// The highest tier of its tokens.
    pub tier: Tier,
    /// Their scopes.
    #[schema(value_type = Vec<Scope>, min_items = 1)]
    pub scopes: BTreeSet<Scope>,
}

/// An invitation: told once, used once.
#[derive(Serialize, ToSchema)]
pub struct InvitationAnswer {
    /// The code.
    #[schema(value_type = String, min_length = 64, max_length = 64)]
    pub invitation: Bearer,
    /// Until when: 24 hours.
    #[schema(value_type = String, format = DateTime)]
    pub expires: Name<Timestamp>,
}

impl std::fmt::Debug for InvitationAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InvitationAnswer").field("expires", &self.expires).finish_non_exhaustive()
    }
}
