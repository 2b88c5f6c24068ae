//! The addresses of memories.

use super::super::erase;
use super::super::profile::{members, named, own, texts};
use super::super::rules::{OBJECT, TEXT};
use super::super::store::{Guardian, Order};
use super::super::texts::moment;
use super::super::types::{KeptOut, MemoryIn, MemoryOut};
use super::super::work::{Kept, remember};
use crate::refusals::{OfReading, OfSending};
use crate::{App, alarms};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem};
use platform::web::{Json, id_in_path};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(keep, memories)).routes(routes!(forget))
}

/// Keeps a memory of a child of the caller's.
#[utoipa::path(post, path = "/world/dijete/{dijete_id}/memorija", tag = "family", request_body = MemoryIn,
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$")),
    responses((status = 201, description = "Kept", body = KeptOut),
        (status = 429, description = "So much was kept for the caller today", body = ProblemBody,
            content_type = "application/problem+json"),
        OfSending))]
async fn keep(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Path(id): Path<String>,
    Json(body): Json<MemoryIn>,
) -> Result<Response, Problem> {
    alarms::watch(&app, &caller, "keeps a memory of a child");
    let (id, kept) = (named(&id)?, kept(body)?);
    let answer = remember(&app, Guardian::from(&caller), id, &kept, idempotency).await?;
    metrics::counter!("trustd_memories_total", "what" => "kept").increment(1);
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// The memories of a child of the caller's, the newest first.
#[utoipa::path(get, path = "/world/dijete/{dijete_id}/memorija", tag = "family",
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$"), PageQuery),
    responses((status = 200, description = "A page; `Link` leads to the next one", body = Listed<MemoryOut>),
        OfReading))]
async fn memories(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Path(id): Path<String>,
) -> Result<Listed<MemoryOut>, Problem> {
    alarms::watch(&app, &caller, "reads memories of a child");
    let (child, _) = own(&app, Guardian::from(&caller), &id).await?;
    let order = Order::Newest(page.after()?);
    let found = child.guardian.memories(&app.db, &child.id, order, page.ask()).await?;
    let listed = page.list(found, |memory| (memory.created, memory.id.clone()))?;
    let mut texts = texts(&app, &child.id, &listed.items).await?.into_iter();
    Ok(listed.map(|memory| {
        let said = texts.next().flatten().map(|text| members(&text));
        let member = |name: &str| said.as_ref().and_then(|said| said.get(name).cloned());
        MemoryOut {
            memorija_id: memory.id,
            krunica_hash: memory.krunica,
            created_at: moment(memory.created),
            tekst: member("tekst").and_then(|text| text.as_str().map(str::to_owned)),
            objekt: member("objekt").and_then(|object| object.as_object().cloned()),
            obrisano: said.is_none(),
        }
    }))
}

/// Takes a memory away; no backup brings it back. The log, and all other memories, stay as they are.
#[utoipa::path(delete, path = "/world/dijete/{dijete_id}/memorija/{memorija_id}", tag = "family",
    params(("dijete_id" = String, Path, description = "The child", pattern = "^[0-9a-f]{64}$"),
        ("memorija_id" = String, Path, description = "The memory",
            pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 204, description = "Erased"), OfReading))]
async fn forget(
    State(app): State<App>,
    caller: Caller,
    Path((id, memory)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    alarms::watch(&app, &caller, "erases a memory of a child");
    let (child, _) = own(&app, Guardian::from(&caller), &id).await?;
    let memory = id_in_path::<Uuid>(&memory)?.to_string();
    erase::forget(&app, child.guardian, child.id, memory).await?;
    metrics::counter!("trustd_memories_total", "what" => "erased").increment(1);
    Ok(StatusCode::NO_CONTENT)
}

fn kept(body: MemoryIn) -> Result<Kept, Problem> {
    match (body.tekst, body.objekt) {
        (Some(text), None) if (1..=TEXT).contains(&text.chars().count()) => Ok(Kept::Text(text)),
        (Some(_), None) => Err(Problem::invalid("/tekst", "length", "is to have 1 to 4000 characters")),
        (None, Some(object)) if Value::Object(object.clone()).to_string().len() <= OBJECT => Ok(Kept::Object(object)),
        (None, Some(_)) => Err(Problem::invalid("/objekt", "length", "is to have at most 64 KiB")),
        (None, None) => Err(Problem::invalid("", "missing", "is to have tekst or objekt")),
        (Some(_), Some(_)) => Err(Problem::invalid("/objekt", "one-of", "is there beside tekst")),
    }
}
