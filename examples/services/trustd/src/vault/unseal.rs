//! Giving a document back: a first pass over what is stored, in which every layer passes, and a second that decrypts.

use super::check::{check, covered};
use super::rules::not_unsealed;
use super::store::{Kept, Line};
use super::stored::Pieces;
use super::{Vault, stored};
use crate::App;
use crate::alarms::{self as alarm, Alarm};
use bytes::Bytes;
use dualseal::secret::Secret;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{Encryption, OperatorRecord, Provisional, Unsealer, VaultReport};
use dualseal::{Verdict, Verified};
use futures::stream::{self, StreamExt};
use platform::problem::{Problem, kinds};
use std::io;
use tokio::sync::mpsc;

/// So many decrypted pieces wait for the client.
const WAITING: usize = 4;

/// The plain bytes of a document, in order.
pub(crate) type Plain = stream::BoxStream<'static, io::Result<Bytes>>;

/// The operator's report on a record that stands here, under a checkpoint that covers it.
pub(crate) async fn report(app: &App, vault: &Vault, kept: &Kept) -> Result<VaultReport<OperatorRecord>, Problem> {
    let state = app.log.state().await?;
    let place = covered(app, &state, &kept.record).await?;
    let hash = stored::hash(app.log.domain(), stored::pieces(vault, &kept.content).await?).await?;
    // After the checkpoint, so that a key that was called back meanwhile is.
    let state = app.log.state().await?;
    let about = (&kept.line.identity_id, place.as_ref(), true);
    Ok(check(app, vault, &state, &kept.record, &hash, about)?.report)
}

/// The document of a record: nothing of it leaves before every layer passed. What is stored is read again for it, and
/// where it was changed in between the answer breaks off.
pub(crate) async fn unseal(app: &App, vault: &Vault, kept: Kept) -> Result<Plain, Problem> {
    kept.line.state.unseals()?;
    let report = report(app, vault, &kept).await?;
    let failed = report.failed();
    let (internal, is_revoked) =
        (report.verdict().internal(), matches!(report.verdict(), Verdict::Revoked(_) | Verdict::Decoy(_)));
    let Some(verified) = report.into_verdict().valid() else {
        return Err(not_unsealed(failed, internal.valid, is_revoked));
    };
    let is_encrypted = verified.record().record().header().encryption == Encryption::Stream;
    let secret = if is_encrypted { Some(secret_of(app, vault, &kept).await?) } else { None };
    let pieces = stored::pieces(vault, &kept.content).await?;
    begun(decrypted(verified, secret, pieces)).await
}

async fn secret_of(app: &App, vault: &Vault, kept: &Kept) -> Result<Secret<32>, Problem> {
    let Line { identity_id, vault_id, .. } = &kept.line;
    let secret = vault.secret(&app.db, identity_id, vault_id).await.inspect_err(|problem| {
        if problem.kind() != &kinds::ERASED {
            let detail = "its secret does not open where it stands".to_owned();
            alarm::raise(app, Alarm::Secret, vault_id.to_hex(), detail);
        }
    })?;
    secret.ok_or_else(|| Problem::new(&kinds::CONFLICT).detail("its secret is not here any more"))
}

/// What comes of the second pass.
fn decrypted(verified: Verified<OperatorRecord>, secret: Option<Secret<32>>, mut pieces: Pieces) -> Receiver {
    let (to, from) = mpsc::channel::<Result<Bytes, Problem>>(WAITING);
    let (out, plain) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while let Some(piece) = pieces.next().await {
            if to.send(piece).await.is_err() {
                break;
            }
        }
    });
    tokio::task::spawn_blocking(move || {
        if let Err(problem) = decrypt(&verified, secret.as_ref(), from, &out) {
            drop(out.blocking_send(Err(problem)));
        }
    });
    plain
}

type Receiver = mpsc::Receiver<Result<Bytes, Problem>>;

fn decrypt(
    verified: &Verified<OperatorRecord>,
    secret: Option<&Secret<32>>,
    mut stored: Receiver,
    plain: &mpsc::Sender<Result<Bytes, Problem>>,
) -> Result<(), Problem> {
    let changed = |error: dualseal::Error| Problem::new(&kinds::NOT_INTACT).detail(error.to_string());
    let mut unsealer = Unsealer::new(verified, secret.map(|secret| secret as &dyn KeyMaterial))?;
    let mut out = Provisional::new();
    let send = |out: &mut Provisional| {
        let piece = Bytes::copy_from_slice(out.provisional_bytes());
        out.clear();
        piece.is_empty() || plain.blocking_send(Ok(piece)).is_ok()
    };
    while let Some(piece) = stored.blocking_recv() {
        unsealer.update(&piece?, &mut out).map_err(changed)?;
        if !send(&mut out) {
            return Ok(());
        }
    }
    let _whole = unsealer.finish(&mut out).map_err(changed)?;
    send(&mut out);
    Ok(())
}

/// Waits for the first piece, so that what fails at once is answered as a problem.
pub(crate) async fn begun(mut plain: Receiver) -> Result<Plain, Problem> {
    let first = plain.recv().await.transpose()?;
    let rest = stream::unfold(plain, |mut plain| async { plain.recv().await.map(|piece| (piece, plain)) });
    let rest = rest.map(|piece| piece.map_err(|problem| io::Error::other(problem.to_string())));
    Ok(stream::iter(first.map(Ok)).chain(rest).boxed())
}
