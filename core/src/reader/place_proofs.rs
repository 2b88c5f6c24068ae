//! Proofs of places below a checkpoint, for whoever has the chain and gives them to others.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::watcher::{Ended, Watcher};
use crate::checkpoint::{Checkpoint, PlaceProof};
use crate::error::{Error, EvidenceFault, Misuse};
use crate::krunica::{Entry, Head};
use crate::tree::PathsFinder;
use alloc::vec::Vec;

/// Keeps of the entries of which the caller says so what their paths need.
struct PlaceProofs<F> {
    keep: F,
    checkpoint: Checkpoint,
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
            PlaceProof::new(checkpoint.clone(), entry, path)
        });
        proofs.collect()
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
        let checkpoint = self.checkpoint().ok_or(Misuse::NoEnd)?.clone();
        // Under a checkpoint it begins where the tree is known.
        let frontier = self.head().map(Head::frontier).ok_or(Misuse::LateStart)?.clone();
        let paths = PathsFinder::new(checkpoint.tree_head().size, frontier);
        self.watch(PlaceProofs { keep, checkpoint, paths, kept: Vec::new() })
    }
}
