//! Two checkpoints of one log with the chain of the larger one.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::watcher::{Ended, Watcher};
use crate::checkpoint::{Checkpoint, Fork, agree, compare, contradict, ordered};
use crate::error::{CheckpointFault, Error, Misuse};
use crate::krunica::{Entry, Head};
use crate::verdict::Verified;
use alloc::boxed::Box;

/// What two checkpoints say with the chain of the larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They were signed over the same chain.
    Equal,
    /// The larger one's chain begins with the smaller one's.
    Grown,
    /// It does not, or they have one size and differ: one signer signed both.
    Fork(Box<Fork>),
    /// As for a fork, by two signers: see [`Comparison::Contradiction`](crate::checkpoint::Comparison::Contradiction).
    Contradiction,
}

/// Holds the chain of the larger of two checkpoints against both.
struct Compared {
    smaller: Checkpoint,
    larger: Checkpoint,
    /// The chain's head at the size of the smaller checkpoint.
    there: Option<Head>,
    at_larger: Option<Head>,
}

impl Compared {
    fn note(&mut self, after: &Cursor) {
        if after.size() == self.smaller.tree_head().size {
            self.there = after.head().cloned();
        }
        if after.size() == self.larger.tree_head().size {
            self.at_larger = after.head().cloned();
        }
    }
}

impl Watcher for Compared {
    type Proof = Consistency;

    fn take(&mut self, _entry: &Entry, after: &Cursor) {
        self.note(after);
    }

    fn finish(self, ended: &Ended<'_>) -> Result<Consistency, Error> {
        let (small, large) = (self.smaller.tree_head(), self.larger.tree_head());
        let size = large.size;
        let apart = || Ok(Fork::of(&self.smaller, &self.larger).map_or(Consistency::Contradiction, Consistency::Fork));
        // Some contradict each other without any chain, whichever of the two it belongs to.
        if contradict(&self.smaller, &self.larger) {
            return apart();
        }
        let Some(at_larger) = &self.at_larger else {
            return Err(CheckpointFault::Truncated { size, found: ended.end.size }.into());
        };
        agree(large, at_larger)?;
        if self.there.as_ref().is_none_or(|there| !small.is_of(there)) {
            return apart();
        }
        Ok(if small == large { Consistency::Equal } else { Consistency::Grown })
    }
}

impl ChainReader<'_> {
    /// What two checkpoints of one log say of each other, with the chain of the larger one. Its fault is a
    /// [`CheckpointFault`] where the chain that is read is not the larger one's: then nothing can be said of two sizes.
    ///
    /// # Errors
    /// [`Misuse::OtherOrigin`] when they are of different logs; [`Misuse::LateStart`] when the reader begins after the
    /// smaller one's end.
    pub fn consistency(
        &mut self,
        first: &Verified<Checkpoint>,
        second: &Verified<Checkpoint>,
    ) -> Result<Watched<Consistency>, Error> {
        compare(first, second)?;
        let (smaller, larger) = ordered(first.record(), second.record());
        let begun = self.begun();
        if begun.head().is_none() || begun.size() > smaller.tree_head().size {
            return Err(Misuse::LateStart.into());
        }
        let mut compared = Compared { smaller: smaller.clone(), larger: larger.clone(), there: None, at_larger: None };
        compared.note(begun);
        self.watch(compared)
    }
}
