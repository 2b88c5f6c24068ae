//! Signing in at another service, by a key that was drawn here, enrolled there by an invitation, and is used for nobody
//! else: a token lives for a day, and this service asks for years.

use super::asking::{answered, at, client, name};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::encoding::hex;
use dualseal::presence::{Nonce, Statement};
use dualseal::{Domain, IdentityId, SystemRng, Timestamp};
use platform::config::opened;
use platform::web::{Bearer, Name};
use reqwest::{Client, Url};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;
use uuid::Uuid;
use zeroize::Zeroizing;

const TIER: &str = "noble";

/// A login, as its file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    identity_id: Name<IdentityId>,
    key_id: Uuid,
    /// Whom statements are for, as the service said when the key was enrolled.
    audience: String,
    domain: String,
    /// Of the key: 64 hexadecimal characters.
    seed: Bearer,
}

/// What is signed over; services of later versions say more.
#[derive(Deserialize)]
struct Begun {
    nonce: Name<Nonce>,
    expiry: Name<Timestamp>,
    audience: String,
    domain: String,
}

#[derive(Deserialize)]
struct Given {
    access_token: Bearer,
}

#[derive(Deserialize)]
struct Enrolled {
    identity_id: Name<IdentityId>,
    key_id: Uuid,
}

/// A token of noble tier, by the login that the folder has of the service.
pub(super) async fn sign_in(http: &Client, service: &Url, folder: &Path) -> Result<Bearer, String> {
    let file = folder.join(name(service));
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = Zeroizing::new(std::fs::read(&file).map_err(|error| wrong(&error))?);
    if let Some(fault) = opened(&file) {
        return Err(fault);
    }
    let kept: Kept = serde_json::from_slice(&text).map_err(|_| wrong(&"is no login that was enrolled"))?;
    let begun = challenge(http, service, &kept.identity_id).await?;
    // Whoever answers there gets no statement that another service takes.
    if (&begun.audience, &begun.domain) != (&kept.audience, &kept.domain) {
        return Err("it is not the service that the key was enrolled at".to_owned());
    }
    let domain = Domain::new(&kept.domain).map_err(|error| wrong(&error))?;
    let seed: Zeroizing<[u8; 32]> = Zeroizing::new(hex::decode("seed", &kept.seed).map_err(|error| wrong(&error))?);
    let key = Ed25519SigningKey::from_seed(&seed[..]).map_err(|error| wrong(&error))?;
    let stated = Statement::login(&kept.audience, &kept.identity_id.0, TIER).map_err(|error| wrong(&error))?;
    let signature = stated.sign(&domain, &begun.nonce.0, begun.expiry.0, &key);
    let asked = json!({"identity_id": kept.identity_id, "tier": TIER, "key_id": kept.key_id, "nonce": begun.nonce,
        "expiry": begun.expiry, "signature": Name(signature), "client_id": "peers"});
    let given: Given = answered(http.post(at(service, "/api/v1/auth/token")).json(&asked)).await?;
    Ok(given.access_token)
}

async fn challenge(http: &Client, service: &Url, identity_id: &Name<IdentityId>) -> Result<Begun, String> {
    let asked = json!({"identity_id": identity_id});
    answered(http.post(at(service, "/api/v1/auth/challenge")).json(&asked)).await
}

/// Draws a key, enrols it at a service by an invitation, and says what the file of the login is to have, and for whom
/// its statements are: whoever answers there says it.
pub(crate) async fn enrolled(
    service: &Url,
    invitation: &Bearer,
    label: &str,
) -> Result<(Zeroizing<Vec<u8>>, String), String> {
    let wrong = |error: &dyn std::fmt::Display| error.to_string();
    let key = Ed25519SigningKey::generate(&mut SystemRng).map_err(|error| wrong(&error))?;
    let asked = json!({"invitation": invitation, "public_key": Name(*key.public_key()), "label": label});
    let http = client()?;
    let Enrolled { identity_id, key_id } = answered(http.post(at(service, "/api/v1/auth/enrol")).json(&asked)).await?;
    let Begun { audience, domain, .. } = challenge(&http, service, &identity_id).await?;
    let seed = Bearer::from(hex::encode(key.seed().expose()));
    let kept = Kept { identity_id, key_id, audience, domain, seed };
    let text = serde_json::to_vec(&kept).map(Zeroizing::new).map_err(|error| wrong(&error))?;
    Ok((text, kept.audience))
}
