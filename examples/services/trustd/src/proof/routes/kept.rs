//! Proofs that were made: they are listed, read, printed again and erased.

use super::{begun, told};
use crate::proof::erasing::erase;
use crate::proof::rules::Form;
use crate::proof::store::{self, ProofRow, moment};
use crate::proof::types::{ListQuery, PageOf, ProofLine, ProofOut};
use crate::proof::work::{link, shown};
use crate::refusals::OfReading;
use crate::vault::Vault;
use crate::{App, alarms};
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use dualseal::IdentityId;
use http::{HeaderMap, StatusCode};
use platform::access::Caller;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Name, Query, id_in_path};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(find, take_away))
}

/// Lists proofs, the newest first. A noble sees its own.
#[utoipa::path(get, path = "/api/v1/proof/", tag = "proof", params(ListQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<ProofLine>), OfReading))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<ListQuery>,
) -> Result<Listed<ProofLine>, Problem> {
    alarms::watch(&app, &caller, "lists proofs");
    let asked = query.identity_id.map(|Name(identity_id)| identity_id);
    asked.as_ref().map_or(Ok(()), |of| caller.own(of))?;
    let of: Option<IdentityId> = asked.or(caller.only_own());
    let kind = query.vrsta.map(Into::into);
    let found = store::list(&app.db, (of, caller.world), kind, page.after()?, page.ask()).await?;
    let listed = page.list(found, |one| (one.created, one.dokaz_id.to_string()))?;
    Ok(listed.map(|one| ProofLine {
        dokaz_id: one.dokaz_id.to_string(),
        vrsta: one.kind.into(),
        identity_id: one.identity_id.to_hex(),
        vrijeme: moment(one.created),
        krunica_hash: one.krunica,
        seq: one.seq,
        poveznica: link(&app, &one.dokaz_id),
    }))
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
            content_type = "application/problem+json"),
        (status = 503, description = "Others have pages printed", body = ProblemBody,
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
    let shown = shown(&app, &vault, own(&app, &caller, &dokaz_id).await?).await?;
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
