//! Photos: sent before the document that names them, each once.

use super::is_hash;
use crate::driver::images::shown;
use crate::driver::kept::{self, Part, PhotoKey};
use crate::driver::rules::{PHOTOS, WAITING};
use crate::driver::store;
use crate::driver::store::photos::{self, Photo};
use crate::driver::types::{PhotoOut, PhotoQuery, ShownQuery};
use crate::refusals::{OfReading, OfSending};
use crate::table::PHOTO_BYTES;
use crate::vault::{TRIES, Vault};
use crate::{App, alarms};
use axum::Extension;
use axum::extract::{FromRequest as _, Path, Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dualseal::IdentityId;
use dualseal::encoding::hex;
use dualseal::stream::stored_length;
use http::{HeaderValue, StatusCode, header};
use platform::access::{Caller, World};
use platform::authority::Standing;
use platform::objects::Object;
use platform::problem::{Problem, kinds};
use platform::web::{Json, Query, id_in_path};
use ring::digest::{SHA256, digest};
use std::sync::Arc;
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
    Extension(vault): Extension<Arc<Vault>>,
    standing: Standing,
    Query(query): Query<PhotoQuery>,
    request: Request,
) -> Result<Response, Problem> {
    alarms::watch(&app, standing.caller(), "sends a photo");
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
    // The body may have taken minutes, in which a token can be called back.
    let standing = standing.again().await?;
    let caller = standing.caller();
    if hex::encode(digest(&SHA256, &bytes).as_ref()) != query.sha256 {
        counted("refused");
        return Err(Problem::invalid("query/sha256", "hash", "is not that of the bytes that came"));
    }
    let (vozac, dokument_id) = (caller.subject.to_hex(), query.dokument_id.to_string());
    let identity_id = app.log.domain().identity_id(&bytes, &vozac, &dokument_id)?;
    if let Some(photo) = photos::find(&app.db, &identity_id, caller.world).await? {
        return Ok(Json(photo.out).into_response());
    }
    if store::find(&app.db, &caller.subject, &dokument_id, caller.world).await?.is_some() {
        return Err(Problem::new(&kinds::CONFLICT).detail("its document is filed: photos come before it"));
    }
    let drawn = drawn(&DECODED, PhotoKey::draw(app.log.domain(), &identity_id)?, bytes).await;
    let drawn = drawn.inspect_err(|_| counted("refused"))?;
    let objects = &vault.objects;
    let (original, shown) = (objects.put_bytes(drawn.original).await?, objects.put_bytes(drawn.shown).await?);
    let (length, (sirina, visina)) = (drawn.length, drawn.size);
    let photo = Photo {
        identity_id,
        world: caller.world,
        vozac: caller.subject,
        out: PhotoOut {
            identity_id: identity_id.to_hex(),
            sha256: query.sha256,
            dokument_id,
            bajtova: length,
            sirina,
            visina,
        },
        original: original.hash,
        shown: shown.hash,
    };
    let is_new = taken(&app, &vault, &photo, &drawn.key, [&original, &shown]).await?;
    if is_new && caller.world == World::Real {
        counted("taken");
    }
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(photo.out)).into_response())
}

fn counted(outcome: &'static str) {
    metrics::counter!("trustd_driver_photos_total", "outcome" => outcome).increment(1);
}

/// Writes it, with its key, which hangs on the driver's. False where its other copy was first.
async fn taken(
    app: &App,
    vault: &Vault,
    photo: &Photo,
    key: &PhotoKey,
    objects: [&Object; 2],
) -> Result<bool, Problem> {
    let owner = kept::owner(app, &photo.vozac, photo.world)?;
    let place = PhotoKey::place(&photo.identity_id, photo.world)?;
    let mut tries = 0;
    loop {
        let owned = app.owners.current(&owner).await?;
        let mut tx = app.db.begin().await?;
        let (already, waiting) = photos::counts(&mut tx, photo).await?;
        if already >= PHOTOS as u64 || waiting >= WAITING {
            tx.roll_back().await?;
            return Err(Problem::new(&kinds::CONFLICT).detail("too many photos: file their documents first"));
        }
        let written = async {
            photo.add(&mut tx, &vault.objects, objects, app.clock.millis()).await?;
            app.secrets.put(&mut tx, &owned.wrap(place.clone(), key.expose())?.into()).await?;
            app.owners.own(&mut tx, &owned, &place).await
        };
        tries += 1;
        match written.await {
            Ok(()) => {
                tx.commit().await?;
                return Ok(true);
            }
            Err(problem) if problem.is_unique() => {
                tx.roll_back().await?;
                return Ok(false);
            }
            // The driver's key is another one by now.
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => tx.roll_back().await?,
            Err(problem) => return Err(problem),
        }
    }
}

/// A photo as it is kept.
struct Drawn {
    key: PhotoKey,
    original: Vec<u8>,
    shown: Vec<u8>,
    /// Bytes of what is shown, and pixels.
    length: u64,
    size: (u32, u32),
}

/// Draws it anew, beside one other at most, and encrypts both. Work that has begun goes on when its client is gone, so
/// that the permit goes with it.
async fn drawn(places: &'static Semaphore, key: PhotoKey, bytes: Bytes) -> Result<Drawn, Problem> {
    let permit = places.acquire().await.map_err(|error| Problem::internal("photos", &error))?;
    let drawing = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let made = shown(&bytes).map_err(|fault| Problem::invalid("", "image", format!("the photo {fault}")))?;
        let (original, shown) = (key.encrypt(Part::Original, &bytes)?, key.encrypt(Part::Shown, &made.jpeg)?);
        Ok(Drawn { key, original, shown, length: made.jpeg.len() as u64, size: made.size })
    });
    drawing.await.map_err(|error| Problem::internal("photos", &error))?
}

/// A photo, drawn anew without what it says of itself, or as it was sent.
#[utoipa::path(get, path = "/api/v1/photos/{identity_id}", tag = "driver",
    params(("identity_id" = String, Path, description = "Its identity", pattern = "^[0-9a-f]{64}$"), ShownQuery),
    responses((status = 200, description = "A JPEG of at most 500 kB, or the bytes that were sent",
            content((Vec<u8> = "image/jpeg"), (Vec<u8> = "application/octet-stream"))), OfReading))]
async fn show(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<ShownQuery>,
) -> Result<Response, Problem> {
    let id: IdentityId = id_in_path(&id)?;
    alarms::watch(&app, &caller, "looks at a photo of a driver");
    let photo = photos::find(&app.db, &id, caller.world).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    caller.own(&photo.vozac)?;
    let key = PhotoKey::open(&app, (&photo.vozac, photo.world), &id).await?;
    let (part, hash, kind, most) = if query.izvornik {
        (Part::Original, photo.original, BYTES, PHOTO_BYTES)
    } else {
        (Part::Shown, photo.shown, "image/jpeg", photo.out.bajtova)
    };
    let most = stored_length(usize::try_from(most).unwrap_or(usize::MAX)) as u64;
    let stored = vault.objects.read(&hash, most).await?;
    let mut response = ([(header::CONTENT_TYPE, kind)], key.decrypt(part, &stored)?).into_response();
    if query.izvornik {
        // Whatever else it may be: no browser opens it here.
        let attached = HeaderValue::from_static("attachment; filename=\"original\"");
        response.headers_mut().insert(header::CONTENT_DISPOSITION, attached);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal::Domain;
    use image::{DynamicImage, ImageFormat};
    use std::io::Cursor;
    use std::time::Duration;

    static PLACES: Semaphore = Semaphore::const_new(2);

    /// Who sends a photo and goes leaves no place free as long as it is decoded.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_client_that_is_gone_frees_no_place() {
        let mut out = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(6000, 5000).write_to(&mut out, ImageFormat::Png).unwrap();
        let id = IdentityId::from_bytes([7; 32]);
        let key = PhotoKey::draw(&Domain::new("ACME").unwrap(), &id).unwrap();
        let task = tokio::spawn(drawn(&PLACES, key, out.into_inner().into()));
        while PLACES.available_permits() == 2 {
            tokio::task::yield_now().await;
        }
        task.abort();
        assert!(task.await.is_err_and(|error| error.is_cancelled()));
        assert_eq!(PLACES.available_permits(), 1);
        let freed = async {
            while PLACES.available_permits() < 2 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), freed).await.unwrap();
    }
}
