//! The addresses of the vault.

use super::beside::{Note, Somebody};
use super::enclose::enclose;
use super::erase::{Erase, end_erasures};
use super::file::signer_of;
use super::rules::{self, Asker};
use super::seal::{Inbound, Sealed};
use super::store::{Filter, Kept};
use super::types::{
    EraseAnswer, EraseRequest, ListQuery, SealForm, SealRequest, UnsealRequest, VaultAnswer, VaultLine, VerifyAnswer,
    VerifyForm, VerifyRequest,
};
use super::{Vault, decoy, store, stored, unseal, verify};
use crate::forms::Body;
use crate::health::{self, Health};
use crate::refusals::{OfPublic, OfReading, OfSending};
use crate::{App, dsa};
use axum::Extension;
use axum::body::Body as HttpBody;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dualseal::vault::VaultRecord;
use dualseal::{IdentityId, VaultId};
use futures::stream;
use http::{StatusCode, header};
use platform::access::{Caller, World};
use platform::authority::Standing;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Name, Query, id_in_path};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use zeroize::Zeroizing;

/// The vault, as handlers get it.
type Here = Extension<Arc<Vault>>;

/// The bytes of a record as JSON: some 12 kB, and the note.
const RECORD_BYTES: usize = 64 << 10;

/// Its addresses, over a vault.
#[must_use]
pub fn router(vault: Arc<Vault>) -> OpenApiRouter<App> {
    addresses().layer(Extension(vault))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(seal))
        .routes(routes!(check))
        .routes(routes!(list))
        .routes(routes!(find))
        .routes(routes!(give_back))
        .routes(routes!(erase))
}

/// Whether the vault works.
#[utoipa::path(get, path = "/api/v1/vault/health", tag = "vault", responses(
    (status = 200, description = "It works", body = Health),
    (status = 429, description = "Too many requests", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Seals a document. It is encrypted under a secret of its own before it is stored. Its record has a place in the one
/// ledger and an entry in the log.
#[utoipa::path(post, path = "/api/v1/vault/seal", tag = "vault",
    params(
        ("X-Perimeter-Note" = Option<String>, Header, description = "What a trusted proxy reports (L1)"),
    ),
    request_body(content((SealRequest = "application/json"), (SealForm = "multipart/form-data"))),
    responses(
        (status = 201, description = "Sealed; `Link` leads to the place of its entry", body = VaultAnswer),
        OfSending,
    ))]
async fn seal(
    State(app): State<App>,
    vault: Here,
    standing: Standing,
    note: Note,
    idempotency: Idempotency,
    body: Body<SealRequest>,
) -> Result<Response, Problem> {
    let world = standing.caller().world;
    let inbound = match body {
        Body::Json(SealRequest { payload_b64, kind, identity_id: Name(identity_id) }) => {
            let payload = stream::iter([Ok(Bytes::from(payload_b64.0))]);
            let signer = signer_of(&app, standing.caller(), &identity_id).await?;
            let (enclosed, content) = enclose(&vault, Arc::clone(&signer), (identity_id, kind), payload).await?;
            Inbound { identity_id, signer, enclosed, content, note: note.0 }
        }
        Body::Form(mut form) => {
            let identity_id: IdentityId = form.name("identity_id").await?;
            let kind = form.text("type", 255).await?;
            let signer = signer_of(&app, standing.caller(), &identity_id).await?;
            let payload = form.pieces("payload").await?;
            let (enclosed, content) = enclose(&vault, Arc::clone(&signer), (identity_id, kind), payload).await?;
            form.end().await?;
            Inbound { identity_id, signer, enclosed, content, note: note.0 }
        }
    };
    // The document may have come for long. By a real key it is enclosed for the real world alone: sent again, it is
    // enclosed for the other one.
    let standing = standing.again().await?;
    if standing.caller().world != world {
        return Err(Problem::new(&kinds::BUSY).retry_after(1));
    }
    let Sealed { answer, headers } = match world {
        World::Decoy => decoy::seal(&app, &vault, standing.caller(), inbound, &idempotency).await?,
        World::Real => {
            let identity_id = inbound.identity_id;
            let sealed = super::seal::seal(&app, &vault, inbound, &idempotency).await;
            sealed.map_err(|problem| dsa::masked(problem, standing.caller(), &identity_id))?
        }
    };
    Ok((StatusCode::CREATED, headers, Json(answer)).into_response())
}

/// Verifies a record: one that stands here, or one that is sent with the bytes that are stored of it. Whatever does not
/// hold is told in the answer.
#[utoipa::path(post, path = "/api/v1/vault/verify", tag = "vault",
    request_body(content((VerifyRequest = "application/json"), (VerifyForm = "multipart/form-data"))),
    responses((status = 200, description = "What came of it", body = VerifyAnswer), OfPublic))]
async fn check(
    State(app): State<App>,
    vault: Here,
    somebody: Somebody,
    body: Body<VerifyRequest>,
) -> Result<Json<VerifyAnswer>, Problem> {
    let (record, stored, identity_id) = match body {
        Body::Json(VerifyRequest { vault_id: Some(Name(id)), identity_id, record: None, stored_b64: None }) => {
            let of = identity_id.map(|Name(identity_id)| identity_id);
            let asker = asker(somebody).await?;
            return verify::by_id(&app, &vault, asker, (&id, of.as_ref())).await.map(Json);
        }
        Body::Json(VerifyRequest {
            vault_id: None,
            identity_id: Some(Name(identity_id)),
            record: Some(record),
            stored_b64: Some(stored_b64),
        }) => {
            let pieces = stream::iter([Ok(Bytes::from(stored_b64.0))]);
            (record.get().to_owned(), stored::hash(app.log.domain(), pieces).await?, identity_id)
        }
        Body::Json(_) => return Err(rules::one_of_both()),
        Body::Form(mut form) => {
            let identity_id: IdentityId = form.name("identity_id").await?;
            let record = form.text("record", RECORD_BYTES).await?;
            let stored = stored::hash(app.log.domain(), form.pieces("stored").await?).await?;
            form.end().await?;
            (record, stored, identity_id)
        }
    };
    let record = Zeroizing::new(record);
    let record = VaultRecord::from_json(record.as_bytes())
        .map_err(|error| Problem::invalid("/record", error.row().name, error.to_string()))?;
    let asker = asker(somebody).await?;
    verify::sent(&app, &vault, asker, &record, &stored, &identity_id).await.map(Json)
}

/// Who asks, once all of what is asked is there.
async fn asker(somebody: Somebody) -> Result<Asker, Problem> {
    let caller = somebody.now().await?;
    Ok(Asker::of(caller.as_ref().map(|one| one.tier), caller.as_ref().map(|one| one.world)))
}

/// Lists records, newest first. A noble sees its own.
#[utoipa::path(get, path = "/api/v1/vault/", tag = "vault", params(ListQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<VaultLine>),
    OfReading,
))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<ListQuery>,
) -> Result<Listed<VaultLine>, Problem> {
    let ListQuery { kind, identity_id, from, to } = query;
    if kind.as_ref().is_some_and(|kind| !(1..=255).contains(&kind.len())) {
        return Err(Problem::invalid("query/type", "length", "is to have 1 to 255 bytes"));
    }
    let identity_id = rules::listed(&caller, identity_id.map(|Name(identity_id)| identity_id))?;
    let [from, to] = [from, to].map(|time| time.map(|Name(time)| time));
    let filter = Filter { identity_id, kind, from, to, after: page.after()?, limit: page.ask() };
    decoy::begin(&app, &caller).await?;
    let lines = match caller.world {
        World::Real => store::list(&app.db, &filter).await?,
        World::Decoy => decoy::list(&app, &caller, &filter).await?,
    };
    page.list(lines.into_iter().map(VaultLine::from).collect(), VaultLine::cursor)
}

/// A record, without its fragment.
#[utoipa::path(get, path = "/api/v1/vault/{id}", tag = "vault",
    params(("id" = String, Path, description = "Its `vault_id`", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "The record", body = VaultAnswer), OfReading))]
async fn find(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<VaultAnswer>, Problem> {
    let vault_id = id_in_path(&id)?;
    decoy::begin(&app, &caller).await?;
    let kept = match caller.world {
        World::Real => store::find(&app.db, &vault_id).await?,
        World::Decoy => decoy::find(&app, &caller, &vault_id).await?.map(|shown| shown.kept),
    };
    let Kept { line, record, .. } = kept.ok_or_else(unknown)?;
    caller.own(&line.identity_id)?;
    VaultAnswer::new(line, &record).map(Json)
}

/// Gives a document back. Nothing of it leaves before every layer of its record passed, its place in the log included.
#[utoipa::path(post, path = "/api/v1/vault/{id}/unseal", tag = "vault", request_body = UnsealRequest,
    params(("id" = String, Path, description = "Its `vault_id`", pattern = "^[0-9a-f]{64}$")),
    responses(
        (status = 200, description = "The document; one that breaks off is none", body = Vec<u8>,
            content_type = "application/octet-stream"),
        OfSending,
    ))]
async fn give_back(
    State(app): State<App>,
    vault: Here,
    caller: Caller,
    Path(id): Path<String>,
    Json(UnsealRequest { identity_id: Name(identity_id) }): Json<UnsealRequest>,
) -> Result<Response, Problem> {
    let vault_id: VaultId = id_in_path(&id)?;
    let plain = match caller.world {
        World::Real => {
            let kept = store::find(&app.db, &vault_id).await?.ok_or_else(unknown)?;
            rules::is_of(&kept.line, &identity_id)?;
            unseal::unseal(&app, &vault, kept).await?
        }
        World::Decoy => {
            decoy::begin(&app, &caller).await?;
            let shown = decoy::find(&app, &caller, &vault_id).await?.ok_or_else(unknown)?;
            rules::is_of(&shown.kept.line, &identity_id)?;
            decoy::unseal(&app, &vault, &caller, shown).await?
        }
    };
    let headers = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CONTENT_DISPOSITION, "attachment")];
    Ok((headers, HttpBody::from_stream(plain)).into_response())
}

/// Destroys the secret of a record, and says so in its ledger. What is stored stays, and opens for nobody.
#[utoipa::path(post, path = "/api/v1/vault/{id}/erase", tag = "vault", request_body = EraseRequest,
    params(("id" = String, Path, description = "Its `vault_id`", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "Erased", body = EraseAnswer), OfSending))]
async fn erase(
    State(app): State<App>,
    vault: Here,
    caller: Caller,
    Path(id): Path<String>,
    Json(EraseRequest { identity_id: Name(identity_id), splits }): Json<EraseRequest>,
) -> Result<Json<EraseAnswer>, Problem> {
    let vault_id: VaultId = id_in_path(&id)?;
    let prepared = rules::named(splits)?;
    if caller.world == World::Decoy {
        decoy::begin(&app, &caller).await?;
        let shown = decoy::find(&app, &caller, &vault_id).await?.ok_or_else(unknown)?;
        rules::is_of(&shown.kept.line, &identity_id)?;
        return decoy::erase::erase(&app, &vault, &caller, shown, &prepared).await.map(Json);
    }
    let kept = store::find(&app.db, &vault_id).await?.ok_or_else(unknown)?;
    rules::is_of(&kept.line, &identity_id)?;
    rules::erases(&kept)?;
    let report = unseal::report(&app, &vault, &kept).await?;
    let Some(erasable) = report.erasable().cloned() else {
        return Err(rules::not_unsealed(report.failed(), Some(false), true));
    };
    let answer = app.log.submit(Erase::begin(&vault, &app, erasable, prepared).await?).await?;
    if let Err(problem) = end_erasures(&app, &vault).await {
        // It is erased here, and the job goes on with its copies in backups.
        tracing::error!(%problem, "the key of an erased record is not destroyed yet");
    }
    Ok(Json(answer))
}

fn unknown() -> Problem {
    Problem::new(&kinds::UNKNOWN_ID)
}
