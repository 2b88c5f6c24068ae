//! What is stored of a document, on its way out, and hashed where it does not hold anybody up.

use super::Vault;
use super::store::Content;
use bytes::Bytes;
use dualseal::Domain;
use dualseal::vault::{StoredHash, StoredHasher};
use futures::stream::{self, BoxStream, Stream, StreamExt};
use platform::objects::ObjectFault;
use platform::problem::{Problem, kinds};
use tokio::sync::mpsc;

const WAITING: usize = 4;

/// What is stored, in order. A failure ends it.
pub(crate) type Pieces = BoxStream<'static, Result<Bytes, Problem>>;

/// The pieces of what is stored.
pub(crate) async fn pieces(vault: &Vault, content: &Content) -> Result<Pieces, Problem> {
    match content {
        Content::Inline(stored) => Ok(stream::iter([Ok(Bytes::from(stored.clone()))]).boxed()),
        Content::Object(hash) => {
            let (_, pieces) = vault.objects.get(hash).await.map_err(of_object)?;
            // A file that is cut off while it is read gives empty pieces for ever.
            let cut = |piece: Bytes| if piece.is_empty() { Err(ObjectFault::Edited) } else { Ok(piece) };
            Ok(pieces.map(move |piece| piece.and_then(cut).map_err(of_object)).boxed())
        }
    }
}

/// What an object is like in its store: another one once it was written again.
pub(crate) async fn stamp(vault: &Vault, name: &[u8; 32]) -> Result<String, Problem> {
    vault.objects.stamp(name).await.map_err(of_object)
}

/// An object that somebody changed or removed is a matter of its record, and not of the service.
fn of_object(fault: ObjectFault) -> Problem {
    match fault {
        ObjectFault::Missing | ObjectFault::Edited => Problem::new(&kinds::NOT_INTACT).detail(fault.to_string()),
        fault => fault.into(),
    }
}

/// What the layers need of them.
pub(crate) async fn hash(
    domain: &Domain,
    pieces: impl Stream<Item = Result<Bytes, Problem>> + Unpin,
) -> Result<StoredHash, Problem> {
    let mut hasher = StoredHasher::new(domain);
    let hashed = blocking(pieces, move |mut parts| {
        while let Some(piece) = parts.blocking_recv() {
            hasher.update(&piece?);
        }
        Ok(hasher)
    });
    Ok(hashed.await?.finish())
}

/// Hands pieces over to a thread that may compute for long; a failure among them is the last one that it gets.
pub(crate) async fn blocking<T: Send + 'static>(
    mut pieces: impl Stream<Item = Result<Bytes, Problem>> + Unpin,
    work: impl FnOnce(mpsc::Receiver<Result<Bytes, Problem>>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (to, from) = mpsc::channel(WAITING);
    let working = tokio::task::spawn_blocking(move || work(from));
    while let Some(piece) = pieces.next().await {
        let is_last = piece.is_err();
        if to.send(piece).await.is_err() || is_last {
            break;
        }
    }
    drop(to);
    working.await.map_err(|error| Problem::internal("vault", &error))?
}
