//! The addresses.

use super::chain::{Call, Models};
use super::rules::{cents, checked, month, spent, units};
use super::store::{HEALTH, reserve, spent_by};
use super::types::{MessagesIn, MessagesOut, SpendOut, SpendQuery};
use crate::health::{Health, told};
use crate::refusals::{OfReading, OfSending};
use crate::{App, alarms};
use axum::Extension;
use axum::extract::State;
use platform::access::{Caller, World};
use platform::problem::{Body, Problem, kinds};
use platform::web::{Json, Name, Query};
use std::sync::Arc;
use tracing::Instrument as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The addresses, over the providers of the settings.
#[must_use]
pub fn router(models: Arc<Models>) -> OpenApiRouter<App> {
    addresses().layer(Extension(models))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(messages)).routes(routes!(spend))
}

/// Whether the tables answer. Nobody is asked anything.
#[utoipa::path(get, path = "/api/v1/models/health", tag = "models", responses(
    (status = 200, description = "It works", body = Health),
    (status = 503, description = "It does not", body = Body, content_type = "application/problem+json")))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    told(&app.db, HEALTH).await
}

/// Asks the first provider that is there to be asked. What was asked and answered is kept nowhere.
#[utoipa::path(post, path = "/api/v1/models/messages", tag = "models", request_body = MessagesIn, responses(
    (status = 200, description = "What it answers", body = MessagesOut),
    (status = 429, description = "`budget-spent`: the month's budget of the caller, or of all, has less than this may \
        cost", body = Body, content_type = "application/problem+json"),
    (status = 502, description = "`provider-failed`: an outage, a time-out, or an answer that does not read",
        body = Body, content_type = "application/problem+json"), OfSending))]
async fn messages(
    State(app): State<App>,
    Extension(models): Extension<Arc<Models>>,
    caller: Caller,
    Json(asked): Json<MessagesIn>,
) -> Result<Json<MessagesOut>, Problem> {
    answered(&app, &models, &caller, asked).await.map(Json)
}

pub(super) async fn answered(
    app: &App,
    models: &Arc<Models>,
    caller: &Caller,
    asked: MessagesIn,
) -> Result<MessagesOut, Problem> {
    alarms::watch(app, caller, "asks a model");
    let question = checked(asked)?;
    let Some(slot) = models.slots.take(&caller.subject) else {
        return Err(Problem::new(&kinds::BUSY).retry_after(1));
    };
    if models.providers.is_empty() || caller.world == World::Decoy {
        let now = app.clock.millis();
        models.somebody(now)?;
        // A thief's budget is spent: he asks nobody, and is told what anybody is whose month was an expensive one, by
        // the same steps. More than there is, nobody takes.
        let ((period, _), more) = (month(now), units(app.config.models.budget) + 1);
        drop(reserve(app, &caller.subject, period, more).await?);
        return Err(spent(now));
    }
    let (app, models, subject) = (App::clone(app), Arc::clone(models), caller.subject);
    // A caller who goes away ends nothing that is paid for: what it cost is written down all the same.
    let task = async move {
        let _slot = slot;
        Call { app: &app, models: &models, subject: &subject, question: &question }.run().await
    };
    tokio::spawn(task.in_current_span()).await.map_err(|_| Problem::internal("models", &"a call ended"))?
}

/// What an identity spent in the month that runs: a noble's own, a native's any.
#[utoipa::path(get, path = "/api/v1/models/spend", tag = "models", params(SpendQuery), responses(
    (status = 200, description = "What it spent, and may spend", body = SpendOut), OfReading))]
async fn spend(
    State(app): State<App>,
    Extension(models): Extension<Arc<Models>>,
    caller: Caller,
    Query(query): Query<SpendQuery>,
) -> Result<Json<SpendOut>, Problem> {
    spending(&app, &models, &caller, query).await.map(Json)
}

pub(super) async fn spending(
    app: &App,
    models: &Models,
    caller: &Caller,
    query: SpendQuery,
) -> Result<SpendOut, Problem> {
    let of = query.identity_id.map_or(caller.subject, |Name(of)| of);
    caller.own(&of)?;
    alarms::watch(app, caller, "reads what was spent on models");
    let (period, _) = month(app.clock.millis());
    let budget_cents = app.config.models.budget;
    let read = spent_by(app, &of, &period).await?;
    let spent_cents = match caller.world {
        World::Real => cents(read),
        // As his questions are answered. Of others he learns nothing.
        World::Decoy if of == caller.subject && !models.providers.is_empty() => budget_cents,
        World::Decoy => 0,
    };
    Ok(SpendOut { period, spent_cents, budget_cents })
}
