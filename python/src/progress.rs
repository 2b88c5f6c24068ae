//! Operations in progress: they borrow from what they were begun with, so both are kept together, and they end once.

use dualseal::Error;
use dualseal::error::Misuse;
use pyo3::Python;
use pyo3::sync::MutexExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What threads share, without holding the interpreter up while another has it. A thread that panicked left it whole:
/// an operation that failed has ended.
pub(crate) fn lock<'a, T>(py: Python<'_>, shared: &'a Mutex<T>) -> MutexGuard<'a, T> {
    shared.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}

/// The operation, unless it has ended.
pub(crate) fn running<T>(operation: &mut Option<T>) -> Result<&mut T, Error> {
    operation.as_mut().ok_or(Error::Misuse(Misuse::StreamEnded))
}

/// The operation for its last act, which ends it whatever comes of it.
pub(crate) fn ending<T>(operation: &mut Option<T>) -> Result<T, Error> {
    operation.take().ok_or(Error::Misuse(Misuse::StreamEnded))
}
