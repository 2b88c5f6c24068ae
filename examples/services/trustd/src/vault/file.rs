//! Sealing a document for another module, as `POST /seal` does it for a native.

use super::enclose::{Signer, enclose};
use super::seal::{Inbound, Seal, seal_with, signer_now};
use super::{Vault, decoy, store};
use crate::{App, dsa};
use bytes::Bytes;
use dualseal::{IdentityId, VaultId};
use futures::stream;
use platform::access::{Caller, World};
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::Problem;
use std::sync::Arc;

/// Seals bytes for an identity, whose key the service has, together with whatever its module writes of them: both, or
/// neither.
///
/// # Errors
/// As [`signer_now`] and [`enclose`] say, and what the module's work says.
pub(crate) async fn file_with<W: Work>(
    app: &App,
    vault: &Arc<Vault>,
    (identity_id, kind): (IdentityId, &str),
    bytes: Vec<u8>,
    with: impl Fn(Seal) -> W,
) -> Result<W::Answer, Problem> {
    let signer = signer_now(app, &identity_id).await?;
    let inbound = inbound(vault, signer, (identity_id, kind), bytes).await?;
    seal_with(app, vault, inbound, with).await
}

/// Seals bytes in a thief's world, which no log has.
///
/// # Errors
/// As [`enclose`] says.
pub(crate) async fn file_decoy(
    app: &App,
    vault: &Arc<Vault>,
    caller: &Caller,
    (identity_id, kind): (IdentityId, &str),
    bytes: Vec<u8>,
) -> Result<VaultId, Problem> {
    let signer = decoy::signer(app, &identity_id).await?;
    let inbound = inbound(vault, signer, (identity_id, kind), bytes).await?;
    let sealed = decoy::seal(app, vault, caller, inbound, &Idempotency::default()).await?;
    Ok(sealed.answer.line.vault_id.0)
}

async fn inbound(
    vault: &Arc<Vault>,
    signer: Signer,
    (identity_id, kind): (IdentityId, &str),
    bytes: Vec<u8>,
) -> Result<Inbound, Problem> {
    let payload = stream::iter([Ok(Bytes::from(bytes))]);
    let (enclosed, content) = enclose(vault, Arc::clone(&signer), (identity_id, kind.to_owned()), payload).await?;
    Ok(Inbound { identity_id, signer, enclosed, content, note: String::new() })
}

/// By which key something is sealed for a caller.
///
/// # Errors
/// As [`signer_now`].
pub(super) async fn signer_of(app: &App, caller: &Caller, identity_id: &IdentityId) -> Result<Signer, Problem> {
    match caller.world {
        World::Decoy => decoy::signer(app, identity_id).await,
        World::Real => {
            let found = signer_now(app, identity_id).await;
            found.map_err(|problem| dsa::masked(problem, caller, identity_id))
        }
    }
}

/// Whether a record that the caller sees is an identity's.
///
/// # Errors
/// The database.
pub(crate) async fn is_of(
    app: &App,
    caller: &Caller,
    vault_id: &VaultId,
    identity_id: &IdentityId,
) -> Result<bool, Problem> {
    decoy::begin(app, caller).await?;
    let found = match caller.world {
        World::Decoy => decoy::find(app, caller, vault_id).await?.map(|shown| shown.kept),
        World::Real => store::find(&app.db, vault_id).await?,
    };
    Ok(found.is_some_and(|kept| kept.line.identity_id == *identity_id))
}
