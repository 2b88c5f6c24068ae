//! Domains, and the identifiers computed in them.

use crate::args::{Buffer, Out, bytes, required, text};
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::failure::{Failure, guard, release};
use crate::status::StatusValue;
use std::ffi::c_char;

/// The constants that keep one deployment's hashes and statements apart from another's. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Domain(pub(crate) dualseal_core::Domain);

/// Derives every constant of a domain from one name: 1 or more characters 0x21 to 0x7E without `:`, not all of them
/// `0-9a-f`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_domain_new(
    name: *const c_char,
    domain: *mut *mut Domain,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = Out::new("domain", domain)?;
        domain.handle(Domain(dualseal_core::Domain::new(text("name", name)?)?));
        Ok(())
    })
}

/// The domain named `DUALSEAL`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_domain_default(domain: *mut *mut Domain, error: *mut *mut Failure) -> StatusValue {
    guard(error, || {
        Out::new("domain", domain)?.handle(Domain(dualseal_core::Domain::default()));
        Ok(())
    })
}

/// Frees a domain. NULL is ignored. Handles that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_domain_free(domain: Option<Box<Domain>>) {
    release(|| drop(domain));
}

/// The general identifier of `content` by `creator` in `context`, both of which may be empty, contain no `::` and do
/// not begin with `:`. `identity_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_identity_id(
    domain: Option<&Domain>,
    content: *const u8,
    content_len: usize,
    creator: *const c_char,
    context: *const c_char,
    identity_id: *mut c_char,
    identity_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let content = bytes("content", content, content_len)?;
        let (creator, context) = (text("creator", creator)?, text("context", context)?);
        let out = Buffer::text("identity_id", identity_id, identity_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&domain.0.identity_id(content, creator, context)?.to_hex());
        Ok(())
    })
}

/// The vault identifier of `payload` at position `seq` (at most 2^53-1) of its ledger; creator and context as for
/// `dualseal_identity_id`. `vault_id_len` is `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_vault_id(
    domain: Option<&Domain>,
    payload: *const u8,
    payload_len: usize,
    creator: *const c_char,
    context: *const c_char,
    seq: u64,
    vault_id: *mut c_char,
    vault_id_len: usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let domain = required("domain", domain)?;
        let payload = bytes("payload", payload, payload_len)?;
        let (creator, context) = (text("creator", creator)?, text("context", context)?);
        let out = Buffer::text("vault_id", vault_id, vault_id_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&domain.0.vault_id(payload, creator, context, seq)?.to_hex());
        Ok(())
    })
}
