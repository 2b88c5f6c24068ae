//! Domains.

use crate::args::{Out, text};
use crate::call_error::CallError;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use std::ffi::c_char;

/// The constants that keep one deployment's hashes and statements apart from another's. Never changes; threads may
/// share it.
#[derive(Debug)]
pub struct Domain(pub(crate) dualseal_core::Domain);

/// Derives every constant of a domain from one name: 1 or more characters 0x21 to 0x7E without `:`, not all of them
/// `0-9a-f`. `DUALSEAL` is the name of the domain that the Rust library and the wheel take by default.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_domain_new(
    name: *const c_char,
    domain: *mut *mut Domain,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let domain = Out::new("domain", domain)?;
        domain.handle(Domain(dualseal_core::Domain::new(text("name", name)?)?));
        Ok(())
    })
}

/// Frees a domain. NULL is ignored. Handles that were made with it stay good.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_domain_free(domain: *mut Domain) {
    release(|| give_back(domain));
}
