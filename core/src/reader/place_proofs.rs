//! Proofs of places below a checkpoint, for whoever has the chain and gives them to others.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::watcher::{Ended, Watcher};
use crate::checkpoint::{Checkpoint, PlaceProof};
use crate::error::{Error, EvidenceFault, Misuse};
use crate::krunica::{Entry, Head};
use crate::tree::PathsFinder;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Keeps of the entries of which the caller says so what their paths need.
struct PlaceProofs<F> {
    keep: F,
    checkpoint: Arc<Checkpoint>,
    paths: PathsFinder,
    kept: Vec<Entry>,
}

impl<F: FnMut(&Entry) -> bool> Watcher for PlaceProofs<F> {
    type Proof = Vec<PlaceProof>;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        if entry.seq() < self.checkpoint.tree_head().size && (self.keep)(entry) {
            self.paths.want();
            self.kept.push(entry.clone());
        }
        self.paths.push(entry.leaf_hash());
    }

    fn finish(self, ended: &Ended<'_>) -> Result<Vec<PlaceProof>, Error> {
        ended.agreed.ok_or(Misuse::NoEnd)?;
        let Self { checkpoint, mut paths, kept, .. } = self;
        let proofs = kept.into_iter().map(|entry| {
            let seq = entry.seq();
            let path = paths.path(seq).ok_or(EvidenceFault::Path { seq })?;
            PlaceProof::under(Arc::clone(&checkpoint), entry, path)
        });
        proofs.collect()
    }
}

/// Keeps one entry at most.
struct RingPlace<F>(PlaceProofs<F>);

impl<F: FnMut(&Entry) -> bool> Watcher for RingPlace<F> {
    type Proof = Option<PlaceProof>;

    fn take(&mut self, entry: &Entry, after: &Cursor) {
        self.0.take(entry, after);
    }

    fn finish(self, ended: &Ended<'_>) -> Result<Option<PlaceProof>, Error> {
        self.0.finish(ended).map(|mut proofs| proofs.pop())
    }
}

impl<'a> ChainReader<'a> {
    /// Proofs of the places of the entries below the checkpoint of which `keep` says so, in order: in memory for these.
    /// What [`places`](Self::places) shows to whoever reads the chain, they show to whoever does not.
    ///
    /// # Errors
    /// [`Misuse::NoEnd`] without a checkpoint, [`Misuse::LateStart`] after the first entry.
    pub fn place_proofs(
        &mut self,
        keep: impl FnMut(&Entry) -> bool + Send + 'a,
    ) -> Result<Watched<Vec<PlaceProof>>, Error> {
        let watcher = self.proofs_of(keep)?;
        self.watch(watcher)
    }

    /// The proof of the place of the entry by which the ring became what the checkpoint states: of the first that reads
    /// so ([`Checkpoint::is_ring_of`]), in memory for this one. Later ones are copies, which anybody may append. `None`
    /// where the checkpoint states no ring, and where the entry stands before the reader's beginning.
    ///
    /// # Errors
    /// As [`place_proofs`](Self::place_proofs).
    pub fn ring_place(&mut self) -> Result<Watched<Option<PlaceProof>>, Error> {
        let (domain, checkpoint) = (self.domain().clone(), self.checkpoint().ok_or(Misuse::NoEnd)?.clone());
        let mut is_found = false;
        let watcher = self.proofs_of(move |entry| {
            let is_first = !is_found && checkpoint.is_ring_of(&domain, entry);
            is_found |= is_first;
            is_first
        })?;
        self.watch(RingPlace(watcher))
    }

    fn proofs_of<F: FnMut(&Entry) -> bool>(&self, keep: F) -> Result<PlaceProofs<F>, Error> {
        let checkpoint = self.checkpoint().ok_or(Misuse::NoEnd)?.clone();
        // Under a checkpoint it begins where the tree is known.
        let frontier = self.head().map(Head::frontier).ok_or(Misuse::LateStart)?.clone();
        let paths = PathsFinder::new(checkpoint.tree_head().size, frontier);
        Ok(PlaceProofs { keep, checkpoint: Arc::new(checkpoint), paths, kept: Vec::new() })
    }
}
