//! Evidence in one file: a record with all that convinces a stranger.

mod file;
mod open;
mod record;
mod report;

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    record::add(module)?;
    file::add(module)?;
    open::add(module)?;
    report::add(module)
}
