//! Paths of leaves, and proofs that a tree grew.

use super::reader::Store;
use crate::failure::Returned;
use crate::input::{BytesLike, counter, locked, malformed, text};
use crate::krunica::Entry;
use crate::progress::{ending, running};
use dualseal::error::Problem;
use dualseal::tree::{self, TreeHash};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PathFinder>()?;
    module.add_function(wrap_pyfunction!(leaf_hash, module)?)?;
    module.add_function(wrap_pyfunction!(prove_leaf, module)?)?;
    module.add_function(wrap_pyfunction!(prove_growth, module)?)
}

/// The hash of a leaf, as it stands in a tree: SHA-256 over a zero byte and its bytes, 64 hexadecimal characters.
#[pyfunction]
#[pyo3(signature = (leaf, /))]
fn leaf_hash(leaf: BytesLike<'_>) -> Returned<String> {
    Ok(TreeHash::of_leaf(&leaf.contiguous()?).to_hex())
}

/// The path of the leaf at `index` in the tree of the first `size` leaves (RFC 9162, section 2.1.3.1), from its sibling
/// to the root's child: 64 hexadecimal characters a hash. None where there is no such leaf.
///
/// `nodes` is a callable or a mapping: `nodes(level, index)` or `nodes[level, index]` is the root of the full subtree
/// of 2^level leaves that begins at leaf index * 2^level, as 64 hexadecimal characters or 32 bytes. `tiles` is a
/// callable that gives the bytes of a Tile. One of the two is given, and what it raises is raised.
#[pyfunction]
#[pyo3(signature = (size, index, *, nodes = None, tiles = None))]
fn prove_leaf<'py>(
    size: &Bound<'py, PyInt>,
    index: &Bound<'py, PyInt>,
    nodes: Option<Bound<'py, PyAny>>,
    tiles: Option<Bound<'py, PyAny>>,
) -> Returned<Option<Vec<String>>> {
    let (size, index) = (counter("size", size)?, counter("index", index)?);
    Ok(Store::new(nodes, tiles)?.prove_leaf(size, index)?.map(told))
}

/// The proof that the tree of the first `size` leaves begins with that of the first `before` (RFC 9162, section
/// 2.1.4.1), from nodes or tiles as prove_leaf has them; None where `before` is above `size`. HighWaterMark.next takes
/// it by Growth.by_proof, and Follower.follow as its path.
#[pyfunction]
#[pyo3(signature = (before, size, *, nodes = None, tiles = None))]
fn prove_growth<'py>(
    before: &Bound<'py, PyInt>,
    size: &Bound<'py, PyInt>,
    nodes: Option<Bound<'py, PyAny>>,
    tiles: Option<Bound<'py, PyAny>>,
) -> Returned<Option<Vec<String>>> {
    let (before, size) = (counter("size", before)?, counter("size", size)?);
    Ok(Store::new(nodes, tiles)?.prove_growth(before, size)?.map(told))
}

fn told(path: Vec<TreeHash>) -> Vec<String> {
    path.iter().map(TreeHash::to_hex).collect()
}

/// Finds the path of the leaf at `index` in the tree of the first `size`, while the entries of a chain go by: for who
/// keeps neither nodes nor tiles. Raises MalformedError where there is no such leaf.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct PathFinder(Mutex<Option<tree::PathFinder>>);

#[pymethods]
impl PathFinder {
    #[new]
    fn new(size: &Bound<'_, PyInt>, index: &Bound<'_, PyInt>) -> Returned<Self> {
        let (size, index) = (counter("size", size)?, counter("index", index)?);
        let finder = tree::PathFinder::new(size, index).ok_or_else(|| malformed("index", Problem::Range))?;
        Ok(Self(Mutex::new(Some(finder))))
    }

    /// Takes the next entry. Those beyond the size are not looked at.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        running(&mut locked(&self.0))?.push(entry.0.leaf_hash());
        Ok(())
    }

    /// The path, as prove_leaf gives it; None where too few entries went by.
    fn finish(&self) -> Returned<Option<Vec<String>>> {
        Ok(ending(&mut locked(&self.0))?.finish().map(told))
    }

    fn __repr__(&self) -> String {
        (if locked(&self.0).is_some() { "PathFinder(open=True)" } else { "PathFinder(open=False)" }).to_owned()
    }
}

/// Hashes of a tree, as texts.
#[derive(Default)]
pub(crate) struct Hashes(pub(crate) Vec<TreeHash>);

impl FromPyObject<'_, '_> for Hashes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let parse = |hash: PyResult<Bound<'_, PyAny>>| -> Returned<TreeHash> {
            Ok(text("path", hash?.cast::<PyString>().map_err(PyErr::from)?)?.parse()?)
        };
        Ok(Self(object.try_iter()?.map(parse).collect::<Returned<_>>()?))
    }
}
