//! Sealing a document for another module, as `POST /seal` does it for a native.

use super::enclose::{Signer, enclose};
use super::seal::{Inbound, seal, signer_now};
use super::types::VaultAnswer;
use super::{Vault, decoy, store};
use crate::{App, dsa};
use bytes::Bytes;
use dualseal::{IdentityId, VaultId};
use futures::stream;
use platform::access::{Caller, World};
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
    let inbound = inbound(vault, signer, (identity_id, kind), bytes).await?;
    Ok(seal(app, vault, inbound, &Idempotency::default()).await?.answer)
}

/// The same for a caller, in his world.
///
/// # Errors
/// As [`file`].
pub(crate) async fn file_for(
    app: &App,
    vault: &Arc<Vault>,
    caller: &Caller,
    (identity_id, kind): (IdentityId, &str),
    bytes: Vec<u8>,
) -> Result<VaultAnswer, Problem> {
    let signer = signer_of(app, caller, &identity_id).await?;
    let inbound = inbound(vault, signer, (identity_id, kind), bytes).await?;
    let sealed = match caller.world {
        World::Decoy => decoy::seal(app, vault, caller, inbound, &Idempotency::default()).await?,
        World::Real => {
            let sealed = seal(app, vault, inbound, &Idempotency::default()).await;
            sealed.map_err(|problem| dsa::masked(problem, caller, &identity_id))?
        }
    };
    Ok(sealed.answer)
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
