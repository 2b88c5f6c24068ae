//! Opening: what a store has is held against itself.

use super::state::State;
use crate::checkpoint::{Checkpoint, HighWaterMark};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::text;
use crate::json::JsonText;
use crate::krunica::Entry;
use crate::ring::RingKey;
use crate::ring_file::Rows;
use dualseal::key::RingFile;
use dualseal_operator::opening::{self, Refused, Stored};
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Opened>()?;
    module.add_function(wrap_pyfunction!(open_store, module)?)
}

/// What was opened.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Opened {
    /// The state, ready for steps.
    #[pyo3(get)]
    state: Py<State>,
    /// The signer's mark, from which the chain must have grown before the next checkpoint is signed.
    #[pyo3(get)]
    mark: HighWaterMark,
}

impl Opened {
    pub(super) fn new(py: Python<'_>, opened: opening::Opened) -> PyResult<Self> {
        let opening::Opened { state, mark } = opened;
        Ok(Self { state: Py::new(py, State(state))?, mark: HighWaterMark(mark) })
    }
}

#[pymethods]
impl Opened {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Opened(size={})", self.state.get().0.head().size())
    }
}

/// Holds what a store has against itself, without reading the chain: the text of the state and the rows of the ring, in
/// any order, by their MACs, `end`, the last entry of the chain, the last checkpoint, and `mark`, the text of the
/// signer's high-water mark from its own place, which no backup of the store brings back. All of it was read at one
/// moment, in one transaction; None says that there is none. `origin` is the log's name as its operator knows it.
///
/// Raises RefusedError, whose `name` is that of the first that does not hold, and whose `advice` says what to do.
#[pyfunction]
#[pyo3(signature = (domain, origin, ring_key, *, state, ring_seal, ring_rows, end, checkpoint, mark))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn open_store(
    py: Python<'_>,
    domain: &Domain,
    origin: &Bound<'_, PyString>,
    ring_key: &RingKey,
    state: JsonText<'_>,
    ring_seal: JsonText<'_>,
    ring_rows: Rows<'_>,
    end: Option<&Entry>,
    checkpoint: Option<&Checkpoint>,
    mark: Option<JsonText<'_>>,
) -> Returned<Opened> {
    let (origin, state) = (text("origin", origin)?, state.bytes()?);
    let (seal, rows) = (ring_seal.bytes()?, ring_rows.bytes()?);
    let mark = mark.as_ref().map(JsonText::bytes).transpose()?;
    let (end, checkpoint) = (end.map(|end| end.0.clone()), checkpoint.map(|checkpoint| checkpoint.0.clone()));
    let opened = py.detach(|| {
        let ring = RingFile::from_rows(&seal, rows).map_err(Refused::RingUnreadable)?;
        let stored = Stored { state: &state, ring, end, checkpoint, mark: mark.as_deref() };
        opening::open(&domain.0, origin, ring_key.get(), stored)
    })?;
    Ok(Opened::new(py, opened)?)
}
