//! Signing keys.

use crate::args::{Buffer, Out, bytes, required, sized_text};
use crate::call_error::CallError;
use crate::constants::{DUALSEAL_PUBLIC_KEY_BYTES, DUALSEAL_SEED_BYTES};
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::mldsa::StatementKey;
use dualseal_core::{ExpandedSigningKey, SystemRng};
use std::ffi::c_char;
use std::sync::Arc;

/// An ML-DSA-65 signing key. Never changes; threads may share it. It is overwritten when it and everything that was
/// made with it are freed.
#[derive(Debug)]
pub struct SigningKey(pub(crate) Arc<Key>);

#[derive(Debug)]
pub(crate) enum Key {
    Seed(dualseal_core::SigningKey),
    Expanded(ExpandedSigningKey),
}

impl Key {
    pub(crate) fn statement_key(&self) -> &dyn StatementKey {
        match self {
            Self::Seed(key) => key,
            Self::Expanded(key) => key,
        }
    }

    fn with_seed(&self) -> Result<&dualseal_core::SigningKey, CallError> {
        match self {
            Self::Seed(key) => Ok(key),
            Self::Expanded(_) => Err(CallError::no_seed()),
        }
    }
}

fn hand_over_seeded(out: Out<*mut SigningKey>, key: dualseal_core::SigningKey) {
    out.handle(SigningKey(Arc::new(Key::Seed(key))));
}

/// Draws a key with the system's random number generator.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_generate(key: *mut *mut SigningKey, error: *mut *mut CallError) -> StatusValue {
    guard(error, || {
        let key = Out::new("key", key)?;
        hand_over_seeded(key, dualseal_core::SigningKey::generate(&mut SystemRng)?);
        Ok(())
    })
}

/// From a seed of `DUALSEAL_SEED_BYTES` that was drawn before. The caller overwrites its own copy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_from_seed(
    seed: *const u8,
    seed_len: usize,
    key: *mut *mut SigningKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = Out::new("key", key)?;
        hand_over_seeded(key, dualseal_core::SigningKey::from_seed(bytes("seed", seed, seed_len)?)?);
        Ok(())
    })
}

/// Reads PKCS#8 in PEM (`BEGIN PRIVATE KEY`), in the seed form of RFC 9881.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_from_pkcs8_pem(
    pem: *const c_char,
    pem_len: usize,
    key: *mut *mut SigningKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = Out::new("key", key)?;
        hand_over_seeded(
            key,
            dualseal_core::SigningKey::from_pkcs8_pem(sized_text("pem", pem, pem_len)?)
                .map_err(|error| CallError::from(error).of("pem"))?,
        );
        Ok(())
    })
}

/// The public half. `public_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_public_key(
    key: *const SigningKey,
    public_key: *mut u8,
    public_key_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = required("key", key)?;
        let out = Buffer::bytes("public_key", public_key, public_key_len, DUALSEAL_PUBLIC_KEY_BYTES)?;
        out.fill(key.0.statement_key().public_key().as_bytes());
        Ok(())
    })
}

/// The seed, a secret that the caller overwrites after use. `seed_len` is `DUALSEAL_SEED_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_seed(
    key: *const SigningKey,
    seed: *mut u8,
    seed_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = required("key", key)?;
        let out = Buffer::bytes("seed", seed, seed_len, DUALSEAL_SEED_BYTES)?;
        out.fill(key.0.with_seed()?.seed().expose());
        Ok(())
    })
}

/// PKCS#8 in PEM in the seed form, a secret to be freed with `dualseal_string_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_to_pkcs8_pem(
    key: *const SigningKey,
    pem: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = required("key", key)?;
        Out::new("pem", pem)?.text(&key.0.with_seed()?.to_pkcs8_pem()?);
        Ok(())
    })
}

/// Frees a signing key. NULL is ignored. What was made with it stays good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_signing_key_free(key: *mut SigningKey) {
    release(|| give_back(key));
}
