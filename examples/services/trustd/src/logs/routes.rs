//! Its addresses, under `/api/v1/log`: for anybody. Beside the newest, what they show stays as it is as long as this
//! log is written to; of one that ended after an accepted loss, entries and their places are shown by their handles.

use super::rules::{Named, named};
use super::store;
use super::types::{Cosigned, EntryDoc, From, Growth, GrowthProof, Handle, Of};
use crate::App;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use dualseal::checkpoint::Checkpoint;
use dualseal::krunica::KrunicaHash;
use dualseal::note::Note;
use dualseal::tree::{EntryBundle, Tile, TreeHash};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use platform::problem::{Body, Problem, kinds};
use platform::web::{Json, Query, Record, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// As many entries at once.
const ENTRIES: u64 = 1000;
/// The highest position: what JSON's numbers take.
const MOST: u64 = (1 << 53) - 1;
/// A note with 64 lines is shorter.
const NOTE_BYTES: usize = 1 << 16;

/// Its addresses.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(checkpoint))
        .routes(routes!(proof))
        .routes(routes!(consistency))
        .routes(routes!(entry))
        .routes(routes!(entries))
        .routes(routes!(tile))
        .routes(routes!(cosignatures))
}

/// The last checkpoint.
///
/// As a signed note with the witnesses' lines (C2SP `tlog-checkpoint`), or with `Accept: application/json` as the log's
/// own key signed it.
#[utoipa::path(get, path = "/api/v1/log/checkpoint", tag = "log", responses(
    (status = 200, description = "The note, or the checkpoint", content(
        (String = "text/plain"), (Object = "application/json"))),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn checkpoint(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    let (_, checkpoint, note) = last(&app).await?;
    let wants_json = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let (kind, text) = if wants_json.is_some_and(|accept| accept.contains("application/json")) {
        ("application/json", checkpoint.to_json())
    } else {
        ("text/plain; charset=utf-8", note)
    };
    let tag = etag(text.as_bytes());
    let mut response = fresh(&headers, &tag, "public, max-age=10").unwrap_or_else(|| text.into_response());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    stamped(response, &tag, "public, max-age=10")
}

/// The place of an entry under the last checkpoint. With its handle, one of a log that has ended has its place under
/// the last checkpoint of that.
#[utoipa::path(get, path = "/api/v1/log/proof/{seq}", tag = "log",
    params(("seq" = u64, Path, description = "The entry's position, from 0"), Of), responses(
    (status = 200, description = "The proof: checkpoint, entry and path", body = Object),
    (status = 409, description = "No checkpoint covers it yet", body = Body, content_type = "application/problem+json"),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn proof(State(app): State<App>, Path(seq): Path<String>, Query(of): Query<Of>) -> Result<Response, Problem> {
    let seq: u64 = id_in_path(&seq)?;
    let reader = app.log.reader();
    let found = match &of.krunica_hash {
        None => reader.by_seq(reader.current().await?, seq).await?,
        Some(handle) => reader.by_handle(&krunica(handle)?).await?.filter(|found| found.entry.seq() == seq),
    };
    let found = found.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let signed = reader.checkpoint(found.log).await?;
    let wait = || Problem::new(&kinds::NOT_COVERED).retry_after(app.config.log.checkpoint_every.0);
    let (checkpoint, _) = signed.ok_or_else(wait)?;
    let proof = reader.place(&checkpoint, found).await?.ok_or_else(wait)?;
    let response = Record::new(proof.to_json())?.into_response();
    stamped(response, &etag(proof.to_json().as_bytes()), "public, max-age=60")
}

/// That the log goes on from what somebody saw of it.
#[utoipa::path(get, path = "/api/v1/log/consistency", tag = "log", params(Growth), responses(
    (status = 200, description = "The proof", body = GrowthProof),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn consistency(State(app): State<App>, Query(growth): Query<Growth>) -> Result<Response, Problem> {
    let (log, checkpoint, _) = last(&app).await?;
    let size = checkpoint.tree_head().size;
    let (from, to) = (growth.from, growth.to.unwrap_or(size));
    if to > size {
        return Err(Problem::invalid("query/to", "range", "no checkpoint covers so many"));
    }
    let path = app.log.reader().growth(log, from, to).await?;
    let path = path.ok_or_else(|| Problem::invalid("query/from", "range", "from is above to"))?;
    let proof = GrowthProof { from, to, path: path.iter().map(ToString::to_string).collect() };
    stamped(Json(proof).into_response(), &format!("\"{log}-{from}-{to}\""), forever(growth.to.is_some()))
}

/// An entry by its handle.
#[utoipa::path(get, path = "/api/v1/log/entry", tag = "log", params(Handle), responses(
    (status = 200, description = "The entry", body = EntryDoc),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn entry(State(app): State<App>, Query(handle): Query<Handle>) -> Result<Response, Problem> {
    let krunica = krunica(&handle.krunica_hash)?;
    let found = app.log.reader().by_handle(&krunica).await?.map(|found| found.entry);
    let found = match found {
        Some(entry) => Some(entry),
        None => crate::vault::sealed_for_thieves(&app.db, &krunica).await?,
    };
    let found = found.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let response = Record::new(found.to_json())?.into_response();
    stamped(response, &format!("\"{krunica}\""), forever(true))
}

/// Entries that a checkpoint covers, from a position on: at most 1000, a line of JSON each, without `seq`.
#[utoipa::path(get, path = "/api/v1/log/entries", tag = "log", params(From), responses(
    (status = 200, description = "The lines; none beyond the last checkpoint",
        body = String, content_type = "application/x-ndjson"),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn entries(State(app): State<App>, Query(from): Query<From>) -> Result<Response, Problem> {
    let (log, checkpoint, _) = last(&app).await?;
    if from.from > MOST {
        return Err(Problem::invalid("query/from", "range", "no log has so many entries"));
    }
    let end = from.from.saturating_add(ENTRIES).min(checkpoint.tree_head().size);
    let entries = app.log.reader().range(log, from.from.min(end), end).await?;
    let lines: String = entries.iter().map(dualseal::Entry::to_json_line).collect();
    let mut response = lines.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    stamped(response, &format!("\"{log}-{}-{end}\"", from.from), forever(entries.len() as u64 == ENTRIES))
}

/// A block of the tree, or of its leaves, as C2SP's `tlog-tiles` lays them out.
#[utoipa::path(get, path = "/api/v1/log/tile/{*tile}", tag = "log",
    params(("tile" = String, Path, example = "0/000.p/1",
        description = "`LEVEL/INDEX` or `entries/INDEX`, the last of a level with `.p/WIDTH`")), responses(
    (status = 200, description = "The hashes, or the leaves", body = Vec<u8>,
        content_type = "application/octet-stream"),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn tile(State(app): State<App>, Path(tile): Path<String>) -> Result<Response, Problem> {
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    let named = named(&tile).ok_or_else(unknown)?;
    let (log, checkpoint, _) = last(&app).await?;
    let (level, first, count) = named.nodes().ok_or_else(unknown)?;
    if !named.is_within(checkpoint.tree_head().size) {
        return Err(unknown());
    }
    let bytes = match named {
        Named::Tile(_) => Tile::encode(&app.log.reader().nodes(log, level, first, count).await?),
        Named::Bundle(_) => {
            let entries = app.log.reader().range(log, first, first + count).await?;
            EntryBundle::encode(&entries.iter().map(dualseal::Entry::leaf).collect::<Vec<_>>())?
        }
    };
    let mut response = bytes.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    stamped(response, &format!("\"{log}-{tile}\""), forever(true))
}

/// Takes what pinned witnesses wrote below a note of this log.
#[utoipa::path(post, path = "/api/v1/log/cosignatures", tag = "log",
    request_body(content = String, content_type = "text/plain"), responses(
    (status = 200, description = "Their lines stand below the note", body = Cosigned),
    (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
async fn cosignatures(State(app): State<App>, body: Bytes) -> Result<(StatusCode, Json<Cosigned>), Problem> {
    if body.len() > NOTE_BYTES {
        return Err(Problem::new(&kinds::TOO_LARGE));
    }
    let unread = || Problem::invalid("", "note", "the body is no signed note");
    let text = std::str::from_utf8(&body).map_err(|_| unread())?;
    let size = Note::from_text(text).map_err(|_| unread())?.body().size;
    let log = app.log.reader().current().await?;
    let witnesses = store::cosign(&app.db, log, size, text, &app.config.log.witness_keys()).await?;
    Ok((StatusCode::OK, Json(Cosigned { size, witnesses })))
}

fn krunica(handle: &str) -> Result<KrunicaHash, Problem> {
    let named = |error: dualseal::Error| Problem::invalid("query/krunica_hash", error.row().name, error.to_string());
    handle.parse().map_err(named)
}

/// The log, its last checkpoint, and the note.
async fn last(app: &App) -> Result<(i64, Checkpoint, String), Problem> {
    let reader = app.log.reader();
    let log = reader.current().await?;
    let signed = reader.checkpoint(log).await?;
    let wait = || Problem::new(&kinds::NOT_COVERED).retry_after(app.config.log.checkpoint_every.0);
    let (checkpoint, note) = signed.ok_or_else(wait)?;
    Ok((log, checkpoint, note))
}

fn forever(is: bool) -> &'static str {
    // A day, and no longer: after an accepted loss another log has these addresses.
    if is { "public, max-age=86400" } else { "public, max-age=10" }
}

fn etag(bytes: &[u8]) -> String {
    format!("\"{}\"", TreeHash::of_leaf(bytes))
}

/// 304, where whoever asks has it.
fn fresh(headers: &HeaderMap, tag: &str, caching: &'static str) -> Option<Response> {
    let known = headers.get(header::IF_NONE_MATCH)?.to_str().ok()?;
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    is_known.then(|| ([(header::CACHE_CONTROL, caching)], StatusCode::NOT_MODIFIED).into_response())
}

fn stamped(mut response: Response, tag: &str, caching: &'static str) -> Result<Response, Problem> {
    let tag = HeaderValue::from_str(tag).map_err(|error| Problem::internal("tag", &error))?;
    response.headers_mut().insert(header::ETAG, tag);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    Ok(response)
}
