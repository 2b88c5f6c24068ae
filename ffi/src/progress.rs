//! Operations in progress: they borrow from what they were begun with, so both are kept together, and they end once.

use crate::call_error::CallError;
use dualseal_core::Error;
use dualseal_core::error::Misuse;

/// The operation, unless it has ended.
pub(crate) fn running<T>(operation: &mut Option<T>) -> Result<&mut T, CallError> {
    Ok(operation.as_mut().ok_or(Error::Misuse(Misuse::StreamEnded))?)
}

/// The operation for its last act, which ends it whatever comes of it.
pub(crate) fn ending<T>(operation: &mut Option<T>) -> Result<T, CallError> {
    Ok(operation.take().ok_or(Error::Misuse(Misuse::StreamEnded))?)
}
