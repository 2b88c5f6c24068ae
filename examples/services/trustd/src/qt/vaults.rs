//! What is needed of the vault: a document's record and stored bytes, its state, the secret that the service keeps.

use super::Known;
use crate::App;
use crate::vault::store::{self, Kept};
use crate::vault::{State, rules, stored, unseal as unsealing};
use dualseal::secret::Secret;
use dualseal::shard::ShardKey;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{Document, OperatorRecord, VaultMaster, unseal};
use dualseal::verdict::Verdict;
use dualseal::{IdentityId, VaultId, Verified};
use futures::StreamExt as _;
use platform::db::Tx;
use platform::problem::{Problem, kinds};

/// The key that seals the shards of an identity.
pub(crate) fn key(master: &VaultMaster, identity_id: &IdentityId) -> ShardKey {
    ShardKey::derive(master.domain(), master.secret(), identity_id)
}

/// The document of this name and identity, which is not on its way out.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`], [`kinds::ERASED`].
pub(crate) async fn find(app: &App, vault_id: &VaultId, identity_id: &IdentityId) -> Result<Kept, Problem> {
    let kept = store::find(&app.db, vault_id).await?.filter(|kept| kept.line.identity_id == *identity_id);
    let kept = kept.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    lasts(kept.line.state)?;
    Ok(kept)
}

/// A document that is not on its way out.
///
/// # Errors
/// [`kinds::ERASED`].
pub(crate) fn lasts(state: State) -> Result<(), Problem> {
    if matches!(state, State::Erasing | State::Erased) { Err(Problem::new(&kinds::ERASED)) } else { Ok(()) }
}

/// The state of a document, which nobody else changes until the transaction ends.
pub(crate) async fn hold(tx: &mut Tx, vault_id: &VaultId) -> Result<State, Problem> {
    store::hold(tx, vault_id).await
}

/// The secret of a document; `None` where the nodes alone have it.
pub(crate) async fn kept_secret(app: &App, known: &Known, kept: &Kept) -> Result<Option<Secret<32>>, Problem> {
    match kept.line.state {
        State::Sealed => known.vault.secret(&app.db, &kept.line.identity_id, &kept.line.vault_id).await,
        _ => Ok(None),
    }
}

/// Verifies a document as its operator, its place in the log included, and reads what is stored of it.
pub(crate) async fn verified(
    app: &App,
    known: &Known,
    kept: &Kept,
) -> Result<(Verified<OperatorRecord>, Vec<u8>), Problem> {
    let report = unsealing::report(app, &known.vault, kept).await?;
    let failed = report.failed();
    let (internal, is_revoked) = (report.verdict().internal(), matches!(report.verdict(), Verdict::Revoked(_)));
    let valid = report.into_verdict().valid();
    let verified = valid.ok_or_else(|| rules::not_unsealed(failed, internal.valid, is_revoked))?;
    let mut pieces = stored::pieces(&known.vault, &kept.content).await?;
    let mut all = Vec::new();
    while let Some(piece) = pieces.next().await {
        all.extend_from_slice(&piece?);
    }
    Ok((verified, all))
}

/// Opens a document that was verified: all of it, or nothing.
pub(crate) fn open(
    record: &Verified<OperatorRecord>,
    secret: &dyn KeyMaterial,
    stored: &[u8],
) -> Result<Document, Problem> {
    let changed = |error: dualseal::Error| Problem::new(&kinds::NOT_INTACT).detail(error.to_string());
    unseal(record, Some(secret), stored).map_err(changed)
}
