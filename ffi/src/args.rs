//! Arguments from C: the one place where the caller's pointers are followed.
//!
//! Each pointer that comes here is an argument of an exported function, given by a C caller who keeps the header's
//! contract: it is NULL, or good for as many bytes as the contract says, for as long as the call takes. Nothing else in
//! this crate makes pointers, and no Rust code can call it.

use crate::call_error::CallError;
use crate::handle::{Argument, Handle, give};
use crate::memory;
use dualseal_core::secret::Secret;
use dualseal_core::{Error, Timestamp};
use std::ffi::{CStr, c_char};
use std::path::Path;
use std::ptr::{self, NonNull};
use std::slice;

/// What a handle is of, or a status for NULL.
pub(crate) fn required<'a, H: Argument<'a>>(name: &'static str, handle: H) -> Result<H::Value, CallError> {
    handle.value(name)?.ok_or_else(|| CallError::null(name))
}

/// As [`required`], where NULL has a meaning of its own.
pub(crate) fn optional<'a, H: Argument<'a>>(name: &'static str, handle: H) -> Result<Option<H::Value>, CallError> {
    handle.value(name)
}

/// A function of the caller's, or a status for NULL.
pub(crate) fn function<F>(name: &'static str, function: Option<F>) -> Result<F, CallError> {
    function.ok_or_else(|| CallError::null(name))
}

/// A text with its length, as it comes.
pub(crate) type Text = (*const c_char, usize);

/// A text of `length` bytes, as bytes: JSON, whose reader says itself where it is not UTF-8. What somebody else wrote
/// has a length, because a NUL within it would hide from the library what follows.
pub(crate) fn json<'a>(name: &'static str, text: *const c_char, length: usize) -> Result<&'a [u8], CallError> {
    if text.is_null() {
        return Err(CallError::null(name));
    }
    bytes(name, text.cast(), length)
}

/// A record, as its reader makes it of its text.
pub(crate) fn read<'a, T>(
    name: &'static str,
    text: *const c_char,
    length: usize,
    parse: impl FnOnce(&'a [u8]) -> Result<T, Error>,
) -> Result<T, CallError> {
    parse(json(name, text, length)?).map_err(|error| CallError::from(error).of(name))
}

/// As [`json`], of any text but JSON.
pub(crate) fn sized_text<'a>(name: &'static str, text: *const c_char, length: usize) -> Result<&'a str, CallError> {
    utf8(name, json(name, text, length)?)
}

/// A name or an identifier, which ends with NUL.
pub(crate) fn text<'a>(name: &'static str, text: *const c_char) -> Result<&'a str, CallError> {
    utf8(name, until_nul(name, text)?)
}

fn utf8<'a>(name: &'static str, text: &'a [u8]) -> Result<&'a str, CallError> {
    str::from_utf8(text).map_err(|error| CallError::utf8(name, error.valid_up_to()))
}

fn until_nul<'a>(name: &'static str, text: *const c_char) -> Result<&'a [u8], CallError> {
    if text.is_null() {
        return Err(CallError::null(name));
    }
    // SAFETY: not NULL, so by contract it ends with NUL and stays as it is during the call.
    Ok(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// As [`text`], where NULL has a meaning of its own.
pub(crate) fn optional_text<'a>(name: &'static str, argument: *const c_char) -> Result<Option<&'a str>, CallError> {
    if argument.is_null() { Ok(None) } else { text(name, argument).map(Some) }
}

/// An argument that is left out only where the caller says that there is no chain.
pub(crate) fn unless_no_chain<T>(
    name: &'static str,
    argument: Option<T>,
    no_chain: i32,
) -> Result<Option<T>, CallError> {
    unless(name, argument, "no_chain", no_chain)
}

/// An argument that is left out only where another one, which is 0 or 1, says so: a NULL that somebody forgot to fill
/// must not read as that.
pub(crate) fn unless<T>(
    name: &'static str,
    argument: Option<T>,
    flag: &'static str,
    left_out: i32,
) -> Result<Option<T>, CallError> {
    match (left_out, argument) {
        (0, None) => Err(CallError::null(name)),
        (0, given) => Ok(given),
        (1, None) => Ok(None),
        _ => Err(CallError::unknown_value(flag)),
    }
}

/// A path that ends with NUL: any bytes where the system's paths are bytes, UTF-8 elsewhere.
#[cfg(unix)]
pub(crate) fn path<'a>(name: &'static str, argument: *const c_char) -> Result<&'a Path, CallError> {
    let bytes = until_nul(name, argument)?;
    Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
}

/// As [`path`], where NULL has a meaning of its own.
pub(crate) fn optional_path<'a>(name: &'static str, argument: *const c_char) -> Result<Option<&'a Path>, CallError> {
    if argument.is_null() { Ok(None) } else { path(name, argument).map(Some) }
}

/// A path that ends with NUL: any bytes where the system's paths are bytes, UTF-8 elsewhere.
#[cfg(not(unix))]
pub(crate) fn path<'a>(name: &'static str, argument: *const c_char) -> Result<&'a Path, CallError> {
    text(name, argument).map(Path::new)
}

/// `count` texts, each of which ends with NUL. NULL with count 0 is none.
pub(crate) fn texts<'a>(
    name: &'static str,
    array: *const *const c_char,
    count: usize,
) -> Result<Vec<&'a str>, CallError> {
    pointers(name, array, count)?.iter().map(|pointer| text(name, *pointer)).collect()
}

/// What `count` handles are of. NULL with count 0 is none.
pub(crate) fn handles<'a, H: Handle + 'a>(
    name: &'static str,
    array: *const *const H,
    count: usize,
) -> Result<Vec<&'a H>, CallError> {
    pointers(name, array, count)?.iter().map(|handle| required(name, *handle)).collect()
}

fn pointers<'a, T>(name: &'static str, array: *const *const T, count: usize) -> Result<&'a [*const T], CallError> {
    if count == 0 {
        return Ok(&[]);
    }
    if array.is_null() {
        return Err(CallError::null(name));
    }
    if count > isize::MAX.unsigned_abs() / size_of::<*const T>() {
        return Err(CallError::buffer(name, "at most half of the address space", count));
    }
    // SAFETY: not NULL and of a possible length, so by contract good for that many pointers during the call.
    Ok(unsafe { slice::from_raw_parts(array, count) })
}

/// `length` bytes. NULL with length 0 is empty.
pub(crate) fn bytes<'a>(name: &'static str, bytes: *const u8, length: usize) -> Result<&'a [u8], CallError> {
    if length == 0 {
        return Ok(&[]);
    }
    if bytes.is_null() {
        return Err(CallError::null(name));
    }
    // No object is longer, so the pointer cannot be good for that many.
    if isize::try_from(length).is_err() {
        return Err(CallError::buffer(name, "at most half of the address space", length));
    }
    // SAFETY: not NULL and of a possible length, so by contract good for that many bytes during the call.
    Ok(unsafe { slice::from_raw_parts(bytes, length) })
}

/// A secret of 32 bytes, which the caller overwrites.
pub(crate) fn secret(name: &'static str, start: *const u8, length: usize) -> Result<Secret<32>, CallError> {
    Ok(Secret::from_slice(name, bytes(name, start, length)?)?)
}

/// A k, m, n or number of proofs, which none of has more than 255.
pub(crate) fn small(name: &'static str, number: u32) -> Result<u8, CallError> {
    u8::try_from(number).map_err(|_| CallError::out_of_range(name, Some(number.into())))
}

/// A number where NULL has a meaning of its own.
pub(crate) fn optional_number(number: *const u64) -> Option<u64> {
    // SAFETY: not NULL, so by contract it is good for eight bytes during the call, aligned or not.
    (!number.is_null()).then(|| unsafe { number.read_unaligned() })
}

/// A time where NULL has a meaning of its own.
pub(crate) fn optional_time(time_ms: *const i64) -> Result<Option<Timestamp>, CallError> {
    // SAFETY: not NULL, so by contract it is good for eight bytes during the call, aligned or not.
    let millis = (!time_ms.is_null()).then(|| unsafe { time_ms.read_unaligned() });
    Ok(millis.map(Timestamp::from_millis).transpose()?)
}

/// A place for an output, which nothing is read from and which is written on success only.
pub(crate) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    pub(crate) fn new(name: &'static str, place: *mut T) -> Result<Self, CallError> {
        Self::optional(place).ok_or_else(|| CallError::null(name))
    }

    /// As [`Out::new`], for an output that the caller may not want.
    pub(crate) fn optional(place: *mut T) -> Option<Self> {
        NonNull::new(place).map(Self)
    }

    pub(crate) fn set(self, value: T) {
        // SAFETY: not NULL, so by contract it points to a `T` of the caller, initialised or not.
        unsafe { self.0.as_ptr().write(value) }
    }
}

impl<T: Handle> Out<*mut T> {
    /// Hands a new handle over, which comes back to its `_free` function.
    pub(crate) fn handle(self, value: T) {
        self.set(give(value));
    }
}

impl Out<*mut u8> {
    /// Hands bytes over, which come back to `dualseal_bytes_free`.
    pub(crate) fn bytes(self, length: Out<usize>, bytes: &[u8]) {
        self.set(memory::lend(bytes));
        length.set(bytes.len());
    }
}

/// A place for the bytes that a step gives: the arguments `out` and `out_len`.
pub(crate) struct Given(Out<*mut u8>, Out<usize>);

impl Given {
    pub(crate) fn new(out: *mut *mut u8, out_len: *mut usize) -> Result<Self, CallError> {
        Ok(Self(Out::new("out", out)?, Out::new("out_len", out_len)?))
    }

    pub(crate) fn set(self, bytes: &[u8]) {
        self.0.bytes(self.1, bytes);
    }
}

impl Out<*mut c_char> {
    /// Hands a text over, which comes back to `dualseal_string_free`.
    pub(crate) fn text(self, text: &str) {
        // A NUL would hide what follows it. None can be there: JSON escapes it, PEM and hexadecimal have none.
        assert!(!text.as_bytes().contains(&0), "a text for C holds a NUL");
        self.set(memory::lend(text.as_bytes()).cast());
    }
}

/// A buffer of the caller, of exactly the length that the output has.
pub(crate) struct Buffer {
    start: NonNull<u8>,
    length: usize,
}

impl Buffer {
    /// For `expected` bytes.
    pub(crate) fn bytes(name: &'static str, start: *mut u8, length: usize, expected: usize) -> Result<Self, CallError> {
        let start = NonNull::new(start).ok_or_else(|| CallError::null(name))?;
        if length != expected {
            return Err(CallError::buffer(name, expected, length));
        }
        Ok(Self { start, length })
    }

    /// For a text, with its NUL, of `expected` bytes.
    pub(crate) fn text(
        name: &'static str,
        start: *mut c_char,
        length: usize,
        expected: usize,
    ) -> Result<Self, CallError> {
        Self::bytes(name, start.cast(), length, expected)
    }

    pub(crate) fn fill(self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.length, "an output has another length than was checked");
        // SAFETY: the buffer is by contract good for `length` bytes, which `bytes` has too; `bytes` is this library's
        // own memory, so they do not overlap.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.as_ptr(), bytes.len()) }
    }

    /// The text and its NUL.
    pub(crate) fn fill_text(self, text: &str) {
        self.fill(&[text.as_bytes(), &[0]].concat());
    }
}

/// What valgrind sees of C programs, Miri sees here.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::call_error::CallError;
    use crate::content::dualseal_identity_id;
    use crate::domain::{Domain, dualseal_domain_free, dualseal_domain_new};
    use crate::error::dualseal_error_free;
    use crate::handle::known;
    use crate::status::Status;

    #[test]
    fn a_handle_goes_out_and_comes_back() {
        let mut domain: *mut Domain = ptr::null_mut();
        assert_eq!(dualseal_domain_new(c"ACME".as_ptr(), &raw mut domain, ptr::null_mut()), 0);
        let mut id = [b'#'.cast_signed(); 65];
        let lent = domain.cast_const();
        let (start, length) = (id.as_mut_ptr(), id.len());
        let (empty, content) = (c"".as_ptr(), b"content".as_ptr());
        let status = dualseal_identity_id(lent, content, 7, empty, 0, empty, 0, start, length, ptr::null_mut());
        assert_eq!((status, id[64]), (0, 0));
        // SAFETY: the buffer was written with its NUL.
        assert_eq!(unsafe { CStr::from_ptr(id.as_ptr()) }.count_bytes(), 64);
        dualseal_domain_free(domain);
    }

    #[test]
    fn an_error_goes_out_and_comes_back() {
        let mut error: *mut CallError = ptr::null_mut();
        let status = dualseal_domain_new(ptr::null(), ptr::null_mut(), &raw mut error);
        assert_eq!(status, Status::NullArgument as i32);
        assert_eq!(known(error.cast_const()).map(CallError::status), Some(status));
        dualseal_error_free(error);
    }

    #[test]
    fn lengths_and_nulls_are_checked_before_pointers_are_followed() {
        let dangling = ptr::dangling();
        assert_eq!(bytes("x", dangling, 0).ok(), Some(&[][..]));
        assert_eq!(bytes("x", ptr::null(), 0).ok(), Some(&[][..]));
        assert!(bytes("x", ptr::null(), 1).is_err());
        assert!(bytes("x", dangling, usize::MAX).is_err());
        assert!(Buffer::bytes("x", dangling.cast_mut(), 31, 32).is_err());
        assert!(text("x", ptr::null()).is_err());
        assert!(text("x", c"\xff".as_ptr()).is_err());
        assert!(json("x", ptr::null(), 0).is_err() && sized_text("x", c"\xff".as_ptr(), 1).is_err());
        assert_eq!(sized_text("x", b"a\0b".as_ptr().cast(), 3).ok(), Some("a\0b"));
    }
}
