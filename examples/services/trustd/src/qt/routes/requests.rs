//! Rebuilding: opened by a native, approved by people of the identity, fetched once by the opener.

use super::{Shared, told};
use crate::App;
use crate::alarms::watch;
use crate::presence;
use crate::presence::copied;
use crate::presence::types::Proof;
use crate::presence::verify::counted;
use crate::qt::rebuild::{self, Opening};
use crate::qt::rules::{RequestState, check_open};
use crate::qt::store::requests::{self, RequestRow};
use crate::qt::store::waiting as rows;
use crate::qt::types::{ReconstructIn, RequestOut};
use crate::qt::vaults;
use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dualseal::presence::{Challenge, PresenceVerifier as _};
use dualseal::shard::{Arguments, Operation, ShardId};
use http::{HeaderValue, StatusCode, header};
use platform::access::{Caller, Tier, World};
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body, Problem, kinds};
use platform::web::{Json, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;
use zeroize::Zeroizing;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(reconstruct))
        .routes(routes!(waiting))
        .routes(routes!(show))
        .routes(routes!(prove))
        .routes(routes!(document))
}

/// Opens a request to rebuild a vault: people of its identity approve it, then nodes release their shards.
#[utoipa::path(post, path = "/api/v1/qt/reconstruct", tag = "qt", request_body = ReconstructIn,
    responses((status = 201, body = RequestOut, description = "The request, with the challenge that people answer"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "erased, not-covered-yet", content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn reconstruct(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    Json(body): Json<ReconstructIn>,
) -> Result<(StatusCode, Json<RequestOut>), Problem> {
    watch(&app, &caller, "asks for the shards of a vault");
    let opening = Opening {
        kept: vaults::find(&app, &caller, &body.vault_id.0, &body.identity_id.0).await?,
        operation: Operation::Rebuild,
        arguments: Arguments::default(),
        shard_ids: body.shard_ids.iter().map(|shard_id| shard_id.0).collect(),
        opener: caller,
    };
    let row = rebuild::open(&app, &shared, opening).await?;
    Ok((StatusCode::CREATED, Json(told(&app, &row).await?)))
}

async fn find(app: &App, caller: &Caller, id: &str) -> Result<RequestRow, Problem> {
    watch(app, caller, "looks at a request for shards");
    let id: Uuid = id_in_path(id)?;
    let row = requests::find(&app.db, &id).await?.filter(|row| row.world == caller.world);
    let row = row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    caller.own(&row.identity_id)?;
    Ok(row)
}

/// The requests that wait for people of one's own identity, or to a native of any, newest first.
#[utoipa::path(get, path = "/api/v1/qt/requests/open", tag = "qt", params(PageQuery),
    responses((status = 200, body = Listed<RequestOut>, description = "A page"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn waiting(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<RequestOut>, Problem> {
    watch(&app, &caller, "lists requests for shards");
    let after: Option<(i64, String)> = page.after()?;
    let (opened, id) = after.unwrap_or((i64::MAX, String::new()));
    let owner = (caller.tier < Tier::Native).then_some(&caller.subject);
    let rows = rows::page(&app.db, (app.clock.millis(), caller.world), owner, (opened, &id), page.ask()).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        items.push(told(&app, row).await?);
    }
    page.list(items, |request| (request.opened.0.as_millis(), request.request_id.to_string()))
}

/// A request: what is asked, how many approved it, and what nodes released.
#[utoipa::path(get, path = "/api/v1/qt/requests/{request_id}", tag = "qt",
    params(("request_id" = String, Path, description = "The request")),
    responses((status = 200, body = RequestOut, description = "The request"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json")))]
async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(request_id): Path<String>,
) -> Result<Json<RequestOut>, Problem> {
    if !app.config.read_only {
        requests::sweep(&app).await?;
    }
    let row = find(&app, &caller, &request_id).await?;
    Ok(Json(told(&app, &row).await?))
}

/// Approves a request by an authenticator that is present: for exactly what it asks, and for 300 seconds.
#[utoipa::path(post, path = "/api/v1/qt/requests/{request_id}/proofs", tag = "qt", request_body = Proof,
    params(("request_id" = String, Path, description = "The request")),
    responses((status = 200, body = RequestOut, description = "The request, with this proof"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "request-closed", content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field: the proof does not count for this request",
            content_type = "application/problem+json")))]
async fn prove(
    State(app): State<App>,
    caller: Caller,
    Path(request_id): Path<String>,
    Json(proof): Json<Proof>,
) -> Result<Json<RequestOut>, Problem> {
    let row = find(&app, &caller, &request_id).await?;
    check_open(row.state, row.expiry.as_millis(), app.clock.millis())?;
    let authenticators = presence::counting(&app, &row.identity_id, row.world).await?;
    let domain = app.log.domain();
    let challenge = Challenge::new(domain, &row.request, &row.nonce, row.expiry);
    let by = authenticators.verify(domain, &row.identity_id, &challenge, &proof);
    let by = by.ok_or_else(|| {
        Problem::invalid("", "presence", "no authenticator that counts made this proof for this request")
    })?;
    let text = serde_json::to_string(&proof).map_err(|error| Problem::internal("qt", &error))?;
    let by = ShardId::from_bytes(by).to_hex();
    let mut tx = app.db.begin().await?;
    let is_new = requests::prove(&mut tx, &row, &by, &text).await?;
    if let (Proof::Webauthn { credential }, true) = (&proof, is_new)
        && !presence::count(&mut tx, &by, row.world, counted(credential)).await?
    {
        return Err(copied(&app, &row.identity_id, by));
    }
    tx.commit().await?;
    let row = find(&app, &caller, &request_id).await?;
    Ok(Json(told(&app, &row).await?))
}

/// Rebuilds the secret from what nodes released, opens the document with it, and gives the document to whoever opened
/// the request: once, and never the secret.
#[utoipa::path(get, path = "/api/v1/qt/requests/{request_id}/document", tag = "qt",
    params(("request_id" = String, Path, description = "The request")),
    responses((status = 200, description = "The document", content_type = "application/octet-stream"),
        (status = 404, body = Body, description = "unknown-id: or another opened it",
            content_type = "application/problem+json"),
        (status = 409, body = Body, description = "conflict: too few proofs or shards yet; request-closed; erased",
            content_type = "application/problem+json")))]
async fn document(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    Path(request_id): Path<String>,
) -> Result<Response, Problem> {
    let row = find(&app, &caller, &request_id).await?;
    if row.opener != caller.subject || row.request.operation != Operation::Rebuild {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    check_open(row.state, row.expiry.as_millis(), app.clock.millis())?;
    debug_assert!(RequestState::Approved.may_become(RequestState::Used));
    let (id, vault_id, identity_id) = (row.id, row.vault_id, row.identity_id);
    let kept = vaults::find(&app, &caller, &vault_id, &identity_id).await?;
    // Every layer passes before the nonce is spent.
    let judged = match caller.world {
        World::Real => Some(vaults::verified(&app, &shared, &kept).await?),
        World::Decoy => vaults::judged(&app, &shared, &kept).await.map(|()| None)?,
    };
    let gathered = rebuild::gather(&app, &shared, row).await?;
    let rebuilt = gathered
        .rebuild(&app, |_, rebuilding, request, shards, gate, now| rebuilding.rebuild(request, shards, gate, now));
    let rebuilt = rebuilt.await?;
    let opened = match judged {
        Some((record, stored)) => {
            let open = move || vaults::open(&record, &rebuilt.secret, &stored);
            let opened = tokio::task::spawn_blocking(open).await;
            opened.map_err(|error| Problem::internal("qt", &error))?.map(|document| Zeroizing::new(document.to_vec()))
        }
        None => vaults::shown(&app, &shared, &caller, &vault_id).await,
    };
    rebuild::close(&app, &id, &vault_id, &identity_id).await?;
    let mut response = HttpBody::from(Bytes::from_owner(opened?)).into_response();
    let kind = HeaderValue::from_static("application/octet-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}
