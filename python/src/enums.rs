//! `KeyState` and `VerdictKind`: enumerations in Python source (`dualseal._enums`), looked up by the library's own
//! names and numbers.

use crate::failure::Outcome;
use crate::input::text;
use dualseal::{KeyState, VerdictKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

pub(crate) fn key_state_object(py: Python<'_>, state: KeyState) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "KeyState")?.call1((state.as_str(),))
}

pub(crate) fn verdict_kind_object(py: Python<'_>, kind: VerdictKind) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "VerdictKind")?.call1((kind.code(),))
}

/// A member of the enumeration, or its text on the wire.
pub(crate) fn key_state(value: &Bound<'_, PyString>) -> Outcome<KeyState> {
    Ok(text("bela_stanje", value)?.parse()?)
}
