//! The nodes of a log's tree, as its operator's store keeps them.

use crate::prelude::*;
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::tree::{Frontier, NodeReader, TreeHash, prove_leaf};
use dualseal::{Entry, Error};
use std::collections::BTreeMap;

/// Every full subtree, by its level and its index within the level.
#[derive(Clone, Debug, Default)]
pub struct Nodes(BTreeMap<(u8, u64), TreeHash>);

impl Nodes {
    pub fn of(entries: &[Entry]) -> Self {
        let (mut frontier, mut nodes) = (Frontier::new(), BTreeMap::new());
        for entry in entries {
            frontier.push_noting(entry.leaf_hash(), |level, index, root| {
                nodes.insert((level, index), *root);
            });
        }
        Self(nodes)
    }

    /// The path of a leaf among the first `size`.
    pub fn path(&mut self, size: u64, seq: u64) -> Vec<TreeHash> {
        prove_leaf(self, size, seq).expect("a sound store").expect("below the size")
    }
}

impl NodeReader for Nodes {
    type Error = String;

    fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, String> {
        self.0.get(&(level, index)).copied().ok_or_else(|| format!("no node {index} at level {level}"))
    }
}

/// The proof of an entry's place under a checkpoint, by all entries.
pub fn place_proof(checkpoint: &Checkpoint, entries: &[Entry], seq: u64) -> Result<PlaceProof, Error> {
    let path = Nodes::of(entries).path(checkpoint.tree_head().size, seq);
    let entry = entries.iter().find(|entry| entry.seq() == seq).expect("such an entry");
    PlaceProof::new(checkpoint.clone(), entry.clone(), path)
}
