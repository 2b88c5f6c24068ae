//! Errors as C sees them, and the guard around every fallible function.

use crate::args::Out;
use crate::status::{Status, StatusValue};
use dualseal_core::error::{ChainFault, Error, Rejected, ShardFault, StreamFault, ThresholdFault, VaultFault};
use dualseal_core::threshold::QuorumRefusal;
use dualseal_core::vault::IoError;
use std::ffi::{CString, c_char};
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// What went wrong in one call. Holds no secret.
#[derive(Debug)]
pub struct Failure {
    status: StatusValue,
    message: CString,
    field: Option<CString>,
    index: Option<u64>,
    culprits: Vec<u8>,
    result_json: Option<CString>,
    os_error: i32,
}

impl Failure {
    fn new(status: StatusValue, field: Option<&str>, index: Option<u64>, message: &str) -> Self {
        // Fields are names of this library; what a message quotes from an input is escaped. So none has a NUL.
        let c = |text: &str| CString::new(text).unwrap_or_default();
        let (message, field) = (c(message), field.map(c));
        Self { status, message, field, index, culprits: Vec::new(), result_json: None, os_error: 0 }
    }

    fn about(status: Status, field: &'static str, index: Option<u64>, what: &str) -> Self {
        Self::new(status as StatusValue, Some(field), index, &format!("{field}: {what}"))
    }

    pub(crate) fn null(argument: &'static str) -> Self {
        Self::about(Status::NullArgument, argument, None, "is NULL")
    }

    pub(crate) fn utf8(argument: &'static str, valid_up_to: usize) -> Self {
        Self::about(Status::Utf8, argument, u64::try_from(valid_up_to).ok(), "is not UTF-8")
    }

    pub(crate) fn buffer(argument: &'static str, expected: impl Display, found: usize) -> Self {
        let what = format!("the buffer must have length {expected}, has {found}");
        Self::about(Status::BufferLength, argument, None, &what)
    }

    pub(crate) fn unknown_value(argument: &'static str) -> Self {
        Self::about(Status::UnknownValue, argument, None, "has none of the known values")
    }

    pub(crate) fn no_seed() -> Self {
        Self::about(Status::NoSeed, "key", None, "was read in the expanded form and has no seed")
    }

    pub(crate) fn not_a_decoy() -> Self {
        Self::about(Status::NotADecoy, "verdict", None, "is not one about a decoy key")
    }

    pub(crate) fn not_located() -> Self {
        Self::about(Status::NotLocated, "krunica_hash", None, "is not among the entries that were located")
    }

    pub(crate) fn no_verdict() -> Self {
        Self::about(Status::NoVerdict, "report", None, "is about layer A alone, which gives no verdict")
    }

    pub(crate) fn not_verified(what: &str) -> Self {
        Self::about(Status::NotVerified, "report", None, what)
    }

    pub(crate) fn key_kept() -> Self {
        Self::about(Status::KeyKept, "work", None, "kept the key beyond the call that it was lent to")
    }

    pub(crate) fn out_of_range(argument: &'static str) -> Self {
        Self::about(Status::Range, argument, None, "is out of range")
    }

    /// What the system said of the file that an argument names. It says nothing of what is in the file.
    pub(crate) fn file(status: Status, argument: &'static str, error: &io::Error) -> Self {
        let failure = Self::about(status, argument, None, &error.to_string());
        Self { os_error: error.raw_os_error().unwrap_or(0), ..failure }
    }

    /// What went wrong between the files that the arguments `source` and `target` name.
    pub(crate) fn between(error: IoError) -> Self {
        match error {
            IoError::Read(error) => Self::file(Status::FileRead, "source", &error),
            IoError::Write(error) => Self::file(Status::FileWrite, "target", &error),
            IoError::Dualseal(error) => error.into(),
        }
    }

    /// Without the panic's own message, which might quote what it was about.
    fn panic() -> Self {
        let message = "the library panicked, which is a defect of it; free this call's handles and use them no more";
        Self::new(Status::Panic as StatusValue, None, None, message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (field, index) = match &error {
            Error::Malformed(malformed) => (Some(malformed.field), malformed.index),
            Error::Rejected(Rejected::Chain(fault)) => (None, Some(fault.seq)),
            Error::Rejected(Rejected::Stream(StreamFault::Chunk { index })) => (None, Some(*index)),
            Error::Rejected(Rejected::Threshold(ThresholdFault::MissingRecord { seq })) => (None, Some(*seq)),
            Error::Rejected(Rejected::Vault(fault)) => place(*fault),
            _ => (None, None),
        };
        let failure = Self::new(error.code().into(), field, index, &error.to_string());
        let culprits = match error {
            Error::Rejected(Rejected::Sharing(fault)) => fault.culprits,
            Error::Rejected(Rejected::Shard(ShardFault::Mixed { indices, .. })) => indices,
            Error::Rejected(Rejected::Shard(ShardFault::SupersededSplit { culprits })) => culprits,
            Error::Rejected(Rejected::Threshold(ThresholdFault::NotCommitted { index })) => vec![index],
            _ => Vec::new(),
        };
        Self { culprits, ..failure }
    }
}

/// The layer that caught it, and where.
fn place(fault: VaultFault) -> (Option<&'static str>, Option<u64>) {
    match fault {
        VaultFault::LedgerRecord { seq, layer } => (Some(layer.as_str()), Some(seq)),
        VaultFault::LedgerTruncated { seq }
        | VaultFault::LedgerFork { seq }
        | VaultFault::OtherLedger { seq }
        | VaultFault::MissingDecoy { seq }
        | VaultFault::LedgerEntry { seq } => (None, Some(seq)),
        _ => (None, None),
    }
}

impl From<Box<QuorumRefusal>> for Failure {
    fn from(refusal: Box<QuorumRefusal>) -> Self {
        let QuorumRefusal { error, result } = *refusal;
        // JSON escapes a NUL.
        Self { result_json: CString::new(result.to_json()).ok(), ..error.into() }
    }
}

impl From<ChainFault> for Failure {
    fn from(fault: ChainFault) -> Self {
        Error::from(fault).into()
    }
}

/// Runs the body of a fallible function. A panic becomes a status, because unwinding into C is undefined.
pub(crate) fn guard(error: *mut *mut Failure, body: impl FnOnce() -> Result<(), Failure>) -> StatusValue {
    guard_verdict(error, || body().map(|()| Status::Valid as StatusValue))
}

/// As [`guard`], for a body that concludes something.
pub(crate) fn guard_verdict(
    error: *mut *mut Failure,
    body: impl FnOnce() -> Result<StatusValue, Failure>,
) -> StatusValue {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            // Its destructor might panic again.
            std::mem::forget(payload);
            Failure::panic()
        }
    };
    let status = failure.status;
    if let Some(error) = Out::optional(error) {
        error.handle(failure);
    }
    status
}

/// Runs the body of a `_free` function.
pub(crate) fn release(body: impl FnOnce()) {
    guard(ptr::null_mut(), || {
        body();
        Ok(())
    });
}

/// The status that the failed call returned. `DUALSEAL_STATUS_NULL_ARGUMENT` for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_code(error: Option<&Failure>) -> StatusValue {
    error.map_or(Status::NullArgument as StatusValue, |error| error.status)
}

/// What went wrong, in one line of English without secrets. It lives as long as the error. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_message(error: Option<&Failure>) -> *const c_char {
    error.map_or(ptr::null(), |error| error.message.as_ptr())
}

/// The argument, or the member of a record by its name on the wire, that was wrong, and of a record of a ledger the
/// layer; NULL where the error is about none, and for NULL. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_field(error: Option<&Failure>) -> *const c_char {
    error.and_then(|error| error.field.as_ref()).map_or(ptr::null(), |field| field.as_ptr())
}

/// Where it was wrong, from 0: the byte of a text, the item of a list, the entry of a chain, the record of a ledger; -1
/// where the error is about no such place, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_index(error: Option<&Failure>) -> i64 {
    error.and_then(|error| error.index).and_then(|index| i64::try_from(index).ok()).unwrap_or(-1)
}

/// Of shares that gave no secret: the indices of those to blame, ascending, as many as `culprits_len` is set to; NULL
/// and 0 where there are none, and for NULL. They live as long as the error. `culprits_len` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_culprits(error: Option<&Failure>, culprits_len: *mut usize) -> *const u8 {
    let culprits = error.map_or(&[][..], |error| &error.culprits);
    if let Some(length) = Out::optional(culprits_len) {
        length.set(culprits.len());
    }
    if culprits.is_empty() { ptr::null() } else { culprits.as_ptr() }
}

/// Of a refused `dualseal_session_sign`: the result with `ok: false`, as JSON; NULL for every other error, and for
/// NULL. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_session_result(error: Option<&Failure>) -> *const c_char {
    error.and_then(|error| error.result_json.as_ref()).map_or(ptr::null(), |result| result.as_ptr())
}

/// Of a file: the system's own number of what went wrong, `errno` on Unix and `GetLastError` on Windows; 0 where the
/// system gave none, where the error is about no file, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_os(error: Option<&Failure>) -> i32 {
    error.map_or(0, |error| error.os_error)
}

/// Frees an error. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_free(error: Option<Box<Failure>>) {
    release(|| drop(error));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    /// No input is known that makes the library panic, so C cannot test this.
    #[test]
    fn a_panic_becomes_a_status_with_an_error() {
        let mut error = ptr::null_mut();
        let status = guard(&raw mut error, || panic!("secret"));
        assert_eq!(status, Status::Panic as StatusValue);
        // SAFETY: the guard has just handed it over.
        let error = unsafe { Box::from_raw(error) };
        assert_eq!(dualseal_error_code(Some(&error)), status);
        // SAFETY: a C string of the error, which lives.
        let message = unsafe { CStr::from_ptr(dualseal_error_message(Some(&error))) };
        assert!(!message.to_str().unwrap().contains("secret"));
        assert_eq!(guard(ptr::null_mut(), || panic!("again")), status);
    }

    #[test]
    fn a_payload_that_panics_when_dropped_stays_inside() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        assert_eq!(guard(ptr::null_mut(), || std::panic::panic_any(Bomb)), Status::Panic as StatusValue);
    }

    #[test]
    fn a_failing_generator_has_its_status() {
        let failure = Failure::from(Error::Randomness);
        assert_eq!(failure.status, Status::Randomness as StatusValue);
        assert!(failure.field.is_none() && failure.index.is_none());
    }
}
