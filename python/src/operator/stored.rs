//! Where a log's chain and ledgers end, as the store keeps it.

use crate::checkpoint::Checkpoint;
use crate::failure::Returned;
use crate::input::text;
use crate::json::JsonText;
use crate::krunica::Head;
use crate::ring::{CheckedRing, RingKey};
use crate::vault::master::LedgerHead;
use dualseal::encoding::hex;
use dualseal::store::{self, LastCheckpoint};
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<StoredState>()
}

/// Where a log's chain and ledgers end, and its last checkpoint: the text that is stored beside the ring, under its
/// key's MAC. `StoredState(head)` has no ledgers and never had a checkpoint.
#[pyclass(frozen, eq, module = "dualseal.operator")]
#[derive(Clone, PartialEq)]
pub(crate) struct StoredState(pub(super) store::StoredState);

#[pymethods]
impl StoredState {
    #[new]
    #[pyo3(signature = (head, /))]
    fn new(head: &Head) -> Self {
        Self(store::StoredState::new(head.0.clone()))
    }

    /// Reads the text; None where its MAC is not that of this log's ring key: somebody edited it.
    #[staticmethod]
    #[pyo3(signature = (text, /, *, origin, ring_key))]
    fn from_json(
        py: Python<'_>,
        text: JsonText<'_>,
        origin: &Bound<'_, PyString>,
        ring_key: &RingKey,
    ) -> Returned<Option<Self>> {
        let origin = self::text("origin", origin)?;
        Ok(text.read(py, |text| store::StoredState::from_json(text, origin, ring_key.get()))?.map(Self))
    }

    /// The text, canonical JSON. Raises MisuseError for a ring that was not followed to the head, or past it.
    #[pyo3(signature = (ring, /))]
    fn to_json(&self, ring: PyRef<'_, CheckedRing>) -> Returned<String> {
        CheckedRing::read(&ring, |ring| self.0.to_json(ring))
    }

    /// With the end of a ledger.
    #[pyo3(signature = (ledger, /))]
    fn with_ledger(&self, ledger: &LedgerHead) -> Self {
        Self(self.0.clone().with_ledger(ledger.0))
    }

    /// With the checkpoint that was signed last.
    #[pyo3(signature = (checkpoint, /))]
    fn with_checkpoint(&self, checkpoint: &Checkpoint) -> Self {
        Self(self.0.clone().with_checkpoint(LastCheckpoint::of(&checkpoint.0)))
    }

    /// Where the chain ends.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    /// The number of entries that the last checkpoint covers, and SHA3-256 over its canonical JSON, 64 hexadecimal
    /// characters; None where there was none.
    #[getter]
    fn last(&self) -> Option<(u64, String)> {
        self.0.last().map(last_pair)
    }

    /// Where a ledger ends (its name, 64 hexadecimal characters); None for one that was not begun.
    #[pyo3(signature = (ledger, /))]
    fn ledger(&self, ledger: &Bound<'_, PyString>) -> Returned<Option<LedgerHead>> {
        let ledger = text("ledger", ledger)?.parse()?;
        Ok(self.0.ledger(&ledger).copied().map(LedgerHead))
    }

    /// Where each ledger ends.
    #[getter]
    fn ledgers(&self) -> Vec<LedgerHead> {
        self.0.ledgers().copied().map(LedgerHead).collect()
    }

    fn __repr__(&self) -> String {
        format!("StoredState(size={}, ledgers={})", self.0.head().size(), self.0.ledgers().count())
    }
}

/// The last checkpoint as Python has it.
pub(super) fn last_pair(last: &LastCheckpoint) -> (u64, String) {
    (last.size, hex::encode(&last.hash))
}
