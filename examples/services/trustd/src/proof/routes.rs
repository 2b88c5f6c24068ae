//! The addresses of proofs.

mod kept;
mod zivot;

use super::covered::{Covered, missing, wait};
use super::print::{print, printer};
use super::rules::{Form, form};
use super::store;
use super::types::{IstinaIn, Jezik, ProofOut, PutIn, SvjedokIn, WitnessOut, Witnesses};
use super::work::{On, Shown, make};
use crate::health::{self, Health};
use crate::logs::seen;
use crate::refusals::OfSending;
use crate::vault::Vault;
use crate::{App, alarms, driver, dsa};
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use dualseal::HashedContent;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use platform::access::{Caller, World};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Name};
use proof_pdf::text::{Istina, Kind, MOST, Put, Svjedok, Vidio, Zapis};
use serde_json::value::RawValue;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

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
        .merge(kept::router())
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
    (status = 429, description = "So many were made of this identity today", body = ProblemBody,
        content_type = "application/problem+json"),
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
    let records: Vec<_> = filed.iter().map(|step| step.record.clone()).collect();
    let covered = Covered::over(&app, &records).await?;
    let signer = driver::signer(app.log.domain())?;
    let (mut zapisi, documents) =
        (Vec::with_capacity(filed.len()), filed.iter().map(|step| step.identity_id).collect());
    for step in filed {
        let dokaz = covered.evidence(&app, step.record, &signer, Some(step.text.as_bytes())).await?;
        zapisi.push(Zapis { dokument: raw(step.text)?, dokaz: raw(dokaz)? });
    }
    let claim = Put { od: from.to_string(), until: until.to_string(), zapisi };
    let shown = make((&app, &vault), &covered, (driver, Kind::Put), &claim, On::Filed(documents)).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}

/// Proves a signature: that an identity signed a content, by its hash, and that it holds now.
#[utoipa::path(post, path = "/api/v1/proof/istina", tag = "proof", request_body = IstinaIn, responses(
    (status = 201, description = "The proof; with `Accept: application/pdf` its page",
        content((ProofOut = "application/json"), (Vec<u8> = "application/pdf"))),
    (status = 429, description = "So many were made of this identity today", body = ProblemBody,
        content_type = "application/problem+json"),
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
    let covered = Covered::over(&app, std::slice::from_ref(&*record)).await?;
    let dokaz = covered.evidence(&app, (*record).clone(), &signer, None).await?;
    let content = HashedContent::from_parts(&signer, *record.content_hash());
    let concluded: serde_json::Value = serde_json::from_str(&dsa::told(&app, *record, &content).await?)
        .map_err(|error| Problem::internal("proof", &error))?;
    if concluded["validan"] != true {
        let why = concluded["razlog"].as_str().unwrap_or("suspended");
        return Err(missing(format!("the signature does not hold now: {why}")));
    }
    let claim = Istina { dokaz: raw(dokaz)?, provjereno: app.clock.now().to_string() };
    let shown = make((&app, &vault), &covered, (signer, Kind::Istina), &claim, On::Nothing).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}

/// Proves that witnesses saw the same checkpoint: the newest one that so many of them saw.
#[utoipa::path(post, path = "/api/v1/proof/svjedok", tag = "proof", request_body = SvjedokIn, responses(
    (status = 201, description = "The proof; with `Accept: application/pdf` its page",
        content((ProofOut = "application/json"), (Vec<u8> = "application/pdf"))),
    (status = 429, description = "So many were made of this identity today", body = ProblemBody,
        content_type = "application/problem+json"),
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
    let found = seen::by_many(&app, usize::from(najmanje)).await?;
    let found = found.ok_or_else(|| missing(format!("no checkpoint was seen by {najmanje} witnesses of this log")))?;
    real(&app, &caller)?;
    let covered = Covered::now(&app).await?;
    let by = found.by.iter().map(|(key, time)| Vidio {
        ime: key.name().to_string(),
        kljuc: key.key().to_string(),
        vrijeme: time.to_string(),
    });
    let claim = Svjedok { svjedoci: by.collect(), kontrolna_tocka: raw(found.checkpoint.to_json())?, nota: found.note };
    let shown = make((&app, &vault), &covered, (identity_id, Kind::Svjedok), &claim, On::Nothing).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}

/// The witnesses of the log, with what each saw last.
#[utoipa::path(get, path = "/api/v1/proof/svjedoci", tag = "proof", responses(
    (status = 200, description = "Each that the log pins", body = Witnesses),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json")))]
async fn svjedoci(State(app): State<App>) -> Result<Response, Problem> {
    let items = seen::by_each(&app).await?.into_iter().map(|(key, last)| {
        let (velicina, vrijeme) = last.map(|(size, time)| (size, time.to_string())).unzip();
        WitnessOut { ime: key.name().to_string(), kljuc: key.key().to_string(), velicina, vrijeme }
    });
    let fresh = [(header::CACHE_CONTROL, "public, max-age=60")];
    Ok((fresh, Json(Witnesses { items: items.collect() })).into_response())
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
    let printed = match form {
        Form::Json => None,
        Form::Pdf => Some(print(app, &shown.row.identity_id, (&shown.text, &shown.evidence), jezik.into()).await),
    };
    let mut response = match printed {
        None => (status, Json(shown.out(app)?)).into_response(),
        Some(Ok(page)) => {
            let of_page = [
                (header::CONTENT_TYPE, "application/pdf"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"dokaz.pdf\""),
            ];
            (status, of_page, page).into_response()
        }
        // It is made all the same: whoever asks again asks for its page, and not for another one.
        Some(Err(problem)) => problem.detail("the proof is kept: Content-Location has its address").into_response(),
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
