//! What an error tells.

use crate::failure::Failure;
use crate::guard::release;
use std::ffi::{CStr, c_char};
use std::ptr;

/// What went wrong, in one line of English without secrets. It lives as long as the error. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_message(error: Option<&Failure>) -> *const c_char {
    error.map_or(ptr::null(), |error| error.message().as_ptr())
}

/// The argument, or the member of a record by its name on the wire, that was wrong, and of a record of a ledger the
/// layer; NULL where the error is about none, and for NULL. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_field(error: Option<&Failure>) -> *const c_char {
    error.and_then(Failure::field).map_or(ptr::null(), CStr::as_ptr)
}

/// Where it was wrong, from 0: the byte of a text, the item of a list, the entry of a chain, the record of a ledger; -1
/// where the error is about no such place, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_index(error: Option<&Failure>) -> i64 {
    error.and_then(Failure::index).and_then(|index| i64::try_from(index).ok()).unwrap_or(-1)
}

/// Of shares that gave no secret: the indices of those to blame, ascending, as a JSON array such as `[2,5]`; `[]` where
/// there are none. It lives as long as the error. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_culprits(error: Option<&Failure>) -> *const c_char {
    error.map_or(ptr::null(), |error| error.culprits_json().as_ptr())
}

/// Of a file: the system's own number of what went wrong, `errno` on Unix and `GetLastError` on Windows; 0 where the
/// system gave none, where the error is about no file, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_os(error: Option<&Failure>) -> i32 {
    error.map_or(0, Failure::os_error)
}

/// Frees an error. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_free(error: Option<Box<Failure>>) {
    release(|| drop(error));
}
