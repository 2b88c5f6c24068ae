//! Splits: dealt, listed, verified.

use super::Shared;
use crate::App;
use crate::alarms::watch;
use crate::health::{self, Health};
use crate::qt::rules::{self, COMMIT_LIFE, KEPT_AFTER, SplitState};
use crate::qt::store::{self, SplitRow};
use crate::qt::types::{SplitIn, SplitOut, VerifyIn, VerifyOut};
use crate::qt::work::deal::{Dealt, deal, out};
use crate::qt::{
    Known,
    vaults::{self, Source},
};
use crate::vault::Kept;
use axum::extract::State;
use dualseal::SystemRng;
use dualseal::shamir::{DrawnSecret, SplitId};
use dualseal::shard::{Dealer, Prepared, verify_shard_seal};
use http::StatusCode;
use platform::access::{Caller, Tier, World};
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body, Problem, kinds};
use platform::web::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(split)).routes(routes!(vaults_)).routes(routes!(verify))
}

/// Whether the module works: its tables answer.
#[utoipa::path(get, path = "/api/v1/qt/health", tag = "qt",
    responses((status = 200, body = Health, description = "It works"),
        (status = 503, body = Body, description = "unhealthy", content_type = "application/problem+json")))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Deals the secret that the service keeps: its document is opened, which shows that it is its secret.
pub(super) async fn deal_kept(
    app: &App,
    known: &Known,
    kept: &Kept,
    (dealer, source): (Dealer, Source),
    previous: Option<SplitId>,
) -> Result<Prepared, Problem> {
    let dealt = match source {
        Source::Kept(secret) => {
            let (record, stored) = vaults::verified(app, known, kept).await?;
            tokio::task::spawn_blocking(move || {
                dealer.prepare_kept(&record, &secret, &stored, previous.as_ref(), &mut SystemRng)
            })
        }
        Source::Drawn => {
            vaults::judged(app, known, kept).await?;
            tokio::task::spawn_blocking(move || {
                dealer.prepare(&DrawnSecret::draw(&mut SystemRng)?, previous.as_ref(), &mut SystemRng)
            })
        }
    };
    Ok(dealt.await.map_err(|error| Problem::internal("qt", &error))??)
}

/// The row of a split that was dealt.
pub(super) fn row(
    app: &App,
    (split, world): (&SplitIn, World),
    previous: Option<SplitId>,
    prepared: &Prepared,
    custody: bool,
) -> SplitRow {
    let created = app.clock.millis();
    SplitRow {
        split_id: *prepared.preparation.split_id(),
        vault_id: split.vault_id.0,
        identity_id: split.identity_id.0,
        m: split.m,
        n: split.n,
        previous,
        state: if previous.is_some() { SplitState::Prepared } else { SplitState::Force },
        custody,
        seq: None,
        until: created + COMMIT_LIFE + KEPT_AFTER,
        created,
        world,
    }
}

/// Splits the secret of a document among nodes, which pull their shards.
#[utoipa::path(post, path = "/api/v1/qt/split", tag = "qt", request_body = SplitIn,
    responses((status = 201, body = SplitOut, description = "The split is in force; its shards wait for their nodes"),
        (status = 404, body = Body, description = "unknown-id", content_type = "application/problem+json"),
        (status = 409, body = Body, description = "conflict: it is split already; in-custody; erased; not-covered-yet",
            content_type = "application/problem+json"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn split(
    State(app): State<App>,
    shared: Shared,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<SplitIn>,
) -> Result<(StatusCode, Json<SplitOut>), Problem> {
    watch(&app, &caller, "splits a vault");
    if usize::from(body.n) != body.node_urls.len() {
        return Err(Problem::invalid("/n", "range", "is not the number of nodes"));
    }
    let mut tx = app.db.snapshot().await?;
    rules::check_split(body.m, &body.node_urls, &store::nodes(&mut tx, app.authority.tags()).await?)?;
    let there = store::in_force(&mut tx, &(body.vault_id.0, caller.world)).await?;
    tx.roll_back().await?;
    let kept = vaults::find(&app, &caller, &body.vault_id.0, &body.identity_id.0).await?;
    if there.is_some() {
        return Err(Problem::new(&kinds::CONFLICT).detail("the vault is split already: refresh it"));
    }
    let world = caller.world;
    let source = vaults::kept_secret(&app, &shared, world, &kept).await?;
    let source = source.ok_or_else(|| Problem::new(&kinds::IN_CUSTODY))?;
    let dealer = vaults::dealer(&shared, world, &kept, (body.m, &body.node_urls))?;
    let prepared = deal_kept(&app, &shared, &kept, (dealer, source), None).await?;
    let key = vaults::key(&shared.vault.keys.master, world, &body.identity_id.0);
    let row = row(&app, (&body, world), None, &prepared, false);
    let dealt = Dealt { key, split: row, prepared };
    Ok((StatusCode::CREATED, Json(deal(&app, &shared, dealt, &idempotency).await?)))
}

/// The splits of one's own vaults, or to a native of all, newest first.
#[utoipa::path(get, path = "/api/v1/qt/vaults", tag = "qt", params(PageQuery),
    responses((status = 200, body = Listed<SplitOut>, description = "A page"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn vaults_(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<SplitOut>, Problem> {
    let after: Option<(i64, String)> = page.after()?;
    let (created, split_id) = after.unwrap_or((i64::MAX, String::new()));
    let owner = (caller.tier < Tier::Native).then_some(&caller.subject);
    let rows = store::page(&app.db, caller.world, owner, (created, &split_id), page.ask()).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        items.push(out(row, &store::shards_in(&app.db, &row.split_id).await?));
    }
    page.list(items, |split| (split.created, split.split_id.0.to_hex()))
}

/// Verifies a shard's seal.
#[utoipa::path(post, path = "/api/v1/qt/verify", tag = "qt", request_body = VerifyIn,
    responses((status = 200, body = VerifyOut, description = "Whether it holds"),
        (status = 422, body = Body, description = "invalid-field", content_type = "application/problem+json")))]
async fn verify(
    State(app): State<App>,
    shared: Shared,
    Json(body): Json<VerifyIn>,
) -> Result<Json<VerifyOut>, Problem> {
    let VerifyIn { shard_id, vault_id, identity_id, seal } = body;
    // Those of both worlds are tried, whichever it is.
    let holds = [World::Real, World::Decoy].map(|world| {
        let key = vaults::key(&shared.vault.keys.master, world, &identity_id.0);
        verify_shard_seal(app.log.domain(), &key, &shard_id.0, &vault_id.0, &identity_id.0, &seal.0).is_ok()
    });
    let razlog = (holds == [false; 2]).then_some("shard-seal");
    Ok(Json(VerifyOut { validan: razlog.is_none(), razlog }))
}
