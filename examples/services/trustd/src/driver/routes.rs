//! The addresses of drivers.

mod people;
mod photos;
mod verdict;

#[cfg(test)]
pub(super) use people::all as whole_documents;
#[cfg(test)]
pub(super) use verdict::verdict;

use super::content::Filing;
use super::page;
use super::rules::{AHEAD, Odluka, PHOTOS, Tip, decision, members};
use super::store;
use super::types::{DefectOut, DocumentIn, DocumentOut, VehicleLine};
use super::work::{self, founded};
use crate::fleet::{Vehicles, is_state};
use crate::health::{self, Health};
use crate::messaging::one_line;
use crate::refusals::{OfReading, OfSending};
use crate::vault::Vault;
use crate::{App, alarms, dsa, fleet};
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dualseal::encoding::hex;
use http::StatusCode;
use platform::access::{Caller, World};
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, id_in_path};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// The addresses, over the vault whose keys seal, and whose objects have the photos.
#[must_use]
pub fn router(vault: Arc<Vault>) -> OpenApiRouter<App> {
    addresses().layer(Extension(vault))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(create))
        .routes(routes!(recent))
        .routes(routes!(vehicles))
        .routes(routes!(defects))
        .merge(people::router())
        .merge(photos::router())
        .merge(verdict::router())
        .merge(page::router())
}

/// Whether what drivers filed is there.
#[utoipa::path(get, path = "/api/v1/dok/health", tag = "driver", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Files a document of the caller's: it is signed, and what follows from it happens with it. The same once more is
/// answered with 200, and another one of the same name is refused.
#[utoipa::path(post, path = "/api/v1/dok/create", tag = "driver", request_body = DocumentIn, responses(
    (status = 200, description = "It was there", body = DocumentOut),
    (status = 201, description = "Filed", body = DocumentOut), OfSending))]
async fn create(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<DocumentIn>,
) -> Result<Response, Problem> {
    alarms::watch(&app, &caller, "files a document of a driver");
    let filing = checked(&app, &caller, body)?;
    if caller.world == World::Real {
        founded(&app).await?;
    }
    let is_crossing = filing.asked.tip == Tip::BorderCrossing;
    let filed = work::file(&app, &vault, filing, (caller.world, &idempotency)).await;
    let (document, is_new) = filed.map_err(|problem| dsa::masked(problem, &caller, &caller.subject))?;
    if is_crossing && let Err(problem) = fleet::look(&app, &document.vehicle, caller.world).await {
        // It is recorded; the loop tells its level within a minute.
        tracing::warn!(%problem, "a level was not told at once");
    }
    if is_new && caller.world == World::Real {
        let outcome = document.odluka.map_or("", Odluka::as_str);
        metrics::counter!("trustd_driver_documents_total", "tip" => document.tip.as_str(), "outcome" => outcome)
            .increment(1);
    }
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(document.out(&app))).into_response())
}

/// Holds what was sent to its rules.
fn checked(app: &App, caller: &Caller, asked: DocumentIn) -> Result<Filing, Problem> {
    let (needed, allowed) = members(asked.tip);
    for (name, is_there) in [
        ("stavke", asked.stavke.is_some()),
        ("drzava", asked.drzava.is_some()),
        ("kilometri", asked.kilometri.is_some()),
        ("popravljeno", asked.popravljeno.is_some()),
        ("napomena", asked.napomena.is_some()),
    ] {
        if !is_there && needed.contains(&name) {
            return Err(Problem::invalid(format!("/{name}"), "missing", format!("is missing of {}", asked.tip)));
        }
        if is_there && !needed.contains(&name) && !allowed.contains(&name) {
            return Err(Problem::invalid(format!("/{name}"), "not-taken", format!("is none of {}", asked.tip)));
        }
    }
    if !(0..=app.clock.millis().saturating_add(AHEAD)).contains(&asked.vrijeme.0.as_millis()) {
        return Err(Problem::invalid("/vrijeme", "range", "is not between 1970 and now"));
    }
    if asked.drzava.as_ref().is_some_and(|drzava| !is_state(drzava)) {
        return Err(Problem::invalid("/drzava", "unknown-value", "is no state of ISO 3166-1"));
    }
    if asked.kilometri.is_some_and(|kilometri| kilometri > 9_999_999) {
        return Err(Problem::invalid("/kilometri", "range", "is more than 9999999"));
    }
    if asked.popravljeno.as_ref().is_some_and(|all| !(1..=50).contains(&all.len())) {
        return Err(Problem::invalid("/popravljeno", "length", "is to name 1 to 50 defects"));
    }
    let named: BTreeSet<_> = asked.popravljeno.iter().flatten().collect();
    if asked.popravljeno.as_ref().is_some_and(|all| all.len() > named.len()) {
        return Err(Problem::invalid("/popravljeno", "repeated", "names a defect twice"));
    }
    if asked.popravljeno.iter().flatten().any(|defect| defect.parse::<Uuid>().is_err()) {
        return Err(Problem::invalid("/popravljeno", "unknown-value", "one is no open defect of this vehicle"));
    }
    let notes =
        asked.stavke.iter().flatten().map(|(item, found)| (format!("/stavke/{item}/napomena"), &found.napomena));
    for (pointer, note) in notes.chain([("/napomena".to_owned(), &asked.napomena)]) {
        if let Some(note) = note {
            one_line(note.clone(), &pointer)?;
        }
    }
    let odluka = asked
        .stavke
        .as_ref()
        .map(|stavke| decision(&stavke.iter().map(|(item, found)| (*item, found.nalaz)).collect::<BTreeMap<_, _>>()));
    let filing = Filing { asked, vozac: caller.subject, odluka };
    if !filing.photos().iter().all(|photo| is_hash(photo)) {
        return Err(Problem::invalid("/stavke", "unknown-value", "a photo was not sent for this document"));
    }
    // One may show two items, and is written down with each: a name of 64 characters can be sent 15,000 times.
    let named = filing.asked.stavke.iter().flatten().map(|(_, item)| item.fotografije.len()).sum::<usize>();
    if named > PHOTOS {
        return Err(Problem::invalid("/stavke", "length", format!("has more than {PHOTOS} photos")));
    }
    Ok(filing)
}

/// What the caller filed, the newest first: where it stands in the log, and the link of each.
#[utoipa::path(get, path = "/api/v1/dok/my-recent", tag = "driver", params(PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<DocumentOut>), OfReading))]
async fn recent(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<DocumentOut>, Problem> {
    alarms::watch(&app, &caller, "lists documents of a driver");
    let found = store::recent(&app.db, &caller.subject, caller.world, page.after()?, page.ask()).await?;
    let listed = page.list(found, |document| (document.created, document.dokument_id.clone()))?;
    Ok(listed.map(|document| document.out(&app)))
}

/// The vehicles that are used, by plate.
#[utoipa::path(get, path = "/api/v1/dok/vozila", tag = "driver", params(PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<VehicleLine>), OfReading))]
async fn vehicles(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<VehicleLine>, Problem> {
    alarms::watch(&app, &caller, "lists vehicles");
    let after: Option<String> = page.after()?;
    let found = Vehicles::used(&app.db, caller.world, after.as_deref(), page.ask()).await?;
    let listed = page.list(found, |vehicle| vehicle.registracija.clone())?;
    Ok(listed.map(|vehicle| VehicleLine { vehicle_id: vehicle.id, registracija: vehicle.registracija }))
}

/// The defects of a vehicle that no repair has closed, the newest first.
#[utoipa::path(get, path = "/api/v1/dok/nedostaci/{vehicle_id}", tag = "driver",
    params(("vehicle_id" = String, Path, description = "The vehicle",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<DefectOut>),
        OfReading))]
async fn defects(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<DefectOut>, Problem> {
    let vehicle = id_in_path::<Uuid>(&id)?.to_string();
    alarms::watch(&app, &caller, "lists defects of a vehicle");
    if !Vehicles::is_there(&app.db, &vehicle, caller.world).await? {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    let found = store::open(&app.db, (&vehicle, caller.world), page.after()?, page.ask()).await?;
    let listed = page.list(found, |(created, defect)| (*created, defect.nedostatak_id.clone()))?;
    Ok(listed.map(|(_, defect)| defect))
}

/// Whether a text is a hash as it is written here.
fn is_hash(text: &str) -> bool {
    hex::decode::<32>("token", text).is_ok()
}
