//! Opening: what a store has is held against itself before anything is done with it, without reading the chain. What is
//! refused is named, with what to do.

mod kept;
mod refused;

pub use kept::{KeptSecrets, SecretsList};
pub use refused::Refused;

use crate::step::State;
use dualseal::checkpoint::{Checkpoint, Growth, HighWaterMark};
use dualseal::error::{Rejected, RingFault};
use dualseal::key::{RingFile, RingHead};
use dualseal::krunica::TreeHead;
use dualseal::reader::{ChainReader, FoundRing, TrustedHead};
use dualseal::store::{LastCheckpoint, StoredState, mark_from_json};
use dualseal::tree::{NodeReader, holds_growth, prove_growth, root_of};
use dualseal::{CheckedRing, Domain, Entry, Error, Head, RingKey};
use std::cmp::Ordering;

/// What a driver found in its store, read at one moment: in one transaction, or under the lock.
#[derive(Debug)]
pub struct Stored<'a> {
    /// The text of the state ([`Changes::state`](crate::step::Changes::state)).
    pub state: &'a [u8],
    /// The ring, from its rows ([`RingFile::from_rows`]).
    pub ring: RingFile,
    /// The last entry of the chain; `None` where there is none.
    pub end: Option<Entry>,
    /// The last checkpoint.
    pub checkpoint: Option<Checkpoint>,
    /// The signer's high-water mark, from its own place, where it is written when the log is founded
    /// ([`State::first_mark`]).
    pub mark: Option<&'a [u8]>,
}

/// What was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The state, ready for steps.
    pub state: State,
    /// The mark, from which the chain must have grown before the next checkpoint is signed.
    pub mark: HighWaterMark,
}

/// Holds what a store has against itself: the state's and the ring's MACs, the end of the chain against both, the last
/// checkpoint against the state, and the signer's mark, which no backup of the store brings back, against all of it.
/// The ring is the one of `origin`, the log's name as its operator knows it. A driver that has the log's tree asks
/// [`check_growth`] from the mark then.
///
/// # Errors
/// [`Refused`] names the first that does not hold.
pub fn open(domain: &Domain, origin: &str, authority: &RingKey, stored: Stored<'_>) -> Result<Opened, Refused> {
    let (mark, checkpoint) = (stored.mark, stored.checkpoint.clone());
    let read = |text| mark_from_json(text, origin, authority).map_err(Refused::MarkUnreadable);
    let state = open_without_mark(domain, origin, authority, stored)?;
    let mark = read(mark.ok_or(Refused::MarkMissing)?)?.ok_or(Refused::MarkEdited)?;
    check_mark(&state, checkpoint.as_ref(), &mark)?;
    Ok(Opened { state, mark })
}

/// As [`open`], whatever the mark is: to make it anew, from a checkpoint that somebody else has seen, and for nothing
/// else. Nothing tells whether the store is an old one.
///
/// # Errors
/// As [`open`], but for the mark.
pub fn open_without_mark(
    domain: &Domain,
    origin: &str,
    authority: &RingKey,
    stored: Stored<'_>,
) -> Result<State, Refused> {
    let Stored { state, ring, end, checkpoint, mark: _ } = stored;
    if ring.origin() != origin {
        return Err(Refused::OtherLog { found: ring.origin().to_owned() });
    }
    let kept = StoredState::from_json(state, origin, authority).map_err(Refused::StateUnreadable)?;
    let kept = kept.ok_or(Refused::StateEdited)?;
    check_end(kept.head(), end.as_ref())?;
    let ring = check_ring(domain, ring, authority, kept.head())?;
    check_checkpoint(kept.last(), checkpoint.as_ref())?;
    State::new(domain, ring, kept).map_err(Refused::Step)
}

/// The chain ends where the state says: who appended without it, or took entries away, is told apart.
fn check_end(head: &Head, end: Option<&Entry>) -> Result<(), Refused> {
    let found = end.map_or(0, |entry| entry.seq().saturating_add(1));
    match found.cmp(&head.size()) {
        Ordering::Less => Err(Refused::ChainCut { found, expected: head.size() }),
        Ordering::Greater => Err(Refused::ChainLonger { found, expected: head.size() }),
        Ordering::Equal if end.is_some_and(|entry| entry.hash() != head.top() || !entry.hash_holds()) => {
            Err(Refused::ChainOther { size: head.size() })
        }
        Ordering::Equal => Ok(()),
    }
}

/// The ring was sealed at the same end, in the same transaction.
fn check_ring(domain: &Domain, file: RingFile, authority: &RingKey, head: &Head) -> Result<CheckedRing, Refused> {
    let size = file.size();
    if size != head.size() {
        return Err(Refused::RingOfAnotherTime { ring: size, state: head.size() });
    }
    let mut reader = ChainReader::new(domain, &TrustedHead::ring_file(&file)).up_to(head);
    let read = reader.ring(file, authority, |_| true);
    let ring = read.and_then(|watched| reader.finish()?.take(watched)).map(FoundRing::into_ring);
    ring.map_err(|error| match error {
        Error::Rejected(Rejected::Ring(RingFault::Forged { .. })) => Refused::RingEdited,
        error => Refused::RingUnreadable(error),
    })
}

/// That the chain goes on from an earlier end, by the log's tree, in a few reads of its nodes: from the mark, so that a
/// second copy of the store that has grown past it is refused before it does anything; from the last checkpoint too,
/// before the next one is signed.
///
/// # Errors
/// [`Refused::NotGrown`], [`Refused::TreeEdited`]; the reader's own.
pub fn check_growth<R, E>(state: &State, from: &TreeHead, nodes: &mut R) -> Result<Growth, E>
where
    R: NodeReader + ?Sized,
    E: From<Refused> + From<R::Error>,
{
    let (head, signed) = (state.head(), from.size);
    let (found, root) = (head.size(), head.root());
    let refused = Refused::NotGrown { signed, found };
    let Some(path) = prove_growth(nodes, signed, found)? else { return Err(refused.into()) };
    if let Ok(growth) = Growth::by_proof(from, head, &path) {
        return Ok(growth);
    }
    // The nodes that were read are the chain's, and what was signed is not; or somebody edited them.
    let here = root_of(nodes, signed)?;
    let is_tree = holds_growth(&here, signed, &root, found, &path);
    Err(if is_tree { refused } else { Refused::TreeEdited }.into())
}

pub(crate) fn check_checkpoint(last: Option<&LastCheckpoint>, found: Option<&Checkpoint>) -> Result<(), Refused> {
    match (last, found) {
        (None, None) => Ok(()),
        (Some(last), None) => Err(Refused::CheckpointMissing { size: last.size }),
        (Some(last), Some(found)) if LastCheckpoint::of(found) == *last => Ok(()),
        (_, Some(_)) => Err(Refused::CheckpointOther),
    }
}

/// The mark is written before a checkpoint is signed, and after a change of the ring, where no backup of the store
/// reaches.
fn check_mark(state: &State, checkpoint: Option<&Checkpoint>, mark: &HighWaterMark) -> Result<(), Refused> {
    let (signed, head) = (mark.tree_head(), state.head());
    if signed.size > head.size() || signed.size == head.size() && *signed != head.tree_head() {
        return Err(Refused::Restored { signed: signed.size, found: head.size() });
    }
    // A chain that went on from an older copy may be longer than the mark: its ring is not newer.
    let revision = |ring: Option<&RingHead>| ring.map_or(0, |ring| ring.revision);
    let (ring, marked) = (state.ring().ring_head(), mark.ring());
    let (found, marked_at) = (revision(ring.as_ref()), revision(marked));
    if found < marked_at || found == marked_at && ring.as_ref() != marked {
        return Err(Refused::RingRestored { marked: marked_at, found });
    }
    let Some(checkpoint) = checkpoint else { return Ok(()) };
    let last = checkpoint.tree_head();
    // A crash between the mark and its checkpoint leaves a later mark.
    if signed.size < last.size || signed.size == last.size && (signed != last || mark.ring() != checkpoint.ring()) {
        return Err(Refused::MarkOther { mark: signed.size, checkpoint: last.size });
    }
    Ok(())
}
