//! Invitations: a code that enrols one login key, once and within a day. Kept is its hash alone.

use super::of_node::OfNode;
use super::token::{check_scopes, scope_text, scopes_of};
use super::{Authority, lineage};
use crate::access::{Scope, Tier, World};
use crate::db::{Row, Tx, statements};
use crate::problem::{Problem, kinds};
use crate::secrets::{Kind, Tagged};
use crate::values;
use crate::web::Bearer;
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, SystemRng, Timestamp};
use std::collections::BTreeSet;

statements! {
    ADD = "INSERT INTO invitations (code, identity_id, tier, scope, made, expires, world, invited_by, used, node, \
           node_since, tag) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, CAST($8 AS TEXT), CAST($9 AS BIGINT), CAST($10 AS TEXT), \
           CAST($11 AS BIGINT), $12)";
    OPEN = "SELECT * FROM invitations WHERE code = $1 AND used IS NULL AND expires > $2 \
            AND made > (SELECT COALESCE(MAX(before), 0) FROM voided)";
    USED = "SELECT * FROM invitations WHERE code = $1 AND used IS NOT NULL AND expires > $2 \
            AND made > (SELECT COALESCE(MAX(before), 0) FROM voided)";
    /// Of two at a time one alone finds the tag that both have read.
    USE = "UPDATE invitations SET used = $2, tag = $3 WHERE code = $1 AND tag = $4";
    WAITING = "SELECT * FROM invitations WHERE used IS NULL AND expires > $1 AND world = 0 \
               AND made > (SELECT COALESCE(MAX(before), 0) FROM voided) ORDER BY made, code";
    WITHDRAW = "DELETE FROM invitations WHERE code = $1 AND used IS NULL AND world = 0";
    /// With those of whom he brought.
    WITHDRAW_OF = "DELETE FROM invitations WHERE used IS NULL AND world = $2 AND invited_by LIKE $1";
    WITHDRAW_OF_NODE = "DELETE FROM invitations WHERE used IS NULL AND node = $1";
    ENDED = "DELETE FROM invitations WHERE expires < $1";
}

const COLUMNS: &[(&str, Kind)] = &[
    ("code", Kind::Bytes),
    ("identity_id", Kind::Text),
    ("tier", Kind::Text),
    ("scope", Kind::Text),
    ("made", Kind::Number),
    ("expires", Kind::Number),
    ("world", Kind::Number),
    ("invited_by", Kind::Text),
    ("used", Kind::Number),
    ("node", Kind::Text),
    ("node_since", Kind::Number),
];
/// Those of nodes: a row is of the one kind or of the other, and none becomes one of the other by its column.
const OF_NODE: Tagged = Tagged { table: "invitations of nodes", columns: COLUMNS, tag: "tag" };
/// Those of everybody else, whose tags are over all columns but the last two.
const TABLE: Tagged = Tagged { table: "invitations", columns: COLUMNS.split_at(COLUMNS.len() - 2).0, ..OF_NODE };

fn table(node: Option<&str>) -> &'static Tagged {
    if node.is_some() { &OF_NODE } else { &TABLE }
}

fn table_of(row: &Row) -> Result<&'static Tagged, Problem> {
    Ok(table(row.maybe_text("node")?.as_deref()))
}

/// Milliseconds in which it is used.
const LIFE: i64 = 86_400_000;

/// Who is invited to enrol a login key.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// Whose.
    pub identity_id: IdentityId,
    /// The highest tier that the login gets.
    pub tier: Tier,
    /// The scopes of its tokens.
    pub scopes: BTreeSet<Scope>,
    /// The world of whoever invites.
    pub world: World,
    /// Who [invites](Authority::lineage); nobody for the command line of the host.
    pub by: Vec<IdentityId>,
    /// The node whose login it is; of nobody else's.
    pub node: Option<OfNode>,
}

/// A code, told once.
#[derive(Clone)]
pub struct Invited {
    /// 64 hexadecimal characters: whoever has them enrols.
    pub code: Bearer,
    /// Until when.
    pub expires: Timestamp,
}

impl std::fmt::Debug for Invited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Invited").field("expires", &self.expires).finish_non_exhaustive()
    }
}

/// An invitation that may still be used, for whoever looks after them.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Its name: the hash of its code, which enrols nobody.
    pub id: String,
    /// Whom it invites, and by whom.
    pub invitation: Invitation,
    /// Until when, in milliseconds.
    pub expires: i64,
}

/// A code, as it is told.
///
/// # Errors
/// [`kinds::BAD_INVITATION`] for a text that is none.
pub fn invitation_code(text: &str) -> Result<Nonce, Problem> {
    text.parse().map_err(|_| Problem::new(&kinds::BAD_INVITATION))
}

impl Authority {
    /// Invites.
    ///
    /// # Errors
    /// [`kinds::INVALID_FIELD`] for scopes that no login has; the database.
    pub async fn invite(&self, invitation: &Invitation) -> Result<Invited, Problem> {
        let node = invitation.node.as_ref().map(|node| &*node.label);
        check_scopes(&invitation.scopes, node)?;
        let (now, code) = (self.clock.millis(), Nonce::draw(&mut SystemRng)?);
        let expires = Timestamp::from_millis(now.saturating_add(LIFE))?;
        let mut values = values![
            &Sha3_256::digest(code.as_bytes())[..],
            invitation.identity_id.to_hex(),
            invitation.tier.as_str(),
            scope_text(&invitation.scopes),
            now,
            expires.as_millis(),
            invitation.world.number(),
            lineage::to_text(&invitation.by),
            None::<i64>,
            node,
            invitation.node.as_ref().map(|node| node.since),
        ];
        let table = table(node);
        let tag = self.tags.tag(table, &values[..table.columns.len()]);
        values.push(tag.into());
        self.db.execute(ADD, values).await?;
        Ok(Invited { code: code.to_hex().into(), expires })
    }

    /// Whether a code may be used: whoever sends none keeps no writer waiting.
    ///
    /// # Errors
    /// As [`use_invitation`](Self::use_invitation).
    pub(super) async fn check_invitation(&self, code: &Nonce) -> Result<(), Problem> {
        let row = self.db.find(OPEN, values![&Sha3_256::digest(code.as_bytes())[..], self.clock.millis()]).await?;
        row.map(drop).ok_or_else(|| Problem::new(&kinds::BAD_INVITATION))
    }

    /// Whom a code invited that was used, until its day is over.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn used_invitation(&self, code: &Nonce) -> Result<Option<Invitation>, Problem> {
        let values = values![&Sha3_256::digest(code.as_bytes())[..], self.clock.millis()];
        let Some(row) = self.db.find(USED, values).await? else { return Ok(None) };
        if self.tags.hold(table_of(&row)?, &row)? { read(&row).map(Some) } else { Ok(None) }
    }

    /// Whom a code invites, as it stands now.
    ///
    /// # Errors
    /// [`kinds::BAD_INVITATION`] for one that is unknown, used, over, voided, or not as it was made; the database.
    pub(super) async fn invitation(&self, tx: &mut Tx, code: &Nonce) -> Result<Invitation, Problem> {
        read(&self.open_invitation(tx, code).await?)
    }

    /// Invitations that may still be used, the oldest first.
    ///
    /// # Errors
    /// The database.
    pub async fn invitations(&self) -> Result<Vec<Waiting>, Problem> {
        let mut waiting = Vec::new();
        for row in self.db.list(WAITING, values![self.clock.millis()]).await? {
            if self.tags.hold(table_of(&row)?, &row)? {
                let code = row.bytes("code")?.try_into();
                let code = code.map_err(|_| Problem::internal("invitations", &"a code has not 32 bytes"))?;
                let (id, expires) = (Nonce::from_bytes(code).to_hex(), row.number("expires")?);
                waiting.push(Waiting { id, invitation: read(&row)?, expires });
            }
        }
        Ok(waiting)
    }

    /// Withdraws one, by its name.
    ///
    /// # Errors
    /// [`kinds::UNKNOWN_ID`]; the database.
    pub async fn withdraw(&self, id: &str) -> Result<(), Problem> {
        let unknown = || Problem::new(&kinds::UNKNOWN_ID);
        let code: Nonce = id.parse().map_err(|_| unknown())?;
        let withdrawn = self.db.execute(WITHDRAW, values![&code.as_bytes()[..]]).await?;
        if withdrawn == 1 { Ok(()) } else { Err(unknown()) }
    }

    /// Uses a code up, with what the transaction enrols.
    ///
    /// # Errors
    /// As [`invitation`](Self::invitation).
    pub(super) async fn use_invitation(&self, tx: &mut Tx, code: &Nonce) -> Result<(), Problem> {
        let (row, now) = (self.open_invitation(tx, code).await?, self.clock.millis());
        let tag = self.tags.again(table_of(&row)?, &row, &[("used", now.into())])?;
        let values = values![&Sha3_256::digest(code.as_bytes())[..], now, tag, row.bytes("tag")?];
        if tx.execute(USE, values).await? == 1 { Ok(()) } else { Err(Problem::new(&kinds::BAD_INVITATION)) }
    }

    async fn open_invitation(&self, tx: &mut Tx, code: &Nonce) -> Result<Row, Problem> {
        let refused = || Problem::new(&kinds::BAD_INVITATION);
        let values = values![&Sha3_256::digest(code.as_bytes())[..], self.clock.millis()];
        let row = tx.find(OPEN, values).await?.ok_or_else(refused)?;
        if self.tags.hold(table_of(&row)?, &row)? { Ok(row) } else { Err(refused()) }
    }
}

fn read(row: &Row) -> Result<Invitation, Problem> {
    let wrong = |error: String| Problem::internal("invitations", &error);
    Ok(Invitation {
        identity_id: row.text("identity_id")?.parse()?,
        tier: row.text("tier")?.parse().map_err(wrong)?,
        scopes: scopes_of(&row.text("scope")?).map_err(wrong)?,
        world: World::of_number(row.number("world")?),
        by: lineage::of_text(row.maybe_text("invited_by")?.as_deref())?,
        node: row
            .maybe_text("node")?
            .zip(row.maybe_number("node_since")?)
            .map(|(label, since)| OfNode { label, since }),
    })
}

/// Withdraws what somebody gave out, and whom he brought: whoever is shut out leaves no code behind.
pub(super) async fn withdraw_of(tx: &mut Tx, who: &IdentityId, world: World) -> Result<(), Problem> {
    tx.execute(WITHDRAW_OF, values![format!("%{who}%"), world.number()]).await?;
    Ok(())
}

/// Withdraws those of a node that is removed.
pub(super) async fn withdraw_of_node(tx: &mut Tx, label: &str) -> Result<(), Problem> {
    tx.execute(WITHDRAW_OF_NODE, values![label]).await?;
    Ok(())
}

pub(super) async fn sweep(tx: &mut Tx, now: i64) -> Result<(), Problem> {
    tx.execute(ENDED, values![now]).await?;
    Ok(())
}
