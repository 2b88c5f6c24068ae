//! A document on its way in: encrypted as it comes, so that no plain byte of it is ever stored, and kept before it is
//! sealed, so that the log waits for nobody's upload.

use super::rules::{INLINE_BYTES, PAYLOAD_BYTES};
use super::store::Content;
use super::{Keys, Vault};
use bytes::Bytes;
use dualseal::stream::stored_length;
use dualseal::vault::{Enclosed, Encryption, VaultSealer};
use dualseal::{ExpandedSigningKey, IdentityId, SystemRng};
use futures::stream::{self, Stream, StreamExt};
use platform::problem::{Problem, kinds};
use std::sync::Arc;
use tokio::sync::mpsc;

/// So many pieces wait between who receives, who encrypts and who stores.
const WAITING: usize = 4;

/// A key that signs, whoever holds it.
pub(crate) type Signer = Arc<ExpandedSigningKey>;

enum Part {
    Bytes(Bytes),
    /// Without it the sender went away.
    End,
    Failed(Problem),
}

/// Encrypts and keeps a document of an identity, in the memory of some pieces.
///
/// # Errors
/// What its pieces say; [`kinds::TOO_LARGE`]; a type that no record has.
pub(crate) async fn enclose(
    vault: &Vault,
    signer: Signer,
    (identity_id, kind): (IdentityId, String),
    payload: impl Stream<Item = Result<Bytes, Problem>> + Unpin,
) -> Result<(Enclosed, Content), Problem> {
    let (plain, parts) = mpsc::channel(WAITING);
    let (sink, stored) = mpsc::channel(WAITING);
    let keys = Arc::clone(&vault.keys);
    let encrypting = tokio::task::spawn_blocking(move || {
        let enclosed = encrypt(&keys, &signer, (&identity_id, &kind), parts, &sink);
        if let Err(problem) = &enclosed {
            // What was kept until now ends in this failure, and not as a whole object.
            drop(sink.blocking_send(Err(problem.clone())));
        }
        enclosed
    });
    let (fed, kept) = tokio::join!(feed(payload, plain), keep(vault, stored));
    let enclosed = encrypting.await.map_err(|error| Problem::internal("vault", &error))?;
    fed?;
    match (enclosed, kept) {
        // What encrypts ends when nobody keeps what it makes: the reason is the keeper's.
        (_, Err(problem)) | (Err(problem), Ok(_)) => Err(problem),
        (Ok(enclosed), Ok(content)) => Ok((enclosed, content)),
    }
}

/// Hands the pieces over, and says how they ended.
async fn feed(
    mut payload: impl Stream<Item = Result<Bytes, Problem>> + Unpin,
    plain: mpsc::Sender<Part>,
) -> Result<(), Problem> {
    let mut length = 0_usize;
    while let Some(piece) = payload.next().await {
        let piece = piece.and_then(|piece| {
            length = length.saturating_add(piece.len());
            if length > PAYLOAD_BYTES { Err(Problem::new(&kinds::TOO_LARGE)) } else { Ok(piece) }
        });
        let (part, failed) = match piece {
            Ok(piece) => (Part::Bytes(piece), None),
            Err(problem) => (Part::Failed(problem.clone()), Some(problem)),
        };
        // Nobody takes it where something failed behind, which is told from there.
        let is_taken = plain.send(part).await.is_ok();
        if let Some(problem) = failed {
            return Err(problem);
        }
        if !is_taken {
            return Ok(());
        }
    }
    drop(plain.send(Part::End).await);
    Ok(())
}

fn encrypt(
    keys: &Keys,
    signer: &Signer,
    (identity_id, kind): (&IdentityId, &str),
    mut parts: mpsc::Receiver<Part>,
    sink: &mpsc::Sender<Result<Bytes, Problem>>,
) -> Result<Enclosed, Problem> {
    let gone = || Problem::new(&kinds::BAD_REQUEST).detail("the body ended early");
    let mut out = Vec::new();
    let send = |out: &mut Vec<u8>| {
        let piece = Bytes::from(std::mem::take(out));
        if piece.is_empty() { Ok(()) } else { sink.blocking_send(Ok(piece)).map_err(|_| gone()) }
    };
    let sealer = VaultSealer::new(&keys.master, identity_id, &**signer);
    let mut sealing = sealer.begin(kind, Encryption::Stream, &mut SystemRng, &mut out).map_err(of_type)?;
    loop {
        match parts.blocking_recv().ok_or_else(gone)? {
            Part::Bytes(piece) => sealing.update(&piece, &mut out)?,
            Part::Failed(problem) => return Err(problem),
            Part::End => break,
        }
        send(&mut out)?;
    }
    let enclosed = sealing.enclose(&mut out)?;
    send(&mut out)?;
    Ok(enclosed)
}

/// The type of erasures is the library's own, which is a rule for the sender.
fn of_type(error: dualseal::Error) -> Problem {
    match error {
        dualseal::Error::Misuse(dualseal::error::Misuse::ReservedType) => {
            Problem::invalid("/type", "reserved", "this type is that of erasures")
        }
        error => error.into(),
    }
}

async fn keep(vault: &Vault, mut stored: mpsc::Receiver<Result<Bytes, Problem>>) -> Result<Content, Problem> {
    let mut first = Vec::new();
    while let Some(piece) = stored.recv().await {
        first.extend_from_slice(&piece?);
        if first.len() > INLINE_BYTES {
            let rest = stream::unfold(stored, |mut stored| async { stored.recv().await.map(|piece| (piece, stored)) });
            let pieces = stream::iter([Ok(Bytes::from(first))]).chain(rest);
            let most = stored_length(PAYLOAD_BYTES) as u64;
            return Ok(Content::Object(vault.objects.put(pieces, most).await?.hash));
        }
    }
    Ok(Content::Inline(first))
}
