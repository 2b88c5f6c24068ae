//! Errors of a stream, whose consumer is C.

use arrow_schema::ArrowError;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a consumer is told. Its text goes through C, and ends at a zero.
pub(super) fn failed(text: &str) -> ArrowError {
    ArrowError::CDataInterface(text.replace('\0', "\u{fffd}"))
}

/// A producer whose arrays contradict its schema makes the reader panic, which is an error of the stream: whoever calls
/// is C, and would end the process.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(failed(&format!("its arrays are not what its schema says: {}", words.unwrap_or("no more is known"))))
    })
}
