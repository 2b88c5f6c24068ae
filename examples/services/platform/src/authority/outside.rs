//! Tokens of outside issuers (OpenID Connect): exchanged for the service's own, by a table that a native fills. What
//! such a token claims beside its subject counts for nothing.

mod jwks;

use super::token::{LEEWAY, claims, header, in_time};
use super::tokens::{Grant, Issued};
use super::{Authority, Refusal, login, logins};
use crate::access::{Tier, World};
use crate::config::IssuerConfig;
use crate::problem::{Problem, kinds};
use dualseal::hash::Sha3_256;
use jsonwebtoken::Algorithm;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jwks::Source;
use serde::Deserialize;

/// The longest token: some issuers put much into theirs.
const LONGEST: usize = 16 << 10;

/// An outside issuer.
#[derive(Debug)]
struct Issuer {
    issuer: String,
    audience: String,
    keys: Source,
}

/// The outside issuers of the settings.
#[derive(Debug)]
pub(super) struct Outside(Vec<Issuer>);

/// What counts of an outside token.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    #[serde(default)]
    azp: Option<String>,
    exp: Seconds,
    #[serde(default)]
    nbf: Option<Seconds>,
    #[serde(default)]
    iat: Option<Seconds>,
    /// What happened to a session: of a logout token and its like (RFC 8417), which logs nobody in.
    #[serde(default)]
    events: Option<serde_json::Value>,
}

/// What a token that logs somebody in may say that it is; many issuers say nothing. Of the same audience there are
/// others: logout tokens, responses of introspection, assertions of clients (RFC 8725, 3.11).
const TYPES: [&str; 3] = ["", "JWT", "at+jwt"];

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// A `NumericDate`: some issuers write fractions.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Seconds {
    Whole(i64),
    Fraction(f64),
}

impl Seconds {
    #[allow(clippy::cast_possible_truncation, reason = "what is beyond the range is its end, and refused")]
    fn whole(self) -> i64 {
        match self {
            Self::Whole(seconds) => seconds,
            Self::Fraction(seconds) => seconds as i64,
        }
    }
}

impl Outside {
    pub(super) fn new(settings: &[IssuerConfig]) -> Result<Self, String> {
        let mut issuers: Vec<Issuer> = Vec::new();
        for one in settings {
            let IssuerConfig { issuer, audience, .. } = one;
            if issuer.is_empty() || audience.is_empty() {
                return Err("issuer and audience are needed".to_owned());
            }
            if issuers.iter().any(|other| other.issuer == *issuer) {
                return Err(format!("{issuer} is there twice"));
            }
            let keys = Source::new(one)?;
            issuers.push(Issuer { issuer: issuer.clone(), audience: audience.clone(), keys });
        }
        Ok(Self(issuers))
    }

    pub(super) fn knows(&self, issuer: &str) -> bool {
        self.0.iter().any(|one| one.issuer == issuer)
    }

    /// The issuer and subject of a token that holds, and when it ends. The issuer that a token names only chooses which
    /// keys are tried.
    async fn read(&self, text: &str, now: i64) -> Result<(String, String, i64), Refusal> {
        let header = header(text, LONGEST)?;
        let typ = header.typ.as_deref().unwrap_or_default();
        let typ = typ.strip_prefix("application/").unwrap_or(typ);
        if !TYPES.iter().any(|one| typ.eq_ignore_ascii_case(one)) {
            return Err(Refusal::Type);
        }
        if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256 | Algorithm::EdDSA) {
            return Err(Refusal::Algorithm);
        }
        let named: Claims = jsonwebtoken::dangerous::insecure_decode_claims(text).map_err(|_| Refusal::Malformed)?;
        let issuer = self.0.iter().find(|one| one.issuer == named.iss).ok_or(Refusal::Issuer)?;
        let mut set = issuer.keys.get(false).await.ok_or(Refusal::Key)?;
        if choose(&set, header.kid.as_deref(), header.alg).is_none() {
            // Issuers rotate.
            set = issuer.keys.get(true).await.ok_or(Refusal::Key)?;
        }
        let key = choose(&set, header.kid.as_deref(), header.alg).ok_or(Refusal::Key)?;
        let key = key.try_into().map_err(|_| Refusal::Key)?;
        let claims: Claims = claims(text, &key, header.alg)?;
        issuer.check(&claims, now)?;
        Ok((claims.iss, claims.sub, claims.exp.whole()))
    }
}

impl Issuer {
    fn check(&self, claims: &Claims, now: i64) -> Result<(), Refusal> {
        if claims.events.is_some() {
            return Err(Refusal::Type);
        }
        if claims.iss != self.issuer {
            return Err(Refusal::Issuer);
        }
        let (is_ours, is_shared) = match &claims.aud {
            Audience::One(audience) => (*audience == self.audience, false),
            Audience::Many(all) => (all.contains(&self.audience), all.len() > 1),
        };
        // OpenID Connect Core, 3.1.3.7: of several audiences it says to which one it was given.
        let is_given = claims.azp.as_ref().map_or(!is_shared, |azp| *azp == self.audience);
        if !is_ours || !is_given {
            return Err(Refusal::Audience);
        }
        let from = claims.nbf.map_or(i64::MIN, Seconds::whole).max(claims.iat.map_or(i64::MIN, Seconds::whole));
        in_time(from, claims.exp.whole(), now)
    }
}

/// The key of a name; where the token names none, the only one that it can be.
fn choose<'a>(set: &'a JwkSet, kid: Option<&str>, algorithm: Algorithm) -> Option<&'a Jwk> {
    let fits = |key: &&Jwk| {
        let signs = key.common.public_key_use.as_ref().is_none_or(|is| *is == PublicKeyUse::Signature);
        let of = key.common.key_algorithm.is_none_or(|named| named.to_string() == format!("{algorithm:?}"));
        signs && of && is_family(key, algorithm)
    };
    let mut found = set.keys.iter().filter(|key| kid.is_none() || key.common.key_id.as_deref() == kid).filter(fits);
    let first = found.next()?;
    (kid.is_some() || found.next().is_none()).then_some(first)
}

fn is_family(key: &Jwk, algorithm: Algorithm) -> bool {
    use jsonwebtoken::jwk::{AlgorithmParameters as Is, EllipticCurve};
    match (&key.algorithm, algorithm) {
        (Is::RSA(_), Algorithm::RS256) => true,
        (Is::EllipticCurve(key), Algorithm::ES256) => key.curve == EllipticCurve::P256,
        (Is::OctetKeyPair(key), Algorithm::EdDSA) => key.curve == EllipticCurve::Ed25519,
        _ => false,
    }
}

impl Authority {
    /// A token of the service's own for one of an outside issuer, which lives no longer than that; each is exchanged
    /// once.
    ///
    /// # Errors
    /// [`kinds::BAD_LOGIN`], whatever is wrong with it; the database.
    pub async fn exchange(&self, text: &str, client: &str) -> Result<Issued, Problem> {
        let now = self.clock.millis().div_euclid(1000);
        let refused = |refusal: Refusal| {
            tracing::debug!(?refusal, "an outside token was refused");
            Problem::new(&kinds::BAD_LOGIN)
        };
        let (issuer, subject, ends) = self.outside.read(text, now).await.map_err(refused)?;
        let found = logins::find_outside(self, &issuer, &subject).await?;
        let found = found.ok_or_else(|| refused(Refusal::Unknown))?;
        let grant = Grant {
            subject: found.identity_id,
            tier: Tier::Noble,
            scopes: found.scopes,
            client: client.to_owned(),
            node: None,
            login: Some(found.id),
            life: Some(u64::try_from(ends.saturating_sub(now)).unwrap_or(0)),
            world: if found.world == World::Real.number() { World::Real } else { World::Decoy },
        };
        let mut tx = self.db.begin().await?;
        // Once, so that whoever heard it gets nothing more. A signature may be written in two ways, and is left out.
        let signed = text.rsplit_once('.').map_or(text, |(signed, _)| signed);
        let until = ends.saturating_add(LEEWAY).saturating_add(1).saturating_mul(1000);
        if !login::spend(&mut tx, &Sha3_256::digest(signed.as_bytes()), until).await? {
            return Err(refused(Refusal::Used));
        }
        let issued = self.issue(&mut tx, &grant).await?;
        tx.commit().await?;
        Ok(issued)
    }
}
