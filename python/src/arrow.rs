//! Columns: `dualseal.arrow`. What verifies rows of any Arrow stream, and gives a stream of what it found, row for row.

mod capsule;
mod column;
mod data;
mod evidence;
mod fault;
mod identify;
mod import;
mod place;
mod records;
mod schema;
mod seals;
mod stream;
mod told;

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    stream::add(module)?;
    seals::add(module)?;
    records::add(module)?;
    evidence::add(module)?;
    identify::add(module)
}
