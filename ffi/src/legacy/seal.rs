//! Legacy seals: layer A alone.

use crate::args::{Out, bytes, required, text};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict};
use crate::seal::authenticate;
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
        Out::new("seal_key", seal_key)?.handle(SealKey(seal::SealKey::legacy(key)?));
        Ok(())
    })
}

/// Makes a legacy seal, layer A alone, for those who read nothing else yet.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_payload_seal_legacy(
    domain: *const Domain,
    identity_id: *const c_char,
    seal_key: *const SealKey,
    key: *const SigningKey,
    payload: *const u8,
    payload_len: usize,
    seal: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let (seal_key, key) = (required("seal_key", seal_key)?, required("key", key)?);
        let (payload, out) = (bytes("payload", payload, payload_len)?, Out::new("seal", seal)?);
        let sealer = seal::Sealer::new(&domain.0, &identity_id, &seal_key.0, key.0.statement_key());
        out.text(&sealer.seal_legacy(payload)?.to_string());
        Ok(())
    })
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
