//! What nodes call: they poll, pull what waits for them, say what they did with it, ask for the operator's word, and
//! release their shards for a request that they judged.

use super::Shared;
use crate::App;
use crate::alarms::watch;
use crate::orders::operator_key;
use crate::presence;
use crate::qt;
use crate::qt::covered::Told;
use crate::qt::rebuild;
use crate::qt::rules::{CHALLENGE_LIFE, RequestState, ShardState, check_open};
use crate::qt::store::requests::{self, RequestRow};
use crate::qt::store::{self, HeldRow};
use crate::qt::types::{AckIn, AckOut, Asked, OrderIn, OrderOut, PollAuthenticator, PollOut, PollRequest, PollVault};
use crate::qt::vaults;
use crate::qt::work::custody::{self, Ack};
use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::presence::Statement;
use dualseal::shamir::{Index, SplitId};
use dualseal::shard::Shard;
use dualseal::{IdentityId, SystemRng, Timestamp, VaultId};
use http::{HeaderValue, StatusCode, header};
use platform::access::{Caller, World};
use platform::problem::{Body, Problem, kinds};
use platform::web::{Json, Name, id_in_path};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Until when a node keeps a shard that is not put in force.
pub(crate) const KEEP_UNTIL: &str = "keep-until";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(poll))
        .routes(routes!(pull))
        .routes(routes!(acknowledge))
        .routes(routes!(order))
        .routes(routes!(release))
}

/// What waits for the calling node: shards, orders, and requests that people approved.
#[utoipa::path(get, path = "/api/v1/qt/requests", tag = "qt",
    responses((status = 200, body = PollOut, description = "What waits")))]
async fn poll(State(app): State<App>, shared: Shared, caller: Caller) -> Result<Json<PollOut>, Problem> {
    watch(&app, &caller, "polls as a node");
    let (node, world) = (caller.node()?, caller.world);
    if !app.config.read_only {
        qt::sweep(&app, &shared.vault).await?;
    }
    let held = store::held_by(&app.db, node, world).await?;
    let mut by_vault: BTreeMap<VaultId, Vec<&HeldRow>> = BTreeMap::new();
    for row in &held {
        by_vault.entry(row.shard.vault_id).or_default().push(row);
    }
    let key = |row: &HeldRow| vaults::key(&shared.vault.keys.master, world, &row.identity_id);
    let wanted = by_vault.iter().filter_map(|(id, rows)| Some(((*id, world), key(rows.first()?))));
    let wanted: Vec<_> = wanted.collect();
    let covered = match shared.covered.of_all(&app, &wanted).await {
        Err(problem) if problem.kind() == &kinds::NOT_COVERED => HashMap::new(),
        covered => covered?,
    };
    let mut told = Vec::new();
    for (vault_id, rows) in &by_vault {
        told.push(vault(vault_id, rows, covered.get(&(*vault_id, world))));
    }
    let mine: BTreeSet<_> = held.iter().map(|row| row.shard.shard_id).collect();
    let mut asked = Vec::new();
    for row in requests::approved(&app.db, app.clock.millis(), world).await? {
        if row.request.shard_ids.iter().any(|shard_id| mine.contains(shard_id)) && !given(&app, &row, node).await? {
            let RequestRow { id, request, nonce, expiry, .. } = &row;
            let (nonce, expiry, proofs) = (Name(*nonce), Name(*expiry), rebuild::proofs(&app, id).await?);
            asked.push(PollRequest { request_id: *id, request: Asked::of(request), nonce, expiry, proofs });
        }
    }
    let whose: BTreeSet<IdentityId> = held.iter().map(|row| row.identity_id).collect();
    let mut authenticators = Vec::new();
    for identity_id in whose {
        let rows = presence::authenticators_of(&app, &identity_id, world).await?;
        authenticators.extend(rows.into_iter().map(|row| PollAuthenticator {
            identity_id: Name(identity_id),
            kind: row.kind,
            material: row.material,
            entry: row.entry.and_then(|entry| u64::try_from(entry).ok()),
        }));
    }
    Ok(Json(PollOut { vaults: told, requests: asked, authenticators }))
}

async fn given(app: &App, row: &RequestRow, node: &str) -> Result<bool, Problem> {
    Ok(requests::given_in(&app.db, &row.id).await?.iter().any(|given| given.node == node))
}

/// What a node is told of a vault.
fn vault(vault_id: &VaultId, rows: &[&HeldRow], covered: Option<&Told>) -> PollVault {
    let of = |state: ShardState| rows.iter().filter(move |row| row.shard.state == state);
    let waits = of(ShardState::Dealt).chain(of(ShardState::Pulled)).next().is_some();
    let held = of(ShardState::Acknowledged).chain(of(ShardState::Superseded));
    let held = held.map(|row| Name(row.shard.shard_id)).collect();
    let mut told = PollVault { vault_id: Name(*vault_id), split_id: None, told: None, waits, held };
    let Some(Told { splits, at }) = covered else { return told };
    told.told = Some(Name(*at));
    if splits.splits().erased_at().is_some() {
        // Nothing waits any more, and what was pulled and never acknowledged is to be deleted as well.
        told.waits = false;
        told.held.extend(of(ShardState::Pulled).map(|row| Name(row.shard.shard_id)));
        told.split_id = Some(Name(SplitId::from_bytes([0; 32])));
    } else {
        told.split_id = splits.in_force().ok().map(|split| Name(*split.split_id()));
    }
    told
}

/// A node fetches its shard: the library's record of it. The same again until the node says that it holds it.
#[utoipa::path(get, path = "/api/v1/qt/shard/{vault_id}", tag = "qt",
    params(("vault_id" = String, Path, description = "The vault")),
    responses((status = 200, description = "The shard", content_type = "application/json",
            headers(("keep-until" = String, description = "Until when it is kept if it is not put in force"))),
        (status = 404, body = Body, description = "unknown-id: no shard of it is this node's",
            content_type = "application/problem+json"),
        (status = 409, body = Body, description = "in-custody: the node has it; erased",
            content_type = "application/problem+json")))]
async fn pull(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    Path(vault_id): Path<String>,
) -> Result<Response, Problem> {
    watch(&app, &caller, "pulls a shard");
    let (line, node) = ((id_in_path(&vault_id)?, caller.world), caller.node()?.to_owned());
    let pulled = custody::pull(&app, &shared.vault, node, line).await?;
    let until = Timestamp::from_millis(pulled.until)?.to_string();
    let mut response = HttpBody::from(Bytes::from_owner(pulled.shard)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(KEEP_UNTIL, HeaderValue::from_str(&until).map_err(|error| Problem::internal("qt", &error))?);
    Ok(response)
}

/// A node says that it holds its shard, or that it deleted it.
#[utoipa::path(post, path = "/api/v1/qt/shard/{vault_id}/ack", tag = "qt", request_body = AckIn,
    params(("vault_id" = String, Path, description = "The vault")),
    responses((status = 200, body = AckOut, description = "What became of the shard"),
        (status = 404, body = Body, description = "unknown-id: it is not this node's",
            content_type = "application/problem+json"),
        (status = 409, body = Body, description = "conflict: it was not pulled",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn acknowledge(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    Path(vault_id): Path<String>,
    Json(body): Json<AckIn>,
) -> Result<Json<AckOut>, Problem> {
    watch(&app, &caller, "acknowledges a shard");
    let (line, node) = ((id_in_path(&vault_id)?, caller.world), caller.node()?.to_owned());
    let AckIn { shard_id, said } = body;
    let (owners, now) = (shared.vault.owners.clone(), app.clock.millis());
    let ack = Ack { owners, node, line, shard_id: shard_id.0, said, now };
    custody::acknowledge(&app, ack).await.map(Json)
}

/// A node asks for the operator's word on which split counts, so that it deletes the others: signed for this node and
/// its nonce alone, and only as a checkpoint shows it.
#[utoipa::path(post, path = "/api/v1/qt/shard/{vault_id}/order", tag = "qt", request_body = OrderIn,
    params(("vault_id" = String, Path, description = "The vault")),
    responses((status = 200, body = OrderOut, description = "The word"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "not-covered-yet", content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn order(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    Path(vault_id): Path<String>,
    Json(body): Json<OrderIn>,
) -> Result<Json<OrderOut>, Problem> {
    watch(&app, &caller, "asks for an order");
    let (vault_id, node): (VaultId, _) = (id_in_path(&vault_id)?, caller.node()?);
    let (line, rows) = ((vault_id, caller.world), store::held_by(&app.db, node, caller.world).await?);
    let row = rows.iter().find(|row| row.shard.vault_id == vault_id).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let key = vaults::key(&shared.vault.keys.master, caller.world, &row.identity_id);
    let covered = shared.covered.of(&app, &line, &key).await?.splits;
    let split_id = match covered.splits().erased_at() {
        Some(_) => SplitId::from_bytes([0; 32]),
        None => *rebuild::in_force(&covered)?.split_id(),
    };
    let statement = Statement::drop_older(node, &covered)?;
    let expiry = Timestamp::from_millis(app.clock.millis() + CHALLENGE_LIFE)?;
    let operator = match caller.world {
        World::Real => operator_key(&app).await?,
        // By the operator's word a node would delete its real shard, for another split of the same vault.
        World::Decoy => Ed25519SigningKey::generate(&mut SystemRng)?,
    };
    let signature = statement.sign(app.log.domain(), &body.nonce.0, expiry, &operator);
    Ok(Json(OrderOut { split_id: Name(split_id), expiry: Name(expiry), signature: signature.to_string() }))
}

/// A node releases its shard for a request that it judged: the library's record of it. What it is not is noted.
#[utoipa::path(post, path = "/api/v1/qt/requests/{request_id}/shards", tag = "qt",
    params(("request_id" = String, Path, description = "The request")),
    request_body(content = Object, content_type = "application/json", description = "The shard"),
    responses((status = 204, description = "It is kept, sealed, until the request ends"),
        (status = 404, body = Body, description = "unknown-id: the request names no shard of this node",
            content_type = "application/problem+json"),
        (status = 409, body = Body, description = "request-closed", content_type = "application/problem+json")))]
async fn release(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    Path(request_id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    watch(&app, &caller, "releases a shard");
    let (id, node): (Uuid, _) = (id_in_path(&request_id)?, caller.node()?);
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    let row = requests::find(&app.db, &id).await?.filter(|row| row.world == caller.world).ok_or_else(unknown)?;
    let shards = store::shards_in(&app.db, &row.split_id).await?;
    let named = |shard: &&store::ShardRow| shard.node == node && row.request.shard_ids.contains(&shard.shard_id);
    let asked = shards.iter().find(named).ok_or_else(unknown)?;
    check_open(row.state, row.expiry.as_millis(), app.clock.millis())?;
    if row.state != RequestState::Approved {
        return Err(Problem::new(&kinds::CONFLICT).detail("nobody has approved it yet"));
    }
    // Whatever came, it is kept under the number that was asked for, so that junk names who sent it.
    let shard = Shard::pulled(asked.shard_id, Index::new(asked.index.into())?, &body);
    let key = vaults::key(&shared.vault.keys.master, row.world, &row.identity_id);
    let holds = shard.verify(app.log.domain(), &key).is_ok();
    if !holds {
        tracing::warn!(request = %id, node, shard = %asked.shard_id, "a node gave something else than its shard");
    }
    let key = requests::key(&app, &shared.vault, &row).await?;
    let mut tx = app.db.begin().await?;
    requests::give(&mut tx, &key, &id, &asked.shard_id, shard.to_json().as_bytes(), holds).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
