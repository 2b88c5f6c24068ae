//! Seal keys: the secrets of layer A.

use crate::args::{Buffer, Out, bytes, required, secret, text};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_SEAL_KEY_BYTES;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::secret::Secret;
use dualseal_core::{SystemRng, seal};
use std::ffi::c_char;

/// The secret of layer A of one identity. Everybody who can check layer A can also make it. Never changes; threads may
/// share it. It is overwritten when it is freed.
#[derive(Debug)]
pub struct SealKey(pub(crate) seal::SealKey);

/// Draws a seal key with the system's random number generator. `key` takes its bytes, a secret to be stored, which the
/// caller overwrites after use; `key_len` is `DUALSEAL_SEAL_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_key_generate(
    key: *mut u8,
    key_len: usize,
    seal_key: *mut *mut SealKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let bytes = Buffer::bytes("key", key, key_len, DUALSEAL_SEAL_KEY_BYTES)?;
        let out = Out::new("seal_key", seal_key)?;
        let drawn = Secret::<DUALSEAL_SEAL_KEY_BYTES>::random(&mut SystemRng)?;
        let made = seal::SealKey::from_slice(drawn.expose())?;
        bytes.fill(drawn.expose());
        out.handle(SealKey(made));
        Ok(())
    })
}

/// From 32 or 64 bytes that were drawn before. The caller overwrites its own copy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_key_from_bytes(
    key: *const u8,
    key_len: usize,
    seal_key: *mut *mut SealKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = bytes("key", key, key_len)?;
        let made = seal::SealKey::from_slice(key).map_err(|error| CallError::from(error).of("key"))?;
        Out::new("seal_key", seal_key)?.handle(SealKey(made));
        Ok(())
    })
}

/// An identity's key from a master of 32 drawn bytes, which the caller overwrites.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_key_derive(
    domain: *const Domain,
    master: *const u8,
    master_len: usize,
    identity_id: *const c_char,
    seal_key: *mut *mut SealKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let master = secret("master", master, master_len)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let out = Out::new("seal_key", seal_key)?;
        out.handle(SealKey(seal::SealKey::derive(&domain.0, &master, &identity_id)));
        Ok(())
    })
}

/// Frees a seal key. NULL is ignored. What was made with it stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_key_free(seal_key: *mut SealKey) {
    release(|| give_back(seal_key));
}
