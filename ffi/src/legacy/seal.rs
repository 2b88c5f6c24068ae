//! Legacy seals: layer A alone.

use crate::args::{Out, bytes};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict};
use crate::ring::Ring;
use crate::seal::{Maker, authenticate};
use crate::seal_key::SealKey;
use crate::seal_report::SealReport;
use crate::signing_key::SigningKey;
use crate::status::StatusValue;
use dualseal_core::seal::{self, Legacy};
use std::ffi::c_char;

/// From at least 16 bytes that were issued elsewhere before. A key of another length than 32 or 64 makes no seal, and
/// checks legacy seals alone.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_key_from_legacy(
    key: *const u8,
    key_len: usize,
    seal_key: *mut *mut SealKey,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let key = bytes("key", key, key_len)?;
        let made = seal::SealKey::legacy(key).map_err(|error| CallError::from(error).of("key"))?;
        Out::new("seal_key", seal_key)?.handle(SealKey(made));
        Ok(())
    })
}

/// Makes a legacy seal, layer A alone, for those who read nothing else yet. `ring` and `no_ring` as for
/// `dualseal_signature_sign`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_payload_seal_legacy(
    domain: *const Domain,
    identity_id: *const c_char,
    seal_key: *const SealKey,
    key: *const SigningKey,
    ring: *const Ring,
    no_ring: i32,
    payload: *const u8,
    payload_len: usize,
    seal: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    let by = Maker { domain, identity_id, seal_key, key, ring, no_ring };
    guard(error, || by.make((payload, payload_len), seal, |sealer, bytes| Ok(sealer.seal_legacy(bytes)?.to_string())))
}

/// As `dualseal_seal_authenticate`, where a legacy seal counts too.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_seal_authenticate_legacy(
    domain: *const Domain,
    seal: *const c_char,
    seal_len: usize,
    payload: *const u8,
    payload_len: usize,
    identity_id: *const c_char,
    seal_key: *const SealKey,
    report: *mut *mut SealReport,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        authenticate(domain, (seal, seal_len), identity_id, (payload, payload_len), seal_key, Legacy::Permitted, report)
    })
}
