//! Signed notes of a log, and the cosignatures of its witnesses.

mod key;
mod place;
mod signed;
mod witness;

pub(crate) use key::NoteKey;
pub(crate) use signed::{Note, NoteSignature};
pub(crate) use witness::{Witnesses, seen};

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    key::add(module)?;
    signed::add(module)?;
    witness::add(module)?;
    place::add(module)
}
