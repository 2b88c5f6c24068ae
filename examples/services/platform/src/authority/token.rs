//! A token as bytes: a JWT of the form of RFC 9068, read without a database.

use super::Refusal;
use crate::access::{Scope, Tier};
use crate::problem::Problem;
use dualseal::IdentityId;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use uuid::Uuid;

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The service that issued it.
    pub iss: String,
    /// Whom it is for.
    pub aud: String,
    /// The identity.
    pub sub: String,
    /// The program that it was issued to.
    pub client_id: String,
    /// The tier.
    pub tier: Tier,
    /// The scopes, with a space between.
    pub scope: String,
    /// The label of the node whose token it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The login that it was got by: removing that voids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Uuid>,
    /// Its own name.
    pub jti: Uuid,
    /// When it was issued, in seconds since 1970.
    pub iat: i64,
    /// From when it counts.
    pub nbf: i64,
    /// Until when.
    pub exp: i64,
}

/// What is expected of a token.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    pub(super) issuer: String,
    pub(super) audience: String,
}

/// The longest token: the service's own have about 700 bytes.
pub(super) const LONGEST: usize = 4096;
/// Clocks of processes differ by that many seconds.
pub(super) const LEEWAY: i64 = 5;
const TYPE: &str = "at+jwt";

/// The longest life of a token of this tier, in seconds.
#[must_use]
pub fn longest_life(tier: Tier) -> i64 {
    match tier {
        Tier::Native => 3600,
        Tier::Noble => 86_400,
    }
}

/// Scopes as a claim has them.
#[must_use]
pub fn scope_text(scopes: &BTreeSet<Scope>) -> String {
    scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether a login, of a node or of somebody else, may have these scopes.
///
/// # Errors
/// [`crate::problem::kinds::INVALID_FIELD`].
pub(super) fn check_scopes(scopes: &BTreeSet<Scope>, node: Option<&str>) -> Result<(), Problem> {
    if node.is_some() {
        let is_alone = scopes.len() == 1 && scopes.contains(&Scope::Node);
        let wrong = || Problem::invalid("/scopes", "scopes", "a node has the scope `node`, and no other");
        return if is_alone { Ok(()) } else { Err(wrong()) };
    }
    if scopes.is_empty() || scopes.contains(&Scope::Node) {
        let detail = "names scopes, and not `node`, which is for tokens of nodes";
        return Err(Problem::invalid("/scopes", "scopes", detail));
    }
    Ok(())
}

/// The scopes of a claim.
///
/// # Errors
/// What is none.
pub fn scopes_of(text: &str) -> Result<BTreeSet<Scope>, String> {
    text.split(' ').filter(|part| !part.is_empty()).map(str::parse).collect()
}

impl Claims {
    /// Its text, signed.
    pub(super) fn sign(&self, kid: &str, key: &EncodingKey) -> jsonwebtoken::errors::Result<String> {
        let header = Header { typ: Some(TYPE.to_owned()), kid: Some(kid.to_owned()), ..Header::new(Algorithm::EdDSA) };
        encode(&header, self, key)
    }

    /// The identity.
    pub(super) fn subject(&self) -> Result<IdentityId, Refusal> {
        self.sub.parse().map_err(|_| Refusal::Malformed)
    }

    /// Who it is for, and when.
    fn check(&self, expected: &Expected, now: i64) -> Result<(), Refusal> {
        if self.iss != expected.issuer {
            return Err(Refusal::Issuer);
        }
        if self.aud != expected.audience {
            return Err(Refusal::Audience);
        }
        in_time(self.iat.max(self.nbf), self.exp, now)?;
        let life = self.exp.saturating_sub(self.iat);
        if life > longest_life(self.tier) { Err(Refusal::Life) } else { Ok(()) }
    }
}

/// Whether now, in seconds, lies between two times, as far as clocks agree.
pub(super) fn in_time(from: i64, until: i64, now: i64) -> Result<(), Refusal> {
    if now >= until.saturating_add(LEEWAY) {
        return Err(Refusal::Expired);
    }
    if now.saturating_add(LEEWAY) < from { Err(Refusal::NotYet) } else { Ok(()) }
}

/// The header of a token, where nothing in it is beyond this program.
pub(super) fn header(text: &str, longest: usize) -> Result<Header, Refusal> {
    if text.len() > longest {
        return Err(Refusal::Malformed);
    }
    let header = decode_header(text).map_err(|_| Refusal::Malformed)?;
    // RFC 7515, 4.1.11: what is critical and not understood is refused, and nothing is understood here.
    if header.crit.is_some() || header.extras.inner().contains_key("crit") {
        Err(Refusal::Critical)
    } else {
        Ok(header)
    }
}

/// Reads claims of any form, signed by one key in one algorithm. Times and names are the caller's to check, by his own
/// clock.
pub(super) fn claims<T: serde::de::DeserializeOwned>(
    text: &str,
    key: &DecodingKey,
    algorithm: Algorithm,
) -> Result<T, Refusal> {
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    (validation.validate_exp, validation.validate_nbf, validation.validate_aud) = (false, false, false);
    Ok(decode(text, key, &validation).map_err(|_| Refusal::Signature)?.claims)
}

/// Reads one of the service's own tokens, by the key that its header names.
pub(super) fn read(
    text: &str,
    header: &Header,
    key: &DecodingKey,
    expected: &Expected,
    now: i64,
) -> Result<Claims, Refusal> {
    let typ = header.typ.as_deref().unwrap_or_default();
    let typ = typ.strip_prefix("application/").unwrap_or(typ);
    if !typ.eq_ignore_ascii_case(TYPE) {
        return Err(Refusal::Type);
    }
    if header.alg != Algorithm::EdDSA {
        return Err(Refusal::Algorithm);
    }
    let claims: Claims = claims(text, key, Algorithm::EdDSA)?;
    claims.check(expected, now)?;
    Ok(claims)
}
