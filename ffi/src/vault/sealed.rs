//! A new record with all that belongs to it.

use crate::args::{Buffer, Out, required};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_PUBLIC_KEY_BYTES;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::sharing::secret::{ByField, Drawn, Secret};
use crate::status::StatusValue;
use dualseal_core::PublicKey;
use dualseal_core::field::Gf2_256;
use dualseal_core::shamir::DrawnSecret;
use dualseal_core::vault;
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

/// A new record, its secret and the public key of its fragment. Never changes; threads may share it. Secrets are
/// overwritten when it and every handle on them are freed.
#[derive(Debug)]
pub struct Sealed {
    record: vault::VaultRecord,
    secret: Option<Arc<Drawn>>,
    decoy: PublicKey,
}

impl Sealed {
    pub(crate) fn new(record: vault::VaultRecord, secret: Option<DrawnSecret<Gf2_256>>, decoy: PublicKey) -> Self {
        Self { record, secret: secret.map(|secret| Arc::new(ByField::Gf2_256(secret))), decoy }
    }
}

/// What belongs to a new record; whoever wants only some of it gives NULL for the others.
///
/// `record_json` is the record for the store, with its fragment: a secret. No other function gives the fragment out;
/// whatever leaves the store is `dualseal_vault_record_redact`. `entry_json` is the record's entry in the chain, as
/// JSON with its `seq`, which is stored with it. `secret` is a new handle on the secret of an encrypted record, which
/// is split among nodes and kept nowhere else; it is set to NULL for a record that is not encrypted. `decoy_key` is the
/// public key of the record's fragment, which the ring takes as a decoy of the identity (`dualseal_ring_add_decoy`)
/// with the record's time; `decoy_key_len` is `DUALSEAL_PUBLIC_KEY_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealed_parts(
    sealed: *const Sealed,
    record_json: *mut *mut c_char,
    entry_json: *mut *mut c_char,
    secret: *mut *mut Secret,
    decoy_key: *mut u8,
    decoy_key_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let sealed = required("sealed", sealed)?;
        let decoy = || Buffer::bytes("decoy_key", decoy_key, decoy_key_len, DUALSEAL_PUBLIC_KEY_BYTES);
        if let Some(decoy) = (!decoy_key.is_null()).then(decoy).transpose()? {
            decoy.fill(sealed.decoy.as_bytes());
        }
        if let Some(out) = Out::optional(record_json) {
            out.text(&sealed.record.to_stored_json());
        }
        if let Some(out) = Out::optional(entry_json) {
            out.text(&sealed.record.entry().to_json());
        }
        if let Some(out) = Out::optional(secret) {
            match &sealed.secret {
                Some(secret) => out.handle(Secret(Arc::clone(secret))),
                None => out.set(ptr::null_mut()),
            }
        }
        Ok(())
    })
}

/// Frees what was sealed. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_sealed_free(sealed: *mut Sealed) {
    release(|| give_back(sealed));
}
