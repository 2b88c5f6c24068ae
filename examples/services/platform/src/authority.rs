//! Who may call: tokens, how they are got, how they end, and the layer that asks for them.
//!
//! A token is a JWT (RFC 9068, EdDSA) of at most an hour or a day, and a row: it counts while its signature holds, its
//! row says so, the login that it was got by stands, and nothing voided it. So whatever one process ends has ended in
//! every other at its next request, and whoever has a signing key alone makes no token.
//!
//! | file | what it is |
//! |---|---|
//! | `token` | the bytes of a token, read without a database |
//! | `provider` | which signatures count |
//! | `keys` | the keys that sign, and their rotation |
//! | `tokens` | the rows: issued, looked up, listed |
//! | `ends` | how they end before their time |
//! | `require` | the layer over every endpoint |
//! | `standing` | who calls once the body has come |
//! | `login` | challenges, and statements signed by a login key |
//! | `logins` | login keys and subjects of outside issuers |
//! | `enrol` | what the log's writer does for logins: each that is enrolled or removed leaves an entry |
//! | `invitations` | codes that enrol once |
//! | `lineage` | who brought whom |
//! | `outside` | tokens of outside issuers (OpenID Connect), and their keys |
//! | `nodes` | the nodes that hold shards and shares |
//! | `of_node` | which node something is of |

mod ends;
mod enrol;
mod invitations;
mod keys;
mod lineage;
mod login;
mod logins;
mod nodes;
mod of_node;
mod outside;
mod provider;
mod require;
mod standing;
mod token;
mod tokens;

pub use ends::{Revocation, void_all};
pub use enrol::Enrolled;
pub use invitations::{Invitation, Invited, Waiting, invitation_code};
pub use login::{Challenge, Login};
pub use logins::{LoginRow, NewKey, NewOutside};
pub use nodes::{AddNode, Node, RemoveNode, check_label, list as list_nodes};
pub use of_node::OfNode;
pub use require::{Gate, require};
pub use standing::Standing;
pub use token::{Claims, longest_life, scope_text, scopes_of};
pub use tokens::{Grant, Issued, Listed};

use crate::clock::Clock;
use crate::config::Config;
use crate::db::{Db, Statement};
use crate::log::Log;
use crate::problem::Problem;
use crate::secrets::{RowTags, Secrets};
use dualseal::presence::Statement as Said;
use dualseal::{Domain, IdentityId, KeyRing, KeyState};
use keys::TokenKeys;
use outside::Outside;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};
use token::Expected;

/// All statements of authority.
pub const STATEMENTS: &[&[Statement]] = &[
    ends::ALL,
    invitations::ALL,
    keys::ALL,
    lineage::ALL,
    login::ALL,
    logins::ALL,
    logins::WRITES,
    nodes::ALL,
    nodes::READS,
    tokens::ALL,
];

/// Why a token does not count. It is written to the log; whoever sent it is told that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Malformed,
    Type,
    Algorithm,
    Critical,
    Key,
    Signature,
    Issuer,
    Audience,
    Expired,
    NotYet,
    Life,
    Unknown,
    Unlike,
    Forged,
    Revoked,
    Voided,
    LoginGone,
    NodeGone,
    Used,
}

/// Why authority does not begin.
#[derive(Debug)]
pub enum AuthorityFault {
    /// No login can be stated to this audience.
    Audience(dualseal::Error),
    /// An outside issuer's settings.
    Issuer(String),
    /// The store.
    Store(Problem),
}

impl fmt::Display for AuthorityFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Audience(error) => write!(f, "tokens.audience: {error}"),
            Self::Issuer(wrong) => write!(f, "tokens.issuers: {wrong}"),
            Self::Store(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for AuthorityFault {}

impl<E: Into<Problem>> From<E> for AuthorityFault {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// Tokens, and who gets them.
#[derive(Clone, Debug)]
pub struct Authority(Arc<Held>);

/// What authority works with.
#[derive(Debug)]
pub struct Held {
    db: Db,
    clock: Clock,
    secrets: Secrets,
    domain: Domain,
    log: Log,
    expected: Expected,
    /// Seconds that tokens of native and of noble tier live.
    lives: (u64, u64),
    is_read_only: bool,
    keys: TokenKeys,
    tags: RowTags,
    outside: Outside,
    decoys: RwLock<Decoys>,
}

/// Whose current key is a honeypot, as of one state of the ring.
#[derive(Debug, Default)]
struct Decoys {
    ring_seal: Option<String>,
    identities: HashSet<IdentityId>,
}

impl Deref for Authority {
    type Target = Held;

    fn deref(&self) -> &Held {
        &self.0
    }
}

impl Authority {
    /// Opens it; where no key signs tokens yet, makes one.
    ///
    /// # Errors
    /// [`AuthorityFault`].
    pub async fn open(
        db: Db,
        clock: Clock,
        secrets: Secrets,
        log: Log,
        config: &Config,
    ) -> Result<Self, AuthorityFault> {
        provider::install();
        let issuer = config.base_url.as_str().to_owned();
        let audience = config.tokens.audience.clone().unwrap_or_else(|| issuer.clone());
        let domain = secrets.domain().clone();
        Said::login(&audience, log.identity(), "noble").map_err(AuthorityFault::Audience)?;
        let outside = Outside::new(&config.tokens.issuers).map_err(AuthorityFault::Issuer)?;
        let mut tx = db.begin().await?;
        keys::begin(&mut tx, &secrets, clock.millis()).await?;
        tx.commit().await?;
        let tags = RowTags::open(&db, &secrets).await?;
        Ok(Self(Arc::new(Held {
            db,
            clock,
            secrets,
            domain,
            log,
            expected: Expected { issuer, audience },
            lives: (config.tokens.native.0, config.tokens.noble.0),
            is_read_only: config.read_only,
            keys: TokenKeys::default(),
            tags,
            outside,
            decoys: RwLock::default(),
        })))
    }

    /// Whom logins are stated to, and tokens are for.
    #[must_use]
    pub fn audience(&self) -> &str {
        &self.expected.audience
    }

    /// What makes the tags of rows that say who may do what.
    #[must_use]
    pub fn tags(&self) -> &RowTags {
        &self.tags
    }

    /// The public keys of tokens (RFC 7517, RFC 8037), the one that signs first: their names and bytes.
    ///
    /// # Errors
    /// The database.
    pub async fn public_keys(&self) -> Result<Vec<(String, [u8; 32])>, Problem> {
        let live = self.keys.live(&self.db, &self.secrets, self.clock.millis()).await?;
        Ok(live.iter().map(|key| (key.kid.clone(), key.public)).collect())
    }

    /// Adds a key that signs from now on; the one before verifies until its last token has expired.
    ///
    /// # Errors
    /// The database.
    pub async fn rotate_token_key(&self) -> Result<String, Problem> {
        let mut tx = self.db.begin().await?;
        let kid = keys::rotate(&mut tx, &self.secrets, self.clock.millis()).await?;
        tx.commit().await?;
        Ok(kid)
    }

    /// A self-check: a token that this process signs is one that it reads, and no other text is.
    ///
    /// # Errors
    /// The database.
    pub async fn check_itself(&self) -> Result<bool, Problem> {
        let now = self.clock.millis().div_euclid(1000);
        let live = self.keys.live(&self.db, &self.secrets, self.clock.millis()).await?;
        let Some(key) = live.first() else { return Ok(false) };
        let Expected { issuer, audience } = self.expected.clone();
        let (tier, scope, jti) = (crate::access::Tier::Noble, String::new(), uuid::Uuid::nil());
        let (sub, client_id) = (self.log.identity().to_hex(), "self-check".to_owned());
        let (iss, aud, exp) = (issuer, audience, now + 1);
        let claims =
            Claims { iss, aud, sub, client_id, tier, scope, node: None, key: None, jti, iat: now, nbf: now, exp };
        let Ok(text) = claims.sign(&key.kid, &key.signs) else { return Ok(false) };
        let read = |text: &str| {
            let header = token::header(text, token::LONGEST)?;
            token::read(text, &header, &key.verifies, &self.expected, now)
        };
        let (body, signature) = text.rsplit_once('.').unwrap_or_default();
        let other = format!("{body}.{}", signature.chars().rev().collect::<String>());
        Ok(read(&text).is_ok_and(|read| read == claims) && read(&other).is_err())
    }

    /// Whether an identity's current key is a honeypot. A caller of the decoy world need not be one: a honeypot gets
    /// tokens of any name there.
    ///
    /// # Errors
    /// The database.
    pub async fn is_honeypot(&self, identity: &IdentityId) -> Result<bool, Problem> {
        Ok(is_honeypot(self.log.state().await?.ring(), identity))
    }

    /// The same, for each request. The ring is looked through once after each change of it, which
    /// its seal tells.
    async fn is_decoy(&self, identity: &IdentityId, ring_seal: Option<&str>) -> Result<bool, Problem> {
        {
            let decoys = self.decoys.read().unwrap_or_else(PoisonError::into_inner);
            if decoys.ring_seal.as_deref() == ring_seal {
                return Ok(decoys.identities.contains(identity));
            }
        }
        // The state is at least as new as the seal: a newer seal is met by the next request, which looks again.
        let state = self.log.state().await?;
        let ring = state.ring();
        let identities: HashSet<_> = ring.identities().filter(|one| is_honeypot(ring, one)).copied().collect();
        let is_decoy = identities.contains(identity);
        *self.decoys.write().unwrap_or_else(PoisonError::into_inner) =
            Decoys { ring_seal: ring_seal.map(str::to_owned), identities };
        Ok(is_decoy)
    }
}

fn is_honeypot(ring: &KeyRing, identity: &IdentityId) -> bool {
    ring.info(identity).is_some_and(|info| info.state == KeyState::Decoy)
}
