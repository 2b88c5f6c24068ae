//! Crossings that people reported by message: somebody takes them, or sets them aside.

use super::country;
use super::crossings::crossed;
use crate::fleet::decided::SetAside;
use crate::fleet::store::moment;
use crate::fleet::types::{DecidedOut, Izvor, ReportDecision, ReportOut};
use crate::messaging::Reports;
use crate::refusals::{OfReading, OfSending};
use crate::{App, alarms};
use axum::extract::{Path, State};
use platform::access::{Caller, Tier, World};
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Problem, kinds};
use platform::web::{Json, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(decide))
}

/// Crossings that were reported by message and that nobody decided on, the latest first.
#[utoipa::path(get, path = "/api/v1/fleet/reports", tag = "fleet", params(PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<ReportOut>), OfReading))]
async fn list(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<ReportOut>, Problem> {
    alarms::watch(&app, &caller, "lists reports");
    let after: Option<String> = page.after()?;
    // A thief is answered by the time that it takes where there is none.
    let after = if caller.world == World::Real { after.as_deref() } else { Some(alarms::NOTHING) };
    let found = Reports::open(&app.db, after, page.ask()).await?;
    // What people write is for natives, as in the log of messages.
    let is_native = caller.tier == Tier::Native;
    let listed = page.list(found, |report| report.id.clone())?;
    Ok(listed.map(|report| ReportOut {
        report_id: report.id,
        contact_id: is_native.then_some(report.contact),
        drzava: report.country,
        tekst: is_native.then_some(report.text),
        vrijeme: moment(report.time),
    }))
}

/// Takes a reported crossing for a vehicle, or sets it aside.
#[utoipa::path(post, path = "/api/v1/fleet/reports/{report_id}", tag = "fleet", request_body = ReportDecision,
    params(("report_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 200, description = "It is decided; the clock that follows", body = DecidedOut), OfSending))]
async fn decide(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Path(id): Path<String>,
    Json(body): Json<ReportDecision>,
) -> Result<Json<DecidedOut>, Problem> {
    let (id, unknown) = (id_in_path::<Uuid>(&id)?.to_string(), || Problem::new(&kinds::UNKNOWN_ID));
    let asked = if caller.world == World::Real { id.as_str() } else { alarms::NOTHING };
    let report = Reports::find(&app.db, asked).await?.ok_or_else(unknown)?;
    let Some(vehicle) = body.vehicle_id else {
        alarms::watch(&app, &caller, "sets a report aside");
        return Ok(Json(app.log.submit(SetAside { id, by: caller.subject, idempotency }).await?));
    };
    let missing = || Problem::invalid("/drzava", "missing", "is to be named: the message names no state");
    let drzava = country(body.drzava.or(report.country).ok_or_else(missing)?, "/drzava")?;
    let of = (id_in_path::<Uuid>(&vehicle)?.to_string(), report.time, drzava);
    let (clock, _) = crossed(&app, &caller, of, (Izvor::Poruka, Some(id.clone())), idempotency).await?;
    Ok(Json(DecidedOut::taken(&id, clock)))
}
