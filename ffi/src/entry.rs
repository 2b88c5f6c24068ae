//! Chain entries that travel alone.

use crate::args::{Buffer, Out, json};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::guard::guard;
use crate::status::StatusValue;
use dualseal_core::Entry;
use std::ffi::c_char;

/// The short handle of an entry, which records carry. It is computed, and says nothing about the entry's validity.
/// `krunica_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_entry_krunica_hash(
    entry_json: *const c_char,
    entry_json_len: usize,
    krunica_hash: *mut c_char,
    krunica_hash_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let entry = Entry::from_json(json("entry_json", entry_json, entry_json_len)?)?;
        let out = Buffer::text("krunica_hash", krunica_hash, krunica_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&entry.krunica_hash().to_hex());
        Ok(())
    })
}

/// The entry as a line of a chain file: without its `seq`, ended by LF.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_entry_line(
    entry_json: *const c_char,
    entry_json_len: usize,
    line: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let entry = Entry::from_json(json("entry_json", entry_json, entry_json_len)?)?;
        Out::new("line", line)?.text(&entry.to_json_line());
        Ok(())
    })
}
