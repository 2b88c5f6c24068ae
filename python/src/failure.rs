//! Errors as exceptions. The classes are Python source (`dualseal._errors`), so that they pickle and have attributes
//! with types.

use dualseal::error::Evidence;
use dualseal::{Error, VerdictKind};
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// What an operation returns: one error type for the library's failures and for the interpreter's.
pub(crate) type Returned<T> = Result<T, Raised>;

/// A failure that becomes an exception where it reaches Python.
#[derive(Debug)]
pub(crate) enum Raised {
    Library(Error),
    Python(PyErr),
}

impl From<Error> for Raised {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl From<PyErr> for Raised {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Raised> for PyErr {
    fn from(failure: Raised) -> Self {
        match failure {
            Raised::Library(error) => Python::attach(|py| library_exception(py, &error)).unwrap_or_else(|error| error),
            Raised::Python(error) => error,
        }
    }
}

/// The same exception, in words that fit what was given.
pub(crate) fn worded(py: Python<'_>, refused: Raised, words: impl Into<String>) -> Raised {
    let error = PyErr::from(refused);
    match error.value(py).setattr("args", (words.into(),)) {
        Ok(()) => error.into(),
        Err(failed) => failed.into(),
    }
}

/// For `__reduce__` of what must not leave the process: without it, the oldest pickle protocols write an empty shell.
pub(crate) fn not_pickled<T: PyTypeInfo>(py: Python<'_>) -> PyErr {
    let name = T::type_object(py).name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("cannot pickle or copy a {name}"))
}

/// The same, with what is sent in its place.
pub(crate) fn not_pickled_but<T: PyTypeInfo>(py: Python<'_>, instead: &str) -> PyErr {
    let words = not_pickled::<T>(py).value(py).to_string();
    PyTypeError::new_err(format!("{words}: {instead}"))
}

/// For `__hash__` of a secret, which a set or the keys of a dictionary would keep for longer than anybody thinks of it.
pub(crate) fn not_hashed<T: PyTypeInfo>(py: Python<'_>) -> PyErr {
    let name = T::type_object(py).name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("a {name} holds a secret, and has no hash"))
}

/// The exception for a verdict other than Valid.
pub(crate) fn verdict_exception(
    py: Python<'_>,
    kind: VerdictKind,
    kind_object: &Bound<'_, PyAny>,
    reason: &str,
) -> PyResult<PyErr> {
    let message = if reason == kind.as_str() { reason.to_owned() } else { format!("{}: {reason}", kind.as_str()) };
    let exception = construct(py, kind.code(), kind.as_str(), &message)?;
    exception.setattr("kind", kind_object)?;
    exception.setattr("reason", reason)?;
    Ok(PyErr::from_value(exception))
}

fn library_exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let exception = construct(py, error.code(), error.row().name, &error.to_string())?;
    let Evidence { place, needed, found, culprits, foreign, reason, .. } = error.evidence();
    exception.setattr("field", place.field.map(|field| PyString::intern(py, field)))?;
    exception.setattr("index", place.index)?;
    exception.setattr("identity_id", place.identity_id)?;
    exception.setattr("needed", needed)?;
    exception.setattr("found", found)?;
    // As integers of Python: a vector of bytes would become `bytes`.
    exception.setattr("culprits", PyTuple::new(py, culprits)?)?;
    exception.setattr("foreign", PyTuple::new(py, foreign)?)?;
    exception.setattr("reason", reason)?;
    Ok(PyErr::from_value(exception))
}

/// An exception of the class that goes with the number.
fn construct<'py>(py: Python<'py>, code: u16, name: &str, message: &str) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("dualseal._errors")?.getattr("BY_CODE")?.get_item(code)?;
    let exception = class.call1((message,))?;
    exception.setattr("code", code)?;
    exception.setattr("name", name)?;
    Ok(exception)
}
