//! The addresses of children. Whoever calls acts as their guardian, whatever his tier; another's child and one that
//! there is not are told alike.

mod left;
mod memories;

use super::listed::shown;
use super::profile::{group, named, own, told};
use super::rules::{date, is_child, item, today};
use super::store::{self, Guardian};
use super::types::{ChildIn, ChildOut, ChildPatch, DailyOut, DailyQuery, RegisteredOut};
use super::work::{Newborn, register};
use super::{erase, pack};
use crate::health::{self, Health};
use crate::messaging::one_line;
use crate::refusals::{OfReading, OfSending};
use crate::vault::Vault;
use crate::{App, alarms, lifecycle};
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use jiff::tz::TimeZone;
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Query};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What has the key that profiles are sealed with, as handlers get it.
type Here = Extension<Arc<Vault>>;

/// The addresses, over the vault.
#[must_use]
pub fn router(vault: Arc<Vault>) -> OpenApiRouter<App> {
    addresses().layer(Extension(vault))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(world_health))
        .routes(routes!(children))
        .routes(routes!(add))
        .routes(routes!(change, remove))
        .routes(routes!(daily))
        .merge(memories::router())
        .merge(left::router())
}

/// Whether children are there.
#[utoipa::path(get, path = "/health", tag = "family", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// The same.
#[utoipa::path(get, path = "/world/health", tag = "family", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn world_health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// The caller's children, the newest first.
#[utoipa::path(get, path = "/world/djeca", tag = "family", params(PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<ChildOut>), OfReading))]
async fn children(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<ChildOut>, Problem> {
    alarms::watch(&app, &caller, "lists children");
    let found = Guardian::from(&caller).children(&app, page.after()?, page.ask()).await?;
    let listed = page.list(found, |row| (row.created, row.id.clone()))?;
    let shown = shown(&app, &listed.items).await?;
    Ok(listed.shown(shown))
}

/// Registers a child of the caller's: what is known of it is sealed.
#[utoipa::path(post, path = "/world/dijete", tag = "family", request_body = ChildIn, responses(
    (status = 201, description = "Registered", body = RegisteredOut),
    (status = 429, description = "So much was kept for the caller today", body = ProblemBody,
        content_type = "application/problem+json"), OfSending))]
async fn add(
    State(app): State<App>,
    vault: Here,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<ChildIn>,
) -> Result<Response, Problem> {
    alarms::watch(&app, &caller, "registers a child");
    let (name, zone) = (one_line(body.ime, "/ime")?, zone(body.zona.as_deref().unwrap_or(&app.config.lifecycle.zone))?);
    let no_date = || Problem::invalid("/rodjen", "date", "is no date of a calendar: YYYY-MM-DD");
    let born = lifecycle::date(&body.rodjen).ok_or_else(no_date)?;
    let today = today(&zone.1, app.clock.millis());
    if !is_child(born, today) {
        return Err(Problem::invalid("/rodjen", "range", "is not in the last 18 years"));
    }
    let newborn = Newborn { name, born, language: body.jezik, zone, today };
    let answer = register(&app, &vault, Guardian::from(&caller), newborn, idempotency).await?;
    metrics::counter!("trustd_children_total", "what" => "registered").increment(1);
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// Changes the language or the zone of a child of the caller's. What it was shown today stays until the day ends.
#[utoipa::path(patch, path = "/world/dijete/{dijete_id}", tag = "family", request_body = ChildPatch,
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "As it is now", body = ChildOut), OfSending))]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<ChildPatch>,
) -> Result<Json<ChildOut>, Problem> {
    alarms::watch(&app, &caller, "changes a child");
    if body.jezik.is_none() && body.zona.is_none() {
        return Err(Problem::invalid("", "missing", "names nothing to change"));
    }
    let zone = body.zona.as_deref().map(zone).transpose()?;
    let (guardian, now) = (Guardian::from(&caller), app.clock.millis());
    let (found, profile) = own(&app, guardian, &id).await?;
    let mut tx = app.db.begin().await?;
    let child = guardian.hold(&mut tx, app.authority.tags(), &found.id).await?;
    let mut child = child.ok_or_else(|| Problem::new(&kinds::NOT_GUARDIAN))?;
    if let Some(zone) = zone {
        let (old, new) = (child.today(now), today(&zone.1, now));
        child.since = child.since.moved(old, new);
        child.zone = zone;
    }
    child.language = body.jezik.unwrap_or(child.language);
    child.change(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(told(&child, profile, now)))
}

/// Takes a child of the caller's away, with all that was kept for it; no backup brings it back.
#[utoipa::path(delete, path = "/world/dijete/{dijete_id}", tag = "family",
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "Erased"), OfReading))]
async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    alarms::watch(&app, &caller, "erases a child");
    erase::remove(&app, Guardian::from(&caller), named(&id)?).await?;
    metrics::counter!("trustd_children_total", "what" => "erased").increment(1);
    Ok(StatusCode::NO_CONTENT)
}

/// What a child is told today: one item a day, and none twice in thirty days.
#[utoipa::path(get, path = "/world/dijete/{dijete_id}/sadrzaj", tag = "family",
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$"), DailyQuery),
    responses((status = 200, description = "The item", body = DailyOut),
        (status = 409, description = "The profile was erased", body = ProblemBody,
            content_type = "application/problem+json"),
        OfReading))]
async fn daily(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<DailyQuery>,
) -> Result<Json<DailyOut>, Problem> {
    alarms::watch(&app, &caller, "reads the daily content of a child");
    let (child, profile) = own(&app, Guardian::from(&caller), &id).await?;
    let profile = profile.ok_or_else(|| Problem::new(&kinds::ERASED))?;
    let today = child.today(app.clock.millis());
    let (ordinal, age_day) = child.since.on(today);
    let group = group(&profile, age_day).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
    let (item, language) = (item(&child.id, group, ordinal), query.jezik.unwrap_or(child.language));
    let text = pack::text(group, item, language);
    Ok(Json(DailyOut {
        dan: date(today).to_string(),
        stavka: format!("{}/{}", group.as_str(), item + 1),
        dobna_skupina: group,
        jezik: language,
        tekst: text.to_owned(),
    }))
}

fn zone(name: &str) -> Result<(String, TimeZone), Problem> {
    lifecycle::zone(name).ok_or_else(|| Problem::invalid("/zona", "unknown-value", "is no zone of time"))
}
