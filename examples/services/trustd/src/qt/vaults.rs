//! What is needed of the vault: a document's record and stored bytes, its state, the secret that the service keeps. In
//! the decoy's world that is the copy that a thief is shown: its shards are of drawn secrets, under keys that seal
//! nothing real, so that no node, no walk of the log and no erasure takes one for a real one.

use super::Known;
use super::store::Line;
use crate::App;
use crate::vault::{Kept, State, decoy, find_kept, hold_kept, not_unsealed, set_state, stored, unseal as unsealing};
use dualseal::hash::{Sha3_256, hkdf_sha3_256};
use dualseal::secret::Secret;
use dualseal::shard::{Dealer, ShardKey};
use dualseal::stream::KeyMaterial;
use dualseal::vault::{Document, OperatorRecord, VaultMaster, unseal};
use dualseal::verdict::Verdict;
use dualseal::{IdentityId, VaultId, Verified};
use futures::StreamExt as _;
use platform::access::{Caller, World};
use platform::db::Tx;
use platform::problem::{Problem, kinds};
use zeroize::Zeroizing;

/// The key that seals the shards of an identity.
pub(crate) fn key(master: &VaultMaster, world: World, identity_id: &IdentityId) -> ShardKey {
    let decoys = hkdf_sha3_256::<32>(master.secret().expose(), &[], &[b"shards of decoys"]);
    let secret = if world == World::Real { master.secret() } else { &decoys };
    ShardKey::derive(master.domain(), secret, identity_id)
}

/// On whose erasure key the shards of an identity hang as long as they wait: on no real one's in the decoy's world.
pub(crate) fn owner(world: World, identity_id: &IdentityId) -> IdentityId {
    let decoy = Sha3_256::digest(&[b"owner of decoys".as_slice(), identity_id.as_bytes()].concat());
    if world == World::Real { *identity_id } else { IdentityId::from_bytes(decoy) }
}

/// The dealer of a document's secret.
pub(crate) fn dealer(known: &Known, world: World, kept: &Kept, (m, nodes): (u8, &[String])) -> Result<Dealer, Problem> {
    let (master, line) = (&known.vault.keys.master, &kept.line);
    Ok(match world {
        World::Real => Dealer::new(&kept.record, master, m, nodes)?,
        World::Decoy => {
            let key = key(master, world, &line.identity_id);
            Dealer::without_record(master.domain(), &key, &line.vault_id, &line.identity_id, m, nodes)
        }
    })
}

/// The document of this name and identity, which is not on its way out.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`], [`kinds::ERASED`].
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    vault_id: &VaultId,
    identity_id: &IdentityId,
) -> Result<Kept, Problem> {
    decoy::begin(app, caller).await?;
    let kept = match caller.world {
        World::Real => find_kept(&app.db, vault_id).await?,
        World::Decoy => decoy::find(app, caller, vault_id).await?.map(|shown| shown.kept),
    };
    let kept = kept.filter(|kept| kept.line.identity_id == *identity_id);
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
pub(crate) async fn hold(tx: &mut Tx, (vault_id, world): &Line) -> Result<State, Problem> {
    match world {
        World::Real => hold_kept(tx, vault_id).await,
        World::Decoy => decoy::hold(tx, vault_id).await,
    }
}

/// Changes the state of a document from one that the caller saw.
///
/// # Errors
/// [`kinds::CONFLICT`] where it is in another by now.
pub(crate) async fn become_(tx: &mut Tx, (vault_id, world): &Line, from: State, to: State) -> Result<(), Problem> {
    match world {
        World::Real => set_state(tx, vault_id, from, to).await,
        World::Decoy => decoy::set_state(tx, vault_id, from, to).await,
    }
}

/// What the service deals.
pub(crate) enum Source {
    /// The secret of the document, which it keeps.
    Kept(Secret<32>),
    /// One that is drawn when it is dealt, and opens nothing.
    Drawn,
}

/// The secret of a document; `None` where the nodes alone have it.
pub(crate) async fn kept_secret(
    app: &App,
    known: &Known,
    world: World,
    kept: &Kept,
) -> Result<Option<Source>, Problem> {
    match (kept.line.state, world) {
        (State::Sealed, World::Real) => {
            let secret = known.vault.secret(&app.db, &kept.line.identity_id, &kept.line.vault_id).await?;
            Ok(secret.map(Source::Kept))
        }
        (State::Sealed, World::Decoy) => Ok(Some(Source::Drawn)),
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
    let verified = valid.ok_or_else(|| not_unsealed(failed, internal.valid, is_revoked))?;
    Ok((verified, all(known, kept).await?))
}

/// Does what [`verified`] does, whatever comes of it: what a thief is shown holds for nobody, and takes as long.
pub(crate) async fn judged(app: &App, known: &Known, kept: &Kept) -> Result<(), Problem> {
    drop(unsealing::report(app, &known.vault, kept).await?);
    all(known, kept).await.map(drop)
}

async fn all(known: &Known, kept: &Kept) -> Result<Vec<u8>, Problem> {
    let mut pieces = stored::pieces(&known.vault, &kept.content).await?;
    let mut all = Vec::new();
    while let Some(piece) = pieces.next().await {
        all.extend_from_slice(&piece?);
    }
    Ok(all)
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

/// What a thief is given for the document.
pub(crate) async fn shown(
    app: &App,
    known: &Known,
    caller: &Caller,
    vault_id: &VaultId,
) -> Result<Zeroizing<Vec<u8>>, Problem> {
    let shown = decoy::find(app, caller, vault_id).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let mut plain = decoy::plain(app, &known.vault, caller, shown).await?;
    let mut all = Zeroizing::new(Vec::new());
    while let Some(piece) = plain.next().await {
        all.extend_from_slice(&piece.map_err(|error| Problem::internal("qt", &error))?);
    }
    Ok(all)
}
