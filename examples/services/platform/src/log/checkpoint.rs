//! Signing a checkpoint and its note: the mark first, so that no restored store signs a fork.

use super::nodes::SizedNodes;
use super::store::{self, LogFault};
use super::Held;
use crate::db::Tx;
use dualseal::SystemRng;
use dualseal::checkpoint::{Growth, HighWaterMark};
use dualseal_operator::notes::sign_note;
use dualseal_operator::opening::{Opened, Refused, check_growth};

/// Raises the mark to the state, which goes on from it by the log's tree.
pub(super) async fn raise(held: &Held, tx: &mut Tx, log: i64, opened: &mut Opened) -> Result<(), LogFault> {
    let (mark, text) = next(tx, log, opened).await?;
    // What stands there is the one that was read, and its own text; another process may have raised it meanwhile.
    let last = held.mark.read()?;
    held.mark.replace(last.as_deref(), &text)?;
    opened.mark = mark;
    Ok(())
}

/// Signs, under the lock on the log, what was appended since the last checkpoint, and says how many entries it covers.
pub(super) async fn sign(held: &Held, tx: &mut Tx, log: i64, opened: &mut Opened) -> Result<u64, LogFault> {
    let state = &opened.state;
    let size = state.head().size();
    if state.last().is_some_and(|last| last.size == size) {
        return Ok(size);
    }
    // Whoever has the ring key can write a later mark, and not what was signed.
    if let Some(last) = store::last_checkpoint(tx).await? {
        growth(tx, log, opened, last.tree_head()).await?;
    }
    let info = state.ring().info(&held.identity).ok_or(LogFault::Moved)?;
    let key = held.keys.get(&held.secrets, tx, &info.public_key).await.map_err(|_| LogFault::NoLog)?;
    let key = key.ok_or(LogFault::NoLog)?;
    let signer = state.checkpoint_signer(&held.identity, &*key)?.with_note_key(held.note_key.public_key());
    let (mark, text) = next(tx, log, opened).await?;
    let last = held.mark.read()?;
    held.mark.replace(last.as_deref(), &text)?;
    let checkpoint = signer.sign(&mark, held.clock.now(), &mut SystemRng)?;
    let note = sign_note(&checkpoint, &held.note_key).ok_or(LogFault::NoLog)?;
    let (state, changes) = state.clone().take(checkpoint)?;
    store::write(tx, log, &changes).await?;
    if let Some(checkpoint) = &changes.checkpoint {
        store::keep(tx, log, checkpoint, &note.to_text()).await?;
    }
    *opened = Opened { state, mark };
    Ok(size)
}

async fn next(tx: &mut Tx, log: i64, opened: &Opened) -> Result<(HighWaterMark, String), LogFault> {
    let growth = growth(tx, log, opened, opened.mark.tree_head()).await?;
    Ok(opened.state.next_mark(&opened.mark, &growth).map_err(Refused::Step)?)
}

async fn growth(
    tx: &mut Tx,
    log: i64,
    opened: &Opened,
    from: &dualseal::krunica::TreeHead,
) -> Result<Growth, LogFault> {
    let mut nodes = SizedNodes::of_growth(tx, log, from.size, opened.state.head().size()).await?;
    check_growth(&opened.state, from, &mut nodes)
}
