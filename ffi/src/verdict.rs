//! Verdicts: what a verification concluded, in full.

use crate::args::{Buffer, Out, required};
use crate::call_error::CallError;
use crate::constants::DUALSEAL_ID_TEXT_BYTES;
use crate::guard::{guard, release};
use crate::handle::give_back;
use crate::status::StatusValue;
use dualseal_core::verdict::DecoyTicket;
use dualseal_core::{PublicResult, VerificationResult};
use std::ffi::c_char;

/// What a verification concluded. Never changes; threads may share it.
#[derive(Debug)]
pub struct Verdict {
    internal: VerificationResult,
    public: PublicResult,
    decoy: Option<DecoyTicket>,
}

impl Verdict {
    /// What is told of a verdict, whatever kind of record it is about.
    pub(crate) fn of<T>(verdict: &dualseal_core::Verdict<T>) -> Self {
        let decoy = match verdict {
            dualseal_core::Verdict::Decoy(ticket) => Some(ticket.clone()),
            _ => None,
        };
        Self { internal: verdict.internal(), public: verdict.public(), decoy }
    }

    /// What is left of a record that a decoy key signed.
    pub(crate) fn ticket(&self) -> Result<&DecoyTicket, CallError> {
        self.decoy.as_ref().ok_or_else(CallError::not_a_decoy)
    }
}

/// What the operator is told, as JSON: decoys are unmasked, and an invalid record has its reason.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verdict_to_json(
    verdict: *const Verdict,
    result_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || result(verdict, result_json, |verdict| verdict.internal.to_json()))
}

/// What everybody else is told, as JSON: a decoy reads as valid. A courtesy, not evidence.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verdict_to_public_json(
    verdict: *const Verdict,
    result_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || result(verdict, result_json, |verdict| verdict.public.to_json()))
}

fn result(
    verdict: *const Verdict,
    result_json: *mut *mut c_char,
    form: fn(&Verdict) -> String,
) -> Result<(), CallError> {
    let verdict = required("verdict", verdict)?;
    Out::new("result_json", result_json)?.text(&form(verdict));
    Ok(())
}

/// Of a decoy verdict: the hash of the decoy's public key, which says which trap it was. `key_hash_len` is
/// `DUALSEAL_ID_TEXT_BYTES`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verdict_decoy_key_hash(
    verdict: *const Verdict,
    key_hash: *mut c_char,
    key_hash_len: usize,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let verdict = required("verdict", verdict)?;
        let out = Buffer::text("key_hash", key_hash, key_hash_len, DUALSEAL_ID_TEXT_BYTES)?;
        out.fill_text(&verdict.ticket()?.key_hash().to_hex());
        Ok(())
    })
}

/// Frees a verdict. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_verdict_free(verdict: *mut Verdict) {
    release(|| give_back(verdict));
}
