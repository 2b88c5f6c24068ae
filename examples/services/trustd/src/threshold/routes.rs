//! HTTP, to the others.
//!
//! | file | what it is |
//! |---|---|
//! | `nodes` | shares that nodes pull, acknowledge and give back |

mod nodes;

use super::in_force::{Sessions, check_key};
use super::types::{
    CommitAsk, FoundAsk, Poll, PrepareAsk, PreparedInfo, QuorumInfo, QuorumQuery, RequestAsk, RequestInfo, SessionInfo,
    SignAsk, Verified, VerifyAsk,
};
use super::{found, refresh, requests, shown, sign, store, verify};
use crate::App;
use crate::alarms::watch;
use crate::health::{self, Health};
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use dualseal::id::SessionId;
use http::{HeaderValue, StatusCode, header};
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, id_in_path};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Its addresses.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(found_session))
        .routes(routes!(session))
        .routes(routes!(sign_message))
        .routes(routes!(verify_result))
        .routes(routes!(quorum))
        .routes(routes!(open_request, poll))
        .routes(routes!(prepare_refresh))
        .routes(routes!(commit_refresh))
        .merge(nodes::router())
        .layer(Extension(Arc::new(Sessions::default())))
}

/// Whether the module works: its tables are touched.
#[utoipa::path(get, path = "/api/v1/threshold/health", tag = "threshold", responses(
    (status = 200, description = "It works", body = Health),
    (status = 503, description = "`unhealthy`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Founds a session: its secret is drawn, and n shares wait sealed until their nodes pull them.
#[utoipa::path(post, path = "/api/v1/threshold/sesija", tag = "threshold", request_body = FoundAsk, responses(
    (status = 201, description = "The session, and no share", body = SessionInfo),
    (status = 409, description = "`conflict`: the identity has a key already", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn found_session(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<FoundAsk>,
) -> Result<(StatusCode, Json<SessionInfo>), Problem> {
    watch(&app, &caller, "founds a threshold session");
    Ok((StatusCode::CREATED, Json(found::found(&app, &caller, ask, idempotency).await?)))
}

/// A session: to its founder, its custodians and natives.
#[utoipa::path(get, path = "/api/v1/threshold/sesija/{session_id}", tag = "threshold",
    params(("session_id" = String, Path, description = "The session", pattern = "^[0-9a-f]{64}$")),
    responses(
        (status = 200, description = "The session", body = SessionInfo),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn session(
    State(app): State<App>,
    caller: Caller,
    Path(session_id): Path<String>,
) -> Result<Json<SessionInfo>, Problem> {
    let session_id: SessionId = id_in_path(&session_id)?;
    let mut tx = app.db.snapshot().await?;
    let (session, holdings) = shown::visible(&mut tx, &caller, &session_id).await?;
    let record = shown::record_of(&mut tx, &session).await?;
    let is_current = store::is_current(&mut tx, &session).await?;
    tx.roll_back().await?;
    let is_called_back = |problem: Problem| problem.kind() == &kinds::KEY_REVOKED;
    let state = app.log.state().await?;
    let is_over = !is_current || check_key(&record, session.world, state.ring()).is_err_and(is_called_back);
    Ok(Json(shown::info(record, &session.founding, session.state.told(is_over), &holdings)))
}

/// Signs a message with k shares: with those that nodes gave back for a request, or with pairs.
#[utoipa::path(post, path = "/api/v1/threshold/potpisi", tag = "threshold", request_body = SignAsk, responses(
    (status = 201, description = "The result, `ok: true`; `Link` names the place of its entry", body = Object),
    (status = 200, description = "`ok: false`, with `razlog` and `culprits`: nothing was signed", body = Object),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`not-covered-yet`, `request-closed`, `key-revoked`, `key-suspended`, `log-ended`, \
        `conflict`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn sign_message(
    State(app): State<App>,
    Extension(sessions): Extension<Arc<Sessions>>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<SignAsk>,
) -> Result<Response, Problem> {
    watch(&app, &caller, "signs with a threshold session");
    let answered = sign::sign(&app, &sessions, &caller, ask, idempotency).await?;
    let json = Json(answered.result);
    let Some(seq) = answered.seq else { return Ok(json.into_response()) };
    let link = format!("</api/v1/log/proof/{seq}>; rel=\"place\"");
    let link = HeaderValue::try_from(link).map_err(|error| Problem::internal("link", &error))?;
    Ok((StatusCode::CREATED, [(header::LINK, link)], json).into_response())
}

/// Verifies a result: of an ML-DSA session by its key, of an HMAC session with k shares.
#[utoipa::path(post, path = "/api/v1/threshold/provjeri", tag = "threshold", request_body = VerifyAsk, responses(
    (status = 200, description = "What it came to", body = Verified),
    (status = 403, description = "`hmac-verification-off`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`not-covered-yet`, `log-ended`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn verify_result(
    State(app): State<App>,
    Extension(sessions): Extension<Arc<Sessions>>,
    Json(ask): Json<VerifyAsk>,
) -> Result<Json<Verified>, Problem> {
    Ok(Json(verify::verify(&app, &sessions, ask).await?))
}

/// Who of a session is there, and whether k can be had: to its founder, its custodians and natives.
#[utoipa::path(get, path = "/api/v1/threshold/borg/kvorum", tag = "threshold", params(QuorumQuery), responses(
    (status = 200, description = "Who is there", body = QuorumInfo),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn quorum(
    State(app): State<App>,
    caller: Caller,
    query: Result<Query<QuorumQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<QuorumInfo>, Problem> {
    let Query(query) = query.map_err(|wrong| Problem::invalid("query/session_id", "value", wrong.body_text()))?;
    let session_id: SessionId = id_in_path(&query.session_id)?;
    let mut tx = app.db.snapshot().await?;
    let (session, holdings) = shown::visible(&mut tx, &caller, &session_id).await?;
    let record = shown::record_of(&mut tx, &session).await?;
    tx.roll_back().await?;
    Ok(Json(shown::quorum(&record, &holdings, app.clock.millis())))
}

/// Asks the nodes of a session to give their shares back, once.
#[utoipa::path(post, path = "/api/v1/threshold/requests", tag = "threshold", request_body = RequestAsk, responses(
    (status = 201, description = "The request", body = RequestInfo),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`conflict`: too many wait; `log-ended`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn open_request(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<RequestAsk>,
) -> Result<(StatusCode, Json<RequestInfo>), Problem> {
    watch(&app, &caller, "asks for shares");
    Ok((StatusCode::CREATED, Json(requests::open(&app, &caller, ask, idempotency).await?)))
}

/// What waits for the calling node: at most 100 shares to pull, and requests for at most 32 of those that it has.
#[utoipa::path(get, path = "/api/v1/threshold/requests", tag = "threshold", responses(
    (status = 200, description = "What waits", body = Poll),
    (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn poll(State(app): State<App>, caller: Caller) -> Result<Json<Poll>, Problem> {
    Ok(Json(requests::poll(&app, &caller).await?))
}

/// Deals the secret anew, to the same nodes or others. What was prepared counts once it is committed; the old shares
/// sign until then.
#[utoipa::path(post, path = "/api/v1/threshold/refresh/prepare", tag = "threshold", request_body = PrepareAsk,
    responses(
        (status = 201, description = "The new shares wait for their nodes", body = PreparedInfo),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`, `request-closed`, `not-covered-yet`, `log-ended`, `key-revoked`, \
            `key-suspended`",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn prepare_refresh(
    State(app): State<App>,
    Extension(sessions): Extension<Arc<Sessions>>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<PrepareAsk>,
) -> Result<(StatusCode, Json<PreparedInfo>), Problem> {
    watch(&app, &caller, "prepares shares anew");
    Ok((StatusCode::CREATED, Json(refresh::prepare(&app, &sessions, &caller, ask, idempotency).await?)))
}

/// Has what was prepared count, once its nodes have acknowledged their shares.
#[utoipa::path(post, path = "/api/v1/threshold/refresh/commit", tag = "threshold", request_body = CommitAsk,
    responses(
        (status = 200, description = "The session, with the new splitting in force", body = SessionInfo),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`: too few have acknowledged, it has lapsed, or another is in force; \
            `log-ended`",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn commit_refresh(
    State(app): State<App>,
    Extension(sessions): Extension<Arc<Sessions>>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<CommitAsk>,
) -> Result<Json<SessionInfo>, Problem> {
    watch(&app, &caller, "puts shares in force");
    Ok(Json(refresh::commit(&app, &sessions, &caller, ask, idempotency).await?))
}
