//! Public keys, which are plain bytes in C.

use crate::args::{Buffer, Out, bytes, text};
use crate::constants::{DUALSEAL_ID_TEXT_BYTES, DUALSEAL_PUBLIC_KEY_BYTES};
use crate::failure::{Failure, guard};
use crate::returned;
use crate::status::StatusValue;
use dualseal_core::PublicKey;
use std::ffi::c_char;

/// An argument `public_key` with its length.
pub(crate) fn public_key(public_key: *const u8, public_key_len: usize) -> Result<PublicKey, Failure> {
    Ok(PublicKey::from_slice(bytes("public_key", public_key, public_key_len)?)?)
}

/// Hands bytes over, which come back to `dualseal_bytes_free`.
pub(crate) fn hand_over(place: Out<*mut u8>, length: Out<usize>, bytes: &[u8]) {
    place.set(returned::lend(bytes));
    length.set(bytes.len());
}

/// The hash of a public key (SHA3-256), which names it in a ring. `key_hash_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_hash(
    public_key: *const u8,
    public_key_len: usize,
    key_hash: *mut c_char,
    key_hash_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let key = self::public_key(public_key, public_key_len)?;
        let out = Buffer::text("key_hash", key_hash, key_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&key.hash().to_hex());
        Ok(())
    })
}

/// SubjectPublicKeyInfo in DER (RFC 9881), to be freed with `dualseal_bytes_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_to_spki_der(
    public_key: *const u8,
    public_key_len: usize,
    der: *mut *mut u8,
    der_len: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let key = self::public_key(public_key, public_key_len)?;
        let (place, length) = (Out::new("der", der)?, Out::new("der_len", der_len)?);
        hand_over(place, length, &key.to_spki_der()?);
        Ok(())
    })
}

/// Reads SubjectPublicKeyInfo in DER. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_from_spki_der(
    der: *const u8,
    der_len: usize,
    public_key: *mut u8,
    public_key_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let der = bytes("der", der, der_len)?;
        let out = Buffer::bytes("public_key", public_key, public_key_len, DUALSEAL_PUBLIC_KEY_BYTES)?;
        out.fill(PublicKey::from_spki_der(der)?.as_bytes());
        Ok(())
    })
}

/// SubjectPublicKeyInfo in PEM (`BEGIN PUBLIC KEY`), to be freed with `dualseal_string_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_public_key_to_spki_pem(
    public_key: *const u8,
    public_key_len: usize,
    pem: *mut *mut c_char,
    error: *mut *mut Failure,
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
    public_key: *mut u8,
    public_key_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let pem = text("pem", pem)?;
        let out = Buffer::bytes("public_key", public_key, public_key_len, DUALSEAL_PUBLIC_KEY_BYTES)?;
        out.fill(PublicKey::from_spki_pem(pem)?.as_bytes());
        Ok(())
    })
}
