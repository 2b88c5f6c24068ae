//! Proofs of presence: by the library's Ed25519 keys, and by WebAuthn credentials over the same 32 bytes. The service
//! asks this, and each node does for itself.

use super::rules::Kind;
use super::types::Proof;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::hash::Sha3_256;
use dualseal::presence::{AuthenticatorId, Challenge, EnrolledKeys, PresenceVerifier};
use dualseal::shard::ShardId;
use dualseal::{Domain, IdentityId};
use std::collections::BTreeMap;
use std::fmt;
use url::Url;
use webauthn_rs::prelude::{Passkey, PasskeyAuthentication, PublicKeyCredential};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// WebAuthn for the page at an address; none for an address that is no name of a host, which browsers refuse.
pub(crate) fn webauthn(base_url: &Url) -> Option<Webauthn> {
    let host = base_url.domain()?;
    WebauthnBuilder::new(host, base_url).ok()?.rp_name("trustd").build().ok()
}

/// The name of a credential: a hash of it, of the length that keys have.
pub(crate) fn credential_name(id: &[u8]) -> AuthenticatorId {
    Sha3_256::digest(id)
}

/// How often a credential has answered, as an answer of it says that was verified (WebAuthn, 6.1: four bytes behind the
/// hash and the flags).
pub(crate) fn counted(credential: &PublicKeyCredential) -> u32 {
    let bytes = credential.response.authenticator_data.as_slice().get(33..37).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u32::from_be_bytes)
}

/// What the log says of one that was enrolled, by its public half; `None` of what is none. Of a credential it has the
/// hash of all that verifies it: its name is nobody's secret, and a key of another's might come under it.
pub(crate) fn enrolled(kind: Kind, material: &str) -> Option<String> {
    let told = match kind {
        Kind::Ed25519 => material.parse::<Ed25519PublicKey>().ok()?.to_string(),
        Kind::Webauthn => {
            let passkey: Passkey = serde_json::from_str(material).ok()?;
            let hash = Sha3_256::digest(material.as_bytes());
            let [name, hash] =
                [credential_name(passkey.cred_id()), hash].map(|bytes| ShardId::from_bytes(bytes).to_hex());
            format!("{name} {hash}")
        }
    };
    Some(format!("presence enrolled {} {told}", kind.as_str()))
}

/// The authenticators that count.
pub(crate) struct Authenticators {
    webauthn: Option<Webauthn>,
    keys: EnrolledKeys,
    passkeys: BTreeMap<IdentityId, Vec<Passkey>>,
}

impl Authenticators {
    /// None yet.
    pub(crate) fn new(base_url: &Url) -> Self {
        Self { webauthn: webauthn(base_url), keys: EnrolledKeys::new(), passkeys: BTreeMap::new() }
    }

    /// Adds one by its public half; false for what is none.
    pub(crate) fn add(&mut self, identity_id: &IdentityId, kind: Kind, material: &str) -> bool {
        match kind {
            Kind::Ed25519 => material.parse().is_ok_and(|key| self.keys.enrol(identity_id, &key).is_ok()),
            Kind::Webauthn => match serde_json::from_str(material) {
                Ok(passkey) => {
                    self.passkeys.entry(*identity_id).or_default().push(passkey);
                    true
                }
                Err(_) => false,
            },
        }
    }

    /// The enrolled credential of an identity that answered these bytes, with its user verified.
    pub(crate) fn answered(
        &self,
        identity_id: &IdentityId,
        challenge: &[u8; 32],
        credential: &PublicKeyCredential,
    ) -> Option<AuthenticatorId> {
        let (webauthn, passkeys) = (self.webauthn.as_ref()?, self.passkeys.get(identity_id)?);
        let (_, state) = webauthn.start_passkey_authentication(passkeys).ok()?;
        // The library of WebAuthn draws its own challenge; ours binds what is approved.
        let mut state = serde_json::to_value(state).ok()?;
        *state.get_mut("ast")?.get_mut("challenge")? = URL_SAFE_NO_PAD.encode(challenge).into();
        let state: PasskeyAuthentication = serde_json::from_value(state).ok()?;
        let answered = webauthn.finish_passkey_authentication(credential, &state).ok()?;
        answered.user_verified().then(|| credential_name(answered.cred_id()))
    }
}

impl PresenceVerifier for Authenticators {
    type Proof = Proof;

    fn verify(
        &self,
        domain: &Domain,
        identity_id: &IdentityId,
        challenge: &Challenge,
        proof: &Proof,
    ) -> Option<AuthenticatorId> {
        match proof {
            Proof::Ed25519 { proof } => self.keys.verify(domain, identity_id, challenge, proof),
            Proof::Webauthn { credential } => self.answered(identity_id, challenge.as_bytes(), credential),
        }
    }
}

impl fmt::Debug for Authenticators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authenticators").field("keys", &self.keys).finish_non_exhaustive()
    }
}
