//! How identities get tokens: login keys that only their holders have, and subjects of outside issuers. A token names
//! the row that it was got by, and ends with it.

mod tables;
mod written;

pub(super) use tables::beside_token;
pub(super) use written::{
    ALL as WRITES, Removal, add_key, add_outside, check_key, check_outside, of_node, remove, remove_of_node, to_remove,
};
pub use written::{NewKey, NewOutside};

use super::of_node::OfNode;
use super::token::scopes_of;
use super::{Authority, lineage};
use crate::access::{Scope, Tier, World};
use crate::db::{Row, statements};
use crate::problem::Problem;
use crate::values;
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use std::collections::BTreeSet;
use tables::table_of;
use uuid::Uuid;

statements! {
    FIND = "SELECT * FROM logins WHERE id = $1 AND identity_id = $2 \
            AND kind IN ('key', 'node') AND added > (SELECT COALESCE(MAX(before), 0) FROM voided)";
    FIND_OWN = "SELECT * FROM logins WHERE identity_id = $1 AND public_key = $2 AND world = $3 \
                AND kind IN ('key', 'node') AND added > (SELECT COALESCE(MAX(before), 0) FROM voided)";
    /// One of each world at most.
    FIND_OUTSIDE = "SELECT * FROM logins WHERE issuer = $1 AND outside = $2 \
                    AND added > (SELECT COALESCE(MAX(before), 0) FROM voided) ORDER BY world";
    LIST = "SELECT logins.*, (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM logins \
            WHERE world = $1 AND (identity_id = $2 OR $2 = '') AND (id < $3 OR $3 = '') ORDER BY id DESC LIMIT $4";
    LIST_DECOY = "SELECT logins.*, (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM logins \
                  WHERE (world = 1 OR identity_id = $1) AND hidden IS NULL AND (identity_id = $2 OR $2 = '') \
                  AND (id < $3 OR $3 = '') ORDER BY id DESC LIMIT $4";
}

/// A row, for whoever looks after them.
#[derive(Clone, Debug)]
pub struct LoginRow {
    /// Its name.
    pub id: Uuid,
    /// Whose.
    pub identity_id: IdentityId,
    /// The highest tier of its tokens.
    pub tier: Tier,
    /// Their scopes.
    pub scopes: BTreeSet<Scope>,
    /// The login key, or else an outside subject.
    pub public_key: Option<Ed25519PublicKey>,
    /// The outside issuer and subject.
    pub outside: Option<(String, String)>,
    /// What its holder calls it.
    pub label: String,
    /// Whether that is the label of a node, whose login it is.
    pub is_node: bool,
    /// Since when, in milliseconds.
    pub added: i64,
    /// Who invited, or filled it in, and who invited him, and so on; nobody for the command line of the host.
    pub by: Vec<IdentityId>,
    /// Whether nobody logs in by it: a restore ended it, or it is not as the service wrote it.
    pub is_void: bool,
}

/// A login key, when it is used.
pub(super) struct FoundKey {
    pub(super) tier: Tier,
    pub(super) scopes: BTreeSet<Scope>,
    pub(super) public_key: Ed25519PublicKey,
    pub(super) world: i64,
    /// The node whose login it is.
    pub(super) node: Option<OfNode>,
}

/// An outside subject, when it is used.
pub(super) struct FoundOutside {
    pub(super) id: Uuid,
    pub(super) identity_id: IdentityId,
    pub(super) scopes: BTreeSet<Scope>,
    pub(super) world: i64,
}

/// What a column has that only this program writes.
fn own<T, E>(column: &'static str, read: Result<T, E>) -> Result<T, Problem> {
    read.map_err(|_| Problem::internal("logins", &format!("the column {column} is not of its form")))
}

pub(super) async fn find_key(
    authority: &Authority,
    id: &Uuid,
    identity: &IdentityId,
) -> Result<Option<FoundKey>, Problem> {
    let Some(row) = authority.db.find(FIND, values![id.to_string(), identity.to_hex()]).await? else { return Ok(None) };
    if !authority.tags.hold(table_of(&row)?, &row)? || is_hidden(authority, &row, identity).await? {
        return Ok(None);
    }
    found_key(&row).map(Some)
}

fn found_key(row: &Row) -> Result<FoundKey, Problem> {
    let since = row.maybe_number("node_since")?.filter(|_| row.text("kind").is_ok_and(|kind| kind == "node"));
    let label = row.text("label")?;
    Ok(FoundKey {
        node: since.map(|since| OfNode { label, since }),
        tier: own("tier", row.text("tier")?.parse())?,
        scopes: own("scope", scopes_of(&row.text("scope")?))?,
        public_key: Ed25519PublicKey::from_bytes(own("public_key", row.bytes("public_key")?.try_into())?),
        world: row.number("world")?,
    })
}

/// The login that an identity has by a key, in a world, and its name.
pub(super) async fn find_own(
    authority: &Authority,
    identity: &IdentityId,
    key: &Ed25519PublicKey,
    world: World,
) -> Result<Option<(Uuid, FoundKey)>, Problem> {
    let values = values![identity.to_hex(), key.as_bytes().to_vec(), world.number()];
    let Some(row) = authority.db.find(FIND_OWN, values).await? else { return Ok(None) };
    if !authority.tags.hold(table_of(&row)?, &row)? || is_hidden(authority, &row, identity).await? {
        return Ok(None);
    }
    Ok(Some((own("id", row.text("id")?.parse())?, found_key(&row)?)))
}

pub(super) async fn find_outside(
    authority: &Authority,
    issuer: &str,
    subject: &str,
) -> Result<Option<FoundOutside>, Problem> {
    for row in authority.db.list(FIND_OUTSIDE, values![issuer, subject]).await? {
        let identity_id = row.text("identity_id")?.parse()?;
        if authority.tags.hold(table_of(&row)?, &row)? && !is_hidden(authority, &row, &identity_id).await? {
            return Ok(Some(FoundOutside {
                id: own("id", row.text("id")?.parse())?,
                identity_id,
                scopes: own("scope", scopes_of(&row.text("scope")?))?,
                world: row.number("world")?,
            }));
        }
    }
    Ok(None)
}

/// Whether a thief who has a honeypot removed it, as far as he sees. It is there again for an identity that is none any
/// more: nobody is locked out for good.
async fn is_hidden(authority: &Authority, row: &Row, identity: &IdentityId) -> Result<bool, Problem> {
    Ok(row.maybe_number("hidden")?.is_some() && authority.is_honeypot(identity).await?)
}

impl Authority {
    /// Login keys and outside subjects, newest first, behind `after`: of one identity, or of all. To a caller of the
    /// decoy world what such callers made, and its own where it is a honeypot: to be called by somebody's name is not
    /// to be him, where tokens of any name are to be had.
    ///
    /// # Errors
    /// The database.
    pub async fn logins(
        &self,
        of: Option<&IdentityId>,
        decoy: Option<&IdentityId>,
        after: Option<&Uuid>,
        limit: u64,
    ) -> Result<Vec<LoginRow>, Problem> {
        let of = of.map(IdentityId::to_hex).unwrap_or_default();
        let after = after.map(Uuid::to_string).unwrap_or_default();
        let rows = match decoy {
            None => self.db.list(LIST, values![World::Real.number(), of, after, limit]).await?,
            Some(caller) => {
                let own = if self.is_honeypot(caller).await? { caller.to_hex() } else { String::new() };
                self.db.list(LIST_DECOY, values![own, of, after, limit]).await?
            }
        };
        rows.iter().map(|row| listed(row, self.tags.hold(table_of(row)?, row)?)).collect()
    }
}

fn listed(row: &Row, holds: bool) -> Result<LoginRow, Problem> {
    let public_key = row.maybe_bytes("public_key")?.map(|key| own("public_key", key.try_into())).transpose()?;
    Ok(LoginRow {
        id: own("id", row.text("id")?.parse())?,
        identity_id: row.text("identity_id")?.parse()?,
        tier: own("tier", row.text("tier")?.parse())?,
        scopes: own("scope", scopes_of(&row.text("scope")?))?,
        public_key: public_key.map(Ed25519PublicKey::from_bytes),
        outside: row.maybe_text("issuer")?.zip(row.maybe_text("outside")?),
        label: row.text("label")?,
        is_node: row.text("kind")? == "node",
        added: row.number("added")?,
        by: lineage::of_text(row.maybe_text("invited_by")?.as_deref())?,
        is_void: !holds || row.number("added")? <= row.number("voided")?,
    })
}
