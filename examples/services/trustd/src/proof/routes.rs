//! The addresses of proofs.

mod zivot;

use super::covered::{Covered, missing, seen, wait};
use super::erasing::erase;
use super::print::{print, printer};
use super::rules::{Form, form};
use super::store::{self, ProofRow};
use super::types::{IstinaIn, Jezik, PageOf, ProofOut, PutIn, SvjedokIn, WitnessOut, Witnesses};
use super::work::{self, Shown, make};
use crate::health::{self, Health};
use crate::refusals::{OfReading, OfSending};
use crate::vault::Vault;
use crate::{App, alarms, driver, dsa};
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dualseal::HashedContent;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use platform::access::{Caller, World};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Name, Query, id_in_path};
use proof_pdf::text::{Istina, Kind, MOST, Put, Svjedok, Vidio, Zapis};
use serde_json::value::RawValue;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// The addresses, over the vault whose keys seal.
#[must_use]
pub fn router(vault: Arc<Vault>) -> OpenApiRouter<App> {
    addresses().layer(Extension(vault))
}

/// The addresses alone.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(put))
        .routes(routes!(istina))
        .merge(zivot::router())
        .routes(routes!(svjedok))
        .routes(routes!(svjedoci))
        .routes(routes!(find, take_away))
}

/// Whether proofs are there.
#[utoipa::path(get, path = "/api/v1/proof/health", tag = "proof", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Proves a journey: all inspections and border crossings that a driver filed of a vehicle in a time, each with its
/// place in the log.
#[utoipa::path(post, path = "/api/v1/proof/put", tag = "proof", request_body = PutIn, responses(
    (status = 201, description = "The proof; with `Accept: application/pdf` its page",
        content((ProofOut = "application/json"), (Vec<u8> = "application/pdf"))),
    (status = 406, description = "This service does not print", body = ProblemBody,
        content_type = "application/problem+json"), OfSending))]
async fn put(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<PutIn>,
) -> Result<Response, Problem> {
    let form = begun(&app, &caller, &headers, Form::Json)?;
    let PutIn { identity_id: Name(driver), vehicle_id, od: Name(from), until: Name(until), jezik } = body;
    caller.own(&driver)?;
    if from > until || until > app.clock.now() {
        return Err(Problem::invalid("/do", "order", "is before its beginning, or in the future"));
    }
    let vehicle = vehicle_id.to_string();
    let (of, between) = ((&driver, vehicle.as_str(), caller.world), (from.as_millis(), until.as_millis()));
    let most = u32::try_from(MOST).unwrap_or(u32::MAX);
    let filed = driver::journey(&app, of, between, most + 1).await?;
    if filed.len() > MOST {
        return Err(Problem::invalid("/do", "range", format!("more than {MOST} records were filed: take less time")));
    }
    if !filed.iter().any(|step| step.is_border) {
        return Err(missing("no border crossing was filed of this vehicle in this time"));
    }
    real(&app, &caller)?;
    let (covered, signer) = (Covered::now(&app).await?, driver::signer(app.log.domain())?);
    let mut zapisi = Vec::with_capacity(filed.len());
    for step in filed {
        let dokaz = covered.evidence(&app, step.record, &signer, Some(step.text.as_bytes())).await?;
        zapisi.push(Zapis { dokument: raw(step.text)?, dokaz: raw(dokaz)? });
    }
    let claim = Put { od: from.to_string(), until: until.to_string(), zapisi };
    let shown = make((&app, &vault), &covered, (driver, Kind::Put), &claim, None).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}

/// Proves a signature: that an identity signed a content, by its hash, and that it holds now.
#[utoipa::path(post, path = "/api/v1/proof/istina", tag = "proof", request_body = IstinaIn, responses(
    (status = 201, description = "The proof; with `Accept: application/pdf` its page",
        content((ProofOut = "application/json"), (Vec<u8> = "application/pdf"))),
    (status = 406, description = "This service does not print", body = ProblemBody,
        content_type = "application/problem+json"), OfSending))]
async fn istina(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<IstinaIn>,
) -> Result<Response, Problem> {
    let form = begun(&app, &caller, &headers, Form::Json)?;
    let IstinaIn { identity_id: Name(signer), record, jezik } = body;
    caller.own(&signer)?;
    if *record.identity_id() != signer {
        return Err(Problem::invalid("/record", "not-this-identity", "the record is of another identity"));
    }
    if app.log.reader().by_handle(record.krunica_hash()).await?.is_none() {
        return Err(missing("the log has no entry of the record"));
    }
    real(&app, &caller)?;
    let covered = Covered::now(&app).await?;
    let dokaz = covered.evidence(&app, (*record).clone(), &signer, None).await?;
    let content = HashedContent::from_parts(&signer, *record.content_hash());
    let concluded: serde_json::Value = serde_json::from_str(&dsa::told(&app, *record, &content).await?)
        .map_err(|error| Problem::internal("proof", &error))?;
    if concluded["validan"] != true {
        let why = concluded["razlog"].as_str().unwrap_or("suspended");
        return Err(missing(format!("the signature does not hold now: {why}")));
    }
    let claim = Istina { dokaz: raw(dokaz)?, provjereno: app.clock.now().to_string() };
    let shown = make((&app, &vault), &covered, (signer, Kind::Istina), &claim, None).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}

/// Proves that witnesses saw the same checkpoint: the newest one that so many of them saw.
#[utoipa::path(post, path = "/api/v1/proof/svjedok", tag = "proof", request_body = SvjedokIn, responses(
    (status = 201, description = "The proof; with `Accept: application/pdf` its page",
        content((ProofOut = "application/json"), (Vec<u8> = "application/pdf"))),
    (status = 406, description = "This service does not print", body = ProblemBody,
        content_type = "application/problem+json"), OfSending))]
async fn svjedok(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<SvjedokIn>,
) -> Result<Response, Problem> {
    let form = begun(&app, &caller, &headers, Form::Json)?;
    let SvjedokIn { identity_id: Name(identity_id), najmanje, jezik } = body;
    caller.own(&identity_id)?;
    if !(1..=16).contains(&najmanje) {
        return Err(Problem::invalid("/najmanje", "range", "is not between 1 and 16"));
    }
    let found = seen(&app).await?.into_iter().find(|seen| seen.by.len() >= usize::from(najmanje));
    let found = found.ok_or_else(|| missing(format!("no checkpoint was seen by {najmanje} witnesses of this log")))?;
    real(&app, &caller)?;
    let covered = Covered::now(&app).await?;
    let by = found.by.iter().map(|(key, time)| Vidio {
        ime: key.name().to_string(),
        kljuc: key.key().to_string(),
        vrijeme: time.to_string(),
    });
    let claim = Svjedok { svjedoci: by.collect(), kontrolna_tocka: raw(found.checkpoint.to_json())?, nota: found.note };
    let shown = make((&app, &vault), &covered, (identity_id, Kind::Svjedok), &claim, None).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}

/// The witnesses of the log, with what each saw last.
#[utoipa::path(get, path = "/api/v1/proof/svjedoci", tag = "proof", responses(
    (status = 200, description = "Each that the log pins", body = Witnesses),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json")))]
async fn svjedoci(State(app): State<App>) -> Result<Json<Witnesses>, Problem> {
    let seen = seen(&app).await?;
    let items = app.config.log.witness_keys().into_iter().map(|key| {
        let last = seen.iter().find_map(|seen| {
            let (_, time) = seen.by.iter().find(|(by, _)| *by == key)?;
            Some((seen.checkpoint.tree_head().size, time.to_string()))
        });
        let (velicina, vrijeme) = last.unzip();
        WitnessOut { ime: key.name().to_string(), kljuc: key.key().to_string(), velicina, vrijeme }
    });
    Ok(Json(Witnesses { items: items.collect() }))
}

/// A proof: with `Accept: application/pdf` its page, in the language that is asked for.
#[utoipa::path(get, path = "/api/v1/proof/{dokaz_id}", tag = "proof",
    params(("dokaz_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"), PageOf),
    responses(
        (status = 200, description = "The proof, or its page",
            content((ProofOut = "application/json"), (Vec<u8> = "application/pdf"))),
        (status = 409, description = "No checkpoint covers it yet", body = ProblemBody,
            content_type = "application/problem+json"),
        (status = 406, description = "This service does not print", body = ProblemBody,
            content_type = "application/problem+json"), OfReading))]
async fn find(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    headers: HeaderMap,
    Path(dokaz_id): Path<String>,
    Query(of): Query<PageOf>,
) -> Result<Response, Problem> {
    let form = begun(&app, &caller, &headers, Form::Json)?;
    let shown = work::shown(&app, &vault, own(&app, &caller, &dokaz_id).await?).await?;
    told(&app, &shown, form, of.jezik, StatusCode::OK).await
}

/// Erases a proof, with the key that opens it in backups. Its entries of the log stay, and say nothing; whoever was
/// given it keeps it.
#[utoipa::path(delete, path = "/api/v1/proof/{dokaz_id}", tag = "proof",
    params(("dokaz_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 204, description = "Erased"), OfReading))]
async fn take_away(
    State(app): State<App>,
    caller: Caller,
    Path(dokaz_id): Path<String>,
) -> Result<StatusCode, Problem> {
    alarms::watch(&app, &caller, "erases a proof");
    erase(&app, &own(&app, &caller, &dokaz_id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A proof of the caller's.
async fn own(app: &App, caller: &Caller, dokaz_id: &str) -> Result<ProofRow, Problem> {
    let dokaz_id: Uuid = id_in_path(dokaz_id)?;
    let row = store::find(&app.db, &dokaz_id, caller.world).await?.filter(|row| caller.owns(&row.identity_id));
    row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))
}

/// The form of the answer; a page that cannot be printed is refused before anything is done.
fn begun(app: &App, caller: &Caller, headers: &HeaderMap, unasked: Form) -> Result<Form, Problem> {
    alarms::watch(app, caller, "asks for a proof");
    let form = form(headers, unasked);
    let prints = form == Form::Json || printer(app).is_some();
    if prints { Ok(form) } else { Err(Problem::new(&kinds::NO_PRINTER)) }
}

/// Of a thief nothing is proven: whoever has a proof verifies it without us, and a false one would be found out.
fn real(app: &App, caller: &Caller) -> Result<(), Problem> {
    if caller.world == World::Real { Ok(()) } else { Err(wait(app)) }
}

async fn told(app: &App, shown: &Shown, form: Form, jezik: Jezik, status: StatusCode) -> Result<Response, Problem> {
    let mut response = match form {
        Form::Json => (status, Json(shown.out(app)?)).into_response(),
        Form::Pdf => {
            let page = print(app, &shown.text, &shown.evidence, jezik.into()).await?;
            let of_page = [
                (header::CONTENT_TYPE, "application/pdf"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"dokaz.pdf\""),
            ];
            (status, of_page, page).into_response()
        }
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    // A page is asked for again there, in another language.
    let link = HeaderValue::from_str(&shown.link(app)).map_err(|error| Problem::internal("proof", &error))?;
    response.headers_mut().insert(header::CONTENT_LOCATION, link);
    Ok(response)
}

fn raw(text: String) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(text).map_err(|error| Problem::internal("proof", &error))
}
