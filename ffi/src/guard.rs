//! The guard around every function.

use crate::args::Out;
use crate::call_error::CallError;
use crate::status::{Status, StatusValue};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs the body of a fallible function. A panic becomes a status, because unwinding into C is undefined.
pub(crate) fn guard(error: *mut *mut CallError, body: impl FnOnce() -> Result<(), CallError>) -> StatusValue {
    guard_verdict(error, || body().map(|()| Status::Valid as StatusValue))
}

/// As [`guard`], for a body that concludes something.
pub(crate) fn guard_verdict(
    error: *mut *mut CallError,
    body: impl FnOnce() -> Result<StatusValue, CallError>,
) -> StatusValue {
    let quiet = begin(error);
    settle(error, catch_unwind(AssertUnwindSafe(body)), quiet)
}

/// What is the same for every function stands in the library once.
#[inline(never)]
fn begin(error: *mut *mut CallError) -> Quiet {
    // An error of a call before was freed by then: whoever looks at every call alike would free it again.
    if let Some(error) = Out::optional(error) {
        error.set(ptr::null_mut());
    }
    Quiet::begin()
}

#[inline(never)]
fn settle(
    error: *mut *mut CallError,
    outcome: thread::Result<Result<StatusValue, CallError>>,
    quiet: Quiet,
) -> StatusValue {
    drop(quiet);
    let failure = match outcome {
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

/// While one is there, a panic writes nothing: its text would stand among what the host writes, and might quote what
/// it was about. A batch panics on threads of its own, so it counts for all threads.
struct Quiet;

static CALLS: AtomicUsize = AtomicUsize::new(0);
type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;
/// The hook that was there before. Here and not captured, since the box of a closure that captures is never freed.
static BEFORE: OnceLock<Hook> = OnceLock::new();

impl Quiet {
    fn begin() -> Self {
        BEFORE.get_or_init(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(Self::hook));
            before
        });
        CALLS.fetch_add(1, Ordering::SeqCst);
        Self
    }

    fn hook(info: &PanicHookInfo<'_>) {
        if CALLS.load(Ordering::SeqCst) == 0
            && let Some(before) = BEFORE.get()
        {
            before(info);
        }
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::SeqCst);
    }
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
    use crate::error::{dualseal_error_free, dualseal_error_message};
    use crate::handle::known;
    use std::ffi::CStr;

    /// No input is known that makes the library panic. From C, `tests/c/panics/test_panics.c` has one raised.
    #[test]
    fn a_panic_becomes_a_status_with_an_error() {
        let mut error = ptr::null_mut();
        let status = guard(&raw mut error, || panic!("secret"));
        assert_eq!(status, Status::Panic as StatusValue);
        assert_eq!(known(error.cast_const()).map(CallError::status), Some(status));
        // SAFETY: a C string of the error, which lives.
        let message = unsafe { CStr::from_ptr(dualseal_error_message(error)) };
        assert!(!message.to_str().unwrap().contains("secret"));
        dualseal_error_free(error);
        assert_eq!(guard(ptr::null_mut(), || panic!("again")), status);
    }

    /// In a process of its own, of which all that it writes can be seen.
    #[cfg(not(miri))] // Miri starts no process.
    #[test]
    fn a_panic_writes_nothing() {
        const INSIDE: &str = "DUALSEAL_FFI_PANIC_INSIDE";
        if std::env::var_os(INSIDE).is_some() {
            let threads = || thread::scope(|scope| scope.spawn(|| panic!("secret")).join().is_ok());
            assert_eq!(guard(ptr::null_mut(), || panic!("secret")), Status::Panic as StatusValue);
            assert_eq!(guard_verdict(ptr::null_mut(), || Ok(threads().into())), 0);
            return;
        }
        let own = std::env::current_exe().unwrap();
        let test = "guard::tests::a_panic_writes_nothing";
        let ran = std::process::Command::new(own).args(["--exact", test, "--nocapture"]).env(INSIDE, "1").output();
        let ran = ran.unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned() + &String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
        assert!(!said.contains("secret") && !said.contains("panicked"), "{said}");
    }

    #[test]
    fn a_payload_that_panics_when_dropped_stays_inside() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        assert_eq!(guard(ptr::null_mut(), || panic::panic_any(Bomb)), Status::Panic as StatusValue);
    }
}
