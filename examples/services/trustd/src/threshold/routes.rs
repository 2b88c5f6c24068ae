//! HTTP, to the others.

use super::in_force::{Sessions, check_key};
use super::types::{
    AckAsk, Acked, CommitAsk, FoundAsk, GiveAsk, Given, OrderAsk, OrderInfo, Poll, PrepareAsk, PreparedInfo,
    QuorumInfo, QuorumQuery, RequestAsk, RequestInfo, SessionInfo, SignAsk, Verified, VerifyAsk,
};
use super::{custody, found, orders, refresh, requests, sign, store, verify};
use crate::App;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dualseal::id::SessionId;
use dualseal::shamir::Index;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::values;
use platform::web::{Json, id_in_path};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The header that names the splitting of a share.
const SPLIT_ID: &str = "split-id";

/// Its addresses.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(found_session))
        .routes(routes!(session))
        .routes(routes!(sign_message))
        .routes(routes!(verify_result))
        .routes(routes!(give_share))
        .routes(routes!(pull_share))
        .routes(routes!(acknowledge_share))
        .routes(routes!(order_older_gone))
        .routes(routes!(quorum))
        .routes(routes!(open_request, poll))
        .routes(routes!(prepare_refresh))
        .routes(routes!(commit_refresh))
        .layer(Extension(Arc::new(Sessions::default())))
}

/// That the module works.
#[derive(Debug, Serialize, ToSchema)]
#[schema(title = "ThresholdHealth")]
pub(crate) struct Health {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Whether the module works: its tables are touched.
#[utoipa::path(get, path = "/api/v1/threshold/health", tag = "threshold", responses(
    (status = 200, description = "It works", body = Health),
    (status = 503, description = "`unhealthy`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    let touched = app.db.find(store::ANY, values![]).await;
    touched.map_err(|error| {
        tracing::error!(%error, "the tables of threshold sessions are not read");
        Problem::new(&kinds::UNHEALTHY)
    })?;
    Ok(Json(Health { status: "ok" }))
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
    let (session, holdings) = custody::visible(&mut tx, &caller, &session_id).await?;
    let record = custody::record_of(&mut tx, &session).await?;
    let is_current = store::is_current(&mut tx, &session).await?;
    tx.roll_back().await?;
    let is_called_back = |problem: Problem| problem.kind() == &kinds::KEY_REVOKED;
    let state = app.log.state().await?;
    let is_over = !is_current || check_key(&record, session.world, state.ring()).is_err_and(is_called_back);
    Ok(Json(custody::info(record, &session.founding, session.state.told(is_over), &holdings)))
}

/// Signs a message with k shares: with those that nodes gave back for a request, or with pairs.
#[utoipa::path(post, path = "/api/v1/threshold/potpisi", tag = "threshold", request_body = SignAsk, responses(
    (status = 201, description = "The result, `ok: true`; `Link` names the place of its entry", body = Object),
    (status = 200, description = "`ok: false`, with `razlog` and `culprits`: nothing was signed", body = Object),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`not-covered-yet`, `request-closed`, `key-revoked`, `key-suspended`, `conflict`",
        body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn sign_message(
    State(app): State<App>,
    Extension(sessions): Extension<Arc<Sessions>>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<SignAsk>,
) -> Result<Response, Problem> {
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
    (status = 409, description = "`not-covered-yet`, `conflict`", body = ProblemBody,
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

/// Takes a share that its node gives back for one request. It is wiped once the request was served, or has expired.
#[utoipa::path(post, path = "/api/v1/threshold/udio", tag = "threshold", request_body = GiveAsk, responses(
    (status = 200, description = "It waits for its request", body = Given),
    (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`request-closed`, `conflict`", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn give_share(State(app): State<App>, caller: Caller, Json(ask): Json<GiveAsk>) -> Result<Json<Given>, Problem> {
    Ok(Json(requests::give(&app, &caller, ask).await?))
}

/// Hands a share to its node, until the node acknowledges it.
#[utoipa::path(get, path = "/api/v1/threshold/udio/{session_id}/{n}", tag = "threshold",
    params(
        ("session_id" = String, Path, description = "The session", pattern = "^[0-9a-f]{64}$"),
        ("n" = u8, Path, description = "The number of the share", minimum = 1, maximum = 255),
    ),
    responses(
        (status = 200, description = "The pair `[indeks, vrijednost_hex]`, with its splitting in the header `Split-Id`; \
            null where the node has it", body = Object, headers(("Split-Id" = String, description = "Its splitting"))),
        (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn pull_share(
    State(app): State<App>,
    caller: Caller,
    Path((session_id, n)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (session_id, number): (SessionId, u8) = (id_in_path(&session_id)?, id_in_path(&n)?);
    let index = Index::new(number.into()).map_err(|_| Problem::new(&kinds::UNKNOWN_ID))?;
    let pulled = custody::pull(&app, &caller, &session_id, index).await?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let Some(share) = pulled else { return Ok((headers, "null").into_response()) };
    let split_id = HeaderValue::try_from(share.split_id().to_hex());
    headers.insert(SPLIT_ID, split_id.map_err(|error| Problem::internal("header", &error))?);
    // Wiped once it was sent.
    let body = Bytes::from_owner(share.to_pair_json());
    Ok((headers, Body::from(body)).into_response())
}

/// That a node has its share. With the last one the service's copies are destroyed; said again, it counts as present.
#[utoipa::path(post, path = "/api/v1/threshold/udio/{session_id}/ack", tag = "threshold", request_body = AckAsk,
    params(("session_id" = String, Path, description = "The session", pattern = "^[0-9a-f]{64}$")),
    responses(
        (status = 200, description = "It is noted", body = Acked),
        (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`: it was not pulled", body = ProblemBody,
            content_type = "application/problem+json"),
        (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn acknowledge_share(
    State(app): State<App>,
    caller: Caller,
    Path(session_id): Path<String>,
    Json(ask): Json<AckAsk>,
) -> Result<Json<Acked>, Problem> {
    let session_id: SessionId = id_in_path(&session_id)?;
    Ok(Json(custody::acknowledge(&app, &caller, &session_id, &ask).await?))
}

/// Gives a node the operator's word that the share which was prepared for it counts, so that it lets go of the older one.
/// Of an HMAC session that was dealt anew only k shares tell that: for some minutes after the commitment the service has
/// them, and later while k nodes have given theirs back for a request.
#[utoipa::path(post, path = "/api/v1/threshold/udio/{session_id}/order", tag = "threshold", request_body = OrderAsk,
    params(("session_id" = String, Path, description = "The session", pattern = "^[0-9a-f]{64}$")),
    responses(
        (status = 200, description = "The word", body = OrderInfo),
        (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`: it does not count, or nothing tells; `not-covered-yet`",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn order_older_gone(
    State(app): State<App>,
    Extension(sessions): Extension<Arc<Sessions>>,
    caller: Caller,
    Path(session_id): Path<String>,
    Json(ask): Json<OrderAsk>,
) -> Result<Json<OrderInfo>, Problem> {
    let session_id: SessionId = id_in_path(&session_id)?;
    Ok(Json(orders::order(&app, &sessions, &caller, &session_id, &ask).await?))
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
    let (session, holdings) = custody::visible(&mut tx, &caller, &session_id).await?;
    let record = custody::record_of(&mut tx, &session).await?;
    tx.roll_back().await?;
    Ok(Json(custody::quorum(&record, &holdings, app.clock.millis())))
}

/// Asks the nodes of a session to give their shares back, once.
#[utoipa::path(post, path = "/api/v1/threshold/requests", tag = "threshold", request_body = RequestAsk, responses(
    (status = 201, description = "The request", body = RequestInfo),
    (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "`conflict`: too many wait", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 422, description = "`invalid-field`", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn open_request(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Json(ask): Json<RequestAsk>,
) -> Result<(StatusCode, Json<RequestInfo>), Problem> {
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

/// Deals the secret anew, to the same nodes or others. What was prepared counts once it is committed; the old shares sign
/// until then.
#[utoipa::path(post, path = "/api/v1/threshold/refresh/prepare", tag = "threshold", request_body = PrepareAsk,
    responses(
        (status = 201, description = "The new shares wait for their nodes", body = PreparedInfo),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`, `request-closed`, `not-covered-yet`, `key-revoked`, `key-suspended`",
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
    Ok((StatusCode::CREATED, Json(refresh::prepare(&app, &sessions, &caller, ask, idempotency).await?)))
}

/// Has what was prepared count, once its nodes have acknowledged their shares.
#[utoipa::path(post, path = "/api/v1/threshold/refresh/commit", tag = "threshold", request_body = CommitAsk,
    responses(
        (status = 200, description = "The session, with the new splitting in force", body = SessionInfo),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`: too few have acknowledged, it has lapsed, or another is in force",
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
    Ok(Json(refresh::commit(&app, &sessions, &caller, ask, idempotency).await?))
}
