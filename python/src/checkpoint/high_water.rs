//! The high-water mark of a signer of checkpoints, and that a chain goes on from it.

use super::record::ring_pair;
use super::verifier::VerifiedCheckpoint;
use crate::failure::Returned;
use crate::input::text;
use crate::json::{JsonText, record, to_object};
use crate::krunica::{Entry, Head};
use crate::ring::CheckedRing;
use crate::tree::Hashes;
use crate::values::{Again, again, hashed};
use dualseal::checkpoint;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<HighWaterMark>()?;
    module.add_class::<Growth>()
}

/// The greatest state of a log that its signer has signed or is about to. It is written, where a backup of the store
/// does not reach, before the checkpoint is signed; a signer signs what is equal to it or goes on from it.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct HighWaterMark(pub(crate) checkpoint::HighWaterMark);

#[pymethods]
impl HighWaterMark {
    /// The mark of a log that never had a checkpoint. Nothing is compared with anything: a caller who makes a first
    /// mark twice can sign a fork. `ring` is the log's own, and None where it has none, which is said: a
    /// checkpoint that forgot its ring would show no key.
    #[staticmethod]
    #[pyo3(signature = (origin, head, *, ring))]
    fn first(origin: &Bound<'_, PyString>, head: &Head, ring: Option<PyRef<'_, CheckedRing>>) -> Returned<Self> {
        let origin = text("origin", origin)?;
        let made = match ring {
            None => checkpoint::HighWaterMark::first(origin, &head.0, None)?,
            Some(ring) => {
                CheckedRing::read(&ring, |ring| checkpoint::HighWaterMark::first(origin, &head.0, Some(ring)))?
            }
        };
        Ok(Self(made))
    }

    /// The mark of a log whose last checkpoint is this.
    #[staticmethod]
    #[pyo3(signature = (checkpoint, /))]
    fn of(checkpoint: &VerifiedCheckpoint) -> Self {
        Self(checkpoint::HighWaterMark::of(&checkpoint.0))
    }

    /// The mark of a chain that was shown to go on from this one. Raises RejectedError for growth from another state,
    /// and for a ring that is older than the mark's, or another one; `ring` is None for a log without one.
    #[pyo3(signature = (growth, *, ring))]
    fn next(&self, growth: &Growth, ring: Option<PyRef<'_, CheckedRing>>) -> Returned<Self> {
        Ok(Self(match ring {
            None => self.0.next(&growth.0, None)?,
            Some(ring) => CheckedRing::read(&ring, |ring| self.0.next(&growth.0, Some(ring)))?,
        }))
    }

    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, checkpoint::HighWaterMark::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, checkpoint::HighWaterMark::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The number of entries.
    #[getter]
    fn size(&self) -> u64 {
        self.0.tree_head().size
    }

    /// The hash of the last of them, 128 hexadecimal characters.
    #[getter]
    fn top(&self) -> String {
        self.0.tree_head().top.to_hex()
    }

    /// The root of the tree over them, 64 hexadecimal characters.
    #[getter]
    fn root(&self) -> String {
        self.0.tree_head().root.to_hex()
    }

    /// The ring there: its revision and its root, 64 hexadecimal characters.
    #[getter]
    fn ring(&self) -> Option<(u64, String)> {
        self.0.ring().map(ring_pair)
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("HighWaterMark(origin={:?}, size={})", self.0.origin(), self.0.tree_head().size)
    }
}

/// A head of one's own chain, shown to go on from an earlier state. An agreed chain has one too.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Growth(pub(crate) checkpoint::Growth);

#[pymethods]
impl Growth {
    /// By the entries since `before`, the whole head that was stored for the mark. Raises RejectedError for another
    /// head, and for an entry that does not go on from the one before it.
    #[staticmethod]
    fn by_entries(mark: &HighWaterMark, before: &Head, entries: Vec<PyRef<'_, Entry>>) -> Returned<Self> {
        let entries = entries.iter().map(|entry| &entry.0);
        Ok(Self(checkpoint::Growth::by_entries(mark.0.tree_head(), before.0.clone(), entries)?))
    }

    /// By a consistency proof (RFC 9162, section 2.1.4) from the mark's size to the head's: 64 hexadecimal characters a
    /// hash. Raises RejectedError when it does not hold.
    #[staticmethod]
    fn by_proof(mark: &HighWaterMark, head: &Head, path: Hashes) -> Returned<Self> {
        Ok(Self(checkpoint::Growth::by_proof(mark.0.tree_head(), &head.0, &path.0)?))
    }

    /// The head that goes on.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    fn __repr__(&self) -> String {
        format!("Growth(from={}, to={})", self.0.from().size, self.0.head().size())
    }
}
