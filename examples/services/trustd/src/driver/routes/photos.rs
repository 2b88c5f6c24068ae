//! Photos: sent before the document that names them, each once.

use super::{is_hash, line};
use crate::driver::images::{Shown, shown};
use crate::driver::rules::{PHOTOS, WAITING};
use crate::driver::store;
use crate::driver::types::{PhotoOut, PhotoQuery};
use crate::refusals::{OfReading, OfSending};
use crate::{App, alarms};
use axum::Extension;
use axum::extract::{FromRequest as _, Path, Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dualseal::IdentityId;
use dualseal::encoding::hex;
use http::{StatusCode, header};
use platform::access::Caller;
use platform::db::Db;
use platform::objects::Objects;
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::{Json, Query, id_in_path};
use ring::digest::{SHA256, digest};
use tokio::sync::Semaphore;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// So many are decoded at once, whoever sends them.
static DECODED: Semaphore = Semaphore::const_new(2);
const BYTES: &str = "application/octet-stream";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(upload)).routes(routes!(show))
}

/// Takes a photo of at most 10 MiB and 40 megapixels, for a document of the caller's that is filed after it. The same
/// once more is answered with 200.
#[utoipa::path(post, path = "/api/v1/photos/upload", tag = "driver", params(PhotoQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "A JPEG, PNG or WebP: its content says which"),
    responses(
        (status = 200, description = "It was there", body = PhotoOut),
        (status = 201, description = "Taken", body = PhotoOut), OfSending))]
async fn upload(
    State(app): State<App>,
    Extension(objects): Extension<Objects>,
    caller: Caller,
    Query(query): Query<PhotoQuery>,
    request: Request,
) -> Result<Response, Problem> {
    alarms::watch(&app, &caller, "sends a photo");
    if !is_hash(&query.sha256) {
        return Err(Problem::invalid("query/sha256", "value", "is no SHA-256: 64 hexadecimal characters"));
    }
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.trim().eq_ignore_ascii_case(BYTES) {
        return Err(Problem::new(&kinds::MEDIA_TYPE).detail("the body is to be application/octet-stream"));
    }
    let bytes = Bytes::from_request(request, &()).await.map_err(|rejected| {
        let is_large = rejected.status() == StatusCode::PAYLOAD_TOO_LARGE;
        Problem::new(if is_large { &kinds::TOO_LARGE } else { &kinds::BAD_REQUEST })
    })?;
    if hex::encode(digest(&SHA256, &bytes).as_ref()) != query.sha256 {
        return Err(Problem::invalid("query/sha256", "hash", "is not that of the bytes that came"));
    }
    let (vozac, dokument_id) = (caller.subject.to_hex(), query.dokument_id.to_string());
    let identity_id = app.log.domain().identity_id(&bytes, &vozac, &dokument_id)?.to_hex();
    let named = (identity_id.as_str(), caller.subject, caller.world.number());
    if let Some(photo) = found(&app.db, named).await? {
        return Ok(Json(photo).into_response());
    }
    let of = values![&vozac, &dokument_id, caller.world.number()];
    let already = count(&app.db, store::PHOTOS_OF, of).await?;
    let waiting = count(&app.db, store::WAITING, values![&vozac, caller.world.number()]).await?;
    if already >= PHOTOS as u64 || waiting >= WAITING {
        return Err(Problem::new(&kinds::CONFLICT).detail("too many photos: file their documents first"));
    }
    let (bytes, Shown { jpeg, size: (width, height) }) = drawn(bytes).await?;
    let length = jpeg.len();
    let (original, made) = (objects.put_bytes(bytes).await?, objects.put_bytes(jpeg).await?);
    let mut tx = app.db.begin().await?;
    let mut values = values![&identity_id, caller.world.number(), &vozac, &dokument_id, &query.sha256];
    values.extend(values![original.hash.to_vec(), made.hash.to_vec(), length as u64, width, height]);
    values.extend(values![app.clock.millis()]);
    let photo = PhotoOut {
        identity_id: identity_id.clone(),
        sha256: query.sha256,
        dokument_id,
        bajtova: length as u64,
        sirina: width,
        visina: height,
    };
    match tx.execute(store::ADD_PHOTO, values).await.map_err(Problem::from) {
        Ok(_) => {}
        // Its other copy was first.
        Err(problem) if problem.is_unique() => {
            tx.roll_back().await?;
            return Ok(Json(photo).into_response());
        }
        Err(problem) => return Err(problem),
    }
    store::name(&objects, &mut tx, [&original, &made], &line(caller.world, &identity_id)).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(photo)).into_response())
}

/// Draws it anew, beside one other at most.
async fn drawn(bytes: Bytes) -> Result<(Bytes, Shown), Problem> {
    let _permit = DECODED.acquire().await.map_err(|error| Problem::internal("photos", &error))?;
    let done = tokio::task::spawn_blocking(move || shown(&bytes).map(|shown| (bytes, shown))).await;
    let done = done.map_err(|error| Problem::internal("photos", &error))?;
    done.map_err(|fault| Problem::invalid("", "image", format!("the photo {fault}")))
}

async fn count(db: &Db, statement: platform::db::Statement, values: Vec<platform::db::Value>) -> Result<u64, Problem> {
    Ok(db.find(statement, values).await?.map_or(Ok(0), |row| row.size("found"))?)
}

async fn found(db: &Db, (id, vozac, world): (&str, IdentityId, i64)) -> Result<Option<PhotoOut>, Problem> {
    let row = db.find(store::PHOTO, values![id, vozac.to_hex(), world]).await?;
    Ok(row.as_ref().map(store::photo).transpose()?.map(|(photo, _)| photo))
}

/// A photo of the caller's, drawn anew, without what it says of itself.
#[utoipa::path(get, path = "/api/v1/photos/{identity_id}", tag = "driver",
    params(("identity_id" = String, Path, description = "Its identity", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "A JPEG of at most 500 kB", content_type = "image/jpeg", body = Vec<u8>),
        OfReading))]
async fn show(
    State(app): State<App>,
    Extension(objects): Extension<Objects>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let id: IdentityId = id_in_path(&id)?;
    let of = values![id.to_hex(), caller.subject.to_hex(), caller.world.number()];
    let row = app.db.find(store::PHOTO, of).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let (photo, hash) = store::photo(&row)?;
    let jpeg = objects.read(&hash, photo.bajtova).await?;
    Ok(([(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response())
}
