//! A proof that something stands in a log, in one text.

use super::key::NoteKey;
use super::signed::Note;
use crate::failure::Returned;
use crate::input::{BytesLike, counter, text};
use crate::tree::Hashes;
use crate::values::{Again, again, hashed};
use dualseal::note;
use dualseal::tree::TreeHash;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LogProof>()
}

/// The index of a leaf, its path (64 hexadecimal characters a hash, as prove_leaf gives them) and the log's note (C2SP
/// `tlog-proof`), of which nothing was verified yet. `extra` helps to find the leaf, and nothing vouches for it.
/// `str()` gives its text, whose file ends in `.tlog-proof`.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct LogProof(note::LogProof);

#[pymethods]
impl LogProof {
    #[new]
    #[pyo3(signature = (index, path, note, *, extra = None))]
    fn new(index: &Bound<'_, PyInt>, path: Hashes, note: &Note, extra: Option<BytesLike<'_>>) -> Returned<Self> {
        let proof = note::LogProof::new(counter("index", index)?, path.0, note.0.clone());
        Ok(Self(match extra {
            Some(extra) => proof.with_extra(&extra.contiguous()?),
            None => proof,
        }))
    }

    /// Reads a proof. Raises MalformedError for `tlog_proof`, or for `note`, with the line, from 0.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn parse(text: &Bound<'_, PyString>) -> Returned<Self> {
        Ok(Self(note::LogProof::from_text(crate::input::text("tlog_proof", text)?)?))
    }

    /// The leaf's index, from 0.
    #[getter]
    fn index(&self) -> u64 {
        self.0.index()
    }

    /// From the leaf's sibling to the root's child.
    #[getter]
    fn path(&self) -> Vec<String> {
        self.0.path().iter().map(TreeHash::to_hex).collect()
    }

    /// The note, whose witnesses Witnesses.judge counts.
    #[getter]
    fn note(&self) -> Note {
        Note(self.0.note().clone())
    }

    /// What somebody added, which nothing vouches for.
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.extra().map(|extra| PyBytes::new(py, extra))
    }

    /// Whether the log with this key (a NoteKey or its text) says that the leaf with this hash, such as
    /// Entry.leaf_hash, stands at the index. Raises RejectedError where it does not.
    #[pyo3(signature = (leaf_hash, /, *, log))]
    fn verify(&self, py: Python<'_>, leaf_hash: &Bound<'_, PyString>, log: &Bound<'_, PyAny>) -> Returned<()> {
        let (leaf, log) = (text("leaf", leaf_hash)?.parse()?, NoteKey::read(log)?);
        Ok(py.detach(|| self.0.verify(&leaf, &log))?)
    }

    fn __str__(&self) -> String {
        self.0.to_text()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "parse", slf.get().__str__())
    }

    fn __repr__(&self) -> String {
        format!("LogProof(origin={:?}, index={})", self.0.note().body().origin.as_str(), self.0.index())
    }
}
