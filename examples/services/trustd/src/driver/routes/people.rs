//! What the service has of documents, whole: of a driver, of a vehicle, one of them; and taking all of a driver's away.

use crate::driver::store::{self, Document};
use crate::driver::types::WholeOut;
use crate::driver::{erasing, kept};
use crate::fleet::Vehicles;
use crate::refusals::OfReading;
use crate::vault::Vault;
use crate::{App, alarms};
use axum::Extension;
use axum::extract::{Path, State};
use dualseal::IdentityId;
use http::StatusCode;
use platform::access::Caller;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Problem, kinds};
use platform::web::{Json, id_in_path};
use serde_json::value::RawValue;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export, erase)).routes(routes!(of_vehicle)).routes(routes!(read))
}

/// The documents of a driver as the service has them, the newest first: the text of each, with what it is verified by,
/// and its photos, whose bytes `/api/v1/photos/{identity_id}` has.
#[utoipa::path(get, path = "/api/v1/dok/vozac/{identity_id}", tag = "driver",
    params(("identity_id" = String, Path, description = "The driver", pattern = "^[0-9a-f]{64}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<WholeOut>),
        OfReading))]
async fn export(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<WholeOut>, Problem> {
    let vozac: IdentityId = id_in_path(&id)?;
    caller.own(&vozac)?;
    alarms::watch(&app, &caller, "exports documents of a driver");
    let found = store::recent(&app.db, &vozac, caller.world, page.after()?, page.ask()).await?;
    let found = all(&app, found).await?;
    let listed = page.list(found, |(created, whole)| (*created, whole.dokument.dokument_id.clone()))?;
    Ok(listed.map(|(_, whole)| whole))
}

/// The documents of a vehicle, whoever filed them, the newest first.
#[utoipa::path(get, path = "/api/v1/dok/vozilo/{vehicle_id}", tag = "driver",
    params(("vehicle_id" = String, Path, description = "The vehicle",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<WholeOut>),
        OfReading))]
async fn of_vehicle(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<WholeOut>, Problem> {
    let vehicle = id_in_path::<Uuid>(&id)?.to_string();
    alarms::watch(&app, &caller, "lists documents of a vehicle");
    if !Vehicles::is_there(&app.db, &vehicle, caller.world).await? {
        return Err(Problem::new(&kinds::UNKNOWN_ID));
    }
    let found = store::of_vehicle(&app.db, (&vehicle, caller.world), page.after()?, page.ask()).await?;
    let found = all(&app, found).await?;
    let listed = page.list(found, |(created, whole)| (*created, whole.dokument.identity_id.clone()))?;
    Ok(listed.map(|(_, whole)| whole))
}

/// A document.
#[utoipa::path(get, path = "/api/v1/dok/dokument/{identity_id}", tag = "driver",
    params(("identity_id" = String, Path, description = "Its identity", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "The document", body = WholeOut), OfReading))]
async fn read(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<WholeOut>, Problem> {
    let id: IdentityId = id_in_path(&id)?;
    alarms::watch(&app, &caller, "reads a document of a driver");
    let document = store::by_identity(&app.db, &id, caller.world).await?;
    let document = document.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    caller.own(&document.vozac)?;
    whole(&app, &document).await.map(Json)
}

/// Each with when it came. What came back with a backup, and was erased, is not there.
pub(in crate::driver) async fn all(app: &App, documents: Vec<Document>) -> Result<Vec<(i64, WholeOut)>, Problem> {
    let mut found = Vec::with_capacity(documents.len());
    for document in documents {
        match whole(app, &document).await {
            Ok(whole) => found.push((document.created, whole)),
            Err(problem) if problem.kind() == &kinds::ERASED => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(found)
}

async fn whole(app: &App, document: &Document) -> Result<WholeOut, Problem> {
    let Document { vozac, dokument_id, world, .. } = document;
    let photos = store::photos::of_document(&app.db, vozac, dokument_id, *world).await?;
    let zapis = RawValue::from_string(document.record.clone());
    Ok(WholeOut {
        dokument: document.out(app),
        vozac: vozac.to_hex(),
        tekst: kept::text(app, document).await?,
        zapis: zapis.map_err(|error| Problem::internal("driver", &error))?,
        pecat: document.seal.clone(),
        fotografije: photos.into_iter().map(|photo| photo.out).collect(),
    })
}

/// Erases all that a driver filed, with the key that opens it in backups. Its entries of the log stay, and say nothing;
/// crossings, kilometres and defects are the vehicles'.
#[utoipa::path(delete, path = "/api/v1/dok/vozac/{identity_id}", tag = "driver",
    params(("identity_id" = String, Path, description = "The driver", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "Erased"), OfReading))]
async fn erase(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let vozac: IdentityId = id_in_path(&id)?;
    caller.own(&vozac)?;
    alarms::watch(&app, &caller, "erases documents of a driver");
    erasing::erase(&app, &vault.objects, vozac, caller.world).await?;
    Ok(StatusCode::NO_CONTENT)
}
