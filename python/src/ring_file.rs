//! A ring as its operator's store has it, before a chain vouches for it.

use crate::failure::{Returned, not_pickled};
use crate::json::JsonText;
use dualseal::key;
use pyo3::prelude::*;
use std::borrow::Cow;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RingFile>()
}

/// A ring as it was read from its operator's store, where it is one document or rows: nobody vouches for it yet. It
/// goes into ChainReader.ring.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct RingFile(key::RingFile);

#[pymethods]
impl RingFile {
    /// Reads the document that CheckedRing.to_stored_json wrote.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, key::RingFile::from_json)?))
    }

    /// Reads a ring that is kept in rows, in any order: those of KeyRing.identity_row and KeyRing.decoy_row,
    /// with what CheckedRing.seal_rows wrote over all of them. A row that is missing, old or edited breaks the MAC,
    /// which is found when the ring is held against its chain.
    #[staticmethod]
    #[pyo3(signature = (seal, rows, /))]
    fn from_rows(py: Python<'_>, seal: JsonText<'_>, rows: Rows<'_>) -> Returned<Self> {
        let rows = rows.bytes()?;
        Ok(Self(seal.read(py, |seal| key::RingFile::from_rows(seal, rows))?))
    }

    /// The origin of the chain that records the ring's changes.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The number of changes of current and retired keys, as the store says.
    #[getter]
    fn revision(&self) -> u64 {
        self.0.revision()
    }

    /// The number of entries that the chain had when the ring was written, as the store says.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    /// Says nothing of decoys.
    fn __repr__(&self) -> String {
        format!("RingFile(origin={:?}, revision={}, size={})", self.0.origin(), self.0.revision(), self.0.size())
    }
}

/// The rows of a ring, of anything that Python iterates over.
pub(crate) struct Rows<'py>(Vec<JsonText<'py>>);

impl<'py> FromPyObject<'_, 'py> for Rows<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(object.try_iter()?.map(|row| row?.extract()).collect::<PyResult<_>>()?))
    }
}

impl Rows<'_> {
    pub(crate) fn bytes(&self) -> Returned<Vec<Cow<'_, [u8]>>> {
        self.0.iter().map(JsonText::bytes).collect()
    }
}

/// A ring as an argument: a RingFile, or the JSON of one.
pub(crate) enum RingArgument<'py> {
    File(Bound<'py, RingFile>),
    Json(JsonText<'py>),
}

impl<'py> FromPyObject<'_, 'py> for RingArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<RingFile>() {
            Ok(file) => Ok(Self::File(file.to_owned())),
            Err(_) => object.extract().map(Self::Json),
        }
    }
}

impl RingArgument<'_> {
    pub(crate) fn read(&self, py: Python<'_>) -> Returned<key::RingFile> {
        match self {
            Self::File(file) => {
                let file = &file.get().0;
                Ok(py.detach(|| file.clone()))
            }
            Self::Json(json) => json.read(py, key::RingFile::from_json),
        }
    }
}
