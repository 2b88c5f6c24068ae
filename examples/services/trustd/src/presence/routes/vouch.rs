//! An authenticator that is present vouches for a further one.

use super::{copied, open, out, row};
use crate::App;
use crate::alarms::watch;
use crate::presence::answer::{answered, audience};
use crate::presence::rules;
use crate::presence::store::{self, Terms};
use crate::presence::types::{BegunOut, InvitationOut, InviteIn, VouchIn, Voucher};
use crate::presence::verify::counted;
use axum::extract::State;
use http::StatusCode;
use platform::access::Caller;
use platform::problem::{Body, Problem, kinds};
use platform::web::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(vouch_begin)).routes(routes!(vouch_finish))
}

/// Begins the vouching of an authenticator that is present for a further one.
#[utoipa::path(post, path = "/api/v1/presence/vouch/begin", tag = "presence", request_body = InviteIn,
    responses((status = 201, body = BegunOut, description = "What is to be answered: a credential answers SHA-256 \
            over a zero byte and `DOMAIN-PRESENCE::VOUCH::audience::identity_id::statement::nonce`"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn vouch_begin(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<InviteIn>,
) -> Result<(StatusCode, Json<BegunOut>), Problem> {
    watch(&app, &caller, "presence: begins to vouch");
    caller.own(&body.identity_id.0)?;
    let id = Uuid::now_v7();
    let statement = rules::vouching_statement(&id.to_string());
    let row = row(&app, id, (body.identity_id.0, caller.world), None, None, String::new())?;
    store::begin(&app, &row).await?;
    Ok((StatusCode::CREATED, Json(out(&app, &row, statement, None)?)))
}

/// Ends a vouching: the answer is an invitation that may be used.
#[utoipa::path(post, path = "/api/v1/presence/vouch/finish", tag = "presence", request_body = VouchIn,
    responses((status = 201, body = InvitationOut, description = "The invitation, which is told once"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "request-closed", content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field: what answered does not hold",
            content_type = "application/problem+json")))]
async fn vouch_finish(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<VouchIn>,
) -> Result<(StatusCode, Json<InvitationOut>), Problem> {
    watch(&app, &caller, "presence: vouches");
    let row = open(&app, &body.enrolment_id).await?;
    caller.own(&row.identity_id)?;
    if row.kind.is_some() || row.world != caller.world {
        return Err(Problem::new(&kinds::REQUEST_CLOSED));
    }
    let statement = rules::vouching_statement(&row.id.to_string());
    let challenge = rules::vouching_challenge(&app.config.domain, &audience(&app), &row);
    let voucher = answered(&app, &row.asked(&statement), &challenge, (&body.voucher, "/voucher")).await?;
    let now = app.clock.millis();
    let mut tx = app.db.begin().await?;
    if let Voucher::Webauthn { credential } = &body.voucher
        && !store::count(&mut tx, &voucher.id, row.world, counted(credential)).await?
    {
        return Err(copied(&app, &row.identity_id, voucher.id));
    }
    if !store::spend(&Terms::of(&app), &mut tx, &row.id, now).await? {
        return Err(Problem::new(&kinds::REQUEST_CLOSED));
    }
    tx.commit().await?;
    let out = store::invite(&app, (&row.identity_id, row.world), &[caller.subject.to_hex()], Some(&voucher.id)).await?;
    Ok((StatusCode::CREATED, Json(out)))
}
