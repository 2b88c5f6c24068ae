//! The secrets at rest of a database, held against their list.

use super::secrets::place;
use super::state::State;
use crate::failure::{Returned, not_pickled};
use crate::input::BytesLike;
use crate::progress::lock;
use dualseal::Error;
use dualseal::error::{Malformed, Problem};
use dualseal_operator::opening::{self, SecretsList};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KeptSecrets>()?;
    module.add_function(wrap_pyfunction!(open_secrets, module)?)
}

/// Reads the list of secrets, whose end the state has, so that what stands in their places is held against it. Its rows
/// come from the first on, each (place_hash, listed) of a SecretRow, 32 bytes both.
///
/// Raises RefusedError (`secrets-other`) for a row that was edited, is missing, or that no step wrote.
#[pyfunction]
#[pyo3(signature = (state, rows, /))]
fn open_secrets(state: &State, rows: &Bound<'_, PyAny>) -> Returned<KeptSecrets> {
    let mut list = SecretsList::new();
    for row in rows.try_iter()? {
        let (place, listed): (BytesLike<'_>, BytesLike<'_>) = row?.extract()?;
        list.push(&hash("place_hash", &place)?, &hash("listed", &listed)?);
    }
    Ok(KeptSecrets(Mutex::new(list.finish(&state.0)?)))
}

fn hash(name: &'static str, bytes: &BytesLike<'_>) -> Returned<[u8; 32]> {
    let bytes = bytes.contiguous()?;
    let length = Problem::Length { expected: 32, found: bytes.len() };
    bytes.as_ref().try_into().map_err(|_| Error::from(Malformed::new(name, None, length)).into())
}

/// What steps kept, by the list of secrets. Its length is the number of secrets that are kept.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct KeptSecrets(Mutex<opening::KeptSecrets>);

#[pymethods]
impl KeptSecrets {
    /// Holds what stands in a place, b"" where nothing does, against what a step kept there last. Raises RefusedError:
    /// `secret-missing` for nothing where one is kept, `secret-other` for anything else, also for what no step kept.
    #[pyo3(signature = (stored, /, *, table, row, purpose))]
    fn check(
        &self,
        py: Python<'_>,
        stored: BytesLike<'_>,
        table: &Bound<'_, PyString>,
        row: BytesLike<'_>,
        purpose: &Bound<'_, PyString>,
    ) -> Returned<()> {
        let place = place(table, &row, purpose)?;
        let stored = stored.contiguous()?;
        Ok(lock(py, &self.0).check(&place, &stored)?)
    }

    /// The places of secrets that are kept and were not checked, by their hashes: 64 hexadecimal characters each.
    fn missing(&self, py: Python<'_>) -> Vec<String> {
        lock(py, &self.0).missing().collect()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        lock(py, &self.0).count()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("KeptSecrets({})", self.__len__(py))
    }
}
