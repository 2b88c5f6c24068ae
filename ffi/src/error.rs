//! What a status means, and what an error tells.

use crate::call_error::CallError;
use crate::guard::release;
use crate::handle::{give_back, known};
use crate::status::{StatusValue, TEXTS};
use dualseal_core::Error;
use dualseal_core::error::Family as Kind;
use std::ffi::{CStr, c_char};
use std::ptr;

/// What a status means, in English; `unknown status` for a number that is none. The text lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_status_text(status: StatusValue) -> *const c_char {
    let found = TEXTS.iter().find(|(listed, _)| *listed as StatusValue == status);
    found.map_or(c"unknown status", |(_, text)| text).as_ptr()
}

/// What kind of thing a status tells: a member of [`Family`], or 0.
pub type FamilyValue = i32;

/// What kind of thing a status tells, which says what to do about it. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// What was concluded, of which `DUALSEAL_OK` alone is success.
    Verdict = 1,
    /// Input that does not have the documented form: it goes back to whoever wrote it.
    Malformed = 2,
    /// Well-formed evidence that does not hold: it is kept and looked into.
    Rejected = 3,
    /// A call that cannot be served as it was made: a defect of the calling program.
    Misuse = 4,
    /// The random number generator failed: a defect of the machine.
    Randomness = 5,
    /// What only the C ABI tells: of an argument, a handle, a file, or a defect of the library.
    Call = 6,
}

/// The family of a status; 0 for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_status_family(status: StatusValue) -> FamilyValue {
    let row = Error::CATALOGUE.iter().find(|row| StatusValue::from(row.code) == status);
    let of_c = TEXTS.iter().any(|(listed, _)| *listed as StatusValue == status);
    let family = match row.map(|row| row.family) {
        Some(Kind::Malformed) => Family::Malformed,
        Some(Kind::Rejected) => Family::Rejected,
        Some(Kind::Misuse) => Family::Misuse,
        Some(Kind::Randomness) => Family::Randomness,
        // One that core got since has its name here first, which tests/c/test_status.c asks for.
        Some(_) => return 0,
        None if !of_c => return 0,
        None if status < 100 => Family::Verdict,
        None => Family::Call,
    };
    family as FamilyValue
}

/// What went wrong, in one line of English without secrets. It lives as long as the error. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_message(error: *const CallError) -> *const c_char {
    known(error).map_or(ptr::null(), |error| error.message().as_ptr())
}

/// The argument, or the member of a record by its name on the wire, that was wrong; of a record of a ledger the layer.
/// NULL where the error is about none, and for NULL. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_field(error: *const CallError) -> *const c_char {
    known(error).and_then(CallError::field).map_or(ptr::null(), CStr::as_ptr)
}

/// Where it was wrong, from 0: the byte of a text, the item of a list, the entry of a chain, the record of a ledger or
/// the chunk of a stream. Of two records at one place of a ledger it is where the second of them came, and of two such
/// chain entries their place in the ledger. -1 where the error is about no such place, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_index(error: *const CallError) -> i64 {
    known(error).and_then(CallError::index).and_then(|index| i64::try_from(index).ok()).unwrap_or(-1)
}

/// Of shares, shards or proofs that gave nothing, as JSON: `culprits`, those at fault, and `foreign`, those that hold
/// and are of another set, such as `{"culprits":[2,5],"foreign":[]}`. Both ascend; of shares and shards they are
/// indices, of proofs of presence positions, from 0. It lives as long as the error. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_faults(error: *const CallError) -> *const c_char {
    known(error).map_or(ptr::null(), |error| error.faults_json().as_ptr())
}

/// Of a file: the system's own number of what went wrong, `errno` on Unix and `GetLastError` on Windows; 0 where the
/// system gave none, where the error is about no file, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_os(error: *const CallError) -> i32 {
    known(error).map_or(0, CallError::os_error)
}

/// Frees an error. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_error_free(error: *mut CallError) {
    release(|| give_back(error));
}
