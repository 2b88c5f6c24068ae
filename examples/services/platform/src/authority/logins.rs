//! How identities get tokens: login keys that only their holders have, and subjects of outside issuers. A token names
//! the row that it was got by, and ends with it.

use super::token::{scope_text, scopes_of};
use super::{Authority, login};
use crate::access::{Scope, Tier, World};
use crate::db::{Row, Tx, statements};
use crate::problem::{Problem, kinds};
use crate::values;
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519PublicKey;
use std::collections::BTreeSet;
use uuid::Uuid;

statements! {
    ADD = "INSERT INTO logins (id, kind, identity_id, tier, scope, public_key, issuer, outside, label, added, world) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    FIND = "SELECT tier, scope, public_key, hidden, world FROM logins WHERE id = $1 AND identity_id = $2 \
            AND kind = 'key' AND added > (SELECT COALESCE(MAX(before), 0) FROM voided)";
    /// One of each world at most.
    FIND_OUTSIDE = "SELECT id, identity_id, scope, hidden, world FROM logins WHERE issuer = $1 AND outside = $2 \
                    AND added > (SELECT COALESCE(MAX(before), 0) FROM voided) ORDER BY world";
    /// What a restore voided makes place for the same, taken anew.
    VOIDED = "DELETE FROM logins WHERE identity_id = $1 AND public_key = $2 AND world = $3 \
              AND added <= (SELECT COALESCE(MAX(before), 0) FROM voided)";
    VOIDED_OUTSIDE = "DELETE FROM logins WHERE issuer = $1 AND outside = $2 AND world = $3 \
                      AND added <= (SELECT COALESCE(MAX(before), 0) FROM voided)";
    LIST = "SELECT id, kind, identity_id, tier, scope, public_key, issuer, outside, label, added, \
            (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM logins \
            WHERE world = $1 AND (identity_id = $2 OR $2 = '') AND (id < $3 OR $3 = '') ORDER BY id DESC LIMIT $4";
    LIST_DECOY = "SELECT id, kind, identity_id, tier, scope, public_key, issuer, outside, label, added, \
                  (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM logins \
                  WHERE (world = 1 OR identity_id = $1) AND hidden IS NULL AND (identity_id = $2 OR $2 = '') \
                  AND (id < $3 OR $3 = '') ORDER BY id DESC LIMIT $4";
    REMOVE = "DELETE FROM logins WHERE id = $1 AND world = $2";
    HIDE = "UPDATE logins SET hidden = $2 WHERE id = $1 AND hidden IS NULL AND identity_id = $3";
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
    /// Since when, in milliseconds.
    pub added: i64,
    /// Whether a restore ended it: nobody logs in by it.
    pub is_void: bool,
}

/// A login key, when it is used.
pub(super) struct FoundKey {
    pub(super) tier: Tier,
    pub(super) scopes: BTreeSet<Scope>,
    pub(super) public_key: Ed25519PublicKey,
    pub(super) world: i64,
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
    if is_hidden(authority, &row, identity).await? {
        return Ok(None);
    }
    Ok(Some(FoundKey {
        tier: own("tier", row.text("tier")?.parse())?,
        scopes: own("scope", scopes_of(&row.text("scope")?))?,
        public_key: Ed25519PublicKey::from_bytes(own("public_key", row.bytes("public_key")?.try_into())?),
        world: row.number("world")?,
    }))
}

pub(super) async fn find_outside(
    authority: &Authority,
    issuer: &str,
    subject: &str,
) -> Result<Option<FoundOutside>, Problem> {
    for row in authority.db.list(FIND_OUTSIDE, values![issuer, subject]).await? {
        let identity_id = row.text("identity_id")?.parse()?;
        if !is_hidden(authority, &row, &identity_id).await? {
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

fn check(label: &str, scopes: &BTreeSet<Scope>) -> Result<(), Problem> {
    if label.len() > 255 || label.chars().any(char::is_control) {
        return Err(Problem::invalid("/label", "length", "has at most 255 bytes and no control characters"));
    }
    if scopes.is_empty() || scopes.contains(&Scope::Node) {
        return Err(Problem::invalid(
            "/scopes",
            "scopes",
            "names scopes, and not `node`, which is for tokens of nodes",
        ));
    }
    Ok(())
}

impl Authority {
    /// Enrols a login key, in the transaction that uses the invitation up.
    ///
    /// # Errors
    /// [`kinds::INVALID_FIELD`]; [`kinds::CONFLICT`] where the identity has this key; the database.
    pub async fn add_key(&self, tx: &mut Tx, key: &NewKey) -> Result<Uuid, Problem> {
        login::check_key(&key.public_key)?;
        check(&key.label, &key.scopes)?;
        let (id, none) = (Uuid::now_v7(), None::<String>);
        let same = values![key.identity_id.to_hex(), &key.public_key.as_bytes()[..], key.world.number()];
        tx.execute(VOIDED, same).await?;
        let values = values![
            id.to_string(),
            "key",
            key.identity_id.to_hex(),
            key.tier.as_str(),
            scope_text(&key.scopes),
            &key.public_key.as_bytes()[..],
            none.clone(),
            none,
            &key.label,
            self.clock.millis(),
            key.world.number(),
        ];
        tx.execute(ADD, values).await?;
        Ok(id)
    }

    /// Takes a subject of an outside issuer for an identity.
    ///
    /// # Errors
    /// [`kinds::INVALID_FIELD`]; [`kinds::CONFLICT`] where the subject has one; the database.
    pub async fn add_outside(&self, new: &NewOutside) -> Result<Uuid, Problem> {
        if !self.outside.knows(&new.issuer) {
            return Err(Problem::invalid("/issuer", "unknown", "no such issuer is configured"));
        }
        if new.outside.is_empty() || new.outside.len() > 255 {
            return Err(Problem::invalid("/subject", "length", "has 1 to 255 bytes"));
        }
        check("", &new.scopes)?;
        let id = Uuid::now_v7();
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
            self.clock.millis(),
            new.world.number(),
        ];
        let mut tx = self.db.begin().await?;
        tx.execute(VOIDED_OUTSIDE, values![&new.issuer, &new.outside, new.world.number()]).await?;
        tx.execute(ADD, values).await?;
        tx.commit().await?;
        Ok(id)
    }

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
        rows.iter().map(listed).collect()
    }

    /// Removes a login key or an outside subject: every token that was got by it ends. A caller of the decoy world
    /// removes what such callers made, and as a honeypot sees no more of its own.
    ///
    /// # Errors
    /// [`kinds::UNKNOWN_ID`]; the database.
    pub async fn remove_login(&self, id: &Uuid, decoy: Option<&IdentityId>) -> Result<(), Problem> {
        let (id, world) = (id.to_string(), if decoy.is_some() { World::Decoy } else { World::Real });
        let mut removed = self.db.execute(REMOVE, values![&id, world.number()]).await?;
        if let (0, Some(own)) = (removed, decoy)
            && self.is_honeypot(own).await?
        {
            removed = self.db.execute(HIDE, values![&id, self.clock.millis(), own.to_hex()]).await?;
        }
        if removed == 0 { Err(Problem::new(&kinds::UNKNOWN_ID)) } else { Ok(()) }
    }
}

fn listed(row: &Row) -> Result<LoginRow, Problem> {
    let public_key = row.maybe_bytes("public_key")?.map(|key| own("public_key", key.try_into())).transpose()?;
    Ok(LoginRow {
        id: own("id", row.text("id")?.parse())?,
        identity_id: row.text("identity_id")?.parse()?,
        tier: own("tier", row.text("tier")?.parse())?,
        scopes: own("scope", scopes_of(&row.text("scope")?))?,
        public_key: public_key.map(Ed25519PublicKey::from_bytes),
        outside: row.maybe_text("issuer")?.zip(row.maybe_text("outside")?),
        label: row.text("label")?,
        added: row.number("added")?,
        is_void: row.number("added")? <= row.number("voided")?,
    })
}
