//! Signing keys in the expanded form of FIPS 204, without a seed.

use crate::args::{Buffer, Out, bytes, required};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_EXPANDED_KEY_BYTES;
use crate::guard::guard;
use crate::signing_key::{Key, SigningKey};
use crate::status::StatusValue;
use dualseal_core::ExpandedSigningKey;
use std::sync::Arc;

/// From the expanded form of `DUALSEAL_EXPANDED_KEY_BYTES` (FIPS 204, algorithm 24). Such a key has no seed, and so no
/// PKCS#8; each of its signatures is verified before it is returned.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_from_expanded(
    expanded: *const u8,
    expanded_len: usize,
    key: *mut *mut SigningKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = Out::new("key", key)?;
        let expanded = ExpandedSigningKey::from_slice(bytes("expanded", expanded, expanded_len)?)
            .map_err(|error| CallError::from(error).of("expanded"))?;
        key.handle(SigningKey(Arc::new(Key::Expanded(expanded))));
        Ok(())
    })
}

/// The expanded form, a secret that the caller overwrites after use. `expanded_len` is `DUALSEAL_EXPANDED_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_expanded(
    key: *const SigningKey,
    expanded: *mut u8,
    expanded_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = required("key", key)?;
        let out = Buffer::bytes("expanded", expanded, expanded_len, DUALSEAL_EXPANDED_KEY_BYTES)?;
        let secret = match &*key.0 {
            Key::Seed(key) => key.expand().to_bytes(),
            Key::Expanded(key) => key.to_bytes(),
        };
        out.fill(secret.expose());
        Ok(())
    })
}
