//! Witnesses, and what they saw.

use super::key::NoteKey;
use super::signed::Note;
use crate::failure::Returned;
use dualseal::encoding::hex;
use dualseal::note;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Witnesses>()?;
    module.add_class::<Witnessed>()
}

/// The witnesses whom a verifier trusts (each a NoteKey or its text), and how many of them must have seen a log: a key
/// under two names is one witness. Whoever names some needs one at least; `Witnesses([], 0)` asks for nobody.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Witnesses(pub(crate) note::Witnesses);

#[pymethods]
impl Witnesses {
    #[new]
    fn new(keys: &Bound<'_, PyAny>, needed: usize) -> Returned<Self> {
        let keys = keys.try_iter()?.map(|key| NoteKey::read(&key?)).collect::<Returned<Vec<_>>>()?;
        Ok(Self(note::Witnesses::new(&keys, needed)?))
    }

    /// Counts who of them saw a note, whose it is, Note.verify says. Lines by nobody of them are passed over.
    ///
    /// Raises RejectedError where a line that says to be by one of them is not, and where too few saw it.
    #[pyo3(signature = (note, /))]
    fn judge(&self, py: Python<'_>, note: &Note) -> Returned<Witnessed> {
        Ok(Witnessed(py.detach(|| self.0.judge(&note.0))?))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Which witnesses saw a note, and when.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Witnessed(note::Witnessed);

#[pymethods]
impl Witnessed {
    /// When as many as were needed had seen it; None where none was needed.
    #[getter]
    fn time(&self) -> Option<String> {
        self.0.time().map(|time| time.to_string())
    }

    /// All of them who did: by their public keys, 64 hexadecimal characters, the earliest time that each gave.
    #[getter]
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        seen(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!("Witnessed(count={}, time={:?})", self.0.count(), self.time())
    }
}

/// The times of witnesses by their keys.
pub(crate) fn seen<'py>(py: Python<'py>, witnessed: &note::Witnessed) -> PyResult<Bound<'py, PyDict>> {
    let seen = PyDict::new(py);
    for (key, time) in witnessed.all() {
        seen.set_item(hex::encode(key), time.to_string())?;
    }
    Ok(seen)
}
