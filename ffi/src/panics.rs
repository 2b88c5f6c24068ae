//! What no input is known to do, for `tests/c/panics/`: a panic. Compiled in the package `dualseal-panics` alone; the
//! suite `c` looks that no library that is installed has it.

use crate::call_error::CallError;
use crate::guard::guard;
use crate::status::StatusValue;
use std::thread;

#[unsafe(no_mangle)]
#[allow(clippy::panic, reason = "it is what this is for")]
extern "C" fn dualseal_test_panic(on_another: i32, error: *mut *mut CallError) -> StatusValue {
    guard(error, || {
        if on_another == 1 {
            // As a batch does: the panic of a thread of its own is raised anew where it is waited for.
            thread::scope(|scope| scope.spawn(|| panic!("secret")).join())
                .unwrap_or_else(|payload| std::panic::resume_unwind(payload));
        }
        panic!("secret");
    })
}
