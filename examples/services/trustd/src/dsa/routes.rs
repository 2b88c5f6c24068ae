//! Its addresses, under `/api/v1/dsa`.

mod document;
mod verify;

pub(crate) use verify::told;

use super::types::{AlarmOut, BelaRequest, KeypairRequest, RotateRequest, SignJsonRequest, SignRequest, Stanje};
use super::{rules, store};
use crate::App;
use crate::alarms::{self, Alarm, are_untold};
use crate::forms;
use crate::health::{self, Health};
use crate::records::{KeyPairInfoDoc, SignatureRecordDoc};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use document::signing;
use dualseal::encoding::json::Value;
use dualseal::{Error, HashedContent, IdentityId, KeyPairInfo, Timestamp};
use http::StatusCode;
use platform::access::{Caller, Tier, World};
use platform::authority::Standing;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body, Problem, kinds};
use platform::web::{Json, Record, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Its addresses.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(keypair))
        .routes(routes!(sign))
        .routes(routes!(sign_json))
        .routes(routes!(verify::verify))
        .routes(routes!(status))
        .routes(routes!(bela))
        .routes(routes!(rotate))
        .routes(routes!(list_alarms))
}

/// Whether signing works.
#[utoipa::path(get, path = "/api/v1/dsa/health", tag = "dsa", responses(
    (status = 200, description = "It works", body = Health),
    (status = 503, description = "It does not", body = Body, content_type = "application/problem+json")))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    // Its list is that of all alarms.
    if are_untold(&app) {
        return Err(Problem::new(&kinds::UNHEALTHY).detail("alarms are not written"));
    }
    health::told(&app.db, store::TOUCH).await
}

/// Makes the key pair of an identity, or fetches it.
#[utoipa::path(post, path = "/api/v1/dsa/keypair", tag = "dsa", request_body = KeypairRequest, responses(
    (status = 200, description = "It was there", body = KeyPairInfoDoc),
    (status = 201, description = "It was made", body = KeyPairInfoDoc),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn keypair(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    body: Json<KeypairRequest>,
) -> Result<(StatusCode, Record), Problem> {
    let identity_id = rules::identity(app.log.domain(), &body.0)?;
    caller.own(&identity_id)?;
    if let Some(info) = known(&app, &caller, &identity_id).await? {
        return Ok((StatusCode::OK, Record::new(rules::told(&caller, &info))?));
    }
    if let Some(decoy) = decoy(&app, &caller, store::DecoyChange::Keypair, &identity_id, &idempotency).await? {
        return Ok(decoy);
    }
    app.log.submit(store::Keypair { app: app.clone(), caller, identity_id, idempotency }).await
}

/// The key of an identity, as the caller's world has it. It is looked for in both: the time of an answer tells nobody
/// in which he is.
async fn known(app: &App, caller: &Caller, identity_id: &IdentityId) -> Result<Option<KeyPairInfo>, Problem> {
    let state = app.log.state().await?;
    let decoy = store::decoy_info(app, &state, identity_id).await?;
    Ok(match caller.world {
        World::Real => state.ring().info(identity_id),
        World::Decoy => decoy,
    })
}

/// Signs content for an identity.
///
/// Large documents come as `multipart/form-data`: the part `identity_id`, then the part `document`, which is read as it
/// arrives.
#[utoipa::path(post, path = "/api/v1/dsa/potpisi", tag = "dsa",
    request_body(content((SignRequest = "application/json"), (document::SignForm = "multipart/form-data"))),
    responses(
        (status = 201, description = "Signed", body = SignatureRecordDoc,
            headers(("Link" = String, description = "Where its place is proven, once a checkpoint covers it"))),
        (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn sign(
    State(app): State<App>,
    standing: Standing,
    idempotency: Idempotency,
    body: forms::Body<SignRequest>,
) -> Result<Response, Problem> {
    let (identity_id, content) = match body {
        forms::Body::Json(SignRequest { identity_id, content_b64 }) => {
            (identity_id.0, app.log.domain().content_hash(&identity_id.0, &content_b64.0))
        }
        forms::Body::Form(form) => {
            let content = signing(app.log.domain(), form, |id| standing.caller().own(id)).await?;
            (*content.identity_id(), content)
        }
    };
    // The document may have come for long.
    let caller = standing.again().await?.caller().clone();
    place(&app, caller, idempotency, identity_id, content).await
}

/// Signs a JSON object for an identity, in its canonical form.
#[utoipa::path(post, path = "/api/v1/dsa/potpisi-json", tag = "dsa", request_body = SignJsonRequest, responses(
    (status = 201, description = "Signed", body = SignatureRecordDoc),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn sign_json(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    body: Json<SignJsonRequest>,
) -> Result<Response, Problem> {
    let SignJsonRequest { identity_id, object } = body.0;
    caller.own(&identity_id.0)?;
    let object = object.get().trim();
    if !object.starts_with('{') {
        return Err(Problem::invalid("/object", "type", "object is to be a JSON object"));
    }
    let value = Value::parse(object.as_bytes()).and_then(|value| value.to_canonical());
    let canonical = value.map_err(|error| within("/object", &error))?;
    let content = app.log.domain().content_hash(&identity_id.0, canonical.as_bytes());
    place(&app, caller, idempotency, identity_id.0, content).await
}

async fn place(
    app: &App,
    caller: Caller,
    idempotency: Idempotency,
    identity_id: IdentityId,
    content: HashedContent,
) -> Result<Response, Problem> {
    caller.own(&identity_id)?;
    let world = caller.world;
    if world == World::Decoy {
        alarm(app, &caller, "signs");
    }
    let signed = app.log.submit(store::Sign { app: app.clone(), world, identity_id, content, idempotency }).await;
    let signed = signed.map_err(|problem| rules::masked(problem, &caller, &identity_id))?;
    Ok((StatusCode::CREATED, signed.link, signed.record).into_response())
}

/// The state of an identity's key.
#[utoipa::path(get, path = "/api/v1/dsa/status/{identity_id}", tag = "dsa",
    params(("identity_id" = String, Path, description = "The identity, 64 hexadecimal characters")), responses(
    (status = 200, description = "Its key", body = KeyPairInfoDoc),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn status(State(app): State<App>, caller: Caller, Path(identity_id): Path<String>) -> Result<Record, Problem> {
    let identity_id: IdentityId = id_in_path(&identity_id)?;
    caller.own(&identity_id)?;
    let info = known(&app, &caller, &identity_id).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    Record::new(rules::told(&caller, &info))
}

/// Sets the state of a key.
#[utoipa::path(post, path = "/api/v1/dsa/bela", tag = "dsa", request_body = BelaRequest, responses(
    (status = 200, description = "Its current key", body = KeyPairInfoDoc),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn bela(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    body: Json<BelaRequest>,
) -> Result<Record, Problem> {
    let (set, note) = (rules::change(&body.0)?, rules::note(&body.0)?);
    let (stanje, identity_id) = (body.0.stanje, body.0.identity_id.0);
    let named = body.0.javni_kljuc.as_ref().map(|key| key.0.0.clone());
    // Without the log's own key no checkpoint is signed: the host's command line alone changes it.
    if identity_id == *app.log.identity() && stanje != Stanje::Istina {
        return Err(Problem::new(&kinds::CONFLICT).detail("the log's own key signs its checkpoints"));
    }
    if let Some((_, decoy)) =
        decoy(&app, &caller, store::DecoyChange::Set(stanje, named.as_ref()), &identity_id, &idempotency).await?
    {
        return Ok(decoy);
    }
    app.log.submit(store::SetKeyState { caller, asked: body.0, set, note, idempotency }).await
}

/// Puts a new key in the place of an identity's current one.
#[utoipa::path(post, path = "/api/v1/dsa/rotiraj", tag = "dsa", request_body = RotateRequest, responses(
    (status = 200, description = "Its new key", body = KeyPairInfoDoc),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn rotate(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    body: Json<RotateRequest>,
) -> Result<Record, Problem> {
    let identity_id = body.0.identity_id.0;
    if identity_id == *app.log.identity() {
        return Err(Problem::new(&kinds::CONFLICT).detail("the log's own key is rotated from the host's command line"));
    }
    if let Some((_, decoy)) = decoy(&app, &caller, store::DecoyChange::Rotate, &identity_id, &idempotency).await? {
        return Ok(decoy);
    }
    app.log.submit(store::Rotate { app: app.clone(), caller, identity_id, idempotency }).await
}

/// Alarms, the newest first.
#[utoipa::path(get, path = "/api/v1/dsa/alarms", tag = "dsa", params(PageQuery), responses(
    (status = 200, description = "A page", body = Listed<AlarmOut>)))]
async fn list_alarms(State(app): State<App>, caller: Caller, page: Page) -> Result<Listed<AlarmOut>, Problem> {
    let after: Option<String> = page.after()?;
    let found = alarms::page(&app.db, caller.world, after.as_deref(), page.ask()).await?;
    let listed = page.list(found, |alarm| alarm.id.clone())?;
    Ok(listed.map(|alarm| AlarmOut {
        time: Timestamp::from_millis(alarm.time).unwrap_or(Timestamp::MIN).to_string(),
        id: alarm.id,
        kind: alarm.kind,
        subject: alarm.subject,
        detail: alarm.detail,
    }))
}

/// What the decoy's world answers; `None` in the real one.
async fn decoy(
    app: &App,
    caller: &Caller,
    change: store::DecoyChange<'_>,
    identity_id: &IdentityId,
    idempotency: &Idempotency,
) -> Result<Option<(StatusCode, Record)>, Problem> {
    if caller.world == World::Real {
        return Ok(None);
    }
    alarm(app, caller, "changes a key");
    let state = app.log.state().await?;
    change.make(app, &state, identity_id, idempotency).await.map(Some)
}

fn alarm(app: &App, caller: &Caller, what: &str) {
    let detail = match caller.tier {
        Tier::Native => format!("a native whose key is a honeypot {what}"),
        Tier::Noble => format!("a noble whose key is a honeypot {what}"),
    };
    alarms::raise(app, Alarm::DecoyCaller, caller.subject.to_hex(), detail);
}

/// A fault within a member of the body.
fn within(pointer: &str, error: &Error) -> Problem {
    Problem::invalid(pointer, error.row().name, error.to_string())
}
