//! Texts and bytes that the library returned, given back.

use crate::guard::release;
use crate::memory::take_back;
use std::ffi::c_char;

/// Overwrites and frees a text that a function of this library returned. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_string_free(text: *mut c_char) {
    release(|| take_back(text.cast()));
}

/// Overwrites and frees bytes that a function of this library returned. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_bytes_free(bytes: *mut u8) {
    release(|| take_back(bytes));
}
