//! What is asked and answered: here by whoever wants a token, in `manage` by the natives who look after that.

mod manage;

pub use manage::{
    Enrolled, InvitationAnswer, InvitationRequest, KeysQuery, LoginKey, OutsideRequest, RevokeRequest, Revoked,
};

use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature};
use dualseal::presence::Nonce;
use dualseal::{IdentityId, Timestamp};
use platform::access::Tier;
use platform::web::{Bearer, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The public keys of tokens (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct JwkSet {
    /// The keys; the first one signs, the others verify until their last token has expired.
    pub keys: Vec<Jwk>,
}

/// An Ed25519 key (RFC 8037).
#[derive(Debug, Serialize, ToSchema)]
pub struct Jwk {
    /// The kind of key.
    #[schema(value_type = String, example = "OKP")]
    pub kty: &'static str,
    /// The curve.
    #[schema(value_type = String, example = "Ed25519")]
    pub crv: &'static str,
    /// The algorithm.
    #[schema(value_type = String, example = "EdDSA")]
    pub alg: &'static str,
    /// What it is for.
    #[serde(rename = "use")]
    #[schema(value_type = String, example = "sig")]
    pub purpose: &'static str,
    /// Its name, which tokens have in their header.
    #[schema(example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub kid: String,
    /// Its 32 bytes, base64url without padding.
    #[schema(min_length = 43, max_length = 43, example = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")]
    pub x: String,
}

/// What the service says of itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct Zdravlje {
    /// Always true.
    pub ok: bool,
    /// The share of database, head, checkpoint's age, objects and disk that were well when they were looked at last.
    #[schema(minimum = 0.0, maximum = 1.0, example = 1.0)]
    pub trust: f64,
}

/// Who wants to log in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChallengeRequest {
    /// The identity: 64 hexadecimal characters.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
        example = "6f3f7d0a6c1c3c0f5f0a2b1e4d5c6b7a8990a1b2c3d4e5f60718293a4b5c6d7e")]
    pub identity_id: Name<IdentityId>,
}

/// What is signed over, with the audience, the identity and the tier.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChallengeAnswer {
    /// What makes it usable once.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
        example = "9a7c4be0d3f25b1f8e6a0c2d4e6f8a1b3c5d7e9f0a1b2c3d4e5f60718293a4b5")]
    pub nonce: Name<Nonce>,
    /// Until when it is answered: 60 seconds.
    #[schema(value_type = String, format = DateTime, example = "2026-11-23T09:01:00.000Z")]
    pub expiry: Name<Timestamp>,
    /// The audience of the statement.
    #[schema(example = "https://trust.example/")]
    pub audience: String,
    /// The domain, whose constants the statement has.
    #[schema(example = "TRUST")]
    pub domain: String,
}

/// A statement of a login, signed: `P::LOGIN::<audience>::<identity_id>::<tier>::<nonce>::<expiry>::S`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// The identity.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
        example = "6f3f7d0a6c1c3c0f5f0a2b1e4d5c6b7a8990a1b2c3d4e5f60718293a4b5c6d7e")]
    pub identity_id: Name<IdentityId>,
    /// The tier, at most that of the login key.
    pub tier: Tier,
    /// The login key, as its enrolment named it.
    #[schema(value_type = String, format = "uuid", example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub key_id: Uuid,
    /// The challenge's.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
        example = "9a7c4be0d3f25b1f8e6a0c2d4e6f8a1b3c5d7e9f0a1b2c3d4e5f60718293a4b5")]
    pub nonce: Name<Nonce>,
    /// The challenge's.
    #[schema(value_type = String, format = DateTime, example = "2026-11-23T09:01:00.000Z")]
    pub expiry: Name<Timestamp>,
    /// The Ed25519 signature: 128 hexadecimal characters.
    #[schema(value_type = String, pattern = "^[0-9a-f]{128}$")]
    pub signature: Name<Ed25519Signature>,
    /// The program that gets the token.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255, example = "console")]
    pub client_id: Option<String>,
}

/// A token of an outside issuer, to be exchanged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExchangeRequest {
    /// The token: a signed JWT.
    #[schema(value_type = String, min_length = 1, max_length = 16384)]
    pub token: Bearer,
    /// The program that gets the service's own.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255, example = "console")]
    pub client_id: Option<String>,
}

impl std::fmt::Debug for ExchangeRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExchangeRequest").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// A token (RFC 6749, 5.1).
#[derive(Serialize, ToSchema)]
pub struct TokenAnswer {
    /// The token.
    #[schema(value_type = String)]
    pub access_token: Bearer,
    /// How it is sent.
    #[schema(value_type = String, example = "Bearer")]
    pub token_type: &'static str,
    /// How many seconds it lives.
    #[schema(minimum = 1, maximum = 86400, example = 3600)]
    pub expires_in: i64,
    /// Its scopes, with a space between.
    #[schema(example = "trust proof")]
    pub scope: String,
    /// Its tier.
    pub tier: Tier,
    /// Its name, by which it is revoked.
    #[schema(value_type = String, format = "uuid", example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub jti: Uuid,
}

impl std::fmt::Debug for TokenAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenAnswer").field("jti", &self.jti).finish_non_exhaustive()
    }
}

/// A login key to be enrolled.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnrolRequest {
    /// The code of the invitation: 64 hexadecimal characters.
    #[schema(value_type = String, min_length = 64, max_length = 64)]
    pub invitation: Bearer,
    /// The Ed25519 public key, whose private half only its holder has.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$",
        example = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")]
    pub public_key: Name<Ed25519PublicKey>,
    /// What its holder calls it; of a node its label.
    #[serde(default)]
    #[schema(max_length = 255, example = "laptop")]
    pub label: String,
}

impl std::fmt::Debug for EnrolRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EnrolRequest").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}
