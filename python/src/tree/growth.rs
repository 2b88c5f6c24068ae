//! The tiles of a log that grows.

use super::reader::{TileBytes, hash, raised};
use super::tile::Tile;
use crate::failure::Returned;
use crate::input::{counter, locked, malformed};
use dualseal::error::Problem;
use dualseal::tree;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TileGrowth>()
}

/// What is to be written for each leaf of a log that grows, from no more than the right edge of its tiles.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct TileGrowth(Mutex<tree::TileGrowth>);

/// A tile with its bytes.
type Written<'py> = (Tile, Bound<'py, PyBytes>);

#[pymethods]
impl TileGrowth {
    /// That of no leaves.
    #[new]
    fn new() -> Self {
        Self(Mutex::new(tree::TileGrowth::new()))
    }

    /// Goes on from tiles that were written for `size` leaves; `tiles(tile)` gives the bytes of one. Whose they are,
    /// the root tells, which is compared with what the caller knows.
    #[staticmethod]
    fn resume(tiles: &Bound<'_, PyAny>, size: &Bound<'_, PyInt>) -> Returned<Self> {
        let size = counter("size", size)?;
        Ok(Self(Mutex::new(tree::TileGrowth::resume(&mut TileBytes(tiles), size).map_err(raised)?)))
    }

    /// Adds the hash of a leaf (64 hexadecimal characters, or 32 bytes) behind the others: the tiles that are full now,
    /// each with its bytes, which are never written again.
    #[pyo3(signature = (leaf_hash, /))]
    fn push<'py>(&self, py: Python<'py>, leaf_hash: &Bound<'py, PyAny>) -> Returned<Vec<Written<'py>>> {
        let (leaf, mut full) = (hash("leaf", leaf_hash)?, Vec::new());
        let has_room = locked(&self.0).push(leaf, |tile, hashes| full.push((*tile, tree::Tile::encode(hashes))));
        if !has_room {
            return Err(malformed("size", Problem::Range));
        }
        Ok(full.into_iter().map(|(tile, bytes)| (Tile(tile), PyBytes::new(py, &bytes))).collect())
    }

    /// The tiles that are not full, each with its bytes, which a checkpoint of this size needs beside the full ones.
    fn partial<'py>(&self, py: Python<'py>) -> Vec<Written<'py>> {
        let growth = locked(&self.0);
        let partial = growth.partial();
        partial.map(|(tile, hashes)| (Tile(tile), PyBytes::new(py, &tree::Tile::encode(hashes)))).collect()
    }

    /// The number of leaves.
    #[getter]
    fn size(&self) -> u64 {
        locked(&self.0).frontier().size()
    }

    /// The root over them, 64 hexadecimal characters.
    #[getter]
    fn root(&self) -> String {
        locked(&self.0).frontier().root().to_hex()
    }

    fn __repr__(&self) -> String {
        format!("TileGrowth(size={})", self.size())
    }
}
