//! Tiles and entry bundles, as a log serves them.

use crate::failure::{Raised, Returned};
use crate::input::{BytesLike, counter, small};
use dualseal::error::{Malformed, Problem};
use dualseal::{Error, tree};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Tile>()?;
    module.add_class::<EntryBundle>()
}

/// A width: 1 to 256.
fn width(value: Option<&Bound<'_, PyInt>>) -> Returned<u16> {
    let width = value.map_or(Ok(256), |width| counter("width", width))?;
    let fits = u16::try_from(width).ok().filter(|width| (1..=256).contains(width));
    fits.ok_or_else(|| Raised::from(Error::from(Malformed::new("width", None, Problem::Range))))
}

/// A block of up to 256 neighbouring hashes of a tree (C2SP `tlog-tiles`): roots of full subtrees of 256^`level`
/// leaves. The last one of a level has fewer, 1 to 255.
#[pyclass(frozen, eq, hash, module = "dualseal")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tile(pub(crate) tree::Tile);

#[pymethods]
impl Tile {
    #[new]
    #[pyo3(signature = (level, index, width = None), text_signature = "(level, index, width=256)")]
    fn new(level: &Bound<'_, PyInt>, index: &Bound<'_, PyInt>, width: Option<&Bound<'_, PyInt>>) -> Returned<Self> {
        let (level, index) = (small("level", level)?, counter("index", index)?);
        Ok(Self(tree::Tile { level, index, width: self::width(width)? }))
    }

    /// 0 for the leaves, then every eighth level of the tree.
    #[getter]
    fn level(&self) -> u8 {
        self.0.level
    }

    /// Its place among the tiles of its level.
    #[getter]
    fn index(&self) -> u64 {
        self.0.index
    }

    /// The number of hashes.
    #[getter]
    fn width(&self) -> u16 {
        self.0.width
    }

    /// Its path from the log's folder: `tile/<level>/<index>[.p/<width>]`.
    #[getter]
    fn path(&self) -> String {
        self.0.path()
    }

    fn __repr__(&self) -> String {
        let tree::Tile { level, index, width } = self.0;
        format!("Tile(level={level}, index={index}, width={width})")
    }
}

/// The leaves themselves whose hashes are in the tile of level 0 at the same place.
#[pyclass(frozen, eq, hash, module = "dualseal")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct EntryBundle(pub(crate) tree::EntryBundle);

#[pymethods]
impl EntryBundle {
    #[new]
    #[pyo3(signature = (index, width = None), text_signature = "(index, width=256)")]
    fn new(index: &Bound<'_, PyInt>, width: Option<&Bound<'_, PyInt>>) -> Returned<Self> {
        Ok(Self(tree::EntryBundle { index: counter("index", index)?, width: self::width(width)? }))
    }

    /// Its place among the bundles.
    #[getter]
    fn index(&self) -> u64 {
        self.0.index
    }

    /// The number of leaves.
    #[getter]
    fn width(&self) -> u16 {
        self.0.width
    }

    /// Its path from the log's folder: `tile/entries/<index>[.p/<width>]`.
    #[getter]
    fn path(&self) -> String {
        self.0.path()
    }

    /// The bytes of a bundle of these leaves, each of at most 65,535 bytes: Entry.leaf in UTF-8.
    #[staticmethod]
    #[pyo3(signature = (leaves, /))]
    fn encode<'py>(py: Python<'py>, leaves: Vec<BytesLike<'py>>) -> Returned<Bound<'py, PyBytes>> {
        let leaves = leaves.iter().map(BytesLike::contiguous).collect::<PyResult<Vec<_>>>()?;
        Ok(PyBytes::new(py, &tree::EntryBundle::encode(&leaves)?))
    }

    /// The leaves of this bundle's bytes. Whose they are, their hashes tell (leaf_hash).
    #[pyo3(signature = (data, /))]
    fn decode<'py>(&self, py: Python<'py>, data: BytesLike<'py>) -> Returned<Vec<Bound<'py, PyBytes>>> {
        let data = data.contiguous()?;
        Ok(self.0.decode(&data)?.into_iter().map(|leaf| PyBytes::new(py, leaf)).collect())
    }

    fn __repr__(&self) -> String {
        format!("EntryBundle(index={}, width={})", self.0.index, self.0.width)
    }
}
