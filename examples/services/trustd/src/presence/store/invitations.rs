//! Rows of invitations.

use super::{Terms, name};
use crate::presence::rules::INVITATION_LIFE;
use crate::presence::types::InvitationOut;
use crate::{App, dsa};
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, SystemRng, Timestamp};
use platform::access::World;
use platform::db::{Row, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::{Kind as Column, RowTags, Tagged};
use platform::values;
use platform::web::{Bearer, Name};

statements! {
    INVITE = "INSERT INTO presence_invitations (id, identity_id, invited_by, agreed_by, expires, world, used, tag) \
              VALUES ($1, $2, $3, CAST($4 AS TEXT), $5, $6, CAST($7 AS BIGINT), $8)";
    INVITATION = "SELECT i.*, (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM presence_invitations i \
                  WHERE id = $1";
    AGREE = "UPDATE presence_invitations SET agreed_by = $2, tag = $5 WHERE id = $1 AND agreed_by IS NULL \
             AND used IS NULL AND expires > $3 AND world = $4 AND tag = $6";
    USE_INVITATION = "UPDATE presence_invitations SET used = $2, tag = $3 WHERE id = $1 AND used IS NULL \
                      AND agreed_by IS NOT NULL AND expires > $2 AND tag = $4";
    WITHDRAW = "DELETE FROM presence_invitations WHERE used IS NULL AND world = $2 \
                AND (invited_by LIKE $1 OR agreed_by LIKE $1)";
    SWEEP_INVITATIONS = "DELETE FROM presence_invitations WHERE expires <= $1";
}

const TABLE: Tagged = Tagged {
    table: "presence_invitations",
    columns: &[
        ("id", Column::Text),
        ("identity_id", Column::Text),
        ("invited_by", Column::Text),
        ("agreed_by", Column::Text),
        ("expires", Column::Number),
        ("world", Column::Number),
        ("used", Column::Number),
    ],
    tag: "tag",
};

/// Who agreed where it was the command line of the host.
const HOST: &str = "host";

/// An invitation.
#[derive(Clone, Debug)]
pub(crate) struct InvitationRow {
    pub(crate) id: String,
    pub(crate) identity_id: IdentityId,
    /// Who agreed: a native, the host, an authenticator that vouched.
    pub(crate) agreed_by: Option<String>,
    /// Whether the command line of the host invited or agreed.
    pub(crate) by_host: bool,
    pub(crate) expires: i64,
    pub(crate) used: bool,
    /// A restore ended it.
    pub(crate) is_void: bool,
    pub(crate) world: World,
}

/// The name of an invitation, which shows nothing of it.
pub(crate) fn invitation_id(invitation: &str) -> String {
    let hash = Sha3_256::digest(invitation.as_bytes());
    dualseal::shard::ShardId::from_bytes(hash).to_hex()
}

/// Invites somebody to enrol for an identity.
pub(crate) async fn invite(
    app: &App,
    (identity_id, world): (&IdentityId, World),
    by: &[String],
    agreed_by: Option<&str>,
) -> Result<InvitationOut, Problem> {
    if !dsa::is_there(app, world, identity_id).await? {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    let invitation = Bearer::from(Nonce::draw(&mut SystemRng)?.to_hex());
    let (id, expires) = (invitation_id(&invitation), app.clock.millis() + INVITATION_LIFE);
    let mut values = values![&id, identity_id.to_hex(), by.join(" "), agreed_by, expires, world.number(), None::<i64>];
    values.push(app.authority.tags().tag(&TABLE, &values).into());
    app.db.execute(INVITE, values).await?;
    Ok(InvitationOut {
        invitation_id: id,
        invitation: Some(invitation),
        identity_id: Name(*identity_id),
        agreed: agreed_by.is_some(),
        expires: Name(Timestamp::from_millis(expires)?),
    })
}

/// Agrees to an invitation of somebody else's.
pub(crate) async fn agree(app: &App, (id, world): (&str, World), by: &[String]) -> Result<InvitationOut, Problem> {
    let (now, tags) = (app.clock.millis(), app.authority.tags());
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    let found = app.db.find(INVITATION, values![id]).await?.ok_or_else(unknown)?;
    let row = InvitationRow::read(tags, &found)?.filter(|row| row.world == world).ok_or_else(unknown)?;
    // Of whom one brought the other, or the same one both, nobody is the second.
    let invited_by = found.text("invited_by")?;
    let is_own = invited_by.split_whitespace().any(|one| by.iter().any(|other| other == one));
    let agreed_by = by.first().cloned().unwrap_or_default();
    let tag = tags.again(&TABLE, &found, &[("agreed_by", agreed_by.as_str().into())])?;
    let values = values![id, agreed_by, now, world.number(), tag, found.bytes("tag")?];
    if is_own || row.is_void || app.db.execute(AGREE, values).await? != 1 {
        return Err(Problem::new(&kinds::CONFLICT)
            .detail("it was used, agreed to, is over, is one's own, or of who was invited by the same"));
    }
    let expires = Name(Timestamp::from_millis(row.expires)?);
    let identity_id = Name(row.identity_id);
    Ok(InvitationOut { invitation_id: row.id, invitation: None, identity_id, agreed: true, expires })
}

/// Invites from the command line of the host, which counts as a native.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; the database.
pub async fn invite_by_host(app: &App, identity_id: &IdentityId) -> Result<(String, Bearer), Problem> {
    let out = invite(app, (identity_id, World::Real), &[HOST.to_owned()], None).await?;
    Ok((out.invitation_id, out.invitation.unwrap_or_default()))
}

/// Agrees from the command line of the host, which counts as a native.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; [`kinds::CONFLICT`]; the database.
pub async fn agree_by_host(app: &App, invitation_id: &str) -> Result<(), Problem> {
    agree(app, (invitation_id, World::Real), &[HOST.to_owned()]).await.map(drop)
}

/// The invitation of this name.
pub(crate) async fn invitation(app: &App, id: &str) -> Result<Option<InvitationRow>, Problem> {
    let Some(row) = app.db.find(INVITATION, values![id]).await? else { return Ok(None) };
    InvitationRow::read(app.authority.tags(), &row)
}

impl InvitationRow {
    /// None of a row that the service did not write.
    fn read(tags: &RowTags, row: &Row) -> Result<Option<Self>, Problem> {
        if !tags.hold(&TABLE, row)? {
            return Ok(None);
        }
        let expires = row.number("expires")?;
        Ok(Some(Self {
            id: row.text("id")?,
            identity_id: name(row, "identity_id")?,
            by_host: row.text("invited_by")? == HOST || row.maybe_text("agreed_by")?.as_deref() == Some(HOST),
            agreed_by: row.maybe_text("agreed_by")?,
            expires,
            used: row.maybe_number("used")?.is_some(),
            is_void: expires - INVITATION_LIFE <= row.number("voided")?,
            world: World::of_number(row.number("world")?),
        }))
    }

    /// The invitation of this name, as a transaction sees it.
    pub(crate) async fn find(terms: &Terms, tx: &mut Tx, id: &str) -> Result<Option<Self>, Problem> {
        let Some(row) = tx.find(INVITATION, values![id]).await? else { return Ok(None) };
        Self::read(&terms.tags, &row)
    }

    /// Writes that it was used; false where somebody was faster.
    pub(crate) async fn spend(terms: &Terms, tx: &mut Tx, id: &str, now: i64) -> Result<bool, Problem> {
        let Some(row) = tx.find(INVITATION, values![id]).await? else { return Ok(false) };
        if Self::read(&terms.tags, &row)?.is_none_or(|row| row.is_void) {
            return Ok(false);
        }
        let tag = terms.tags.again(&TABLE, &row, &[("used", now.into())])?;
        Ok(tx.execute(USE_INVITATION, values![id, now, tag, row.bytes("tag")?]).await? == 1)
    }
}

/// Withdraws the invitations that somebody gave out or agreed to, who is shut out.
///
/// # Errors
/// The database.
pub async fn withdraw_of(app: &App, who: &IdentityId, world: World) -> Result<(), Problem> {
    app.db.execute(WITHDRAW, values![format!("%{who}%"), world.number()]).await?;
    Ok(())
}

/// Removes those that are over, used or not.
pub(super) async fn sweep(app: &App, now: i64) -> Result<u64, Problem> {
    Ok(app.db.execute(SWEEP_INVITATIONS, values![now]).await?)
}
