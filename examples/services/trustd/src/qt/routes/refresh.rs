//! The same secret dealt anew: prepared, acknowledged by the new nodes, and put in force by one entry.

use super::split::{deal_kept, row};
use super::{Shared, told};
use crate::App;
use crate::alarms::watch;
use crate::qt::rebuild::{self, Opening};
use crate::qt::rules;
use crate::qt::store::{self, requests};
use crate::qt::types::{CommitIn, PrepareIn, PreparedOut, SplitIn, SplitOut};
use crate::qt::vaults;
use crate::qt::work::commit::{self, Commit};
use crate::qt::work::deal::{Dealt, deal};
use axum::extract::State;
use dualseal::SystemRng;
use dualseal::shard::{Arguments, Dealer, Operation, Prepared};
use http::StatusCode;
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::problem::{Body, Problem, kinds};
use platform::web::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(prepare)).routes(routes!(commit))
}

/// Prepares a new split of a vault: its shards wait for their nodes, and the split in force rebuilds until it is
/// committed. It takes the place of what was prepared before, and counts for nothing after 24 hours. Where the nodes
/// alone have the secret, the first call opens a request for their shards, and a second one with its `request_id` deals
/// when they answered.
#[utoipa::path(post, path = "/api/v1/qt/refresh/prepare", tag = "qt", request_body = PrepareIn,
    responses((status = 201, body = PreparedOut, description = "The split that was prepared"),
        (status = 202, body = PreparedOut, description = "The request that people approve and nodes answer first"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "conflict, request-closed, erased, not-covered-yet",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn prepare(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<PrepareIn>,
) -> Result<(StatusCode, Json<PreparedOut>), Problem> {
    watch(&app, &caller, "prepares another split");
    let PrepareIn { vault_id, identity_id, m, node_urls, request_id } = body;
    let (world, kept) = (caller.world, vaults::find(&app, &caller, &vault_id.0, &identity_id.0).await?);
    let source = vaults::kept_secret(&app, &shared, world, &kept).await?;
    let key = vaults::key(&shared.vault.keys.master, world, &identity_id.0);
    let (before, _) = rebuild::current(&app, &(vault_id.0, world)).await?;
    let m = m.unwrap_or(before.m);
    let mut tx = app.db.snapshot().await?;
    rules::check_split(m, &node_urls, &store::nodes(&mut tx, app.authority.tags()).await?)?;
    tx.roll_back().await?;
    let n = u8::try_from(node_urls.len()).unwrap_or(u8::MAX);
    let (operation, arguments) = if (m, n) == (before.m, before.n) {
        (Operation::Refresh, Arguments { node_urls: Some(node_urls.clone()), ..Arguments::default() })
    } else {
        let node_urls = Some(node_urls.clone());
        (Operation::Rethreshold, Arguments { index: None, m: Some(m), n: Some(n), node_urls })
    };
    let custody = source.is_none();
    let prepared = match (source, request_id) {
        (Some(source), _) => {
            let dealer = vaults::dealer(&shared, world, &kept, (m, &node_urls))?;
            deal_kept(&app, &shared, &kept, (dealer, source), Some(before.split_id)).await?
        }
        (None, None) => {
            let opening = Opening { kept, operation, arguments, shard_ids: Vec::new(), opener: caller };
            let request = rebuild::open(&app, &shared, opening).await?;
            let request = Some(told(&app, &request).await?);
            return Ok((StatusCode::ACCEPTED, Json(PreparedOut { split: None, request })));
        }
        (None, Some(id)) => {
            let row = requests::find(&app.db, &id).await?;
            let row = row.filter(|row| row.opener == caller.subject && row.line() == (vault_id.0, world));
            let row = row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
            let dealer = vaults::dealer(&shared, world, &kept, (m, &node_urls))?;
            let gathered = rebuild::gather(&app, &shared, row).await?;
            let prepared = again(&app, gathered, operation, dealer).await?;
            rebuild::close(&app, &id, &vault_id.0, &identity_id.0).await?;
            prepared
        }
    };
    let split = SplitIn { vault_id, identity_id, m, n, node_urls };
    let row = row(&app, (&split, world), Some(before.split_id), &prepared, custody);
    let dealt = Dealt { key, split: row, prepared };
    let split = Some(deal(&app, &shared, dealt, &idempotency).await?);
    Ok((StatusCode::CREATED, Json(PreparedOut { split, request: None })))
}

async fn again(
    app: &App,
    gathered: rebuild::Gathered,
    operation: Operation,
    dealer: Dealer,
) -> Result<Prepared, Problem> {
    let prepared = gathered.rebuild(app, move |_, rebuilding, request, shards, gate, now| {
        let rng = &mut SystemRng;
        match operation {
            Operation::Refresh => rebuilding.refresh(request, shards, &dealer, gate, now, rng),
            _ => rebuilding.rethreshold(request, shards, &dealer, gate, now, rng),
        }
    });
    prepared.await
}

/// Puts a prepared split in force, when its nodes hold their shards.
#[utoipa::path(post, path = "/api/v1/qt/refresh/commit", tag = "qt", request_body = CommitIn,
    responses((status = 200, body = SplitOut, description = "The split is in force"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body,
            description = "conflict: too few nodes hold theirs, another is in force, or its time is over",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn commit(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<CommitIn>,
) -> Result<Json<SplitOut>, Problem> {
    watch(&app, &caller, "puts another split in force");
    let CommitIn { vault_id, split_id, najmanje } = body;
    let mut tx = app.db.snapshot().await?;
    let split = store::split(&mut tx, &split_id.0).await?.filter(|split| split.line() == (vault_id.0, caller.world));
    tx.roll_back().await?;
    let split = split.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    vaults::find(&app, &caller, &vault_id.0, &split.identity_id).await?;
    let key = vaults::key(&shared.vault.keys.master, split.world, &split.identity_id);
    let covered = shared.covered.nearly_all(&app, &split.line(), &key).await?;
    let commit = Commit {
        owners: shared.vault.owners.clone(),
        key,
        covered,
        line: split.line(),
        split_id: split_id.0,
        least: najmanje,
        now: app.clock.millis(),
        idempotency,
    };
    Ok(Json(commit::commit(&app, commit).await?))
}
