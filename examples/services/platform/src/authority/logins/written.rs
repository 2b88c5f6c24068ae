//! The rows of logins, as they are written: each under its tag.

use super::tables::{table, table_of};
use crate::access::{Scope, Tier, World};
use crate::authority::of_node::OfNode;
use crate::authority::token::{check_scopes, scope_text};
use crate::authority::{Authority, lineage};
use crate::db::{Tx, Value, statements};
use crate::problem::{Problem, kinds};
use crate::secrets::RowTags;
use crate::values;
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use std::collections::BTreeSet;
use uuid::Uuid;

statements! {
    ADD = "INSERT INTO logins (id, kind, identity_id, tier, scope, public_key, issuer, outside, label, added, hidden, \
           world, invited_by, node_since, tag) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CAST($11 AS BIGINT), \
           $12, CAST($13 AS TEXT), CAST($14 AS BIGINT), $15)";
    /// What a restore voided, or has no tag, makes place for the same, taken anew.
    VOIDED = "DELETE FROM logins WHERE identity_id = $1 AND public_key = $2 AND world = $3 \
              AND (tag IS NULL OR added <= (SELECT COALESCE(MAX(before), 0) FROM voided))";
    VOIDED_OUTSIDE = "DELETE FROM logins WHERE issuer = $1 AND outside = $2 AND world = $3 \
                      AND (tag IS NULL OR added <= (SELECT COALESCE(MAX(before), 0) FROM voided))";
    ONE = locking "SELECT * FROM logins WHERE id = $1";
    REMOVE = "DELETE FROM logins WHERE id = $1";
    OF_NODE = locking "SELECT * FROM logins WHERE kind = 'node' AND label = $1 ORDER BY id";
    REMOVE_OF_NODE = "DELETE FROM logins WHERE kind = 'node' AND label = $1";
    HIDE = "UPDATE logins SET hidden = $2, tag = $3 WHERE id = $1 AND hidden IS NULL";
}

/// A login key, to be enrolled.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Whose.
    pub identity_id: IdentityId,
    /// The highest tier that it logs in with.
    pub tier: Tier,
    /// The scopes of its tokens.
    pub scopes: BTreeSet<Scope>,
    /// Its public half.
    pub public_key: Ed25519PublicKey,
    /// What its holder calls it.
    pub label: String,
    /// The world of whoever invited.
    pub world: World,
    /// Who [invited](Authority::lineage); nobody for the command line of the host.
    pub by: Vec<IdentityId>,
    /// The node whose login it is, whose label is its own too.
    pub node: Option<OfNode>,
}

/// A subject of an outside issuer, to be taken for an identity. Its tokens are noble: claims never grant native.
#[derive(Clone, Debug)]
pub struct NewOutside {
    /// `iss`.
    pub issuer: String,
    /// `sub`.
    pub outside: String,
    /// The identity.
    pub identity_id: IdentityId,
    /// The scopes of its tokens.
    pub scopes: BTreeSet<Scope>,
    /// The world of whoever filled it in.
    pub world: World,
    /// [Who](Authority::lineage); nobody for the command line of the host.
    pub by: Vec<IdentityId>,
}

fn check(label: &str, scopes: &BTreeSet<Scope>, node: Option<&str>) -> Result<(), Problem> {
    if label.len() > 255 || label.chars().any(char::is_control) {
        return Err(Problem::invalid("/label", "length", "has at most 255 bytes and no control characters"));
    }
    check_scopes(scopes, node)
}

/// Whether a login key may be one.
///
/// # Errors
/// [`kinds::INVALID_FIELD`].
pub(in crate::authority) fn check_key(key: &NewKey) -> Result<(), Problem> {
    if !key.public_key.is_strict() {
        return Err(Problem::invalid("/public_key", "not-a-key", "is no Ed25519 public key"));
    }
    // Whoever keeps one node takes no login of another for his own.
    if key.node.as_ref().is_some_and(|node| node.label != key.label) {
        return Err(Problem::invalid("/label", "not-this-node", "is not the label of the node that was invited"));
    }
    check(&key.label, &key.scopes, key.node.as_ref().map(|node| &*node.label))
}

/// Whether an outside subject may be taken for an identity.
///
/// # Errors
/// [`kinds::INVALID_FIELD`].
pub(in crate::authority) fn check_outside(authority: &Authority, new: &NewOutside) -> Result<(), Problem> {
    if !authority.outside.knows(&new.issuer) {
        return Err(Problem::invalid("/issuer", "unknown", "no such issuer is configured"));
    }
    if new.outside.is_empty() || new.outside.len() > 255 {
        return Err(Problem::invalid("/subject", "length", "has 1 to 255 bytes"));
    }
    check("", &new.scopes, None)
}

/// Writes the row of a login key.
///
/// # Errors
/// [`kinds::CONFLICT`] where the identity has this key; the database.
pub(in crate::authority) async fn add_key(
    authority: &Authority,
    tx: &mut Tx,
    id: &Uuid,
    key: &NewKey,
) -> Result<(), Problem> {
    let same = values![key.identity_id.to_hex(), &key.public_key.as_bytes()[..], key.world.number()];
    tx.execute(VOIDED, same).await?;
    let none = None::<String>;
    let values = values![
        id.to_string(),
        if key.node.is_some() { "node" } else { "key" },
        key.identity_id.to_hex(),
        key.tier.as_str(),
        scope_text(&key.scopes),
        &key.public_key.as_bytes()[..],
        none.clone(),
        none,
        &key.label,
        authority.clock.millis(),
        None::<i64>,
        key.world.number(),
        lineage::to_text(&key.by),
        key.node.as_ref().map(|node| node.since),
    ];
    add(authority, tx, key.node.is_some(), values).await
}

/// Writes the row of an outside subject.
///
/// # Errors
/// [`kinds::CONFLICT`] where the subject has an identity; the database.
pub(in crate::authority) async fn add_outside(
    authority: &Authority,
    tx: &mut Tx,
    id: &Uuid,
    new: &NewOutside,
) -> Result<(), Problem> {
    tx.execute(VOIDED_OUTSIDE, values![&new.issuer, &new.outside, new.world.number()]).await?;
    let values = values![
        id.to_string(),
        "outside",
        new.identity_id.to_hex(),
        Tier::Noble.as_str(),
        scope_text(&new.scopes),
        None::<Vec<u8>>,
        &new.issuer,
        &new.outside,
        "",
        authority.clock.millis(),
        None::<i64>,
        new.world.number(),
        lineage::to_text(&new.by),
        None::<i64>,
    ];
    add(authority, tx, false, values).await
}

async fn add(authority: &Authority, tx: &mut Tx, is_node: bool, mut values: Vec<Value>) -> Result<(), Problem> {
    let table = table(is_node);
    let tag = authority.tags.tag(table, &values[..table.columns.len()]);
    values.push(tag.into());
    tx.execute(ADD, values).await?;
    Ok(())
}

/// What a removal does to the login of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::authority) enum Removal {
    /// Its row goes.
    Removed,
    /// A thief sees it no more.
    Hidden,
}

/// Whose a login is that somebody removes, and what that does. A caller of the decoy world removes what such callers
/// made, and as a honeypot sees no more of its own.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; the database.
pub(in crate::authority) async fn to_remove(
    tx: &mut Tx,
    id: &Uuid,
    decoy: Option<&IdentityId>,
    is_honeypot: bool,
) -> Result<(IdentityId, Removal), Problem> {
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    let row = tx.find(ONE, values![id.to_string()]).await?.ok_or_else(unknown)?;
    let identity_id: IdentityId = row.text("identity_id")?.parse()?;
    let world = if decoy.is_some() { World::Decoy } else { World::Real };
    if World::of_number(row.number("world")?) == world {
        return Ok((identity_id, Removal::Removed));
    }
    let hides = is_honeypot && decoy == Some(&identity_id) && row.maybe_number("hidden")?.is_none();
    if hides { Ok((identity_id, Removal::Hidden)) } else { Err(unknown()) }
}

/// The logins of a node that is removed. What somebody else wrote is none, and its removal no entry.
///
/// # Errors
/// The database.
pub(in crate::authority) async fn of_node(tx: &mut Tx, tags: &RowTags, label: &str) -> Result<Vec<Uuid>, Problem> {
    let mut names = Vec::new();
    for row in tx.list(OF_NODE, values![label]).await? {
        if tags.hold(table_of(&row)?, &row)? {
            let name = row.text("id")?.parse();
            names.push(name.map_err(|_| Problem::internal("logins", &"a name is not of its form"))?);
        }
    }
    Ok(names)
}

/// Removes them.
///
/// # Errors
/// The database.
pub(in crate::authority) async fn remove_of_node(tx: &mut Tx, label: &str) -> Result<(), Problem> {
    tx.execute(REMOVE_OF_NODE, values![label]).await?;
    Ok(())
}

/// Removes it, or hides it.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; the database.
pub(in crate::authority) async fn remove(
    authority: &Authority,
    tx: &mut Tx,
    id: &Uuid,
    removal: Removal,
) -> Result<(), Problem> {
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    let removed = match removal {
        Removal::Removed => tx.execute(REMOVE, values![id.to_string()]).await?,
        Removal::Hidden => {
            let (row, now) = (tx.find(ONE, values![id.to_string()]).await?, authority.clock.millis());
            let row = row.ok_or_else(unknown)?;
            let tag = authority.tags.again(table_of(&row)?, &row, &[("hidden", now.into())])?;
            tx.execute(HIDE, values![id.to_string(), now, tag]).await?
        }
    };
    if removed == 1 { Ok(()) } else { Err(unknown()) }
}
