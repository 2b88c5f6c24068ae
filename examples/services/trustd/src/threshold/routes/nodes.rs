//! Shares that nodes pull, acknowledge and give back.

use crate::App;
use crate::alarms::watch;
use crate::threshold::in_force::Sessions;
use crate::threshold::types::{AckAsk, Acked, GiveAsk, Given, OrderAsk, OrderInfo, Pair};
use crate::threshold::{custody, orders, requests};
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dualseal::id::SessionId;
use dualseal::shamir::Index;
use http::{HeaderMap, HeaderValue, header};
use platform::access::Caller;
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, id_in_path};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The header that names the splitting of a share.
const SPLIT_ID: &str = "split-id";

/// Its addresses.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(give_share))
        .routes(routes!(pull_share))
        .routes(routes!(acknowledge_share))
        .routes(routes!(order_older_gone))
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
    watch(&app, &caller, "gives a share back");
    Ok(Json(requests::give(&app, &caller, ask).await?))
}

/// Hands a share to its node, until the node acknowledges it.
#[utoipa::path(get, path = "/api/v1/threshold/udio/{session_id}/{n}", tag = "threshold",
    params(
        ("session_id" = String, Path, description = "The session", pattern = "^[0-9a-f]{64}$"),
        ("n" = u8, Path, description = "The number of the share", minimum = 1, maximum = 255),
    ),
    responses(
        (status = 200, description = "The pair `[indeks, vrijednost_hex]`, and its splitting in the header; null where \
            the node has it", body = Option<Pair>, headers(("Split-Id" = String, description = "Its splitting"))),
        (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
    ))]
async fn pull_share(
    State(app): State<App>,
    caller: Caller,
    Path((session_id, n)): Path<(String, String)>,
) -> Result<Response, Problem> {
    watch(&app, &caller, "pulls a share");
    let (session_id, number): (SessionId, u8) = (id_in_path(&session_id)?, id_in_path(&n)?);
    // One number has one address: `+1` and `01` are none.
    let index = Index::new(number.into()).ok().filter(|index| index.to_string() == n);
    let index = index.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
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
    watch(&app, &caller, "acknowledges a share");
    let session_id: SessionId = id_in_path(&session_id)?;
    Ok(Json(custody::acknowledge(&app, &caller, &session_id, &ask).await?))
}

/// Gives a node the operator's word that the share which was prepared for it counts: it lets go of the older one then.
/// It is given once the refresh was committed and a checkpoint covers that, and for the splitting in force alone.
#[utoipa::path(post, path = "/api/v1/threshold/udio/{session_id}/order", tag = "threshold", request_body = OrderAsk,
    params(("session_id" = String, Path, description = "The session", pattern = "^[0-9a-f]{64}$")),
    responses(
        (status = 200, description = "The word", body = OrderInfo),
        (status = 403, description = "`not-this-node`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`unknown-id`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`conflict`: it does not count, or no more; `not-covered-yet`, `log-ended`",
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
    watch(&app, &caller, "asks for an order");
    let session_id: SessionId = id_in_path(&session_id)?;
    Ok(Json(orders::order(&app, &sessions, &caller, &session_id, &ask).await?))
}
