//! The operator's step and what goes with it, of the crate `dualseal-operator`: `dualseal.operator` in Python.

mod batch;
mod changes;
mod failure;
mod folder;
mod kept;
mod opening;
mod placed;
mod secrets;
mod state;
mod stored;

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    secrets::add(module)?;
    changes::add(module)?;
    stored::add(module)?;
    state::add(module)?;
    opening::add(module)?;
    kept::add(module)?;
    placed::add(module)?;
    batch::add(module)?;
    folder::add(module)
}
