//! Chain entries that travel alone.

use crate::args::{Buffer, Out, read};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::guard::guard;
use crate::status::StatusValue;
use dualseal_core::Entry;
use std::ffi::c_char;

/// The entry as a line of a chain file, without its `seq` and ended by LF; and its short handle, which records carry.
/// It is computed, and says nothing about the entry's validity. `krunica_hash_len` is `DUALSEAL_ID_TEXT_BYTES`. Whoever
/// wants only one of them gives NULL for the other.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_entry_parts(
    entry_json: *const c_char,
    entry_json_len: usize,
    line: *mut *mut c_char,
    krunica_hash: *mut c_char,
    krunica_hash_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let entry = read("entry_json", entry_json, entry_json_len, Entry::from_json)?;
        let buffer = || Buffer::text("krunica_hash", krunica_hash, krunica_hash_len, DUALSEAL_ID_TEXT_BYTES);
        let handle = (!krunica_hash.is_null()).then(buffer).transpose()?;
        if let Some(handle) = handle {
            handle.fill_text(&entry.krunica_hash().to_hex());
        }
        if let Some(line) = Out::optional(line) {
            line.text(&entry.to_json_line());
        }
        Ok(())
    })
}
