//! The addresses of presence.

mod vouch;

use super::answer::{audience, signed};
use super::page;
use super::rules::{self, ENROLMENT_LIFE, Kind};
use super::store::{self, AuthenticatorRow, EnrolmentRow, Terms};
use super::types::{
    AuthenticatorOut, AuthenticatorsOut, BeginIn, BegunOut, Enrolled, FinishIn, InvitationOut, InviteIn, OfIn,
};
use super::verify::{credential_name, webauthn};
use super::work::{Enrol, Remove};
use crate::App;
use crate::alarms::{self, Alarm, watch};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use dualseal::shard::ShardId;
use dualseal::{IdentityId, SystemRng, Timestamp};
use http::StatusCode;
use platform::access::{Caller, World};
use platform::problem::{Body, Problem, kinds};
use platform::watch::About;
use platform::web::{Json, Name, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;
use webauthn_rs::prelude::PasskeyRegistration;

/// Its addresses, and its page.
#[must_use]
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(invite))
        .routes(routes!(agree))
        .routes(routes!(begin))
        .routes(routes!(finish))
        .merge(vouch::router())
        .routes(routes!(list))
        .routes(routes!(remove))
        .merge(page::router())
}

/// Who invites or agrees, and who brought him.
async fn who(app: &App, caller: &Caller) -> Result<Vec<String>, Problem> {
    Ok(app.authority.lineage(caller).await?.iter().map(IdentityId::to_hex).collect())
}

/// Invites somebody to enrol an authenticator for an identity; a second native must agree.
#[utoipa::path(post, path = "/api/v1/presence/invitations", tag = "presence", request_body = InviteIn,
    responses((status = 201, body = InvitationOut, description = "The invitation, which is told once"),
        (status = 404, body = Body, description = "unknown-id: no such identity",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn invite(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<InviteIn>,
) -> Result<(StatusCode, Json<InvitationOut>), Problem> {
    watch(&app, &caller, "presence: invites");
    let out = store::invite(&app, (&body.identity_id.0, caller.world), &who(&app, &caller).await?, None).await?;
    Ok((StatusCode::CREATED, Json(out)))
}

/// Agrees to the invitation of another native.
#[utoipa::path(post, path = "/api/v1/presence/invitations/{invitation_id}/agree", tag = "presence",
    params(("invitation_id" = String, Path, description = "The name of the invitation")),
    responses((status = 200, body = InvitationOut, description = "It may be used now"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "conflict: used, over, agreed to, one's own, or of \
            somebody with whom one was invited by the same native",
            content_type = "application/problem+json")))]
async fn agree(
    State(app): State<App>,
    caller: Caller,
    Path(invitation_id): Path<String>,
) -> Result<Json<InvitationOut>, Problem> {
    watch(&app, &caller, "presence: agrees to an invitation");
    store::agree(&app, (&invitation_id, caller.world), &who(&app, &caller).await?).await.map(Json)
}

/// Begins the enrolment of an authenticator, with an invitation.
#[utoipa::path(post, path = "/api/v1/presence/enrol/begin", tag = "presence", request_body = BeginIn,
    responses((status = 201, body = BegunOut, description = "What the authenticator is to answer, for 300 seconds"),
        (status = 409, body = Body, description = "request-closed, conflict",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn begin(
    State(app): State<App>,
    about: About,
    Json(body): Json<BeginIn>,
) -> Result<(StatusCode, Json<BegunOut>), Problem> {
    let invitation = open_invitation(&app, &store::invitation_id(&body.invitation)).await?;
    about.note(&invitation.identity_id);
    let (mut options, mut begun) = (None, String::new());
    if body.kind == Kind::Webauthn {
        let webauthn = webauthn(&app.config.base_url).ok_or_else(|| {
            Problem::invalid("/kind", "range", "browsers do not offer WebAuthn at an address without a name")
        })?;
        let who = invitation.identity_id.to_hex();
        let (asked, state) = webauthn
            .start_passkey_registration(Uuid::now_v7(), &who, &who, None)
            .map_err(|error| Problem::internal("webauthn", &error))?;
        begun = serde_json::to_string(&state).map_err(|error| Problem::internal("webauthn", &error))?;
        options = Some(asked);
    }
    let id = Uuid::now_v7();
    let statement = rules::enrolment_statement(&id.to_string());
    let whose = (invitation.identity_id, invitation.world);
    let row = row(&app, id, whose, Some(body.kind), Some(invitation.id), begun)?;
    store::begin(&app, &row).await?;
    Ok((StatusCode::CREATED, Json(out(&app, &row, statement, options)?)))
}

async fn open_invitation(app: &App, id: &str) -> Result<store::InvitationRow, Problem> {
    let found = store::invitation(app, id).await?;
    // Whether there ever was one is nobody's business.
    let found = found.ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))?;
    rules::check_invitation(found.agreed_by.is_some(), found.used || found.is_void, found.expires, app.clock.millis())?;
    Ok(found)
}

fn row(
    app: &App,
    id: Uuid,
    (identity_id, world): (IdentityId, World),
    kind: Option<Kind>,
    invitation: Option<String>,
    begun: String,
) -> Result<EnrolmentRow, Problem> {
    let expires = app.clock.millis() + ENROLMENT_LIFE;
    let nonce = Nonce::draw(&mut SystemRng)?;
    Ok(EnrolmentRow { id, identity_id, kind, invitation, nonce, begun, expires, used: false, world })
}

fn out(
    app: &App,
    row: &EnrolmentRow,
    statement: String,
    options: Option<webauthn_rs::prelude::CreationChallengeResponse>,
) -> Result<BegunOut, Problem> {
    Ok(BegunOut {
        enrolment_id: row.id,
        domain: app.config.domain.clone(),
        audience: audience(app),
        identity_id: Name(row.identity_id),
        statement_hash: ShardId::from_bytes(Sha3_256::digest(statement.as_bytes())).to_hex(),
        statement,
        nonce: Name(row.nonce),
        expiry: Name(Timestamp::from_millis(row.expires)?),
        options,
    })
}

/// Ends the enrolment of an authenticator that answered.
#[utoipa::path(post, path = "/api/v1/presence/enrol/finish", tag = "presence", request_body = FinishIn,
    responses((status = 201, body = AuthenticatorOut, description = "Enrolled; it counts from the time that is told"),
        (status = 409, body = Body, description = "request-closed, conflict",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field: what answered does not hold",
            content_type = "application/problem+json")))]
async fn finish(
    State(app): State<App>,
    about: About,
    Json(body): Json<FinishIn>,
) -> Result<(StatusCode, Json<AuthenticatorOut>), Problem> {
    rules::check_label(&body.label)?;
    let closed = || Problem::new(&kinds::REQUEST_CLOSED);
    let (row, now) = (open(&app, &body.enrolment_id).await?, app.clock.millis());
    about.note(&row.identity_id);
    let (kind, invitation) = row.kind.zip(row.invitation.clone()).ok_or_else(closed)?;
    open_invitation(&app, &invitation).await?;
    let refused = || Problem::invalid("/authenticator", "presence", "it does not answer what it was asked");
    let (id, material) = match &body.authenticator {
        Enrolled::Ed25519 { public_key, signature } if kind == Kind::Ed25519 => {
            let statement = rules::enrolment_statement(&row.id.to_string());
            if !public_key.0.is_strict() || !signed(&app, &row.asked(&statement), &public_key.0, &signature.0)? {
                return Err(refused());
            }
            let key = public_key.0.to_string();
            (key.clone(), key)
        }
        Enrolled::Webauthn { credential } if kind == Kind::Webauthn => {
            let webauthn = webauthn(&app.config.base_url).ok_or_else(closed)?;
            let state: PasskeyRegistration =
                serde_json::from_str(&row.begun).map_err(|error| Problem::internal("webauthn", &error))?;
            let passkey = webauthn.finish_passkey_registration(credential, &state).map_err(|_| refused())?;
            let material = serde_json::to_string(&passkey).map_err(|error| Problem::internal("webauthn", &error))?;
            (ShardId::from_bytes(credential_name(passkey.cred_id())).to_hex(), material)
        }
        _ => return Err(Problem::invalid("/authenticator/kind", "value", "is another kind than was begun")),
    };
    let terms = Terms::of(&app);
    let enrolled = AuthenticatorRow {
        id,
        identity_id: row.identity_id,
        kind,
        label: body.label,
        material,
        enrolled: now,
        counts_from: now.saturating_add(terms.wait),
        world: row.world,
        entry: None,
    };
    let out = enrolled.out();
    let (whose, world, detail) =
        (row.identity_id.to_hex(), row.world, format!("{} {}", kind.as_str(), out.authenticator_id));
    app.log.submit(Enrol { row: enrolled, enrolment: row.id, invitation, now, terms }).await?;
    if world == World::Real {
        alarms::raise(&app, Alarm::Enrolled, whose, detail);
    }
    Ok((StatusCode::CREATED, Json(out)))
}

/// A credential that counts back is one of two, and which of both answered nobody knows: natives hear of it.
pub(crate) fn copied(app: &App, identity_id: &IdentityId, authenticator_id: String) -> Problem {
    alarms::raise(app, Alarm::Copied, identity_id.to_hex(), authenticator_id);
    Problem::invalid("", "presence", "the credential has answered more often than it says: there is a copy of it")
}

async fn open(app: &App, id: &Uuid) -> Result<EnrolmentRow, Problem> {
    let row = store::enrolment(app, id).await?.filter(|row| !row.used && app.clock.millis() < row.expires);
    row.ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))
}

/// The authenticators of an identity.
#[utoipa::path(get, path = "/api/v1/presence/authenticators", tag = "presence", params(OfIn),
    responses((status = 200, body = AuthenticatorsOut, description = "They"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json")))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    of: Result<Query<OfIn>, QueryRejection>,
) -> Result<Json<AuthenticatorsOut>, Problem> {
    watch(&app, &caller, "presence: lists authenticators");
    let Query(of) =
        of.map_err(|_| Problem::invalid("query/identity_id", "value", "is to be given, and nothing else"))?;
    let identity_id: IdentityId = id_in_path(&of.identity_id)?;
    caller.own(&identity_id)?;
    let rows = store::of(&app, &identity_id, caller.world).await?;
    Ok(Json(AuthenticatorsOut { items: rows.iter().map(AuthenticatorRow::out).collect() }))
}

/// Removes an authenticator.
#[utoipa::path(delete, path = "/api/v1/presence/authenticators/{authenticator_id}", tag = "presence",
    params(("authenticator_id" = String, Path, description = "Its name")),
    responses((status = 204, description = "It is removed, and its entry stands in the log"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json")))]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(authenticator_id): Path<String>,
) -> Result<StatusCode, Problem> {
    watch(&app, &caller, "presence: removes an authenticator");
    let row =
        store::find(&app, &authenticator_id, caller.world).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    caller.own(&row.identity_id)?;
    app.log.submit(Remove { row, now: app.clock.millis(), terms: Terms::of(&app) }).await?;
    Ok(StatusCode::NO_CONTENT)
}
