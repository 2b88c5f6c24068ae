//! What a store writes in one transaction.

use crate::checkpoint::Checkpoint;
use crate::failure::not_pickled;
use crate::krunica::{Entry, Head};
use crate::record::SignatureRecord;
use crate::vault::record::VaultRecord;
use dualseal_operator::step;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyTuple};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Changes>()?;
    module.add_class::<RingRow>()?;
    module.add_class::<SecretRow>()
}

/// Everything that a batch changes. A store writes all of it in one transaction, which begins by comparing the text
/// that it has of the state with `before`, or nothing.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Changes {
    changes: step::Changes,
    entries: Made,
    nodes: Made,
    ring_rows: Made,
    records: Made,
    vault_records: Made,
    secrets: Made,
}

/// A tuple that is made when it is asked for.
type Made = PyOnceLock<Py<PyTuple>>;

impl From<step::Changes> for Changes {
    fn from(changes: step::Changes) -> Self {
        let made = PyOnceLock::new;
        Self {
            changes,
            entries: made(),
            nodes: made(),
            ring_rows: made(),
            records: made(),
            vault_records: made(),
            secrets: made(),
        }
    }
}

impl Changes {
    pub(super) fn get(&self) -> &step::Changes {
        &self.changes
    }
}

/// The items, of which each becomes the same object whenever it is asked for.
fn tuple<'py, T, O: IntoPyObject<'py>>(
    py: Python<'py>,
    made: &Made,
    items: &[T],
    object: impl Fn(&T) -> O,
) -> PyResult<Py<PyTuple>> {
    let tuple = made.get_or_try_init(py, || PyTuple::new(py, items.iter().map(object)).map(Bound::unbind))?;
    Ok(tuple.clone_ref(py))
}

#[pymethods]
impl Changes {
    /// The text of the state that the store must have, byte for byte, so that nobody did anything in between: a
    /// checkpoint and the beginning of a ledger leave the head where it is.
    #[getter]
    fn before(&self) -> &str {
        &self.changes.before
    }

    /// The head of that state.
    #[getter]
    fn expected(&self) -> Head {
        Head(self.changes.expected.clone())
    }

    /// The head from now on.
    #[getter]
    fn head(&self) -> Head {
        Head(self.changes.head.clone())
    }

    /// The text that the store keeps of the state, in the place of the one before: StoredState.
    #[getter]
    fn state(&self) -> &str {
        &self.changes.state
    }

    /// The new entries, in order.
    #[getter]
    fn entries(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        tuple(py, &self.entries, &self.changes.entries, |entry| Entry(entry.clone()))
    }

    /// The nodes of the log's tree that the entries made full, leaves included, as (level, index, hash): what
    /// prove_leaf and prove_growth take, for a store that gives proofs.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        tuple(py, &self.nodes, &self.changes.nodes, |node| (node.level, node.index, node.hash.to_hex()))
    }

    /// The rows of the ring that are put in the place of those of the same name, or are new: RingFile.from_rows.
    #[getter]
    fn ring_rows(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        tuple(py, &self.ring_rows, &self.changes.ring.rows, |row| RingRow(row.clone()))
    }

    /// What seals all rows of the ring at the head, in the place of what sealed them before.
    #[getter]
    fn ring_seal(&self) -> &str {
        &self.changes.ring.seal
    }

    /// The signed records: what Step.sign returned is the index.
    #[getter]
    fn records(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        tuple(py, &self.records, &self.changes.records, |record| SignatureRecord(record.clone()))
    }

    /// The vault records, with their fragments: the store keeps VaultRecord.to_stored_json, and what leaves it is
    /// redacted.
    #[getter]
    fn vault_records(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        tuple(py, &self.vault_records, &self.changes.vault_records, |record| VaultRecord(record.duplicate()))
    }

    /// The secrets at rest that belong to what was made: they are stored with it, or not at all. Each is the next row
    /// of the list of secrets (SecretRow.place_hash and listed), which a store keeps for open_secrets.
    #[getter]
    fn secrets(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        tuple(py, &self.secrets, &self.changes.secrets, |secret| SecretRow(secret.clone()))
    }

    /// How many rows the list of secrets has before them.
    #[getter]
    fn secrets_before(&self) -> u64 {
        self.changes.secrets_before.size
    }

    /// The checkpoint, where one was signed over the head: its mark was written before.
    #[getter]
    fn checkpoint(&self) -> Option<Checkpoint> {
        self.changes.checkpoint.clone().map(Checkpoint)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Changes(expected={}, head={})", self.changes.expected.size(), self.changes.head.size())
    }
}

/// One row of a ring: the keys of an identity, or a decoy.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct RingRow(step::RingRow);

#[pymethods]
impl RingRow {
    /// What it is kept under: the identity, or the hash of the decoy's key, 64 hexadecimal characters.
    #[getter]
    fn name(&self) -> String {
        self.0.name()
    }

    /// The row, canonical JSON: for its operator's store alone.
    #[getter]
    fn json(&self) -> &str {
        let (step::RingRow::Identity(_, json) | step::RingRow::Decoy(_, json)) = &self.0;
        json
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    /// Tells no decoy.
    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// A secret at rest, bound to its place in the store, and opened by the master alone.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct SecretRow(pub(super) step::SecretRow);

#[pymethods]
impl SecretRow {
    /// The table.
    #[getter]
    fn table(&self) -> &str {
        self.0.place().table()
    }

    /// The row.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.place().row())
    }

    /// What it is for.
    #[getter]
    fn purpose(&self) -> &str {
        self.0.place().purpose()
    }

    /// The bytes to be stored; none where what stands there is forgotten.
    #[getter]
    fn stored<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.stored())
    }

    /// What the list of secrets has of its place: 32 bytes.
    #[getter]
    fn place_hash<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.place().hash())
    }

    /// What the list has of the stored bytes: 32 bytes.
    #[getter]
    fn listed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &step::SecretRow::listed(self.0.stored()))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("SecretRow('{}')", self.0.place())
    }
}
