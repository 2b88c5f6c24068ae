//! Documents: in a body of JSON, or as a form whose document is hashed as it arrives.

use super::super::types::{SignRequest, VerifyRequest};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request};
use dualseal::{Domain, HashedContent, IdentityId, SignatureRecord};
use http::header;
use platform::problem::{Problem, kinds};
use platform::web::Json;
use utoipa::ToSchema;

/// A document to be signed.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "its documentation")]
#[serde(deny_unknown_fields)]
pub(super) struct SignForm {
    /// Who signs.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    identity_id: String,
    /// The document, after it.
    #[schema(value_type = String, format = Binary)]
    document: Vec<u8>,
}

/// A document to be verified.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "its documentation")]
#[serde(deny_unknown_fields)]
pub(super) struct VerifyForm {
    /// Whose record it must be.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    identity_id: String,
    /// The record, as JSON.
    record: String,
    /// The document, after them.
    #[schema(value_type = String, format = Binary)]
    document: Vec<u8>,
}

/// What came.
pub(super) enum Document<T, F> {
    /// A body of JSON.
    Json(T),
    /// A form.
    Form(F),
}

/// A record in a form is no longer than this.
const RECORD_BYTES: usize = 1 << 16;

/// A document to be signed; `own` is asked before it is read.
pub(super) async fn signing(
    domain: &Domain,
    request: Request,
    own: impl Fn(&IdentityId) -> Result<(), Problem> + Send,
) -> Result<Document<SignRequest, HashedContent>, Problem> {
    if !is_form(&request) {
        return Ok(Document::Json(Json::from_request(request, &()).await?.0));
    }
    let mut form = form(request).await?;
    let identity_id = identity(next(&mut form, "identity_id").await?).await?;
    own(&identity_id)?;
    let content = hash(domain, &identity_id, next(&mut form, "document").await?).await?;
    end(&mut form).await?;
    Ok(Document::Form(content))
}

/// A document to be verified.
pub(super) async fn verifying(
    domain: &Domain,
    request: Request,
) -> Result<Document<VerifyRequest, (SignatureRecord, HashedContent)>, Problem> {
    if !is_form(&request) {
        return Ok(Document::Json(Json::from_request(request, &()).await?.0));
    }
    let mut form = form(request).await?;
    let identity_id = identity(next(&mut form, "identity_id").await?).await?;
    let record = bounded(next(&mut form, "record").await?, "record").await?;
    let record = SignatureRecord::from_json(&record)
        .map_err(|error| Problem::invalid("/record", error.row().name, error.to_string()))?;
    let content = hash(domain, &identity_id, next(&mut form, "document").await?).await?;
    end(&mut form).await?;
    Ok(Document::Form((record, content)))
}

fn is_form(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("multipart/form-data"))
}

async fn form(request: Request) -> Result<Multipart, Problem> {
    let form = Multipart::from_request(request, &()).await;
    form.map_err(|_| Problem::new(&kinds::BAD_REQUEST).detail("the form has no boundary"))
}

async fn next<'f>(form: &'f mut Multipart, name: &'static str) -> Result<Field<'f>, Problem> {
    let field = form.next_field().await.map_err(|error| unread(&error))?;
    field.filter(|field| field.name() == Some(name)).ok_or_else(|| {
        Problem::invalid(format!("/{name}"), "missing-member", format!("the part {name} is not where it should be"))
    })
}

async fn end(form: &mut Multipart) -> Result<(), Problem> {
    match form.next_field().await.map_err(|error| unread(&error))? {
        None => Ok(()),
        Some(_) => Err(Problem::invalid("", "unknown-member", "there are parts behind the document")),
    }
}

async fn bounded(mut field: Field<'_>, name: &'static str) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| unread(&error))? {
        if bytes.len() + chunk.len() > RECORD_BYTES {
            return Err(Problem::invalid(format!("/{name}"), "range", format!("the part {name} is too long")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

async fn identity(field: Field<'_>) -> Result<IdentityId, Problem> {
    let bytes = bounded(field, "identity_id").await?;
    let text = String::from_utf8(bytes).unwrap_or_default();
    text.parse().map_err(|error: dualseal::Error| Problem::invalid("/identity_id", error.row().name, error.to_string()))
}

async fn hash(domain: &Domain, identity_id: &IdentityId, mut field: Field<'_>) -> Result<HashedContent, Problem> {
    let mut hasher = domain.content_hasher(identity_id);
    while let Some(chunk) = field.chunk().await.map_err(|error| unread(&error))? {
        hasher.update(&chunk);
    }
    Ok(hasher.finish())
}

fn unread(error: &MultipartError) -> Problem {
    let kind = if error.status() == 413 { &kinds::TOO_LARGE } else { &kinds::BAD_REQUEST };
    Problem::new(kind).detail("the form is cut, or too large")
}
