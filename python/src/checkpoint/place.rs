//! The proof that an entry stands at its place, without the rest of the chain.

use super::agreed::Located;
use super::record::Checkpoint;
use super::verifier::VerifiedCheckpoint;
use crate::failure::Returned;
use crate::json::{JsonText, record, to_object};
use crate::krunica::Entry;
use crate::tree::{Hashes, Store};
use crate::values::{Again, again, hashed};
use dualseal::checkpoint;
use dualseal::tree::TreeHash;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PlaceProof>()
}

/// An entry with the path from its leaf to the root that a checkpoint signs. It shows that the entry is in the tree,
/// and not that the chain before it holds together: whoever reads all entries shows that.
///
/// The path has 64 hexadecimal characters a hash, from the leaf's sibling to the root's child. Raises EvidenceError for
/// one that does not hold: it is not given out.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct PlaceProof(pub(crate) checkpoint::PlaceProof);

#[pymethods]
impl PlaceProof {
    #[new]
    fn new(checkpoint: &Checkpoint, entry: &Entry, path: Hashes) -> Returned<Self> {
        Ok(Self(checkpoint::PlaceProof::new(checkpoint.0.clone(), entry.0.clone(), path.0)?))
    }

    /// Made from a store of the tree's nodes or tiles, as prove_leaf has them. Raises what the store raises, and
    /// EvidenceError for an entry that the checkpoint does not cover.
    #[staticmethod]
    #[pyo3(signature = (checkpoint, entry, *, nodes = None, tiles = None))]
    fn make<'py>(
        checkpoint: &Checkpoint,
        entry: &Entry,
        nodes: Option<Bound<'py, PyAny>>,
        tiles: Option<Bound<'py, PyAny>>,
    ) -> Returned<Self> {
        let path = Store::new(nodes, tiles)?.prove_leaf(checkpoint.0.tree_head().size, entry.0.seq())?;
        // Of an entry beyond the checkpoint there is no path, and no proof either.
        let path = path.unwrap_or_default();
        Ok(Self(checkpoint::PlaceProof::new(checkpoint.0.clone(), entry.0.clone(), path)?))
    }

    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, checkpoint::PlaceProof::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, checkpoint::PlaceProof::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// The checkpoint that came with it, which proves nothing before it was verified.
    #[getter]
    fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.0.checkpoint().clone())
    }

    /// The entry that it is about.
    #[getter]
    fn entry(&self) -> Entry {
        Entry(self.0.entry().clone())
    }

    /// The path.
    #[getter]
    fn path(&self) -> Vec<String> {
        self.0.path().iter().map(TreeHash::to_hex).collect()
    }

    /// Verifies it under its own checkpoint, once that is verified, or under any other of the same log and size:
    /// Located, as a ChainReader gives it. Raises EvidenceError with what is wrong, and RejectedError for an entry
    /// whose own hash does not hold.
    #[pyo3(signature = (checkpoint, /))]
    fn verify(&self, checkpoint: &VerifiedCheckpoint) -> Returned<Located> {
        Ok(Located(self.0.verify(&checkpoint.0)?))
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        let (checkpoint, seq) = (self.0.checkpoint(), self.0.entry().seq());
        format!("PlaceProof(origin={:?}, size={}, seq={seq})", checkpoint.origin(), checkpoint.tree_head().size)
    }
}
