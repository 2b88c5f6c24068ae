//! Memory that goes to the caller and comes back, to be overwritten then.

use std::ptr;
use zeroize::Zeroize;

/// The length stands before the bytes, so that a text can be freed whatever its caller wrote into it.
const LENGTH_BYTES: usize = size_of::<usize>();

/// Copies `bytes` and a NUL into memory of its own. The copy comes back through [`take_back`].
pub(crate) fn lend(bytes: &[u8]) -> *mut u8 {
    // Of the exact capacity: a vector that grew would leave a copy of a secret behind.
    let mut memory = Vec::with_capacity(LENGTH_BYTES + bytes.len() + 1);
    memory.extend_from_slice(&(LENGTH_BYTES + bytes.len() + 1).to_ne_bytes());
    memory.extend_from_slice(bytes);
    memory.push(0);
    // SAFETY: the box is longer than its first `LENGTH_BYTES`.
    unsafe { Box::into_raw(memory.into_boxed_slice()).cast::<u8>().add(LENGTH_BYTES) }
}

/// Overwrites and frees what was lent. NULL is ignored.
pub(crate) fn take_back(pointer: *mut u8) {
    if pointer.is_null() {
        return;
    }
    // SAFETY: not NULL, so by contract it is what `lend` made and was not freed: the box begins `LENGTH_BYTES` before
    // it, and its first `LENGTH_BYTES` are its length.
    let mut memory = unsafe {
        let start = pointer.sub(LENGTH_BYTES);
        let length = start.cast::<usize>().read_unaligned();
        Box::from_raw(ptr::slice_from_raw_parts_mut(start, length))
    };
    memory.zeroize();
}

/// What valgrind sees of C programs, Miri sees here.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lent_comes_back_whatever_was_written_into_it() {
        for text in [&b""[..], b"x", &[0xff; 4032]] {
            let lent = lend(text);
            // SAFETY: lent with this length and a NUL behind it, and still ours.
            let memory = unsafe { std::slice::from_raw_parts_mut(lent, text.len() + 1) };
            assert_eq!(memory.split_last(), Some((&0, text)));
            memory.fill(0);
            take_back(lent);
        }
        take_back(ptr::null_mut());
    }
}
