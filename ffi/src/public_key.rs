//! Public keys, which are plain bytes in C.

use crate::args::{Buffer, Out, bytes, sized_text};
use crate::call_error::CallError;
use crate::constants::{DUALSEAL_ID_TEXT_BYTES, DUALSEAL_PUBLIC_KEY_BYTES};
use crate::guard::guard;
use crate::status::StatusValue;
use dualseal_core::PublicKey;
use std::ffi::c_char;

/// An argument `public_key` with its length.
pub(crate) fn public_key(public_key: *const u8, public_key_len: usize) -> Result<PublicKey, CallError> {
    Ok(PublicKey::from_slice(bytes("public_key", public_key, public_key_len)?)?)
}

/// The hash of a public key (SHA3-256), which names it in a ring. `key_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_hash(
    public_key: *const u8,
    public_key_len: usize,
    key_hash: *mut c_char,
    key_hash_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = self::public_key(public_key, public_key_len)?;
        let out = Buffer::text("key_hash", key_hash, key_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&key.hash().to_hex());
        Ok(())
    })
}

/// SubjectPublicKeyInfo (RFC 9881) in PEM (`BEGIN PUBLIC KEY`), to be freed with `dualseal_string_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_to_spki_pem(
    public_key: *const u8,
    public_key_len: usize,
    pem: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = self::public_key(public_key, public_key_len)?;
        Out::new("pem", pem)?.text(&key.to_spki_pem()?);
        Ok(())
    })
}

/// Reads SubjectPublicKeyInfo in PEM. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_from_spki_pem(
    pem: *const c_char,
    pem_len: usize,
    public_key: *mut u8,
    public_key_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let pem = sized_text("pem", pem, pem_len)?;
        let out = Buffer::bytes("public_key", public_key, public_key_len, DUALSEAL_PUBLIC_KEY_BYTES)?;
        out.fill(PublicKey::from_spki_pem(pem).map_err(|error| CallError::from(error).of("pem"))?.as_bytes());
        Ok(())
    })
}
