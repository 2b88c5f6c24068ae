//! Sealing a document for another module, as `POST /seal` does it for a native.

use super::enclose::enclose;
use super::seal::{Inbound, seal, signer_now};
use super::{Vault, types::VaultAnswer};
use crate::App;
use bytes::Bytes;
use dualseal::IdentityId;
use futures::stream;
use platform::idempotency::Idempotency;
use platform::problem::Problem;
use std::sync::Arc;

/// Seals bytes for an identity, whose key the service has.
///
/// # Errors
/// As [`signer_now`] and [`enclose`] say.
pub(crate) async fn file(
    app: &App,
    vault: &Arc<Vault>,
    identity_id: IdentityId,
    kind: &str,
    bytes: Vec<u8>,
) -> Result<VaultAnswer, Problem> {
    let signer = signer_now(app, &identity_id).await?;
    let payload = stream::iter([Ok(Bytes::from(bytes))]);
    let (enclosed, content) = enclose(vault, Arc::clone(&signer), (identity_id, kind.to_owned()), payload).await?;
    let inbound = Inbound { identity_id, signer, enclosed, content, note: String::new() };
    Ok(seal(app, vault, inbound, &Idempotency::default()).await?.answer)
}
