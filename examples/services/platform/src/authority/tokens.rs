//! Tokens as rows: issued, looked up at every request, revoked, listed.

use super::ends::TABLE;
use super::token::{Claims, longest_life, scope_text, scopes_of};
use super::{Authority, Refusal, keys, logins, nodes};
use crate::access::{Caller, Scope, Tier, World};
use crate::db::{Row, Tx, statements};
use crate::problem::Problem;
use crate::secrets::Tagged;
use crate::values;
use crate::web::Bearer;
use dualseal::IdentityId;
use std::collections::BTreeSet;
use uuid::Uuid;

statements! {
    ADD = "INSERT INTO tokens (jti, subject, client, tier, scope, node, login, issued, expires, world, tag) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    /// All that a request needs to know beside the token itself, by one index each.
    CHECK = "SELECT tokens.jti AS jti, tokens.subject AS subject, tokens.client AS client, tokens.tier AS tier, \
             tokens.scope AS scope, tokens.node AS node, tokens.login AS login, tokens.issued AS issued, \
             tokens.expires AS expires, tokens.revoked AS revoked, tokens.revoked_decoy AS revoked_decoy, \
             tokens.world AS world, tokens.tag AS tag, \
             logins.id AS login_id, logins.kind AS login_kind, logins.identity_id AS login_identity_id, \
             logins.tier AS login_tier, logins.scope AS login_scope, logins.public_key AS login_public_key, \
             logins.issuer AS login_issuer, logins.outside AS login_outside, logins.label AS login_label, \
             logins.added AS login_added, logins.hidden AS login_hidden, logins.world AS login_world, \
             logins.invited_by AS login_invited_by, logins.node_since AS login_node_since, \
             logins.tag AS login_tag, \
             custodians.label AS node_label, custodians.identity_id AS node_identity_id, \
             custodians.key AS node_key, custodians.added AS node_added, custodians.removed AS node_removed, \
             custodians.tag AS node_tag, custodians.last_seen AS last_seen, \
             (SELECT MAX(before) FROM voided) AS voided, \
             (SELECT ring_seal FROM logs WHERE id = (SELECT MAX(id) FROM logs)) AS ring_seal \
             FROM tokens \
             LEFT JOIN logins ON logins.id = tokens.login AND logins.identity_id = tokens.subject \
             LEFT JOIN custodians ON custodians.label = tokens.node AND custodians.identity_id = tokens.subject \
             AND custodians.removed IS NULL \
             WHERE tokens.jti = $1 AND tokens.subject = $2";
    LIST = "SELECT jti, subject, client, tier, scope, node, issued, expires, revoked FROM tokens \
            WHERE expires > $1 AND world = 0 ORDER BY issued DESC, jti DESC LIMIT $2";
    LIST_OF = "SELECT jti, subject, client, tier, scope, node, issued, expires, revoked FROM tokens \
               WHERE subject = $1 AND expires > $2 AND world = 0 ORDER BY issued DESC, jti DESC LIMIT $3";
    ENDED = "DELETE FROM tokens WHERE expires < $1";
    LAST_SEEN = "UPDATE custodians SET last_seen = $2 WHERE label = $1 \
                 AND (last_seen IS NULL OR last_seen < $2 OR last_seen > $3)";
}

/// How often the time at which a node was seen is written down; one as far ahead is of a clock that was.
const SEEN_EVERY: i64 = 60_000;
/// Rows of tokens stay a day behind their end, so that who looks into an incident finds them.
const KEPT: i64 = 86_400_000;

/// What a token is issued for.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The identity.
    pub subject: IdentityId,
    /// The tier.
    pub tier: Tier,
    /// What it may call.
    pub scopes: BTreeSet<Scope>,
    /// The program that gets it.
    pub client: String,
    /// The label of the node whose token it is; it has the scope `node` and no other then.
    pub node: Option<String>,
    /// The login that it is got by.
    pub login: Option<Uuid>,
    /// How many seconds it lives, at most what the settings say.
    pub life: Option<u64>,
    /// The world of the login.
    pub world: World,
}

/// A token that was issued.
#[derive(Clone)]
pub struct Issued {
    /// Its text: whoever has it may do what it says.
    pub text: Bearer,
    /// What it says.
    pub claims: Claims,
}

impl std::fmt::Debug for Issued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issued").field("claims", &self.claims).finish_non_exhaustive()
    }
}

/// A token's row, for whoever looks after them.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub jti: String,
    /// The identity.
    pub subject: String,
    /// The program.
    pub client: String,
    /// The tier.
    pub tier: String,
    /// The scopes.
    pub scope: String,
    /// The node.
    pub node: Option<String>,
    /// When it was issued, in milliseconds.
    pub issued: i64,
    /// When it ends.
    pub expires: i64,
    /// Whether it was revoked.
    pub revoked: bool,
}

impl Authority {
    /// Issues a token: its row stands or falls with the transaction.
    ///
    /// # Errors
    /// [`INVALID_FIELD`](crate::problem::kinds::INVALID_FIELD) for a grant that no token has; the database.
    pub async fn issue(&self, tx: &mut Tx, grant: &Grant) -> Result<Issued, Problem> {
        check_grant(grant)?;
        let now = self.clock.millis();
        let most = match grant.tier {
            Tier::Native => self.lives.0,
            Tier::Noble => self.lives.1,
        };
        let most = u64::try_from(longest_life(grant.tier)).unwrap_or(0).min(most);
        let life = grant.life.unwrap_or(most).clamp(1, most);
        let iat = now.div_euclid(1000);
        let exp = iat.saturating_add(i64::try_from(life).unwrap_or(0));
        let claims = Claims {
            iss: self.expected.issuer.clone(),
            aud: self.expected.audience.clone(),
            sub: grant.subject.to_hex(),
            client_id: grant.client.clone(),
            tier: grant.tier,
            scope: scope_text(&grant.scopes),
            node: grant.node.clone(),
            key: grant.login,
            jti: Uuid::now_v7(),
            iat,
            nbf: iat,
            exp,
        };
        let key = self.keys.signing(tx, &self.secrets).await?;
        let text = claims.sign(&key.kid, &key.signs).map_err(|error| Problem::internal("token", &error))?;
        let mut values = values![
            claims.jti.to_string(),
            &claims.sub,
            &claims.client_id,
            claims.tier.as_str(),
            &claims.scope,
            claims.node.clone(),
            claims.key.map(|key| key.to_string()),
            now,
            exp.saturating_mul(1000),
            grant.world.number(),
        ];
        values.push(self.tags.tag(&TABLE, &[values.clone(), values![None::<i64>, None::<i64>]].concat()).into());
        tx.execute(ADD, values).await?;
        Ok(Issued { text: text.into(), claims })
    }

    /// Who calls with these claims, by what the database has now: every process sees at its next request what another
    /// revoked.
    pub(super) async fn caller(&self, claims: Claims) -> Result<Result<Caller, Refusal>, Problem> {
        let subject = match claims.subject() {
            Ok(subject) => subject,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let row = self.db.look(CHECK, values![claims.jti.to_string(), &claims.sub]).await?.pop();
        let Some(row) = row else { return Ok(Err(Refusal::Unknown)) };
        if !self.tags.hold(&TABLE, &row)? {
            return Ok(Err(Refusal::Forged));
        }
        // The name of a token and a key that signs are not enough for another one of that name.
        let (tier, exp) = (claims.tier.as_str(), claims.exp.saturating_mul(1000));
        if row.text("tier")? != tier || row.text("scope")? != claims.scope || row.number("expires")? != exp {
            return Ok(Err(Refusal::Unlike));
        }
        if row.maybe_number("voided")?.is_some_and(|before| row.number("issued").is_ok_and(|at| at <= before)) {
            return Ok(Err(Refusal::Voided));
        }
        let is_decoy = row.number("world")? != World::Real.number()
            || self.is_decoy(&subject, row.maybe_text("ring_seal")?.as_deref()).await?;
        let world = if is_decoy { World::Decoy } else { World::Real };
        let is_hidden =
            is_decoy && (row.maybe_number("revoked_decoy")?.is_some() || row.maybe_number("login_hidden")?.is_some());
        if row.maybe_number("revoked")?.is_some() || is_hidden {
            return Ok(Err(Refusal::Revoked));
        }
        if row.maybe_text("login")?.is_some() && !self.stands(&row, "login_id", logins::beside_token(&row)?)? {
            return Ok(Err(Refusal::LoginGone));
        }
        let since = row.maybe_number("login_node_since")?;
        if row.maybe_text("node")? != claims.node
            || (claims.node.is_some() && !self.stands(&row, "node_label", &nodes::BESIDE_TOKEN)?)
            || (since.is_some() && since != row.maybe_number("node_added")?)
        {
            return Ok(Err(Refusal::NodeGone));
        }
        let Ok(scopes) = scopes_of(&claims.scope) else { return Ok(Err(Refusal::Malformed)) };
        if let Some(label) = &claims.node {
            self.saw(label, row.maybe_number("last_seen")?).await?;
        }
        let Claims { tier, node, jti, client_id, .. } = claims;
        Ok(Ok(Caller { subject, tier, scopes, node, token: jti, client: client_id, world }))
    }

    /// Whether what a token hangs on is there, as the service wrote it.
    fn stands(&self, row: &Row, name: &'static str, beside: &Tagged) -> Result<bool, Problem> {
        Ok(row.maybe_text(name)?.is_some() && self.tags.hold(beside, row)?)
    }

    async fn saw(&self, label: &str, last: Option<i64>) -> Result<(), Problem> {
        let now = self.clock.millis();
        let near = now.saturating_sub(SEEN_EVERY - 1)..=now.saturating_add(SEEN_EVERY);
        if !self.is_read_only && last.is_none_or(|last| !near.contains(&last)) {
            self.db.execute(LAST_SEEN, values![label, now, *near.end()]).await?;
        }
        Ok(())
    }

    /// The tokens that live, newest first: of one subject, or of all.
    ///
    /// # Errors
    /// The database.
    pub async fn tokens(&self, subject: Option<&IdentityId>, limit: u64) -> Result<Vec<Listed>, Problem> {
        let now = self.clock.millis();
        let rows = match subject {
            Some(subject) => self.db.list(LIST_OF, values![subject.to_hex(), now, limit]).await?,
            None => self.db.list(LIST, values![now, limit]).await?,
        };
        rows.iter().map(listed).collect()
    }

    /// Removes what has ended: tokens, challenges, invitations, keys.
    ///
    /// # Errors
    /// The database.
    pub async fn sweep(&self) -> Result<(), Problem> {
        let now = self.clock.millis();
        let mut tx = self.db.begin().await?;
        tx.execute(ENDED, values![now.saturating_sub(KEPT)]).await?;
        super::login::sweep(&mut tx, now).await?;
        super::invitations::sweep(&mut tx, now).await?;
        keys::sweep(&mut tx, &self.secrets, now).await?;
        Ok(tx.commit().await?)
    }
}

fn check_grant(grant: &Grant) -> Result<(), Problem> {
    let has_node = grant.scopes.contains(&Scope::Node);
    if grant.node.is_some() && (grant.scopes.len() != 1 || !has_node || grant.tier != Tier::Noble) {
        return Err(Problem::invalid("/scope", "node", "a node's token is noble and has the scope `node` alone"));
    }
    if grant.node.is_none() && has_node {
        return Err(Problem::invalid("/node", "missing", "the scope `node` is for tokens of nodes"));
    }
    if grant.scopes.is_empty() {
        return Err(Problem::invalid("/scope", "missing", "a token without a scope may nothing"));
    }
    if grant.client.is_empty() || grant.client.len() > 255 || grant.client.chars().any(char::is_control) {
        return Err(Problem::invalid("/client_id", "length", "has 1 to 255 bytes and no control characters"));
    }
    Ok(())
}

fn listed(row: &Row) -> Result<Listed, Problem> {
    Ok(Listed {
        jti: row.text("jti")?,
        subject: row.text("subject")?,
        client: row.text("client")?,
        tier: row.text("tier")?,
        scope: row.text("scope")?,
        node: row.maybe_text("node")?,
        issued: row.number("issued")?,
        expires: row.number("expires")?,
        revoked: row.maybe_number("revoked")?.is_some(),
    })
}
