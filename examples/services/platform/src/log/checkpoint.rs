//! Signing a checkpoint and its note: the mark first, so that no restored store signs a fork.

use super::store::{self, LogFault};
use super::{Held, found};
use crate::db::Tx;
use crate::secrets::Secrets;
use dualseal::checkpoint::{Checkpoint, HighWaterMark};
use dualseal::store::mark_from_json;
use dualseal::verdict::InvalidReason;
use dualseal::{KeyRing, SystemRng, Timestamp, Verified};
use dualseal_operator::notes::sign_note;
use dualseal_operator::opening::Refused;
use dualseal_operator::own::{OwnCheckpoint, Unowned};
use dualseal_operator::step::State;
use std::sync::Arc;

/// What a process knows of its log: the state, with all of the ring, is shared with whoever reads it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) state: Arc<State>,
    pub(super) mark: HighWaterMark,
    /// Of the last entry or checkpoint, whichever is later: nothing is dated before it, whatever the clock says.
    pub(super) time: Timestamp,
}

/// A checkpoint of this log: by the key, be it a retired one, of whoever signs its checkpoints. Another identity of the
/// ring signs none, however valid its key is.
pub(super) fn own(
    checkpoint: Checkpoint,
    secrets: &Secrets,
    origin: &str,
    ring: &KeyRing,
) -> Result<Verified<Checkpoint>, Unowned> {
    let other = Unowned::Invalid(InvalidReason::OtherSigner);
    if found::identity(secrets, origin).ok().as_ref() != Some(checkpoint.identity_id()) {
        return Err(other);
    }
    Ok(OwnCheckpoint::judge(checkpoint, secrets.domain(), origin, ring)?.into_signed())
}

/// Raises the mark to the state, which goes on from it by the log's tree.
pub(super) async fn raise(held: &Held, tx: &mut Tx, log: i64, opened: &mut Known) -> Result<(), LogFault> {
    opened.mark = next(held, tx, log, &opened.state).await?;
    Ok(())
}

/// Signs, under the lock on the log, what was appended since the last checkpoint, and says how many entries it covers.
pub(super) async fn sign(held: &Held, tx: &mut Tx, log: i64, opened: &mut Known) -> Result<u64, LogFault> {
    let state = &opened.state;
    let size = state.head().size();
    if state.last().is_some_and(|last| last.size == size) {
        return Ok(size);
    }
    // Not before what was signed last, as it was held against the state: the row could have any time by now.
    let time = held.clock.now().max(opened.time);
    // Whoever has the ring key can write a later mark, and not what was signed.
    if let Some(last) = store::last_checkpoint(tx).await? {
        store::growth(tx, log, &opened.state, last.tree_head()).await?;
    }
    let info = state.ring().info(&held.identity).ok_or(LogFault::Moved)?;
    let key = held.keys.get(&held.secrets, tx, &info.public_key).await.map_err(|_| LogFault::NoLog)?;
    let key = key.ok_or(LogFault::NoLog)?;
    let signer = state.checkpoint_signer(&held.identity, &*key)?.with_note_key(held.note_key.public_key());
    let mark = next(held, tx, log, &opened.state).await?;
    let checkpoint = signer.sign(&mark, time, &mut SystemRng)?;
    let note = sign_note(&checkpoint, &held.note_key).ok_or(LogFault::NoLog)?;
    let (state, changes) = State::clone(state).take(checkpoint)?;
    store::write(tx, log, &changes).await?;
    if let Some(checkpoint) = &changes.checkpoint {
        store::keep(tx, log, checkpoint, &note.to_text()).await?;
    }
    *opened = Known { state: Arc::new(state), mark, time };
    Ok(size)
}

/// The next mark goes on from the one that is there now, not from the one that was there when this process opened the
/// store: a second copy of the database, which went on by itself, may have raised it since.
async fn next(held: &Held, tx: &mut Tx, log: i64, state: &State) -> Result<HighWaterMark, LogFault> {
    let standing = held.mark.read().await?;
    let last = standing.of(state.origin(), &held.authority).ok_or(Refused::MarkMissing)?;
    let mark = mark_from_json(last, state.origin(), &held.authority).map_err(Refused::MarkUnreadable)?;
    let mark = mark.ok_or(Refused::MarkEdited)?;
    let growth = store::growth(tx, log, state, mark.tree_head()).await?;
    let (next, text) = state.next_mark(&mark, &growth).map_err(Refused::Step)?;
    held.mark.replace(standing.text(), &text).await?;
    Ok(next)
}
