//! Where nodes and tiles are read: what Python gives as a store.

use super::tile::Tile;
use crate::failure::{Raised, Returned};
use crate::input::{BytesLike, text};
use dualseal::Error;
use dualseal::error::{Malformed, Problem};
use dualseal::tree::{self, NodeReader, TileError, TileReader, Tiles, TreeHash};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Exactly one of the two forms in which a program keeps a tree.
pub(crate) enum Store<'py> {
    /// A callable, or a mapping by pairs.
    Nodes(Bound<'py, PyAny>),
    /// A callable that gives the bytes of a tile.
    Tiles(Bound<'py, PyAny>),
}

impl<'py> Store<'py> {
    pub(crate) fn new(nodes: Option<Bound<'py, PyAny>>, tiles: Option<Bound<'py, PyAny>>) -> PyResult<Self> {
        match (nodes, tiles) {
            (Some(nodes), None) => Ok(Self::Nodes(nodes)),
            (None, Some(tiles)) => Ok(Self::Tiles(tiles)),
            _ => Err(PyTypeError::new_err("exactly one of nodes and tiles is needed")),
        }
    }

    /// The path of a leaf; `None` where there is no such leaf.
    pub(crate) fn prove_leaf(&self, size: u64, index: u64) -> Returned<Option<Vec<TreeHash>>> {
        match self {
            Self::Nodes(nodes) => tree::prove_leaf(&mut Nodes(nodes), size, index),
            Self::Tiles(tiles) => {
                tree::prove_leaf(&mut Tiles::new(TileBytes(tiles), size), size, index).map_err(raised)
            }
        }
    }

    /// The proof of consistency; `None` where the earlier size is the greater.
    pub(crate) fn prove_growth(&self, before: u64, size: u64) -> Returned<Option<Vec<TreeHash>>> {
        match self {
            Self::Nodes(nodes) => tree::prove_growth(&mut Nodes(nodes), before, size),
            Self::Tiles(tiles) => {
                tree::prove_growth(&mut Tiles::new(TileBytes(tiles), size), before, size).map_err(raised)
            }
        }
    }
}

struct Nodes<'a, 'py>(&'a Bound<'py, PyAny>);

impl NodeReader for Nodes<'_, '_> {
    type Error = Raised;

    fn node(&mut self, level: u8, index: u64) -> Returned<TreeHash> {
        let node = if self.0.is_callable() { self.0.call1((level, index)) } else { self.0.get_item((level, index)) }?;
        hash("node", &node)
    }
}

/// The tiles of a callable.
pub(super) struct TileBytes<'a, 'py>(pub(super) &'a Bound<'py, PyAny>);

impl TileReader for TileBytes<'_, '_> {
    type Error = Raised;

    fn tile(&mut self, tile: &tree::Tile) -> Returned<Vec<TreeHash>> {
        let bytes: BytesLike<'_> = self.0.call1((Tile(*tile),))?.extract()?;
        Ok(tile.decode(&bytes.contiguous()?)?)
    }
}

/// What a store of tiles raised, or what its tiles are not.
pub(super) fn raised(error: TileError<Raised>) -> Raised {
    let index = match error {
        TileError::Read(error) => return error,
        TileError::Width(tile) => tile.index,
        TileError::None { index, .. } => index,
    };
    Error::from(Malformed::new("tile", Some(index), Problem::Range)).into()
}

/// A hash of a tree: 64 hexadecimal characters, or 32 bytes.
pub(super) fn hash(field: &'static str, value: &Bound<'_, PyAny>) -> Returned<TreeHash> {
    if let Ok(hex) = value.cast::<PyString>() {
        return Ok(text(field, hex)?.parse()?);
    }
    let bytes: BytesLike<'_> = value.extract()?;
    let bytes = bytes.contiguous()?;
    let array = <[u8; 32]>::try_from(&*bytes);
    let length = Problem::Length { expected: 32, found: bytes.len() };
    Ok(TreeHash::from_bytes(array.map_err(|_| Error::from(Malformed::new(field, None, length)))?))
}
