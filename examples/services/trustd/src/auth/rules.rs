//! What is asked for, decided without input or output.

use super::types::{Jwk, LoginKey, RevokeRequest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal::{IdentityId, Timestamp};
use platform::access::{Caller, Scope, World};
use platform::authority::{LoginRow, Revocation};
use platform::problem::{Problem, kinds};
use platform::web::Name;
use std::collections::BTreeSet;

/// Who gets a token that names no program.
pub(crate) const CLIENT: &str = "unnamed";

/// Which tokens a request revokes: from the beginning, and up to now, unless it says so.
pub(crate) fn revocation(request: &RevokeRequest, now: i64) -> Result<Revocation, Problem> {
    let millis = |time: &Option<Name<Timestamp>>| time.as_ref().map(|time| time.0.as_millis());
    match (request.jti, &request.subject) {
        (Some(jti), None) if request.from.is_none() && request.before.is_none() => Ok(Revocation::Token(jti)),
        (Some(_), None) => Err(Problem::invalid("/from", "not-with-jti", "a time is for the tokens of a subject")),
        (None, Some(subject)) => {
            let (from, before) = (millis(&request.from).unwrap_or(0), millis(&request.before));
            if from > before.unwrap_or(now) {
                return Err(Problem::invalid("/from", "order", "is after `before`"));
            }
            Ok(Revocation::Subject(subject.0, from, before.unwrap_or(Revocation::ALL)))
        }
        _ => Err(Problem::invalid("", "one-of", "needs `jti` or `subject`, and one of them")),
    }
}

/// Whose decoy a caller is: what it then sees and removes is its own.
pub(crate) fn decoy(caller: &Caller) -> Option<&IdentityId> {
    (caller.world == World::Decoy).then_some(&caller.subject)
}

/// Whether a caller may give these scopes to others: those alone that it has, or it would give itself the rest.
pub(crate) fn may_give(caller: &Caller, scopes: &BTreeSet<Scope>) -> Result<(), Problem> {
    if scopes.is_subset(&caller.scopes) { Ok(()) } else { Err(Problem::new(&kinds::SCOPE)) }
}

/// A key of tokens as a JWK.
pub(crate) fn jwk(kid: String, public: [u8; 32]) -> Jwk {
    Jwk { kty: "OKP", crv: "Ed25519", alg: "EdDSA", purpose: "sig", kid, x: URL_SAFE_NO_PAD.encode(public) }
}

/// A row as it is answered.
pub(crate) fn login_key(row: LoginRow) -> Result<LoginKey, Problem> {
    let (issuer, subject) = row.outside.unzip();
    Ok(LoginKey {
        key_id: row.id,
        identity_id: Name(row.identity_id),
        tier: row.tier,
        scopes: row.scopes,
        public_key: row.public_key.map(Name),
        issuer,
        subject,
        label: row.label,
        added: Name(Timestamp::from_millis(row.added)?),
        invited_by: row.by.first().copied().map(Name),
        is_void: row.is_void,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn request(text: &str) -> RevokeRequest {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_revocation_names_one_token_or_a_subject() {
        let (jti, subject) = (Uuid::from_u128(7), IdentityId::from_bytes([7; 32]));
        let read = |text: &str| revocation(&request(text), 1000);
        assert_eq!(read(&format!(r#"{{"jti":"{jti}"}}"#)).unwrap(), Revocation::Token(jti));
        let of = |rest: &str| read(&format!(r#"{{"subject":"{subject}"{rest}}}"#));
        assert_eq!(of("").unwrap(), Revocation::Subject(subject, 0, Revocation::ALL));
        let bounded = of(r#","from":"1970-01-01T00:00:00.100Z","before":"1970-01-01T00:00:00.200Z""#);
        assert_eq!(bounded.unwrap(), Revocation::Subject(subject, 100, 200));
        assert!(of(r#","from":"1970-01-01T00:00:02.000Z""#).is_err());
        assert!(of(&format!(r#","jti":"{jti}""#)).is_err());
        assert!(read("{}").is_err());
        assert!(read(&format!(r#"{{"jti":"{jti}","before":"1970-01-01T00:00:00.100Z"}}"#)).is_err());
    }
}
