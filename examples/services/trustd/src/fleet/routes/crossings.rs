//! Crossings of borders: recorded, listed, taken back.

use super::super::decided::TakenBack;
use super::super::policy::Policy;
use super::super::store;
use super::super::types::{CrossingBack, CrossingIn, CrossingOut, Izvor, StatusOut};
use super::super::work::Crossed;
use super::{country, found, looked};
use crate::messaging::one_line;
use crate::refusals::{OfReading, OfSending};
use crate::{App, alarms};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::Problem;
use platform::web::{Json, Name, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Clocks of whoever reports are not quite ours.
const AHEAD: i64 = 300_000;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(crossings)).routes(routes!(cross)).routes(routes!(take_back))
}

/// The crossings of a vehicle, the latest first, by their own time.
#[utoipa::path(get, path = "/api/v1/fleet/crossings/{vehicle_id}", tag = "fleet",
    params(("vehicle_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<CrossingOut>),
        OfReading))]
async fn crossings(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<CrossingOut>, Problem> {
    let vehicle = found(&app, &caller, &id).await?;
    let rows = store::crossings(&app.db, &vehicle.id, page.after()?, page.ask()).await?;
    let listed = page.list(rows, |(time, crossing)| (*time, crossing.crossing_id.clone()))?;
    Ok(listed.map(|(_, crossing)| crossing))
}

/// Records a crossing of a border: into its home state the clock begins anew. Late ones count by their own time, and
/// the same one twice counts once (200).
#[utoipa::path(post, path = "/api/v1/fleet/border-crossing", tag = "fleet", request_body = CrossingIn, responses(
    (status = 200, description = "It was there; the clock", body = StatusOut),
    (status = 201, description = "Recorded; the clock that follows", body = StatusOut), OfSending))]
async fn cross(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<CrossingIn>,
) -> Result<Response, Problem> {
    let CrossingIn { vehicle_id, drzava, vrijeme } = body;
    let vehicle: Uuid = id_in_path(&vehicle_id)?;
    let (drzava, now) = (country(drzava, "/drzava")?, app.clock.millis());
    let time = vrijeme.map_or(now, |Name(time)| time.as_millis());
    if !(0..=now.saturating_add(AHEAD)).contains(&time) {
        return Err(Problem::invalid("/vrijeme", "range", "is not between 1970 and now"));
    }
    let of = (vehicle.to_string(), time, drzava);
    let (answer, is_new) = crossed(&app, &caller, of, (Izvor::Ured, None), idempotency).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(answer)).into_response())
}

/// Takes a crossing back that never was: the clock is as it would be without it, and its level is told anew. Its entry
/// stays, beside the one that says who took it back, and why.
#[utoipa::path(post, path = "/api/v1/fleet/border-crossing/{crossing_id}/povuci", tag = "fleet",
    request_body = CrossingBack,
    params(("crossing_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 200, description = "It counts no more; the clock that follows", body = StatusOut), OfSending))]
async fn take_back(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Path(id): Path<String>,
    Json(body): Json<CrossingBack>,
) -> Result<Json<StatusOut>, Problem> {
    let id = id_in_path::<Uuid>(&id)?.to_string();
    let razlog = one_line(body.razlog, "/razlog")?;
    alarms::watch(&app, &caller, "takes a crossing back");
    let (world, by, now) = (caller.world, caller.subject, app.clock.millis());
    let weeks = Policy::held(&app).await?.weeks;
    let clock = app.log.submit(TakenBack { id, world, razlog, by, weeks, now, idempotency }).await?;
    looked(&app, &clock.vehicle_id, world).await;
    Ok(Json(clock))
}

/// Records a crossing; the level that follows is told at once.
pub(super) async fn crossed(
    app: &App,
    caller: &Caller,
    (vehicle, time, drzava): (String, i64, String),
    (izvor, report): (Izvor, Option<String>),
    idempotency: Idempotency,
) -> Result<(StatusOut, bool), Problem> {
    alarms::watch(app, caller, "records a crossing");
    let (weeks, now, world) = (Policy::held(app).await?.weeks, app.clock.millis(), caller.world);
    let (id, by) = (vehicle.clone(), caller.subject);
    let crossed = Crossed { vehicle, world, time, drzava, izvor, by, report, weeks, now, idempotency };
    let done = app.log.submit(crossed).await?;
    // Also behind a thief's, of which nobody is told: both are answered after the same.
    looked(app, &id, caller.world).await;
    Ok(done)
}
