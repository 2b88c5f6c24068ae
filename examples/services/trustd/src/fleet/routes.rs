//! The addresses of vehicles.

mod crossings;
mod reports;

use super::levels::look;
use super::page;
use super::policy::Policy;
use super::rules::{Level, State as Clock, is_state, left_between, plan, plate};
use super::store::{self, Vehicle};
use super::types::{
    LevelsOut, OverviewQuery, PolicyOut, Stanje, StatusOut, VehicleIn, VehicleOut, VehiclePatch, WholeOut,
};
use super::work::{TABLE, Written};
use crate::health::{self, Health};
use crate::messaging::Outbox;
use crate::personal::{self, Kept};
use crate::refusals::{OfReading, OfSending};
use crate::versions::{matched, tagged};
use crate::{App, alarms};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use platform::access::{Caller, World};
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Name, Query, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// The addresses.
#[must_use]
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(policy))
        .routes(routes!(add, list))
        .routes(routes!(find, change))
        .routes(routes!(status))
        .routes(routes!(entries))
        .routes(routes!(overview))
        .routes(routes!(levels))
        .merge(crossings::router())
        .merge(reports::router())
        .merge(page::router())
}

/// Whether vehicles are there.
#[utoipa::path(get, path = "/api/v1/fleet/health", tag = "fleet", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// From which duration on a vehicle is at which level, and what that rests on.
#[utoipa::path(get, path = "/api/v1/fleet/policy", tag = "fleet", responses(
    (status = 200, description = "The policy", body = PolicyOut), OfReading))]
async fn policy(State(app): State<App>) -> Result<Json<PolicyOut>, Problem> {
    let Policy { weeks: [upozorenje, kriticno, prekrsaj], basis: osnova, .. } = Policy::held(&app).await?;
    Ok(Json(PolicyOut { upozorenje, kriticno, prekrsaj, osnova }))
}

/// Adds a vehicle: it is at home until a crossing says otherwise.
#[utoipa::path(post, path = "/api/v1/fleet/vehicles", tag = "fleet", request_body = VehicleIn, responses(
    (status = 201, description = "Added; `ETag` is its version", body = VehicleOut), OfSending))]
async fn add(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<VehicleIn>,
) -> Result<Response, Problem> {
    let VehicleIn { registracija, maticna_drzava, vlasnik_id: Name(vlasnik_id), contact_id } = body;
    let registracija = kept(&registracija)?;
    let maticna = country(maticna_drzava, "/maticna_drzava")?;
    let contact = match contact_id {
        Some(id) => Some(contact(&app, &caller, &id).await?),
        None => None,
    };
    let vehicle = Vehicle {
        id: Uuid::now_v7().to_string(),
        world: caller.world,
        registracija,
        maticna,
        vlasnik_id,
        contact,
        retired: false,
        version: 1,
        state: Clock::default(),
        told: Level::Ok,
        krunica: String::new(),
        created: app.clock.millis(),
    };
    let answer = written(&app, &caller, vehicle, idempotency).await?;
    Ok((StatusCode::CREATED, tagged(answer.verzija), Json(answer)).into_response())
}

/// The vehicles, the newest first, retired ones among them.
#[utoipa::path(get, path = "/api/v1/fleet/vehicles", tag = "fleet", params(PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<VehicleOut>), OfReading))]
async fn list(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<VehicleOut>, Problem> {
    alarms::watch(&app, &caller, "lists vehicles");
    let found = store::page(&app.db, caller.world, page.after()?, page.ask()).await?;
    let listed = page.list(found, |vehicle| (vehicle.created, vehicle.id.clone()))?;
    Ok(listed.map(|vehicle| vehicle.out()))
}

/// A vehicle, with the last readings of its odometer.
#[utoipa::path(get, path = "/api/v1/fleet/vehicles/{vehicle_id}", tag = "fleet",
    params(("vehicle_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 200, description = "The vehicle; `ETag` is its version", body = WholeOut), OfReading))]
async fn find(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Response, Problem> {
    let vehicle = found(&app, &caller, &id).await?.out();
    let kilometri = store::odometer(&app.db, &vehicle.vehicle_id).await?;
    Ok((tagged(vehicle.verzija), Json(WholeOut { vehicle, kilometri })).into_response())
}

/// Changes a vehicle, or retires it: of the version that `If-Match` names, and no other.
#[utoipa::path(patch, path = "/api/v1/fleet/vehicles/{vehicle_id}", tag = "fleet", request_body = VehiclePatch,
    params(
        ("vehicle_id" = String, Path, description = "Its name",
            pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
        ("If-Match" = String, Header, description = "The version that is changed", pattern = "^\"[1-9][0-9]{0,14}\"$",
            example = "\"1\""),
    ),
    responses(
        (status = 200, description = "As it is now; `ETag` is its version", body = VehicleOut),
        (status = 428, description = "No version is named", body = ProblemBody,
            content_type = "application/problem+json"),
        OfSending,
    ))]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<VehiclePatch>,
) -> Result<Response, Problem> {
    let mut vehicle = found(&app, &caller, &id).await?;
    matched(&headers, vehicle.version)?;
    let VehiclePatch { registracija, maticna_drzava, vlasnik_id, contact_id, stanje } = body;
    let fields = [registracija.is_some(), maticna_drzava.is_some(), vlasnik_id.is_some(), contact_id.is_some()];
    if !fields.contains(&true) && stanje.is_none() {
        return Err(Problem::invalid("", "missing", "names nothing to change"));
    }
    if let Some(registracija) = registracija {
        vehicle.registracija = kept(&registracija)?;
    }
    if let Some(maticna) = maticna_drzava {
        vehicle.maticna = country(maticna, "/maticna_drzava")?;
    }
    if let Some(Name(owner)) = vlasnik_id {
        vehicle.vlasnik_id = owner;
    }
    if let Some(named) = contact_id {
        vehicle.contact = match named {
            Some(id) => Some(contact(&app, &caller, &id).await?),
            None => None,
        };
    }
    if let Some(stanje) = stanje {
        vehicle.retired = stanje == Stanje::Povuceno;
    }
    vehicle.version += 1;
    let answer = written(&app, &caller, vehicle, Idempotency::default()).await?;
    looked(&app, &answer.vehicle_id, caller.world).await;
    Ok((tagged(answer.verzija), Json(answer)).into_response())
}

/// What opens a vehicle's entries of the log, the newest first: what was registered, each crossing with who said so,
/// what was taken back and why, and each level that was told.
#[utoipa::path(get, path = "/api/v1/fleet/vehicles/{vehicle_id}/zapisi", tag = "fleet",
    params(("vehicle_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<Kept>), OfReading))]
async fn entries(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<Kept>, Problem> {
    let vehicle = found(&app, &caller, &id).await?;
    let rows = personal::page(&app.db, (TABLE, &vehicle.id), page.after()?, page.ask()).await?;
    let listed = page.list(rows, |(time, kept)| (*time, kept.krunica_hash.clone()))?;
    Ok(listed.map(|(_, kept)| kept))
}

/// The clock of a vehicle.
#[utoipa::path(get, path = "/api/v1/fleet/status/{vehicle_id}", tag = "fleet",
    params(("vehicle_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 200, description = "How long it is away, and its level", body = StatusOut), OfReading))]
async fn status(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<StatusOut>, Problem> {
    let vehicle = found(&app, &caller, &id).await?;
    Ok(Json(vehicle.status(app.clock.millis(), Policy::held(&app).await?.weeks)))
}

/// The clocks of all vehicles, those that are away for longest first.
#[utoipa::path(get, path = "/api/v1/fleet/fleet-overview", tag = "fleet", params(OverviewQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<StatusOut>), OfReading))]
async fn overview(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<OverviewQuery>,
) -> Result<Listed<StatusOut>, Problem> {
    alarms::watch(&app, &caller, "lists vehicles");
    let (now, weeks) = (app.clock.millis(), Policy::held(&app).await?.weeks);
    let between = query.status.map_or((i64::MIN, i64::MAX), |level| left_between(level, now, weeks));
    let found = store::away(&app.db, caller.world, between, page.after()?, page.ask()).await?;
    let listed = page.list(found, |vehicle| (vehicle.left_at(), vehicle.id.clone()))?;
    Ok(listed.map(|vehicle| vehicle.status(now, weeks)))
}

/// How many vehicles are at each level.
#[utoipa::path(get, path = "/api/v1/fleet/levels", tag = "fleet", responses(
    (status = 200, description = "Of vehicles that are used", body = LevelsOut), OfReading))]
async fn levels(State(app): State<App>, caller: Caller) -> Result<Json<LevelsOut>, Problem> {
    alarms::watch(&app, &caller, "lists vehicles");
    let (now, weeks) = (app.clock.millis(), Policy::held(&app).await?.weeks);
    let mut counts = [0; 4];
    for (count, level) in counts.iter_mut().zip(Level::ALL) {
        *count = store::count(&app.db, caller.world, left_between(level, now, weeks)).await?;
    }
    let [ok, warning, critical, violation] = counts;
    Ok(Json(LevelsOut { ok, warning, critical, violation }))
}

async fn found(app: &App, caller: &Caller, id: &str) -> Result<Vehicle, Problem> {
    let id: Uuid = id_in_path(id)?;
    alarms::watch(app, caller, "reads a vehicle");
    let vehicle = store::find(&app.db, &id.to_string(), caller.world).await?;
    vehicle.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))
}

fn kept(text: &str) -> Result<String, Problem> {
    let wrong = || Problem::invalid("/registracija", "length", "is to have 2 to 16 letters and digits");
    plate(text).ok_or_else(wrong)
}

fn country(text: String, pointer: &str) -> Result<String, Problem> {
    if is_state(&text) {
        Ok(text)
    } else {
        Err(Problem::invalid(pointer, "unknown-value", "is no state of ISO 3166-1"))
    }
}

async fn contact(app: &App, caller: &Caller, text: &str) -> Result<String, Problem> {
    let unknown = || Problem::invalid("/contact_id", "unknown-value", "is no contact that the caller writes to");
    let id = text.parse::<Uuid>().map_err(|_| unknown())?.to_string();
    if Outbox::reaches(&app.db, caller, &id).await? { Ok(id) } else { Err(unknown()) }
}

async fn written(
    app: &App,
    caller: &Caller,
    vehicle: Vehicle,
    idempotency: Idempotency,
) -> Result<VehicleOut, Problem> {
    alarms::watch(app, caller, "changes a vehicle");
    let (plan, now) = (plan(Policy::held(app).await?.weeks), app.clock.millis());
    app.log.submit(Written { vehicle, plan, now, idempotency }).await
}

/// Has the level told that follows from what changed. Also behind a thief's change, of which nobody is told: both are
/// answered after the same.
async fn looked(app: &App, id: &str, world: World) {
    if let Err(problem) = look(app, id, world).await {
        // It is written; the loop tells its level within a minute.
        tracing::warn!(%problem, "a level was not told at once");
    }
}
