//! Ed25519 keys, which prove presence and show the tier of whoever seals.

use crate::args::{Buffer, Out, bytes, required};
use crate::call_error::CallError;
use crate::constants::{DUALSEAL_ID_TEXT_BYTES, DUALSEAL_SEED_BYTES};
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::SystemRng;
use dualseal_core::ed25519;
use std::ffi::c_char;
use std::sync::Arc;

/// An Ed25519 signing key. Never changes; threads may share it. It is overwritten when it and every vault that was made
/// with it are freed.
#[derive(Debug)]
pub struct Ed25519Key(pub(crate) Arc<ed25519::Ed25519SigningKey>);

/// Draws a key with the system's random number generator.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ed25519_key_generate(key: *mut *mut Ed25519Key, error: *mut *mut CallError) -> StatusValue {
    guard(error, || {
        let out = Out::new("key", key)?;
        out.handle(Ed25519Key(Arc::new(ed25519::Ed25519SigningKey::generate(&mut SystemRng)?)));
        Ok(())
    })
}

/// From a seed of `DUALSEAL_SEED_BYTES` that was drawn before. The caller overwrites its own copy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ed25519_key_from_seed(
    seed: *const u8,
    seed_len: usize,
    key: *mut *mut Ed25519Key,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (seed, out) = (bytes("seed", seed, seed_len)?, Out::new("key", key)?);
        out.handle(Ed25519Key(Arc::new(ed25519::Ed25519SigningKey::from_seed(seed)?)));
        Ok(())
    })
}

/// The public half, in hexadecimal. `public_key_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ed25519_key_public_key(
    key: *const Ed25519Key,
    public_key: *mut c_char,
    public_key_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = required("key", key)?;
        let out = Buffer::text("public_key", public_key, public_key_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&key.0.public_key().to_hex());
        Ok(())
    })
}

/// The seed, a secret that the caller overwrites after use. `seed_len` is `DUALSEAL_SEED_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ed25519_key_seed(
    key: *const Ed25519Key,
    seed: *mut u8,
    seed_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = required("key", key)?;
        Buffer::bytes("seed", seed, seed_len, DUALSEAL_SEED_BYTES)?.fill(key.0.seed().expose());
        Ok(())
    })
}

/// Frees a key. NULL is ignored. Vaults that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ed25519_key_free(key: *mut Ed25519Key) {
    release(|| give_back(key));
}
