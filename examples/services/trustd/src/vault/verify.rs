//! What of a verification is told to whom.

use super::check::{Checked, check, place};
use super::rules::{Asker, shown};
use super::store::Kept;
use super::types::{LayerAnswer, VerifyAnswer};
use super::{Vault, decoy, store, stored};
use crate::App;
use crate::alarms::{self as alarm, Alarm};
use dualseal::error::Layer;
use dualseal::vault::{StoredHash, VaultRecord};
use dualseal::{IdentityId, VaultId};
use platform::problem::{Problem, kinds};

/// A record that stands here. One that nobody knows is refused as one that does not hold.
pub(crate) async fn by_id(
    app: &App,
    vault: &Vault,
    asker: Asker,
    (vault_id, identity_id): (&VaultId, Option<&IdentityId>),
) -> Result<VerifyAnswer, Problem> {
    let real = store::find(&app.db, vault_id).await?;
    let found = match real {
        Some(kept) => Some(kept),
        None => decoy::find_any(&app.db, vault_id).await?,
    };
    let Some(Kept { line, content, record }) = found else {
        let razlog = Some("rejected".to_owned());
        return Ok(VerifyAnswer { validan: Some(false), razlog, layers: None });
    };
    let hash = match asker {
        Asker::Public => vault.strangers.hash(app.log.domain(), vault, &content).await,
        Asker::Native | Asker::Decoy => match stored::pieces(vault, &content).await {
            Ok(pieces) => stored::hash(app.log.domain(), pieces).await,
            Err(problem) => Err(problem),
        },
    };
    let hash = match hash {
        // What is stored is gone, or is not what has its name.
        Err(problem) if problem.kind() == &kinds::NOT_INTACT => {
            let razlog = if asker == Asker::Public { "rejected" } else { Layer::L3.as_str() };
            return Ok(VerifyAnswer { validan: Some(false), razlog: Some(razlog.to_owned()), layers: None });
        }
        hash => hash?,
    };
    let identity_id = identity_id.unwrap_or(&line.identity_id);
    told(app, vault, asker, (&record, &hash), (identity_id, true)).await
}

/// A record that somebody sent, and the hash of what is stored of it.
pub(crate) async fn sent(
    app: &App,
    vault: &Vault,
    asker: Asker,
    record: &VaultRecord,
    stored: &StoredHash,
    identity_id: &IdentityId,
) -> Result<VerifyAnswer, Problem> {
    // A fragment leaves the store in nobody's hands but a thief's.
    if let Some(fragment) = record.fragment()
        && let Some(leaked) = store::traced(&app.db, fragment.decoy_key()?.hash()).await?
    {
        alarm::raise(app, Alarm::Fragment, leaked.to_hex(), format!("of {identity_id}"));
    }
    told(app, vault, asker, (record, stored), (identity_id, asker != Asker::Public)).await
}

async fn told(
    app: &App,
    vault: &Vault,
    asker: Asker,
    (record, stored): (&VaultRecord, &StoredHash),
    (identity_id, by_master): (&IdentityId, bool),
) -> Result<VerifyAnswer, Problem> {
    let state = app.log.state().await?;
    let place = place(app, &state, record).await?;
    let checked = check(app, vault, &state, record, stored, (identity_id, place.as_ref(), by_master))?;
    if checked.is_decoy() {
        alarm::raise(app, Alarm::DecoyKey, identity_id.to_hex(), "a vault record".to_owned());
    }
    Ok(answer(asker, &checked))
}

fn answer(asker: Asker, checked: &Checked) -> VerifyAnswer {
    let public = checked.public();
    let passes = public.valid == Some(true);
    let (result, layers) = match asker {
        Asker::Public => (public, None),
        Asker::Native => (checked.internal(), Some(layers(|layer| checked.report.outcome(layer)))),
        Asker::Decoy => {
            let layers = layers(|layer| shown(layer, checked.report.outcome(layer), passes));
            let told = if passes { public } else { checked.internal() };
            (told, Some(layers))
        }
    };
    VerifyAnswer { validan: result.valid, razlog: result.reason, layers }
}

fn layers(
    outcome: impl Fn(Layer) -> dualseal::vault::VaultOutcome,
) -> std::collections::BTreeMap<&'static str, LayerAnswer> {
    Layer::ALL.into_iter().map(|layer| (layer.as_str(), outcome(layer).into())).collect()
}
