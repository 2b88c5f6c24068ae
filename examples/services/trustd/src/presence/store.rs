//! Rows of authenticators and enrolments.
//!
//! | file | what it is |
//! |---|---|
//! | `invitations` | rows of invitations |

mod invitations;

pub(crate) use invitations::{ALL as INVITATIONS, InvitationRow, agree, invitation, invitation_id, invite};
pub use invitations::{agree_by_host, invite_by_host, withdraw_of};

use super::rules::{self, ENROLMENT_LIFE, Kind};
use super::types::AuthenticatorOut;
use super::verify::Authenticators;
use crate::App;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal::presence::Nonce;
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::db::{DbError, Row, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::secrets::{Kind as Column, RowTags, Tagged};
use platform::values;
use platform::web::Name;
use uuid::Uuid;

statements! {
    OF = "SELECT a.*, (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM presence_authenticators a \
          WHERE identity_id = $1 AND world = $2 AND removed IS NULL ORDER BY enrolled, id";
    FIND = "SELECT a.*, (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM presence_authenticators a \
            WHERE id = $1 AND world = $2 AND removed IS NULL";
    REMOVED = "SELECT id FROM presence_authenticators WHERE identity_id = $1 AND world = $2 AND removed IS NOT NULL \
               LIMIT 1";
    ADD = "INSERT INTO presence_authenticators (id, identity_id, kind, label, material, enrolled, counts_from, \
           world, removed, tag, entry) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CAST($9 AS BIGINT), $10, \
           CAST($11 AS BIGINT))";
    REMOVE = "UPDATE presence_authenticators SET removed = $2, tag = $4 WHERE id = $1 AND world = $3 \
              AND removed IS NULL";
    /// Those that do not count say 0 for ever.
    COUNT = "UPDATE presence_authenticators SET counted = CAST($3 AS BIGINT) WHERE id = $1 AND world = $2 \
             AND (COALESCE(counted, 0) < CAST($3 AS BIGINT) OR (COALESCE(counted, 0) = 0 AND CAST($3 AS BIGINT) = 0))";
    BEGIN = "INSERT INTO presence_enrolments (id, identity_id, kind, invitation, nonce, begun, expires, world, used, \
             tag) VALUES ($1, $2, $3, CAST($4 AS TEXT), $5, $6, $7, $8, CAST($9 AS BIGINT), $10)";
    ENROLMENT = "SELECT e.*, (SELECT COALESCE(MAX(before), 0) FROM voided) AS voided FROM presence_enrolments e \
                 WHERE id = $1";
    USE_ENROLMENT = "UPDATE presence_enrolments SET used = $2, tag = $3 WHERE id = $1 AND used IS NULL \
                     AND expires > $2 AND tag = $4";
    SWEEP_ENROLMENTS = "DELETE FROM presence_enrolments WHERE expires <= $1";
}

const AUTHENTICATORS: Tagged = Tagged {
    table: "presence_authenticators",
    columns: &[
        ("id", Column::Text),
        ("identity_id", Column::Text),
        ("kind", Column::Text),
        ("label", Column::Text),
        ("material", Column::Text),
        ("enrolled", Column::Number),
        ("counts_from", Column::Number),
        ("world", Column::Number),
        ("removed", Column::Number),
    ],
    tag: "tag",
};

const ENROLMENTS: Tagged = Tagged {
    table: "presence_enrolments",
    columns: &[
        ("id", Column::Text),
        ("identity_id", Column::Text),
        ("kind", Column::Text),
        ("invitation", Column::Text),
        ("nonce", Column::Text),
        ("begun", Column::Text),
        ("expires", Column::Number),
        ("world", Column::Number),
        ("used", Column::Number),
    ],
    tag: "tag",
};

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
    /// Where the log says so.
    pub(crate) entry: Option<i64>,
}

/// What rows are read with.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    tags: RowTags,
    /// Milliseconds in which an authenticator does not count yet.
    pub(crate) wait: i64,
}

impl Terms {
    pub(crate) fn of(app: &App) -> Self {
        let wait = i64::try_from(app.config.trust.enrolment_counts_after.0).unwrap_or(i64::MAX).saturating_mul(1000);
        Self { tags: app.authority.tags().clone(), wait }
    }
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
    /// Those of the rows that the service wrote.
    pub(crate) fn read_all(terms: &Terms, rows: &[Row]) -> Result<Vec<Self>, Problem> {
        let mut read = Vec::with_capacity(rows.len());
        for row in rows {
            if terms.tags.hold(&AUTHENTICATORS, row)? {
                read.push(Self::read(terms, row)?);
            }
        }
        Ok(read)
    }

    fn read(terms: &Terms, row: &Row) -> Result<Self, Problem> {
        let (enrolled, counts_from, voided) =
            (row.number("enrolled")?, row.number("counts_from")?, row.number("voided")?);
        Ok(Self {
            id: row.text("id")?,
            identity_id: name(row, "identity_id")?,
            kind: Kind::of_row(&row.text("kind")?)?,
            label: row.text("label")?,
            material: row.text("material")?,
            enrolled,
            counts_from: rules::counts_from(enrolled, counts_from, voided, terms.wait),
            world: World::of_number(row.number("world")?),
            entry: row.maybe_number("entry")?,
        })
    }

    /// Writes its row.
    pub(crate) async fn add(&self, terms: &Terms, tx: &mut Tx) -> Result<(), Problem> {
        let Self { id, identity_id, kind, label, material, enrolled, counts_from, world, entry } = self;
        let (identity_id, kind, world) = (identity_id.to_hex(), kind.as_str(), world.number());
        let mut values = values![id, identity_id, kind, label, material, *enrolled, *counts_from, world, None::<i64>];
        values.push(terms.tags.tag(&AUTHENTICATORS, &values).into());
        values.push((*entry).into());
        tx.execute(ADD, values).await?;
        Ok(())
    }

    /// Writes that it is removed.
    pub(crate) async fn remove(&self, terms: &Terms, tx: &mut Tx, now: i64) -> Result<(), Problem> {
        let unknown = || Problem::new(&kinds::UNKNOWN_ID);
        let row = tx.find(FIND, values![&self.id, self.world.number()]).await?.ok_or_else(unknown)?;
        let tag = terms.tags.again(&AUTHENTICATORS, &row, &[("removed", now.into())])?;
        let removed = tx.execute(REMOVE, values![&self.id, now, self.world.number(), tag]).await?;
        if removed == 1 { Ok(()) } else { Err(unknown()) }
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

/// The authenticators of an identity that were not removed.
pub(crate) async fn of(app: &App, identity_id: &IdentityId, world: World) -> Result<Vec<AuthenticatorRow>, Problem> {
    let rows = app.db.list(OF, values![identity_id.to_hex(), world.number()]).await?;
    AuthenticatorRow::read_all(&Terms::of(app), &rows)
}

/// One of them.
pub(crate) async fn find(app: &App, id: &str, world: World) -> Result<Option<AuthenticatorRow>, Problem> {
    let rows = app.db.list(FIND, values![id, world.number()]).await?;
    Ok(AuthenticatorRow::read_all(&Terms::of(app), &rows)?.pop())
}

/// Notes how far an authenticator has counted its answers, of which the number is in each; false where it counts back.
pub(crate) async fn count(tx: &mut Tx, id: &str, world: World, counted: u32) -> Result<bool, Problem> {
    Ok(tx.execute(COUNT, values![id, world.number(), counted]).await? == 1)
}

/// The authenticators of an identity that count now.
pub(crate) async fn counting(app: &App, identity_id: &IdentityId, world: World) -> Result<Authenticators, Problem> {
    let (now, mut found) = (app.clock.millis(), Authenticators::new(&app.config.base_url));
    for row in of(app, identity_id, world).await? {
        if rules::counts(row.counts_from, None, now) && !found.add(identity_id, row.kind, &row.material) {
            return Err(Problem::internal("presence", &"an authenticator is none"));
        }
    }
    Ok(found)
}

/// Begins an enrolment or a vouching.
pub(crate) async fn begin(app: &App, row: &EnrolmentRow) -> Result<(), Problem> {
    let (id, identity_id) = (row.id.to_string(), row.identity_id.to_hex());
    let kind = row.kind.map_or("vouch", Kind::as_str);
    let (nonce, world) = (row.nonce.to_hex(), row.world.number());
    let mut values = values![id, identity_id, kind, row.invitation.clone(), nonce, &row.begun, row.expires, world];
    values.extend(values![None::<i64>]);
    values.push(app.authority.tags().tag(&ENROLMENTS, &values).into());
    app.db.execute(BEGIN, values).await?;
    Ok(())
}

/// Writes that it was used, in the transaction of what it allows; false where somebody was faster, or it is over.
pub(crate) async fn spend(terms: &Terms, tx: &mut Tx, id: &Uuid, now: i64) -> Result<bool, Problem> {
    let Some(row) = tx.find(ENROLMENT, values![id.to_string()]).await? else { return Ok(false) };
    let (before, tag) = (row.maybe_bytes("tag")?, terms.tags.again(&ENROLMENTS, &row, &[("used", now.into())])?);
    Ok(tx.execute(USE_ENROLMENT, values![id.to_string(), now, tag, before]).await? == 1)
}

/// What was begun under this name, as the service wrote it.
pub(crate) async fn enrolment(app: &App, id: &Uuid) -> Result<Option<EnrolmentRow>, Problem> {
    let Some(row) = app.db.find(ENROLMENT, values![id.to_string()]).await? else { return Ok(None) };
    if !app.authority.tags().hold(&ENROLMENTS, &row)? {
        return Ok(None);
    }
    let (kind, expires) = (row.text("kind")?, row.number("expires")?);
    Ok(Some(EnrolmentRow {
        id: name(&row, "id")?,
        identity_id: name(&row, "identity_id")?,
        kind: if kind == "vouch" { None } else { Some(Kind::of_row(&kind)?) },
        invitation: row.maybe_text("invitation")?,
        nonce: name(&row, "nonce")?,
        begun: row.text("begun")?,
        expires,
        // What was begun before a restore ends with it.
        used: row.maybe_number("used")?.is_some() || expires - ENROLMENT_LIFE <= row.number("voided")?,
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
    Ok(enrolments + invitations::sweep(app, now).await?)
}
