//! The addresses of documents.

use super::fields::{File, contact, dated, file, typed};
use super::rules::zone;
use super::store::{self, Asked, Document};
use super::types::{DocumentIn, DocumentOut, DocumentPatch, SearchQuery, SetStanje};
use super::work::{Erased, TABLE, Written, written};
use crate::health::{self, Health};
use crate::messaging::{one_line, words_of};
use crate::refusals::{OfReading, OfSending};
use crate::vault::Vault;
use crate::versions::{matched, tagged};
use crate::{App, alarms, personal};
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dualseal::encoding::hex;
use dualseal::rand_core::TryRng as _;
use dualseal::{IdentityId, SystemRng};
use http::{HeaderMap, StatusCode};
use platform::access::Caller;
use platform::authority::Standing;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Name, Query, id_in_path};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Where files are sealed, as handlers get it.
type Here = Extension<Arc<Vault>>;

/// The addresses, over the vault that has the files.
#[must_use]
pub fn router(vault: Arc<Vault>) -> OpenApiRouter<App> {
    addresses().layer(Extension(vault))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(register))
        .routes(routes!(read, change, erase))
        .routes(routes!(of_owner))
        .routes(routes!(search))
}

/// Whether documents are there.
#[utoipa::path(get, path = "/api/v1/lifecycle/health", tag = "lifecycle", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Registers a document with an end: who has it is told 30, 7 and 1 days before, or as the settings say.
#[utoipa::path(post, path = "/api/v1/lifecycle/dokument", tag = "lifecycle", request_body = DocumentIn, responses(
    (status = 201, description = "Registered; `ETag` is its version", body = DocumentOut), OfSending))]
async fn register(
    State(app): State<App>,
    vault: Here,
    standing: Standing,
    idempotency: Idempotency,
    Json(body): Json<DocumentIn>,
) -> Result<Response, Problem> {
    let standing = standing.again().await?;
    let caller = standing.caller();
    let DocumentIn { vlasnik_id: Name(owner), tip, naslov, vrijedi_do, zona, sadrzaj_b64, vault_id, contact_id } = body;
    caller.own(&owner)?;
    let (tip, naslov, until) =
        (typed(&app, tip, "/tip")?, one_line(naslov, "/naslov")?, dated(&vrijedi_do, "/vrijedi_do")?);
    let zona = zone(zona.as_deref().unwrap_or(&app.config.lifecycle.zone));
    let zona = zona.ok_or_else(|| Problem::invalid("/zona", "unknown-value", "is no zone of time"))?;
    let mut context = [0; 16];
    SystemRng.try_fill_bytes(&mut context).map_err(|_| dualseal::Error::Randomness)?;
    let kontekst = hex::encode(&context);
    let content = sadrzaj_b64.as_ref().map_or(naslov.as_bytes(), |content| content.0.as_slice());
    let identity_id = app.log.domain().identity_id(content, &owner.to_hex(), &kontekst)?;
    let contact = match contact_id {
        Some(id) => Some(contact(&app, caller, &id).await?),
        None => None,
    };
    let file = file(&app, caller, &owner, (sadrzaj_b64, vault_id)).await?;
    let document = Document {
        identity_id,
        world: caller.world,
        vlasnik_id: owner,
        tip,
        naslov,
        vrijedi_do: until,
        zona,
        archived: false,
        kontekst,
        contact,
        vault_id: None,
        version: 1,
        date_version: 1,
        told_to: None,
        krunica: String::new(),
        created: app.clock.millis(),
    };
    let answer = written_for(&app, &vault, caller, (document, file), idempotency).await?;
    Ok((StatusCode::CREATED, tagged(answer.verzija), Json(answer)).into_response())
}

/// A document, with what was told of it, and what opens its entries of the log.
#[utoipa::path(get, path = "/api/v1/lifecycle/dokument/{identity_id}", tag = "lifecycle",
    params(("identity_id" = String, Path, description = "Its identity", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "The document; `ETag` is its version", body = DocumentOut), OfReading))]
async fn read(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Response, Problem> {
    let document = found(&app, &caller, &id).await?;
    let mut out = document.out(app.clock.millis(), &app.config.lifecycle.thresholds);
    out.alarmi = Some(store::alarms(&app.db, &document).await?);
    out.zapisi = Some(personal::of(&app.db, (TABLE, &document.identity_id.to_hex())).await?);
    alarms::watch(&app, &caller, "reads a document");
    Ok((tagged(out.verzija), Json(out)).into_response())
}

/// Changes a document: of the version that `If-Match` names, and no other.
#[utoipa::path(patch, path = "/api/v1/lifecycle/dokument/{identity_id}", tag = "lifecycle",
    request_body = DocumentPatch,
    params(
        ("identity_id" = String, Path, description = "Its identity", pattern = "^[0-9a-f]{64}$"),
        ("If-Match" = String, Header, description = "The version that is changed", pattern = "^\"[1-9][0-9]{0,14}\"$",
            example = "\"1\""),
    ),
    responses(
        (status = 200, description = "As it is now; `ETag` is its version", body = DocumentOut),
        (status = 428, description = "No version is named", body = ProblemBody,
            content_type = "application/problem+json"),
        OfSending,
    ))]
async fn change(
    State(app): State<App>,
    vault: Here,
    standing: Standing,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<DocumentPatch>,
) -> Result<Response, Problem> {
    let standing = standing.again().await?;
    let caller = standing.caller();
    let mut document = found(&app, caller, &id).await?;
    matched(&headers, document.version)?;
    let DocumentPatch { naslov, vrijedi_do, stanje, contact_id, sadrzaj_b64, vault_id } = body;
    let fields = [naslov.is_some(), vrijedi_do.is_some(), stanje.is_some(), contact_id.is_some()];
    if !fields.contains(&true) && sadrzaj_b64.is_none() && vault_id.is_none() {
        return Err(Problem::invalid("", "missing", "names nothing to change"));
    }
    if let Some(naslov) = naslov {
        document.naslov = one_line(naslov, "/naslov")?;
    }
    if let Some(until) = vrijedi_do {
        let until = dated(&until, "/vrijedi_do")?;
        document.date_version += u64::from(until != document.vrijedi_do);
        document.vrijedi_do = until;
    }
    if let Some(stanje) = stanje {
        document.archived = stanje == SetStanje::Arhiviran;
    }
    if let Some(named) = contact_id {
        document.contact = match named {
            Some(id) => Some(contact(&app, caller, &id).await?),
            None => None,
        };
    }
    let file = file(&app, caller, &document.vlasnik_id, (sadrzaj_b64, vault_id)).await?;
    document.version += 1;
    let answer = written_for(&app, &vault, caller, (document, file), Idempotency::default()).await?;
    Ok((tagged(answer.verzija), Json(answer)).into_response())
}

/// Takes all of a document away, and what opens its entries of the log. Its file is the vault's.
#[utoipa::path(delete, path = "/api/v1/lifecycle/dokument/{identity_id}", tag = "lifecycle",
    params(("identity_id" = String, Path, description = "Its identity", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "Erased"), OfReading))]
async fn erase(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let document = found(&app, &caller, &id).await?;
    alarms::watch(&app, &caller, "erases a document");
    app.log.submit(Erased(document)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The documents of an owner, the newest first.
#[utoipa::path(get, path = "/api/v1/lifecycle/vlasnik/{vlasnik_id}", tag = "lifecycle",
    params(("vlasnik_id" = String, Path, description = "The owner", pattern = "^[0-9a-f]{64}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<DocumentOut>),
        OfReading))]
async fn of_owner(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(owner): Path<String>,
) -> Result<Listed<DocumentOut>, Problem> {
    let owner: IdentityId = id_in_path(&owner)?;
    caller.own(&owner)?;
    listed(&app, &caller, &page, asked(&caller, &page, owner.to_hex())?).await
}

/// Looks for documents by the beginnings of words, type and date. A noble finds its own.
#[utoipa::path(get, path = "/api/v1/lifecycle/dokumenti", tag = "lifecycle", params(SearchQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<DocumentOut>), OfReading))]
async fn search(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<SearchQuery>,
) -> Result<Listed<DocumentOut>, Problem> {
    let own = caller.only_own().map_or(String::new(), |own| own.to_hex());
    let mut asked = asked(&caller, &page, own)?;
    if let Some(until) = query.do_dana {
        asked.until = dated(&until, "query/do_dana")?.to_string();
    }
    asked.tip = query.tip.map_or(Ok(String::new()), |tip| typed(&app, tip, "query/tip"))?;
    let text = query.q.unwrap_or_default();
    let words = words_of(&text);
    if words.len() > asked.words.len() || text.chars().count() > 200 {
        return Err(Problem::invalid("query/q", "range", "has more than five words, or 200 characters"));
    }
    // Words are letters and digits: nothing in them is a sign of a pattern.
    for (place, word) in asked.words.iter_mut().zip(words) {
        *place = format!("{word}%");
    }
    listed(&app, &caller, &page, asked).await
}

fn asked(caller: &Caller, page: &Page, owner: String) -> Result<Asked, Problem> {
    let (after, most) = (page.after()?, page.ask());
    let (tip, until, words) = (String::new(), String::new(), Default::default());
    Ok(Asked { world: caller.world, owner, tip, until, words, after, most })
}

async fn listed(app: &App, caller: &Caller, page: &Page, asked: Asked) -> Result<Listed<DocumentOut>, Problem> {
    alarms::watch(app, caller, "lists documents");
    let found = store::page(&app.db, asked).await?;
    let listed = page.list(found, |document| (document.created, document.identity_id.to_hex()))?;
    let (now, thresholds) = (app.clock.millis(), &app.config.lifecycle.thresholds);
    Ok(listed.map(|document| document.out(now, thresholds)))
}

async fn found(app: &App, caller: &Caller, id: &str) -> Result<Document, Problem> {
    let id: IdentityId = id_in_path(id)?;
    let document = store::find(&app.db, &id, caller.world).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    caller.own(&document.vlasnik_id)?;
    Ok(document)
}

async fn written_for(
    app: &App,
    vault: &Arc<Vault>,
    caller: &Caller,
    (document, file): (Document, File),
    idempotency: Idempotency,
) -> Result<DocumentOut, Problem> {
    alarms::watch(app, caller, "changes a document");
    let work = Written { app: App::clone(app), document, now: app.clock.millis(), idempotency };
    written(vault, caller, work, file).await
}
