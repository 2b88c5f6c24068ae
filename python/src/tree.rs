//! The log's tree: proofs from a store of its nodes or tiles, and the tiles of a log that grows.

mod growth;
mod proof;
mod reader;
mod tile;

pub(crate) use proof::Hashes;
pub(crate) use reader::Store;
pub(crate) use tile::{EntryBundle, Tile};

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    tile::add(module)?;
    growth::add(module)?;
    proof::add(module)
}
