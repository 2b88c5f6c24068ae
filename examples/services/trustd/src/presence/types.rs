//! Requests and answers of presence.

use super::rules::Kind;
use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature};
use dualseal::presence::{Nonce, PresenceProof};
use dualseal::{IdentityId, Timestamp};
use platform::web::{Bearer, Name};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use webauthn_rs::prelude::{CreationChallengeResponse, PublicKeyCredential, RegisterPublicKeyCredential};

/// A proof of presence, for one request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Proof {
    /// By an Ed25519 key: the library's record.
    Ed25519 {
        /// The proof, which repeats what it was made for.
        #[schema(value_type = Object)]
        proof: Box<PresenceProof>,
    },
    /// By a WebAuthn credential over the challenge's 32 bytes, with its user verified.
    Webauthn {
        /// What the browser's `navigator.credentials.get` gave, as JSON.
        #[schema(value_type = Object)]
        credential: Box<PublicKeyCredential>,
    },
}

/// For whom somebody is invited to enrol.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteIn {
    /// The identity.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub(crate) identity_id: Name<IdentityId>,
}

/// An invitation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct InvitationOut {
    /// Its name, by which the second native agrees.
    pub(crate) invitation_id: String,
    /// What whoever is invited enrols with. It is told once.
    #[schema(value_type = Option<String>)]
    pub(crate) invitation: Option<Bearer>,
    /// The identity.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// Whether it may be used: a second native, or an authenticator that is present, agreed.
    pub(crate) agreed: bool,
    /// Until when.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expires: Name<Timestamp>,
}

/// The beginning of an enrolment.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BeginIn {
    /// The invitation.
    #[schema(value_type = String, min_length = 64, max_length = 64)]
    pub(crate) invitation: Bearer,
    /// What is enrolled.
    pub(crate) kind: Kind,
}

/// What an authenticator is to answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BegunOut {
    /// The name of the enrolment, or of the vouching.
    #[schema(value_type = String, format = "uuid", example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) enrolment_id: Uuid,
    /// The name of the deployment in every statement.
    pub(crate) domain: String,
    /// To whom the statement is made.
    pub(crate) audience: String,
    /// For whom.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// The statement of being alive that an Ed25519 key signs, and the hash that stands in what is signed.
    pub(crate) statement: String,
    /// SHA3-256 of the statement.
    pub(crate) statement_hash: String,
    /// What makes it usable once.
    #[schema(value_type = String)]
    pub(crate) nonce: Name<Nonce>,
    /// When it expires.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expiry: Name<Timestamp>,
    /// For `navigator.credentials.create`.
    #[schema(value_type = Option<Object>)]
    pub(crate) options: Option<CreationChallengeResponse>,
}

/// What answered.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[schema(as = presence::Enrolled)]
pub(crate) enum Enrolled {
    /// A key, with its signature over the statement.
    Ed25519 {
        /// The key: 64 hexadecimal characters.
        #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
        public_key: Name<Ed25519PublicKey>,
        /// The signature: 128 hexadecimal characters.
        #[schema(value_type = String, pattern = "^[0-9a-f]{128}$")]
        signature: Name<Ed25519Signature>,
    },
    /// A credential.
    Webauthn {
        /// What the browser's `navigator.credentials.create` gave, as JSON.
        #[schema(value_type = Object)]
        credential: Box<RegisterPublicKeyCredential>,
    },
}

/// The end of an enrolment.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinishIn {
    /// The enrolment.
    #[schema(value_type = String, format = "uuid", example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) enrolment_id: Uuid,
    /// What people call it.
    #[schema(min_length = 1, max_length = 100, example = "Ana's phone")]
    pub(crate) label: String,
    /// What answered.
    pub(crate) authenticator: Enrolled,
}

/// The end of a vouching.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VouchIn {
    /// The vouching.
    #[schema(value_type = String, format = "uuid", example = "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b")]
    pub(crate) enrolment_id: Uuid,
    /// What the present authenticator answered.
    pub(crate) voucher: Voucher,
}

/// What a present authenticator answered.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Voucher {
    /// A key, with its signature over the statement.
    Ed25519 {
        /// The key.
        #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
        public_key: Name<Ed25519PublicKey>,
        /// The signature.
        #[schema(value_type = String, pattern = "^[0-9a-f]{128}$")]
        signature: Name<Ed25519Signature>,
    },
    /// A credential, over the nonce, with its user verified.
    Webauthn {
        /// What the browser's `navigator.credentials.get` gave, as JSON.
        #[schema(value_type = Object)]
        credential: Box<PublicKeyCredential>,
    },
}

/// An authenticator.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AuthenticatorOut {
    /// Its name: its key, or the hash of its credential.
    pub(crate) authenticator_id: String,
    /// Whose.
    #[schema(value_type = String)]
    pub(crate) identity_id: Name<IdentityId>,
    /// Its kind.
    pub(crate) kind: Kind,
    /// What people call it.
    pub(crate) label: String,
    /// The name of the credential, for the browser.
    pub(crate) credential_id: Option<String>,
    /// When it was enrolled.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) enrolled: Name<Timestamp>,
    /// From when on it counts.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) counts_from: Name<Timestamp>,
}

/// The authenticators of an identity.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuthenticatorsOut {
    /// They.
    pub(crate) items: Vec<AuthenticatorOut>,
}

/// Whose authenticators are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfIn {
    /// The identity.
    pub(crate) identity_id: String,
}
