//! mldsa-native as a shared library with one function, for Python: it is the code that liboqs has since 0.16.

use mldsa_native_rs::ffi as native;
use std::ffi::c_int;
use std::ptr::null;

/// Whether the signature is of this message by this key, with no context.
///
/// # Safety
/// The message and the signature have as many bytes as is said, the key has 1952.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mldsa_native_verify(
    message: *const u8,
    message_bytes: usize,
    signature: *const u8,
    signature_bytes: usize,
    key: *const u8,
) -> c_int {
    // SAFETY: as the caller promises; there is no context.
    let status = unsafe { native::mldsa65_verify(signature, signature_bytes, message, message_bytes, null(), 0, key) };
    c_int::from(status == native::SUCCESS)
}
