//! Rows of authenticators, invitations and enrolments.

use super::rules::{self, INVITATION_LIFE, Kind};
use super::types::{AuthenticatorOut, InvitationOut};
use super::verify::Authenticators;
use crate::{App, dsa};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, SystemRng, Timestamp};
use platform::access::World;
use platform::db::{Db, DbError, Row, statements};
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::{Bearer, Name};
use uuid::Uuid;

statements! {
    OF = "SELECT * FROM presence_authenticators WHERE identity_id = $1 AND world = $2 AND removed IS NULL \
          ORDER BY enrolled, id";
    FIND = "SELECT * FROM presence_authenticators WHERE id = $1 AND world = $2 AND removed IS NULL";
    ADD = "INSERT INTO presence_authenticators (id, identity_id, kind, label, material, enrolled, counts_from, \
           world) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    REMOVE = "UPDATE presence_authenticators SET removed = $2 WHERE id = $1 AND world = $3 AND removed IS NULL";
    INVITE = "INSERT INTO presence_invitations (id, identity_id, invited_by, agreed_by, expires, world) \
              VALUES ($1, $2, $3, CAST($4 AS TEXT), $5, $6)";
    INVITATION = "SELECT * FROM presence_invitations WHERE id = $1";
    AGREE = "UPDATE presence_invitations SET agreed_by = $2 WHERE id = $1 AND agreed_by IS NULL \
             AND invited_by <> $2 AND used IS NULL AND expires > $3 AND world = $4";
    USE_INVITATION = "UPDATE presence_invitations SET used = $2 WHERE id = $1 AND used IS NULL \
                      AND agreed_by IS NOT NULL AND expires > $2";
    BEGIN = "INSERT INTO presence_enrolments (id, identity_id, kind, invitation, nonce, begun, expires, world) \
             VALUES ($1, $2, $3, CAST($4 AS TEXT), $5, $6, $7, $8)";
    ENROLMENT = "SELECT * FROM presence_enrolments WHERE id = $1";
    USE_ENROLMENT = "UPDATE presence_enrolments SET used = $2 WHERE id = $1 AND used IS NULL AND expires > $2";
    SWEEP_ENROLMENTS = "DELETE FROM presence_enrolments WHERE expires <= $1";
    SWEEP_INVITATIONS = "DELETE FROM presence_invitations WHERE expires <= $1";
}

/// Who agreed where it was the command line of the host.
const HOST: &str = "host";

/// An authenticator.
#[derive(Clone, Debug)]
pub(crate) struct AuthenticatorRow {
    pub(crate) id: String,
    pub(crate) identity_id: IdentityId,
    pub(crate) kind: Kind,
    pub(crate) label: String,
    pub(crate) material: String,
    pub(crate) enrolled: i64,
    pub(crate) counts_from: i64,
    pub(crate) world: World,
}

/// An invitation.
#[derive(Clone, Debug)]
pub(crate) struct InvitationRow {
    pub(crate) id: String,
    pub(crate) identity_id: IdentityId,
    pub(crate) agreed: bool,
    pub(crate) expires: i64,
    pub(crate) used: bool,
    pub(crate) world: World,
}

/// An enrolment or a vouching that was begun.
#[derive(Clone, Debug)]
pub(crate) struct EnrolmentRow {
    pub(crate) id: Uuid,
    pub(crate) identity_id: IdentityId,
    /// None for a vouching.
    pub(crate) kind: Option<Kind>,
    pub(crate) invitation: Option<String>,
    pub(crate) nonce: Nonce,
    /// The state of WebAuthn.
    pub(crate) begun: String,
    pub(crate) expires: i64,
    pub(crate) used: bool,
    pub(crate) world: World,
}

fn name<T: std::str::FromStr>(row: &Row, column: &'static str) -> Result<T, DbError> {
    row.text(column)?.parse().map_err(|_| DbError::Column(column))
}

impl AuthenticatorRow {
    fn read(row: &Row) -> Result<Self, Problem> {
        Ok(Self {
            id: row.text("id")?,
            identity_id: name(row, "identity_id")?,
            kind: Kind::of_row(&row.text("kind")?)?,
            label: row.text("label")?,
            material: row.text("material")?,
            enrolled: row.number("enrolled")?,
            counts_from: row.number("counts_from")?,
            world: World::of_number(row.number("world")?),
        })
    }

    /// What is told of it.
    pub(crate) fn out(&self) -> AuthenticatorOut {
        let time = |millis| Name(Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN));
        let credential: Option<webauthn_rs::prelude::Passkey> = serde_json::from_str(&self.material).ok();
        AuthenticatorOut {
            authenticator_id: self.id.clone(),
            identity_id: Name(self.identity_id),
            kind: self.kind,
            label: self.label.clone(),
            credential_id: credential.map(|passkey| URL_SAFE_NO_PAD.encode(passkey.cred_id())),
            enrolled: time(self.enrolled),
            counts_from: time(self.counts_from),
        }
    }
}

/// The name of an invitation, which shows nothing of it.
pub(crate) fn invitation_id(invitation: &str) -> String {
    let hash = Sha3_256::digest(invitation.as_bytes());
    dualseal::shard::ShardId::from_bytes(hash).to_hex()
}

/// The authenticators of an identity that were not removed.
pub(crate) async fn of(db: &Db, identity_id: &IdentityId, world: World) -> Result<Vec<AuthenticatorRow>, Problem> {
    db.list(OF, values![identity_id.to_hex(), world.number()]).await?.iter().map(AuthenticatorRow::read).collect()
}

/// One of them.
pub(crate) async fn find(db: &Db, id: &str, world: World) -> Result<Option<AuthenticatorRow>, Problem> {
    db.find(FIND, values![id, world.number()]).await?.as_ref().map(AuthenticatorRow::read).transpose()
}

/// The authenticators of an identity that count now.
pub(crate) async fn counting(app: &App, identity_id: &IdentityId, world: World) -> Result<Authenticators, Problem> {
    let (now, mut found) = (app.clock.millis(), Authenticators::new(&app.config.base_url));
    for row in of(&app.db, identity_id, world).await? {
        if rules::counts(row.counts_from, None, now) && !found.add(identity_id, row.kind, &row.material) {
            return Err(Problem::internal("presence", &"an authenticator is none"));
        }
    }
    Ok(found)
}

/// Invites somebody to enrol for an identity.
pub(crate) async fn invite(
    app: &App,
    (identity_id, world): (&IdentityId, World),
    by: &str,
    agreed_by: Option<&str>,
) -> Result<InvitationOut, Problem> {
    if !dsa::is_there(app, world, identity_id).await? {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    let invitation = Bearer::from(Nonce::draw(&mut SystemRng)?.to_hex());
    let (id, expires) = (invitation_id(&invitation), app.clock.millis() + INVITATION_LIFE);
    let values = values![&id, identity_id.to_hex(), by, agreed_by, expires, world.number()];
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
pub(crate) async fn agree(app: &App, (id, world): (&str, World), by: &str) -> Result<InvitationOut, Problem> {
    let now = app.clock.millis();
    let row = invitation(&app.db, id).await?.filter(|row| row.world == world);
    let row = row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    if app.db.execute(AGREE, values![id, by, now, world.number()]).await? != 1 {
        return Err(Problem::new(&kinds::CONFLICT).detail("it was used, agreed to, is over, or is one's own"));
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
    let out = invite(app, (identity_id, World::Real), HOST, None).await?;
    Ok((out.invitation_id, out.invitation.unwrap_or_default()))
}

/// Agrees from the command line of the host, which counts as a native.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`]; [`kinds::CONFLICT`]; the database.
pub async fn agree_by_host(app: &App, invitation_id: &str) -> Result<(), Problem> {
    agree(app, (invitation_id, World::Real), HOST).await.map(drop)
}

/// The invitation of this name.
pub(crate) async fn invitation(db: &Db, id: &str) -> Result<Option<InvitationRow>, Problem> {
    let Some(row) = db.find(INVITATION, values![id]).await? else { return Ok(None) };
    Ok(Some(InvitationRow {
        id: row.text("id")?,
        identity_id: name(&row, "identity_id")?,
        agreed: row.maybe_text("agreed_by")?.is_some(),
        expires: row.number("expires")?,
        used: row.maybe_number("used")?.is_some(),
        world: World::of_number(row.number("world")?),
    }))
}

/// Begins an enrolment or a vouching.
pub(crate) async fn begin(db: &Db, row: &EnrolmentRow) -> Result<(), Problem> {
    let (id, identity_id) = (row.id.to_string(), row.identity_id.to_hex());
    let kind = row.kind.map_or("vouch", Kind::as_str);
    let (nonce, world) = (row.nonce.to_hex(), row.world.number());
    let values = values![id, identity_id, kind, row.invitation.clone(), nonce, &row.begun, row.expires, world];
    db.execute(BEGIN, values).await?;
    Ok(())
}

/// What was begun under this name.
pub(crate) async fn enrolment(db: &Db, id: &Uuid) -> Result<Option<EnrolmentRow>, Problem> {
    let Some(row) = db.find(ENROLMENT, values![id.to_string()]).await? else { return Ok(None) };
    let kind = row.text("kind")?;
    Ok(Some(EnrolmentRow {
        id: name(&row, "id")?,
        identity_id: name(&row, "identity_id")?,
        kind: if kind == "vouch" { None } else { Some(Kind::of_row(&kind)?) },
        invitation: row.maybe_text("invitation")?,
        nonce: name(&row, "nonce")?,
        begun: row.text("begun")?,
        expires: row.number("expires")?,
        used: row.maybe_number("used")?.is_some(),
        world: World::of_number(row.number("world")?),
    }))
}

/// Removes what is over: enrolments and invitations, used or not.
///
/// # Errors
/// The database.
pub async fn sweep(app: &App) -> Result<u64, Problem> {
    let now = app.clock.millis();
    let enrolments = app.db.execute(SWEEP_ENROLMENTS, values![now]).await?;
    Ok(enrolments + app.db.execute(SWEEP_INVITATIONS, values![now]).await?)
}
