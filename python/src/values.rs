//! What public values are to Python beside their type: hashed, copied and pickled as what they are written as.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What `__reduce__` gives: a function, and what it is called with.
pub(crate) type Again<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// For `__hash__`: of equal values the same.
pub(crate) fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// For `__reduce__`: the value is made again by this maker of its class, which refuses what is malformed as always.
pub(crate) fn again<'py, T, A>(value: &Bound<'py, T>, maker: &str, written: A) -> PyResult<Again<'py>>
where
    A: IntoPyObject<'py>,
{
    called(value.py(), "again", (value.as_any().get_type(), maker, written))
}

/// As [`again`], by another function of the module for it.
pub(crate) fn called<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
) -> PyResult<Again<'py>> {
    let call = py.import("dualseal._values")?.getattr(function)?;
    Ok((call, arguments.into_pyobject(py).map_err(Into::into)?))
}
