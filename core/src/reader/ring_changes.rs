//! The changes of a ring in its chain, against which any number of checkpoints are held after one pass.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::trusted::RingThere;
use super::watcher::{Ended, Watcher};
use crate::checkpoint::Checkpoint;
use crate::error::{CheckpointFault, Error, Misuse, RingFault};
use crate::key::{RingHead, RingKey};
use crate::krunica::Entry;
use crate::verdict::Verified;
use alloc::vec::Vec;

/// Keeps the entries that count.
struct Changes {
    authority: RingKey,
    begun: u64,
    before: RingThere,
    changes: Vec<(u64, RingHead)>,
}

/// The changes of a ring that count in its chain: the ring that a checkpoint of any size states is the one that the
/// last change below that size left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingChanges {
    /// Where reading began, and the ring there.
    begun: u64,
    before: RingThere,
    size: u64,
    /// In the order of the chain, each with its place.
    changes: Vec<(u64, RingHead)>,
}

impl RingChanges {
    /// Whether a checkpoint of this log states the ring that it should. Whether it was signed over this chain, its head
    /// tells.
    ///
    /// # Errors
    /// [`RingFault::Misstated`] when it states another ring, or none; [`CheckpointFault::Truncated`] when the chain has
    /// fewer entries than it covers; [`Misuse::LateStart`] when it ends before reading began, or reading began after
    /// the last change below its size, and at no trusted checkpoint, which states the ring there.
    pub fn check(&self, checkpoint: &Verified<Checkpoint>) -> Result<(), Error> {
        let checkpoint = checkpoint.record();
        let size = checkpoint.tree_head().size;
        if size > self.size {
            return Err(CheckpointFault::Truncated { size, found: self.size }.into());
        }
        if size < self.begun {
            return Err(Misuse::LateStart.into());
        }
        let below = self.changes.partition_point(|(seq, _)| *seq < size);
        let last = self.changes.get(..below).and_then(<[_]>::last).map(|(_, ring)| ring);
        let right = match (last, &self.before) {
            (Some(last), _) => Some(last),
            (None, RingThere::Stated(before)) => before.as_ref(),
            (None, RingThere::Unknown) => return Err(Misuse::LateStart.into()),
        };
        if checkpoint.ring() == right { Ok(()) } else { Err(RingFault::Misstated { size }.into()) }
    }
}

impl ChainReader<'_> {
    /// The changes of a ring, by its key: nobody who lacks it can write one that counts.
    ///
    /// # Errors
    /// [`Misuse::LateStart`] after the first entry that is read.
    pub fn ring_changes(&mut self, authority: &RingKey) -> Result<Watched<RingChanges>, Error> {
        let (begun, before) = (self.begun().size(), self.ring_there());
        self.watch(Changes { authority: authority.shared(), begun, before, changes: Vec::new() })
    }
}

impl Watcher for Changes {
    type Proof = RingChanges;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        if let Some(Ok(change)) = self.authority.judge(entry) {
            self.changes.push((entry.seq(), RingHead { revision: change.revision, root: change.root }));
        }
    }

    fn finish(self, ended: &Ended<'_>) -> Result<RingChanges, Error> {
        Ok(RingChanges { begun: self.begun, before: self.before, size: ended.end.size, changes: self.changes })
    }
}
