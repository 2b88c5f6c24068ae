//! Two checkpoints of one log: the same, one grown from the other, a fork, or a contradiction of two signers.

use super::growth::agree;
use super::record::Checkpoint;
use crate::error::{CheckpointFault, Error, Misuse};
use crate::krunica::{Checker, Entry, Head};
use crate::verdict::Verified;
use alloc::boxed::Box;

/// Two verified checkpoints of one log and one signer that cannot both be true: proof that the signer showed different
/// chains to different people. Keep both; they convince anybody who knows the signer's key.
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
    /// Different sizes: whether one grew from the other shows in the chain ([`ConsistencyCheck`]), or by a proof over
    /// the trees ([`Follower`](super::Follower)).
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
fn contradict(first: &Checkpoint, second: &Checkpoint) -> bool {
    let (smaller, larger) = ordered(first, second);
    let revision = |checkpoint: &Checkpoint| checkpoint.ring.map_or(0, |ring| ring.revision);
    if smaller.head.size == larger.head.size {
        smaller.head != larger.head || smaller.ring != larger.ring
    } else {
        revision(smaller) > revision(larger) || (revision(smaller) == revision(larger) && smaller.ring != larger.ring)
    }
}

fn ordered<'a>(first: &'a Checkpoint, second: &'a Checkpoint) -> (&'a Checkpoint, &'a Checkpoint) {
    if first.head.size <= second.head.size { (first, second) } else { (second, first) }
}

impl Fork {
    /// Two that contradict each other; nothing where each was signed by somebody else.
    pub(super) fn of(first: &Checkpoint, second: &Checkpoint) -> Option<Box<Self>> {
        let same = first.identity_id == second.identity_id && first.public_key == second.public_key;
        same.then(|| Box::new(Self { first: first.clone(), second: second.clone() }))
    }
}

/// What two checkpoints say with the chain of the larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They were signed over the same chain.
    Equal,
    /// The larger one's chain begins with the smaller one's.
    Grown,
    /// It does not, or they have one size and differ: one signer signed both.
    Fork(Box<Fork>),
    /// As for a fork, by two signers: see [`Comparison::Contradiction`].
    Contradiction,
}

/// Streams the chain of the larger of two checkpoints past both.
#[derive(Clone, Debug)]
pub struct ConsistencyCheck<'a> {
    smaller: &'a Checkpoint,
    larger: &'a Checkpoint,
    checker: Checker,
    /// The chain's head at the size of the smaller checkpoint.
    there: Option<Head>,
    at_larger: Option<Head>,
}

impl<'a> ConsistencyCheck<'a> {
    /// Begins at seq 0.
    ///
    /// # Errors
    /// [`Misuse::OtherOrigin`] when they are of different logs.
    pub fn new(first: &'a Verified<Checkpoint>, second: &'a Verified<Checkpoint>) -> Result<Self, Error> {
        compare(first, second)?;
        let (smaller, larger) = ordered(first.record(), second.record());
        let mut check = Self { smaller, larger, checker: Checker::new(), there: None, at_larger: None };
        check.note();
        Ok(check)
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// [`ChainFault`](crate::error::ChainFault) for a broken chain.
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.checker.push(entry)?;
        self.note();
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// [`ChainFault`](crate::error::ChainFault) for a broken chain.
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.checker.push_json(text)?;
        self.note();
        Ok(entry)
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// [`CheckpointFault`] when the chain is not the larger checkpoint's: then nothing can be said of two sizes.
    pub fn finish(self) -> Result<Consistency, Error> {
        let (small, large) = (self.smaller.head, self.larger.head);
        let apart = || Ok(Fork::of(self.smaller, self.larger).map_or(Consistency::Contradiction, Consistency::Fork));
        // Some contradict each other without any chain, whichever of the two it belongs to.
        if contradict(self.smaller, self.larger) {
            return apart();
        }
        let size = large.size;
        let Some(at_larger) = self.at_larger else {
            return Err(CheckpointFault::Truncated { size, found: self.checker.head().size() }.into());
        };
        agree(&large, &at_larger)?;
        if self.there.is_none_or(|there| !small.is_of(&there)) {
            return apart();
        }
        Ok(if small == large { Consistency::Equal } else { Consistency::Grown })
    }

    fn note(&mut self) {
        let head = self.checker.head();
        if head.size() == self.smaller.head.size {
            self.there = Some(head.clone());
        }
        if head.size() == self.larger.head.size {
            self.at_larger = Some(head.clone());
        }
    }
}
