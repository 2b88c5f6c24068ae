//! Ring keys: the authority over a ring's changes.

use crate::args::{Buffer, Out, required, secret};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_RING_KEY_BYTES;
use crate::domain::Domain;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::SystemRng;
use std::sync::Arc;

/// The secret that vouches for a ring's changes in the chain, kept apart from the ring. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct RingKey(pub(crate) Arc<dualseal_core::RingKey>);

/// Draws a ring key with the system's random number generator.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_key_generate(
    domain: *const Domain,
    ring_key: *mut *mut RingKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let ring_key = Out::new("ring_key", ring_key)?;
        ring_key.handle(RingKey(Arc::new(dualseal_core::RingKey::generate(&domain.0, &mut SystemRng)?)));
        Ok(())
    })
}

/// From `DUALSEAL_RING_KEY_BYTES` that were drawn before. The caller overwrites its own copy.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_key_from_secret(
    domain: *const Domain,
    secret: *const u8,
    secret_len: usize,
    ring_key: *mut *mut RingKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let secret = self::secret("secret", secret, secret_len)?;
        Out::new("ring_key", ring_key)?.handle(RingKey(Arc::new(dualseal_core::RingKey::new(&domain.0, secret))));
        Ok(())
    })
}

/// The secret bytes, which the caller overwrites after use. `secret_len` is `DUALSEAL_RING_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_key_secret(
    ring_key: *const RingKey,
    secret: *mut u8,
    secret_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let ring_key = required("ring_key", ring_key)?;
        let out = Buffer::bytes("secret", secret, secret_len, DUALSEAL_RING_KEY_BYTES)?;
        out.fill(ring_key.0.secret().expose());
        Ok(())
    })
}

/// Frees a ring key, which is overwritten when every reader that was begun with it is freed too. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ring_key_free(ring_key: *mut RingKey) {
    release(|| give_back(ring_key));
}
