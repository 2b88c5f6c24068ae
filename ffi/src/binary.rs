//! The binary forms of what stands in columns and queues by the million.

use crate::args::{Given, Out, Text, bytes, read, sized_text};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::public_key::public_key;
use crate::status::StatusValue;
use dualseal_core::seal::Seal;
use dualseal_core::{Entry, SignatureRecord};
use std::ffi::c_char;

/// What a binary form is of, as an argument: a member of [`Binary`].
pub type BinaryValue = i32;

/// What a binary form is of. 0 is none of them.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// A signature record, with its public key: 5371 bytes. Its text is JSON.
    Record = 1,
    /// The same without its public key, which the reader has: 3419 bytes.
    ShortRecord = 2,
    /// A chain's entry that travels alone: 186 bytes and its message. Its text is JSON.
    Entry = 3,
    /// A seal of either format: 3379 bytes, of a legacy seal 70. Its text is the seal itself.
    Seal = 4,
}

impl Binary {
    const ALL: [Self; 4] = [Self::Record, Self::ShortRecord, Self::Entry, Self::Seal];

    fn of(value: BinaryValue) -> Result<Self, CallError> {
        let known = Self::ALL.into_iter().find(|kind| *kind as BinaryValue == value);
        known.ok_or_else(|| CallError::unknown_value("kind"))
    }
}

/// The binary form of a record, entry or seal. `out` is to be freed with `dualseal_bytes_free`. Nothing is verified,
/// and nothing is hashed or signed in this form. `DUALSEAL_STATUS_UNKNOWN_VALUE` with the argument `kind` for a kind
/// that is none of these; for a text that is none of its kind, the status and the member that reading it elsewhere
/// would name.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_binary_from_text(
    kind: BinaryValue,
    text: *const c_char,
    text_len: usize,
    out: *mut *mut u8,
    out_len: *mut usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (kind, (text, length)): (_, Text) = (Binary::of(kind)?, (text, text_len));
        let record = || -> Result<_, CallError> { read("text", text, length, SignatureRecord::from_json) };
        let written = match kind {
            Binary::Record => record()?.to_bytes(),
            Binary::ShortRecord => record()?.to_bytes_without_key(),
            Binary::Entry => read("text", text, length, Entry::from_json)?.to_bytes()?,
            Binary::Seal => sized_text("text", text, length)?.parse::<Seal>()?.to_bytes(),
        };
        Given::new(out, out_len)?.set(&written);
        Ok(())
    })
}

/// The text of a binary form. With `DUALSEAL_BINARY_SHORT_RECORD`, `public_key` is the key that the reader has for the
/// record, of `DUALSEAL_PUBLIC_KEY_BYTES`. With every other kind it is NULL.
///
/// `DUALSEAL_STATUS_UNKNOWN_VALUE` names what it is of: `kind`, for a kind that is none of these, and for bytes of
/// another one; `public_key`, for a key beside another kind; `javni_kljuc`, for a record that has another key than
/// this one; `flags`. `DUALSEAL_STATUS_MISSING_MEMBER` is a record without its key, read as one that has it, and
/// `DUALSEAL_STATUS_LENGTH` bytes that are too few or too many.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_binary_to_text(
    kind: BinaryValue,
    stored: *const u8,
    stored_len: usize,
    public_key: *const u8,
    public_key_len: usize,
    text: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let kind = Binary::of(kind)?;
        if kind != Binary::ShortRecord && !public_key.is_null() {
            return Err(CallError::unknown_value("public_key"));
        }
        let stored = bytes("stored", stored, stored_len)?;
        let read = match kind {
            Binary::Record => SignatureRecord::from_bytes(stored)?.to_json(),
            Binary::ShortRecord => {
                let key = self::public_key(public_key, public_key_len)?;
                SignatureRecord::from_bytes_with_key(stored, &key)?.to_json()
            }
            Binary::Entry => Entry::from_bytes(stored)?.to_json(),
            Binary::Seal => Seal::from_bytes(stored)?.to_string(),
        };
        Out::new("text", text)?.text(&read);
        Ok(())
    })
}
