//! The guard around every function.

use crate::args::Out;
use crate::call_error::CallError;
use crate::status::{Status, StatusValue};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Runs the body of a fallible function. A panic becomes a status, because unwinding into C is undefined.
pub(crate) fn guard(error: *mut *mut CallError, body: impl FnOnce() -> Result<(), CallError>) -> StatusValue {
    guard_verdict(error, || body().map(|()| Status::Valid as StatusValue))
}

/// As [`guard`], for a body that concludes something.
pub(crate) fn guard_verdict(
    error: *mut *mut CallError,
    body: impl FnOnce() -> Result<StatusValue, CallError>,
) -> StatusValue {
    // An error of a call before was freed by then: whoever looks at every call alike would free it again.
    if let Some(error) = Out::optional(error) {
        error.set(ptr::null_mut());
    }
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            // Its destructor might panic again.
            std::mem::forget(payload);
            CallError::panic()
        }
    };
    let status = failure.status();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::dualseal_error_message;
    use std::ffi::CStr;

    /// No input is known that makes the library panic, so C cannot test this.
    #[test]
    fn a_panic_becomes_a_status_with_an_error() {
        let mut error = ptr::null_mut();
        let status = guard(&raw mut error, || panic!("secret"));
        assert_eq!(status, Status::Panic as StatusValue);
        // SAFETY: the guard has just handed it over.
        let error: Box<CallError> = unsafe { Box::from_raw(error) };
        assert_eq!(error.status(), status);
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
}
