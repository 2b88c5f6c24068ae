//! Documents in forms, which are hashed as they arrive.

use super::within;
use crate::forms::Form;
use dualseal::{Domain, HashedContent, IdentityId, SignatureRecord};
use futures::TryStreamExt as _;
use platform::problem::Problem;
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

/// A record in a form is no longer than this.
const RECORD_BYTES: usize = 1 << 16;

/// A document to be signed; `own` is asked before it is read.
pub(super) async fn signing(
    domain: &Domain,
    mut form: Form,
    own: impl Fn(&IdentityId) -> Result<(), Problem> + Send,
) -> Result<HashedContent, Problem> {
    let identity_id = form.name("identity_id").await?;
    own(&identity_id)?;
    hashed(domain, &identity_id, form).await
}

/// A document to be verified, with its record.
pub(super) async fn verifying(domain: &Domain, mut form: Form) -> Result<(SignatureRecord, HashedContent), Problem> {
    let identity_id = form.name("identity_id").await?;
    let record = form.text("record", RECORD_BYTES).await?;
    let record = SignatureRecord::from_json(record.as_bytes()).map_err(|error| within("/record", &error))?;
    Ok((record, hashed(domain, &identity_id, form).await?))
}

/// The last part, hashed.
async fn hashed(domain: &Domain, identity_id: &IdentityId, mut form: Form) -> Result<HashedContent, Problem> {
    let mut hasher = domain.content_hasher(identity_id);
    let mut pieces = form.pieces("document").await?;
    while let Some(piece) = pieces.try_next().await? {
        hasher.update(&piece);
    }
    drop(pieces);
    form.end().await?;
    Ok(hasher.finish())
}
