//! Two checkpoints of one log without its chain: the same, a fork, a contradiction of two signers, or of two sizes.

use super::record::Checkpoint;
use crate::error::{Error, Misuse};
use crate::verdict::Verified;
use alloc::boxed::Box;

/// Two verified checkpoints of one log and one signer that cannot both be true: proof that the signer showed different
/// chains to different people. Keep both; they convince anybody who knows the signer's key. When the sizes differ and
/// the rings fit each other, the chain of the larger one is needed as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The smaller, or the first that was given.
    pub first: Checkpoint,
    /// The other.
    pub second: Checkpoint,
}

/// What two checkpoints say without the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They were signed over the same chain.
    Equal,
    /// They cannot both be true, and one signer signed both: one size and two chains or rings, or two sizes and rings
    /// that no chain has.
    Fork(Box<Fork>),
    /// The same, and two signers: one of them is wrong, and it proves nothing against either. Anybody may
    /// name a log as its owner did and sign for it with a key of his own. After a rotation of a log's key the caller
    /// knows which of the two he pinned first.
    Contradiction,
    /// Different sizes: whether one grew from the other shows in the chain
    /// ([`ChainReader::consistency`](crate::reader::ChainReader::consistency)), or by a proof over the trees
    /// ([`Follower`](super::Follower)).
    SizesDiffer,
}

/// Compares two verified checkpoints of one log.
///
/// # Errors
/// [`Misuse::OtherOrigin`] when they are of different logs.
pub fn compare(first: &Verified<Checkpoint>, second: &Verified<Checkpoint>) -> Result<Comparison, Error> {
    let (first, second) = (first.record(), second.record());
    if first.origin != second.origin {
        return Err(Misuse::OtherOrigin.into());
    }
    Ok(if contradict(first, second) {
        Fork::of(first, second).map_or(Comparison::Contradiction, Comparison::Fork)
    } else if first.head.size == second.head.size {
        Comparison::Equal
    } else {
        Comparison::SizesDiffer
    })
}

/// Whether two checkpoints of one log cannot both be true, whatever its chain is: one size and two chains or rings, one
/// revision and two rings, or a ring that lost changes while the log grew.
pub(crate) fn contradict(first: &Checkpoint, second: &Checkpoint) -> bool {
    let (smaller, larger) = ordered(first, second);
    let revision = |checkpoint: &Checkpoint| checkpoint.ring.map_or(0, |ring| ring.revision);
    if smaller.head.size == larger.head.size {
        smaller.head != larger.head || smaller.ring != larger.ring
    } else {
        revision(smaller) > revision(larger) || (revision(smaller) == revision(larger) && smaller.ring != larger.ring)
    }
}

pub(crate) fn ordered<'a>(first: &'a Checkpoint, second: &'a Checkpoint) -> (&'a Checkpoint, &'a Checkpoint) {
    if first.head.size <= second.head.size { (first, second) } else { (second, first) }
}

impl Fork {
    /// Two that contradict each other; nothing where each was signed by somebody else.
    pub(crate) fn of(first: &Checkpoint, second: &Checkpoint) -> Option<Box<Self>> {
        let same = first.identity_id == second.identity_id && first.public_key == second.public_key;
        same.then(|| Box::new(Self { first: first.clone(), second: second.clone() }))
    }
}
