//! Signing in at a service by a key that was drawn here, enrolled there by an invitation, and is used for nobody else:
//! a token lives for a day, and who asks for years has this. How it is sent is the caller's.

use dualseal::ed25519::Ed25519SigningKey;
use dualseal::encoding::hex;
use dualseal::presence::{Nonce, Statement};
use dualseal::{Domain, IdentityId, SystemRng, Timestamp};
use platform::config::opened;
use platform::web::{Bearer, Name};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::Path;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Where a key is enrolled, what is signed is asked for, and a token is got.
pub(crate) const ENROL: &str = "/api/v1/auth/enrol";
pub(crate) const CHALLENGE: &str = "/api/v1/auth/challenge";
pub(crate) const TOKEN: &str = "/api/v1/auth/token";

const TIER: &str = "noble";

/// A login, as its file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    identity_id: Name<IdentityId>,
    key_id: Uuid,
    /// Whom statements are for, as the service said when the key was enrolled.
    pub(crate) audience: String,
    domain: String,
    /// Of the key: 64 hexadecimal characters.
    seed: Bearer,
}

/// What is signed over; services of later versions say more.
#[derive(Deserialize)]
pub(crate) struct Begun {
    nonce: Name<Nonce>,
    expiry: Name<Timestamp>,
    audience: String,
    domain: String,
}

/// A token.
#[derive(Deserialize)]
pub(crate) struct Given {
    /// Its text.
    pub(crate) access_token: Bearer,
    /// How many seconds it lives.
    pub(crate) expires_in: u32,
}

/// What an enrolment is answered with.
#[derive(Deserialize)]
pub(crate) struct Enrolled {
    identity_id: Name<IdentityId>,
    key_id: Uuid,
}

impl Enrolled {
    /// What a challenge is asked for with.
    pub(crate) fn challenge(&self) -> Value {
        json!({ "identity_id": self.identity_id })
    }
}

/// A key that was drawn here, until it is enrolled.
pub(crate) struct Drawn(Ed25519SigningKey);

impl Drawn {
    pub(crate) fn new() -> Result<Self, String> {
        Ed25519SigningKey::generate(&mut SystemRng).map(Self).map_err(|error| error.to_string())
    }

    /// That of a text, as [`text`](Self::text) wrote it.
    pub(crate) fn of_text(text: &str) -> Result<Self, String> {
        let seed: Zeroizing<[u8; 32]> = Zeroizing::new(hex::decode("seed", text).map_err(|error| error.to_string())?);
        Ed25519SigningKey::from_seed(&seed[..]).map(Self).map_err(|error| error.to_string())
    }

    /// Its seed, in hexadecimal characters: what is written down before anybody is asked.
    pub(crate) fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.0.seed().expose()))
    }

    /// What it is enrolled with.
    pub(crate) fn enrolment(&self, invitation: &Bearer, label: &str) -> Value {
        json!({"invitation": invitation, "public_key": Name(*self.0.public_key()), "label": label})
    }

    /// The login that came of it, and for whom its statements are: whoever answered there said it.
    pub(crate) fn kept(&self, enrolled: &Enrolled, begun: Begun) -> Kept {
        let &Enrolled { identity_id, key_id } = enrolled;
        let Begun { audience, domain, .. } = begun;
        Kept { identity_id, key_id, audience, domain, seed: Bearer::from(hex::encode(self.0.seed().expose())) }
    }
}

impl Kept {
    /// That of a file, which nobody else may read.
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let wrong = |error: &dyn Display| format!("{}: {error}", file.display());
        let text = Zeroizing::new(std::fs::read(file).map_err(|error| wrong(&error))?);
        if let Some(fault) = opened(file) {
            return Err(fault);
        }
        serde_json::from_slice(&text).map_err(|_| wrong(&"is no login that was enrolled"))
    }

    /// What its file is to have.
    pub(crate) fn text(&self) -> Result<Zeroizing<Vec<u8>>, String> {
        serde_json::to_vec(self).map(Zeroizing::new).map_err(|error| error.to_string())
    }

    /// What a challenge is asked for with.
    pub(crate) fn challenge(&self) -> Value {
        json!({ "identity_id": self.identity_id })
    }

    /// What a token is asked for with, of noble tier and for this program.
    pub(crate) fn statement(&self, begun: &Begun, client: &str) -> Result<Value, String> {
        // Whoever answers there gets no statement that another service takes.
        if (&begun.audience, &begun.domain) != (&self.audience, &self.domain) {
            return Err("it is not the service that the key was enrolled at".to_owned());
        }
        let wrong = |error: &dyn Display| format!("the login: {error}");
        let domain = Domain::new(&self.domain).map_err(|error| wrong(&error))?;
        let seed: Zeroizing<[u8; 32]> = Zeroizing::new(hex::decode("seed", &self.seed).map_err(|error| wrong(&error))?);
        let key = Ed25519SigningKey::from_seed(&seed[..]).map_err(|error| wrong(&error))?;
        let stated = Statement::login(&self.audience, &self.identity_id.0, TIER).map_err(|error| wrong(&error))?;
        let signature = stated.sign(&domain, &begun.nonce.0, begun.expiry.0, &key);
        Ok(json!({"identity_id": self.identity_id, "tier": TIER, "key_id": self.key_id, "nonce": begun.nonce,
            "expiry": begun.expiry, "signature": Name(signature), "client_id": client}))
    }
}
